#include "loop/load_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace levelfield::load_model_test {

LoadModel Poisson(uint64_t rate, uint64_t threads, uint64_t thread, uint64_t seed = 1) {
  return LoadModel({.arrival = Arrival::kPoisson,
                    .pace = {.rate = rate, .threads = threads, .thread = thread},
                    .seed = DeriveSeed(seed, "arrival", "reader", thread)});
}

// The largest distance between the distribution of the values and Exp(1), times sqrt(n). If the
// values are from Exp(1), it is below 1.628 with 99 % (Kolmogorov's distribution).
double KolmogorovSmirnov(std::vector<double> values) {
  std::ranges::sort(values);
  const auto n = static_cast<double>(values.size());
  double distance = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double expected = 1 - std::exp(-values[i]);
    distance = std::max({distance, std::abs(expected - static_cast<double>(i) / n),
                         std::abs(static_cast<double>(i + 1) / n - expected)});
  }
  return distance * std::sqrt(n);
}

std::vector<double> Gaps(LoadModel model, double mean_ns, size_t count) {
  std::vector<double> gaps;
  uint64_t last = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t due = model.NextDueNs();
    gaps.push_back(static_cast<double>(due - last) / mean_ns);
    last = due;
  }
  return gaps;
}

TEST(LoadModel, KeepsEveryRateWithinHalfAPercent) {
  for (const Arrival arrival : {Arrival::kPoisson, Arrival::kConstant}) {
    for (const uint64_t rate : {1'000u, 10'000u, 100'000u, 1'000'000u, 100'000'000u}) {
      LoadModel model({.arrival = arrival, .pace = {.rate = rate}, .seed = 7});
      constexpr uint64_t kOperations = 1'000'000;
      uint64_t due_ns = 0;
      for (uint64_t i = 0; i < kOperations; ++i) due_ns = model.NextDueNs();
      const double kept = static_cast<double>(kOperations) / (static_cast<double>(due_ns) * 1e-9);
      EXPECT_NEAR(kept / static_cast<double>(rate), 1, 0.005) << rate;
    }
  }
}

TEST(LoadModel, GapsOfPoissonArrivalsAreExponential) {
  for (const uint64_t rate : {50u, 10'000u, 1'000'000u}) {
    const double mean_ns = 1e9 / static_cast<double>(rate);
    EXPECT_LT(KolmogorovSmirnov(Gaps(Poisson(rate, 1, 0), mean_ns, 100'000)), 1.628) << rate;
  }
}

TEST(LoadModel, TheTestOfGapsTellsConstantAndRoundedOnesFromExponentialOnes) {
  const LoadModel constant({.arrival = Arrival::kConstant, .pace = {.rate = 1000}, .seed = 1});
  EXPECT_GT(KolmogorovSmirnov(Gaps(constant, 1e6, 1000)), 10);
  std::vector<double> rounded = Gaps(Poisson(100'000, 1, 0), 1e4, 100'000);
  for (double& gap : rounded) gap = std::floor(gap * 10) / 10;  // To whole microseconds.
  EXPECT_GT(KolmogorovSmirnov(rounded), 10);
}

TEST(LoadModel, ThreadsTogetherAreAPoissonProcessOfTheWholeRate) {
  constexpr uint64_t kThreads = 4;
  std::vector<uint64_t> due;
  for (uint64_t thread = 0; thread < kThreads; ++thread) {
    LoadModel model = Poisson(40'000, kThreads, thread);
    for (int i = 0; i < 25'000; ++i) due.push_back(model.NextDueNs());
  }
  std::ranges::sort(due);
  due.resize(90'000);  // Until the first thread runs out.
  std::vector<double> gaps;
  for (size_t i = 1; i < due.size(); ++i) {
    gaps.push_back(static_cast<double>(due[i] - due[i - 1]) / 25'000);
  }
  EXPECT_LT(KolmogorovSmirnov(gaps), 1.628);
}

TEST(LoadModel, ConstantArrivalsAreExactAndInTurn) {
  LoadModel first({.arrival = Arrival::kConstant, .pace = {.rate = 4, .threads = 2, .thread = 0}});
  LoadModel second({.arrival = Arrival::kConstant, .pace = {.rate = 4, .threads = 2, .thread = 1}});
  for (uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(first.NextDueNs(), i * 500'000'000);
    EXPECT_EQ(second.NextDueNs(), i * 500'000'000 + 250'000'000);
  }
}

TEST(LoadModel, ABatchIsDueAsSeldomAsItsEntriesAreMany) {
  for (const Arrival arrival : {Arrival::kPoisson, Arrival::kConstant}) {
    LoadModel model({.arrival = arrival, .pace = {.rate = 1'000'000, .batch = 100}, .seed = 3});
    uint64_t due_ns = 0;
    for (int i = 0; i < 100'000; ++i) due_ns = model.NextDueNs(100);
    EXPECT_NEAR(static_cast<double>(due_ns), 1e10, 1e8);
  }
}

// Between `begin` and `end`, of a curve of 1,000 a second for 2 s and 9,000 for 1 s.
size_t DueBetween(double begin_seconds, double end_seconds, Arrival arrival) {
  static const RateCurve curve = *RateCurve::Parse("1k:2s,9k:1s");
  size_t due = 0;
  for (uint64_t thread = 0; thread < 3; ++thread) {
    LoadModel model({.arrival = arrival,
                     .pace = {.rate = 9'000, .threads = 3, .thread = thread, .curve = &curve},
                     .seed = DeriveSeed(1, "arrival", "reader", thread)});
    double at = 0;
    while (at < end_seconds) {
      at = static_cast<double>(model.NextDueNs()) * 1e-9;
      due += at >= begin_seconds && at < end_seconds ? 1 : 0;
    }
  }
  return due;
}

TEST(LoadModel, ThreadsTogetherFollowACurve) {
  for (int round = 0; round < 100; round += 33) {
    const double begin = 3.0 * round;
    EXPECT_NEAR(static_cast<double>(DueBetween(begin, begin + 2, Arrival::kConstant)), 2'000, 3);
    EXPECT_NEAR(static_cast<double>(DueBetween(begin + 2, begin + 3, Arrival::kConstant)), 9'000,
                3);
    // Five standard deviations.
    EXPECT_NEAR(static_cast<double>(DueBetween(begin, begin + 2, Arrival::kPoisson)), 2'000, 224);
    EXPECT_NEAR(static_cast<double>(DueBetween(begin + 2, begin + 3, Arrival::kPoisson)), 9'000,
                475);
  }
}

TEST(LoadModel, GapsInTheCurvesAreaAreExponential) {
  static const RateCurve curve = *RateCurve::Parse("sine 100..9k every 5s");
  LoadModel model(
      {.arrival = Arrival::kPoisson, .pace = {.rate = 9'000, .curve = &curve}, .seed = 5});
  std::vector<double> gaps;
  double last = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double entries = curve.Entries(static_cast<double>(model.NextDueNs()) * 1e-9);
    gaps.push_back(entries - last);
    last = entries;
  }
  EXPECT_LT(KolmogorovSmirnov(gaps), 1.628);
}

TEST(LoadModel, SchedulesAreTheSameForTheSameSeedAndOthersForOthers) {
  EXPECT_EQ(Poisson(1000, 2, 0).NextDueNs(), Poisson(1000, 2, 0).NextDueNs());
  EXPECT_NE(Poisson(1000, 2, 0).NextDueNs(), Poisson(1000, 2, 1).NextDueNs());
  EXPECT_NE(Poisson(1000, 2, 0, 1).NextDueNs(), Poisson(1000, 2, 0, 2).NextDueNs());
}

}  // namespace levelfield::load_model_test
