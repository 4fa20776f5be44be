#include <fmt/format.h>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/messages.h"
#include "plan/plan_for_test.h"

namespace levelfield::plan_test {

TEST(Plan, AStoreIsLoadedBeforeTheFirstWorkloadThatNeedsIt) {
  EXPECT_THAT(PlannedNames({"--benchmarks=readrandom"}),
              ElementsAre("fillrandom (load)", "readrandom"));
  EXPECT_THAT(PlannedNames({"--benchmarks=readrandom,readseq"}),
              ElementsAre("fillrandom (load)", "readrandom", "readseq"));
  EXPECT_THAT(PlannedNames({"--benchmarks=fillseq,readrandom"}),
              ElementsAre("fillseq", "readrandom"));
  EXPECT_THAT(PlannedNames({"--benchmarks=overwrite"}),
              ElementsAre("fillrandom (load)", "overwrite"));
  EXPECT_THAT(PlannedNames({"--benchmarks=readseq,fillseq,readseq"}),
              ElementsAre("fillrandom (load)", "readseq", "fillseq", "readseq"));
}

TEST(Plan, TheDefaultListNeedsNothingThatItDoesNotLoadItself) {
  const std::vector<PlannedPhase> phases = Phases({});
  EXPECT_EQ(phases.size(), 18u);
  for (const PlannedPhase& phase : phases) EXPECT_FALSE(phase.implicit) << phase.workload.name;
}

TEST(Plan, AWorkloadsOwnDurabilityWinsOverTheRuns) {
  const auto phases = Phases({"--benchmarks=fillseq,fillsync", "--durability=none"});
  EXPECT_EQ(phases.at(0).durability, "none");
  EXPECT_EQ(phases.at(1).durability, "synced");
}

TEST(Plan, ReadsAreAsManyAsKeysUnlessSaid) {
  EXPECT_EQ(LastRole({"--benchmarks=readrandom", "--num=7"}).operations, 7u);
  EXPECT_EQ(LastRole({"--benchmarks=readrandom", "--num=7", "--reads=3"}).operations, 3u);
}

TEST(Plan, AWorkloadFileIsReadByItsPathAndItsMistakesAreNamedByLine) {
  const std::vector<std::string> words = {"--benchmarks=a/mine.workload"};
  Facts facts;
  WorkloadFacts& file = facts.workloads.emplace_back(WorkloadFacts{.path = "a/mine.workload"});
  file.name = "mine";
  file.text =
      "summary = s\nfamily = f\nneeds = any store\n[r]\nop = get\nkeys = uniform\n"
      "stop = after $reads operations\n";
  EXPECT_THAT(PlannedNames(words, facts), ElementsAre("mine"));
  file.text = "summary = s\nfamily = f\n[r]\nopp = get\n";
  EXPECT_THAT(Refusal(words, facts), AllOf(HasSubstr("line 4"), HasSubstr("did you mean 'op'?")));
  file.found = ReadWorkloadFile("/nowhere/mine.workload").status();
  EXPECT_THAT(Refusal(words, facts), HasSubstr("/nowhere/mine.workload"));
}

const std::vector<std::string> kFound = {"leveldb", "leveldb@system", "lmdb",    "memory",
                                         "null",    "rocksdb",        "sqlite3", "stub"};
const std::vector<std::string> kByName = {"stub"};

std::vector<std::string> Engines(const std::string& engine) {
  return Must(PlanEngines(With({"--engine=" + engine}), kFound, kByName));
}

TEST(Plan, AllStandsForEveryEngineButTheVariantsOfOne) {
  EXPECT_THAT(Engines("all"),
              ElementsAre("leveldb", "lmdb", "memory", "null", "rocksdb", "sqlite3"));
  EXPECT_THAT(Engines("leveldb@system,all"), ElementsAre("leveldb@system", "leveldb", "lmdb",
                                                         "memory", "null", "rocksdb", "sqlite3"));
}

TEST(Plan, AllLeavesOutWhatRunsOnlyWhereItIsNamed) {
  EXPECT_THAT(Engines("stub"), ElementsAre("stub"));
  EXPECT_THAT(Engines("all,stub"),
              ElementsAre("leveldb", "lmdb", "memory", "null", "rocksdb", "sqlite3", "stub"));
}

TEST(Plan, EnginesRunInTheOrderGivenAlsoByVersionAndPath) {
  EXPECT_THAT(Engines("rocksdb@9.10.0,rocksdb,rocksdb:/a/librocksdb.so"),
              ElementsAre("rocksdb@9.10.0", "rocksdb", "rocksdb:/a/librocksdb.so"));
}

TEST(Plan, AWorkerIsToldEverythingThroughText) {
  WorkerSpec spec;
  spec.engine = "rocksdb@11.8.1";
  spec.engine_settings = {{"cache_size", "67108864"}, {"comment", "with \"quotes\"\nand lines"}};
  spec.settings = With({"--num=9007199254740993", "--seed=18446744073709551615",
                        "--compression_ratio=0.1", "--duration=0.333", "--histogram=0", "--keep",
                        "--db=/a b/c", "--benchmarks=fillseq,readwhilewriting", "--threads=3",
                        "--rocksdb.x=1=2", "--rocksdb.a=", "--lmdb.y=--z"});
  spec.phases = Must(PlanPhases(spec.settings));
  spec.phases[1].implicit = true;
  spec.phases[1].durability = "synced";
  spec.directory = "/tmp/with \"quotes\"";
  spec.salt = 0xffffffffffffffff;

  const WorkerSpec back = Must(WorkerSpecFromText(ToText(spec)));
  EXPECT_EQ(back.engine, spec.engine);
  EXPECT_EQ(back.engine_settings, spec.engine_settings);
  EXPECT_EQ(back.settings.engine_options, spec.settings.engine_options);
  for (const Flag& flag : Flags()) {
    EXPECT_EQ(TextOf(flag, back.settings), TextOf(flag, spec.settings)) << flag.name;
  }
  ASSERT_EQ(back.phases.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(back.phases[i].source.name, spec.phases[i].source.name);
    EXPECT_EQ(back.phases[i].source.text, spec.phases[i].source.text);
    EXPECT_EQ(back.phases[i].durability, spec.phases[i].durability);
    EXPECT_EQ(back.phases[i].implicit, spec.phases[i].implicit);
    ASSERT_EQ(back.phases[i].workload.roles.size(), spec.phases[i].workload.roles.size());
    EXPECT_EQ(back.phases[i].workload.roles[0].operations,
              spec.phases[i].workload.roles[0].operations);
  }
  EXPECT_EQ(back.directory, spec.directory);
  EXPECT_EQ(back.salt, spec.salt);
}

TEST(Plan, AWorkersTextThatIsBrokenIsAnErrorAndNoCrash) {
  WorkerSpec spec;
  spec.engine = "memory";
  const std::string text = ToText(spec);
  ASSERT_TRUE(WorkerSpecFromText(text).ok());
  for (size_t length = 0; length < text.size(); length += 7) {
    EXPECT_FALSE(WorkerSpecFromText(text.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(WorkerSpecFromText("{}").ok());
  EXPECT_FALSE(WorkerSpecFromText("[1]").ok());
}

TEST(Plan, AStoreThatIsThereIsNotLoadedAgain) {
  EXPECT_THAT(PlannedNames({"--benchmarks=readrandom,overwrite", "--use_existing_db", "--db=x"}),
              ElementsAre("readrandom", "overwrite"));
}

// The shape that the flags about keys come to, or why not.
std::string Keys(std::vector<std::string> words) {
  words.push_back("--benchmarks=fillseq,readmissing");
  Settings settings = With(words);
  ResolveKeys(settings);
  const StatusOr<std::vector<PlannedPhase>> phases = PlanPhases(settings);
  if (!phases.ok()) {
    EXPECT_EQ(phases.status().kind(), ErrorKind::kUsage);
    return phases.status().message();
  }
  const KeyShape shape = KeyShapeOf(settings);
  return std::string(NameOf(shape.kind)) + " " + std::to_string(shape.size) + "," +
         std::to_string(shape.prefix);
}

TEST(Plan, TheFlagsAboutKeysComeToOneShape) {
  EXPECT_EQ(Keys({}), "decimal 16,0");
  EXPECT_EQ(Keys({"--key_format=hex", "--key_prefix=8"}), "hex 24,8");
  EXPECT_EQ(Keys({"--key_format=integer"}), "integer 8,0");
  EXPECT_EQ(Keys({"--key_format=integer", "--key_size=8"}), "integer 8,0");
  EXPECT_EQ(Keys({"--key_size=1024", "--key_prefix=1008"}), "decimal 2032,1008");
  EXPECT_THAT(Keys({"--key_format=integer", "--key_size=4"}), HasSubstr("8 bytes"));
  EXPECT_THAT(Keys({"--key_format=integer", "--key_prefix=4"}), HasSubstr("--key_prefix"));
}

TEST(Plan, KeysMayVaryInSize) {
  const auto most = [](const std::vector<std::string>& words) {
    return KeyShapeOf(With(words)).most;
  };
  EXPECT_EQ(most({}), 16u);
  EXPECT_EQ(most({"--key_size_max=64"}), 64u);
  EXPECT_EQ(most({"--key_size=8", "--key_size_max=40", "--key_prefix=4", "--key_format=hex"}), 44u);
  EXPECT_FALSE(KeyShapeOf(With({"--key_size_max=16"})).vary());
  EXPECT_EQ(Keys({"--key_size=8", "--key_size_max=40"}), "decimal 8,0");
  EXPECT_THAT(Keys({"--key_size_max=8"}), HasSubstr("is less than --key_size=16"));
  EXPECT_THAT(Keys({"--key_size_max=64", "--key_format=integer"}), HasSubstr("8 bytes"));
  EXPECT_THAT(Keys({"--key_size_max=64", "--key_format=rocksdb"}), HasSubstr("one size"));
  EXPECT_THAT(Keys({"--key_size=4", "--key_size_max=64", "--num=10001"}),
              HasSubstr("--key_size=4: keys of 4 decimal digits"));
}

// The shape that a workload file with these lines in its head fills a store with, or a refusal.
std::string OwnKeys(const std::string& head, const std::vector<std::string>& words) {
  const Settings settings = With(words);
  const auto phase = PlanPhase({.name = "own.workload",
                                .text = "summary = s\nfamily = f\nneeds = empty store\n" + head +
                                        "\n[w]\nop = put\nkeys = shuffled\nstop = after $num "
                                        "operations\n"},
                               settings, false);
  if (!phase.ok()) return phase.status().message();
  const KeyShape shape = KeyShapeOf(settings, phase->workload);
  return std::string(NameOf(shape.kind)) + " " + std::to_string(shape.size) + ".." +
         std::to_string(shape.most) + "," + std::to_string(shape.prefix);
}

TEST(Plan, AWorkloadThatFillsAStoreMaySayWhatItsKeysAre) {
  EXPECT_EQ(OwnKeys("", {}), "decimal 16..16,0");
  EXPECT_EQ(OwnKeys("", {"--key_size_max=20"}), "decimal 16..20,0");
  EXPECT_EQ(OwnKeys("key_format = hex", {}), "hex 16..16,0");
  EXPECT_EQ(OwnKeys("key_format = hex", {"--key_prefix=4", "--key_size=8"}), "hex 12..12,4");
  EXPECT_EQ(OwnKeys("key_format = decimal", {"--key_format=hex"}), "decimal 16..16,0");
  EXPECT_EQ(OwnKeys("key_format = integer", {"--key_size_max=64"}), "integer 8..8,0");
  EXPECT_EQ(OwnKeys("key_size = 16..64", {}), "decimal 16..64,0");
  EXPECT_EQ(OwnKeys("key_size = 8 .. 9", {"--key_prefix=4"}), "decimal 12..13,4");
  EXPECT_EQ(OwnKeys("key_size = 24", {"--key_size_max=64"}), "decimal 24..24,0");
  EXPECT_EQ(OwnKeys("key_size = 6..20\nkey_format = hex", {"--num=1000"}), "hex 6..20,0");
  EXPECT_EQ(OwnKeys("key_size = 6..20\nkey_format = decimal", {"--key_format=rocksdb"}),
            "decimal 6..20,0");
  EXPECT_THAT(OwnKeys("key_size = 8..20", {"--key_format=rocksdb"}), HasSubstr("one size"));
  EXPECT_THAT(OwnKeys("key_size = 16..64\nkey_format = integer", {}), HasSubstr("8 bytes"));
  EXPECT_THAT(OwnKeys("key_size = 16..9", {}), HasSubstr("LOW..HIGH"));
  EXPECT_THAT(OwnKeys("key_size = 0", {}), HasSubstr("at least 1"));
}

TEST(Plan, KeysShorterThanTheNumberNeedsAreRefused) {
  EXPECT_EQ(Keys({"--key_size=8", "--num=100M"}), "decimal 8,0");
  EXPECT_THAT(Keys({"--key_size=8", "--num=100000001"}),
              AllOf(HasSubstr("--key_size=8"), HasSubstr("100000000"), HasSubstr("100000001"),
                    HasSubstr("at least 9 digits")));
  EXPECT_EQ(Keys({"--key_size=1", "--num=10"}), "decimal 1,0");
  EXPECT_THAT(Keys({"--key_size=1", "--num=11"}), HasSubstr("at least 2 digits"));
  EXPECT_EQ(Keys({"--key_size=1", "--num=16", "--key_format=hex"}), "hex 1,0");
  EXPECT_THAT(Keys({"--key_size=1", "--num=17", "--key_format=hex"}), HasSubstr("hex"));
  EXPECT_EQ(Keys({"--num=1e16"}), "decimal 16,0");
}

TEST(Plan, MissingHexKeysLieWithinTheRangeToo) {
  for (const char* const num : {"--num=17", "--num=100", "--num=1000", "--num=4096"}) {
    const Settings settings = With({"--benchmarks=readmissing", "--key_format=hex", num});
    const std::vector<PlannedPhase> phases = *PlanPhases(settings);
    const uint64_t range = phases.back().workload.roles.front().range;
    const KeyFormat missing(KeyShapeOf(settings), range, true);
    const uint64_t index = range - 1;
    std::string key = missing.Blank();
    missing.Format(std::span(&index, 1), key.data());
    const uint64_t last = settings.num - 1;
    std::string last_key = missing.Blank();
    KeyFormat(KeyShapeOf(settings), settings.num).Format(std::span(&last, 1), last_key.data());
    EXPECT_LT(key, last_key) << num;
  }
}

TEST(Plan, AWorkersOriginComesThroughItsText) {
  const WorkerSpec spec{.engine = "memory",
                        .engine_settings = {},
                        .settings = With({}),
                        .directory = "/x",
                        .origin = {.exists = true,
                                   .knows_values = true,
                                   .largest_value = 1000,
                                   .first_version = 77,
                                   .read_only = true,
                                   .kept = "--read_only"}};
  const WorkerSpec read = Must(WorkerSpecFromText(ToText(spec)));
  EXPECT_TRUE(read.origin.exists);
  EXPECT_TRUE(read.origin.knows_values);
  EXPECT_EQ(read.origin.largest_value, 1000u);
  EXPECT_EQ(read.origin.first_version, 77u);
  EXPECT_TRUE(read.origin.read_only);
  EXPECT_EQ(read.origin.kept, "--read_only");
}

TEST(Plan, AWorkersMentionsAndItsClockComeThroughItsText) {
  const Settings settings = With({"--benchmarks=readseq,readseq"});
  const WorkerSpec spec{.engine = "memory",
                        .engine_settings = {},
                        .settings = settings,
                        .phases = Must(PlanPhases(settings)),
                        .directory = "/x",
                        .clock = {.reason = "too busy"}};
  const WorkerSpec read = Must(WorkerSpecFromText(ToText(spec)));
  ASSERT_EQ(read.phases.size(), 3u);
  EXPECT_EQ(read.phases[1].mention, 1u);
  EXPECT_EQ(read.phases[2].mention, 2u);
  EXPECT_EQ(Clock::Known(read.clock).Words(), "CLOCK_MONOTONIC: too busy");
}

TEST(Plan, RepetitionsAreWrittenBehindTheName) {
  const auto phases = Phases({"--benchmarks=readrandom[X3-W1],readseq[-X2],fillseq"});
  ASSERT_EQ(phases.size(), 8u);
  EXPECT_TRUE(phases[0].implicit) << "the loader comes once";
  EXPECT_EQ(phases[0].repetition, Repetition());
  EXPECT_EQ(phases[1].repetition, (Repetition{.number = 1, .of = 1, .warm_up = true}));
  EXPECT_EQ(phases[2].repetition, (Repetition{.number = 1, .of = 3}));
  EXPECT_EQ(phases[4].repetition, (Repetition{.number = 3, .of = 3}));
  EXPECT_EQ(phases[4].workload.name, "readrandom");
  EXPECT_EQ(phases[6].repetition, (Repetition{.number = 2, .of = 2}));
  EXPECT_EQ(phases[7].repetition, Repetition());
}

TEST(Plan, RepetitionsBehindALoaderThatWasAskedForNeedNoOther) {
  const auto phases = Phases({"--benchmarks=fillseq,readrandom[X2]"});
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_FALSE(phases[0].implicit);
  EXPECT_EQ(phases[1].repetition, (Repetition{.number = 1, .of = 2}));
}

TEST(Plan, CountsTheMentionsOfAWorkload) {
  const auto phases = Phases({"--warmup=5",
                              "--benchmarks=readrandom,readseq,readrandom[X2],"
                              "fillrandom,readrandom"});
  std::vector<std::string> mentions;
  for (const PlannedPhase& phase : phases) {
    mentions.push_back(fmt::format("{}{} {}", phase.workload.name,
                                   phase.repetition.warm_up ? " (warm-up)" : "", phase.mention));
  }
  EXPECT_THAT(mentions, ElementsAre("fillrandom 1", "readrandom (warm-up) 1", "readrandom 1",
                                    "readseq (warm-up) 1", "readseq 1", "readrandom (warm-up) 2",
                                    "readrandom 2", "readrandom 2", "fillrandom 1",
                                    "readrandom (warm-up) 3", "readrandom 3"))
      << "a loader that nobody named is no mention";
}

TEST(Plan, RepetitionsThatAreNoneAreRefused) {
  for (const char* const name :
       {"readseq[", "readseq[]", "readseq[X]", "readseq[X0]", "readseq[5]", "readseq[X2-X3]",
        "readseq[W2]", "readseq[X2]x", "readseq[X-2]", "readseq[X9999]", "[X2]"}) {
    EXPECT_NE(Refusal({std::string("--benchmarks=fillseq,") + name}), "") << name;
  }
}

TEST(Plan, AnIntervalIsATenthOfASecondAtTheLeast) {
  for (const char* const accepted : {"0", "0.1", "100ms", "1", "1h"}) {
    EXPECT_EQ(Refusal({std::string("--interval_seconds=") + accepted}), "") << accepted;
  }
  EXPECT_THAT(Refusal({"--interval_seconds=0.05"}), HasSubstr("0.1 s at the least; 0 keeps none"));
}

// D and E leave other records than they found.
TEST(YcsbLoad, ComesBeforeWhatDoesNotFindTheRecordsThatItAsksFor) {
  EXPECT_THAT(PlannedNames({"--benchmarks=ycsb-a,ycsb-b,ycsb-c,ycsb-f,ycsb-d,ycsb-e,ycsb-a"}),
              ElementsAre("ycsb-load (load)", "ycsb-a", "ycsb-b", "ycsb-c", "ycsb-f", "ycsb-d",
                          "ycsb-load (load)", "ycsb-e", "ycsb-load (load)", "ycsb-a"));
  EXPECT_THAT(
      PlannedNames({"--benchmarks=ycsb-load,readseq,ycsb-a,overwrite,ycsb-a"}),
      ElementsAre("ycsb-load", "readseq", "ycsb-a", "overwrite", "ycsb-load (load)", "ycsb-a"));
  EXPECT_THAT(PlannedNames({"--benchmarks=fillseq,ycsb-c"}),
              ElementsAre("fillseq", "ycsb-load (load)", "ycsb-c"));
  EXPECT_THAT(PlannedNames({"--benchmarks=ycsb-c", "--use_existing_db", "--db=/d"}),
              ElementsAre("ycsb-c"));
}

TEST(YcsbLoad, IsNotWhatAnExistingStoreWasFilledByAsFarAsInsertsCanKnow) {
  EXPECT_THAT(Refusal({"--benchmarks=ycsb-d", "--use_existing_db", "--db=/d"}),
              HasSubstr("ycsb-d inserts new records"));
}

TEST(YcsbScans, AreAsLongAsIsAskedFor) {
  const auto longest = [](std::vector<std::string> words) {
    words.emplace_back("--benchmarks=ycsb-e");
    return LastRole(words).ycsb.most_scan;
  };
  EXPECT_EQ(longest({}), 100u) << "YCSB's maxscanlength";
  EXPECT_EQ(longest({"--ycsb_scan_length=7"}), 7u);
  EXPECT_FALSE(ParseSettings({"--ycsb_scan_length=0"}).ok());
}

TEST(Distributions, TakeThePlaceOfUniformDrawsOfReaders) {
  const Role zipf =
      LastRole({"--benchmarks=readrandom", "--key_distribution=zipf", "--zipf_exponent=1.25"});
  EXPECT_EQ(zipf.order, KeyOrder::kSkewed);
  EXPECT_EQ(zipf.distribution.kind, KeyDistributionPlan::Kind::kZipf);
  EXPECT_EQ(zipf.distribution.exponent, 1.25);
  EXPECT_TRUE(zipf.scattered);
  const Role hot = LastRole({"--benchmarks=seekrandom", "--key_distribution=hotspot",
                             "--contiguous_hot_keys", "--hot_keys=0.1", "--hot_requests=0.7"});
  EXPECT_EQ(hot.distribution.hot_keys, 0.1);
  EXPECT_EQ(hot.distribution.hot_requests, 0.7);
  EXPECT_FALSE(hot.scattered);
  EXPECT_EQ(LastRole({"--benchmarks=readrandom"}).order, KeyOrder::kUniform);
  EXPECT_EQ(LastRole({"--benchmarks=overwrite", "--key_distribution=zipf"}).order,
            KeyOrder::kShuffled);
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

TEST(ExponentialKeys, AreThoseOfReadersWhereAsked) {
  const Role skewed = LastRole({"--benchmarks=readrandom", "--read_random_exp_range=4"});
  EXPECT_EQ(skewed.order, KeyOrder::kExponential);
  EXPECT_EQ(skewed.skew, 4);
  EXPECT_EQ(LastRole({"--benchmarks=readrandom"}).order, KeyOrder::kUniform);
  EXPECT_EQ(LastRole({"--benchmarks=overwrite", "--read_random_exp_range=4"}).order,
            KeyOrder::kShuffled);
}

}  // namespace levelfield::plan_test
