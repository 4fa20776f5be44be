#include "engine/tuned.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/status_for_test.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* kHead = "author = somebody\nsource = https://example.org/manual\n";

TEST(Tuned, SettingsThatNobodyStandsForAreRefused) {
  const std::string setting = "[block_size]\nvalue = 16K\nbecause = page 3\n";
  EXPECT_TRUE(ParseTuned("ours", kHead + setting).ok());
  for (const char* const head : {"", "author = somebody\n", "source = https://example.org/manual\n",
                                 "author =\nsource = x\n"}) {
    EXPECT_THAT(ErrorOf(ParseTuned("ours", head + setting)), HasSubstr("nobody stands for"));
  }
}

TEST(Tuned, WhatIsNotUnderstoodIsRefusedWithItsLine) {
  for (const char* const text :
       {"[a]\nvalue = 1\n", "[a]\nbecause = 1\n", "[a]\nvalue = 1\nbecause = 1\nwhen = it rains\n",
        "[a]\nvalue = 1\nbecause = 1\nwhen = value > big\n", "cache = 1\n", "words\n"}) {
    EXPECT_THAT(ErrorOf(ParseTuned("ours", std::string(kHead) + text)), StartsWith("ours.tuned:"));
  }
}

TEST(Tuned, ASettingIsGivenWhereItsConditionHolds) {
  const TunedProfile profile = Must(
      ParseTuned("ours", std::string(kHead) + "[a]\nvalue = 1\nwhen = data > memory\nbecause = x\n"
                                              "[b]\nvalue = 2\nwhen = value > 204\nbecause = x\n"
                                              "[c]\nvalue = 2 x data\nbecause = x\n"));
  const auto options = [&](const TunedFor& load) {
    std::string names;
    for (const TunedSetting& setting : Apply(profile, load)) names += setting.option;
    return names;
  };
  EXPECT_EQ(options({.data_bytes = 10, .memory_bytes = 10, .value_bytes = 204}), "c");
  EXPECT_EQ(options({.data_bytes = 11, .memory_bytes = 10, .value_bytes = 204}), "ac");
  EXPECT_EQ(options({.data_bytes = 11, .memory_bytes = 10, .value_bytes = 205}), "abc");
  EXPECT_EQ(Apply(profile, {.data_bytes = 50})[1].value, "100");
}

TEST(Tuned, EveryEngineOfOursHasAProfileWithItsSource) {
  std::vector<std::string> stores;  // Engines that are no baseline.
  for (const auto& file : std::filesystem::directory_iterator(ENGINE_SOURCES)) {
    if (file.path().extension() != ".cc") continue;
    std::ifstream source(file.path());
    const std::string text{std::istreambuf_iterator<char>(source), {}};
    if (text.find("LF_FLOOR") == std::string::npos) stores.push_back(file.path().stem());
  }
  EXPECT_THAT(BuiltinTuned(), SizeIs(stores.size()));
  for (const std::string& store : stores) EXPECT_TRUE(TunedOf(store + "@1.2").ok()) << store;
  for (const auto& [engine, text] : BuiltinTuned()) {
    const TunedProfile profile = Must(TunedOf(std::string(engine) + "@1.2"));
    EXPECT_THAT(profile.source, StartsWith("http")) << engine;
  }
  EXPECT_FALSE(TunedOf("stub").ok());
}

}  // namespace
}  // namespace levelfield
