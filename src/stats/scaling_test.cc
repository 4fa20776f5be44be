#include "stats/scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace levelfield::scaling_test {

constexpr uint64_t kThreads[] = {1, 2, 4, 8, 16, 32};

double Law(double lambda, double sigma, double kappa, double n) {
  return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
}

std::vector<ScalingPoint> PointsOf(double sigma, double kappa, double noise, uint64_t seed) {
  Random random(seed);
  std::vector<ScalingPoint> points;
  for (const uint64_t n : kThreads) {
    // Twelve uniform numbers are as good as normal here.
    double normal = -6;
    for (int i = 0; i < 12; ++i) normal += static_cast<double>(random.Below(1 << 20)) / (1 << 20);
    points.push_back({n, Law(50'000, sigma, kappa, static_cast<double>(n)) * (1 + noise * normal)});
  }
  return points;
}

TEST(Scaling, OfPointsOnTheLawIsTheLaw) {
  const auto fit = FitScaling(PointsOf(0.05, 0.002, 0, 1));
  ASSERT_TRUE(fit.ok());
  EXPECT_NEAR(fit->lambda, 50'000, 1e-3);
  EXPECT_NEAR(fit->sigma, 0.05, 1e-9);
  EXPECT_NEAR(fit->kappa, 0.002, 1e-9);
  ASSERT_TRUE(fit->peak_threads);
  EXPECT_NEAR(*fit->peak_threads, std::sqrt(0.95 / 0.002), 1e-6);
  EXPECT_NEAR(fit->RateOf(8), Law(50'000, 0.05, 0.002, 8), 1e-3);
}

TEST(Scaling, ThatIsLinearHasNeitherContentionNorAPeakThatMatters) {
  const auto fit = FitScaling(PointsOf(0, 0, 0, 1));
  ASSERT_TRUE(fit.ok());
  EXPECT_NEAR(fit->sigma, 0, 1e-9);
  EXPECT_NEAR(fit->kappa, 0, 1e-9);
}

TEST(Scaling, IntervalsHoldTheTruthInAbout95Of100Cases) {
  int sigma_held = 0;
  int kappa_held = 0;
  constexpr int kCases = 400;
  for (int i = 0; i < kCases; ++i) {
    const auto fit = FitScaling(PointsOf(0.05, 0.002, 0.02, static_cast<uint64_t>(i) + 10));
    ASSERT_TRUE(fit.ok());
    sigma_held += fit->sigma_interval.low <= 0.05 && 0.05 <= fit->sigma_interval.high;
    kappa_held += fit->kappa_interval.low <= 0.002 && 0.002 <= fit->kappa_interval.high;
  }
  EXPECT_GE(sigma_held, kCases * 92 / 100);
  EXPECT_GE(kappa_held, kCases * 92 / 100);
  EXPECT_LE(sigma_held, kCases * 98 / 100);
}

TEST(Scaling, OfFourNumbersOfThreadsIsRefused) {
  const std::vector<ScalingPoint> points = {{1, 10}, {2, 19}, {4, 36}, {8, 60}, {8, 61}};
  const auto fit = FitScaling(points);
  ASSERT_FALSE(fit.ok());
  EXPECT_NE(fit.status().message().find("4 different numbers"), std::string::npos);
}

}  // namespace levelfield::scaling_test
