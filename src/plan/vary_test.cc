#include "plan/vary.h"

#include <string>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::vary_test {

StatusOr<std::vector<VariedSettings>> VaryWords(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status();
  return Vary(*settings);
}

std::vector<std::string> NamesOf(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  const auto all = Must(VaryWords(words));
  for (const VariedSettings& one : all) names.push_back(one.variant.name);
  return names;
}

std::string ErrorOf(const std::vector<std::string>& words) {
  return UsageErrorOf(VaryWords(words));
}

TEST(Vary, OfNothingIsTheSettingsThemselves) {
  const auto all = Must(VaryWords({"--num=5"}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.front().variant, Variant{});
  EXPECT_EQ(all.front().settings.num, 5u);
}

TEST(Vary, TakesEachValueAsIfItHadBeenGiven) {
  const auto all = Must(VaryWords({"--vary=value_size=100,1k"}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.front().settings.value_size, 100u);
  EXPECT_EQ(all.back().settings.value_size, 1024u);
  EXPECT_EQ(all.back().variant.name, "value_size=1k");
  EXPECT_EQ(all.back().variant.number, 2u);
  const std::vector<std::pair<std::string, std::string>> settings = {{"value_size", "1024"}};
  EXPECT_EQ(all.back().variant.settings, settings);
  EXPECT_TRUE(all.back().settings.given.contains("value_size"));
}

TEST(Vary, GivenTwiceIsEachCombination) {
  EXPECT_THAT(
      NamesOf({"--vary=write_buffer_size=4M,16M", "--vary=bloom_bits=0,10"}),
      ElementsAre("write_buffer_size=4M bloom_bits=0", "write_buffer_size=4M bloom_bits=10",
                  "write_buffer_size=16M bloom_bits=0", "write_buffer_size=16M bloom_bits=10"));
}

TEST(Vary, TakesAnEnginesOwnOptionInPlaceOfTheOneGiven) {
  const auto all = Must(VaryWords({"--rocksdb.block_size=8K", "--vary=rocksdb.block_size=4K,16K"}));
  const auto& options = all.back().settings.engine_options.at("rocksdb");
  ASSERT_EQ(options.size(), 1u);
  EXPECT_EQ(options.front().second, "16K");
}

TEST(Vary, SplitsAtSemicolonsWhereAValueHasCommas) {
  EXPECT_THAT(NamesOf({"--vary=durability=none;process"}),
              ElementsAre("durability=none", "durability=process"));
  EXPECT_THAT(NamesOf({"--vary=rocksdb.x=a,b;c"}), ElementsAre("rocksdb.x=a,b", "rocksdb.x=c"));
}

TEST(Vary, TakesSeveralDirectoriesOfDbForAList) {
  EXPECT_THAT(NamesOf({"--db=/a,/b"}), ElementsAre("db=/a", "db=/b"));
}

TEST(Vary, OneValueIsNoComparison) {
  const auto all = Must(VaryWords({"--vary=num=7"}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.front().variant.number, 0u);
  EXPECT_EQ(all.front().settings.num, 7u);
}

TEST(Vary, RefusesWhatIsOfTheWholeInvocation) {
  for (const char* const name : {"repeat", "results", "benchmarks", "engine", "seed", "vary"}) {
    EXPECT_THAT(ErrorOf({std::string("--vary=") + name + "=1,2"}),
                HasSubstr("of the whole invocation"))
        << name;
  }
}

TEST(Vary, RefusesWhatItsFlagRefuses) {
  EXPECT_THAT(ErrorOf({"--vary=value_size=100,many"}), HasSubstr("--value_size=many"));
  EXPECT_THAT(ErrorOf({"--vary=vlaue_size=1,2"}), HasSubstr("did you mean --value_size?"));
}

TEST(Vary, SaysHowItIsWritten) {
  for (const char* const word : {"--vary=value_size", "--vary==1,2"}) {
    EXPECT_THAT(ErrorOf({word}), HasSubstr("--vary=setting=value,value")) << word;
  }
  EXPECT_THAT(ErrorOf({"--vary=num=1,,2"}), HasSubstr("an empty value"));
}

TEST(Vary, RefusesTheSameTwice) {
  EXPECT_THAT(ErrorOf({"--vary=num=1,1"}), HasSubstr("twice"));
  EXPECT_THAT(ErrorOf({"--vary=num=1,2", "--vary=num=3,4"}), HasSubstr("in two places"));
  EXPECT_THAT(ErrorOf({"--vary=db=/a,/b", "--db=/a,/b"}), HasSubstr("in two places"));
}

TEST(Vary, EndsSomewhere) {
  std::string list = "1";
  for (int i = 2; i <= 201; ++i) list += "," + std::to_string(i);
  EXPECT_THAT(ErrorOf({"--vary=num=" + list}), HasSubstr("more than 200"));
}

}  // namespace levelfield::vary_test
