#include "verbs/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/quote.h"
#include "base/version.h"
#include "settings/settings.h"
#include "verbs/cache_bench.h"
#include "verbs/catalog.h"
#include "verbs/choose.h"
#include "verbs/compare.h"
#include "verbs/completion.h"
#include "verbs/db_bench.h"
#include "verbs/diagnose.h"
#include "verbs/docs.h"
#include "verbs/help.h"
#include "verbs/history.h"
#include "verbs/make_plan.h"
#include "verbs/man_page.h"
#include "verbs/report.h"
#include "verbs/run_suite.h"
#include "verbs/run_verb.h"
#include "verbs/trace.h"
#include "verbs/verb.h"
#include "verbs/verify.h"

namespace levelfield {
namespace {

Answer EnginesVerb(const Words&) {
  const StatusOr<std::vector<std::string>> found = FindPlugins();
  if (!found.ok()) return Failure(found.status());
  return {.text = EnginesText(Probe(*found, nullptr))};
}

Answer WorkloadsVerb(const Words&) { return {.text = WorkloadsText()}; }

// These speak of all verbs, so they stand behind the table.
Answer HelpVerb(const Words& words);
Answer CompletionVerb(const Words& words);
Answer DocsOfVerbs(const Words& words);

constexpr Verb kVerbs[] = {
    {"run", "run workloads on engines, and print the tables", RunVerb, "[FLAGS]", "", kAllFlags},
    {"plan", "print what `run` would do, without doing it", PlanVerb, "[FLAGS]", "", kAllFlags},
    {"report", "print the tables of result directories again, or in another format", ReportVerb,
     "[FLAGS] RESULT...", "<directories>"},
    {"compare", "say which of two is faster, and how sure that is: result directories", CompareVerb,
     "[FLAGS] RESULT [RESULT]", "<directories>"},
    {"noise", "measure an engine against itself: the smallest difference to be believed", NoiseVerb,
     "--engine=ENGINE [FLAGS]", "", kAllFlags},
    {"history", "benchmarks over all results of a directory, and when they became slower or faster",
     HistoryVerb, "[FLAGS] [DIRECTORY]", "<directories>"},
    {"diagnose", "what is the matter with the figures of a result, and what to change",
     DiagnoseVerb, "RESULT [--try [FLAGS]]", "<directories>"},
    {"choose",
     "which engine fits a stated workload (--mix), by how much, and what would change that",
     ChooseVerb, "--mix=get:80,put:20 [FLAGS]", "", kAllFlags},
    {"engines", "list the engines that are here, and what they are", EnginesVerb, ""},
    {"workloads", "list the workloads", WorkloadsVerb, ""},
    {"suite", "list published experiments, list the jobs of one, or run them", SuiteVerb,
     "[SUITE [--job=JOB,...] [FLAGS]]", "<suites>", kAllFlags},
    {"benchmark.sh", "the jobs of RocksDB's script of this name, from its environment",
     BenchmarkShVerb, "JOB[,JOB...] [FLAGS]", "", kAllFlags},
    {"verify",
     "LevelDB's own test on every engine; kills and power cuts; or whether a store is sound",
     VerifyVerb, "conformance|durability|store [FLAGS] [PATH]",
     "conformance,durability,store,<directories>"},
    {"trace", "make a file that `replay` takes of recorded operations, or say what is in one",
     TraceVerb, "convert --from=twitter|meta|csv IN OUT | show FILE", "convert,show,<files>"},
    {"docs", "print a generated page of the documentation: flags, workloads, engines, man",
     DocsOfVerbs, "PAGE [RESULT...]", "<pages>"},
    {"completion", "print what makes a shell complete verbs, flags and values", CompletionVerb,
     "bash|zsh|fish", "bash,zsh,fish"},
    {"help", "what a verb takes, what a flag does, or what speaks of a word", HelpVerb,
     "[VERB|FLAG|WORD]", "flags,<verbs>,<flags>"},
};

Answer HelpVerb(const Words& words) { return HelpOn(kVerbs, words); }
Answer CompletionVerb(const Words& words) { return CompletionFor(kVerbs, words); }
Answer DocsOfVerbs(const Words& words) {
  return DocsVerb(words, [] { return ManPage(kVerbs); });
}

Answer Dispatch(Words words) {
  const auto asks_for = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return std::ranges::find(names, word) != names.end();
    });
  };
  if (words.empty()) return {.text = ShortHelp(kVerbs)};
  if (asks_for({"--help", "-h"})) {
    // Of what stands in front of it.
    return HelpOn(kVerbs, words.front().starts_with("-") ? Words() : Words{words.front()});
  }
  if (words.front() == "--version") return {.text = fmt::format("levelfield {}\n", kVersion)};
  const std::string name = words.front();
  words.erase(words.begin());
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) {
    if (verb.name == name) return verb.run(words);
    names.emplace_back(verb.name);
  }
  return Failure(Status::Usage(fmt::format("{} is no verb{} `levelfield --help` lists them.",
                                           Quote(name), DidYouMean(name, names, "."))));
}

}  // namespace

Answer AnswerTo(const std::string& program, const Words& words) {
  if (const Dialect* const dialect = DialectOfProgram(program)) return RunDbBench(*dialect, words);
  if (program == "cache_bench") return RunCacheBench(words);
  if (program == "benchmark.sh") return BenchmarkShVerb(words);
  if (program == "c_test") return CTest(words);
  return Dispatch(words);
}

}  // namespace levelfield
