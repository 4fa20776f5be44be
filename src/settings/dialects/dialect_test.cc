#include "settings/dialects/dialect.h"

#include <algorithm>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "base/text.h"
#include "settings/flag_text.h"
#include "settings/settings.h"

namespace levelfield::dialect_test {

using Words = std::vector<std::string>;

StatusOr<Translation> TranslationOf(const Dialect& dialect, const Words& words) {
  const auto nothing = [](const std::string&) { return std::optional<std::string>(); };
  return TranslateWords(dialect, words, "/tmp/t", {.file = nothing, .variable = nothing});
}

std::string Refusal(const Dialect& dialect, const Words& words) {
  const StatusOr<Translation> translated = TranslationOf(dialect, words);
  return translated.ok() ? UsageErrorOf(ParseSettings(translated->words))
                         : UsageErrorOf(translated);
}

Settings SettingsOf(const Dialect& dialect, const Words& words) {
  return Must(ParseSettings(Must(TranslationOf(dialect, words)).words));
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

// The value of a flag, or of an engine's option ("rocksdb.x"); "-" of one that is not given.
std::string ValueOf(const std::string& name, const Settings& settings) {
  if (const Flag* const flag = FindFlag(name)) return TextOf(*flag, settings);
  const size_t dot = name.find('.');
  for (const auto& [option, value] : settings.engine_options.at(name.substr(0, dot))) {
    if (option == name.substr(dot + 1)) return value;
  }
  return "-";
}

struct Meaning {
  const char* claim;
  const Dialect* dialect;
  const char* words;
  const char* means;
};

constexpr const Dialect* kLevelDb = &kLevelDbDialect;
constexpr const Dialect* kSqlite3 = &kSqlite3Dialect;
constexpr const Dialect* kRocksDb = &kRocksDbDialect;

const Meaning kMeanings[] = {
    {"a name is taken with an equals sign", kLevelDb, "--num=5 --histogram=1 --db=/x",
     "num=5 histogram=1 db=/x"},
    {"and without", kLevelDb, "--num 5 --histogram 1 --db /x", "num=5 histogram=1 db=/x"},
    {"a switch may stand alone", kLevelDb, "--num=5 --histogram --db=/x",
     "num=5 histogram=1 db=/x"},
    {"the flags that people's notes assume work", kLevelDb,
     "--key_size=20 --sync=1 --max_open_files=77 --compression=0 --use_existing_db=1 "
     "--bloom_bits=10 --cache_size=8388608 --reuse_logs=1 --comparisons --key_prefix=3",
     "key_size=20 durability=synced max_open_files=77 compression=none use_existing_db=1 "
     "bloom_bits=10 cache_size=8388608 leveldb.reuse_logs=1 leveldb.comparisons=1 key_prefix=3"},
    {"-1 is the original's way to say its default", kLevelDb,
     "--reads=-1 --cache_size=-1 --bloom_bits=-1 --open_files=0",
     "reads=0 cache_size=8M bloom_bits= max_open_files="},
    {"numbers beyond 32 bits are taken", kLevelDb, "--num=3000000000", "num=3000000000"},
    {"an engine turns it into that port", kLevelDb, "--engine=sqlite3 --WAL_enabled=0",
     "dialect=sqlite3 db=/tmp/t/dbbench_sqlite3 sqlite3.journal_mode=delete"},
    {"also one port into another", kSqlite3, "--engine lmdb", "key_format=hex"},
    {"an engine without a port speaks LevelDB's", kLevelDb, "--engine=memory@1",
     "dialect=leveldb engine=memory@1 db=/tmp/t/dbbench_memory"},
    {"and has the options of that", kLevelDb, "--engine=memory --max_file_size=2M",
     "memory.max_file_size=2M"},
    {"SQLite's cache is its pages times their size", kSqlite3, "",
     "block_size=1024 cache_size=4194304"},
    {"also where they are given", kSqlite3, "--page_size=4096 --num_pages=100",
     "block_size=4096 cache_size=409600"},
    {"or what is said of it", kSqlite3, "--cache_size=1M", "cache_size=1M"},
    {"as the original had it", kSqlite3, "--compat=exact", "cache_size=16777216 block_size="},
    {"SQLite takes the exclusive lock for one thread", kSqlite3, "--num=5",
     "sqlite3.locking_mode=exclusive"},
    {"and not for two", kSqlite3, "--threads=2", "sqlite3.locking_mode=-"},
    {"a port's own flags are the engine's options", kSqlite3, "--no_transaction --use_rowids=1",
     "batch=1 sqlite3.rowids=1"},
    {"so LMDB's", &kLmdbDialect,
     "--writemap=0 --metasync=0 --readahead=0 --intkey=1 --shuffle=1 --cleanmem=0",
     "lmdb.writemap=0 lmdb.metasync=0 lmdb.readahead=0 key_format=integer"},
    {"so TreeDB's", &kTreeDbDialect, "--compression=0 --page_size=8192",
     "compression=none block_size=8192"},
    {"another port's class is its own", &kTreeDbDialect, "--engine=lmdb", "durability=process"},

    {"any version of RocksDB has its original's defaults", kLevelDb, "--engine=rocksdb@7.8.3",
     "dialect=rocksdb engine=rocksdb@7.8.3 db=/tmp/t/dbbench_rocksdb num=1000000 cache_size=32M "
     "write_buffer_size=64M compression=snappy bloom_bits= key_format=rocksdb "
     "rocksdb.max_background_jobs=2 rocksdb.level_compaction_dynamic_level_bytes=0"},
    {"RocksDB's words are as gflags takes them", kRocksDb,
     "-num=5 -histogram -use_existing_db -db=/x", "num=5 histogram=1 use_existing_db=1 db=/x"},
    {"with two hyphens", kRocksDb, "--num 5 --histogram=true --use_existing_db=1 --db /x",
     "num=5 histogram=1 use_existing_db=1 db=/x"},
    {"or one, and a value apart", kRocksDb, "-num 5 --histogram true --use_existing_db -db /x",
     "num=5 histogram=1 use_existing_db=1 db=/x"},
    {"no switches", kRocksDb, "--nohistogram --noverify_checksum --reads -1",
     "histogram=0 rocksdb.verify_checksums=0 reads=0"},
    {"what is no flag is an option of the engine", kRocksDb,
     "--max_background_jobs=4 --use_direct_reads -num_levels 8 "
     "--noallow_concurrent_memtable_write --subcompactions=2 --ttl=5 --paranoid_checks=1",
     "rocksdb.max_background_jobs=4 rocksdb.use_direct_reads=1 rocksdb.num_levels=8 "
     "rocksdb.allow_concurrent_memtable_write=0 rocksdb.max_subcompactions=2 rocksdb.ttl=5 "
     "rocksdb.paranoid_checks=1"},
    {"its own names for common options are taken", kRocksDb,
     "--compression_type=zstd --open_files=500 --bloom_bits=10 --cache_size=1048576 --writes=7 "
     "--batch_size=100 --readwritepercent=50",
     "compression=zstd max_open_files=500 bloom_bits=10 cache_size=1048576 writes=7 "
     "batch_size=100 readwritepercent=50"},
    {"a log that is not synced is the class of the process", kRocksDb, "", "durability=process"},
    {"that is synced", kRocksDb, "--sync", "durability=synced"},
    {"no log is none", kRocksDb, "--disable_wal=1", "durability=none"},
    {"also beside sync=0", kRocksDb, "--sync=0 --disable_wal=true", "durability=none"},
    {"bytes a second become writes a second beside readers", kRocksDb,
     "--benchmarks=readwhilewriting --value_size=84 --benchmark_write_rate_limit=100000",
     "writes_per_second=1000 write_bytes_per_second=100000"},
    {"none are none", kRocksDb, "--benchmark_write_rate_limit=0", "writes_per_second=0"},
    {"one entry is the least", kRocksDb, "--benchmark_write_rate_limit=116", "writes_per_second=1"},
    {"reads have a rate of operations", kRocksDb, "--benchmark_read_rate_limit=700",
     "reads_per_second=700"},
    {"or none", kRocksDb, "--benchmark_read_rate_limit=0", "reads_per_second=0"},
    {"amounts of -1 are all", kRocksDb, "--deletes=-1 --merge_keys=-1", "deletes=0 merge_keys=0"},
    {"others are so many", kRocksDb,
     "--deletes=7 --merge_keys=8 --bgwriter_num=9 --finish_after_writes --mergereadpercent=40",
     "deletes=7 merge_keys=8 bgwriter_num=9 finish_after_writes=1 mergereadpercent=40"},
    {"a switch may be false", kRocksDb, "--finish_after_writes=false", "finish_after_writes=0"},
    {"statistics are kept, and asked for after each benchmark", kRocksDb, "--statistics",
     "rocksdb.statistics=1 phase_counters=1"},
    {"unless they are not", kRocksDb, "--statistics=0", "phase_counters=0"},
    {"an interval alone gives the report its original's name", kRocksDb,
     "--report_interval_seconds=1", "report_file=report.csv"},
    {"none gives no report", kRocksDb, "--report_interval_seconds=0", "report_file="},
    {"a name wins", kRocksDb, "--report_interval_seconds=1 --report_file=a", "report_file=a"},
    {"the original's defaults may be said", kRocksDb,
     "--use_existing_keys=false --num_multi_db=1 --perf_level=1 --trace_file= "
     "--memtablerep=skip_list --cache_type=lru_cache --deletes=-1",
     "rocksdb.memtable_factory=- rocksdb.cache_type=lru"},
    {"the last of a flag counts, as in scripts that append their own", kRocksDb,
     "--num=5 --num_levels=4 -num=6 --num_levels=4", "num=6 rocksdb.num_levels=4"},
    {"also in LevelDB's", kLevelDb, "--num=5 --num=6", "num=6"},
    {"what only shows more is left out", kRocksDb, "--perf_level=3 --stats_per_interval=1",
     "rocksdb.stats_per_interval=- rocksdb.perf_level=3"},
    {"counters of threads are as in the original", kRocksDb, "--perf_level=2",
     "rocksdb.perf_level=2"},
    {"shards and pools are the cache's", kRocksDb,
     "--cache_type=lru_cache --cache_size=1048576 --cache_numshardbits=6 "
     "--cache_high_pri_pool_ratio=0.5",
     "cache_size=1048576 rocksdb.cache_numshardbits=6 rocksdb.cache_high_pri_pool_ratio=0.5 "
     "rocksdb.cache_low_pri_pool_ratio=0.0 rocksdb.no_block_cache=-"},
    {"a benchmark is recorded", kRocksDb, "--benchmarks=readrandom --trace_file=x",
     "record=x trace= trace_speed=0"},
    {"a trace is replayed at its own speed", kRocksDb, "--benchmarks=replay --trace_file=x",
     "trace=x trace_speed=1 record="},
    {"or at another", kRocksDb,
     "--benchmarks=replay --trace_file=x --trace_replay_fast_forward=2.5 --trace_replay_threads=3",
     "trace=x trace_speed=2.5 threads=3"},
    {"a cache of nothing is none", kRocksDb, "--cache_size=0",
     "cache_size=0 rocksdb.no_block_cache=1"},
    {"a prefix is RocksDB's extractor", kRocksDb, "--prefix_size=8",
     "rocksdb.prefix_extractor=fixed:8 rocksdb.index_type=- rocksdb.memtable_factory=-"},
    {"prefixes are hashed", kRocksDb,
     "--prefix_size=8 --use_hash_search --memtablerep=prefix_hash --hash_bucket_count=7",
     "rocksdb.index_type=kHashSearch rocksdb.memtable_factory=prefix_hash:7"},
    {"in so many buckets", kRocksDb, "--prefix_size=8 --memtablerep=hash_linkedlist",
     "rocksdb.memtable_factory=hash_linkedlist:1048576"},
    {"tables may be plain", kRocksDb, "--use_plain_table --key_size=24",
     "rocksdb.table_factory={id=PlainTable;user_key_len=24;bloom_bits_per_key=10;"
     "hash_table_ratio=0.75}"},
    {"or cuckoos'", kRocksDb, "--use_cuckoo_table --mmap_read --cuckoo_hash_ratio=0.7",
     "rocksdb.table_factory={id=CuckooTable;hash_table_ratio=0.7;identity_as_first_hash=false}"},
    {"threads that would be asked are tracked", kRocksDb, "--thread_status_per_interval=3",
     "rocksdb.enable_thread_tracking=1"},
    {"a filter may keep all", kRocksDb, "--use_keep_filter", "rocksdb.keep_filter=1"},
    {"blobs share the cache of blocks", kRocksDb,
     "--use_blob_cache=1 --blob_cache_size=5 --prepopulate_blob_cache=1",
     "rocksdb.blob_cache=shared rocksdb.prepopulate_blob_cache=kFlushOnly"},
    {"or have their own", kRocksDb,
     "--use_blob_cache --nouse_shared_block_and_blob_cache --blob_cache_size=4096",
     "rocksdb.blob_cache={capacity=4096;num_shard_bits=6}"},
    {"or none, whatever its size", kRocksDb, "--blob_cache_size=4096 --prepopulate_blob_cache=1",
     "rocksdb.blob_cache=- rocksdb.prepopulate_blob_cache=-"},
    {"levels are sized where there are levels", kRocksDb, "--level_compaction_dynamic_level_bytes",
     "rocksdb.level_compaction_dynamic_level_bytes=1"},
    {"and nowhere else", kRocksDb, "--level_compaction_dynamic_level_bytes --compaction_style=1",
     "rocksdb.level_compaction_dynamic_level_bytes=0"},
    {"what may be unknown is left out if it is", kRocksDb,
     "--undefok=not_there,num --not_there=3 --num=6 --nonot_there",
     "num=6 rocksdb.not_there=- rocksdb.nonot_there=-"},
    {"options of a read are RocksDB's", kRocksDb, "--async_io --readahead_size=4096",
     "rocksdb.async_io=1 rocksdb.readahead_size=4096"},
    {"upper levels are not compressed", kRocksDb,
     "--num_levels=4 --min_level_to_compress=2 --compression_type=zstd",
     "rocksdb.compression_per_level=none:none:zstd:zstd"},
    {"partitions are RocksDB's two options", kRocksDb, "--partition_index_and_filters",
     "rocksdb.index_type=kTwoLevelIndexSearch rocksdb.partition_filters=true"},
    {"options in a group are its parts", kRocksDb,
     "--universal_size_ratio=5 --fifo_compaction_max_table_files_size_mb=7 --compression_level=3",
     "rocksdb.compaction_options_universal.size_ratio=5 "
     "rocksdb.compaction_options_fifo.max_table_files_size=7M rocksdb.compression_opts.level=3"},
    {"ribbon filters have the bits of the others", kRocksDb, "--use_ribbon_filter --bloom_bits=10",
     "rocksdb.filter_policy=ribbonfilter:10"},
    {"a log beside the tables is where it is anyway", kRocksDb, "--db=/x --wal_dir=/x",
     "rocksdb.wal_dir=-"},
    {"however it is written", kRocksDb, "--db=/x/y --wal_dir=/x/./y/", "rocksdb.wal_dir=-"},
    {"elsewhere it is RocksDB's", kRocksDb, "--db=/x --wal_dir=/y", "rocksdb.wal_dir=/y"},
    {"transactions are pessimistic", kRocksDb, "--transaction_db",
     "rocksdb.transactions=pessimistic"},
    {"or optimistic", kRocksDb, "--optimistic_transaction_db=1", "rocksdb.transactions=optimistic"},
    {"or batches", kRocksDb, "--num=5", "transaction_batches=1"},
    {"switches are gflags'", kRocksDb,
     "--statistics=t --histogram=Y --transaction_set_snapshot=N --verify_checksum=F "
     "--transaction_db=Yes --sync=n",
     "rocksdb.statistics=1 histogram=1 rocksdb.transaction_set_snapshot=0 "
     "rocksdb.verify_checksums=0 rocksdb.transactions=pessimistic durability=process"},
    {"also where the value stands apart", kRocksDb, "--histogram t --statistics F",
     "histogram=1 rocksdb.statistics=0"},
    {"each level has a fan-out", kRocksDb,
     "--num_levels=3 --max_bytes_for_level_multiplier_additional=1,2,3",
     "rocksdb.max_bytes_for_level_multiplier_additional=1:2:3"},
    {"a store that nothing merges into has no merge operator", kRocksDb, "--benchmarks=fillseq",
     "rocksdb.merge_operator=none"},
    {"where something may merge it has", kRocksDb, "--benchmarks=fillseq,readwhilemerging",
     "rocksdb.merge_operator=-"},
    {"also where something may have merged", kRocksDb, "--benchmarks=readseq --use_existing_db",
     "rocksdb.merge_operator=-"},
    {"what the original reads and leaves is left", kRocksDb,
     "--fifo_compaction_ttl=5 --delete_obsolete_files_period_micros=9",
     "rocksdb.ttl=- rocksdb.delete_obsolete_files_period_micros=-"},
    {"limits, memtables and snapshots are RocksDB's", kRocksDb,
     "--rate_limit_user_ops --rate_limit_auto_wal_flush=t --cost_write_buffer_to_cache "
     "--explicit_snapshot --backup_rate_limit=7 --benchmarks=seekrandom",
     "rocksdb.rate_limit_user_ops=1 rocksdb.rate_limit_auto_wal_flush=1 "
     "rocksdb.cost_write_buffer_to_cache=1 rocksdb.explicit_snapshot=1 "
     "rocksdb.backup_rate_limit=7"},
    {"a cache of compressed blocks is of the same kind as the other", kRocksDb,
     "--compressed_cache_size=7 --cache_numshardbits=3",
     "rocksdb.block_cache_compressed={capacity=7;num_shard_bits=3;high_pri_pool_ratio=0.0;"
     "low_pri_pool_ratio=0.0}"},
    {"or there is none", kRocksDb, "--compressed_cache_size=0", "rocksdb.block_cache_compressed=-"},
    {"a constant sine is a rate, and bytes are entries", kRocksDb,
     "--benchmarks=fillseq --sine_write_rate --sine_a=0 --sine_d=116000",
     "rate=1000 arrival=constant histogram=1"},
    {"so is that of a mix, in operations", kRocksDb,
     "--benchmarks=mixgraph,stats --sine_mix_rate=1 --sine_d=500 --sine_b=0 --sine_a=10",
     "rate=500 arrival=constant"},
    {"a sine that is not in force changes nothing", kRocksDb,
     "--benchmarks=fillseq --sine_write_rate=0 --sine_d=5", "rate= arrival=poisson"},
};

TEST(Dialect, SinesOfRocksDbAreCurves) {
  const auto rate = [](std::string_view words) {
    return SettingsOf(kRocksDbDialect, Split(words, ' ')).rate;
  };
  const std::string writes = "--benchmarks=fillseq,overwrite --sine_write_rate --sine_d=232000 ";
  EXPECT_EQ(rate(writes + "--sine_a=116000"),
            "sine 1000..3000 every 6.28318530718s in steps of 10s");
  EXPECT_EQ(rate(writes + "--sine_a=116000 --sine_b=0.00628318530717959 "
                          "--sine_write_rate_interval_milliseconds=500"),
            "sine 1000..3000 every 1000s")
      << "its own steps are finer than those of the original";
  EXPECT_EQ(rate(writes + "--sine_a=-116000 --sine_b=1 --sine_c=3.14159265358979 "
                          "--key_size=8 --value_size=8 "
                          "--sine_write_rate_interval_milliseconds=0"),
            "sine 7250..21750 every 6.28318530718s")
      << "turned round twice";
  const std::string mix = "--benchmarks=mixgraph --sine_mix_rate --sine_d=1000 ";
  EXPECT_EQ(rate(mix + "--sine_a=501 --sine_c=1.5707963267949 --sine_mix_rate_noise=0.5"),
            "sine 499..1501 every 6.28318530718s from 0.25 in steps of 10s +-125");
}

TEST(Dialect, WordsMeanWhatTheyMeanToTheirOriginal) {
  for (const Meaning& row : kMeanings) {
    SCOPED_TRACE(row.claim);
    const Settings settings = SettingsOf(*row.dialect, Split(row.words, ' '));
    for (const std::string& meant : Split(row.means, ' ')) {
      const size_t equals = meant.find('=');
      const std::string name = meant.substr(0, equals);
      EXPECT_EQ(ValueOf(name, settings), meant.substr(equals + 1)) << name;
    }
  }
}

struct Mistake {
  const char* claim;
  const Dialect* dialect;
  const char* words;
  const char* says;  // Parts of the message; behind "!" what it does not say.
};

const Mistake kMistakes[] = {
    {"a flag of another port says whose it is", kLevelDb, "--WAL_enabled=1",
     "Invalid flag '--WAL_enabled=1' | db_bench_sqlite3"},
    {"what is no flag names the nearest", kLevelDb, "--nmu=5",
     "Invalid flag '--nmu=5' | did you mean --num?"},
    {"a word alone", kLevelDb, "fillseq", "Invalid flag 'fillseq'"},
    {"no name", kLevelDb, "--", "Invalid flag"},
    {"one hyphen", kLevelDb, "-num=5", "Invalid flag"},
    {"nothing", kLevelDb, "", "Invalid flag"},
    {"numbers that the original took wrong", kLevelDb, "--num=0", "--num=0"},
    {"less than nothing", kLevelDb, "--num=-5", "--num=-5"},
    {"no threads", kLevelDb, "--threads=0", "--threads=0"},
    {"a number and more", kLevelDb, "--num=12x", "--num=12x"},
    {"a flag needs its value", kLevelDb, "--num", "--num: needs a value"},
    {"which is no flag", kLevelDb, "--db --num=5", "--db: needs a value"},
    {"a value that a port does not have", &kLmdbDialect, "--cleanmem=1",
     "--cleanmem=1: only 0 is accepted"},
    {"no yes and no no", kSqlite3, "--WAL_enabled=maybe", "0 or 1 is accepted"},
    {"several engines are another program's", kLevelDb, "--engine=leveldb,lmdb", "levelfield run"},
    {"all of them are", kLevelDb, "--engine=all", "runs one engine"},

    {"no log to sync", kRocksDb, "--sync --disable_wal", "no log to sync"},
    {"a workload that keeps to no rate", kRocksDb,
     "--benchmarks=fillseq,fillanddeleteuniquerandom --benchmark_write_rate_limit=100000",
     "fillanddeleteuniquerandom keeps to no rate | !fillseq"},
    {"a rate of words", kRocksDb, "--benchmark_write_rate_limit=fast", "=fast"},
    {"a rate below one entry", kRocksDb, "--benchmark_write_rate_limit=115",
     "less than one entry of 116 bytes"},
    {"a rate below nothing", kRocksDb, "--benchmark_read_rate_limit=-1",
     "=-1: a count cannot be negative"},
    {"a percent too many", kRocksDb, "--mergereadpercent=101", "--mergereadpercent=101"},
    {"what cannot be honoured has its reason", kRocksDb, "--writes_per_range_tombstone=5",
     "erases no ranges"},
    {"keys of another run", kRocksDb, "--use_existing_keys", "--key_format=rocksdb"},
    {"several stores", kRocksDb, "--num_multi_db=4", "every measured call would choose"},
    {"amounts of nothing", kRocksDb, "--reads=0", "--reads=0: the original does nothing then"},
    {"a hash without a prefix", kRocksDb, "--memtablerep=prefix_hash",
     "--memtablerep=prefix_hash: hashes prefixes"},
    {"an index of hashes without one", kRocksDb, "--use_hash_search",
     "--use_hash_search: hashes prefixes"},
    {"a prefix longer than a key", kRocksDb, "--prefix_size=17", "a key has 16 bytes"},
    {"cuckoos' tables without a map", kRocksDb, "--use_cuckoo_table", "--mmap_read"},
    {"shards of the blobs' cache", kRocksDb, "--use_blob_cache --blob_cache_numshardbits=20",
     "--blob_cache_numshardbits=20: from -1 to 19"},
    {"a trace of blocks", kRocksDb, "--block_cache_trace_file=x",
     "only an empty value is accepted"},
    {"all that cannot be honoured at once", kRocksDb,
     "--keys_per_prefix=8 --use_stderr_info_logger --same_value_percentage=0 --enable_numa=1",
     "--keys_per_prefix=8: cannot be had here: the order | --use_stderr_info_logger=1: cannot be "
     "had here: what is in force | --enable_numa=1 | !same_value_percentage"},
    {"a snapshot before what is scanned is written", kRocksDb,
     "--benchmarks=seekrandom,fillseekseq --explicit_snapshot", "fillseekseq writes what it scans"},
    {"with what contradicts itself and what is no flag", kRocksDb,
     "--keys_per_prefix=8 --sync --disable_wal --nmu=5 fillseq",
     "--keys_per_prefix=8: cannot | no log to sync | did you mean --num? | Invalid flag 'fillseq'"},
    {"a file of flags that is missing", kRocksDb, "--flagfile=/no/such/file", "cannot be read"},
    {"more uncompressed levels than there are", kRocksDb, "--min_level_to_compress=9",
     "there are 7 levels"},
    {"ribbon filters without bits", kRocksDb, "--use_ribbon_filter", "--bloom_bits"},
    {"a count below nothing", kRocksDb, "--num=-5", "--num=-5"},
    {"a workload alone", kRocksDb, "fillseq", "Invalid flag 'fillseq'"},
    {"a hyphen", kRocksDb, "-", "Invalid flag"},
    {"two kinds of transactions", kRocksDb, "--transaction_db --optimistic_transaction_db",
     "one of them"},
    {"a number is no switch", kRocksDb, "--seed=no", "--seed=no"},
    {"nor is the only one that is accepted", kRocksDb, "--restore_rate_limit=off", "=off"},
    {"more shards than there are", kRocksDb, "--cache_numshardbits=20",
     "--cache_numshardbits=20: from -1 to 19"},
    {"also of the table cache, which has some", kRocksDb, "--table_cache_numshardbits=0",
     "--table_cache_numshardbits=0: from 1 to 19"},
    {"fan-outs of a few levels", kRocksDb, "--max_bytes_for_level_multiplier_additional=1,2,3",
     "7 whole numbers"},
    {"and of no numbers", kRocksDb,
     "--num_levels=2 --max_bytes_for_level_multiplier_additional=1,x", "2 whole numbers"},
    {"a sine that goes down to nothing", kRocksDb, "--benchmarks=fillseq --sine_write_rate",
     "goes down to 0 bytes a second | raise --sine_d"},
    {"a sine of what has none in the original", kRocksDb,
     "--benchmarks=fillseq,mixgraph --sine_mix_rate --sine_d=9",
     "--sine_mix_rate: fillseq would not keep to it"},
    {"two sines", kRocksDb, "--sine_mix_rate --sine_write_rate", "one after the other"},
    {"a sine and a rate", kRocksDb,
     "--benchmarks=fillseq --sine_write_rate --sine_d=1000 --benchmark_write_rate_limit=1000",
     "both say at which rate"},
    {"a sine in bytes of values of two sizes", kRocksDb,
     "--benchmarks=fillseq,fill100K --sine_write_rate --sine_d=1000000", "run it by itself"},
    {"a sine of words", kRocksDb, "--benchmarks=fillseq --sine_write_rate --sine_b=nan",
     "--sine_b=nan: a number is accepted"},
    {"a sine that is too fast", kRocksDb,
     "--benchmarks=mixgraph --sine_mix_rate --sine_d=10 --sine_b=100 "
     "--sine_mix_rate_interval_milliseconds=0",
     "is too fast"},
    {"noise of too small a sine", kRocksDb,
     "--benchmarks=mixgraph --sine_mix_rate --sine_d=10 --sine_a=0.5 --sine_mix_rate_noise=1",
     "a part from 0 to 1 of a --sine_a of 1"},
    {"a mistyped short flag is no option of RocksDB's", kRocksDb, "--nmu=5", "did you mean --num?"},
};

TEST(Dialect, MistakesAreRefusedWithTheirReason) {
  for (const Mistake& row : kMistakes) {
    SCOPED_TRACE(row.claim);
    const Words words = Split(row.words, ' ');
    const std::string refusal = Refusal(*row.dialect, words.empty() ? Words{""} : words);
    for (const std::string& part : Split(row.says, '|')) {
      const bool is_said = !part.starts_with('!');
      EXPECT_EQ(refusal.find(part.substr(is_said ? 0 : 1)) != refusal.npos, is_said) << refusal;
    }
  }
}

TEST(Dialect, WhatChangesNothingIsSaid) {
  const auto notes = [](const std::string& words) {
    return TranslationOf(kRocksDbDialect, Split(words, ' '))->notes;
  };
  EXPECT_THAT(
      notes("--slow_usecs=3 --num=5 --blob_db_file_size=7 --undefok=x --x=2"),
      ElementsAre("--x is left out: it is in --undefok, and not known here",
                  "--slow_usecs=3 changes nothing. --histogram shows the slowest operation.",
                  "--blob_db_file_size=7 changes nothing. It counts only with --use_blob_db, whose "
                  "stacked BlobDB is gone."));
  EXPECT_THAT(notes("--sine_a=1.0 --stats_per_interval=0 --blob_db_file_size=268435456"),
              IsEmpty());
  EXPECT_THAT(notes("--sine_a=2 --sine_mix_rate_noise=0.5"),
              ElementsAre("--sine_a changes nothing. It counts only with --sine_write_rate or "
                          "--sine_mix_rate.",
                          "--sine_mix_rate_noise changes nothing. It counts only with "
                          "--sine_mix_rate."));
}

TEST(Dialect, ALinksNamePicksIt) {
  EXPECT_EQ(DialectOfProgram("build/db_bench_mdb"), &kLmdbDialect);
  EXPECT_EQ(DialectOfProgram("db_bench"), &kLevelDbDialect);
  EXPECT_EQ(DialectOfProgram("./levelfield"), nullptr);
  EXPECT_EQ(DialectOfProgram(""), nullptr);
}

TEST(Dialect, NoRowIsWithoutAMeaning) {
  for (const Dialect* dialect : Dialects()) {
    for (const DialectFlag& row : dialect->flags) {
      EXPECT_FALSE(row.help.empty() && row.values.empty() && row.bare.empty()) << row.name;
      EXPECT_EQ(std::ranges::count(dialect->flags, row.name, &DialectFlag::name), 1) << row.name;
    }
  }
}

TEST(Dialect, KnowsWhatWasTypedFromWhatItsProgramWouldHave) {
  const auto given = [](const Dialect& dialect, const Words& words) {
    return Must(TranslationOf(dialect, words)).given;
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
}

}  // namespace levelfield::dialect_test
