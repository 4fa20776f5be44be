// The files that formats write: report.html (--format=html, and beside the results of `run`), and
// HdrHistogram's logs (--format=hlog).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "analysis/series.h"
#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/whole_file.h"
#include "report/choice_answer.h"
#include "report/csv.h"
#include "report/html/page.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "result/fields_json.h"
#include "result/hdr_log.h"
#include "result/result_files.h"
#include "result/result_json.h"
#include "settings/report_formats.h"
#include "settings/settings.h"
#include "verbs/read_result.h"
#include "verbs/report.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 30;  // Of a page, or of a log.

// Adds the conditions and the figures of each round. People send pages by mail, so histograms and
// intervals, which are most of the bytes of a result, are left out. `prefix` tells the files of
// several results apart.
Status AddFilesOf(const Result& result, const std::string& directory, const std::string& prefix,
                  const Settings& settings, std::string& page) {
  std::ifstream manifest(directory + "/manifest.json");
  AddFile(prefix + "manifest.json", manifest, page);
  ASSIGN_OR_RETURN(const std::string rows, CsvRowsOf(result, directory, settings));
  std::istringstream rounds(CsvHeader() + rows);
  AddFile(prefix + "rounds.csv", rounds, page);
  return Status::Ok();
}

// A baseline that the figures have chosen is one of a family of all pairs: so no page says "slower"
// where its first screen says that no difference was found.
void HoldAmongAll(const std::vector<Comparison>& pairs, std::vector<Comparison>& comparisons) {
  for (Comparison& comparison : comparisons) {
    for (const Comparison& pair : pairs) {
      if (pair.baseline != comparison.baseline || pair.candidate != comparison.candidate) continue;
      for (ComparedWorkload& workload : comparison.workloads) {
        const auto same =
            std::ranges::find(pair.workloads, workload.workload, &ComparedWorkload::workload);
        if (same != pair.workloads.end()) workload.verdict = same->verdict;
      }
    }
  }
}

ShownResult Show(const Result& result, const Settings& asked) {
  const Settings settings = WithMarginOf(result, asked);
  const Settings with_best = WithBestAsBaseline(result, settings);
  Report report = ResultReport(result);
  ShownResult shown{.result = &result, .comparisons = {}, .text = ""};
  shown.pairs = ComparisonsOfAllPairs(result, settings);
  // With one engine, or too few rounds, there is nothing to compare.
  if (auto comparisons = ComparisonsAsItRan(result, with_best); comparisons.ok()) {
    if (with_best.baseline != settings.baseline) HoldAmongAll(shown.pairs, *comparisons);
    report.Append(ReportOf(*comparisons, with_best));
    shown.comparisons = std::move(*comparisons);
  }
  shown.text = WriteTerminal(report);
  return shown;
}

// What `choose` left of its answer. Nothing: it is a result of another verb.
StatusOr<std::optional<ChoiceAnswer>> AnswerIn(const std::string& directory) {
  const std::string path = fmt::format("{}/{}", directory, kAnswerFile);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::optional<ChoiceAnswer>();
  const auto unreadable = [&](const Status& why) {
    return Status::Failed(
        fmt::format("{}: {}; without it the page has the figures alone: move it "
                    "away",
                    Printable(path), why.message()));
  };
  const StatusOr<Json> json = ParseBoundedJson(ReadAll(path));
  if (!json.ok()) return unreadable(json.status());
  ChoiceAnswer answer;
  const Status status = Codec<ChoiceAnswer>::Read(*json, answer);
  return status.ok() ? StatusOr(std::optional(std::move(answer))) : unreadable(status);
}

// People tell several results apart by it.
std::string LetterOf(size_t place, size_t results) {
  if (results == 1) return "";
  return place < 26 ? std::string(1, static_cast<char>('A' + place)) : std::to_string(place + 1);
}

// A result, or each of its variants. With variants, the verdicts on the page compare variants. The
// text of each compares its engines.
std::vector<ShownResult> ShowAll(const Result& result, const Variants& parts,
                                 const Settings& settings) {
  std::vector<ShownResult> shown;
  for (const Result& part : parts) shown.push_back(Show(part, settings));
  if (parts.size() == 1) return shown;
  for (ShownResult& part : shown) part.comparisons.clear();
  if (auto comparisons = ComparisonsOf(result, settings); comparisons.ok()) {
    shown.front().comparisons = std::move(*comparisons);
  }
  return shown;
}

StatusOr<std::string> PageOf(const Settings& settings) {
  std::vector<Result> results;
  for (const std::string& directory : settings.arguments) {
    ASSIGN_OR_RETURN(Result result, ReadResultDirectory(directory));
    if (result.runs.empty()) {
      return Status::Usage(fmt::format(
          "{}: has no runs of engines, which is what pages are drawn of", Printable(directory)));
    }
    RETURN_IF_ERROR(CheckBaseline(result, settings));
    results.push_back(std::move(result));
  }
  std::vector<ShownResult> shown;
  std::vector<Variants> variants;
  for (const Result& result : results) variants.emplace_back(result);
  for (size_t i = 0; i < results.size(); ++i) {
    std::vector<ShownResult> parts = ShowAll(results[i], variants[i], settings);
    for (ShownResult& part : parts) part.letter = LetterOf(i, results.size());
    std::ranges::move(parts, std::back_inserter(shown));
  }
  if (results.size() == 1) {
    ASSIGN_OR_RETURN(shown.front().answer, AnswerIn(settings.arguments.front()));
  }
  std::string page = BeginPage(shown);
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string prefix = results.size() == 1 ? "" : fmt::format("{}-", i + 1);
    RETURN_IF_ERROR(AddFilesOf(results[i], settings.arguments[i], prefix, settings, page));
  }
  EndPage(page);
  return page;
}

// A name that is valid as a file name everywhere, and as a tag of a log.
std::string Plain(const std::string& name) {
  constexpr std::string_view kKept =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  std::string plain = name.empty() ? "_" : name.substr(0, 40);
  for (char& c : plain) c = kKept.find(c) == std::string_view::npos ? '_' : c;
  return plain;
}

struct Log {
  std::string lines;
  Histogram all;

  void Add(const std::string& tag, const PhaseInterval& interval, const SparseHistogram& values) {
    const Histogram whole = values.Whole();
    lines += HdrLogLine(tag, interval.begin_ms, interval.end_ms, whole);
    all.Merge(whole);
  }
};

}  // namespace

StatusOr<std::string> WritePageOf(const Result& result, const std::string& directory,
                                  const Settings& settings) {
  const std::string path = directory + "/report.html";
  const Variants variants(result);
  std::vector<ShownResult> shown = ShowAll(result, variants, settings);
  ASSIGN_OR_RETURN(shown.front().answer, AnswerIn(directory));
  std::string page = BeginPage(shown);
  RETURN_IF_ERROR(AddFilesOf(result, directory, "", settings, page));
  EndPage(page);
  RETURN_IF_ERROR(WriteFileAtomically(path, page, Overwrite::kReplace, kMostBytes));
  return path;
}

Answer WritePages(const Settings& settings) {
  const std::vector<std::string>& directories = settings.arguments;
  if (settings.to.empty() && directories.size() > 1) {
    return Status::Usage(
        "--format=html of several results needs a file to write to: --to=comparison.html");
  }
  const std::string path = settings.to.empty() ? directories.front() + "/report.html" : settings.to;
  const std::filesystem::path where = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!settings.to.empty() && !where.empty() && !std::filesystem::is_directory(where, error)) {
    return Status::Usage(fmt::format("--to={}: there is no directory {}; make it first",
                                     Printable(path), Printable(where.string())));
  }
  ASSIGN_OR_RETURN(const std::string page, PageOf(settings));
  // The page in a result's own directory is derived from the files beside it, so it may be
  // replaced.
  const Overwrite overwrite = settings.to.empty() ? Overwrite::kReplace : Overwrite::kNever;
  RETURN_IF_ERROR(WriteFileAtomically(path, page, overwrite, kMostBytes));
  return path + "\n";
}

StatusOr<std::string> WriteHdrLogs(const std::string& directory, const std::string& to) {
  std::map<std::string, Log> logs;
  bool torn = false;
  RETURN_IF_ERROR(ForEachInterval(directory, &torn, [&](const StoredInterval& stored) {
    for (const RoleInterval& role : stored.interval.roles) {
      for (const StatisticsInterval& stats : role.statistics) {
        const std::string tag = Plain(stats.operation);
        const std::string name =
            fmt::format("{}-{}-{}-{}-{}-{}", stored.run, Plain(stored.engine), stored.phase,
                        Plain(stored.workload), Plain(role.name), tag);
        logs[name].Add(tag, stored.interval, stats.latency_ns);
        if (!stats.response_ns) continue;
        logs[name + "-response"].Add(tag + "-response", stored.interval, *stats.response_ns);
      }
    }
  }));
  if (logs.empty()) return NoIntervals(directory);
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(to, error))) {
    return Status::Usage(fmt::format(
        "--to={}: is there already; name another directory, or move it away", Printable(to)));
  }
  std::filesystem::create_directories(to, error);
  if (error) {
    return Status::Usage(
        fmt::format("--to={}: cannot make it: {}", Printable(to), error.message()));
  }
  std::string names;
  for (const auto& [name, log] : logs) {
    const std::string path = to + "/" + name;
    RETURN_IF_ERROR(WriteFileAtomically(path + ".hlog", HdrLogHeader(name) + log.lines,
                                        Overwrite::kNever, kMostBytes));
    RETURN_IF_ERROR(WriteFileAtomically(path + ".hgrm", HdrPercentiles(log.all)));
    names += fmt::format("{}.hlog\n{}.hgrm\n", path, path);
  }
  return names;
}

Answer WriteHdrLogFiles(const Settings& settings) {
  if (settings.to.empty() || settings.arguments.size() != 1) {
    return Status::Usage(
        "--format=hlog: writes the logs of one result directory into --to, which is made: "
        "levelfield report --format=hlog --to=logs results/<...>");
  }
  ASSIGN_OR_RETURN(const Result result, ReadResultDirectory(settings.arguments.front()));
  return WriteHdrLogs(settings.arguments.front(), settings.to);
}

}  // namespace levelfield
