// RocksDB's db_bench: its names, its default values (those of 11.9, where versions differ), and its
// options without a prefix. Where the original leaves an option alone, Levelfield's own choices for
// RocksDB do not apply.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "settings/dialects/dialect.h"

namespace levelfield {
namespace {

constexpr std::string_view kRocksDbDefaults[] = {
    "--rocksdb.enable_pipelined_write=1",
    "--rocksdb.transaction_lock_timeout=100",
    "--key_format=rocksdb",
    "--cache_size=32M",
    "--write_buffer_size=64M",
    "--compression=snappy",
    "--rocksdb.max_background_jobs=2",
    "--rocksdb.bytes_per_sync=0",
    "--rocksdb.level_compaction_dynamic_level_bytes=0",
    "--rocksdb.cache_index_and_filter_blocks=0",
    "--rocksdb.pin_l0_filter_and_index_blocks_in_cache=0",
};

constexpr DialectFlag kRocksDbFlags[] = {
    {"reads", "reads", "-1=0|*", "", "Reads of each thread; -1: as many as --num."},
    {"writes", "writes", "-1=0|*", "", "Writes of each thread; -1: as many as --num."},
    {"deletes", "deletes", "-1=0|*", "", "Deletions of each thread; -1: as many as --num."},
    {"merge_keys", "merge_keys", "-1=0|*", "",
     "Keys that are merged into, the first so many; -1: all."},
    {"seed", "seed", "0=|*", "", "0: ours, 1; the result records it."},
    {"cache_size", "cache_size", "-1=32M|*", "", "-1: 32 MiB."},
    {"bloom_bits", "bloom_bits", "-1=|*", "", "-1: no filter."},
    {"open_files", "max_open_files", "-1=|*", "", "-1: all."},
    {"compression_type", "compression", "", "", "none, snappy, zlib, lz4, lz4hc or zstd."},
    {"sync", "", "0=|1=", "1", "1: every write survives a power cut."},
    {"disable_wal", "", "0=|1=", "1", "1: no log; a write survives nothing until it is flushed."},
    {"verify_checksum", ".verify_checksums", "0=0|1=1", "1", "1, the default: of each block read."},
    {"subcompactions", ".max_subcompactions", "", "", "Threads that share one compaction."},
    {"mmap_read", ".allow_mmap_reads", "0=0|1=1", "1", "Tables are read through a memory map."},
    {"mmap_write", ".allow_mmap_writes", "0=0|1=1", "1", "Files are written through a map."},
    {"memtablerep", ".memtable_factory", "skip_list=|*", "", "skip_list is RocksDB's own."},
    {"compaction_style", ".compaction_style",
     "0=kCompactionStyleLevel|1=kCompactionStyleUniversal|2=kCompactionStyleFIFO|"
     "3=kCompactionStyleNone",
     "", "Level, universal, FIFO or none."},
    {"compaction_pri", ".compaction_pri",
     "0=kByCompensatedSize|1=kOldestLargestSeqFirst|2=kOldestSmallestSeqFirst|"
     "3=kMinOverlappingRatio|4=kRoundRobin",
     "", "Which file is compacted next."},
    {"statistics", ".statistics", "0=0|1=1", "1",
     "RocksDB's counters of each benchmark on the store, printed after it."},
    {"report_interval_seconds", "report_interval_seconds", "0=|*", "",
     "Length of an interval in --report_file, which is report.csv if it is not given."},
    {"benchmark_write_rate_limit", "write_bytes_per_second", "", "",
     "Bytes a second of whoever writes, the writer beside readers included; 0: no limit."},
    {"benchmark_read_rate_limit", "reads_per_second", "", "",
     "Operations a second of readers; 0: no limit."},
    {"confidence_interval_only", "confidence_interval_only", "", "1",
     "Repetitions are told with their interval, not with their mean."},
    {"progress_reports", "", "0=|1=", "1", "Progress is on standard error, once in ten seconds."},
    {"ops_between_duration_checks", "", "1000=", "", "--duration is looked at ten times a second."},
    {"use_existing_keys", "", "0=", "1",
     "Keys are made from their numbers; --num, --key_size and --key_format=rocksdb say which."},
    {"readonly", "read_only", "0=0|1=1", "1",
     "With --use_existing_db: opens the store read-only; what writes is skipped."},
    {"use_tailing_iterator", "", "0=", "1", "Iterators see the store as it was."},
    {"mix_accesses", "", "-1=", "", "It does nothing in the original; --reads counts operations."},
    {"sine_mix_rate", "", "0=", "1",
     "Operations are due at times that are fixed from the start, at one rate."},
    {"sine_mix_rate_interval_milliseconds", "", "10000=", "", "No rate follows a sine."},
    {"sine_mix_rate_noise", "", "0=", "", "No rate follows a sine."},
    {"sine_a", "", "1=", "", "No rate follows a sine."},
    {"sine_b", "", "1=", "", "No rate follows a sine."},
    {"sine_c", "", "0=", "", "No rate follows a sine."},
    {"sine_d", "", "1=", "", "No rate follows a sine."},
    {"sine_write_rate", "", "0=", "1", "Writes are due at one rate."},
    {"prefix_size", "", "0=", "",
     "A key is its number and padding; --key_prefix puts bytes first."},
    {"keys_per_prefix", "", "0=", "", "A key is its number and padding."},
    {"user_timestamp_size", "", "0=", "", "Keys have no timestamps."},
    {"overwrite_probability", "", "0=", "", "Every key is written once."},
    {"num_multi_db", "", "0=", "", "A run has one store."},
    {"num_column_families", "", "1=", "", "A store is one column family."},
    {"use_single_deletes", "", "0=", "1", "randomreplacekeys erases by Delete."},
    {"writes_per_range_tombstone", "", "0=", "",
     "The writer beside readers deletes no ranges, of which the model would have to know."},
    {"transaction_db", "", "0=|1=", "1", "Transactions that lock keys (a TransactionDB)."},
    {"optimistic_transaction_db", "", "0=|1=", "1",
     "Transactions that find out at the commit (an OptimisticTransactionDB)."},
    {"transaction_sets", "transaction_sets", "", "",
     "Sets of keys of which randomtransaction changes one key each."},
    {"transaction_set_snapshot", ".transaction_set_snapshot", "0=0|1=1", "1",
     "A transaction conflicts with every change since it began."},
    {"transaction_lock_timeout", ".transaction_lock_timeout", "", "",
     "Milliseconds that a transaction waits for a lock."},
    {"use_blob_db", "", "0=", "1",
     "The stacked BlobDB is gone; enable_blob_files is RocksDB's own."},
    {"use_plain_table", "", "0=", "1", "Tables are block-based."},
    {"use_cuckoo_table", "", "0=", "1", "Tables are block-based."},
    {"cache_type", "", "lru_cache=", "", "The cache is RocksDB's LRU cache."},
    {"cache_numshardbits", "", "-1=", "", "RocksDB chooses the shards of the cache."},
    {"row_cache_size", "", "0=", "", "There is no cache of rows."},
    {"perf_level", "", "1=", "", "1: off; its numbers mean another thing in each version."},
    {"stats_per_interval", "", "0=", "", "Put `stats` into the list of benchmarks."},
    {"thread_status_per_interval", "", "0=", "", "Threads are not asked while they work."},
    {"slow_usecs", "", "1000000=", "", "--histogram shows the slowest operation."},
    {"trace_file", "", "=", "", "Nothing is traced."},
    {"block_cache_trace_file", "", "=", "", "Nothing is traced."},
    {"env_uri", "", "=", "", "Stores are in the file system."},
    {"fs_uri", "", "=", "", "Stores are in the file system."},
};

using Given = std::map<std::string, std::string>;

bool IsOn(const Given& given, const std::string& name) {
  const auto it = given.find(name);
  if (it == given.end()) return false;
  const StatusOr<bool> value = ParseFlag(it->second);
  return value.ok() && *value;
}

// The names in --benchmarks that start with one of `beginnings`.
std::string NamesLike(const Given& given, std::span<const std::string_view> beginnings) {
  const auto it = given.find("benchmarks");
  std::vector<std::string> names =
      Split(it == given.end() ? kRocksDbDialect.benchmarks : it->second, ',');
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::none_of(
        beginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
  });
  return fmt::format("{}", fmt::join(names, ", "));
}

StatusOr<uint64_t> BytesOf(const Given& given, const std::string& name, uint64_t otherwise) {
  const auto it = given.find(name);
  if (it == given.end()) return otherwise;
  const StatusOr<uint64_t> bytes = ParseBytes(it->second);
  if (bytes.ok()) return bytes;
  return Status::Usage(
      fmt::format("--{}={}: {}", name, Printable(it->second), bytes.status().message()));
}

StatusOr<uint64_t> MeanValueSize(const Given& given) {
  const auto type = given.find("value_size_distribution_type");
  if (type == given.end() || type->second == "fixed") return BytesOf(given, "value_size", 100);
  ASSIGN_OR_RETURN(const uint64_t least, BytesOf(given, "value_size_min", 100));
  ASSIGN_OR_RETURN(const uint64_t most, BytesOf(given, "value_size_max", 102400));
  return (least + most) / 2;
}

// The rate of a writer beside readers is in operations. Other things that the original slows down
// have no rate here, so they are refused rather than run at full speed.
Status DerivePace(const Given& given, std::vector<std::string>& words) {
  ASSIGN_OR_RETURN(const uint64_t limit, BytesOf(given, "benchmark_write_rate_limit", 0));
  if (limit == 0) return Status::Ok();
  constexpr std::string_view kUnpaced[] = {"fillanddelete"};
  if (const std::string names = NamesLike(given, kUnpaced); !names.empty()) {
    return Status::Usage(fmt::format(
        "--benchmark_write_rate_limit={}: {} keeps to no rate, as what it erases is due at times "
        "of its own; run it by itself, without the flag",
        limit, names));
  }
  ASSIGN_OR_RETURN(const uint64_t key_size, BytesOf(given, "key_size", 16));
  ASSIGN_OR_RETURN(const uint64_t value_size, MeanValueSize(given));
  const uint64_t entry_bytes = std::max<uint64_t>(key_size + value_size, 1);
  if (limit < entry_bytes) {
    return Status::Usage(
        fmt::format("--benchmark_write_rate_limit={}: is less than one entry of {} bytes a second",
                    limit, entry_bytes));
  }
  words.push_back(fmt::format("--writes_per_second={}", (limit + entry_bytes / 2) / entry_bytes));
  return Status::Ok();
}

// The kind of transactions in the store. Without any, randomtransaction writes a batch.
Status DeriveTransactions(const Given& given, DerivedWords& words) {
  const bool locks = IsOn(given, "transaction_db");
  const bool is_optimistic = IsOn(given, "optimistic_transaction_db");
  if (locks && is_optimistic) {
    return Status::Usage(
        "--transaction_db with --optimistic_transaction_db: a store is opened as one of them; "
        "leave "
        "the other out");
  }
  if (locks) words.given.emplace_back("--rocksdb.transactions=pessimistic");
  if (is_optimistic) words.given.emplace_back("--rocksdb.transactions=optimistic");
  if (!locks && !is_optimistic) words.defaults.emplace_back("--transaction_batches=1");
  return Status::Ok();
}

StatusOr<DerivedWords> DeriveRocksDb(const Given& given) {
  DerivedWords words;
  const bool has_log = !IsOn(given, "disable_wal");
  if (IsOn(given, "sync") && !has_log) {
    return Status::Usage(
        "--sync with --disable_wal: there is no log to sync; leave one of them out");
  }
  if (IsOn(given, "sync")) words.given.emplace_back("--durability=synced");
  if (!has_log) words.given.emplace_back("--durability=none");
  if (IsOn(given, "statistics")) words.given.emplace_back("--phase_counters=1");
  const auto interval = given.find("report_interval_seconds");
  if (interval != given.end() && interval->second != "0" && !given.contains("report_file")) {
    words.given.emplace_back("--report_file=report.csv");
  }
  RETURN_IF_ERROR(DerivePace(given, words.given));
  RETURN_IF_ERROR(DeriveTransactions(given, words));
  return words;
}

}  // namespace

// The original's own list of 23 names fails at its second, fillseqdeterministic, which wants
// automatic compactions off. This list has what its readers ask for, and ends in seconds.
constexpr Dialect kRocksDbDialect = {
    .name = "rocksdb",
    .program = "db_bench_rocksdb",
    .label = "RocksDB",
    .benchmarks = "fillseq,readrandom,readseq,readreverse,overwrite",
    .defaults = kRocksDbDefaults,
    .flags = kRocksDbFlags,
    .derive = DeriveRocksDb,
    .lines = Lines::kRocksDb,
    .gflags = true,
};

}  // namespace levelfield
