#include "plan/preflight.h"

#include <algorithm>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/plan_for_test.h"
#include "probe/machine.h"
#include "store/store_space.h"

namespace levelfield::preflight_test {

constexpr uint64_t kGibibyte = uint64_t{1} << 30;

TEST(Preflight, MemoryIsCountedForEachWriterAndItsBatch) {
  const std::vector<PlannedPhase> one = Phases({"--benchmarks=fillseq", "--value_size=1G"});
  const uint64_t needed = NeededMemoryBytes(one);
  EXPECT_GT(needed, 4 * kGibibyte);
  EXPECT_LT(needed, 8 * kGibibyte);
  EXPECT_TRUE(CheckMemory(one, needed).ok());
  EXPECT_THAT(UsageErrorOf(CheckMemory(one, needed - 1)),
              AllOf(HasSubstr("not enough memory"), HasSubstr("GiB")));
  EXPECT_EQ(NeededMemoryBytes(Phases({"--benchmarks=fillseq", "--value_size=1G", "--threads=4"})),
            needed + 3 * kGibibyte);
  EXPECT_GT(NeededMemoryBytes(Phases({"--benchmarks=fillbatch", "--value_size=1M"})),
            kGibibyte / 2);
}

TEST(Preflight, ReadersAndSmallValuesNeedNextToNothing) {
  EXPECT_LT(NeededMemoryBytes(Phases({"--benchmarks=fillseq", "--value_size=0"})), 2u << 20);
  EXPECT_TRUE(CheckMemory(Phases({}), AvailableMemoryBytes()).ok());
  EXPECT_GT(AvailableMemoryBytes(), 1u << 20);
}

TEST(Preflight, TheDiskIsCountedWithTheRecordsOfYcsb) {
  Settings settings;
  const uint64_t small = NeededDiskBytes(settings);
  settings.value_size = 1000;
  const uint64_t large = NeededDiskBytes(settings);
  settings.value_size = 100;
  EXPECT_EQ(NeededDiskBytes(settings, Phases({"--benchmarks=fillseq"})), small);
  EXPECT_EQ(NeededDiskBytes(settings, Phases({"--benchmarks=ycsb-c"})), large);
  EXPECT_GT(NeededDiskBytes(settings, Phases({"--benchmarks=ycsb-d"})), large);
}

TEST(Preflight, TheDiskIsCountedWithTheWholeKey) {
  Settings settings;
  settings.num = 1'000'000;
  const uint64_t plain = NeededDiskBytes(settings);
  settings.key_prefix = 1000;
  EXPECT_EQ(NeededDiskBytes(settings) - plain, 5'000'000'000u);
  settings.num = 10'000'000'000'000'000;
  settings.value_size = kGibibyte;
  EXPECT_GT(NeededDiskBytes(settings), uint64_t{1} << 60) << "no overflow";
}

EngineDescription WithFact(const std::string& name, const std::string& value) {
  EngineDescription engine;
  engine.facts = {{name, value}};
  return engine;
}

TEST(Preflight, TheDiskIsCountedByTheFactorThatThePluginDeclares) {
  EXPECT_DOUBLE_EQ(SpaceFactorOf(WithFact("space_factor", "2.5 (measured so)")), 2.5);
  for (const char* const odd : {"", "none", "0.5", "-1", "nan", "1e9"}) {
    EXPECT_DOUBLE_EQ(SpaceFactorOf(WithFact("space_factor", odd)), kWorstSpaceFactor) << odd;
  }
  Settings settings;
  settings.num = 10'000'000;
  EXPECT_EQ(NeededDiskBytes(settings, {}, 2.5) - NeededDiskBytes(settings, {}, 1.5),
            settings.num * (16 + 100));
}

ProbeReply WithOpenFiles(const std::string& by_default, const std::string& given) {
  ProbeReply engine;
  engine.engine = "leveldb";
  OptionDescription& option = engine.description.options.emplace_back();
  option.name = "max_open_files";
  option.default_value = by_default;
  if (!given.empty()) engine.options.settings = {{"max_open_files", given}};
  return engine;
}

TEST(Preflight, OpenFilesAreTheTablesOfTheStoreUpToTheLimitOfTheEngine) {
  const uint64_t own = NeededDescriptors(WithOpenFiles("all", ""), {}, kGibibyte);
  EXPECT_LT(own, 20u) << "what has no limit of its own says nothing";
  EXPECT_EQ(NeededDescriptors(WithOpenFiles("1000", ""), {}, kGibibyte), own + 513);
  EXPECT_EQ(NeededDescriptors(WithOpenFiles("1000", ""), {}, 100 * kGibibyte), own + 1000);
  EXPECT_EQ(NeededDescriptors(WithOpenFiles("1000", "77"), {}, 100 * kGibibyte), own + 77);
  EXPECT_EQ(NeededDescriptors(WithOpenFiles("1000", ""), {}, 0), own + 1);
}

TEST(Preflight, OpenFilesOfEachSessionAreCountedForEachThread) {
  ProbeReply engine;
  const auto phases = Phases({"--benchmarks=readrandom", "--threads=64"});
  const uint64_t none = NeededDescriptors(engine, phases, kGibibyte);
  engine.description.facts = {{"files_per_session", "2"}};
  EXPECT_EQ(NeededDescriptors(engine, phases, kGibibyte), none + 128);
}

TEST(Preflight, TooFewOpenFilesAreRefusedWithWhatToSay) {
  const ProbeReply engine = WithOpenFiles("1000", "");
  EXPECT_TRUE(CheckDescriptors(engine, 200, 200).ok());
  EXPECT_THAT(UsageErrorOf(CheckDescriptors(engine, 200, 199)),
              AllOf(HasSubstr("leveldb"), HasSubstr("may have 199"), HasSubstr("`ulimit -n 200`")));
  EXPECT_GT(DescriptorLimit(), 3u);
}

CacheBenchSettings OfCache() {
  CacheBenchSettings settings;
  settings.threads = 1;
  settings.ops_per_thread = 10'000;
  settings.charge = 1;
  settings.entry_charge = 1;
  settings.cache_size = 1000;
  settings.max_key = 1'000'000;
  return settings;
}

TEST(MemoryNeed, IsBoundByWhatFitsByWhatIsInsertedAndByTheKeys) {
  CacheBenchSettings settings = OfCache();
  const uint64_t small = MemoryNeed(settings);
  settings.cache_size = uint64_t{1} << 40;
  EXPECT_LT(MemoryNeed(settings), small + 10'000 * 300);
  settings.ops_per_thread = uint64_t{1} << 35;
  EXPECT_GT(MemoryNeed(settings), 1'000'000u * 200);
  settings.max_key = uint64_t{1} << 40;
  EXPECT_THAT(CheckMemory(settings, uint64_t{8} << 30).message(),
              HasSubstr("smaller --cache_size"));
  EXPECT_TRUE(CheckMemory(OfCache(), uint64_t{8} << 30).ok());
  // A fixed table is there before anything is inserted.
  settings = OfCache();
  settings.cache_size = uint64_t{1} << 40;
  settings.caches = {"rocksdb_hyper_clock"};
  EXPECT_FALSE(CheckMemory(settings, uint64_t{8} << 30).ok());
}

uint64_t DiskOf(const std::vector<std::string>& words, bool is_original = false) {
  Settings settings = With(words);
  settings.is_original = is_original;
  return NeededDiskBytes(settings, Must(PlanPhases(settings)), 1) - kSpaceSlackBytes;
}

TEST(Preflight, TheDiskIsCountedWithTheWritesThatAreAsked) {
  EXPECT_EQ(DiskOf({"--benchmarks=fillseq", "--num=900M", "--writes=1000"}), 116'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=fillrandom", "--num=900M", "--writes=1000", "--batch_size=100"}),
            116'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=fillrandom,overwrite", "--num=1000", "--writes=10M"}), 116'000u)
      << "more writes make no more keys";
  EXPECT_EQ(DiskOf({"--benchmarks=fillseq,overwrite", "--num=1M", "--writes=1000"}), 232'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=fillseq", "--num=1M", "--writes=1000", "--threads=4"}),
            116'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=overwrite", "--num=1M", "--writes=1000"}), 116'000'000u)
      << "what loads the store for it loads all of it";
  EXPECT_EQ(DiskOf({"--benchmarks=readrandom", "--num=1M", "--reads=10"}), 116'000'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=fillrandom[X3]", "--num=1M", "--writes=1000"}), 116'000u);
}

TEST(Preflight, TheDiskIsCountedWithTheSizesOfAWorkloadsOwnValues) {
  EXPECT_EQ(DiskOf({"--benchmarks=fill100K", "--num=1M"}), 100'016'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=fillsync", "--num=1M"}), 116'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=fillseq", "--num=1M", "--value_size_distribution_type=uniform",
                    "--value_size_min=100", "--value_size_max=300"}),
            216'000'000u);
}

TEST(Preflight, ATimeEndsAFillWhichTakesNoMoreThanItCanWriteThen) {
  const auto with = [](std::vector<std::string> words) {
    const std::vector<std::string> usual = {"--benchmarks=fillrandom", "--num=900M",
                                            "--duration=1"};
    for (const std::string& flag : usual) {
      const std::string name = flag.substr(0, flag.find('=') + 1);
      const bool is_given = std::ranges::any_of(
          words, [&](const std::string& word) { return word.starts_with(name); });
      if (!is_given) words.push_back(flag);
    }
    return DiskOf(words);
  };
  const uint64_t second = with({});
  EXPECT_LT(second, 1'000'000'000u);
  EXPECT_GT(second, 200'000'000u) << "more than any engine writes";
  EXPECT_EQ(with({"--duration=10"}), 10 * second);
  EXPECT_EQ(with({"--threads=4"}), 4 * second);
  EXPECT_EQ(with({"--num=1000"}), 116'000u);
  EXPECT_EQ(with({"--rate=1000"}), 116'000u);
  // What is cut off is written for the workload behind it.
  EXPECT_EQ(with({"--benchmarks=fillrandom,readrandom"}), 104'400'000'000u);
  EXPECT_EQ(with({"--benchmarks=readrandom"}), 104'400'000'000u);
  EXPECT_EQ(DiskOf({"--benchmarks=fillrandom,readrandom", "--num=900M", "--duration=1"}, true),
            second)
      << "but not by one who speaks for an original";
}

}  // namespace levelfield::preflight_test
