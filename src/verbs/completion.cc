#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "engine/loader.h"
#include "settings/settings.h"
#include "settings/suite.h"
#include "verbs/verbs.h"
#include "workload/find_workload.h"

namespace levelfield {
namespace {

// What may stand at a place: words, and files or directories.
struct Choices {
  Words words;
  bool directories = false;
  bool files = false;

  bool empty() const { return words.empty() && !directories && !files; }
};

// Those that are no flags of the table: one word of a verb takes them.
std::vector<OwnFlag> OwnFlagsOf(const Verb& verb) {
  std::vector<OwnFlag> own;
  if (verb.own != nullptr) own.assign(verb.own->flags.begin(), verb.own->flags.end());
  std::erase_if(own, [](const OwnFlag& flag) { return FindFlag(flag.name) != nullptr; });
  return own;
}

// The flags that completion offers behind the verb.
std::vector<const Flag*> OfferedTo(const Verb& verb) {
  std::vector<const Flag*> flags = FlagsOf(verb);
  if (verb.own == nullptr) return flags;
  for (const OwnFlag& own : verb.own->flags) {
    if (const Flag* const flag = FindFlag(own.name)) AddOnce(flags, flag);
  }
  return flags;
}

bool IsSwitch(const Flag& flag) { return flag.kind == Flag::Kind::kSwitch; }

class Completions {
 public:
  Completions() {
    for (const auto& [name, text] : BuiltinWorkloads()) kinds_["<workloads>"].emplace_back(name);
    for (const auto& [name, text] : BuiltinSuites()) kinds_["<suites>"].emplace_back(name);
    for (const Verb& verb : Verbs()) kinds_["<verbs>"].emplace_back(verb.name);
    for (const Flag& flag : Flags()) kinds_["<flags>"].emplace_back(flag.name);
    kinds_["<engines>"] = FindEngines(EnginePlaces());
    kinds_["<pages>"] = DocsPages();
  }

  std::string Bash() const;
  std::string Zsh() const;
  std::string Fish() const;

 private:
  Choices Resolved(const Words& words) const {
    Choices choices;
    for (const std::string& part : words) {
      const auto kind = kinds_.find(part);
      if (kind != kinds_.end()) {
        choices.words.insert(choices.words.end(), kind->second.begin(), kind->second.end());
      } else if (part == "<directories>") {
        choices.directories = true;
      } else if (part == "<files>") {
        choices.files = true;
      } else {
        choices.words.push_back(part);
      }
    }
    return choices;
  }

  Choices Of(const Verb& verb) const { return Resolved(Split(verb.words, ',')); }
  Choices Of(const Flag& flag) const {
    return Resolved(IsSwitch(flag) ? Words{"0", "1"} : ChoicesOf(flag));
  }

  std::map<std::string, Words> kinds_;
};

// Quoted so that nothing means anything to a shell. The three shells differ only in how they write
// a quote within.
std::string ShellQuoted(std::string_view text, std::string_view quote) {
  const std::pair<char, std::string_view> rows[] = {{'\'', quote}, {'`', ""}};
  return "'" + Escaped(text, rows) + "'";
}
std::string InShell(std::string_view text) { return ShellQuoted(text, "'\\''"); }
std::string InFish(std::string_view text) { return ShellQuoted(text, "\\'"); }

// A help text short enough to stand beside the word in a list.
std::string_view Briefly(std::string_view help) {
  constexpr size_t kMost = 70;
  size_t end = std::min(help.find(". "), help.size());
  if (end > kMost) end = std::min(help.find_last_of(" :;,", kMost), help.size());
  help = help.substr(0, end);
  while (!help.empty() && std::string_view(" .:;,").find(help.back()) != help.npos) {
    help.remove_suffix(1);
  }
  return help;
}

// Arms of a `case`, one for each verb or flag with choices.
std::string Arm(std::string_view pattern, const std::string& commands) {
  return fmt::format("    {}) {} ;;\n", pattern, commands);
}

std::string BashReply(const Choices& choices) {
  return fmt::format("words={}{}{}", InShell(fmt::format("{}", fmt::join(choices.words, " "))),
                     choices.directories ? " files=-d" : "", choices.files ? " files=-f" : "");
}

std::string Completions::Bash() const {
  std::string verbs;
  std::string values;
  for (const Verb& verb : Verbs()) {
    Words flags = {"--help"};
    for (const Flag* const flag : OfferedTo(verb)) {
      flags.push_back(fmt::format("--{}{}", flag->name, IsSwitch(*flag) ? "" : "="));
    }
    for (const OwnFlag& flag : OwnFlagsOf(verb)) {
      flags.push_back(fmt::format("--{}=", flag.name));
      if (flag.accepted.empty()) continue;
      values += Arm(flags.back().substr(0, flags.back().size() - 1),
                    BashReply(Resolved(Split(flag.accepted, ','))) + " several=1");
    }
    verbs +=
        Arm(verb.name, fmt::format("flags={} {}", InShell(fmt::format("{}", fmt::join(flags, " "))),
                                   BashReply(Of(verb))));
  }
  std::string switches;
  for (const Flag& flag : Flags()) {
    if (IsSwitch(flag)) switches += fmt::format("{}--{}", switches.empty() ? "" : "|", flag.name);
    const Choices choices = Of(flag);
    if (choices.empty()) continue;
    values += Arm(fmt::format("--{}", flag.name),
                  BashReply(choices) + (flag.takes_several ? " several=1" : ""));
  }
  return fmt::format(
      R"(# Completion of levelfield for bash, made by `levelfield completion bash`.
_levelfield() {{
  # The whole word under the cursor: bash's own ends at each = and @.
  local line=${{COMP_LINE:0:COMP_POINT}}
  local word=${{line##*[[:space:]]}} verb='' flags='' words='' files='' several='' head='' flag='' i
  local -a before
  read -ra before <<<"${{line%"$word"}}"
  for ((i = 1; i < ${{#before[@]}}; ++i)); do
    if [[ ${{before[i]}} != -* ]]; then verb=${{before[i]}}; break; fi
  done
  COMPREPLY=()
  local value=$word
  case $word in
    --*=*) flag=${{word%%=*}} value=${{word#*=}} head=$flag= ;;
    *) case ${{before[-1]}} in
         {}) ;;
         --*=*) ;;
         --*) flag=${{before[-1]}} ;;
       esac ;;
  esac
  case $verb in
    '') words={} flags=--help ;;
{}  esac
  if [[ -n $flag ]]; then
    words='' files=''
    case $flag in
{}    esac
  elif [[ $word == -* ]]; then
    words=$flags files=''
  fi
  if [[ -n $several && $value == *,* ]]; then
    head+=${{value%,*}},
    value=${{value##*,}}
  fi
  local IFS=$'\n'
  COMPREPLY=($(IFS=' '; compgen -W "$words" -- "$value"))
  if [[ -n $files ]]; then COMPREPLY+=($(compgen "$files" -- "$value")); fi
  COMPREPLY=("${{COMPREPLY[@]/#/$head}}")
  if [[ ${{#COMPREPLY[@]}} == 1 && ${{COMPREPLY[0]}} == *= || -n $files || -n $several ]]; then
    compopt -o nospace 2>/dev/null
  fi
  if [[ -n $files ]]; then compopt -o filenames 2>/dev/null; fi
  # Bash puts a reply where its own word began.
  local kept=${{word%"${{word##*[$COMP_WORDBREAKS]}}"}}
  COMPREPLY=("${{COMPREPLY[@]#"$kept"}}")
}}
complete -F _levelfield levelfield
)",
      switches, InShell(fmt::format("{}", fmt::join(kinds_.at("<verbs>"), " "))), verbs, values);
}

// A name and its help, in the form of `_describe`.
std::string Described(const std::string& name, std::string_view help) {
  std::string escaped;
  for (const char c : name) escaped += c == ':' ? "\\:" : std::string(1, c);
  return InShell(escaped + ":" + std::string(help));
}

std::string ZshReply(const Choices& choices, bool several) {
  Words commands;
  if (several) commands.emplace_back("compset -P '*,'");
  if (!choices.words.empty()) {
    commands.push_back(
        fmt::format("compadd {}-- {}", several ? "-S '' " : "", fmt::join(choices.words, " ")));
  }
  if (choices.directories) commands.emplace_back("_files -/");
  if (choices.files) commands.emplace_back("_files");
  return fmt::format("{}", fmt::join(commands, "; "));
}

std::string Completions::Zsh() const {
  std::string verbs;
  std::string flags;
  std::string words;
  std::string valued;
  std::string values;
  for (const Verb& verb : Verbs()) {
    verbs += "    " + Described(std::string(verb.name), Briefly(verb.summary)) + "\n";
    std::string names;
    for (const Flag* const flag : OfferedTo(verb)) names += " " + std::string(flag->name);
    for (const OwnFlag& flag : OwnFlagsOf(verb)) {
      const std::string name(flag.name);
      names += " " + name;
      valued += fmt::format("    {} {}\n", name, Described("--" + name, Briefly(flag.help)));
      if (flag.accepted.empty()) continue;
      values += Arm(name, ZshReply(Resolved(Split(flag.accepted, ',')), true));
    }
    flags += Arm(verb.name, "names=(" + names + " )");
    if (const Choices choices = Of(verb); !choices.empty()) {
      words += Arm(verb.name, ZshReply(choices, false));
    }
  }
  std::string switches;
  for (const Flag& flag : Flags()) {
    (IsSwitch(flag) ? switches : valued) += fmt::format(
        "    {} {}\n", flag.name, Described("--" + std::string(flag.name), Briefly(flag.help)));
    const Choices choices = Of(flag);
    if (choices.empty()) continue;
    values += Arm(flag.name, ZshReply(choices, flag.takes_several));
  }
  return fmt::format(
      R"(#compdef levelfield
# Completion of levelfield for zsh, made by `levelfield completion zsh`.
_levelfield_values() {{
  case $1 in
{4}  esac
}}
_levelfield() {{
  local verb='' name i
  local -a verbs names listed
  local -A valued switches
  for ((i = 2; i < CURRENT; ++i)); do
    if [[ ${{words[i]}} != -* ]]; then verb=${{words[i]}}; break; fi
  done
  if [[ $PREFIX == --*=* ]]; then
    name=${{${{PREFIX%%=*}}#--}}
    compset -P '*='
    _levelfield_values $name
    return
  fi
  verbs=(
{0}  )
  valued=(
{2}  )
  switches=(
{3}  )
  if [[ $PREFIX == -* ]]; then
    case $verb in
{1}    esac
    for name in $names; do if [[ -n $valued[$name] ]]; then listed+=$valued[$name]; fi; done
    _describe -o flag listed -S '='
    listed=('--help:what it takes')
    for name in $names; do if [[ -n $switches[$name] ]]; then listed+=$switches[$name]; fi; done
    _describe -o switch listed
  elif [[ -z $verb ]]; then
    _describe verb verbs
  else
    case $verb in
{5}    esac
  fi
}}
if [[ $funcstack[1] == _levelfield ]]; then _levelfield "$@"; else compdef _levelfield levelfield; fi
)",
      verbs, flags, valued, switches, values, words);
}

std::string FishReply(const Choices& choices, bool several) {
  std::string words = fmt::format("{}", fmt::join(choices.words, " "));
  if (several) words = "(__fish_append , " + words + ")";
  if (choices.directories) words += " (__fish_complete_directories)";
  return (words.empty() ? "" : "-a " + InFish(words)) + (choices.files ? " -F" : "");
}

std::string Completions::Fish() const {
  std::string script =
      "# Completion of levelfield for fish, made by `levelfield completion fish`.\n"
      "complete -c levelfield -f\n"
      "complete -c levelfield -l help -d 'what it takes'\n";
  for (const Verb& verb : Verbs()) {
    script += fmt::format("complete -c levelfield -n __fish_use_subcommand -a {} -d {}\n",
                          InFish(verb.name), InFish(Briefly(verb.summary)));
    if (const Choices choices = Of(verb); !choices.empty()) {
      script += fmt::format("complete -c levelfield -n '__fish_seen_subcommand_from {}' {}\n",
                            verb.name, FishReply(choices, false));
    }
    for (const OwnFlag& flag : OwnFlagsOf(verb)) {
      script += fmt::format(
          "complete -c levelfield -n '__fish_seen_subcommand_from {}' -l {} -x {} -d {}\n",
          verb.name, flag.name,
          FishReply(Resolved(Split(flag.accepted, ',')), !flag.accepted.empty()),
          InFish(Briefly(flag.help)));
    }
  }
  for (const Flag& flag : Flags()) {
    Words takers;
    for (const Verb& verb : Verbs()) {
      const std::vector<const Flag*> flags = OfferedTo(verb);
      if (std::ranges::find(flags, &flag) != flags.end()) takers.emplace_back(verb.name);
    }
    if (takers.empty()) continue;
    const Choices choices = IsSwitch(flag) ? Choices() : Of(flag);
    script +=
        fmt::format("complete -c levelfield -n '__fish_seen_subcommand_from {}' -l {}{} {} -d {}\n",
                    fmt::join(takers, " "), flag.name,
                    IsSwitch(flag)  ? ""
                    : choices.files ? " -r"
                                    : " -x",
                    FishReply(choices, flag.takes_several), InFish(Briefly(flag.help)));
  }
  return script;
}

}  // namespace

Answer CompletionVerb(const Words& words) {
  const std::string shell = words.size() == 1 ? words.front() : "";
  const Completions completions;
  if (shell == "bash") return completions.Bash();
  if (shell == "zsh") return completions.Zsh();
  if (shell == "fish") return completions.Fish();
  return Status::Usage(
      "completion: bash, zsh or fish? source <(levelfield completion bash) makes bash know it");
}

}  // namespace levelfield
