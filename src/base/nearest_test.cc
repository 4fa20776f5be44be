#include "base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace levelfield {
namespace {

const std::vector<std::string> kNames = {"cache_size", "block_size", "bloom_bits", "compression",
                                         "max_open_files"};

TEST(EditDistance, CountsEachKindOfSlipOnce) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("cache", "cahe"), 1u);
  EXPECT_EQ(EditDistance("cache", "caache"), 1u);
  EXPECT_EQ(EditDistance("cache", "cacke"), 1u);
  EXPECT_EQ(EditDistance("cache", "cahce"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
}

TEST(NearestName, FindsWhatWasMistyped) {
  EXPECT_EQ(NearestName("cach_size", kNames), "cache_size");
  EXPECT_EQ(NearestName("bolck_size", kNames), "block_size");
  EXPECT_EQ(NearestName("compresion", kNames), "compression");
  EXPECT_EQ(NearestName("max-open-files", kNames), "max_open_files");
  EXPECT_EQ(NearestName("bloom_bits", kNames), "bloom_bits");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(NearestName("threads", kNames), "");
  EXPECT_EQ(NearestName("", kNames), "");
  EXPECT_EQ(NearestName("x", std::vector<std::string>{"y"}), "");
  EXPECT_EQ(NearestName("cache_size", std::vector<std::string>{}), "");
  EXPECT_EQ(NearestName(std::string(100000, 'c'), kNames), "");
}

TEST(NearestName, TakesTheFirstOfThoseThatTie) {
  EXPECT_EQ(NearestName("cat", std::vector<std::string>{"bat", "rat"}), "bat");
}

}  // namespace
}  // namespace levelfield
