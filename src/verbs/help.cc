#include "verbs/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/nearest.h"
#include "base/quote.h"
#include "base/version.h"
#include "settings/flag_text.h"

namespace levelfield {
namespace {

constexpr std::string_view kMostUsed[] = {"engine",  "benchmarks", "num",    "value_size",
                                          "threads", "durability", "memory", "duration",
                                          "repeat",  "db"};

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lowered;
}

std::string_view FirstClause(const Flag& flag) {
  return flag.help.substr(0, flag.help.find_first_of(".:;"));
}

std::string VerbLines(std::span<const Verb> verbs) {
  std::string lines;
  for (const Verb& verb : verbs) lines += fmt::format("  {:12} {}\n", verb.name, verb.summary);
  return lines;
}

std::string HelpOnVerb(const Verb& verb) {
  std::string text =
      fmt::format("levelfield {} {}\n\n{}\n", verb.name, verb.synopsis, verb.summary);
  const std::vector<const Flag*> flags = FlagsOf(verb);
  text += FlagsHelp(flags);
  if (std::ranges::any_of(flags, &Flag::engine_option)) {
    text +=
        "\nAn engine's own option is written --<engine>.<option>=; `levelfield docs engines` "
        "lists them.\n";
  }
  return text;
}

// Verbs and flags in which the word stands.
std::string HelpOnWord(std::span<const Verb> verbs, const std::string& word) {
  const std::string wanted = Lowered(word);
  const auto speaks = [&](std::string_view name, std::string_view help) {
    return Lowered(name).find(wanted) != std::string::npos ||
           Lowered(help).find(wanted) != std::string::npos;
  };
  std::vector<Verb> found;
  for (const Verb& verb : verbs) {
    if (speaks(verb.name, verb.summary)) found.push_back(verb);
  }
  // First those that are called so.
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
  text += FlagsHelp(named);
  if (!others.empty()) {
    text += "\nOther flags that speak of it:\n";
    for (const Flag* const flag : others) {
      text += fmt::format("  {:24} {}\n", fmt::format("--{}", flag->name), FirstClause(*flag));
    }
  }
  if (!text.empty()) text.erase(0, text.find_first_not_of('\n'));
  return text;
}

std::vector<std::string> AllNames(std::span<const Verb> verbs) {
  std::vector<std::string> names = {"flags"};
  for (const Verb& verb : verbs) names.emplace_back(verb.name);
  for (const Flag& flag : Flags()) names.emplace_back(flag.name);
  return names;
}

}  // namespace

std::string ShortHelp(std::span<const Verb> verbs) {
  std::string help = fmt::format(
      "Levelfield {}: embedded key-value stores, measured on a level field.\n\n"
      "  levelfield run                                   every engine, every workload\n"
      "  levelfield run --engine=leveldb,lmdb --num=100k  two of them, smaller\n"
      "  levelfield run --benchmarks=fillseq,readrandom   on one open store, in this order\n\n"
      "Verbs:\n{}",
      kVersion, VerbLines(verbs));
  help += "\nThe flags most used:\n";
  for (const std::string_view name : kMostUsed) {
    const Flag& flag = *FindFlag(name);
    const std::string value = DefaultOf(flag);
    help +=
        fmt::format("  {:24} {}\n", fmt::format("--{}={}", name, value.size() > 12 ? "..." : value),
                    FirstClause(flag));
  }
  return help +
         "\nMore:\n"
         "  levelfield help run          all that `run` takes, by what it is for; so of each verb\n"
         "  levelfield help memory       a flag, or whatever speaks of a word\n"
         "  levelfield help flags        every flag\n"
         "  levelfield completion bash   so that Tab knows verbs, flags and values; zsh and fish "
         "too\n"
         "  man levelfield               where it is installed\n";
}

Answer HelpOn(std::span<const Verb> verbs, const Words& words) {
  if (words.empty()) return {.text = ShortHelp(verbs)};
  if (words.size() > 1) {
    return Failure(Status::Usage("help takes one word: a verb, a flag, or what it is about"));
  }
  const std::string& typed = words.front();
  if (typed == "flags") return {.text = FlagsHelp()};
  const std::string word = typed.starts_with("--") ? typed.substr(2, typed.find('=') - 2) : typed;
  const auto verb = std::ranges::find(verbs, word, &Verb::name);
  if (verb != verbs.end() && word == typed) return {.text = HelpOnVerb(*verb)};
  const std::string text = word.empty() ? "" : HelpOnWord(verbs, word);
  if (!text.empty()) return {.text = text};
  return Failure(Status::Usage(
      fmt::format("help: nothing speaks of {}{}; `levelfield help flags` has every flag",
                  Quote(typed), DidYouMean(word, AllNames(verbs)))));
}

}  // namespace levelfield
