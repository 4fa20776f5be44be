#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/series.h"
#include "base/atomic_file.h"
#include "base/print.h"
#include "base/quote.h"
#include "base/text.h"
#include "facts/facts_here.h"
#include "plan/plan.h"
#include "report/db_bench/benchmark_tsv.h"
#include "report/published/published_page.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "settings/suite.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"
#include "verbs/verbs.h"
#include "workload/find_workload.h"

namespace levelfield {
namespace {

// Runs the jobs of a suite, one after another, and writes report.tsv with a row for each job and
// engine: figures, or `-` if it did not run, with the reason in report_notes.tsv. On the program's
// main thread.

// The outcome of jobs, and the directories of their results.
struct JobsDone {
  Answer answer;
  std::vector<std::string> directories = {};
};

void Say(const std::string& text) { (void)Print(stdout, text); }

// Appends to a file. A new file begins with `head`.
Status Append(const std::string& path, const std::string& head, const std::string& text) {
  const bool is_new = !std::ifstream(path).good();
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << (is_new ? head : "") << text;
  file.close();
  if (!file.fail()) return Status::Ok();
  return Status::Failed(fmt::format("cannot write {}; is there room on the disk?", path));
}

Status AppendReport(const std::string& directory, const BenchmarkTsv& tsv) {
  RETURN_IF_ERROR(Append(directory + "/report.tsv", tsv.header, tsv.rows));
  return Append(directory + "/report_notes.tsv",
                BenchmarkTsvUnits() + "\ntest\tengine\tcolumn\twhy it is no number\n", tsv.notes);
}

StatusOr<Settings> SettingsOf(const JobRun& run) {
  StatusOr<Settings> settings = ParseSettingsOf("suite", run.words);
  if (!settings.ok()) {
    return Status::Usage(fmt::format("job {}: {}", run.job, settings.status().message()));
  }
  if (run.is_kept && settings->db.empty()) {
    return Status::Usage(
        "--db: which directory? The store of one job is there for the next: say --db=DIR");
  }
  Settings resolved = *settings;
  ResolveKeys(resolved);
  FactsHere facts;
  const Status status =
      facts.For([&](Known& known) { return PlanPhases(resolved, known); }).status();
  if (!status.ok()) return Status::Usage(fmt::format("job {}: {}", run.job, status.message()));
  return settings;
}

// Names the result, and selects the workload for the row.
void NameRow(JobRun& run) {
  const auto is_named = [](const std::string& word) { return word.starts_with("--name="); };
  const auto name = std::ranges::find_if(run.words, is_named);
  if (name != run.words.end()) *name = "--name=" + run.test;
  run.words.push_back("--report_row=" + run.row);
}

struct Job {
  JobRun run;
  Settings settings;
};

std::vector<std::string> EnginesOf(const Job& job) {
  return job.run.has_engines ? Parts(job.settings.engine, ',') : std::vector<std::string>();
}

Status AppendNotRun(const Job& job, const std::vector<std::string>& engines,
                    const std::string& why) {
  std::error_code ignored;  // If it cannot be made, writing to it fails and is reported.
  std::filesystem::create_directories(job.settings.results, ignored);
  for (const std::string& engine : engines) {
    RETURN_IF_ERROR(AppendReport(job.settings.results,
                                 RenderNotRun(job.run.test, engine, job.settings.job_id, why)));
  }
  return Status::Ok();
}

// Reports the parts of the job that are not done, in the rows and on standard output.
Status ReportWhatIsNotDone(const Job& job) {
  if (!job.run.without.empty()) {
    Say(fmt::format("job {}: {}: unsupported: {}\n", job.run.job, Joined(job.run.without, ", "),
                    job.run.without_why));
    RETURN_IF_ERROR(AppendNotRun(job, job.run.without, "unsupported: " + job.run.without_why));
  }
  for (const std::string& name : job.run.left_out) {
    Say(fmt::format("job {}: without the original's {}, which {}\n", job.run.job, name,
                    WhyNotRun(name)));
  }
  return Status::Ok();
}

// Reports jobs that do not run because one before them failed. A write error is printed, because
// the caller returns the failure itself.
void ReportRest(const std::vector<Job>& jobs, size_t first, const std::string& why) {
  for (size_t i = first; i < jobs.size(); ++i) {
    const Status status = AppendNotRun(jobs[i], EnginesOf(jobs[i]), why);
    Say(fmt::format("{}: {}\n", jobs[i].run.test, status.ok() ? why : status.message()));
  }
}

// The first job that fails ends the list. All jobs are checked before the first begins. `typed` is
// for the results. `hint` follows the reason why a job cannot be done.
JobsDone RunJobs(std::vector<JobRun> runs, const std::string& typed, const std::string& hint = "") {
  std::vector<Job> jobs;
  for (JobRun& run : runs) {
    NameRow(run);
    const StatusOr<Settings> settings = SettingsOf(run);
    if (!settings.ok()) return {settings.status()};
    jobs.push_back({std::move(run), *settings});
  }
  JobsDone all;
  bool any_done = false;
  const auto ended = [&](const Status& status) {
    all.answer = status;
    return all;
  };
  for (size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    if (!job.run.has_engines) {
      if (const Status status = ReportWhatIsNotDone(job); !status.ok()) return ended(status);
      any_done = true;
      continue;
    }
    FactsHere facts;
    const StatusOr<Plan> plan = MakePlan(job.settings, typed, facts);
    if (!plan.ok()) {
      const std::string why =
          fmt::format("job {}: {}{}", job.run.job, plan.status().message(), hint);
      // Once a job is done, this is no longer a mistake found before anything ran.
      if (!any_done) return ended(Status::Usage(why));
      ReportRest(jobs, i, "not run: " + why);
      return ended(Status::Failed(why));
    }
    any_done = true;
    bool has_rows = false;
    Status reported = Status::Ok();
    const Answer answer =
        CarryOut(*plan, nullptr, [&](const Result& result, const std::string& path) {
          has_rows = true;
          all.directories.push_back(path);
          reported = AppendReport(job.settings.results, RenderBenchmarkTsv(result));
          // A job that varies a setting has one table with its values.
          Report report;
          AddVariants(result, report);
          if (report.blocks.empty()) report = ResultReport(result);
          return WriteTerminal(report) + "results: " + Printable(path) + "\n";
        });
    Say(answer.text);
    if (reported.ok()) reported = ReportWhatIsNotDone(job);
    Say("\n");
    all.answer.exit_code = std::max(all.answer.exit_code, answer.exit_code);
    if (!answer.status.ok() || answer.exit_code != 0) {
      ReportRest(jobs, has_rows ? i + 1 : i,
                 fmt::format("not run: job {} {}", job.run.job,
                             answer.status.ok() ? "failed or was wrong"
                                                : "ended: " + answer.status.message()));
    }
    if (!answer.status.ok()) return ended(answer.status);
    if (!reported.ok()) return ended(reported);
    if (answer.exit_code != 0) break;
  }
  all.answer.text = fmt::format("report: {}/report.tsv, units and reasons: report_notes.tsv\n",
                                jobs.back().settings.results);
  return all;
}

namespace fs = std::filesystem;

constexpr std::string_view kBenchmarkSh = "rocksdb_flash";
// The variables that it reads besides the suite's.
constexpr const char* kOwnVariables[] = {"DB_DIR", "WAL_DIR", "OUTPUT_DIR", "JOB_ID"};

// An error if environment variables have values that the suite cannot honour.
Status CheckRefused(const Suite& suite) {
  for (const SuiteVariable& variable : suite.refused) {
    const std::string value = EnvironmentOr(variable.name.c_str(), "");
    if (value.empty()) continue;
    if (fmt::format(" {} ", variable.value).find(fmt::format(" {} ", value)) != std::string::npos) {
      continue;
    }
    return Status::Usage(fmt::format("{}={}: cannot be honoured: {}", variable.name,
                                     Printable(value), variable.meaning));
  }
  return Status::Ok();
}

// A misspelt variable would silently leave the default, for example eight billion keys.
void WarnOfMisspelt(const Suite& suite) {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text(*entry);
    names.push_back(text.substr(0, text.find('=')));
  }
  const std::vector<std::string> own(std::begin(kOwnVariables), std::end(kOwnVariables));
  for (const auto& [name, meant] : MisspeltVariables(suite, own, names)) {
    PrintNote(fmt::format("benchmark.sh: note: {} in the environment is no variable of the script "
                          "and does nothing; did you mean {}?",
                          Printable(name), meant));
  }
}

// A job that varies a setting has several results, in the order of its values: `reads.1`,
// `reads.2`.
StatusOr<std::vector<Result>> ReadAll(const Words& directories) {
  std::vector<Result> results;
  for (const std::string& path : directories) {
    ASSIGN_OR_RETURN(const Result result, ReadResultDirectory(path));
    for (const Result& part : VariantsOf(result)) {
      results.push_back(part);
      const uint64_t number = VariantOf(part).number;
      if (number != 0) results.back().name += fmt::format(".{}", number);
    }
  }
  return results;
}

// Equivalent commands for the jobs.
std::string CommandsText(const std::vector<JobRun>& runs) {
  std::string text;
  for (const JobRun& run : runs) {
    text += Typed("levelfield run", run.words) + "\n";
  }
  return text;
}

// Writes the suite's page to `path`.
Status WritePage(const std::string& suite, const JobsDone& done, const std::string& path,
                 Answer& answer) {
  ASSIGN_OR_RETURN(const Published published, FindPublished(suite));
  ASSIGN_OR_RETURN(const std::vector<Result> results, ReadAll(done.directories));
  ASSIGN_OR_RETURN(const PublishedPage page, RenderPublishedPage(suite, published, results));
  RETURN_IF_ERROR(WriteFileAtomically(path, page.text, Overwrite::kReplace));
  answer.text += fmt::format("page: {}\n", path);
  return Status::Ok();
}

}  // namespace

Answer PublishedPageOf(const std::string& suite, const Words& directories) {
  ASSIGN_OR_RETURN(const Published published, FindPublished(suite));
  if (directories.empty()) {
    return Status::Usage(
        fmt::format("docs {}: which results? It takes the directories of its jobs", suite));
  }
  ASSIGN_OR_RETURN(const std::vector<Result> results, ReadAll(directories));
  ASSIGN_OR_RETURN(PublishedPage page, RenderPublishedPage(suite, published, results));
  return {std::move(page.text), page.missing > 0 ? 1 : 0};
}

Answer SuiteVerb(const Words& words) {
  if (words.empty()) return SuitesText();
  ASSIGN_OR_RETURN(const Suite suite, FindSuite(words.front()));
  Words rest(words.begin() + 1, words.end());
  if (rest.empty()) return SuiteText(suite);
  ASSIGN_OR_RETURN(std::string jobs, TakeFlag("job", "", rest));
  ASSIGN_OR_RETURN(const std::string preset, TakeFlag("preset", "", rest));
  ASSIGN_OR_RETURN(std::string page, TakeFlag("page", "", rest));
  ASSIGN_OR_RETURN(const std::string is_dry, TakeFlag("dry", "", rest));
  if (!page.empty() && !HasPublished(suite.name)) {
    return Status::Usage("--page: nothing published is known of " + suite.name);
  }
  if (!page.empty()) {
    RETURN_IF_ERROR(CheckOutsideStores("--page", page));
  }
  SuiteVariables values;
  if (!preset.empty()) {
    ASSIGN_OR_RETURN(SuiteVariables of_preset, PresetOf(suite, preset));
    values = std::move(of_preset);
    if (jobs.empty()) jobs = JobsOf(suite);
  }
  const bool has_page = !page.empty() || (!preset.empty() && HasPublished(suite.name));
  ASSIGN_OR_RETURN(const std::vector<JobRun> runs, PlanJobs(suite, jobs, values, rest));
  if (is_dry == "1") return CommandsText(runs);
  const std::string typed = Typed("levelfield suite", words);
  JobsDone done = RunJobs(runs, typed);
  if (!has_page || done.directories.empty()) return done.answer;
  if (page.empty()) {
    page = fs::path(done.directories.back()).parent_path() / (suite.name + ".md");
  }
  const Status status = WritePage(suite.name, done, page, done.answer);
  if (done.answer.status.ok()) done.answer.status = status;
  return done.answer;
}

Answer BenchmarkShVerb(const Words& words) {
  ASSIGN_OR_RETURN(const Suite suite, FindSuite(std::string(kBenchmarkSh)));
  if (words.empty() || words.front().starts_with("-")) {
    Answer answer(Status::Usage("which jobs? benchmark.sh JOB[,JOB...] [flags]"));
    answer.text = SuiteText(suite);
    return answer;
  }
  WarnOfMisspelt(suite);
  for (const char* const name : {"DB_DIR", "WAL_DIR"}) {
    if (EnvironmentOr(name, "").empty()) {
      return Status::Usage(fmt::format(
          "{} is not set; benchmark.sh needs DB_DIR, where the store is, and WAL_DIR", name));
    }
  }
  RETURN_IF_ERROR(CheckRefused(suite));
  SuiteVariables values;
  for (const SuiteVariable& variable : suite.variables) {
    const std::string value = EnvironmentOr(variable.name.c_str(), "");
    if (!value.empty()) values[variable.name] = value;
  }
  const std::string directory = EnvironmentOr("DB_DIR", "");
  if (EnvironmentOr("WAL_DIR", "") != directory) {
    // Logs of another store in that directory would be replayed into a new one.
    Print(stderr, fmt::format("benchmark.sh: note: WAL_DIR={} is not used: the log is beside the "
                              "tables, in DB_DIR\n",
                              Printable(EnvironmentOr("WAL_DIR", ""))));
  }
  // Like the original, a job that changes an existing store must say so.
  Words given = {"--db=" + directory, "--results=" + EnvironmentOr("OUTPUT_DIR", "results"),
                 "--allow_writes_to_foreign_store=1"};
  if (const std::string id = EnvironmentOr("JOB_ID", ""); !id.empty()) {
    given.push_back("--job_id=" + id);
  }
  // The original hands further words to db_bench.
  const Words further(words.begin() + 1, words.end());
  ASSIGN_OR_RETURN(const Translation translated,
                   TranslateWords(kRocksDbDialect, further, "", TextsHere()));
  for (const std::string& note : translated.notes)
    Print(stderr, "benchmark.sh: note: " + note + "\n");
  const bool names_engine = std::ranges::any_of(
      further, [](const std::string& word) { return word.starts_with("--engine"); });
  for (const std::string& word : translated.words) {
    const std::string name = word.substr(0, word.find('='));
    const bool is_typed = translated.given.contains(name.substr(2));
    if (!is_typed || (name == "--engine" && !names_engine)) continue;
    std::erase_if(given, [&](const std::string& other) { return other.starts_with(name + "="); });
    given.push_back(word);
  }
  ASSIGN_OR_RETURN(const std::vector<JobRun> runs, PlanJobs(suite, words.front(), values, given));
  const bool has_count = !EnvironmentOr("NUM_KEYS", "").empty();
  return RunJobs(runs, Typed("benchmark.sh", words),
                 has_count ? "" : " (set NUM_KEYS: it is 8000000000 where it is not set)")
      .answer;
}

}  // namespace levelfield
