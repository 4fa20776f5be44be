// coverage_probe: how often verdicts from few rounds are right, by drawing such rounds from many
// that were recorded. Reads lines of
//     ROW LOGARITHM
// the logarithm of the ratio of one recorded round each, and draws 10,000 times so many rounds of a
// row, with replacement. Prints for each row and number of rounds in per cent of the draws how often
//     covered   Student's interval holds the mean of all that were recorded,
//     apart     the verdict is faster or slower. In a row of a thing and itself that is false,
//     3 %, 10 % such a slowdown of a thing that is otherwise the same is called slower.
// All of it by the functions that `levelfield compare` uses.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

constexpr int kDraws = 10'000;
constexpr size_t kRounds[] = {6, 8, 10, 24};

struct Shares {
  int covered = 0;
  int apart = 0;
  int found_3 = 0;
  int found_10 = 0;
};

RateRatio Shifted(const std::vector<double>& drawn, double by) {
  std::vector<double> shifted = drawn;
  for (double& logarithm : shifted) logarithm += by;
  return CompareRounds(shifted);
}

Shares SharesOf(const std::vector<double>& recorded, size_t rounds, Random& random) {
  const double mean = std::accumulate(recorded.begin(), recorded.end(), 0.0) /
                      static_cast<double>(recorded.size());
  const auto is_slower = [](const RateRatio& ratio) {
    return Judge(ratio, 0, 0) == Verdict::kSlower;
  };
  Shares shares;
  std::vector<double> drawn(rounds);
  for (int i = 0; i < kDraws; ++i) {
    for (double& logarithm : drawn) logarithm = recorded[random.Below(recorded.size())];
    const RateRatio ratio = CompareRounds(drawn);
    const double truth = std::exp(mean);
    shares.covered += ratio.interval->low <= truth && truth <= ratio.interval->high ? 1 : 0;
    const Verdict verdict = Judge(ratio, 0, 0);
    shares.apart += verdict == Verdict::kSlower || verdict == Verdict::kFaster ? 1 : 0;
    shares.found_3 += is_slower(Shifted(drawn, std::log(0.97) - mean)) ? 1 : 0;
    shares.found_10 += is_slower(Shifted(drawn, std::log(0.90) - mean)) ? 1 : 0;
  }
  return shares;
}

int Main() {
  std::map<std::string, std::vector<double>> rows;
  std::string row;
  double logarithm = 0;
  while (std::cin >> row >> logarithm) rows[row].push_back(logarithm);
  Random random(1);
  fmt::print("{:44} {:>8} {:>6} {:>8} {:>6} {:>6} {:>6}\n", "row", "recorded", "rounds", "covered",
             "apart", "3 %", "10 %");
  const auto percent = [](int count) { return fmt::format("{:.1f}", 100.0 * count / kDraws); };
  for (const auto& [name, recorded] : rows) {
    for (const size_t rounds : kRounds) {
      const Shares shares = SharesOf(recorded, rounds, random);
      fmt::print("{:44} {:>8} {:>6} {:>8} {:>6} {:>6} {:>6}\n", name, recorded.size(), rounds,
                 percent(shares.covered), percent(shares.apart), percent(shares.found_3),
                 percent(shares.found_10));
    }
  }
  return 0;
}

}  // namespace
}  // namespace levelfield

int main() { return levelfield::Main(); }
