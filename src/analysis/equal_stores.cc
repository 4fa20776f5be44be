#include "analysis/equal_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace levelfield {
namespace {

double ShareOf(const Held& held) {
  return static_cast<double>(held.entries) / static_cast<double>(std::max<uint64_t>(held.of, 1));
}

}  // namespace

std::optional<Held> HeldIn(const Series& series, size_t place) {
  std::vector<Held> rounds;
  for (const RunResult* const run : series.rounds) {
    const PhaseResult* const phase = PhaseAt(*run, place);
    if (phase != nullptr && phase->outcome == Outcome::kOk && phase->held) {
      rounds.push_back(*phase->held);
    }
  }
  if (rounds.empty()) return std::nullopt;
  const auto middle = rounds.begin() + static_cast<ptrdiff_t>((rounds.size() - 1) / 2);
  std::ranges::nth_element(rounds, middle, {}, ShareOf);
  return *middle;
}

bool AreEqual(const Held& one, const Held& other) {
  constexpr double kMostApart = 0.01;
  const double share = ShareOf(one);
  const double other_share = ShareOf(other);
  return std::abs(share - other_share) <= kMostApart * std::max(share, other_share);
}

std::string WhyUnequal(const std::vector<PhaseOfSeries>& phases) {
  std::vector<Held> all;
  std::vector<std::string> texts;
  for (const auto& [series, place] : phases) {
    const std::optional<Held> held = HeldIn(*series, place);
    if (!held) continue;
    texts.push_back(fmt::format("{}'s held {} of {} entries",
                                RunName(series->sum.engine, series->sum.variant), held->entries,
                                held->of));
    all.push_back(*held);
  }
  const auto [least, most] = std::ranges::minmax_element(all, {}, ShareOf);
  if (all.size() < 2 || AreEqual(*least, *most)) return "";
  return "the stores differ: " + Joined(texts, ", ");
}

}  // namespace levelfield
