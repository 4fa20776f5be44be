// --key_distribution and what goes with it, in the plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/plan.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;

std::string Refusal(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status().message();
  const auto phases = PlanPhases(*settings);
  return phases.ok() ? "" : phases.status().message();
}

TEST(Distributions, TakeThePlaceOfUniformDrawsOfReaders) {
  const auto role = [](std::vector<std::string> words) {
    const auto settings = ParseSettings(words);
    const auto phases = PlanPhases(*settings);
    EXPECT_TRUE(phases.ok()) << phases.status().message();
    return phases->back().workload.roles.front();
  };
  const Role zipf =
      role({"--benchmarks=readrandom", "--key_distribution=zipf", "--zipf_exponent=1.25"});
  EXPECT_EQ(zipf.order, KeyOrder::kSkewed);
  EXPECT_EQ(zipf.distribution.kind, KeyDistributionPlan::Kind::kZipf);
  EXPECT_EQ(zipf.distribution.exponent, 1.25);
  EXPECT_TRUE(zipf.scattered);
  const Role hot = role({"--benchmarks=seekrandom", "--key_distribution=hotspot",
                         "--contiguous_hot_keys", "--hot_keys=0.1", "--hot_requests=0.7"});
  EXPECT_EQ(hot.distribution.hot_keys, 0.1);
  EXPECT_EQ(hot.distribution.hot_requests, 0.7);
  EXPECT_FALSE(hot.scattered);
  EXPECT_EQ(role({"--benchmarks=readrandom"}).order, KeyOrder::kUniform);
  EXPECT_EQ(role({"--benchmarks=overwrite", "--key_distribution=zipf"}).order, KeyOrder::kShuffled);
}

TEST(Distributions, ThatContradictOthersAreRefused) {
  EXPECT_THAT(Refusal({"--key_distribution=zipff"}), HasSubstr("did you mean 'zipf'?"));
  EXPECT_THAT(Refusal({"--ycsb_requests=x"}), HasSubstr("--ycsb_requests=x"));
  EXPECT_THAT(Refusal({"--ycsb_key_order=random"}), HasSubstr("hashed or ordered"));
  EXPECT_THAT(Refusal({"--key_distribution=zipf", "--read_random_exp_range=8"}),
              HasSubstr("leave one out"));
  EXPECT_THAT(Refusal({"--key_distribution=zipf", "--compat=exact"}),
              HasSubstr("no --key_distribution"));
  EXPECT_THAT(
      Refusal({"--key_distribution=zipf", "--multiread_stride=2", "--benchmarks=multireadrandom"}),
      HasSubstr("stride"));
  EXPECT_THAT(Refusal({"--zipf_exponent=-1"}), HasSubstr("--zipf_exponent"));
  EXPECT_THAT(Refusal({"--hot_keys=1.5"}), HasSubstr("--hot_keys"));
}

}  // namespace
}  // namespace levelfield
