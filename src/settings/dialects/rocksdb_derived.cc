#include "settings/dialects/rocksdb_derived.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "settings/dialects/rocksdb_caches.h"
#include "settings/dialects/rocksdb_given.h"
#include "settings/dialects/rocksdb_sine.h"

namespace levelfield {
namespace {

using Given = RocksDbGiven;

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

// "1,2,3", one for each level, as the original demands; RocksDB has colons, and would take the
// first number alone.
Status DeriveFanouts(const Given& given, std::vector<std::string>& words) {
  const std::string name = "max_bytes_for_level_multiplier_additional";
  const auto it = given.find(name);
  if (it == given.end() || it->second.empty()) return Status::Ok();
  const std::vector<std::string> each = Split(it->second, ',');
  ASSIGN_OR_RETURN(const uint64_t levels, BytesOf(given, "num_levels", 7));
  const bool are_numbers = std::ranges::all_of(
      each, [](const std::string& one) { return WholeNumber<int32_t>(one).has_value(); });
  if (each.size() != levels || !are_numbers) {
    return Status::Usage(
        fmt::format("--{}={}: {} whole numbers are accepted, one for each of --num_levels, with "
                    "commas between them",
                    name, Printable(it->second), levels));
  }
  words.push_back(fmt::format("--rocksdb.{}={}", name, fmt::join(each, ":")));
  return Status::Ok();
}

// As written, with or without a slash behind it.
bool IsSamePath(const std::string& one, const std::string& other) {
  const auto plain = [](const std::string& path) {
    const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
  };
  return plain(one) == plain(other);
}

// What counts by the prefix of a key. The original ends without one, too.
Status DerivePrefixes(const Given& given, DerivedWords& words) {
  ASSIGN_OR_RETURN(const uint64_t prefix_size, BytesOf(given, "prefix_size", 0));
  ASSIGN_OR_RETURN(const uint64_t key_size, BytesOf(given, "key_size", 16));
  if (prefix_size > key_size) {
    return Status::Usage(
        fmt::format("--prefix_size={}: a key has {} bytes (--key_size)", prefix_size, key_size));
  }
  if (prefix_size != 0) {
    words.given.push_back(fmt::format("--rocksdb.prefix_extractor=fixed:{}", prefix_size));
  }
  const std::string memtable = ValueOr(given, "memtablerep", "skip_list");
  const bool hashes = memtable == "prefix_hash" || memtable == "hash_linkedlist";
  if (prefix_size == 0 && (hashes || IsOn(given, "use_hash_search"))) {
    return Status::Usage(fmt::format("--{}: hashes prefixes: say --prefix_size, too",
                                     hashes ? "memtablerep=" + memtable : "use_hash_search"));
  }
  const std::string own = "1048576";
  const std::string buckets = ValueOr(given, "hash_bucket_count", own);
  if (hashes) {
    words.given.push_back(fmt::format("--rocksdb.memtable_factory={}:{}", memtable, buckets));
  } else if (buckets != own) {
    words.notes.emplace_back(
        "--hash_bucket_count changes nothing. It counts only with --memtablerep=prefix_hash or "
        "hash_linkedlist.");
  }
  if (IsOn(given, "use_hash_search")) {
    words.given.emplace_back("--rocksdb.index_type=kHashSearch");
  }
  return Status::Ok();
}

// Tables of another form, with the members that the original sets.
Status DeriveTableForm(const Given& given, std::vector<std::string>& words) {
  const bool is_plain = IsOn(given, "use_plain_table");
  const bool is_cuckoo = IsOn(given, "use_cuckoo_table");
  if (is_plain && is_cuckoo) {
    return Status::Usage("--use_plain_table with --use_cuckoo_table: leave one of them out");
  }
  if (is_plain) {
    const std::string bits = ValueOr(given, "bloom_bits", "-1");
    words.push_back(
        fmt::format("--rocksdb.table_factory={{id=PlainTable;user_key_len={};bloom_bits_per_key={};"
                    "hash_table_ratio=0.75}}",
                    ValueOr(given, "key_size", "16"), bits == "-1" ? "10" : bits));
  }
  if (is_cuckoo && !IsOn(given, "mmap_read")) {
    return Status::Usage("--use_cuckoo_table: reads through a memory map: say --mmap_read, too");
  }
  if (is_cuckoo) {
    words.push_back(fmt::format(
        "--rocksdb.table_factory={{id=CuckooTable;hash_table_ratio={};identity_as_first_hash={}}}",
        ValueOr(given, "cuckoo_hash_ratio", "0.9"),
        IsOn(given, "identity_as_first_hash") ? "true" : "false"));
  }
  return Status::Ok();
}

// In the original they take no snapshot. Here all scans of a thread would be of the same one.
Status CheckSnapshot(const Given& given) {
  constexpr std::string_view kWriteAndScan[] = {"mixgraph", "fillseekseq", "timeseries", "ycsb-e"};
  const std::string names = NamesLike(given, kWriteAndScan);
  if (!IsOn(given, "explicit_snapshot") || names.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "--explicit_snapshot: {} writes what it scans later, which no snapshot from the begin has; "
      "run it by itself, without the flag",
      names));
}

// Of none of them the original does anything.
Status CheckAmounts(const Given& given) {
  for (const char* const name : {"reads", "deletes", "batch_size"}) {
    if (ValueOr(given, name, "") != "0") continue;
    return Status::Usage(fmt::format("--{}=0: the original does nothing then; leave it out", name));
  }
  return Status::Ok();
}

// What RocksDB knows by one option where the original has several flags.
Status DeriveTables(const Given& given, std::vector<std::string>& words) {
  RETURN_IF_ERROR(DeriveRocksDbCaches(given, words));
  const std::string lookahead = ValueOr(given, "skip_list_lookahead", "0");
  if (lookahead != "0" && ValueOr(given, "memtablerep", "skip_list") == "skip_list") {
    words.push_back("--rocksdb.memtable_factory=skip_list:" + lookahead);
  }
  const std::string hint = ValueOr(given, "memtable_insert_with_hint_prefix_size", "0");
  if (hint != "0") {
    words.push_back("--rocksdb.memtable_insert_with_hint_prefix_extractor=capped:" + hint);
  }
  if (IsOn(given, "statistics") && given.contains("stats_level")) {
    words.push_back("--rocksdb.stats_level=" + given.at("stats_level"));
  }
  RETURN_IF_ERROR(CheckRocksDbShards(given, "cache_numshardbits", -1));
  RETURN_IF_ERROR(CheckRocksDbShards(given, "table_cache_numshardbits", 1));
  RETURN_IF_ERROR(DeriveFanouts(given, words));
  if (const auto level = given.find("min_level_to_compress");
      level != given.end() && level->second != "-1") {
    constexpr uint64_t kMostLevels = 64;
    ASSIGN_OR_RETURN(const uint64_t first, BytesOf(given, "min_level_to_compress", 0));
    ASSIGN_OR_RETURN(const uint64_t levels, BytesOf(given, "num_levels", 7));
    if (first > levels || levels > kMostLevels) {
      return Status::Usage(
          fmt::format("--min_level_to_compress={}: there are {} levels "
                      "(--num_levels), of at most {}",
                      first, levels, kMostLevels));
    }
    const auto type = given.find("compression_type");
    std::vector<std::string> each(levels, type == given.end() ? "snappy" : type->second);
    std::fill_n(each.begin(), first, "none");
    words.push_back(fmt::format("--rocksdb.compression_per_level={}", fmt::join(each, ":")));
  }
  if (IsOn(given, "partition_index_and_filters")) {
    words.emplace_back("--rocksdb.index_type=kTwoLevelIndexSearch");
    words.emplace_back("--rocksdb.partition_filters=true");
  }
  if (IsOn(given, "use_ribbon_filter")) {
    const auto bits = given.find("bloom_bits");
    if (bits == given.end() || bits->second == "-1") {
      return Status::Usage("--use_ribbon_filter: there is no filter without --bloom_bits");
    }
    words.push_back("--rocksdb.filter_policy=ribbonfilter:" + bits->second);
  }
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

// Where nothing can merge the store has no merge operator, as in the original. A store that is
// there may hold merges.
bool MayMerge(const Given& given) {
  const auto it = given.find("benchmarks");
  const std::string_view names = it == given.end() ? kRocksDbDialect.benchmarks : it->second;
  const bool has_files = names.find('/') != names.npos || names.find(".workload") != names.npos;
  return has_files || names.find("merg") != names.npos || IsOn(given, "use_existing_db");
}

// How a write is made durable, where its log is, and at what rate.
Status DeriveWrites(const Given& given, DerivedWords& words) {
  const bool has_log = !IsOn(given, "disable_wal");
  if (IsOn(given, "sync") && !has_log) {
    return Status::Usage(
        "--sync with --disable_wal: there is no log to sync; leave one of them out");
  }
  if (IsOn(given, "sync")) words.given.emplace_back("--durability=synced");
  if (!has_log) words.given.emplace_back("--durability=none");
  const std::string log = ValueOr(given, "wal_dir", "");
  if (!log.empty() && !IsSamePath(log, ValueOr(given, "db", ""))) {
    words.given.push_back("--rocksdb.wal_dir=" + log);
  }
  return DerivePace(given, words.given);
}

void DeriveLevels(const Given& given, DerivedWords& words) {
  if (!IsOn(given, "level_compaction_dynamic_level_bytes")) return;
  const bool has_levels = ValueOr(given, "compaction_style", "0") == "0";
  if (has_levels) {
    words.given.emplace_back("--rocksdb.level_compaction_dynamic_level_bytes=1");
  } else {
    words.notes.emplace_back(
        "--level_compaction_dynamic_level_bytes=1 changes nothing. Only --compaction_style=0 has "
        "levels, and RocksDB leaves it out elsewhere, too.");
  }
}

// What is counted and told of a run.
Status DeriveReports(const Given& given, std::vector<std::string>& words) {
  if (IsOn(given, "statistics")) words.emplace_back("--phase_counters=1");
  if (ValueOr(given, "report_interval_seconds", "0") != "0" && !given.contains("report_file")) {
    words.emplace_back("--report_file=report.csv");
  }
  ASSIGN_OR_RETURN(const uint64_t tracks, BytesOf(given, "thread_status_per_interval", 0));
  if (tracks != 0) words.emplace_back("--rocksdb.enable_thread_tracking=1");
  return Status::Ok();
}

// The original replays a trace at its own speed, and records all but a replay.
void DeriveTraces(const Given& given, DerivedWords& words) {
  constexpr std::string_view kReplay[] = {"replay"};
  const std::string file = ValueOr(given, "trace_file", "");
  const bool replays = !NamesLike(given, kReplay).empty();
  if (!file.empty()) words.given.push_back((replays ? "--trace=" : "--record=") + file);
  if (replays) {
    words.given.push_back("--trace_speed=" + ValueOr(given, "trace_replay_fast_forward", "1"));
    words.defaults.emplace_back("--histogram=1");  // Operations that are due are timed.
    if (given.contains("trace_replay_threads")) {
      words.given.push_back("--threads=" + given.at("trace_replay_threads"));
    }
    return;
  }
  for (const char* const name : {"trace_replay_fast_forward", "trace_replay_threads"}) {
    if (!given.contains(name) || WholeNumber<double>(given.at(name)) == 1) continue;
    words.notes.push_back(fmt::format("--{} changes nothing. It counts only in replay.", name));
  }
}

}  // namespace

StatusOr<DerivedWords> DeriveRocksDb(const Given& given) {
  DerivedWords words;
  RETURN_IF_ERROR(CheckAmounts(given));
  RETURN_IF_ERROR(CheckSnapshot(given));
  RETURN_IF_ERROR(DeriveWrites(given, words));
  ASSIGN_OR_RETURN(const uint64_t key_size, BytesOf(given, "key_size", 16));
  ASSIGN_OR_RETURN(const uint64_t value_size, MeanValueSize(given));
  RETURN_IF_ERROR(DeriveSine(given, key_size, value_size, words));
  RETURN_IF_ERROR(DeriveReports(given, words.given));
  RETURN_IF_ERROR(DerivePrefixes(given, words));
  RETURN_IF_ERROR(DeriveTableForm(given, words.given));
  RETURN_IF_ERROR(DeriveTables(given, words.given));
  RETURN_IF_ERROR(DeriveTransactions(given, words));
  DeriveLevels(given, words);
  DeriveTraces(given, words);
  if (!MayMerge(given)) words.defaults.emplace_back("--rocksdb.merge_operator=none");
  return words;
}

}  // namespace levelfield
