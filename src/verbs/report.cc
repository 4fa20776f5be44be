#include "verbs/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "analysis/series.h"
#include "base/print.h"
#include "base/quote.h"
#include "facts/facts_here.h"
#include "report/heading.h"
#include "report/markdown.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "settings/report_formats.h"
#include "verbs/carry_out.h"
#include "verbs/read_result.h"

namespace levelfield {
namespace {

// The width of a terminal. Files and pipes get the same width everywhere.
size_t OutputColumns() {
  const size_t columns = TerminalColumns(STDOUT_FILENO, 120);
  return columns >= 60 ? columns : 120;
}

const ReportFormat& FormatOf(const Settings& settings) {
  return *std::ranges::find(kReportFormats, settings.format, &ReportFormat::name);
}

// "`--format=a` and `--format=b`": the formats for which `is_so` holds.
std::string FormatsThat(bool (*is_so)(const ReportFormat&), std::string_view between) {
  std::vector<std::string> names;
  for (const ReportFormat& format : kReportFormats) {
    if (is_so(format)) names.push_back(fmt::format("--format={}", format.name));
  }
  return fmt::format("{}", fmt::join(names, between));
}

Status CheckFlags(const ReportFormat& format, const Settings& settings) {
  if (settings.arguments.empty()) {
    return Status::Usage("report needs a result directory: levelfield report results/<...>");
  }
  RETURN_IF_ERROR(CheckFlagsOf("report", settings));
  if (settings.IsGiven("expected_interval") && format.name != "corrected") {
    return Status::Usage("--expected_interval: is for --format=corrected");
  }
  for (const char* const name : {"against", "baseline", "margin", "noise"}) {
    if (format.has_verdicts || !settings.given.contains(name)) continue;
    return Status::Usage(fmt::format(
        "--{}: --format={} has no verdicts; levelfield compare says them, and {} have them with "
        "the tables",
        name, format.name,
        FormatsThat([](const ReportFormat& other) { return other.has_verdicts; }, " and ")));
  }
  if (settings.given.contains("to") && format.everything == nullptr) {
    return Status::Usage(fmt::format(
        "--to: --format={} goes to standard output (> FILE); {} take --to", format.name,
        FormatsThat([](const ReportFormat& other) { return other.everything != nullptr; },
                    " and ")));
  }
  return settings.to.empty() ? Status::Ok() : CheckOutsideStores("--to", settings.to);
}

// The report of a result, variant by variant.
StatusOr<Report> ReportOf(const Result& result, const ReportFormat& format,
                          const Settings& settings) {
  if (format.has_verdicts) {
    RETURN_IF_ERROR(CheckBaseline(result, settings));
  }
  // With one engine, or too few rounds, there is nothing to compare.
  const auto add = [&](const StatusOr<std::vector<Comparison>>& comparisons, Report& report) {
    if (comparisons.ok()) report.Append(ReportOf(*comparisons, settings));
  };
  Report report;
  const Variants parts = VariantsOf(result);
  for (const Result& part : parts) {
    if (parts.size() > 1) report.Add(Section{Printable(VariantOf(part).name)});
    report.Append(ResultReport(part));
    if (!format.has_verdicts) continue;
    add(ComparisonsAsItRan(part, settings), report);
    if (format.has_all_costs) AddCosts(part, CostDetail::kRest, report);
    AddDetails(part, report);
  }
  AddVariants(result, report);
  if (format.has_verdicts && parts.size() > 1) add(ComparisonsOf(result, settings), report);
  return report;
}

// Avoids a second copy of a text of a hundred megabytes.
void Append(std::string more, std::string& text) {
  if (text.empty()) {
    text = std::move(more);
  } else {
    text += more;
  }
}

// The lines of a result, for each variant by itself if the format needs that.
StatusOr<std::string> LinesOf(const Result& result, const std::string& directory,
                              const ReportFormat& format, const Settings& settings,
                              std::vector<Result>& heads) {
  if (format.takes_variants_together) return format.result(result, directory, settings);
  const Variants parts = VariantsOf(result);
  std::string text;
  for (const Result& part : parts) {
    if (format.whole != nullptr) heads.push_back(WithoutRuns(part));
    ASSIGN_OR_RETURN(std::string of_part, format.result(part, directory, settings));
    if (parts.size() > 1 && !format.is_for_programs) {
      text += fmt::format("\n== {} ==\n", Printable(VariantOf(part).name));
    }
    Append(std::move(of_part), text);
  }
  return text;
}

Answer DurabilityIn(const std::string& directory, const ReportFormat& format) {
  Answer table = ReportDurability(directory);
  if (format.report != WriteMarkdown || !table.status.ok()) return table;
  Answer page = DurabilityPage({directory});
  page.exit_code = table.exit_code;
  return page;
}

Answer CachesIn(const Result& result, const std::string& directory, const ReportFormat& format) {
  Answer caches = ReportCacheBench(result, directory);
  if (!caches.status.ok()) return caches;
  Report report;
  report.Add(Verbatim{"", caches.text});
  caches.text = format.report(report, OutputColumns());
  return caches;
}

// The text of a format that writes one directory after another, for a directory of any verb.
Answer TextOf(const std::string& directory, const ReportFormat& format, const Settings& asked,
              std::vector<Result>& heads) {
  if (format.whole == nullptr && HasDurability(directory)) return DurabilityIn(directory, format);
  ASSIGN_OR_RETURN(Result result, ReadResultDirectory(directory));
  if (format.report != nullptr && result.name == kCacheBenchName) {
    return CachesIn(result, directory, format);
  }
  const Settings settings = WithMarginOf(result, asked);
  if (format.is_for_programs) Print(stderr, BannerText(result));
  if (format.report == nullptr) {
    ASSIGN_OR_RETURN(std::string lines, LinesOf(result, directory, format, settings, heads));
    return {std::move(lines), ExitCodeOf(result)};
  }
  const int exit_code = ExitCodeOf(result);
  if (format.report == WriteTerminal && !settings.verbose) {
    return {ForTerminal(ScreenOf(result, settings, directory)), exit_code};
  }
  ASSIGN_OR_RETURN(const Report report, ReportOf(result, format, settings));
  result = Result();  // The report has every figure: the memory of both is too much at once.
  return {format.report(report, OutputColumns()), exit_code};
}

// Only on a terminal, and unless NO_COLOR is set (no-color.org).
bool HasColors() {
  return isatty(STDOUT_FILENO) != 0 && EnvironmentOr("NO_COLOR", "").empty() &&
         EnvironmentOr("TERM", "") != "dumb";
}

}  // namespace

std::string ForTerminal(const Report& report) {
  return HasColors() ? WriteColoredTerminal(report, OutputColumns())
                     : WriteTerminal(report, OutputColumns());
}

StatusOr<std::string> WriteReport(const Report& report, const Settings& settings,
                                  std::string_view verb) {
  const ReportFormat& format = FormatOf(settings);
  if (format.report != nullptr) return format.report(report, OutputColumns());
  return Status::Usage(fmt::format(
      "--format={}: is for `levelfield report`; {} takes {}", format.name, verb,
      FormatsThat([](const ReportFormat& other) { return other.report != nullptr; }, " or ")));
}

Answer ReportVerb(const Words& words) {
  ASSIGN_OR_RETURN(Settings settings, ParseSettings(words));
  RETURN_IF_ERROR(FindResults(settings.arguments));
  const ReportFormat& format = FormatOf(settings);
  RETURN_IF_ERROR(CheckFlags(format, settings));
  if (format.everything != nullptr) return format.everything(settings);
  Answer answer(format.header == nullptr ? "" : format.header());
  std::vector<Result> heads;
  for (const std::string& directory : settings.arguments) {
    Answer one = TextOf(directory, format, settings, heads);
    if (!one.status.ok()) return one;
    if (format.report == WriteMarkdown && !answer.text.empty()) answer.text += "\n";
    Append(std::move(one.text), answer.text);
    answer.exit_code = std::max(answer.exit_code, one.exit_code);
  }
  if (format.whole != nullptr) answer.text = format.whole(heads, answer.text);
  return answer;
}

}  // namespace levelfield
