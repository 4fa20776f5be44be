#include "workload/file/key_text.h"

#include <map>
#include <optional>

#include "base/text.h"
#include "workload/file/numbers.h"

namespace levelfield {
namespace {

bool ReadSkewed(std::string_view text, Role& role) {
  constexpr std::string_view kContiguous = " contiguous";
  const bool is_contiguous = text.ends_with(kContiguous);
  if (is_contiguous) text.remove_suffix(kContiguous.size());
  const auto kind = DistributionKindOf(text);
  if (!kind || (is_contiguous && !IsScattered(*kind))) return false;
  role.order = KeyOrder::kSkewed;
  role.distribution.kind = *kind;
  role.scattered = IsScattered(*kind) && !is_contiguous;
  return true;
}

}  // namespace

std::string ReadKeys(std::string_view text, bool ycsb_ordered, Role& role, Section& section) {
  constexpr std::string_view kFirst = " of the first ";
  if (const size_t at = text.find(kFirst); at != std::string_view::npos) {
    std::string_view percent = text.substr(at + kFirst.size());
    if (!percent.ends_with('%')) return "`of the first N%`";
    percent.remove_suffix(1);
    const std::optional<uint64_t> number = Digits(percent);
    if (!number || *number == 0 || *number > 100) return "`of the first N%`, N from 1 to 100";
    section.first_percent = *number;
    text = text.substr(0, at);
  }
  constexpr std::string_view kMissing = " missing";
  if (text.ends_with(kMissing)) {
    role.missing = true;
    text.remove_suffix(kMissing.size());
  }
  constexpr std::string_view kCut = " cut";
  if (text.ends_with(kCut)) {
    role.cut = true;
    text.remove_suffix(kCut.size());
  }
  static const std::map<std::string_view, KeyOrder> orders = {
      {"none", KeyOrder::kNone},         {"sequential", KeyOrder::kSequential},
      {"shuffled", KeyOrder::kShuffled}, {"uniform", KeyOrder::kUniform},
      {"drawn", KeyOrder::kUniform},     {"forward", KeyOrder::kForward}};
  if (text == "$ycsb_key_order") text = ycsb_ordered ? "sequential" : "shuffled";
  const auto it = orders.find(text);
  if (it == orders.end()) {
    if (ReadSkewed(text, role)) return "";
    return "none, sequential, shuffled, uniform, drawn, forward, zipf, ycsb-zipf, latest, "
           "hotspot or exponential, and perhaps `contiguous`, `missing`, `cut` or `of the first "
           "N%`";
  }
  role.order = it->second;
  section.drawn = text == "drawn";
  return "";
}

bool IsScattered(KeyDistributionPlan::Kind kind) {
  return kind == KeyDistributionPlan::Kind::kZipf || kind == KeyDistributionPlan::Kind::kHotspot;
}

}  // namespace levelfield
