#include "engine/options.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::options_test {

EngineDescription Rocks() {
  EngineDescription engine;
  engine.name = "rocks";
  engine.options = {{"cache_size", LF_BYTES, "8M", {}, "Of the cache."},
                    {"bloom_bits", LF_COUNT, "0", {}, "For each key."},
                    {"compression", LF_CHOICE, "none", {"none", "snappy", "zstd"}, "Of blocks."},
                    {"block_size", LF_ABSENT, "", {}, "Its blocks are pages."},
                    {"direct_reads", LF_FLAG, "0", {}, "Past the page cache."},
                    {"comment", LF_TEXT, "-", {}, "Anything."}};
  return engine;
}

void ExpectMistake(const GivenOptions& given, const std::string& flag, const std::string& what) {
  EXPECT_THAT(UsageErrorOf(ResolveEngineSettings(Rocks(), given)),
              AllOf(HasSubstr(flag), HasSubstr(what)));
}

TEST(ResolveEngineSettings, MakesEachTextCanonicalByItsKind) {
  const auto resolved = Must(ResolveEngineSettings(
      Rocks(),
      {.common = {{"cache_size", "64M"}, {"compression", "zstd"}},
       .own = {{"bloom_bits", "1e1"}, {"direct_reads", "yes"}, {"comment", "as typed: 64M"}}}));
  EXPECT_THAT(resolved.settings,
              ElementsAre(Pair("bloom_bits", "10"), Pair("direct_reads", "1"),
                          Pair("comment", "as typed: 64M"), Pair("cache_size", "67108864"),
                          Pair("compression", "zstd")));
  EXPECT_THAT(resolved.not_applied, IsEmpty());
}

TEST(ResolveEngineSettings, WhatIsAskedOfThisEngineWinsOverWhatIsAskedOfAll) {
  const auto resolved = Must(ResolveEngineSettings(
      Rocks(), {.common = {{"cache_size", "1M"}}, .own = {{"cache_size", "2M"}}}));
  EXPECT_THAT(resolved.settings, ElementsAre(Pair("cache_size", "2097152")));
}

TEST(ResolveEngineSettings, AnEngineThatKnowsMoreThanItsTableGetsTheRestAsTyped) {
  EngineDescription engine = Rocks();
  engine.capabilities = LF_MORE_OPTIONS;
  const auto resolved = Must(ResolveEngineSettings(
      engine, {.common = {{"cache_size", "1M"}}, .own = {{"ttl", "64M"}, {"bloom_bits", "1e1"}}}));
  EXPECT_THAT(resolved.settings, ElementsAre(Pair("ttl", "64M"), Pair("bloom_bits", "10"),
                                             Pair("cache_size", "1048576")));
  for (const GivenOptions& given :
       std::vector<GivenOptions>{{.common = {{"ttl", "1"}}},  // Asked of all engines.
                                 {.own = {{"durability", "none"}}},
                                 {.own = {{"expected_keys", "1"}}},
                                 {.own = {{"ttl", "1"}, {"ttl", "2"}}},
                                 {.own = {{"ttl", std::string("1\0", 2)}}}}) {
    EXPECT_FALSE(ResolveEngineSettings(engine, given).ok());
  }
}

TEST(ResolveEngineSettings, ACommonOptionThatTheEngineLacksIsToldWithItsReason) {
  const auto resolved = Must(ResolveEngineSettings(Rocks(), {.common = {{"block_size", "4k"}}}));
  EXPECT_THAT(resolved.settings, IsEmpty());
  EXPECT_THAT(resolved.not_applied, ElementsAre(Pair("block_size", "Its blocks are pages.")));
}

TEST(ResolveEngineSettings, DoingWithoutWhatTheEngineLacksIsNotTold) {
  for (const char* const without : {"none", "0"}) {
    const auto resolved =
        Must(ResolveEngineSettings(Rocks(), {.common = {{"block_size", without}}}));
    EXPECT_THAT(resolved.not_applied, IsEmpty());
  }
  EXPECT_THAT(ResolveEngineSettings(Rocks(), {})->settings, IsEmpty());
}

TEST(ResolveEngineSettings, AnOwnOptionThatTheEngineLacksIsAMistake) {
  ExpectMistake({.own = {{"block_size", "4k"}}}, "--rocks.block_size=4k", "Its blocks are pages.");
}

TEST(ResolveEngineSettings, AnUnknownOptionIsRefusedWithTheNearestName) {
  ExpectMistake({.own = {{"dircet_reads", "1"}}}, "--rocks.dircet_reads",
                "did you mean --rocks.direct_reads?");
  ExpectMistake({.common = {{"cache_szie", "1"}}}, "--cache_szie", "did you mean --cache_size?");
  ExpectMistake({.own = {{"wholly_else", "1"}}}, "--rocks.wholly_else",
                "it has cache_size, bloom_bits");
}

TEST(ResolveEngineSettings, ATextThatItsKindDoesNotTakeIsRefused) {
  ExpectMistake({.common = {{"cache_size", "64Q"}}}, "--cache_size=64Q", "1024");
  ExpectMistake({.own = {{"bloom_bits", "10k5"}}}, "--rocks.bloom_bits=10k5", "1000");
  ExpectMistake({.own = {{"direct_reads", "maybe"}}}, "--rocks.direct_reads=maybe", "yes");
  ExpectMistake({.common = {{"compression", "zst"}}}, "--compression=zst",
                "none, snappy, zstd; did you mean zstd?");
  ExpectMistake({.common = {{"compression", "ZSTD"}}}, "--compression=ZSTD", "one of");
  ExpectMistake({.own = {{"comment", std::string("a\0b", 3)}}}, "--rocks.comment=a?b", "NUL");
  ExpectMistake({.own = {{"comment", std::string(5000, 'x')}}}, "...", "4096");
}

TEST(ResolveEngineSettings, ANameGivenTwiceIsRefused) {
  ExpectMistake({.own = {{"bloom_bits", "1"}, {"bloom_bits", "2"}}}, "--rocks.bloom_bits", "twice");
  ExpectMistake({.common = {{"cache_size", "1"}, {"cache_size", "1"}}}, "--cache_size", "twice");
}

TEST(ResolveEngineSettings, WhatNobodyHasTypedIsNamedAmongWhatIsHandedOn) {
  const auto resolved = Must(ResolveEngineSettings(
      Rocks(), {.common = {{"cache_size", "64M"}, {"block_size", "4k"}, {"bloom_bits", "10"}},
                .own = {{"direct_reads", "1"}},
                .defaults = {"cache_size", "block_size", "direct_reads"}}));
  EXPECT_EQ(resolved.defaults, "direct_reads,cache_size") << "it has no blocks";
  ExpectMistake({.own = {{"defaults", "1"}}}, "--rocks.defaults", "no such option");
}

TEST(WithAlternatives, ThoseOfTheClassAreDefaultsThatGiveWayWhole) {
  EngineDescription engine;
  engine.alternatives = {{"equal", "block_size=8K bloom_bits=10", "process", "", ""},
                         {"equal", "cache_size=1M", "process,synced", "", ""},
                         {"large", "cache_size=1G", "process", "", ""}};
  const auto own = [&](std::vector<std::string> names, const std::string& durability,
                       const SettingList& common = {}) {
    std::string words;
    const GivenOptions given = WithAlternatives(engine, names, durability, {.common = common});
    for (const auto& [name, value] : given.own) words += name + "=" + value + " ";
    EXPECT_EQ(given.defaults.size(), given.own.size());
    return words;
  };
  EXPECT_EQ(own({"equal"}, "process"), "block_size=8K bloom_bits=10 cache_size=1M ");
  EXPECT_EQ(own({"equal"}, "synced"), "cache_size=1M ");
  EXPECT_EQ(own({"large", "equal"}, "process"), "cache_size=1G block_size=8K bloom_bits=10 ");
  EXPECT_EQ(own({"equal"}, "process", {{"bloom_bits", "5"}}), "cache_size=1M ");
  EXPECT_EQ(own({}, "process"), "");
}

TEST(ResolveEngineSettings, TheHintOfDefaultsIsNoSetting) {
  EXPECT_THAT(WithoutHints({{"cache_size", "1"}, {"defaults", "cache_size"}}),
              ElementsAre(std::pair<std::string, std::string>("cache_size", "1")));
}

}  // namespace levelfield::options_test
