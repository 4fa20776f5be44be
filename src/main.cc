// Levelfield from its command line to its exit code: words -> settings -> plan -> workers ->
// results
// -> report. Each step is a call; the only exit is the last line.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <new>

#include "base/nearest.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/version.h"
#include "cache_bench/cache_worker.h"
#include "driver/conformance.h"
#include "driver/store_check.h"
#include "driver/supervisor.h"
#include "durability/crash_checker.h"
#include "durability/crash_writer.h"
#include "engine/engine_probe.h"
#include "engine/loader.h"
#include "plan/plan.h"
#include "process/interrupts.h"
#include "settings/settings.h"
#include "verbs/answer.h"
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
#include "verbs/output_columns.h"
#include "verbs/report.h"
#include "verbs/run_suite.h"
#include "verbs/run_verb.h"
#include "verbs/trace.h"
#include "verbs/verb.h"
#include "verbs/verify_durability.h"
#include "verbs/verify_store.h"
#include "worker/worker.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

Answer EnginesVerb(const Words&) {
  const StatusOr<std::vector<std::string>> found = FindPlugins();
  if (!found.ok()) return Failure(found.status());
  return {.text = EnginesText(Probe(*found, nullptr))};
}

Answer WorkloadsVerb(const Words&) { return {.text = WorkloadsText()}; }

std::string ManText();
Answer DocsOf(const Words& words) { return DocsVerb(words, ManText); }

// What `verify` can verify beside `conformance`, each in a file of its own.
constexpr std::pair<std::string_view, Answer (*)(const Words&)> kVerifiers[] = {
    {"durability",
     [](const Words& words) -> Answer {
       return VerifyDurability({words.begin() + 1, words.end()});
     }},
    {"store", VerifyStoreVerb},
};

// The list chooses its own settings, like c_test does: other flags than an engine's would have no
// effect, so they are refused.
Answer VerifyVerb(const Words& words) {
  for (const auto& [what, run] : kVerifiers) {
    if (!words.empty() && words.front() == what) return run(words);
  }
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Failure(settings.status());
  if (settings->arguments != Words{"conformance"}) {
    return Failure(Status::Usage(
        "verify needs what to verify: levelfield verify conformance, levelfield verify durability, "
        "or levelfield verify store <path>"));
  }
  GivenOptions common;
  for (const Flag& flag : Flags()) {
    if (flag.name == "engine" || !settings->given.contains(std::string(flag.name))) continue;
    if (!flag.engine_option) {
      return Failure(Status::Usage(fmt::format(
          "--{}: verify conformance takes --engine and options of engines only", flag.name)));
    }
    common.common.emplace_back(flag.name, TextOf(flag, *settings));
  }
  const std::vector<std::string> plugins = FindEngines(EngineDirectory());
  const StatusOr<std::vector<std::string>> engines =
      PlanEngines(*settings, plugins, FindRunByName(*settings, plugins));
  if (!engines.ok()) return Failure(engines.status());
  if (const Status status = CheckEngineOptionNames(*settings, *engines); !status.ok()) {
    return Failure(status);
  }
  std::vector<ConformanceRequest> requests;
  for (const ProbeReply& engine : Probe(*engines, nullptr)) {
    ConformanceRequest request{.engine = engine.engine,
                               .version = std::string(engine.description.Fact("version")),
                               .options = OptionsFor(engine.engine, *settings)};
    request.options.common = common.common;
    requests.push_back(std::move(request));
  }
  InstallInterruptHandlers();
  const ConformanceReport report = VerifyConformance(requests);
  Answer answer{.text = report.text};
  if (report.interrupted) answer.status = Status::Interrupted("interrupted");
  answer.exit_code = report.passed ? 0 : 1;
  return answer;
}

Answer HelpVerb(const Words& words);
Answer CompletionVerb(const Words& words);

constexpr Verb kVerbs[] = {
    {"run", "run workloads on engines, and print the tables", RunVerb, "[FLAGS]", "*"},
    {"plan", "print what `run` would do, without doing it", PlanVerb, "[FLAGS]", "*"},
    {"report", "print the tables of result directories again, or in another format", ReportVerb,
     "[FLAGS] RESULT...",
     "format,to,against,baseline,margin,noise,report_row,job_id,confidence_interval_only",
     "<directories>"},
    {"compare", "say which of two is faster, and how sure that is: result directories", CompareVerb,
     "[FLAGS] RESULT [RESULT]", "against,baseline,margin,noise", "<directories>"},
    {"noise", "measure an engine against itself: the smallest difference to be believed", NoiseVerb,
     "--engine=ENGINE [FLAGS]", "*"},
    {"history", "benchmarks over all results of a directory, and when they became slower or faster",
     HistoryVerb, "[FLAGS] [DIRECTORY]", "results,engine,benchmarks,margin", "<directories>"},
    {"diagnose", "what is the matter with the figures of a result, and what to change",
     DiagnoseVerb, "RESULT [--try [FLAGS]]", "try,repeat,precision,margin,noise,db,results",
     "<directories>"},
    {"choose",
     "which engine fits a stated workload (--mix), by how much, and what would change that",
     ChooseVerb, "--mix=get:80,put:20 [FLAGS]", "*"},
    {"engines", "list the engines that are here, and what they are", EnginesVerb, ""},
    {"workloads", "list the workloads", WorkloadsVerb, ""},
    {"suite", "list published experiments, list the jobs of one, or run them", SuiteVerb,
     "[SUITE [--job=JOB,...] [FLAGS]]", "*", "<suites>"},
    {"benchmark.sh", "the jobs of RocksDB's script of this name, from its environment",
     BenchmarkShVerb, "JOB[,JOB...] [FLAGS]", "*"},
    {"verify",
     "LevelDB's own test on every engine; kills and power cuts; or whether a store is sound",
     VerifyVerb, "conformance|durability|store [FLAGS] [PATH]",
     "engine,durability,threads,seed,value_size,db,results,stall",
     "conformance,durability,store,<directories>"},
    {"trace", "make a file that `replay` takes of recorded operations, or say what is in one",
     TraceVerb, "convert --from=twitter|meta|csv IN OUT | show FILE", "", "convert,show,<files>"},
    {"docs", "print a generated page of the documentation: flags, workloads, engines, man", DocsOf,
     "PAGE [RESULT...]", "", "<pages>"},
    {"completion", "print what makes a shell complete verbs, flags and values", CompletionVerb,
     "bash|zsh|fish", "", "bash,zsh,fish"},
    {"help", "what a verb takes, what a flag does, or what speaks of a word", HelpVerb,
     "[VERB|FLAG|WORD]", "", "flags,<verbs>,<flags>"},
};

Answer HelpVerb(const Words& words) { return HelpOn(kVerbs, words); }
Answer CompletionVerb(const Words& words) { return CompletionFor(kVerbs, words); }
std::string ManText() { return ManPage(kVerbs); }

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
  const std::string nearest = NearestName(name, names);
  return Failure(Status::Usage(
      fmt::format("{} is no verb{} `levelfield --help` lists them.", Quote(name),
                  nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest))));
}

// A descriptor that is closed would be given to the next file that is opened, and messages meant
// for people would go into it.
void OpenStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDWR);
  }
}

// The program by the names of those that it succeeds; by any other name it is itself.
Answer AnswerAs(const std::string& name, const Words& words) {
  if (const Dialect* const dialect = DialectOfProgram(name)) return RunDbBench(*dialect, words);
  if (name == "cache_bench") return RunCacheBench(words);
  if (name == "benchmark.sh") return BenchmarkShVerb(words);
  if (name == "c_test") {
    Words conformance = {"conformance"};
    if (words.empty()) conformance.emplace_back("--engine=leveldb");
    conformance.insert(conformance.end(), words.begin(), words.end());
    return VerifyVerb(conformance);
  }
  return Dispatch(words);
}

int Main(const std::string& program, const Words& words) {
  OpenStandardDescriptors();
  signal(SIGPIPE, SIG_IGN);  // A closed pipe is an error of the write that meets it.
  signal(SIGXFSZ, SIG_IGN);
  if (!words.empty() && words[0] == "--worker") return RunWorker();
  if (words.size() == 1 && words[0] == "--answer-probe") return AnswerProbe();
  if (words.size() == 1 && words[0] == "--answer-conformance") return AnswerConformance();
  if (words.size() == 1 && words[0] == kCrashWriterWord) return RunCrashWriter();
  if (words.size() == 1 && words[0] == kCrashCheckerWord) return RunCrashChecker();
  if (words.size() == 1 && words[0] == "--answer-store-check") return AnswerStoreCheck();
  if (!words.empty() && words[0] == kCacheWorkerWord) {
    return RunCacheWorker({words.begin() + 1, words.end()});
  }
  const std::string name = fs::path(program).filename();
  const Answer answer = AnswerAs(name, words);
  const auto complain = [&](const std::string& message) {
    Print(stderr, Printable(fmt::format("{}: {}", name, message)) + "\n");
  };
  const bool written = Print(stdout, answer.text);
  const int write_error = errno;
  if (!answer.status.ok()) {
    complain(answer.status.message());
    return static_cast<int>(answer.status.kind());
  }
  if (written) return answer.exit_code;
  // Whoever closed the pipe (`| head -1`) has read enough and wants no message.
  if (write_error != EPIPE) {
    complain(fmt::format("cannot write to standard output: {}", std::strerror(write_error)));
  }
  return 1;
}

// The last line: errors are values, and what could be thrown is caught where it is
// (tests/any_bytes). Without memory nothing can be done any more but say so.
int GiveUp(std::string_view why, std::string_view further = "") {
  for (const std::string_view part :
       {std::string_view("levelfield: "), why, further, std::string_view("\n")}) {
    (void)!write(STDERR_FILENO, part.data(), part.size());
  }
  return 1;
}

}  // namespace
}  // namespace levelfield

int main(int argc, char** argv) {
  if (argc == 0) return 2;
  try {
    return levelfield::Main(argv[0], std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::bad_alloc&) {
    return levelfield::GiveUp("there is not enough memory for this; is it limited (ulimit -v)?");
  } catch (const std::exception& error) {
    return levelfield::GiveUp(levelfield::Printable(error.what()),
                              "; this is a mistake in the program: please report it");
  }
}
