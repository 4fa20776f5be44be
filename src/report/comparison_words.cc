#include "report/comparison_words.h"

#include <fmt/format.h>

#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {

std::string NoiseWords(const ComparedWorkload& workload) {
  return workload.noise > 0 ? fmt::format(" (noise: {:.1f} %)", 100 * workload.noise) : "";
}

std::string StallWords(const ComparedWorkload& workload) {
  if (workload.baseline_stalls == 0 && workload.candidate_stalls == 0) return "";
  return fmt::format("; stalls: {} against {}", workload.candidate_stalls,
                     workload.baseline_stalls);
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

std::string KeptWords(size_t rows) {
  return fmt::format(
      "In {} others had the processors for over 10 % of the time of one, or for 2 % more than of "
      "the other: unresolved",
      Plural(rows, "row"));
}

}  // namespace levelfield
