#include "analysis/findings/of_comparisons.h"

#include <set>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {

std::vector<Remark> RemarksOnRows(const std::vector<Comparison>& comparisons) {
  size_t rows = 0;
  size_t disturbed = 0;
  size_t taken_from = 0;
  bool has_stalls = false;
  std::set<std::string> not_comparable;
  for (const Comparison& comparison : comparisons) {
    for (const ComparedWorkload& row : comparison.workloads) {
      if (!row.not_comparable.empty()) not_comparable.insert(row.not_comparable);
      if (!row.invalid.empty()) continue;
      ++rows;
      disturbed += row.is_disturbed ? 1 : 0;
      taken_from += row.is_much_kept ? 1 : 0;
      has_stalls = has_stalls || row.baseline_stalls != 0 || row.candidate_stalls != 0;
    }
  }
  const auto of_rows = [](size_t count) {
    return RemarkNumber{"rows", static_cast<double>(count), RemarkUnit::kRows};
  };
  std::vector<Remark> remarks;
  for (const std::string& why : not_comparable) {
    remarks.push_back(
        {.kind = RemarkKind::kSessionsNotComparable, .texts = {{"why", Printable(why)}}});
  }
  if (disturbed > 0) {
    remarks.push_back({.kind = RemarkKind::kRowsDisturbed,
                       .numbers = {{"disturbed", static_cast<double>(disturbed)}, of_rows(rows)}});
  }
  if (has_stalls) remarks.push_back({.kind = RemarkKind::kRowsWithStalls});
  if (taken_from > 0) {
    remarks.push_back({.kind = RemarkKind::kRowsTakenFrom, .numbers = {of_rows(taken_from)}});
  }
  return remarks;
}

std::vector<Remark> BuildsIn(const std::vector<Comparison>& comparisons) {
  std::vector<Remark> builds;
  for (const Comparison& comparison : comparisons) {
    for (const Remark& remark : comparison.remarks) {
      if (remark.kind == RemarkKind::kBuild) AddOnce(builds, remark);
    }
  }
  return builds;
}

}  // namespace levelfield
