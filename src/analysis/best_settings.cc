#include "analysis/best_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "settings/settings.h"

namespace levelfield {

std::optional<double> RateIn(const TriedSetting& tried, const std::string& workload) {
  const auto rate =
      std::ranges::find(tried.rates, workload, &std::pair<std::string, double>::first);
  return rate == tried.rates.end() ? std::nullopt : std::optional(rate->second);
}

namespace {

double TimesAsFast(const TriedSetting& tried, const TriedSetting& equal) {
  double sum = 0;
  for (const auto& [workload, rate] : equal.rates) {
    const std::optional<double> its = RateIn(tried, workload);
    if (!its) return 0;
    sum += std::log(*its / rate);
  }
  return equal.rates.empty() ? 0 : std::exp(sum / static_cast<double>(equal.rates.size()));
}

}  // namespace

double TimesEqual(const std::vector<TriedSetting>& all, const TriedSetting& tried) {
  const auto equal = std::ranges::find_if(all, [&](const TriedSetting& one) {
    return one.engine == tried.engine && one.name == kEqual;
  });
  return equal == all.end() ? 0 : TimesAsFast(tried, *equal);
}

void ChooseBest(std::vector<TriedSetting>& tried, double margin) {
  for (TriedSetting& equal : tried) {
    if (equal.name != kEqual) continue;
    TriedSetting* best = &equal;
    double most = 1 + margin;
    for (TriedSetting& other : tried) {
      if (other.engine != equal.engine) continue;
      const double times = TimesAsFast(other, equal);
      if (times <= most) continue;
      most = times;
      best = &other;
    }
    best->chosen = true;
  }
}

std::string TurnsWith(const std::vector<TriedSetting>& tried, const std::string& winner,
                      const std::string& loser, const std::string& workload, double lead,
                      double margin) {
  const auto chosen_of = [&](const std::string& engine) {
    return std::ranges::find_if(
        tried, [&](const TriedSetting& one) { return one.engine == engine && one.chosen; });
  };
  const auto times = [&](const TriedSetting& one, const TriedSetting& other) {
    const std::optional<double> rate = RateIn(one, workload);
    const std::optional<double> of_other = RateIn(other, workload);
    return rate && of_other ? *rate / *of_other : 1;
  };
  const auto of_winner = chosen_of(winner);
  const auto of_loser = chosen_of(loser);
  for (const TriedSetting& one : tried) {
    const bool is_winners = of_winner != tried.end() && one.engine == winner;
    if (is_winners && one.name == kEqual && lead * times(one, *of_winner) < 1 + margin) {
      return fmt::format("turns with {}.{}", winner, of_winner->name);
    }
    const bool is_losers = of_loser != tried.end() && one.engine == loser;
    if (!is_losers || lead / times(one, *of_loser) >= 1 + margin) continue;
    return one.name == kEqual ? fmt::format("turns without {}.{}", loser, of_loser->name)
                              : fmt::format("turns with {}.{}", loser, one.name);
  }
  return "";
}

}  // namespace levelfield
