#include "verbs/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <ranges>
#include <sstream>

#include "base/quote.h"
#include "base/shell_words.h"
#include "base/text.h"
#include "base/version.h"
#include "driver/conformance.h"
#include "driver/store_check.h"
#include "durability/crash_process.h"
#include "engine/engine_probe.h"
#include "engine/places.h"
#include "process/process_guard.h"
#include "verbs/engines/kit.h"
#include "worker/worker.h"

namespace levelfield {
namespace {

// What this program does when it is started as its own child.
struct ChildRole {
  std::string_view word;
  int (*run)(const Words& further);
};
constexpr ChildRole kRoles[] = {
    {"--worker", [](const Words&) { return RunWorker(); }},
    {"--answer-probe", [](const Words&) { return AnswerProbe(); }},
    {"--answer-conformance", [](const Words&) { return AnswerConformance(); }},
    {"--answer-claims", [](const Words&) { return AnswerClaims(); }},
    {"--answer-store-check", [](const Words&) { return AnswerStoreCheck(); }},
    {kGuardWord, [](const Words&) { return RunGuard(); }},
    {kCrashWriterWord, [](const Words&) { return RunCrashWriter(); }},
    {kCrashCheckerWord, [](const Words&) { return RunCrashChecker(); }},
};

constexpr bool kAllFlags = true;

constexpr Verb kVerbs[] = {
    {"run", "run workloads on engines, and print the tables", RunVerb, "[FLAGS]", "", kAllFlags},
    {"plan", "print what `run` would do, without doing it", PlanVerb, "[FLAGS]", "", kAllFlags},
    {"report", "print the tables of result directories again, or in another format", ReportVerb,
     "[FLAGS] RESULT...", "<directories>"},
    {"compare", "say which of two is faster, and how sure that is: result directories", CompareVerb,
     "[FLAGS] RESULT [RESULT]", "<directories>"},
    {"merge", "make one result of several: of other machines, or of the jobs of one plan",
     MergeVerb, "[FLAGS] [HOST=]RESULT [HOST=]RESULT...", "<directories>", !kAllFlags, nullptr,
     "name=merge"},
    {"noise", "measure an engine against itself: the smallest difference to be believed", NoiseVerb,
     "--engine=ENGINE [FLAGS]", "", kAllFlags, nullptr, "repeat=10,name=noise",
     "against,baseline,vary,noise,fail-on",
     "`noise` compares one engine with itself; leave it out, or use `levelfield run`"},
    {"history", "benchmarks over all results of a directory, and when they became slower or faster",
     HistoryVerb, "[FLAGS] [DIRECTORY]", "<directories>"},
    {"diagnose",
     "find what is wrong with a result's figures and which setting to change, or what changed "
     "between two",
     DiagnoseVerb, "RESULT [LATER_RESULT] [--try [FLAGS]]", "<directories>"},
    {"choose",
     "find the engine that fits a workload (--mix) best, by how much, and what would change that",
     ChooseVerb, "--mix=get:80,put:20 [FLAGS]", "", kAllFlags, nullptr, "repeat=6,name=choose",
     "benchmarks,vary,against,baseline,noise,fail-on,rate,keep",
     "`choose` makes its own plan of --mix; leave it out, or use `levelfield run`"},
    {"engines", "list the installed engines, or describe them", EnginesVerb, "[FLAGS] [ENGINE...]",
     "<engines>"},
    {"new", "write an engine of your own, a map in memory, to begin with", NewVerb,
     "engine NAME [--language=c++]", "engine"},
    {"workloads", "list the workloads", WorkloadsVerb, ""},
    {"suite", "list published experiments, list the jobs of one, or run them", SuiteVerb,
     "[SUITE [--job=JOB,...] [FLAGS]]", "<suites>", kAllFlags},
    {"benchmark.sh", "the jobs of RocksDB's script of this name, from its environment",
     BenchmarkShVerb, "JOB[,JOB...] [FLAGS]", "", kAllFlags},
    {"ycsb", "YCSB's workloads from its files of properties, with its words and its lines",
     YcsbVerb, "load|run ENGINE -P FILE [-p NAME=VALUE] [-threads N] [-target N] [-s] [FLAGS]",
     "load,run,<engines>,<files>", kAllFlags, nullptr, "",
     "benchmarks,num,reads,threads,db,single_db,keep,use_existing_db,rate,arrival,duration,repeat,"
     "engine,vary,against,baseline",
     "YCSB's words and properties say it; leave it out, or use `levelfield run`"},
    {"verify",
     "whether engines keep their contract; kills and power cuts; or whether a store is sound",
     VerifyVerb, "conformance|durability|store [FLAGS] [PATH]",
     "conformance,durability,store,<directories>", !kAllFlags, &kFlagsOfDurability},
    {"trace", "convert recorded operations into a file for `replay`, or describe such a file",
     TraceVerb, "convert --from=FORMAT [--value_size=BYTES] IN OUT | show FILE",
     "convert,show,<files>"},
    {"docs", "print a generated page of the documentation: flags, workloads, engines, man",
     DocsVerb, "PAGE [RESULT...]", "<pages>"},
    {"completion", "print a shell's completion script for verbs, flags and values", CompletionVerb,
     "bash|zsh|fish", "bash,zsh,fish"},
    {"help", "explain a verb or a flag, or find what mentions a word", HelpVerb, "[VERB|FLAG|WORD]",
     "flags,<verbs>,<flags>"},
};

bool IsAmong(std::string_view listed, std::string_view name) {
  const std::vector<std::string> names = Split(listed, ',');
  return std::ranges::find(names, name) != names.end();
}

Answer Dispatch(Words words) {
  const auto asks_for = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return std::ranges::find(names, word) != names.end();
    });
  };
  if (words.empty()) return HelpVerb(words);
  const bool has_all = asks_for({"--help=all"});
  if (has_all || asks_for({"--help", "-h"})) {
    // The words before it.
    const bool is_general = words.front().starts_with("-");
    if (is_general) return HelpVerb(has_all ? Words{"flags"} : Words());
    return HelpVerb(has_all ? Words{words.front(), "all"} : Words{words.front()});
  }
  if (words.front() == "--version") return fmt::format("levelfield {}\n", kVersion);
  if (words.front() == "--plugin-flags") {
    ASSIGN_OR_RETURN(const Kit kit, FindKit());
    return PluginFlags(kit) + "\n";
  }
  const std::string name = words.front();
  words.erase(words.begin());
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) {
    if (verb.name == name) {
      if (!verb.synopsis.empty() || words.empty()) return verb.run(words);
      return Status::Usage(fmt::format("{}: {} takes nothing further", Quote(words.front()), name));
    }
    names.emplace_back(verb.name);
  }
  return Status::Usage(fmt::format("{} is no verb{} `levelfield --help` lists them.", Quote(name),
                                   DidYouMean(name, names, ".")));
}

// Nothing if it is none of the programs that this one succeeds.
std::optional<Answer> AnswerAs(const std::string& program, const Words& words) {
  if (const Dialect* const dialect = DialectOfProgram(program)) return RunDbBench(*dialect, words);
  if (program == "cache_bench") return RunCacheBench(words);
  if (program == "benchmark.sh") return BenchmarkShVerb(words);
  if (program == "c_test") return CTest(words);
  if (program == "ycsb") return YcsbVerb(words);
  return std::nullopt;
}

}  // namespace

std::span<const Verb> Verbs() { return kVerbs; }
const Verb& VerbNamed(std::string_view name) {
  return *std::ranges::find(kVerbs, name, &Verb::name);
}

bool IsFlagOf(std::string_view verb, const Flag& flag) { return IsAmong(flag.verbs, verb); }

std::vector<const Flag*> FlagsOf(const Verb& verb) {
  std::vector<const Flag*> flags;
  for (const Flag& flag : Flags()) {
    const bool is_one =
        verb.takes_all_flags && !flag.only_these && !IsAmong(verb.refuses, flag.name);
    if (is_one || IsFlagOf(verb.name, flag)) flags.push_back(&flag);
  }
  return flags;
}

Settings DefaultsOf(const Verb& verb) {
  Settings settings;
  for (const std::string& row : Split(verb.defaults, ',')) {
    const size_t equals = row.find('=');
    const Status status = SetFlag(row.substr(0, equals), row.substr(equals + 1), settings);
    if (!status.ok()) std::abort();  // Of the table above.
  }
  settings.given.clear();
  return settings;
}

StatusOr<Settings> ParseSettingsOf(std::string_view verb_name, const Words& words) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettings(words, DefaultsOf(VerbNamed(verb_name))));
  RETURN_IF_ERROR(CheckFlagsOf(verb_name, settings));
  RETURN_IF_ERROR(UseEnginesOf(settings));
  return settings;
}

Status CheckFlagsOf(std::string_view verb_name, const Settings& settings) {
  const Verb& verb = VerbNamed(verb_name);
  const std::vector<const Flag*> flags = FlagsOf(verb);
  for (const std::string& name : settings.given) {
    const Flag* const flag = FindFlag(name);
    if (std::ranges::find(flags, flag) != flags.end()) continue;
    if (!verb.takes_all_flags) {
      Words taken;
      for (const Flag* const one : flags) taken.push_back("--" + std::string(one->name));
      return Status::Usage(fmt::format("--{}: {} takes {} only", name, verb_name, Listed(taken)));
    }
    if (flag == nullptr) continue;  // An engine's option.
    if (IsAmong(verb.refuses, name)) return Status::Usage(fmt::format("--{}: {}", name, verb.why));
    return Status::Usage(fmt::format("--{}: means nothing to {}; it is for levelfield {}", name,
                                     verb_name, Listed(Split(flag->verbs, ','), "or")));
  }
  return Status::Ok();
}

StatusOr<std::string> TakeFlag(std::string_view name, std::string_view otherwise, Words& words) {
  const std::string flag = fmt::format("--{}", name);
  const auto is_it = [&](const std::string& word) {
    return word == flag || word.starts_with(flag + "=");
  };
  const auto at = std::ranges::find_if(words, is_it);
  if (at == words.end()) return std::string(otherwise);
  const bool has_value = *at != flag;
  const auto end = at + (has_value ? 1 : 2);
  if (!has_value && (at + 1 == words.end() || at[1].starts_with("--"))) {
    return Status::Usage(flag + ": needs a value");
  }
  if (std::any_of(end, words.end(), is_it)) return Status::Usage(flag + ": is given twice");
  std::string value = has_value ? at->substr(flag.size() + 1) : at[1];
  words.erase(at, end);
  return value;
}

std::string EnvironmentOr(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

GflagsTexts TextsHere() {
  return {.file = [](const std::string& path) -> std::optional<std::string> {
            std::ifstream file(path);
            file.peek();  // A directory can be opened, and not read.
            if (!file.is_open() || file.bad()) return std::nullopt;
            std::ostringstream text;  // Its iterators would throw on an error of the disk.
            text << file.rdbuf();
            return text.str();
          },
          .variable = [](const std::string& name) -> std::optional<std::string> {
            const char* const value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
          }};
}

std::string Typed(std::string_view program, const Words& words) {
  return fmt::format("{}{}{}", program, words.empty() ? "" : " ", ShellLine(words));
}

std::optional<int> RunAsChild(const Words& words) {
  if (words.empty()) return std::nullopt;
  for (const ChildRole& role : kRoles) {
    if (words.front() == role.word) return role.run({words.begin() + 1, words.end()});
  }
  return std::nullopt;
}

Answer AnswerTo(const std::vector<std::string>& names, const Words& words) {
  for (const std::string& name : names | std::views::reverse) {
    if (const auto answer = AnswerAs(name, words)) return *answer;
  }
  // `levelfield db_bench` where there is no link of that name.
  if (!words.empty() && std::ranges::find(kVerbs, words.front(), &Verb::name) == std::end(kVerbs)) {
    if (const auto answer = AnswerAs(words.front(), {words.begin() + 1, words.end()})) {
      return *answer;
    }
  }
  return Dispatch(words);
}

}  // namespace levelfield
