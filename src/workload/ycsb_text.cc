#include "workload/ycsb_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace levelfield {
namespace {

constexpr const char* kAccepted =
    "`ycsb N% read, N% update, N% insert, N% scan, N% rmw`, each at most once, of together 100%";

std::string_view WithoutBlanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string ReadYcsbMix(std::string_view text, YcsbPlan& plan) {
  plan.read = 0;
  const std::pair<std::string_view, double*> shares[] = {{"read", &plan.read},
                                                         {"update", &plan.update},
                                                         {"insert", &plan.insert},
                                                         {"scan", &plan.scan},
                                                         {"rmw", &plan.modify}};
  double sum = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view part = WithoutBlanks(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t sign = part.find('%');
    if (sign == std::string_view::npos) return kAccepted;
    double percent = 0;
    const auto [behind, error] = std::from_chars(part.data(), part.data() + sign, percent);
    if (error != std::errc() || behind != part.data() + sign || !(percent > 0 && percent <= 100)) {
      return kAccepted;
    }
    const auto* const share = std::ranges::find(shares, WithoutBlanks(part.substr(sign + 1)),
                                                [](const auto& pair) { return pair.first; });
    if (share == std::end(shares) || *share->second != 0) return kAccepted;
    *share->second = percent / 100;
    sum += percent;
  }
  return std::abs(sum - 100) < 1e-9 ? "" : kAccepted;
}

}  // namespace levelfield
