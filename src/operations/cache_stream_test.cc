#include "operations/cache_stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace levelfield::cache_stream_test {

CacheBenchSettings SettingsWith(uint64_t max_key) {
  CacheBenchSettings settings;
  settings.max_key = max_key;
  settings.percent = {0, 40, 0, 50, 10};
  return settings;
}

struct Drawn {
  std::vector<uint64_t> keys;
  std::array<uint64_t, kCacheOperations> counts = {};
};

Drawn Draw(const CacheBenchSettings& settings, uint64_t thread, uint64_t count) {
  OperationStream stream(settings, thread);
  StreamBlock block;
  Drawn drawn;
  for (uint64_t left = count; left > 0; left -= block.count) {
    stream.Fill(left, block);
    drawn.keys.insert(drawn.keys.end(), block.keys.begin(), block.keys.begin() + block.count);
    for (size_t i = 0; i < block.count; ++i) {
      ++drawn.counts[static_cast<size_t>(block.operations[i])];
    }
  }
  return drawn;
}

// The program of 2014 ran 40/60/0 when it was asked for 40/50/10.
TEST(OperationStream, HasTheMixThatWasAskedForErasesIncluded) {
  const Drawn drawn = Draw(SettingsWith(1000), 0, 100'001);
  ASSERT_EQ(drawn.keys.size(), 100'001u);
  EXPECT_NEAR(static_cast<double>(drawn.counts[1]), 40'000, 800);
  EXPECT_NEAR(static_cast<double>(drawn.counts[3]), 50'000, 800);
  EXPECT_NEAR(static_cast<double>(drawn.counts[4]), 10'000, 500);
  EXPECT_EQ(drawn.counts[0] + drawn.counts[2], 0u);
}

TEST(OperationStream, IsTheSameAgainAndAnotherForEachThreadAndSeed) {
  CacheBenchSettings settings = SettingsWith(uint64_t{1} << 30);
  const Drawn first = Draw(settings, 0, 1000);
  EXPECT_EQ(Draw(settings, 0, 1000).keys, first.keys);
  EXPECT_NE(Draw(settings, 1, 1000).keys, first.keys);
  settings.seed = 1;
  EXPECT_NE(Draw(settings, 0, 1000).keys, first.keys);
}

TEST(OperationStream, EveryDistributionStaysWithinTheKeysAndReachesThemAll) {
  for (const uint64_t max_key : {1u, 2u, 7u, 64u}) {
    for (const bool skewed : {false, true}) {
      CacheBenchSettings settings = SettingsWith(max_key);
      settings.skewed = skewed;
      const Drawn drawn = Draw(settings, 3, 20'000);
      EXPECT_EQ(std::set<uint64_t>(drawn.keys.begin(), drawn.keys.end()).size(), max_key) << skewed;
      EXPECT_LT(*std::ranges::max_element(drawn.keys), max_key);
    }
  }
}

// The least of n draws from 0 to 1 is 1 / (n + 1) on average.
TEST(OperationStream, SkewDrawsTheLeastOfSeveral) {
  CacheBenchSettings settings = SettingsWith(1'000'000);
  settings.skew = 5;
  const Drawn drawn = Draw(settings, 0, 50'000);
  double sum = 0;
  for (const uint64_t key : drawn.keys) sum += static_cast<double>(key);
  EXPECT_NEAR(sum / 50'000, 1'000'000.0 / 7, 3000);
}

TEST(PayloadValue, KnowsItsKeyByBothEnds) {
  for (const size_t bytes : {8u, 10u, 16u, 100u, 8192u}) {
    CacheBenchSettings settings;
    settings.value_bytes = bytes;
    settings.compressible_to_ratio = 0.5;
    PayloadValue values(settings, 1);
    char* const value = static_cast<char*>(values.Make(5));
    EXPECT_TRUE(values.IsOf(value, 5)) << bytes;
    EXPECT_FALSE(values.IsOf(value, 6)) << bytes;
    value[bytes >= 16 ? bytes - 1 : 7] ^= 1;
    EXPECT_FALSE(values.IsOf(value, 5)) << bytes;
    PayloadValue::Discard(value);
  }
}

}  // namespace levelfield::cache_stream_test
