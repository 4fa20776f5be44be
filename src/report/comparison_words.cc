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

Cell MicrosCell(double us) { return LatencyCell(Whole(us * 1e3)); }

std::string Pair(const Comparison& comparison) {
  return fmt::format("{} against {}", Printable(comparison.candidate),
                     Printable(comparison.baseline));
}

std::vector<std::string> NotesOf(const Comparison& comparison) {
  std::vector<std::string> notes;
  if (comparison.not_ranked) {
    notes.push_back("not ranked: " + ReportWords(*comparison.not_ranked));
  }
  for (const Remark& remark : comparison.remarks) {
    if (remark.kind != RemarkKind::kBuild) notes.push_back("note: " + ReportWords(remark));
  }
  return notes;
}

}  // namespace levelfield
