#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "analysis/comparison.h"
#include "analysis/diagnosis.h"
#include "base/json_text.h"
#include "base/whole_file.h"
#include "report/comparison_report.h"
#include "report/db_bench/benchmark_tsv.h"
#include "report/diagnosis_report.h"
#include "report/history_report.h"
#include "report/html/page.h"
#include "report/published/published_page.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "settings/report_formats.h"
#include "settings/settings.h"
#include "targets.h"
#include "verbs/read_result.h"
#include "verbs/report.h"
#include "verbs/verbs.h"

namespace levelfield::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBetween = "\n==\n";
// The last one is read whether it is packed or not.
constexpr std::array kFiles = {"manifest.json", "results.jsonl", "intervals.jsonl",
                               "details.jsonl.gz"};

// The result's directory; a file that the bytes do not come to is not there.
std::string Lay(std::string_view bytes) {
  const std::string directory = ScratchPath("result");
  fs::create_directories(directory);
  for (const char* const name : kFiles) {
    const std::string path = directory + "/" + name;
    fs::remove(path);
    if (bytes.empty()) continue;
    const size_t end = bytes.find(kBetween);
    WriteScratch(path, std::string(bytes.substr(0, end)) + "\n");
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + kBetween.size());
  }
  return directory;
}

size_t MarkupIn(const Result& result) {
  const std::string page = BeginPage(
      {{.result = &result, .comparisons = {}, .text = WriteTerminal(ResultReport(result))}});
  return static_cast<size_t>(std::ranges::count(page, '<'));
}

// A page has as many elements as one of nothing, whatever the result says.
void MustBringNoMarkup(const Result& result) {
  static const size_t of_nothing = MarkupIn(Result());
  if (MarkupIn(result) == of_nothing) return;
  std::fprintf(stderr, "the page has %zu '<', and %zu are its own\n", MarkupIn(result), of_nothing);
  std::abort();
}

void Report(const std::string& directory, const Result& result) {
  const auto write = [](const levelfield::Report& report) {
    for (const ReportFormat& format : kReportFormats) {
      if (format.report != nullptr) MustBePlain(format.report(report, 60));
    }
  };
  write(ResultReport(result));
  write(CostReport(result));
  for (const ReportFormat& format : kReportFormats) {
    if (format.result == nullptr) continue;
    const StatusOr<std::string> lines = format.result(result, directory, Settings());
    if (!lines.ok()) continue;
    MustBePlain(*lines);
    if (format.whole != nullptr) MustBePlain(format.whole(std::array{result, result}, *lines));
  }
  MustBePlain(RenderBenchmarkTsv(result).notes);
  MustBringNoMarkup(result);
  for (const auto& [name, text] : BuiltinPublished()) {
    const StatusOr<Published> published = ParsePublished(std::string(name), text);
    if (!published.ok()) continue;
    const StatusOr<PublishedPage> page =
        RenderPublishedPage(std::string(name), *published, {result, result});
    if (page.ok()) MustBePlain(page->text);
  }
  const std::string logs = ScratchPath("logs");
  fs::remove_all(logs);
  const StatusOr<std::string> names = WriteHdrLogs(directory, logs);
  if (names.ok()) MustBePlain(*names);
}

void Compare(const Result& result) {
  const ComparisonRules rules;
  for (const RunResult& run : result.runs) {
    const auto within = CompareWithin(result, run.engine, rules);
    if (within.ok()) MustBePlain(WriteTerminal(ComparisonReport(*within, rules.margin)));
    break;
  }
  const auto across = CompareAcross(result, result, rules);
  if (across.ok()) MustBePlain(WriteTerminal(ComparisonReport(*across, rules.margin)));
  const auto noise = NoiseOf(result);
  if (noise.ok()) MustBePlain(RenderNoise("fuzzed", *noise));
}

void Explain(const std::string& directory, const Result& result) {
  const auto manifest = ParseBoundedJson(ReadAll(directory + "/manifest.json"));
  if (!manifest.ok()) return;
  MustBePlain(
      WriteTerminal(DiagnosisReport(Diagnose(result, EngineOptionsIn(*manifest)), result)));
}

void LookBack(const Result& result) {
  std::map<std::string, std::string> defaults;
  for (const Flag& flag : levelfield::Flags()) {
    defaults[std::string(flag.name)] = TextOf(flag, Settings());
  }
  std::vector<Measured> measured;
  for (int i = 0; i < 12; ++i) {
    for (Measured& one : MeasuredIn(result, defaults)) measured.push_back(std::move(one));
  }
  MustBePlain(WriteTerminal(HistoryReport(HistoriesOf(std::move(measured), {}), {}, true)));
}

}  // namespace

void ResultFiles(std::string_view bytes) {
  const std::string directory = Lay(bytes);
  const StatusOr<Result> result = ReadResultDirectory(directory);
  if (!result.ok()) return;
  MustBePlain(ReportCacheBench(*result, directory).text);
  Report(directory, *result);
  Compare(*result);
  Explain(directory, *result);
  LookBack(*result);
}

}  // namespace levelfield::fuzz
