#include "verbs/run_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/print.h"
#include "base/quote.h"
#include "plan/plan.h"
#include "report/db_bench/benchmark_tsv.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "report/variants_table.h"
#include "verbs/make_plan.h"
#include "workload/names_not_run.h"

namespace levelfield {
namespace {

void Say(const std::string& text) { (void)Print(stdout, text); }

// Adds to a file, which begins with `head` where it is new.
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
  StatusOr<Settings> settings = ParseSettings(run.words);
  if (!settings.ok()) {
    return Status::Usage(fmt::format("job {}: {}", run.job, settings.status().message()));
  }
  if (run.is_kept && settings->db.empty()) {
    return Status::Usage(
        "--db: which directory? The store of one job is there for the next: say --db=DIR");
  }
  Settings resolved = *settings;
  ResolveKeys(resolved);
  const Status status = PlanPhases(resolved).status();
  if (!status.ok()) return Status::Usage(fmt::format("job {}: {}", run.job, status.message()));
  return settings;
}

// What the result is called, and which of its workloads the row is of.
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
  std::vector<std::string> engines;
  if (job.run.has_engines) {
    std::istringstream names(job.settings.engine);
    for (std::string name; std::getline(names, name, ',');) engines.push_back(name);
  }
  return engines;
}

Status AppendNotRun(const Job& job, const std::vector<std::string>& engines,
                    const std::string& why) {
  std::error_code ignored;  // What cannot be made cannot be written to either, which is told.
  std::filesystem::create_directories(job.settings.results, ignored);
  for (const std::string& engine : engines) {
    RETURN_IF_ERROR(AppendReport(job.settings.results,
                                 RenderNotRun(job.run.test, engine, job.settings.job_id, why)));
  }
  return Status::Ok();
}

// What of the job is not done, in the rows and on standard output.
Status ReportWhatIsNotDone(const Job& job) {
  if (!job.run.without.empty()) {
    std::string engines;
    for (const std::string& engine : job.run.without) {
      engines += (engines.empty() ? "" : ", ") + engine;
    }
    Say(fmt::format("job {}: {}: unsupported: {}\n", job.run.job, engines, job.run.without_why));
    RETURN_IF_ERROR(AppendNotRun(job, job.run.without, "unsupported: " + job.run.without_why));
  }
  for (const std::string& name : job.run.left_out) {
    Say(fmt::format("job {}: without the original's {}, which {}\n", job.run.job, name,
                    WhyNotRun(name)));
  }
  return Status::Ok();
}

// Jobs that are not run because one before them failed; what could not be written is said, as the
// failure itself is what the caller returns.
void ReportRest(const std::vector<Job>& jobs, size_t first, const std::string& why) {
  for (size_t i = first; i < jobs.size(); ++i) {
    const Status status = AppendNotRun(jobs[i], EnginesOf(jobs[i]), why);
    Say(fmt::format("{}: {}\n", jobs[i].run.test, status.ok() ? why : status.message()));
  }
}

}  // namespace

JobsDone RunJobs(std::vector<JobRun> runs, const std::string& typed, const std::string& hint) {
  std::vector<Job> jobs;
  for (JobRun& run : runs) {
    NameRow(run);
    const StatusOr<Settings> settings = SettingsOf(run);
    if (!settings.ok()) return {Failure(settings.status())};
    jobs.push_back({std::move(run), *settings});
  }
  JobsDone all;
  bool any_done = false;
  const auto ended = [&](const Status& status) {
    all.answer = Failure(status);
    return all;
  };
  for (size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    if (!job.run.has_engines) {
      if (const Status status = ReportWhatIsNotDone(job); !status.ok()) return ended(status);
      any_done = true;
      continue;
    }
    const StatusOr<Plan> plan = MakePlan(job.settings, typed);
    if (!plan.ok()) {
      const std::string why =
          fmt::format("job {}: {}{}", job.run.job, plan.status().message(), hint);
      // Once a job is done it is no mistake that was found before anything ran.
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
          // Of a job that varies a setting, one table with its values.
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

}  // namespace levelfield
