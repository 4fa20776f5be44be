#include "settings/dialects/cache_bench.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::cache_bench_test {

const std::vector<std::string> kCaches = {"leveldb_lru", "rocksdb_auto_hyper_clock",
                                          "rocksdb_hyper_clock", "rocksdb_lru", "sharded_map"};

StatusOr<CacheBenchSettings> Parse(const std::vector<std::string>& words) {
  const StatusOr<CacheBenchWords> split = SplitCacheBenchWords(words);
  if (!split.ok()) return split.status();
  return ParseCacheBench(*split, kCaches);
}

CacheBenchSettings Parsed(const std::vector<std::string>& words) { return Must(Parse(words)); }

std::string Refusal(const std::vector<std::string>& words) { return UsageErrorOf(Parse(words)); }

TEST(CacheBenchSettings, WithoutFlagsAreThoseOfTheFirstGeneration) {
  const CacheBenchSettings settings = Parsed({});
  EXPECT_EQ(settings.generation, Generation::k2014);
  EXPECT_EQ(settings.threads, 16u);
  EXPECT_EQ(settings.cache_size, 8388608u);
  EXPECT_EQ(settings.num_shard_bits, 4);
  EXPECT_EQ(settings.ops_per_thread, 1200000u);
  EXPECT_EQ(settings.max_key, 1073741824u);
  EXPECT_EQ(settings.charge, 1u);
  EXPECT_THAT(settings.percent, ElementsAre(0, 40, 0, 50, 10));
  EXPECT_THAT(settings.caches, ElementsAre("rocksdb_lru"));
  EXPECT_FALSE(settings.populate_cache);
  EXPECT_EQ(settings.PinnedByThread(16), 0u);
}

TEST(CacheBenchSettings, TheFlagsDecideTheGeneration) {
  for (const char* const flag : {"--max_key=5", "--use_clock_cache", "-erase_percent=10"}) {
    EXPECT_EQ(Parsed({flag}).generation, Generation::k2014) << flag;
  }
  for (const char* const flag : {"--lookup_insert_percent=87", "-skew=0", "--resident_ratio=0.5",
                                 "-lean", "--cache_type=hyper_clock_cache"}) {
    EXPECT_EQ(Parsed({flag}).generation, Generation::k2020) << flag;
  }
  EXPECT_EQ(Parsed({"--blind_insert_percent=5"}).generation, Generation::kCurrent);
  EXPECT_EQ(Parsed({"-skew=0", "--pinned_ratio=0.1"}).generation, Generation::kCurrent);
  EXPECT_EQ(Parsed({"--generation=current"}).generation, Generation::kCurrent);
  // What both ask for stands above what only hints at a generation.
  EXPECT_EQ(Parsed({"-lean", "--max_key=9"}).generation, Generation::k2014);
  EXPECT_THAT(Refusal({"--max_key=5", "--skew=1"}), HasSubstr("different generations"));
  EXPECT_THAT(Refusal({"--generation=2014", "--skew=1"}), HasSubstr("no flag of generation 2014"));
}

TEST(CacheBenchSettings, EachGenerationHasItsOwnDefaults) {
  const CacheBenchSettings second = Parsed({"--generation=2020"});
  EXPECT_EQ(second.cache_size, uint64_t{1} << 30);
  EXPECT_EQ(second.max_key, 524288u);
  EXPECT_EQ(second.num_shard_bits, 6);
  EXPECT_THAT(second.percent, ElementsAre(87, 2, 0, 10, 1));
  EXPECT_EQ(second.PinnedByThread(16), 1u);
  EXPECT_EQ(second.Populated(), 262144u);
  const CacheBenchSettings current = Parsed({"--generation=current"});
  EXPECT_EQ(current.num_shard_bits, -1);
  EXPECT_THAT(current.percent, ElementsAre(82, 2, 5, 10, 1));
  EXPECT_THAT(current.caches, ElementsAre("rocksdb_auto_hyper_clock"));
  EXPECT_EQ(current.PinnedByThread(16) * 16, 32768u);  // A quarter of what fits.
  // RocksDB 7.8, the generation before, had no cache of this name.
  EXPECT_EQ(Parsed({"--cache_type=auto_hyper_clock_cache"}).generation, Generation::kCurrent);
  EXPECT_EQ(Parsed({"--cache_type=hyper_clock_cache"}).generation, Generation::k2020);
}

TEST(CacheBenchSettings, AreSpelledAsGflagsSpellsThem) {
  const CacheBenchSettings settings =
      Parsed({"-threads", "3", "--num_shard_bits", "-1", "-cache_size=64k", "-noskewed", "--lean",
              "-populate_cache=f", "--generation=2020"});
  EXPECT_EQ(settings.threads, 3u);
  EXPECT_EQ(settings.num_shard_bits, -1);
  EXPECT_EQ(settings.cache_size, 65536u);
  EXPECT_TRUE(settings.lean);
  EXPECT_FALSE(settings.populate_cache);
}

TEST(CacheBenchSettings, ThatDoNotAddUpAreRefused) {
  EXPECT_THAT(Refusal({"--insert_percent=41"}),
              HasSubstr("insert_percent=41 + lookup_percent=50 + erase_percent=10 is 101"));
  EXPECT_THAT(Refusal({"--generation=2020", "--erase_percent=0"}), HasSubstr("is 99"));
  EXPECT_THAT(Refusal({"--insert_percent=-1"}), HasSubstr("--insert_percent=-1"));
}

TEST(CacheBenchSettings, ThatCannotBeHonouredAreRefusedWithTheReason) {
  EXPECT_THAT(Refusal({"--secondary_cache_uri=x"}), HasSubstr("no secondary cache"));
  EXPECT_THAT(Refusal({"--stress_cache_key"}), HasSubstr("cache keys"));
  EXPECT_THAT(Refusal({"--sck_db_count=3"}), HasSubstr("cache keys"));
  EXPECT_THAT(Refusal({"--use_jemalloc_no_dump_allocator"}), HasSubstr("allocator"));
  EXPECT_THAT(Refusal({"--usleep=5"}), HasSubstr("sleep"));
  EXPECT_THAT(Refusal({"--cache_type=clock_cache"}), HasSubstr("removed"));
  // A flag that asks for nothing is no reason to refuse.
  EXPECT_TRUE(Parse({"--nostress_cache_key", "--secondary_cache_uri="}).ok());
}

TEST(CacheBenchSettings, MistakesAreTold) {
  EXPECT_THAT(Refusal({"--thread=3"}), HasSubstr("did you mean --threads?"));
  EXPECT_THAT(Refusal({"--threads=0"}), HasSubstr("from 1 to 1024"));
  EXPECT_THAT(Refusal({"--threads"}), HasSubstr("needs a value"));
  EXPECT_THAT(Refusal({"--threads="}), HasSubstr("nothing is given"));
  EXPECT_THAT(Refusal({"--threads=1", "-threads=2"}), HasSubstr("twice"));
  EXPECT_THAT(Refusal({"threads"}), HasSubstr("is no flag"));
  EXPECT_THAT(Refusal({"--max_key=0"}), HasSubstr("--max_key=0"));
  EXPECT_THAT(Refusal({"--resident_ratio=nan"}), HasSubstr("--resident_ratio=nan"));
  EXPECT_THAT(Refusal({"--resident_ratio=0"}), HasSubstr("--resident_ratio=0"));
  EXPECT_THAT(Refusal({"--value_bytes=4"}), HasSubstr("from 8"));
  EXPECT_THAT(Refusal({"--cache_type=lru"}), HasSubstr("lru_cache, hyper_clock_cache"));
  EXPECT_THAT(Refusal({"--cache_type=lru_cache,rocksdb_lru"}), HasSubstr("twice"));
  EXPECT_THAT(Refusal({"--use_clock_cache", "--cache_type=leveldb_lru"}), HasSubstr("already"));
  EXPECT_THAT(Refusal({"--generation=2016"}), HasSubstr("2014, 2020 or current"));
}

TEST(CacheBenchSettings, SeveralCachesAreTakenInTheirOrder) {
  EXPECT_THAT(Parsed({"--cache_type=sharded_map,lru_cache"}).caches,
              ElementsAre("sharded_map", "rocksdb_lru"));
  EXPECT_EQ(Parsed({"--cache_type=all"}).caches, kCaches);
  EXPECT_THAT(Parsed({"--use_clock_cache"}).caches, ElementsAre("rocksdb_hyper_clock"));
}

TEST(CacheBenchHelp, ListsTheFlagsOfTheNotesWithTheirDefaults) {
  const std::string help = CacheBenchHelp(Generation::k2014);
  for (const char* const line :
       {"-cache_size (",
        "-erase_percent (Ratio of erase to total workload (expressed as a "
        "percentage)) type: int32",
        "-max_key (", "default: 1073741824", "-use_clock_cache (",
        "-ops_per_thread (Number of operations per thread.) type: uint64 default: 1200000",
        "-threads (Number of concurrent threads to run.) type: int32 default: 16"}) {
    EXPECT_THAT(help, HasSubstr(line));
  }
  EXPECT_THAT(help, Not(HasSubstr("-skew (")));
  EXPECT_THAT(CacheBenchHelp(std::nullopt), HasSubstr("-pinned_ratio ("));
}

}  // namespace levelfield::cache_bench_test
