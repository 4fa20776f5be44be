#include "settings/dialects/dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "settings/settings.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Words = std::vector<std::string>;

Words Translated(const Dialect& dialect, const Words& words) {
  const StatusOr<Translation> translated = TranslateWords(dialect, words, "/tmp/t");
  EXPECT_TRUE(translated.ok()) << translated.status().message();
  return translated.ok() ? translated->words : Words();
}

std::string Refusal(const Dialect& dialect, const Words& words) {
  const StatusOr<Translation> translated = TranslateWords(dialect, words, "/tmp/t");
  if (!translated.ok()) {
    EXPECT_EQ(translated.status().kind(), ErrorKind::kUsage);
    return translated.status().message();
  }
  const StatusOr<Settings> settings = ParseSettings(translated->words);
  EXPECT_FALSE(settings.ok());
  return settings.ok() ? "" : settings.status().message();
}

Settings SettingsOf(const Dialect& dialect, const Words& words) {
  const StatusOr<Settings> settings = ParseSettings(Translated(dialect, words));
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  return settings.ok() ? *settings : Settings();
}

TEST(Dialect, EveryDialectsDefaultsAreWordsThatWeTake) {
  for (const Dialect* dialect : Dialects()) {
    const Settings settings = SettingsOf(*dialect, {});
    EXPECT_EQ(settings.engine, dialect->name);
    EXPECT_EQ(settings.dialect, dialect->name);
    EXPECT_EQ(settings.benchmarks, dialect->benchmarks);
    EXPECT_FALSE(settings.histogram);
    EXPECT_TRUE(settings.keep);
    EXPECT_TRUE(settings.single_db);
  }
}

TEST(Dialect, ANameIsTakenWithAnEqualsSignAndWithout) {
  for (const Words& words : {Words{"--num=5", "--histogram=1", "--db=/x"},
                             Words{"--num", "5", "--histogram", "1", "--db", "/x"},
                             Words{"--num=5", "--histogram", "--db=/x"}}) {
    const Settings settings = SettingsOf(kLevelDbDialect, words);
    EXPECT_EQ(settings.num, 5u);
    EXPECT_TRUE(settings.histogram);
    EXPECT_EQ(settings.db, "/x");
  }
}

TEST(Dialect, TheFlagsThatPeoplesNotesAssumeWork) {
  const Settings settings = SettingsOf(
      kLevelDbDialect, {"--key_size=20", "--sync=1", "--max_open_files=77", "--compression=0",
                        "--use_existing_db=1", "--bloom_bits=10", "--cache_size=8388608",
                        "--reuse_logs=1", "--comparisons", "--key_prefix=3"});
  EXPECT_EQ(settings.key_size, 20u);
  EXPECT_EQ(settings.durability, "synced");
  EXPECT_EQ(settings.max_open_files, "77");
  EXPECT_EQ(settings.compression, "none");
  EXPECT_TRUE(settings.use_existing_db);
  EXPECT_EQ(settings.bloom_bits, "10");
  EXPECT_EQ(settings.cache_size, "8388608");
  EXPECT_EQ(settings.key_prefix, 3u);
  const std::vector<std::pair<std::string, std::string>> own = {{"reuse_logs", "1"},
                                                                {"comparisons", "1"}};
  EXPECT_EQ(settings.engine_options.at("leveldb"), own);
}

TEST(Dialect, MinusOneIsTheOriginalsWayToSayItsDefault) {
  const Words words = Translated(
      kLevelDbDialect, {"--reads=-1", "--cache_size=-1", "--bloom_bits=-1", "--open_files=0"});
  EXPECT_THAT(words, Contains("--reads=0"));
  EXPECT_THAT(words, Contains("--cache_size=8M"));
  EXPECT_THAT(words, Not(Contains(StartsWith("--bloom_bits"))));
  EXPECT_THAT(words, Not(Contains(StartsWith("--max_open_files"))));
}

TEST(Dialect, AnEngineTurnsItIntoThatPort) {
  const Settings settings = SettingsOf(kLevelDbDialect, {"--engine=sqlite3", "--WAL_enabled=0"});
  EXPECT_EQ(settings.dialect, "sqlite3");
  EXPECT_EQ(settings.db, "/tmp/t/dbbench_sqlite3");
  EXPECT_THAT(settings.engine_options.at("sqlite3"),
              Contains(std::pair<std::string, std::string>("journal_mode", "delete")));
  EXPECT_EQ(SettingsOf(kSqlite3Dialect, {"--engine", "lmdb"}).key_format, "hex");
}

TEST(Dialect, AnEngineWithoutAPortSpeaksLevelDbs) {
  const Settings settings = SettingsOf(kLevelDbDialect, {"--engine=memory@1"});
  EXPECT_EQ(settings.dialect, "leveldb");
  EXPECT_EQ(settings.engine, "memory@1");
  EXPECT_EQ(settings.db, "/tmp/t/dbbench_memory");
  const Settings own = SettingsOf(kLevelDbDialect, {"--engine=memory", "--max_file_size=2M"});
  EXPECT_EQ(own.engine_options.at("memory").front().first, "max_file_size");
}

TEST(Dialect, SqlitesCacheIsItsPagesTimesTheirSize) {
  EXPECT_THAT(Translated(kSqlite3Dialect, {}),
              AllOf(Contains("--block_size=1024"), Contains("--cache_size=4194304")));
  EXPECT_THAT(Translated(kSqlite3Dialect, {"--page_size=4096", "--num_pages=100"}),
              AllOf(Contains("--block_size=4096"), Contains("--cache_size=409600")));
  EXPECT_THAT(Translated(kSqlite3Dialect, {"--cache_size=1M"}), Contains("--cache_size=1M"));
  EXPECT_THAT(Translated(kSqlite3Dialect, {"--compat=exact"}),
              AllOf(Contains("--cache_size=16777216"), Not(Contains(StartsWith("--block_size")))));
}

TEST(Dialect, SqliteTakesTheExclusiveLockWhereThereIsOneThread) {
  EXPECT_THAT(Translated(kSqlite3Dialect, {}), Contains("--sqlite3.locking_mode=exclusive"));
  EXPECT_THAT(Translated(kSqlite3Dialect, {"--threads=2"}),
              Not(Contains(StartsWith("--sqlite3.locking_mode"))));
}

TEST(Dialect, ThePortsOwnFlagsAreTheEnginesOptions) {
  EXPECT_THAT(Translated(kSqlite3Dialect, {"--no_transaction", "--use_rowids=1"}),
              AllOf(Contains("--batch=1"), Contains("--sqlite3.rowids=1")));
  EXPECT_THAT(Translated(kLmdbDialect, {"--writemap=0", "--metasync=0", "--readahead=0",
                                        "--intkey=1", "--shuffle=1", "--cleanmem=0"}),
              AllOf(Contains("--lmdb.writemap=0"), Contains("--lmdb.metasync=0"),
                    Contains("--lmdb.readahead=0"), Contains("--key_format=integer")));
  EXPECT_THAT(Translated(kTreeDbDialect, {"--compression=0", "--page_size=8192"}),
              AllOf(Contains("--compression=none"), Contains("--block_size=8192")));
}

TEST(Dialect, AFlagOfAnotherPortIsRefusedAndSaysWhose) {
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--WAL_enabled=1"}),
              AllOf(HasSubstr("Invalid flag '--WAL_enabled=1'"), HasSubstr("db_bench_sqlite3")));
}

TEST(Dialect, WhatIsNoFlagIsRefused) {
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--nmu=5"}),
              AllOf(HasSubstr("Invalid flag '--nmu=5'"), HasSubstr("did you mean --num?")));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"fillseq"}), HasSubstr("Invalid flag 'fillseq'"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--"}), HasSubstr("Invalid flag"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"-num=5"}), HasSubstr("Invalid flag"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {""}), HasSubstr("Invalid flag"));
}

TEST(Dialect, NumbersThatTheOriginalTookWrongAreRefused) {
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--num=0"}), HasSubstr("--num=0"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--num=-5"}), HasSubstr("--num=-5"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--threads=0"}), HasSubstr("--threads=0"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--num=12x"}), HasSubstr("--num=12x"));
  EXPECT_EQ(SettingsOf(kLevelDbDialect, {"--num=3000000000"}).num, 3'000'000'000u);
}

TEST(Dialect, AFlagNeedsItsValueAndComesOnce) {
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--num"}), HasSubstr("--num: needs a value"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--db", "--num=5"}), HasSubstr("--db: needs a value"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--num=5", "--num=6"}), HasSubstr("--num is given twice"));
}

TEST(Dialect, AValueThatAPortDoesNotHaveIsRefusedWithWhatItTakes) {
  EXPECT_THAT(Refusal(kLmdbDialect, {"--cleanmem=1"}), HasSubstr("--cleanmem=1: 0 is accepted"));
  EXPECT_THAT(Refusal(kSqlite3Dialect, {"--WAL_enabled=maybe"}), HasSubstr("0 or 1 is accepted"));
}

TEST(Dialect, SeveralEnginesAreAnotherPrograms) {
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--engine=leveldb,lmdb"}), HasSubstr("levelfield run"));
  EXPECT_THAT(Refusal(kLevelDbDialect, {"--engine=all"}), HasSubstr("runs one engine"));
}

TEST(Dialect, ALinksNamePicksIt) {
  EXPECT_EQ(DialectOfProgram("build/db_bench_mdb"), &kLmdbDialect);
  EXPECT_EQ(DialectOfProgram("db_bench"), &kLevelDbDialect);
  EXPECT_EQ(DialectOfProgram("./levelfield"), nullptr);
  EXPECT_EQ(DialectOfProgram(""), nullptr);
}

// RocksDB's, which any version of it speaks.

Settings RocksDb(Words words) {
  words.insert(words.begin(), "--engine=rocksdb@7.8.3");
  return SettingsOf(kLevelDbDialect, words);
}
std::string RocksDbsRefusal(Words words) {
  words.insert(words.begin(), "--engine=rocksdb");
  return Refusal(kLevelDbDialect, words);
}
std::string Option(const Settings& settings, const std::string& name) {
  for (const auto& [option, value] : settings.engine_options.at("rocksdb")) {
    if (option == name) return value;
  }
  return "(not given)";
}

TEST(RocksDbDialect, HasItsOriginalsDefaults) {
  const Settings settings = RocksDb({});
  EXPECT_EQ(settings.dialect, "rocksdb");
  EXPECT_EQ(settings.engine, "rocksdb@7.8.3");
  EXPECT_EQ(settings.db, "/tmp/t/dbbench_rocksdb");
  EXPECT_EQ(settings.num, 1'000'000u);
  EXPECT_EQ(settings.cache_size, "32M");
  EXPECT_EQ(settings.write_buffer_size, "64M");
  EXPECT_EQ(settings.compression, "snappy");
  EXPECT_EQ(settings.bloom_bits, "");
  EXPECT_EQ(settings.key_format, "rocksdb");
  EXPECT_EQ(Option(settings, "max_background_jobs"), "2");
  EXPECT_EQ(Option(settings, "level_compaction_dynamic_level_bytes"), "0");
}

TEST(RocksDbDialect, TakesWordsAsGflagsDoes) {
  for (const Words& words :
       {Words{"-num=5", "-histogram", "-use_existing_db", "-db=/x"},
        Words{"--num", "5", "--histogram=true", "--use_existing_db=1", "--db", "/x"},
        Words{"-num", "5", "--histogram", "true", "--use_existing_db", "-db", "/x"}}) {
    const Settings settings = RocksDb(words);
    EXPECT_EQ(settings.num, 5u);
    EXPECT_TRUE(settings.histogram);
    EXPECT_TRUE(settings.use_existing_db);
    EXPECT_EQ(settings.db, "/x");
  }
  EXPECT_FALSE(RocksDb({"--nohistogram"}).histogram);
  EXPECT_EQ(Option(RocksDb({"--noverify_checksum"}), "verify_checksums"), "0");
  EXPECT_EQ(RocksDb({"--reads", "-1"}).reads, 0u);
}

TEST(RocksDbDialect, WhatIsNoFlagIsAnOptionOfTheEngine) {
  const Settings settings =
      RocksDb({"--max_background_jobs=4", "--use_direct_reads", "-num_levels", "8",
               "--noallow_concurrent_memtable_write", "--subcompactions=2"});
  EXPECT_EQ(Option(settings, "max_background_jobs"), "4");
  EXPECT_EQ(Option(settings, "use_direct_reads"), "1");
  EXPECT_EQ(Option(settings, "num_levels"), "8");
  EXPECT_EQ(Option(settings, "allow_concurrent_memtable_write"), "0");
  EXPECT_EQ(Option(settings, "max_subcompactions"), "2");
}

TEST(RocksDbDialect, ItsOwnNamesForCommonOptionsAreTaken) {
  const Settings settings =
      RocksDb({"--compression_type=zstd", "--open_files=500", "--bloom_bits=10",
               "--cache_size=1048576", "--writes=7", "--batch_size=100", "--readwritepercent=50"});
  EXPECT_EQ(settings.compression, "zstd");
  EXPECT_EQ(settings.max_open_files, "500");
  EXPECT_EQ(settings.bloom_bits, "10");
  EXPECT_EQ(settings.cache_size, "1048576");
  EXPECT_EQ(settings.writes, 7u);
  EXPECT_EQ(settings.batch_size, 100u);
  EXPECT_EQ(settings.readwritepercent, 50u);
}

TEST(RocksDbDialect, SyncAndTheLogMakeTheDurability) {
  EXPECT_EQ(RocksDb({}).durability, "process");
  EXPECT_EQ(RocksDb({"--sync"}).durability, "synced");
  EXPECT_EQ(RocksDb({"--disable_wal=1"}).durability, "none");
  EXPECT_EQ(RocksDb({"--sync=0", "--disable_wal=true"}).durability, "none");
  EXPECT_THAT(RocksDbsRefusal({"--sync", "--disable_wal"}), HasSubstr("no log to sync"));
}

TEST(RocksDbDialect, BytesASecondBecomeWritesASecond) {
  const Settings settings = RocksDb(
      {"--benchmarks=readwhilewriting", "--value_size=84", "--benchmark_write_rate_limit=100000"});
  EXPECT_EQ(settings.writes_per_second, 1000u);
  EXPECT_EQ(settings.write_bytes_per_second, 100'000u) << "of those who are not beside readers";
  EXPECT_EQ(RocksDb({"--benchmark_write_rate_limit=0"}).writes_per_second, 0u);
  EXPECT_THAT(
      RocksDbsRefusal({"--benchmarks=fillseq,fillanddeleteuniquerandom",
                       "--benchmark_write_rate_limit=100000"}),
      AllOf(HasSubstr("fillanddeleteuniquerandom keeps to no rate"), Not(HasSubstr("fillseq"))));
  EXPECT_THAT(RocksDbsRefusal({"--benchmark_write_rate_limit=fast"}), HasSubstr("=fast"));
  EXPECT_THAT(RocksDbsRefusal({"--benchmark_write_rate_limit=115"}),
              HasSubstr("less than one entry of 116 bytes"));
  EXPECT_EQ(RocksDb({"--benchmark_write_rate_limit=116"}).writes_per_second, 1u);
}

TEST(RocksDbDialect, ReadsHaveARateOfOperations) {
  EXPECT_EQ(RocksDb({"--benchmark_read_rate_limit=700"}).reads_per_second, 700u);
  EXPECT_EQ(RocksDb({"--benchmark_read_rate_limit=0"}).reads_per_second, 0u);
  EXPECT_THAT(RocksDbsRefusal({"--benchmark_read_rate_limit=-1"}),
              HasSubstr("=-1: a count cannot be negative"));
}

TEST(RocksDbDialect, AmountsOfMinusOneAreAll) {
  const Settings all = RocksDb({"--deletes=-1", "--merge_keys=-1"});
  EXPECT_EQ(all.deletes, 0u);
  EXPECT_EQ(all.merge_keys, 0u);
  const Settings some = RocksDb({"--deletes=7", "--merge_keys=8", "--bgwriter_num=9",
                                 "--finish_after_writes", "--mergereadpercent=40"});
  EXPECT_EQ(some.deletes, 7u);
  EXPECT_EQ(some.merge_keys, 8u);
  EXPECT_EQ(some.bgwriter_num, 9u);
  EXPECT_EQ(some.mergereadpercent, 40u);
  EXPECT_TRUE(some.finish_after_writes);
  EXPECT_FALSE(RocksDb({"--finish_after_writes=false"}).finish_after_writes);
  EXPECT_THAT(RocksDbsRefusal({"--mergereadpercent=101"}), HasSubstr("--mergereadpercent=101"));
  EXPECT_THAT(RocksDbsRefusal({"--writes_per_range_tombstone=5"}), HasSubstr("no ranges"));
}

TEST(RocksDbDialect, StatisticsAreKeptAndAskedForAfterEachBenchmark) {
  const Settings settings = RocksDb({"--statistics"});
  EXPECT_EQ(Option(settings, "statistics"), "1");
  EXPECT_TRUE(settings.phase_counters);
  EXPECT_FALSE(RocksDb({"--statistics=0"}).phase_counters);
}

TEST(RocksDbDialect, AnIntervalAloneGivesTheReportItsOriginalsName) {
  EXPECT_EQ(RocksDb({"--report_interval_seconds=1"}).report_file, "report.csv");
  EXPECT_EQ(RocksDb({"--report_interval_seconds=0"}).report_file, "");
  EXPECT_EQ(RocksDb({"--report_interval_seconds=1", "--report_file=a"}).report_file, "a");
}

TEST(RocksDbDialect, WhatCannotBeHonouredIsRefusedWithTheReason) {
  EXPECT_THAT(RocksDbsRefusal({"--use_existing_keys"}), HasSubstr("--key_format=rocksdb"));
  EXPECT_THAT(RocksDbsRefusal({"--num_multi_db=4"}), HasSubstr("one store"));
  EXPECT_THAT(RocksDbsRefusal({"--trace_file=x"}), HasSubstr("nothing is accepted"));
  EXPECT_THAT(RocksDbsRefusal({"--perf_level=3"}), HasSubstr("--perf_level=3: 1 is accepted"));
  EXPECT_THAT(RocksDbsRefusal({"--num=-5"}), HasSubstr("--num=-5"));
  EXPECT_THAT(RocksDbsRefusal({"fillseq"}), HasSubstr("Invalid flag 'fillseq'"));
  EXPECT_THAT(RocksDbsRefusal({"--num=5", "-num=6"}), HasSubstr("--num is given twice"));
  EXPECT_THAT(RocksDbsRefusal({"-"}), HasSubstr("Invalid flag"));
}

TEST(RocksDbDialect, TheOriginalsDefaultsMayBeSaid) {
  const Settings settings = RocksDb({"--use_existing_keys=false", "--num_multi_db=0",
                                     "--perf_level=1", "--trace_file=", "--memtablerep=skip_list",
                                     "--cache_type=lru_cache", "--deletes=-1"});
  EXPECT_EQ(Option(settings, "memtable_factory"), "(not given)");
  EXPECT_EQ(Option(settings, "cache_type"), "(not given)");
}

TEST(Dialect, NoRowIsWithoutAMeaning) {
  for (const Dialect* dialect : Dialects()) {
    for (const DialectFlag& row : dialect->flags) {
      EXPECT_FALSE(row.help.empty() && row.values.empty() && row.bare.empty()) << row.name;
      EXPECT_EQ(std::ranges::count(dialect->flags, row.name, &DialectFlag::name), 1) << row.name;
    }
  }
}

TEST(RocksDbDialect, ChoosesTheKindOfTransactionsOrBatches) {
  EXPECT_THAT(Translated(kRocksDbDialect, {"--transaction_db"}),
              Contains("--rocksdb.transactions=pessimistic"));
  EXPECT_THAT(Translated(kRocksDbDialect, {"--optimistic_transaction_db=1"}),
              Contains("--rocksdb.transactions=optimistic"));
  EXPECT_THAT(Translated(kRocksDbDialect, {"--num=5"}), Contains("--transaction_batches=1"));
  EXPECT_THAT(Refusal(kRocksDbDialect, {"--transaction_db", "--optimistic_transaction_db"}),
              HasSubstr("one of them"));
}

TEST(RocksDbDialect, TakesAMistypedShortFlagForThatAndNotForAnOptionOfRocksDbs) {
  EXPECT_THAT(Refusal(kRocksDbDialect, {"--nmu=5"}), HasSubstr("did you mean --num?"));
  EXPECT_THAT(Translated(kRocksDbDialect, {"--ttl=5"}), Contains("--rocksdb.ttl=5"));
  EXPECT_THAT(Translated(kRocksDbDialect, {"--paranoid_checks=1"}),
              Contains("--rocksdb.paranoid_checks=1"));
}

TEST(Dialect, KnowsWhatWasTypedFromWhatItsProgramWouldHave) {
  const auto given = [](const Dialect& dialect, const Words& words) {
    const StatusOr<Translation> translated = TranslateWords(dialect, words, "/tmp/t");
    EXPECT_TRUE(translated.ok()) << translated.status().message();
    return translated.ok() ? translated->given : std::set<std::string>();
  };
  EXPECT_THAT(given(kSqlite3Dialect, {"--num=5"}), ElementsAre("engine", "num"));
  EXPECT_THAT(given(kSqlite3Dialect, {"--page_size=1024", "--WAL_enabled=1"}),
              ElementsAre("block_size", "engine", "sqlite3.journal_mode"));
  EXPECT_THAT(given(kRocksDbDialect, {"--write_buffer_size=1M", "--max_background_jobs=3"}),
              ElementsAre("engine", "rocksdb.max_background_jobs", "write_buffer_size"));
  EXPECT_THAT(given(kRocksDbDialect, {"--sync"}), Contains("durability"));
}

TEST(Dialect, RunsThatNeedStoresOfTheirOwnHaveThem) {
  for (const std::string flag : {"--repeat=3", "--fs=ext4", "--vary=cache_size=1M,2M", "--quick"}) {
    const Settings settings = SettingsOf(kLevelDbDialect, {flag});
    EXPECT_FALSE(settings.single_db || settings.keep) << flag;
    EXPECT_EQ(settings.db, "") << flag;
  }
}

TEST(Dialect, CountsPerThreadWhereTheOriginalHasThreads) {
  for (const Dialect* dialect : Dialects()) {
    const bool has_threads = dialect != &kSqlite3Dialect && dialect != &kTreeDbDialect;
    EXPECT_EQ(SettingsOf(*dialect, {}).per_thread, has_threads) << dialect->name;
  }
}

TEST(Dialect, WritesInTheClassOfItsOriginal) {
  for (const Dialect* dialect : Dialects()) {
    EXPECT_EQ(SettingsOf(*dialect, {}).durability, dialect == &kTreeDbDialect ? "none" : "process")
        << dialect->name;
    EXPECT_EQ(SettingsOf(*dialect, {"--sync=1"}).durability, "synced") << dialect->name;
  }
  EXPECT_EQ(SettingsOf(kTreeDbDialect, {"--engine=lmdb"}).durability, "process");
}

}  // namespace
}  // namespace levelfield
