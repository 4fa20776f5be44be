#include "run_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/atomic_file.h"
#include "base/quote.h"
#include "make_plan.h"
#include "report/benchmark_tsv.h"
#include "report/table.h"
#include "run/plan.h"
#include "settings/suite.h"

namespace levelfield {
namespace {

constexpr std::string_view kBenchmarkSh = "rocksdb_flash";
constexpr size_t kColumns = 120;

// Takes `--name=value` or `--name value` out of the words.
std::string Taken(Words& words, std::string_view name) {
  for (size_t i = 0; i < words.size(); ++i) {
    const bool has_value = words[i].starts_with(fmt::format("--{}=", name));
    if (!has_value && words[i] != fmt::format("--{}", name)) continue;
    const size_t taken = has_value || i + 1 == words.size() ? 1 : 2;
    const std::string value = has_value    ? words[i].substr(name.size() + 3)
                              : taken == 2 ? words[i + 1]
                                           : "";
    words.erase(words.begin() + static_cast<ptrdiff_t>(i),
                words.begin() + static_cast<ptrdiff_t>(i + taken));
    return value;
  }
  return "";
}

// Adds to a file, which begins with `head` where it is new.
Status Append(const std::string& path, const std::string& head, const std::string& text) {
  const bool is_new = !std::ifstream(path).good();
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << (is_new ? head : "") << text;
  file.close();
  if (!file.fail()) return Status::Ok();
  return Status::Failed(fmt::format("cannot write {}; is there room on the disk?", path));
}

Status AppendReport(const std::string& directory, const Result& result) {
  const BenchmarkTsv tsv = RenderBenchmarkTsv(result);
  const Status status = Append(directory + "/report.tsv", tsv.header, tsv.rows);
  if (!status.ok()) return status;
  return Append(directory + "/report_notes.tsv",
                BenchmarkTsvUnits() + "\ntest\tengine\tcolumn\twhy it is no number\n", tsv.notes);
}

StatusOr<Settings> SettingsOf(const JobRun& run) {
  StatusOr<Settings> settings = ParseSettings(run.words);
  if (!settings.ok()) {
    return Status::Usage(fmt::format("job {}: {}", run.job, settings.status().message()));
  }
  if (settings->db.empty()) {
    return Status::Usage(
        "--db: which directory? The store of one job is there for the next: say --db=DIR");
  }
  Settings resolved = *settings;
  Status status = ResolveKeys(resolved);
  if (status.ok()) status = PlanPhases(resolved).status();
  if (!status.ok()) return Status::Usage(fmt::format("job {}: {}", run.job, status.message()));
  return settings;
}

// One job after another; the first that fails ends the list. All are looked through before the
// first begins.
// `hint` goes behind the reason why a job cannot be done.
Answer RunJobs(const std::vector<JobRun>& runs, const std::string& typed,
               const std::string& hint = "") {
  for (const JobRun& run : runs) {
    const StatusOr<Settings> settings = SettingsOf(run);
    if (!settings.ok()) return Failure(settings.status());
  }
  Answer all;
  for (const JobRun& run : runs) {
    const StatusOr<Settings> settings = SettingsOf(run);
    const StatusOr<Plan> plan = MakePlan(*settings, typed);
    if (!plan.ok()) {
      const std::string why = fmt::format("job {}: {}{}", run.job, plan.status().message(), hint);
      // Once a job has run it is no mistake that was found before anything ran.
      return Failure(&run == &runs.front() ? Status::Usage(why) : Status::Failed(why));
    }
    Status reported = Status::Ok();
    Answer answer = CarryOut(*plan, nullptr, [&](const Result& result, const std::string& path) {
      reported = AppendReport(settings->results, result);
      return RenderTables(result, kColumns) + "results: " + path + "\n\n";
    });
    std::fputs(answer.text.c_str(), stdout);
    std::fflush(stdout);
    if (!answer.status.ok()) return Failure(answer.status);
    if (!reported.ok()) return Failure(reported);
    all.exit_code = std::max(all.exit_code, answer.exit_code);
    if (answer.exit_code != 0) break;
    if (&run == &runs.back()) {
      all.text = fmt::format("report: {}/report.tsv, units and reasons: report_notes.tsv\n",
                             settings->results);
    }
  }
  return all;
}

std::vector<JobRun> WithRowNames(std::vector<JobRun> runs) {
  for (JobRun& run : runs) {
    const auto is_named = [](const std::string& word) { return word.starts_with("--name="); };
    const auto name = std::ranges::find_if(run.words, is_named);
    if (name != run.words.end()) *name = "--name=" + run.test;
    run.words.push_back("--report_row=" + run.row);
  }
  return runs;
}

// Variables of the environment that have another value than the suite knows how to honour.
Status CheckRefused(const Suite& suite) {
  for (const SuiteVariable& variable : suite.refused) {
    const char* const value = std::getenv(variable.name.c_str());
    if (value == nullptr || *value == '\0') continue;
    if (fmt::format(" {} ", variable.value).find(fmt::format(" {} ", value)) != std::string::npos) {
      continue;
    }
    return Status::Usage(fmt::format("{}={}: cannot be honoured: {}", variable.name,
                                     Printable(value), variable.meaning));
  }
  return Status::Ok();
}

std::string EnvironmentOr(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

}  // namespace

Answer SuiteVerb(const Words& words) {
  if (words.empty()) return {.text = SuitesText()};
  const StatusOr<Suite> suite = FindSuite(words.front());
  if (!suite.ok()) return Failure(suite.status());
  Words rest(words.begin() + 1, words.end());
  if (rest.empty()) return {.text = SuiteText(*suite)};
  const std::string jobs = Taken(rest, "job");
  const StatusOr<std::vector<JobRun>> runs = PlanJobs(*suite, jobs, {}, rest);
  if (!runs.ok()) return Failure(runs.status());
  return RunJobs(WithRowNames(*runs), Typed("levelfield suite", words));
}

Answer BenchmarkShVerb(const Words& words) {
  const StatusOr<Suite> suite = FindSuite(std::string(kBenchmarkSh));
  if (!suite.ok()) return Failure(suite.status());
  if (words.empty() || words.front().starts_with("-")) {
    return {.text = SuiteText(*suite),
            .status = Status::Usage("which jobs? benchmark.sh JOB[,JOB...] [flags]")};
  }
  for (const char* const name : {"DB_DIR", "WAL_DIR"}) {
    if (EnvironmentOr(name, "").empty()) {
      return Failure(Status::Usage(fmt::format(
          "{} is not set; benchmark.sh needs DB_DIR, where the store is, and WAL_DIR", name)));
    }
  }
  if (const Status status = CheckRefused(*suite); !status.ok()) return Failure(status);
  SuiteVariables values;
  for (const SuiteVariable& variable : suite->variables) {
    const std::string value = EnvironmentOr(variable.name.c_str(), "");
    if (!value.empty()) values[variable.name] = value;
  }
  const std::string directory = EnvironmentOr("DB_DIR", "");
  if (EnvironmentOr("WAL_DIR", "") != directory) {
    // Logs of another store that lie there would be replayed into a new one.
    std::fputs(fmt::format("benchmark.sh: note: WAL_DIR={} is not used: the log is beside the "
                           "tables, in DB_DIR\n",
                           Printable(EnvironmentOr("WAL_DIR", "")))
                   .c_str(),
               stderr);
  }
  Words given = {"--db=" + directory, "--results=" + EnvironmentOr("OUTPUT_DIR", "results")};
  if (const std::string id = EnvironmentOr("JOB_ID", ""); !id.empty()) {
    given.push_back("--job_id=" + id);
  }
  for (const std::string& word : Words(words.begin() + 1, words.end())) {
    std::erase_if(given, [&](const std::string& other) {
      return other.starts_with(word.substr(0, word.find('=')) + "=");
    });
    given.push_back(word);
  }
  const StatusOr<std::vector<JobRun>> runs = PlanJobs(*suite, words.front(), values, given);
  if (!runs.ok()) return Failure(runs.status());
  const bool has_count = !EnvironmentOr("NUM_KEYS", "").empty();
  return RunJobs(WithRowNames(*runs), Typed("benchmark.sh", words),
                 has_count ? "" : " (set NUM_KEYS: it is 8000000000 where it is not set)");
}

}  // namespace levelfield
