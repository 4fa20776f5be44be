#include "report/comparison_words.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quote.h"
#include "base/text.h"
#include "report/number.h"

namespace levelfield {
namespace {

// Whether readers who divide one rate by the other get another ratio: rates are medians of the
// rounds, and have three digits.
bool IsNoQuotient(const ComparedWorkload& workload) {
  constexpr double kVisible = 0.005;
  if (!workload.invalid.empty() || workload.baseline <= 0 || workload.ratio.ratio <= 0)
    return false;
  const double quotient = workload.candidate / workload.baseline;
  return std::abs(quotient / workload.ratio.ratio - 1) > kVisible;
}

}  // namespace

std::string NoiseWords(const ComparedWorkload& workload) {
  return workload.noise > 0 ? fmt::format(" (noise: {:.1f} %)", 100 * workload.noise) : "";
}

Cell MarkedRatio(const ComparedWorkload& workload) {
  Cell cell = RatioCell(workload.ratio);
  if (workload.is_disturbed) cell.text += "!";
  return cell;
}

std::string BusyWords(size_t disturbed, size_t rows) {
  return disturbed == 0 ? ""
                        : fmt::format("!: the machine was busy with other work, in {} of {}",
                                      disturbed, Plural(rows, "row"));
}

Cell MicrosCell(double us) { return LatencyCell(Whole(us * 1e3)); }

std::string Pair(const Comparison& comparison) {
  return fmt::format("{} against {}", Printable(comparison.candidate),
                     Printable(comparison.baseline));
}

std::vector<std::string> BuildWarningsOf(const std::vector<Comparison>& comparisons) {
  std::vector<std::string> warnings;
  for (const Comparison& comparison : comparisons) {
    for (const std::string& warning : comparison.build_warnings) {
      AddOnce(warnings, Printable(warning));
    }
  }
  return warnings;
}

std::vector<std::string> NotesOf(const Comparison& comparison) {
  std::vector<std::string> notes;
  if (!comparison.not_ranked.empty()) {
    notes.push_back("not ranked: " + Printable(comparison.not_ranked));
  }
  for (const std::string& note : comparison.notes) notes.push_back("note: " + Printable(note));
  return notes;
}

std::string QuotientWords(const std::vector<Comparison>& comparisons) {
  bool is_any = false;
  bool in_slices = false;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.paired) continue;
    for (const ComparedWorkload& workload : comparison.workloads) {
      if (!IsNoQuotient(workload)) continue;
      is_any = true;
      in_slices = in_slices || workload.in_slices;
    }
  }
  if (!is_any) return "";
  return fmt::format(
      "The ratio need not be the quotient of the two rates: those are medians, and it is the mean "
      "of the rounds' ratios.{}",
      in_slices ? " In slices it leaves out waiting for a processor, and the highest and lowest "
                  "fifth of the blocks."
                : "");
}

}  // namespace levelfield
