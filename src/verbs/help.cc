#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/quote.h"
#include "base/text.h"
#include "base/version.h"
#include "settings/flag_text.h"
#include "verbs/engines/kit.h"
#include "verbs/verbs.h"
#include "workload/file/role_lines.h"
#include "workload/operation.h"

namespace levelfield {
namespace {

// A text that roff prints unchanged. Words in backquotes are bold. A line that begins with a point
// or a quote is no request.
std::string Roff(std::string_view text) {
  constexpr std::pair<char, std::string_view> kRows[] = {
      {'\\', "\\(rs"}, {'-', "\\-"},   {'\'', "\\(aq"},
      {'^', "\\(ha"},  {'~', "\\(ti"}, {',', ",\\:"}};  // Long lists of names break after a comma.
  std::string roff;
  bool is_bold = true;
  for (const std::string& part : Parts(text, '`')) {
    is_bold = !is_bold;
    roff += (is_bold ? "\\fB" : roff.empty() ? "" : "\\fR") + Escaped(part, kRows);
  }
  if (is_bold) roff += "\\fR";
  return (roff.starts_with('.') ? "\\&" : "") + roff;
}

// A line each, so that sentences end where lines do.
std::string Sentences(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = text.find(". ");
    lines += Roff(text.substr(0, end == text.npos ? end : end + 1)) + "\n";
    text.remove_prefix(end == text.npos ? text.size() : end + 2);
  }
  return lines;
}

std::string Item(const std::string& title, std::string_view text) {
  return ".TP\n" + title + "\n" + Sentences(text);
}

std::string FlagItems() {
  return ByGroup(
      AllFlags(), [](std::string_view group) { return fmt::format(".SS {}\n", Roff(group)); },
      [](const Flag& flag) {
        std::string item = Item(
            fmt::format("\\fB\\-\\-{}\\fR=\\fI{}\\fR", flag.name, Roff(UnitOf(flag))), flag.help);
        if (flag.is_closed()) {
          item += Roff(fmt::format("One of: {}.", fmt::join(ChoicesOf(flag), ", "))) + "\n";
        }
        const std::string value = DefaultOf(flag);
        return item + (value.empty() ? "" : fmt::format("Default: {}\n", Roff(value)));
      });
}

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

std::string VerbLines(const std::vector<Verb>& verbs) {
  std::string lines;
  for (const Verb& verb : verbs) lines += fmt::format("  {:12} {}\n", verb.name, verb.summary);
  return lines;
}

// Those of one word of the verb, in the form of InOneLine.
std::string OwnFlagLines(const Verb& verb) {
  if (verb.own == nullptr) return "";
  std::string lines = fmt::format("`{} {}` alone:\n", verb.name, verb.own->word);
  for (const OwnFlag& flag : verb.own->flags) {
    lines += fmt::format("  {:31} {}\n", fmt::format("--{}={}", flag.name, flag.value), flag.help);
  }
  return lines;
}

std::string HelpOnVerb(const Verb& verb, bool has_all) {
  std::string text =
      fmt::format("levelfield {} {}\n\n{}\n", verb.name, verb.synopsis, verb.summary);
  std::vector<const Flag*> flags = FlagsOf(verb);
  if (verb.own != nullptr) {
    std::erase_if(flags, [&](const Flag* flag) {
      return std::ranges::find(verb.own->flags, flag->name, &OwnFlag::name) !=
             verb.own->flags.end();
    });
  }
  if (flags.empty()) return text;
  if (has_all) {
    text += FlagsHelp(flags, DefaultsOf(verb));
    if (verb.own != nullptr) text += "\n" + OwnFlagLines(verb);
    return text;
  }
  if (verb.takes_all_flags) {
    std::erase_if(flags, [](const Flag* flag) { return flag->in_help == InHelp::kInAll; });
  }
  text += "\n";
  text += ByGroup(
      flags, [](std::string_view group) { return fmt::format("{}:\n", group); },
      [defaults = DefaultsOf(verb)](const Flag& flag) { return InOneLine(flag, defaults); });
  text += OwnFlagLines(verb);
  return text + fmt::format("\n{}, each in full: levelfield {} --help=all\n",
                            verb.takes_all_flags ? "All flags" : "These flags", verb.name);
}

// The lines and operations of a workload file that are named so.
std::string WorkloadFileLines(const std::string& wanted) {
  std::string lines;
  const auto add_keys = [&](const std::map<std::string_view, LineReader>& keys,
                            std::string_view where) {
    for (const auto& [key, reader] : keys) {
      if (key.find(wanted) == std::string_view::npos) continue;
      lines += fmt::format("  {:31} {}\n", fmt::format("{} = ...", key), where);
    }
  };
  add_keys(HeadKeys(), "before the first role");
  add_keys(RoleKeys(), "in a role");
  for (const Operation* const operation : Operations()) {
    if (Lowered(operation->form).find(wanted) == std::string::npos) continue;
    lines += fmt::format("  op = {}\n", operation->form);
  }
  return lines;
}

// The verbs and flags that mention the word, and what a workload file has of that name.
std::string HelpOnWord(const std::string& word) {
  const std::string wanted = Lowered(word);
  const auto speaks = [&](std::string_view name, std::string_view help) {
    return Lowered(name).find(wanted) != std::string::npos ||
           Lowered(help).find(wanted) != std::string::npos;
  };
  std::vector<Verb> found;
  for (const Verb& verb : Verbs()) {
    if (speaks(verb.name, verb.summary)) found.push_back(verb);
  }
  // First those with that name.
  std::vector<const Flag*> named;
  std::vector<const Flag*> others;
  for (const Flag& flag : Flags()) {
    if (Lowered(flag.name).find(wanted) != std::string::npos) {
      named.push_back(&flag);
    } else if (speaks(flag.name, flag.help)) {
      others.push_back(&flag);
    }
  }
  std::string text;
  if (!found.empty()) text += fmt::format("Verbs:\n{}", VerbLines(found));
  std::string workloads;
  for (const std::string& line : Split(WorkloadsVerb({}).text, '\n')) {
    const std::string name = line.substr(0, line.find(' '));
    if (Lowered(name).find(wanted) != std::string::npos) workloads += "  " + line + "\n";
  }
  if (!workloads.empty()) text += "\nWorkloads:\n" + workloads;
  text += FlagLines(named);
  if (!others.empty()) {
    text += "\nOther flags that mention it:\n";
    for (const Flag* const flag : others) text += InOneLine(*flag);
  }
  if (const std::string lines = WorkloadFileLines(wanted); !lines.empty()) {
    text += "\nIn a workload file, see docs/adding_a_workload.md:\n" + lines;
  }
  if (!text.empty()) text.erase(0, text.find_first_not_of('\n'));
  return text;
}

Words AllNames() {
  Words names = {"flags"};
  for (const Verb& verb : Verbs()) names.emplace_back(verb.name);
  for (const Flag& flag : Flags()) names.emplace_back(flag.name);
  return names;
}

// The verbs, the flags most used, and where to find more.
std::string ShortHelp() {
  const StatusOr<Kit> kit = FindKit();
  std::string help = fmt::format(
      "Levelfield {}: embedded key-value stores, measured on a level field.\n\n"
      "  levelfield run                                   every engine, every workload\n"
      "  levelfield run --engine=leveldb,lmdb --num=100k  two of them, smaller\n"
      "  levelfield run --benchmarks=fillseq,readrandom   on one open store, in this order\n\n"
      "Verbs:\n{}",
      kVersion, VerbLines({Verbs().begin(), Verbs().end()}));
  help += "\nThe flags most used:\n";
  for (const Flag& flag : Flags()) {
    if (flag.in_help == InHelp::kFirst) help += InOneLine(flag);
  }
  return help +
         "\nMore:\n"
         "  levelfield run --help        the flags of `run` by purpose; the same for each verb\n"
         "  levelfield run --help=all    all of it, each flag in full\n"
         "  levelfield help memory       a flag, or whatever mentions a word; `help flags`: every "
         "flag\n"
         "  levelfield completion bash   so that Tab knows verbs, flags and values; zsh and fish "
         "too\n"
         "  man levelfield               the manual page, if installed" +
         (kit.ok() ? "; more pages: " + kit->pages.string() : "") + "\n";
}

}  // namespace

std::string ManPage() {
  std::string page = fmt::format(
      ".\\\" Made by `levelfield docs man`.\n"
      ".TH LEVELFIELD 1 \"\" \"Levelfield {}\" \"User Commands\"\n"
      ".ad l\n"
      ".SH NAME\nlevelfield \\- measures embedded key\\-value stores fairly\n"
      ".SH SYNOPSIS\n.B levelfield\n.I VERB\n.RI [ FLAGS ]\n"
      ".SH DESCRIPTION\n"
      "Runs the same workloads on embedded key\\-value stores, each in a process of its own, "
      "checks "
      "what they answer,\nand says how fast they were, and how sure that is.\n"
      ".SH VERBS\n",
      Roff(kVersion));
  for (const Verb& verb : Verbs()) {
    page += Item(fmt::format("\\fB{}\\fR {}", Roff(verb.name), Roff(verb.synopsis)), verb.summary);
  }
  page += ".SH FLAGS\n" + FlagItems();
  page +=
      ".SS Options of one engine\n" +
      Sentences(
          "`--<engine>.<option>=value`, as in `--rocksdb.max_background_jobs=4`. `levelfield docs "
          "engines` lists them.");
  page +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nDone.\n"
      ".TP\n1\nAn engine failed, or gave a wrong answer; of a comparison: something is slower, or "
      "with --fail-on=unresolved cannot be told.\n"
      ".TP\n2\nA mistake on the command line.\n"
      ".TP\n3\nA measurement is void; of a comparison: something is invalid.\n"
      ".TP\n130\nInterrupted; what was measured is kept.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n.B LEVELFIELD_ENGINES\nDirectories and files of plug-ins, separated by colons, beside "
      "the "
      "built-in engines.\n"
      ".TP\n.B LEVELFIELD_BUILT_IN_ENGINES\nA directory in place of that of the built-in engines.\n"
      ".TP\n.B LEVELFIELD_CACHES\nA directory in place of that of cache_bench's built-in caches.\n"
      ".TP\n.B NO_COLOR\nIf it is not empty, nothing is printed in color.\n"
      ".SH EXAMPLES\n.nf\n"
      "levelfield run\n"
      "levelfield run \\-\\-engine=leveldb,lmdb \\-\\-num=100k \\-\\-repeat=6\n"
      "levelfield report \\-\\-format=markdown results/...\n"
      "levelfield help memory\n"
      ".fi\n";
  return page;
}

Answer HelpVerb(const Words& words) {
  if (words.empty()) return ShortHelp();
  const std::string& typed = words.front();
  const bool has_all = words.size() == 2 && words[1] == "all";
  if (words.size() > 1 && !has_all) {
    return Status::Usage("help takes one word: a verb, a flag, or what it is about");
  }
  if (typed == "flags") return FlagsHelp(AllFlags());
  const std::string word = typed.starts_with("--") ? typed.substr(2, typed.find('=') - 2) : typed;
  const auto verb = std::ranges::find(Verbs(), word, &Verb::name);
  if (verb != Verbs().end() && word == typed) return HelpOnVerb(*verb, has_all);
  const std::string text = word.empty() ? "" : HelpOnWord(word);
  if (!text.empty()) return text;
  return Status::Usage(
      fmt::format("help: nothing mentions {}{}; `levelfield help flags` has every flag",
                  Quote(typed), DidYouMean(word, AllNames())));
}

}  // namespace levelfield
