#include "verbs/run_suite.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "analysis/result_files.h"
#include "analysis/variants.h"
#include "base/atomic_file.h"
#include "base/print.h"
#include "base/quote.h"
#include "report/published/published_page.h"
#include "settings/suite.h"
#include "verbs/run_jobs.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBenchmarkSh = "rocksdb_flash";
// What it reads beside the suite's variables.
constexpr const char* kOwnVariables[] = {"DB_DIR", "WAL_DIR", "OUTPUT_DIR", "JOB_ID"};

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

// A misspelt variable would leave the default, eight billion keys among them, without a word.
void WarnOfMisspelt(const Suite& suite) {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text(*entry);
    names.push_back(text.substr(0, text.find('=')));
  }
  const std::vector<std::string> own(std::begin(kOwnVariables), std::end(kOwnVariables));
  for (const auto& [name, meant] : MisspeltVariables(suite, own, names)) {
    Print(stderr, fmt::format("benchmark.sh: note: {} in the environment is no variable of the "
                              "script and does nothing; did you mean {}?\n",
                              Printable(name), meant));
  }
}

std::string EnvironmentOr(const char* name, const std::string& otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

// A job that varies a setting is several, in the order of its values: `reads.1`, `reads.2`.
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

// The jobs as commands that do the same.
std::string CommandsText(const std::vector<JobRun>& runs) {
  std::string text;
  for (const JobRun& run : runs) {
    text += "levelfield run";
    for (const std::string& word : run.words) text += " " + word;
    text += "\n";
  }
  return text;
}

// The page of what was run, written to `path`.
Status WritePage(const std::string& suite, const JobsDone& done, const std::string& path,
                 Answer& answer) {
  ASSIGN_OR_RETURN(const Published published, FindPublished(suite));
  ASSIGN_OR_RETURN(const std::vector<Result> results, ReadAll(done.directories));
  const StatusOr<PublishedPage> page = RenderPublishedPage(suite, published, results);
  if (!page.ok()) return page.status();
  if (const Status status = WriteFileAtomically(path, page->text, Overwrite::kReplace);
      !status.ok()) {
    return status;
  }
  answer.text += fmt::format("page: {}\n", path);
  return Status::Ok();
}

}  // namespace

Answer PublishedPageOf(const std::string& suite, const Words& directories) {
  const StatusOr<Published> published = FindPublished(suite);
  if (!published.ok()) return Failure(published.status());
  if (directories.empty()) {
    return Failure(Status::Usage(
        fmt::format("docs {}: which results? It takes the directories of its jobs", suite)));
  }
  const StatusOr<std::vector<Result>> results = ReadAll(directories);
  if (!results.ok()) return Failure(results.status());
  StatusOr<PublishedPage> page = RenderPublishedPage(suite, *published, *results);
  if (!page.ok()) return Failure(page.status());
  return {.text = std::move(page->text), .exit_code = page->missing > 0 ? 1 : 0};
}

Answer SuiteVerb(const Words& words) {
  if (words.empty()) return {.text = SuitesText()};
  const StatusOr<Suite> suite = FindSuite(words.front());
  if (!suite.ok()) return Failure(suite.status());
  Words rest(words.begin() + 1, words.end());
  if (rest.empty()) return {.text = SuiteText(*suite)};
  std::string jobs = Taken(rest, "job");
  const std::string preset = Taken(rest, "preset");
  std::string page = Taken(rest, "page");
  const std::string is_dry = Taken(rest, "dry");
  if (!page.empty() && !HasPublished(suite->name)) {
    return Failure(Status::Usage("--page: nothing published is known of " + suite->name));
  }
  SuiteVariables values;
  if (!preset.empty()) {
    StatusOr<SuiteVariables> of_preset = PresetOf(*suite, preset);
    if (!of_preset.ok()) return Failure(of_preset.status());
    values = std::move(*of_preset);
    if (jobs.empty()) jobs = JobsOf(*suite);
  }
  const bool has_page = !page.empty() || (!preset.empty() && HasPublished(suite->name));
  const StatusOr<std::vector<JobRun>> runs = PlanJobs(*suite, jobs, values, rest);
  if (!runs.ok()) return Failure(runs.status());
  if (is_dry == "1") return {.text = CommandsText(*runs)};
  const std::string typed = Typed("levelfield suite", words);
  JobsDone done = RunJobs(*runs, typed);
  if (!has_page || done.directories.empty()) return done.answer;
  if (page.empty()) {
    page = fs::path(done.directories.back()).parent_path() / (suite->name + ".md");
  }
  const Status status = WritePage(suite->name, done, page, done.answer);
  if (done.answer.status.ok()) done.answer.status = status;
  return done.answer;
}

Answer BenchmarkShVerb(const Words& words) {
  const StatusOr<Suite> suite = FindSuite(std::string(kBenchmarkSh));
  if (!suite.ok()) return Failure(suite.status());
  if (words.empty() || words.front().starts_with("-")) {
    return {.text = SuiteText(*suite),
            .status = Status::Usage("which jobs? benchmark.sh JOB[,JOB...] [flags]")};
  }
  WarnOfMisspelt(*suite);
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
    Print(stderr, fmt::format("benchmark.sh: note: WAL_DIR={} is not used: the log is beside the "
                              "tables, in DB_DIR\n",
                              Printable(EnvironmentOr("WAL_DIR", ""))));
  }
  // What a job does to a store that is there it does by name, as in the original.
  Words given = {"--db=" + directory, "--results=" + EnvironmentOr("OUTPUT_DIR", "results"),
                 "--allow_writes_to_foreign_store=1"};
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
  return RunJobs(*runs, Typed("benchmark.sh", words),
                 has_count ? "" : " (set NUM_KEYS: it is 8000000000 where it is not set)")
      .answer;
}

}  // namespace levelfield
