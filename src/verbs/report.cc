#include "verbs/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/result_files.h"
#include "analysis/variants.h"
#include "base/print.h"
#include "base/quote.h"
#include "report/corrected_text.h"
#include "report/cost_table.h"
#include "report/db_bench/benchmark_tsv.h"
#include "report/db_bench/db_bench_text.h"
#include "report/google_benchmark_json.h"
#include "report/intervals_csv.h"
#include "report/level_banner.h"
#include "report/phases_csv.h"
#include "report/sweep_text.h"
#include "report/table.h"
#include "settings/settings.h"
#include "verbs/cache_bench.h"
#include "verbs/make_plan.h"
#include "verbs/output_columns.h"
#include "verbs/over_time_files.h"
#include "verbs/report_markdown.h"
#include "verbs/report_page.h"
#include "verbs/verify_durability.h"

namespace levelfield {
namespace {

// A format is text of one result after another, or one thing made of all of them.
struct Format {
  std::string_view name;
  bool is_for_programs;  // Which read nothing but the numbers: what is to be said goes to stderr.
  std::string (*header)();
  StatusOr<std::string> (*text)(const Result& result, const std::string& directory);
  Answer (*of_all)(const Settings& settings);
  bool is_of_whole = false;  // Else each variant (--vary) has its text.
  bool has_verdicts = false;
};

std::string None() { return ""; }

Answer HdrLogs(const Settings& settings) {
  if (settings.to.empty() || settings.arguments.size() != 1) {
    return Failure(Status::Usage(
        "--format=hlog: writes the logs of one result directory into --to, which is made: "
        "levelfield report --format=hlog --to=logs results/<...>"));
  }
  const StatusOr<Result> result = ReadResultDirectory(settings.arguments.front());
  if (!result.ok()) return Failure(result.status());
  const StatusOr<std::string> names = WriteHdrLogs(settings.arguments.front(), settings.to);
  if (!names.ok()) return Failure(names.status());
  return {.text = *names};
}

Answer GoogleBenchmark(const Settings& settings) {
  Answer answer;
  GoogleBenchmarkFile file;
  for (const std::string& directory : settings.arguments) {
    const StatusOr<Result> result = ReadResultDirectory(directory);
    if (!result.ok()) return Failure(result.status());
    answer.exit_code = std::max(answer.exit_code, ExitCodeOf(*result));
    Print(stderr, LevelBanner(*result));
    for (const Result& part : VariantsOf(*result)) file.Add(part);
  }
  answer.text = file.Text();
  return answer;
}

// With what --expected_interval supposes.
Answer Corrected(const Settings& settings) {
  Answer answer;
  for (const std::string& directory : settings.arguments) {
    const StatusOr<Result> result = ReadResultDirectory(directory);
    if (!result.ok()) return Failure(result.status());
    answer.text +=
        RenderCorrected(*result, static_cast<uint64_t>(settings.expected_interval * 1e9));
    answer.exit_code = std::max(answer.exit_code, ExitCodeOf(*result));
  }
  return answer;
}

constexpr std::array kFormats = std::to_array<Format>({
    {"table", false, None,
     [](const Result& result, const std::string&) -> StatusOr<std::string> {
       return RenderTables(result, OutputColumns());
     },
     nullptr},
    {"db_bench", false, None,
     [](const Result& result, const std::string&) -> StatusOr<std::string> {
       return RenderDbBench(result);
     },
     nullptr},
    {"tsv", true, [] { return RenderBenchmarkTsv({}).header; },
     [](const Result& result, const std::string&) -> StatusOr<std::string> {
       return RenderBenchmarkTsv(result, false).rows;
     },
     nullptr},
    {"cost", false, None,
     [](const Result& result, const std::string&) -> StatusOr<std::string> {
       return RenderCosts(result);
     },
     nullptr},
    {"csv", true, PhasesHeader,
     [](const Result& result, const std::string&) -> StatusOr<std::string> {
       return PhaseRows(result);
     },
     nullptr},
    {"intervals", true, IntervalsHeader,
     [](const Result& result,
        const std::string& directory) { return IntervalRowsOf(directory, result); },
     nullptr, true},
    {"corrected", false, nullptr, nullptr, Corrected},
    {"google_benchmark", true, nullptr, nullptr, GoogleBenchmark},
    {"hlog", false, nullptr, nullptr, HdrLogs},
    {"html", false, nullptr, nullptr, ReportPages, true, true},
    {"markdown", false, nullptr, nullptr, ReportMarkdown, true, true},
});

// Of a hundred megabytes there should not be two.
void Append(std::string more, std::string& text) {
  if (text.empty()) {
    text = std::move(more);
  } else {
    text += more;
  }
}

StatusOr<std::string> TextOf(const Format& format, const Result& result,
                             const std::string& directory) {
  if (format.is_of_whole) return format.text(result, directory);
  const Variants parts = VariantsOf(result);
  std::string text;
  for (const Result& part : parts) {
    StatusOr<std::string> of_part = format.text(part, directory);
    if (!of_part.ok()) return of_part;
    if (parts.size() > 1 && !format.is_for_programs) {
      text += fmt::format("\n== {} ==\n", Printable(VariantOf(part).name));
    }
    Append(std::move(*of_part), text);
  }
  if (format.name == "table") text += RenderSweep(result, OutputColumns());
  return text;
}

}  // namespace

Answer ReportVerb(const Words& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Failure(settings.status());
  if (settings->arguments.empty()) {
    return Failure(
        Status::Usage("report needs a result directory: levelfield report results/<...>"));
  }
  const auto* const format = std::ranges::find(kFormats, settings->format, &Format::name);
  if (format == kFormats.end()) {
    return Failure(Status::Failed(
        fmt::format("--format={}: this program has no such format", Printable(settings->format))));
  }
  for (const char* const name : {"against", "baseline", "margin", "noise"}) {
    if (format->has_verdicts || !settings->given.contains(name)) continue;
    return Failure(Status::Usage(
        fmt::format("--{}: --format={} has no verdicts; levelfield compare says them, and "
                    "--format=markdown and --format=html have them with the tables",
                    name, format->name)));
  }
  if (format->of_all != nullptr) return format->of_all(*settings);
  Answer answer{.text = format->header()};
  for (const std::string& directory : settings->arguments) {
    if (HasDurability(directory)) {
      const Answer durability = ReportDurability(directory);
      if (!durability.status.ok()) return durability;
      answer.text += durability.text;
      answer.exit_code = std::max(answer.exit_code, durability.exit_code);
      continue;
    }
    const StatusOr<Result> result = ReadResultDirectory(directory);
    if (!result.ok()) return Failure(result.status());
    if (result->runs.empty() && result->name == "cache_bench") {
      const Answer caches = ReportCacheBench(directory);
      if (!caches.status.ok()) return caches;
      answer.text += caches.text;
      answer.exit_code = std::max(answer.exit_code, caches.exit_code);
      continue;
    }
    if (format->is_for_programs) Print(stderr, LevelBanner(*result));
    StatusOr<std::string> text = TextOf(*format, *result, directory);
    if (!text.ok()) return Failure(text.status());
    Append(std::move(*text), answer.text);
    answer.exit_code = std::max(answer.exit_code, ExitCodeOf(*result));
  }
  return answer;
}

}  // namespace levelfield
