// RocksDB, any version from 7.8, through its C interface. Which library: rocksdb_library.h.
//
// Common options that are not given keep RocksDB's own defaults. The engine's own options follow
// https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning, which advises them for
// new databases: RocksDB keeps older defaults for the sake of existing ones. The page's block_size,
// 16K, is an alternative. All further options of RocksDB go to its own parser by their own names
// (rocksdb_options.h).
#include <sys/mman.h>
#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "rocksdb_background.h"
#include "rocksdb_in_force.h"
#include "rocksdb_levels.h"
#include "rocksdb_library.h"
#include "rocksdb_logs.h"
#include "rocksdb_options.h"
#include "rocksdb_perf.h"
#include "rocksdb_reads.h"
#include "rocksdb_transactions.h"
#include "store_files.h"
#include "temporary_directory.h"

namespace {

using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::RocksDbInForce;
using levelfield::RocksDbOptions;
using levelfield::RocksDbOwned;
using levelfield::RocksDbPerf;
using levelfield::RocksDbTransactions;
using levelfield::Unsupported;

const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "RocksDB's own: 8M before 8.2, 32M since", nullptr,
     "Cache of uncompressed blocks, with index and filter blocks in it."},
    {"cache_type", LF_CHOICE, "RocksDB's own: lru before 10.7, hyper_clock since",
     "lru|hyper_clock",
     "LRUCache, or HyperClockCache, which sizes itself (10.7 and later). With an options_file, and "
     "with a block_cache by its members, RocksDB's parser makes the cache, which is an LRU cache."},
    {"cache_numshardbits", LF_COUNT, "RocksDB's own: by the size of the cache", nullptr,
     "2^n shards of the cache."},
    {"cache_high_pri_pool_ratio", LF_TEXT, "RocksDB's own: 0.5", nullptr,
     "The share of an LRU cache for index and filter blocks that stay longest."},
    {"cache_low_pri_pool_ratio", LF_TEXT, "RocksDB's own: 0", nullptr,
     "The share of an LRU cache for data blocks, which go before those and after blobs."},
    {"keep_filter", LF_FLAG, "0", nullptr,
     "Compactions ask a filter that keeps every entry: what asking costs."},
    {"blob_cache", LF_TEXT, "none", nullptr,
     "Where blobs are cached: `shared`, in the cache of blocks, or a cache of RocksDB's own words: "
     "{capacity=8M;num_shard_bits=6}."},
    {"row_cache_size", LF_BYTES, "0", nullptr,
     "An LRU cache of rows, whole values of gets. 0: none."},
    {"write_buffer_size", LF_BYTES, "64M", nullptr, "Memtable. At least 64K."},
    {"block_size", LF_BYTES, "4K", nullptr, "User data in a block, uncompressed."},
    {"bloom_bits", LF_COUNT, "0", nullptr, "Bits of Bloom filter for each key. 0: no filter."},
    {"compression", LF_CHOICE, "snappy", "none|snappy|zlib|lz4|lz4hc|zstd", "Of all levels."},
    {"max_open_files", LF_COUNT, "all", nullptr, "Table files kept open. At least 20."},
    {"max_background_jobs", LF_COUNT, "6", nullptr,
     "Flushes and compactions at a time. RocksDB's own default is 2."},
    {"max_write_buffer_number", LF_COUNT, "2", nullptr,
     "Memtables before writes stop. At least 2."},
    {"max_subcompactions", LF_COUNT, "1", nullptr, "Threads that share one compaction."},
    {"level0_file_num_compaction_trigger", LF_COUNT, "4", nullptr,
     "Files on level 0 that start a compaction."},
    {"target_file_size_base", LF_BYTES, "64M", nullptr, "Size of a table file."},
    {"max_bytes_for_level_base", LF_BYTES, "256M", nullptr, "Size of level 1."},
    {"level_compaction_dynamic_level_bytes", LF_FLAG, "1", nullptr,
     "Level sizes follow from the last level. RocksDB's own default is 0 before 8.4."},
    {"bytes_per_sync", LF_BYTES, "1M", nullptr,
     "Table files are written back in steps of this size. RocksDB's own default is 0: by the "
     "kernel."},
    {"cache_index_and_filter_blocks", LF_FLAG, "1", nullptr,
     "Index and filter blocks count against cache_size. RocksDB's own default is 0: unbounded."},
    {"pin_l0_filter_and_index_blocks_in_cache", LF_FLAG, "1", nullptr,
     "Those of level 0 are not evicted. RocksDB's own default is 0."},
    {"use_direct_reads", LF_FLAG, "0", nullptr, "Reads bypass the page cache."},
    {"use_direct_io_for_flush_and_compaction", LF_FLAG, "0", nullptr,
     "Background reads and writes bypass the page cache."},
    {"verify_checksums", LF_FLAG, "1", nullptr, "Each block read from a file is verified."},
    {"merge_operator", LF_CHOICE, "put", "put|uint64add|stringappend|max|none",
     "What a merge makes of a value and an operand."},
    {"wal_dir", LF_TEXT, "none", nullptr,
     "A directory for the logs alone, as on another device. A file in it names their store. Their "
     "bytes are not among the store's."},
    {"options_file", LF_TEXT, "none", nullptr,
     "An OPTIONS file of RocksDB's to begin with, in place of the defaults here; what is asked for "
     "besides wins over it."},
    {"statistics", LF_FLAG, "0", nullptr,
     "Keeps RocksDB's counters (property rocksdb.options-statistics), at some cost for each call."},
    {"perf_level", LF_COUNT, "2", nullptr,
     "What RocksDB counts for each thread: 2, its own default, counts comparisons, blocks and the "
     "like; 1, db_bench's default, nothing. The others time calls, and differ between versions. "
     "What is asked for is summed over the threads: the counters perf_context.*."},
    {"stats_level", LF_COUNT, "RocksDB's own: 3", nullptr,
     "What statistics keep: 1 counts, more times calls as well; 5 is all."},
    {"readahead_size", LF_BYTES, "0", nullptr,
     "Bytes that an iterator reads ahead. 0: RocksDB's own way."},
    {"async_io", LF_FLAG, "0", nullptr, "Iterators and multi-gets read in the background."},
    {"adaptive_readahead", LF_FLAG, "0", nullptr,
     "The read-ahead of an iterator goes on in the next file."},
    {"auto_readahead_size", LF_FLAG, "RocksDB's own: 1 since 8.8", nullptr,
     "Reads ahead no further than an iterator's bound."},
    {"optimize_multiget_for_io", LF_FLAG, "1", nullptr,
     "With async_io: reads of several levels at once."},
    {"total_order_seek", LF_FLAG, "0", nullptr, "No seek by the prefix alone."},
    {"prefix_same_as_start", LF_FLAG, "0", nullptr,
     "An iterator ends with the prefix at which it began."},
    {"auto_prefix_mode", LF_FLAG, "0", nullptr, "By the prefix where that is enough."},
    {"auto_refresh_iterator_with_snapshot", LF_FLAG, "0", nullptr,
     "An iterator lets go of what it does not need."},
    {"use_tailing_iterator", LF_FLAG, "0", nullptr,
     "Each session has one iterator, which sees what is written after it was made."},
    {"write_batch_protection_bytes_per_key", LF_COUNT, "0", nullptr,
     "Bytes of checksum for each entry of a write, until it is in the memtable: 0 or 8."},
    {"num_high_pri_threads", LF_COUNT, "by max_background_jobs", nullptr, "Threads that flush."},
    {"num_low_pri_threads", LF_COUNT, "by max_background_jobs", nullptr, "Threads that compact."},
    {"num_bottom_pri_threads", LF_COUNT, "0", nullptr, "Threads that compact into the last level."},
    {"enable_io_prio", LF_FLAG, "0", nullptr, "Those threads have idle I/O priority."},
    {"enable_cpu_prio", LF_FLAG, "0", nullptr, "Those threads have the least CPU priority."},
    {"rate_limiter_refill_period_us", LF_COUNT, "100000", nullptr,
     "Of rate_limiter_bytes_per_sec."},
    {"rate_limiter_auto_tuned", LF_FLAG, "0", nullptr, "Of rate_limiter_bytes_per_sec."},
    {"rate_limit_bg_reads", LF_FLAG, "0", nullptr,
     "rate_limiter_bytes_per_sec limits reads, not writes."},
    {"rate_limit_user_ops", LF_FLAG, "0", nullptr,
     "With rate_limit_bg_reads: it limits the reads of the workload, too."},
    {"rate_limit_auto_wal_flush", LF_FLAG, "0", nullptr,
     "Without rate_limit_bg_reads: it limits what writes add to the log, too."},
    {"cost_write_buffer_to_cache", LF_FLAG, "0", nullptr,
     "Memtables count against the cache of blocks."},
    {"explicit_snapshot", LF_FLAG, "0", nullptr,
     "Scans of a session see the store as it was when the session began, and keep it so. A session "
     "that also writes finds less in its scans than the checks expect."},
    {"backup_rate_limit", LF_BYTES, "0", nullptr, "Bytes a second of a backup. 0: no limit."},
    {"transactions", LF_CHOICE, "none", "none|pessimistic|optimistic",
     "Opens the store as a TransactionDB, which locks keys, or as an OptimisticTransactionDB, "
     "which "
     "looks at the commit whether they have changed."},
    {"transaction_lock_timeout", LF_COUNT, "1000", nullptr,
     "Milliseconds that a pessimistic transaction waits for the lock of a key before that is a "
     "conflict."},
    {"transaction_set_snapshot", LF_FLAG, "0", nullptr,
     "A transaction conflicts with every change since it began, not since it read the key."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_alternative kAlternatives[] = {
    {"equal", "write_buffer_size=16M max_bytes_for_level_base=64M target_file_size_base=16M",
     "none,process,synced",
     "Level 1 is to be as large as level 0, four buffers. A file is as large as a buffer, as by "
     "default; the guide names a tenth of level 1. LevelDB's buffer has the same size.",
     "https://github.com/facebook/rocksdb/wiki/RocksDB-Tuning-Guide#level-style-compaction"},
    {"buffer_64m", "write_buffer_size=64M max_bytes_for_level_base=256M target_file_size_base=64M",
     "none,process,synced", "RocksDB's own sizes.",
     "https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning"},
    {"bloom", "bloom_bits=10", "none,process,synced",
     "Filters are advised where there are gets of single keys.",
     "https://github.com/facebook/rocksdb/wiki/RocksDB-Tuning-Guide#general-options"},
    {"block_16k", "block_size=16K", "none,process,synced",
     "Among the options advised for new databases and general loads.",
     "https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning"},
    {"uncounted", "perf_level=1", "none,process,synced",
     "Without the counters of each thread, as in db_bench.",
     "https://github.com/facebook/rocksdb/wiki/Perf-Context-and-IO-Stats-Context"},
    {"unchecked", "verify_checksums=0", "none,process,synced",
     "On by default: every read from a file is verified.",
     "https://github.com/facebook/rocksdb/blob/main/include/rocksdb/options.h"},
    {"own", "cache_size=32M", "none,process,synced",
     "A cache is to be made explicitly, of a size that the memory allows; the default is small.",
     "https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning"},
    {"own", "compression=snappy", "none,process,synced",
     "Compression is advised, LZ4 or Zstd before Snappy.",
     "https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning"},
    {"own", "max_background_jobs=2", "none,process,synced",
     "As many jobs as the machine has cores, or more, are advised; the default is kept for old "
     "users.",
     "https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning"},
    {"own", "bytes_per_sync=0", "none,process,synced",
     "1 MiB is advised for new databases, so that what is written reaches the device in small "
     "steps.",
     "https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning"},
    {"own", "cache_index_and_filter_blocks=0", "none,process,synced",
     "Within the cache, indexes and filters take no more memory than it has; outside of it they "
     "are faster.",
     "https://github.com/facebook/rocksdb/wiki/Block-Cache#caching-index-filter-and-compression-"
     "dictionary-blocks"},
    {"own", "pin_l0_filter_and_index_blocks_in_cache=0", "none,process,synced",
     "Pinned, those of level 0 are not evicted by others; advised where they are in the cache.",
     "https://github.com/facebook/rocksdb/wiki/Setup-Options-and-Basic-Tuning"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "WriteOptions::disableWAL = true"},
    {"process", LF_D1_PROCESS, "WriteOptions::sync = false"},
    {"synced", LF_D4_SYNCED, "WriteOptions::sync = true"},
    {nullptr, LF_REFUSED, nullptr},
};

const char* const kProperties[] = {"options",
                                   "rocksdb.stats",
                                   "rocksdb.levelstats",
                                   "rocksdb.sstables",
                                   "rocksdb.estimate-num-keys",
                                   "rocksdb.estimate-pending-compaction-bytes",
                                   "rocksdb.estimate-table-readers-mem",
                                   "rocksdb.cur-size-all-mem-tables",
                                   "rocksdb.block-cache-usage",
                                   "rocksdb.total-sst-files-size",
                                   "rocksdb.total-blob-file-size",
                                   "table_bytes",
                                   "blob_bytes",
                                   nullptr};

// The C interface returns the text of a status alone. Corruption is also what RocksDB says of files
// that it cannot read for another reason: of a newer version, of a compression that it was built
// without, and of other formats of tables, which it knows by these magic numbers
// (table/plain/plain_table_builder.cc, table/cuckoo/cuckoo_table_builder.cc).
bool IsDamage(std::string_view error) {
  constexpr std::string_view kOthers[] = {"not supported",
                                          "newer version",
                                          "unknown tag",
                                          "found 9386102602707473764",
                                          "found 5707214027437839288",
                                          "found 10549552181905815667"};
  return error.starts_with("Corruption: ") &&
         std::ranges::none_of(kOthers, [&](std::string_view other) {
           return error.find(other) != std::string_view::npos;
         });
}

// The error text of a call, which the library must free.
class Error {
 public:
  Error() = default;
  Error(const Error&) = delete;
  Error& operator=(const Error&) = delete;
  ~Error() {
    if (text_ != nullptr) ROCKSDB(free, text_);
  }

  char** Out() { return &text_; }
  bool IsSet() const { return text_ != nullptr; }
  const char* Text() const { return text_; }
  lf_code Code(std::string_view what) const {
    if (text_ == nullptr) return LF_OK;
    const std::string text = "RocksDB: " + std::string(what) + ": " + text_;
    return IsDamage(text_) ? levelfield::Damaged(text) : Failed(text);
  }

 private:
  char* text_ = nullptr;
};

using WriteOptions = RocksDbOwned<rocksdb_writeoptions_t, "rocksdb_writeoptions_destroy">;
using ReadOptions = RocksDbOwned<rocksdb_readoptions_t, "rocksdb_readoptions_destroy">;
using Options = RocksDbOwned<rocksdb_options_t, "rocksdb_options_destroy">;

class Session {
 public:
  // With so many bytes of checksum for each entry. Null: this library has no such batches.
  static RocksDbOwned<rocksdb_writebatch_t, "rocksdb_writebatch_destroy"> BatchOf(
      uint64_t protection_bytes) {
    RocksDbOwned<rocksdb_writebatch_t, "rocksdb_writebatch_destroy"> batch;
    if (protection_bytes == 0) {
      batch.reset(ROCKSDB(writebatch_create));
    } else if (const auto create = levelfield::LaterRocksDbFunction<rocksdb_writebatch_t*(
                   size_t, size_t, size_t, size_t)>("rocksdb_writebatch_create_with_params")) {
      batch.reset(create(0, 0, protection_bytes, 0));
    }
    return batch;
  }

  Session(rocksdb_t* db, rocksdb_column_family_handle_t* family, const rocksdb_readoptions_t* read,
          const rocksdb_writeoptions_t* write, bool verify_checksums,
          const RocksDbTransactions& transactions, RocksDbPerf& perf, uint64_t protection_bytes,
          bool keeps_scan)
      : db_(db),
        family_(family),
        read_(read),
        scan_read_(read),
        write_(write),
        verify_checksums_(verify_checksums),
        transactions_(transactions),
        keeps_scan_(keeps_scan),
        perf_(perf),
        batch_(BatchOf(protection_bytes)) {
    perf_.BeginThread();
  }
  ~Session() {
    scan_.reset();
    if (seen_ != nullptr) ROCKSDB(release_snapshot, db_, seen_);
    perf_.EndThread();
  }

  // From its begin on, before any scan: these see the store as it is now.
  void SeeNow(ReadOptions read) {
    seen_ = ROCKSDB(create_snapshot, db_);
    own_scan_read_ = std::move(read);
    ROCKSDB(readoptions_set_snapshot, own_scan_read_.get(), seen_);
    scan_read_ = own_scan_read_.get();
  }

  // The value is not copied: its block stays pinned until the next get.
  lf_code Get(lf_bytes key, lf_bytes* value) {
    scan_.reset();
    Error error;
    if (is_in_transaction_) [[unlikely]] {
      value_.reset(ROCKSDB(transaction_get_pinned, transaction_.get(), read_, key.data, key.size,
                           error.Out()));
      return Got(error, value);
    }
    value_.reset(ROCKSDB(get_pinned, db_, read_, key.data, key.size, error.Out()));
    if (value_ == nullptr) return error.IsSet() ? error.Code("get") : LF_NOT_FOUND;
    value->data = ROCKSDB(pinnableslice_value, value_.get(), &value->size);
    return LF_OK;
  }

  // rocksdb_put and rocksdb_delete each make a batch. Ours keeps its memory, as in db_bench.
  lf_code Put(lf_bytes key, lf_bytes value) {
    if (is_in_transaction_) [[unlikely]] {
      Error error;
      ROCKSDB(transaction_put, transaction_.get(), key.data, key.size, value.data, value.size,
              error.Out());
      return OfTransaction(error, "put");
    }
    ROCKSDB(writebatch_clear, batch_.get());
    ROCKSDB(writebatch_put, batch_.get(), key.data, key.size, value.data, value.size);
    return Commit("put");
  }

  lf_code Erase(lf_bytes key) {
    if (is_in_transaction_) [[unlikely]] {
      Error error;
      ROCKSDB(transaction_delete, transaction_.get(), key.data, key.size, error.Out());
      return OfTransaction(error, "erase");
    }
    ROCKSDB(writebatch_clear, batch_.get());
    ROCKSDB(writebatch_delete, batch_.get(), key.data, key.size);
    return Commit("erase");
  }

  lf_code Write(std::span<const lf_entry> entries) {
    ROCKSDB(writebatch_clear, batch_.get());
    for (const lf_entry& entry : entries) {
      if (entry.erase != 0) {
        ROCKSDB(writebatch_delete, batch_.get(), entry.key.data, entry.key.size);
      } else {
        ROCKSDB(writebatch_put, batch_.get(), entry.key.data, entry.key.size, entry.value.data,
                entry.value.size);
      }
    }
    return Commit("write of a batch");
  }

  // An iterator sees the store as of its creation, so each scan makes its own. A tailing one sees
  // what came later, and a session keeps it.
  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    if (!keeps_scan_ || scan_ == nullptr) scan_.reset(ROCKSDB(create_iterator, db_, scan_read_));
    switch (how) {
      case LF_FIRST:
        ROCKSDB(iter_seek_to_first, scan_.get());
        break;
      case LF_LAST:
        ROCKSDB(iter_seek_to_last, scan_.get());
        break;
      case LF_AT_OR_AFTER:
        ROCKSDB(iter_seek, scan_.get(), key.data, key.size);
        break;
      case LF_AT_OR_BEFORE:
        ROCKSDB(iter_seek_for_prev, scan_.get(), key.data, key.size);
        break;
    }
    return Emit(found_key, value);
  }

  struct Snapshot {
    Snapshot(rocksdb_t* of, bool verify_checksums)
        : db(of), sequence(ROCKSDB(create_snapshot, of)), read(ROCKSDB(readoptions_create)) {
      ROCKSDB(readoptions_set_verify_checksums, read.get(), verify_checksums ? 1 : 0);
      ROCKSDB(readoptions_set_snapshot, read.get(), sequence);
    }
    ~Snapshot() { ROCKSDB(release_snapshot, db, sequence); }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;
    rocksdb_t* const db;
    const rocksdb_snapshot_t* const sequence;
    const ReadOptions read;
  };

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    scan_.reset();
    snapshot = std::make_unique<Snapshot>(db_, verify_checksums_);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    scan_.reset();
    Error error;
    value_.reset(ROCKSDB(get_pinned, db_, snapshot.read.get(), key.data, key.size, error.Out()));
    if (value_ == nullptr) return error.IsSet() ? error.Code("get of a snapshot") : LF_NOT_FOUND;
    value->data = ROCKSDB(pinnableslice_value, value_.get(), &value->size);
    return LF_OK;
  }

  // https://github.com/facebook/rocksdb/wiki/Transactions. Reuses the previous transaction and its
  // memory, as in db_bench.
  lf_code BeginTransaction() {
    scan_.reset();
    if (!transactions_.IsOn()) {
      return Unsupported(
          "RocksDB: this store is opened without transactions; open it with "
          "--rocksdb.transactions=pessimistic or optimistic");
    }
    transaction_.reset(transactions_.Begin(write_, transaction_.release()));
    is_in_transaction_ = true;
    return LF_OK;
  }

  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) {
    constexpr unsigned char kExclusive = 1;
    Error error;
    value_.reset(ROCKSDB(transaction_get_pinned_for_update, transaction_.get(), read_, key.data,
                         key.size, kExclusive, error.Out()));
    return Got(error, value);
  }

  lf_code CommitTransaction() {
    Error error;
    ROCKSDB(transaction_commit, transaction_.get(), error.Out());
    is_in_transaction_ = error.IsSet();
    return OfTransaction(error, "commit");
  }

  lf_code RollBackTransaction() {
    if (!is_in_transaction_) return LF_OK;
    is_in_transaction_ = false;
    value_.reset();
    Error error;
    ROCKSDB(transaction_rollback, transaction_.get(), error.Out());
    return error.Code("roll back a transaction");
  }

  lf_code NewIterator() {
    scan_.reset(ROCKSDB(create_iterator, db_, read_));
    scan_.reset();
    return LF_OK;
  }

  lf_code Merge(lf_bytes key, lf_bytes operand) {
    ROCKSDB(writebatch_clear, batch_.get());
    ROCKSDB(writebatch_merge, batch_.get(), key.data, key.size, operand.data, operand.size);
    return Commit("merge");
  }

  lf_code DeleteRange(lf_bytes from, lf_bytes to) {
    ROCKSDB(writebatch_clear, batch_.get());
    ROCKSDB(writebatch_delete_range, batch_.get(), from.data, from.size, to.data, to.size);
    return Commit("delete_range");
  }

  // The batched form, which looks up all keys of a block together. Values stay pinned as in a get.
  lf_code MultiGet(std::span<const lf_bytes> keys, lf_bytes* values, lf_code* codes) {
    scan_.reset();
    values_.clear();
    const size_t count = keys.size();
    keys_.resize(count);
    key_sizes_.resize(count);
    pinned_.assign(count, nullptr);
    errors_.assign(count, nullptr);
    for (size_t i = 0; i < count; ++i) {
      keys_[i] = keys[i].data;
      key_sizes_[i] = keys[i].size;
    }
    ROCKSDB(batched_multi_get_cf, db_, read_, family_, count, keys_.data(), key_sizes_.data(),
            pinned_.data(), errors_.data(), false);
    lf_code result = LF_OK;
    for (size_t i = 0; i < count; ++i) {
      values_.emplace_back(pinned_[i]);
      codes[i] = pinned_[i] != nullptr ? LF_OK : LF_NOT_FOUND;
      if (pinned_[i] != nullptr) {
        values[i].data = ROCKSDB(pinnableslice_value, pinned_[i], &values[i].size);
      }
      if (errors_[i] == nullptr) continue;
      const std::string text = std::string("RocksDB: multi_get: ") + errors_[i];
      result = IsDamage(errors_[i]) ? levelfield::Damaged(text) : Failed(text);
      ROCKSDB(free, errors_[i]);
    }
    return result;
  }

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    ROCKSDB(iter_next, scan_.get());
    return Emit(key, value);
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    ROCKSDB(iter_prev, scan_.get());
    return Emit(key, value);
  }

 private:
  // An open scan would pin obsolete memtables and files. Inlined, because a return behind a system
  // call is predicted badly: 25 ns of 4 us.
  [[gnu::always_inline]] lf_code Commit(const char* what) {
    scan_.reset();
    Error error;
    if (transactions_.pessimistic != nullptr) [[unlikely]] {
      // Respects the locks of transactions.
      ROCKSDB(transactiondb_write, transactions_.pessimistic.get(), write_, batch_.get(),
              error.Out());
    } else {
      ROCKSDB(write, db_, write_, batch_.get(), error.Out());
    }
    return error.IsSet() ? error.Code(what) : LF_OK;
  }

  // The result of a get in a transaction.
  lf_code Got(const Error& error, lf_bytes* value) const {
    if (value_ == nullptr) return error.IsSet() ? OfTransaction(error, "get") : LF_NOT_FOUND;
    value->data = ROCKSDB(pinnableslice_value, value_.get(), &value->size);
    return LF_OK;
  }

  static lf_code OfTransaction(const Error& error, const char* what) {
    if (!error.IsSet()) return LF_OK;
    return levelfield::IsRocksDbConflict(error.Text())
               ? levelfield::Conflict(std::string("RocksDB: ") + what + ": " + error.Text())
               : error.Code(std::string(what) + " in a transaction");
  }

  lf_code Emit(lf_bytes* key, lf_bytes* value) {
    if (ROCKSDB(iter_valid, scan_.get()) == 0) {
      Error error;
      ROCKSDB(iter_get_error, scan_.get(), error.Out());
      scan_.reset();
      return error.IsSet() ? error.Code("scan") : LF_NOT_FOUND;
    }
    key->data = ROCKSDB(iter_key, scan_.get(), &key->size);
    value->data = ROCKSDB(iter_value, scan_.get(), &value->size);
    return LF_OK;
  }

  rocksdb_t* const db_;
  rocksdb_column_family_handle_t* const family_;
  const rocksdb_readoptions_t* const read_;
  const rocksdb_readoptions_t* scan_read_;  // Of scans; of all reads, or with a snapshot:
  ReadOptions own_scan_read_;
  const rocksdb_snapshot_t* seen_ = nullptr;
  const rocksdb_writeoptions_t* const write_;
  const bool verify_checksums_;
  const RocksDbTransactions& transactions_;
  const bool keeps_scan_;
  RocksDbPerf& perf_;
  const RocksDbOwned<rocksdb_writebatch_t, "rocksdb_writebatch_destroy"> batch_;
  using Pinned = RocksDbOwned<rocksdb_pinnableslice_t, "rocksdb_pinnableslice_destroy">;
  Pinned value_;
  std::vector<Pinned> values_;     // The values of the last multi-get.
  std::vector<const char*> keys_;  // The arguments of the last multi-get.
  std::vector<size_t> key_sizes_;
  std::vector<rocksdb_pinnableslice_t*> pinned_;
  std::vector<char*> errors_;
  RocksDbOwned<rocksdb_iterator_t, "rocksdb_iter_destroy"> scan_;
  RocksDbOwned<rocksdb_transaction_t, "rocksdb_transaction_destroy"> transaction_;
  bool is_in_transaction_ = false;
};

class Store {
 public:
  static lf_code CheckTransactions(const EngineSettings& settings) {
    const std::string_view kind = settings.Text("transactions", "none");
    if (kind == "pessimistic" && levelfield::TheRocksDb().transactiondb_get_base_db == nullptr) {
      return Unsupported(
          "this RocksDB library's C interface has no rocksdb_transactiondb_get_base_db, which came "
          "later: ask for --rocksdb.transactions=optimistic, or for a newer RocksDB");
    }
    return kind != "none" && settings.Flag("read_only", false)
               ? Unsupported("RocksDB opens no store read-only for transactions")
               : LF_OK;
  }

  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    if (const lf_code code = Check(settings); code != LF_OK) return code;
    RocksDbOptions options;
    if (const lf_code code = MakeOptions(settings, options); code != LF_OK) return code;
    if (const lf_code code = CheckTransactions(settings); code != LF_OK) return code;
    const bool read_only = settings.Flag("read_only", false);
    if (directory == nullptr) return CheckOptions(settings, options);

    auto opened = std::make_unique<Store>();
    const std::string_view durability = settings.Durability();
    opened->write_.reset(ROCKSDB(writeoptions_create));
    ROCKSDB(writeoptions_disable_WAL, opened->write_.get(), durability == "none" ? 1 : 0);
    ROCKSDB(writeoptions_set_sync, opened->write_.get(), durability == "synced" ? 1 : 0);
    opened->write_text_ = std::string("# Of each write: disableWAL=") +
                          (durability == "none" ? "true" : "false") +
                          ", sync=" + (durability == "synced" ? "true" : "false") + "\n";
    opened->has_wal_ = durability != "none";
    const int perf_level = static_cast<int>(settings.Number("perf_level", 2));
    opened->perf_.Begin(perf_level, perf_level > 1 && settings.Has("perf_level") &&
                                        !settings.IsDefault("perf_level"));
    opened->has_statistics_ = settings.Flag("statistics", false);
    opened->read_.reset(ROCKSDB(readoptions_create));
    opened->verify_checksums_ = settings.Flag("verify_checksums", true) || settings.IsCheck();
    ROCKSDB(readoptions_set_verify_checksums, opened->read_.get(),
            opened->verify_checksums_ ? 1 : 0);
    (void)levelfield::SetRocksDbReads(settings, opened->read_.get());  // Checked before.
    if (const lf_code code =
            levelfield::SetRocksDbUserLimits(settings, opened->read_.get(), opened->write_.get());
        code != LF_OK) {
      return code;
    }
    opened->keeps_scan_ = settings.Flag("use_tailing_iterator", false);
    opened->protection_bytes_ = settings.Number("write_batch_protection_bytes_per_key", 0);
    levelfield::SetRocksDbThreads(settings);

    const std::string logs = levelfield::RocksDbLogs::PathOf(settings.Text("wal_dir", ""));
    if (const lf_code code = levelfield::RocksDbLogs::Prepare(logs, directory, read_only);
        code != LF_OK) {
      return code;
    }
    // Not before: a store of no entries is opened with these options elsewhere (Try).
    if (!logs.empty()) ROCKSDB(options_set_wal_dir, options.database(), logs.c_str());

    // A batched multi-get needs the handle of the only column family.
    const char* const name = "default";
    const rocksdb_options_t* const of_family = options.family();
    const rocksdb_options_t* const of_database = options.database();
    rocksdb_column_family_handle_t* family = nullptr;
    Error error;
    const std::string kind(settings.Text("transactions", "none"));
    if (read_only) {
      opened->db_.reset(ROCKSDB(open_for_read_only_column_families, of_database, directory, 1,
                                &name, &of_family, &family, 0, error.Out()));
    } else if (kind == "none") {
      opened->db_.reset(ROCKSDB(open_column_families, of_database, directory, 1, &name, &of_family,
                                &family, error.Out()));
    } else {
      opened->transactions_.lock_timeout_ms = settings.Number("transaction_lock_timeout", 1000);
      opened->transactions_.sets_snapshot = settings.Flag("transaction_set_snapshot", false);
      opened->db_.reset(opened->transactions_.Open(kind, of_database, directory, name, &of_family,
                                                   &family, error.Out()));
    }
    if (error.IsSet()) return error.Code(std::string("cannot open ") + directory);
    opened->family_.reset(family);
    opened->directory_ = directory;
    opened->is_read_only_ = read_only;
    for (const lf_setting& setting : settings.All()) {
      opened->asked_.push_back({setting.name, setting.value, settings.IsDefault(setting.name)});
    }
    opened->options_ = std::move(options);
    store = std::move(opened);
    return LF_OK;
  }

  ~Store() { (void)Close(); }

  lf_code Close() {
    family_.reset();
    if (transactions_.IsOn()) {
      transactions_.Close(db_.release());
    } else {
      db_.reset();
    }
    return LF_OK;
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(db_.get(), family_.get(), read_.get(), write_.get(),
                                        verify_checksums_, transactions_, perf_, protection_bytes_,
                                        keeps_scan_);
    if (TextOf("explicit_snapshot") == "1") session->SeeNow(ReadsAsAsked());
    return LF_OK;
  }

  // Syncs every log that is still needed. Without logs, only a flush to a table makes data durable.
  lf_code Sync() {
    Error error;
    if (!has_wal_) return Flush();
    ROCKSDB(flush_wal, db_.get(), 1, error.Out());
    return error.Code("sync");
  }

  lf_code Flush() {
    Error error;
    const RocksDbOwned<rocksdb_flushoptions_t, "rocksdb_flushoptions_destroy"> wait(
        ROCKSDB(flushoptions_create));
    ROCKSDB(flush, db_.get(), wait.get(), error.Out());
    return error.Code("flush");
  }

  // rocksdb_compact_range_opt reports no error, so background errors are counted. It waits for its
  // own compactions, but not for those that its output triggers.
  lf_code Compact() { return CompactRange({}, {}); }

  lf_code CompactRange(lf_bytes from, lf_bytes to) {
    constexpr unsigned char kForceOptimized = 3;  // Compacts the last level too, but no file twice.
    const RocksDbOwned<rocksdb_compactoptions_t, "rocksdb_compactoptions_destroy"> options(
        ROCKSDB(compactoptions_create));
    ROCKSDB(compactoptions_set_bottommost_level_compaction, options.get(), kForceOptimized);
    const uint64_t errors_before = Number("rocksdb.background-errors");
    ROCKSDB(compact_range_opt, db_.get(), options.get(), from.data, from.size, to.data, to.size);
    return WaitForBackground(errors_before);
  }

  lf_code WaitForBackground() { return WaitForBackground(Number("rocksdb.background-errors")); }

  // A compaction of RocksDB's own may take the files first. It is waited for then, as in db_bench.
  lf_code CompactLevel(uint32_t level) {
    constexpr int kMostTries = 100;
    for (int tried = 1;; ++tried) {
      Error error;
      const lf_code code = levelfield::CompactRocksDbLevel(db_.get(), options_.family(),
                                                           static_cast<int>(level), error.Out());
      if (code != LF_OK || !error.IsSet()) return code;
      if (tried == kMostTries) return error.Code("compact a level");
      if (const lf_code waited = WaitForBackground(); waited != LF_OK) return waited;
    }
  }

  // BackupEngine's form, in which backups share files. Only `Restore` reads it.
  lf_code Backup(const char* directory) {
    const Options options(ROCKSDB(options_create));
    const RocksDbOwned<rocksdb_env_t, "rocksdb_env_destroy"> env(ROCKSDB(create_default_env));
    Error error;
    const std::string limit = TextOf("backup_rate_limit");
    const BackupEngine engine(
        limit.empty() || limit == "0"
            ? ROCKSDB(backup_engine_open, options.get(), directory, error.Out())
            : levelfield::OpenLimitedRocksDbBackup(directory, std::stoull(limit), env.get(),
                                                   error.Out()));
    if (error.IsSet()) return error.Code(std::string("cannot open a backup in ") + directory);
    // Data without a log is only in memtables.
    ROCKSDB(backup_engine_create_new_backup_flush, engine.get(), db_.get(), has_wal_ ? 0 : 1,
            error.Out());
    return error.Code(std::string("back up into ") + directory);
  }

  static lf_code Restore(const char* backup, const char* directory) {
    if (levelfield::TheRocksDb().handle == nullptr)
      return Unsupported("no RocksDB library is loaded");
    const Options options(ROCKSDB(options_create));
    const RocksDbOwned<rocksdb_restore_options_t, "rocksdb_restore_options_destroy"> how(
        ROCKSDB(restore_options_create));
    Error error;
    const BackupEngine engine(ROCKSDB(backup_engine_open, options.get(), backup, error.Out()));
    if (error.IsSet()) return error.Code(std::string("cannot open the backup in ") + backup);
    ROCKSDB(backup_engine_restore_db_from_latest_backup, engine.get(), directory, directory,
            how.get(), error.Out());
    return error.Code(std::string("restore the backup in ") + backup);
  }

  lf_code VerifyChecksums() {
    if (levelfield::TheRocksDb().verify_checksum == nullptr) {
      return Unsupported(
          "this RocksDB library's C interface has no rocksdb_verify_checksum, which came later");
    }
    Error error;
    levelfield::TheRocksDb().verify_checksum(db_.get(), error.Out());
    return error.Code("verify_checksums");
  }

  // Files have checksums in the manifest where the store has a file_checksum_gen_factory.
  lf_code VerifyFileChecksums(const char** text) {
    const char* const function = "rocksdb_verify_file_checksums";
    const auto verify = levelfield::LaterRocksDbFunction<void(rocksdb_t*, char**)>(function);
    if (verify == nullptr) return levelfield::LacksRocksDbFunction("file_checksums", function);
    Error error;
    verify(db_.get(), error.Out());
    if (error.IsSet() && std::string_view(error.Text()).starts_with("Invalid argument")) {
      return Unsupported(
          "RocksDB: the manifest of this store has no checksums of files: fill it with "
          "--rocksdb.file_checksum_gen_factory=FileChecksumGenCrc32cFactory");
    }
    if (error.IsSet()) return error.Code("verify_file_checksums");
    property_ = "DB::VerifyFileChecksums: every file agrees with its checksum in the manifest\n";
    *text = property_.c_str();
    return LF_OK;
  }

  // RocksDB's range has an end. A key of 0xff bytes, longer than any likely key, stands for none.
  // Data in a memtable takes no disk.
  lf_code ApproximateBytes(lf_bytes from, lf_bytes to, uint64_t* bytes) {
    const std::string last(1024, '\xff');
    const char* const begin = from.data != nullptr ? from.data : "";
    const char* const end = to.data != nullptr ? to.data : last.data();
    const size_t end_size = to.data != nullptr ? to.size : last.size();
    Error error;
    ROCKSDB(approximate_sizes, db_.get(), 1, &begin, &from.size, &end, &end_size, bytes,
            error.Out());
    return error.Code("approximate the size of a range");
  }

  // LevelDB, from which RocksDB grew, has the same CURRENT. Only RocksDB writes its identity and
  // its options to files.
  static lf_code Recognize(const char* path) {
    const std::vector<std::string> names = levelfield::NamesIn(path);
    const bool is_own = std::ranges::any_of(names, [](const std::string& name) {
      return name == "IDENTITY" || name.starts_with("OPTIONS-");
    });
    if (!is_own || std::ranges::find(names, "CURRENT") == names.end()) return LF_NOT_FOUND;
    const std::string manifest = levelfield::StartOfFile(std::string(path) + "/CURRENT", 64);
    return manifest.starts_with("MANIFEST-") ? LF_OK : LF_NOT_FOUND;
  }

  // rocksdb_destroy_db also removes an emptied directory, which may not be ours to remove. So it is
  // made again.
  static lf_code Destroy(const char* path) {
    if (levelfield::TheRocksDb().handle == nullptr)
      return Unsupported("no RocksDB library is loaded");
    struct stat directory {};
    if (Recognize(path) != LF_OK || stat(path, &directory) != 0) return LF_OK;
    const Options options(ROCKSDB(options_create));
    // rocksdb_repair_db's lost files and their directory.
    const std::string lost = std::string(path) + "/lost";
    if (levelfield::IsDirectory(lost)) {
      Error error;
      ROCKSDB(destroy_db, options.get(), lost.c_str(), error.Out());
      if (error.IsSet()) return error.Code("destroy what was put aside by a repair");
    }
    Error error;
    ROCKSDB(destroy_db, options.get(), path, error.Out());
    if (!levelfield::IsDirectory(path)) {
      if (mkdir(path, directory.st_mode & 07777) != 0 || chmod(path, directory.st_mode) != 0) {
        return Failed(std::string("RocksDB: cannot make the emptied directory again: ") + path +
                      ": " + std::strerror(errno));
      }
    }
    return error.Code("destroy");
  }

  static lf_code Repair(const char* path, const EngineSettings& settings) {
    if (const lf_code code = Check(settings); code != LF_OK) return code;
    RocksDbOptions options;
    if (const lf_code code = MakeOptions(settings, options); code != LF_OK) return code;
    const std::string logs = levelfield::RocksDbLogs::PathOf(settings.Text("wal_dir", ""));
    if (const lf_code code = levelfield::RocksDbLogs::Prepare(logs, path, false); code != LF_OK) {
      return code;
    }
    if (!logs.empty()) ROCKSDB(options_set_wal_dir, options.family(), logs.c_str());
    Error error;
    ROCKSDB(repair_db, options.family(), path, error.Out());
    return error.Code(std::string("repair ") + path);
  }

  lf_code Property(const char* name, const char** text) {
    const std::string_view asked = name;
    constexpr std::pair<std::string_view, const char*> kCommonNames[] = {
        {"stats", "rocksdb.stats"},
        {"sstables", "rocksdb.sstables"},
        {"levelstats", "rocksdb.levelstats"},
        {"table_bytes", "rocksdb.total-sst-files-size"},
        {"blob_bytes", "rocksdb.total-blob-file-size"},
        {"block_cache_entry_stats", "rocksdb.block-cache-entry-stats"}};
    for (const auto& [common, own] : kCommonNames) {
      if (asked == common) return Property(own, text);
    }
    if (asked == "memstats") {
      property_.clear();
      for (const char* const of_memtables :
           {"rocksdb.num-immutable-mem-table", "rocksdb.num-immutable-mem-table-flushed",
            "rocksdb.mem-table-flush-pending", "rocksdb.num-running-flushes",
            "rocksdb.cur-size-active-mem-table", "rocksdb.cur-size-all-mem-tables",
            "rocksdb.size-all-mem-tables", "rocksdb.num-entries-active-mem-table",
            "rocksdb.num-entries-imm-mem-tables"}) {
        property_ += std::string(of_memtables) + ": " + std::to_string(Number(of_memtables)) + "\n";
      }
      *text = property_.c_str();
      return LF_OK;
    }
    if (asked == "check") {
      if (const lf_code code = VerifyChecksums(); code != LF_OK) return code;
      property_ = "DB::VerifyChecksum: every file agrees with its checksums";
      *text = property_.c_str();
      return LF_OK;
    }
    if (asked == "file_checksums") return VerifyFileChecksums(text);
    if (asked == "options") {
      if (is_read_only_) {
        return Unsupported(
            "RocksDB writes its options down where it may write only: those in the store are of "
            "who had it open before");
      }
      property_ = levelfield::RocksDbOptionsOf(directory_) + write_text_;
      *text = property_.c_str();
      return LF_OK;
    }
    char* const value = ROCKSDB(property_value, db_.get(), name);
    if (value == nullptr) return Unsupported(std::string("RocksDB has no property ") + name);
    property_ = value;
    ROCKSDB(free, value);
    *text = property_.c_str();
    return LF_OK;
  }

  // Settings by our names and texts. What RocksDB tells of a store that it may write; of another
  // one, what it makes of the same options elsewhere.
  template <class Sink>
  void InForce(const Sink& sink) {
    for (const auto& [name, value] : InForceValues()) sink.Text(name.c_str(), value);
  }

  void Overridden(void* context, void (*sink)(void*, const char*, const char*, const char*)) {
    if (!options_.file()) return;
    const std::string by = "options_file=" + TextOf("options_file");
    for (const auto& [name, value] : InForceValues()) {
      const auto asked = std::ranges::find(asked_, name, &Asked::name);
      if (asked != asked_.end() && asked->is_default && asked->value != value) {
        sink(context, name.c_str(), value.c_str(), by.c_str());
      }
    }
  }

  // Figures that RocksDB maintains anyway.
  void Activities(void* context, void (*sink)(void*, const char*)) {
    constexpr std::pair<const char*, const char*> kActivities[] = {
        {"rocksdb.is-write-stopped", "write stop"},
        {"rocksdb.actual-delayed-write-rate", "write slowdown"},
        {"rocksdb.num-running-flushes", "flush"},
        {"rocksdb.num-running-compactions", "compaction"}};
    for (const auto& [property, activity] : kActivities) {
      if (Number(property) != 0) sink(context, activity);
    }
  }

  // Counters that only grow: with --rocksdb.statistics all tickers, and for each histogram its
  // count and sum, which can be subtracted.
  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    sink(context, "rocksdb.background-errors", Number("rocksdb.background-errors"));
    perf_.Tell(context, sink);
    const char* text = nullptr;
    if (!has_statistics_ || Property("rocksdb.options-statistics", &text) != LF_OK) return;
    std::istringstream lines(text);
    uint64_t written_bytes = 0;  // Bytes of the log, and of tables from flushes and compactions.
    for (std::string line; std::getline(lines, line);) {
      const size_t count = line.find(" COUNT : ");
      if (count == std::string::npos) continue;
      const auto number_at = [&](size_t at) { return std::strtoull(&line[at], nullptr, 10); };
      const std::string name = line.substr(0, line.find(' '));
      const size_t sum = line.find(" SUM : ");
      if (sum == std::string::npos) {
        sink(context, name.c_str(), number_at(count + 9));
        const bool is_written = name == "rocksdb.wal.bytes" ||
                                name == "rocksdb.flush.write.bytes" ||
                                name == "rocksdb.compact.write.bytes";
        if (is_written) written_bytes += number_at(count + 9);
      } else {
        sink(context, (name + ".count").c_str(), number_at(count + 9));
        sink(context, (name + ".sum").c_str(), number_at(sum + 7));
      }
    }
    sink(context, "written_bytes", written_bytes);
  }

 private:
  using BackupEngine = RocksDbOwned<rocksdb_backup_engine_t, "rocksdb_backup_engine_close">;

  lf_code WaitForBackground(uint64_t errors_before) {
    for (;;) {
      if (Number("rocksdb.background-errors") != errors_before) {
        return Failed("RocksDB: a background job failed; the file LOG in the store says why");
      }
      if (Number("rocksdb.compaction-pending") + Number("rocksdb.num-running-compactions") +
              Number("rocksdb.mem-table-flush-pending") + Number("rocksdb.num-running-flushes") ==
          0) {
        return LF_OK;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  // -1, which RocksDB refuses, for a name that the harness should have refused.
  static int Compressor(const EngineSettings& settings) {
    const std::string_view name = settings.Text("compression", "snappy");
    for (const auto& compressor : levelfield::kRocksDbCompressors) {
      if (name == compressor.name) return compressor.number;
    }
    return -1;
  }

  // RocksDB silently clips values outside these ranges (SanitizeOptions in db/db_impl_open.cc and
  // db/column_family.cc).
  static lf_code Check(const EngineSettings& settings) {
    if (levelfield::TheRocksDb().handle == nullptr)
      return Unsupported("no RocksDB library is loaded");
    constexpr uint64_t kInt = std::numeric_limits<int>::max();
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    if (const uint64_t asked = settings.Number("max_open_files", 0); asked > files.rlim_cur) {
      return Unsupported("RocksDB: max_open_files=" + std::to_string(asked) +
                         " is more than a process may open here; say `ulimit -n " +
                         std::to_string(asked) + "` first, or leave it out, which is all files");
    }
    return settings.CheckRanges("RocksDB", {{"write_buffer_size", 64 << 10, uint64_t{64} << 30},
                                            {"block_size", 1, kInt},
                                            {"block_restart_interval", 1, kInt},
                                            {"index_block_restart_interval", 1, kInt},
                                            {"bloom_bits", 0, 100},
                                            {"stats_level", 0, 5},
                                            {"cache_numshardbits", 0, 19},
                                            {"max_open_files", 20, kInt},
                                            {"max_background_jobs", 1, kInt},
                                            {"max_write_buffer_number", 2, kInt},
                                            {"max_subcompactions", 1, kInt},
                                            {"perf_level", 1, MostPerfLevel()},
                                            {"level0_file_num_compaction_trigger", 1, kInt}});
  }

  // An open would find this too, but after creating files.
  // Times of waits alone are a level of their own since 9.1.
  static uint64_t MostPerfLevel() { return levelfield::RocksDbIsSince(9, 1) ? 6 : 5; }

  static lf_code CheckCompression(const EngineSettings& settings) {
    if (levelfield::RocksDbHas(Compressor(settings))) return LF_OK;
    return Unsupported("this RocksDB library has no compression " +
                       std::string(settings.Text("compression", "snappy")));
  }

  struct Asked {
    std::string name, value;
    bool is_default;
  };
  using Values = std::vector<std::pair<std::string, std::string>>;

  // Before any store is there: whether RocksDB opens one with these options, and has all in force
  // that somebody has asked for.
  static lf_code CheckOptions(const EngineSettings& settings, const RocksDbOptions& options) {
    if (const lf_code code = CheckCompression(settings); code != LF_OK) return code;
    const ReadOptions reads(ROCKSDB(readoptions_create));
    if (const lf_code code = levelfield::SetRocksDbReads(settings, reads.get()); code != LF_OK) {
      return code;
    }
    const WriteOptions writes(ROCKSDB(writeoptions_create));
    if (const lf_code code = levelfield::SetRocksDbUserLimits(settings, reads.get(), writes.get());
        code != LF_OK) {
      return code;
    }
    if (settings.Flag("explicit_snapshot", false) && settings.Flag("use_tailing_iterator", false)) {
      return Unsupported(
          "RocksDB: explicit_snapshot with use_tailing_iterator: one sees the store as it was, and "
          "the other what is written later: leave one of them out");
    }
    const uint64_t protection = settings.Number("write_batch_protection_bytes_per_key", 0);
    if (protection != 0 && protection != 8) {
      return Unsupported("RocksDB: write_batch_protection_bytes_per_key=" +
                         std::to_string(protection) + ": it is 0 or 8");
    }
    if (protection != 0 && Session::BatchOf(protection) == nullptr) {
      return levelfield::LacksRocksDbFunction("write_batch_protection_bytes_per_key",
                                              "rocksdb_writebatch_create_with_params");
    }
    std::optional<RocksDbInForce> in_force;
    if (const lf_code code = Try(options, in_force); code != LF_OK) return code;
    if (!in_force) return LF_OK;
    const std::string differences = DifferencesOf(settings, *in_force);
    if (!differences.empty()) {
      return Unsupported("RocksDB: " + differences +
                         ": leave the option out, or ask for what is in force");
    }
    if (!options.file()) return LF_OK;
    const auto is_given = [&](const std::string& name) { return IsGiven(settings, name); };
    return options.file()->Compare(*in_force, is_given);
  }

  // What was asked for and is not in force.
  static std::string DifferencesOf(const EngineSettings& settings, const RocksDbInForce& in_force) {
    std::string differences;
    for (const lf_setting& setting : settings.All()) {
      const std::string name = setting.name;
      // A file system without direct I/O has been tried without.
      if (!levelfield::IsRocksDbs(name) || settings.IsDefault(name) ||
          name.starts_with("use_direct_")) {
        continue;
      }
      const std::optional<std::string> told = ToldOf(in_force, name, setting.value);
      if (told && *told == setting.value) continue;
      if (!told && (!in_force.TellsOf(name) || *setting.value == '\0')) continue;
      differences += (differences.empty() ? "" : "; ") + name + "=" + setting.value +
                     (told ? " was asked for, and " + *told + " is in force"
                           : ": RocksDB reads it, and nothing of it is in force");
    }
    return differences;
  }

  // Whether a setting that wins over an options file decides on RocksDB's option of that name.
  static bool IsGiven(const EngineSettings& settings, const std::string& name) {
    return std::ranges::any_of(settings.All(), [&](const lf_setting& setting) {
      if (settings.IsDefault(setting.name)) return false;
      const std::string own = levelfield::RocksDbWords::Own(setting.name, "").first;
      return own.substr(0, own.find('.')) == name;
    });
  }

  // Opens a store of no entries with them, elsewhere. Nothing in force: that could not be tried,
  // and the real open will tell.
  static lf_code Try(const RocksDbOptions& options, std::optional<RocksDbInForce>& in_force) {
    const levelfield::TemporaryDirectory directory;
    if (directory.path().empty()) return LF_OK;
    std::string refusal = TryIn(directory.path(), options, false);
    if (refusal.find("Direct I/O is not supported") != std::string::npos) {
      refusal = TryIn(directory.path(), options, true);
    }
    if (refusal.starts_with("IO error")) return LF_OK;
    if (!refusal.empty()) return Unsupported("RocksDB: " + refusal);
    in_force = RocksDbInForce::Of(directory.path());
    return LF_OK;
  }

  static std::string TryIn(const std::string& directory, const RocksDbOptions& options,
                           bool buffered) {
    const Options database(ROCKSDB(options_create_copy, options.database()));
    ROCKSDB(options_set_create_if_missing, database.get(), 1);
    ROCKSDB(options_set_wal_dir, database.get(), "");  // Those are of another store.
    if (buffered) {
      ROCKSDB(options_set_use_direct_reads, database.get(), 0);
      ROCKSDB(options_set_use_direct_io_for_flush_and_compaction, database.get(), 0);
    }
    const char* const name = "default";
    const rocksdb_options_t* const of_family = options.family();
    rocksdb_column_family_handle_t* family = nullptr;
    Error error;
    const RocksDbOwned<rocksdb_t, "rocksdb_close"> db(ROCKSDB(open_column_families, database.get(),
                                                              directory.c_str(), 1, &name,
                                                              &of_family, &family, error.Out()));
    if (error.IsSet()) return error.Text();
    ROCKSDB(column_family_handle_destroy, family);
    return "";
  }

  // The value in force of an option of ours or RocksDB's, spelled as `asked` if that is what is
  // meant. Nothing: RocksDB does not tell.
  static std::optional<std::string> ToldOf(const RocksDbInForce& in_force, const std::string& name,
                                           const std::optional<std::string>& asked) {
    const auto [own, value] = levelfield::RocksDbWords::Own(name, asked.value_or(""));
    const bool has_no_cache = in_force.Is("no_block_cache", "1").value_or(false);
    if (name == "cache_size" && has_no_cache) return "0";
    if (asked && in_force.Is(own, value).value_or(false)) return asked;
    const std::optional<std::string> told = in_force.ValueOf(own);
    if (!told) return std::nullopt;
    std::string ours = levelfield::RocksDbWords::Ours(name, *told);
    const auto option = std::ranges::find_if(kOptions, [&](const lf_option& one) {
      return one.name != nullptr && name == one.name && one.kind == LF_FLAG;
    });
    if (option == std::end(kOptions)) return ours;
    return ours == "true" ? "1" : ours == "false" ? "0" : ours;
  }

  // Options of a read as those of the store, of another owner: RocksDB copies none.
  ReadOptions ReadsAsAsked() const {
    std::vector<lf_setting> settings;
    for (const Asked& one : asked_) settings.push_back({one.name.c_str(), one.value.c_str()});
    const EngineSettings asked(settings.data(), settings.size());
    ReadOptions read(ROCKSDB(readoptions_create));
    ROCKSDB(readoptions_set_verify_checksums, read.get(), verify_checksums_ ? 1 : 0);
    (void)levelfield::SetRocksDbReads(asked, read.get());  // Checked before.
    return read;
  }

  std::string TextOf(std::string_view name) const {
    const auto it = std::ranges::find(asked_, name, &Asked::name);
    return it == asked_.end() ? "" : it->value;
  }

  // All options of the table that RocksDB tells, and all others that were asked for.
  const Values& InForceValues() {
    if (in_force_) return *in_force_;
    std::optional<RocksDbInForce> told;
    if (is_read_only_) {
      (void)Try(options_, told);
    } else {
      told = RocksDbInForce::Of(directory_);
    }
    Values values;
    const auto add = [&](const std::string& name, const std::optional<std::string>& asked) {
      if (!told || !levelfield::IsRocksDbs(name)) return;
      if (std::optional<std::string> value = ToldOf(*told, name, asked)) {
        values.emplace_back(name, *std::move(value));
      }
    };
    for (const lf_option& option : kOptions) {
      if (option.name == nullptr) continue;
      const auto asked = std::ranges::find(asked_, option.name, &Asked::name);
      add(option.name, asked == asked_.end() ? std::nullopt : std::optional(asked->value));
    }
    for (const Asked& asked : asked_) {
      const auto is_told = std::ranges::find(values, asked.name, &Values::value_type::first);
      if (is_told == values.end()) add(asked.name, asked.value);
    }
    if (const std::string logs = TextOf("wal_dir"); !logs.empty() && told && !is_read_only_) {
      const std::string path = told->ValueOf("wal_dir").value_or("");
      values.emplace_back("wal_dir", path == levelfield::RocksDbLogs::PathOf(logs) ? logs : path);
    }
    char* const statistics = ROCKSDB(property_value, db_.get(), "rocksdb.options-statistics");
    values.emplace_back("statistics", statistics != nullptr ? "1" : "0");
    if (statistics != nullptr) ROCKSDB(free, statistics);
    levelfield::TellRocksDbReads(read_.get(), [&](const std::string& name, std::string value) {
      values.emplace_back(name, std::move(value));
    });
    values.emplace_back("verify_checksums",
                        ROCKSDB(readoptions_get_verify_checksums, read_.get()) != 0 ? "1" : "0");
    return in_force_.emplace(std::move(values));
  }

  static lf_code MakeOptions(const EngineSettings& settings, RocksDbOptions& made) {
    Options owned(ROCKSDB(options_create));
    rocksdb_options_t* const options = owned.get();
    ROCKSDB(options_set_create_if_missing, options, settings.IsCheck() ? 0 : 1);
    ROCKSDB(options_set_compression, options, Compressor(settings));
    // An option that is not given has our default, or else that of the loaded version.
    const auto set = [&]<class Value>(void (*setter)(rocksdb_options_t*, Value), const char* name,
                                      std::optional<uint64_t> ours = std::nullopt) {
      if (!ours && !settings.Has(name)) return;
      setter(options, static_cast<Value>(settings.Number(name, ours.value_or(0))));
    };
#define SET_OPTION(name, ...) \
  set(ROCKSDB_FUNCTION(options_set_##name), #name __VA_OPT__(, ) __VA_ARGS__)
    SET_OPTION(max_background_jobs, 6);
    SET_OPTION(level_compaction_dynamic_level_bytes, 1);
    SET_OPTION(bytes_per_sync, 1 << 20);
    SET_OPTION(use_direct_reads);
    SET_OPTION(use_direct_io_for_flush_and_compaction);
    SET_OPTION(write_buffer_size);
    SET_OPTION(max_open_files);
    SET_OPTION(max_write_buffer_number);
    SET_OPTION(max_subcompactions);
    SET_OPTION(level0_file_num_compaction_trigger);
    SET_OPTION(target_file_size_base);
    SET_OPTION(max_bytes_for_level_base);
#undef SET_OPTION
    if (const lf_code code = SetTable(settings, options); code != LF_OK) return code;
    made = RocksDbOptions(std::move(owned));
    return AddOptions(settings, made);
  }

  static lf_code BeginWithFile(const EngineSettings& settings, RocksDbOptions& made) {
    levelfield::RocksDbOptionsFile file;
    const std::string path(settings.Text("options_file", ""));
    const lf_code code =
        levelfield::RocksDbOptionsFile::Read(path, settings.Has("bloom_bits"), file);
    if (code != LF_OK) return code;
    if (const lf_code begun = made.Begin(std::move(file)); begun != LF_OK) return begun;
    if (settings.IsCheck()) ROCKSDB(options_set_create_if_missing, made.database(), 0);
    return LF_OK;
  }

  // The merge operator and the filter: for these our default is not RocksDB's.
  static lf_code AddParts(const EngineSettings& settings, RocksDbOptions& made) {
    const std::string merge(settings.Text("merge_operator", "put"));
    if (const lf_code code = made.Add("merge_operator", merge); code != LF_OK) return code;
    const std::string bits(settings.Text("bloom_bits", "0"));
    return bits == "0" ? LF_OK : made.Add("bloom_bits", bits);
  }

  // The options for RocksDB's own parser: with a file, which takes the place of all defaults, those
  // that somebody has asked for. Otherwise those for which the C interface has no function (it
  // makes one merge operator only, and filters that do not tell their bits) or which the table does
  // not name.
  static lf_code AddOptions(const EngineSettings& settings, RocksDbOptions& made) {
    const bool has_file = settings.Has("options_file");
    const lf_code begun = has_file ? BeginWithFile(settings, made) : AddParts(settings, made);
    if (begun != LF_OK) return begun;
    if (settings.Flag("statistics", false)) ROCKSDB(options_enable_statistics, made.database());
    if (const lf_code code = SetStatisticsLevel(settings, made); code != LF_OK) return code;
    if (const lf_code code = levelfield::SetRocksDbRate(settings, made.database()); code != LF_OK) {
      return code;
    }
    if (const lf_code code = AddCaches(settings, made); code != LF_OK) return code;
    if (settings.Flag("keep_filter", false)) {
      ROCKSDB(options_set_compaction_filter, made.family(), KeepFilter());
    }
    if (const lf_code code = AddForTheParser(settings, has_file, made); code != LF_OK) return code;
    // A log is cut off by a crash in its last record alone. RocksDB's own mode passes over all that
    // is behind the first wrong record, wherever that is.
    if (settings.IsCheck() && !settings.Has("wal_recovery_mode")) {
      const lf_code code = made.Add("wal_recovery_mode", "kTolerateCorruptedTailRecords");
      if (code != LF_OK) return code;
    }
    if (made.HoldsLogBack() && settings.Durability() != "none") {
      return Unsupported(
          "RocksDB: manual_wal_flush=true keeps acknowledged writes in the process, which "
          "--durability=" +
          std::string(settings.Durability()) + " promises to outlive: ask for --durability=none");
    }
    return LF_OK;
  }

  // All that the parser refuses is named at once.
  static lf_code AddForTheParser(const EngineSettings& settings, bool has_file,
                                 RocksDbOptions& made) {
    std::string refusals;
    for (const lf_setting& setting : settings.All()) {
      if (!IsForTheParser(settings, setting.name, has_file)) continue;
      if (setting.name == std::string_view("cache_type")) {  // See CacheOf.
        if (setting.value == std::string_view("lru") || settings.IsDefault("cache_type")) continue;
        return Unsupported(
            "RocksDB: cache_type=hyper_clock: with an options_file RocksDB makes the cache, and "
            "that is an LRU cache: leave one of them out");
      }
      if (made.Add(setting.name, setting.value) == LF_OK) continue;
      refusals += (refusals.empty() ? "" : "; ") + levelfield::LastError().text;
    }
    return refusals.empty() ? LF_OK : Unsupported(refusals);
  }

  static bool IsForTheParser(const EngineSettings& settings, std::string_view name, bool has_file) {
    const bool is_in_table = std::ranges::any_of(kOptions, [&](const lf_option& option) {
      return option.name != nullptr && name == option.name;
    });
    if ((is_in_table && !has_file) || !levelfield::IsRocksDbs(name)) return false;
    if (name == "rate_limiter_bytes_per_sec" && levelfield::HasRocksDbRate(settings)) return false;
    // No file states the size of a cache.
    const bool is_default = has_file && settings.IsDefault(name) && name != "cache_size";
    return !is_default || name == "cache_type";
  }

  using Cache = RocksDbOwned<rocksdb_cache_t, "rocksdb_cache_destroy">;

  static bool CanReserve(uint64_t bytes) {
    if (bytes == 0) return true;
    void* const map =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return map != MAP_FAILED && munmap(map, bytes) == 0;
  }

  static bool HasHyperClock() {
    return levelfield::TheRocksDb().cache_create_hyper_clock != nullptr &&
           levelfield::RocksDbIsSince(10, 7);
  }

  // The kind that the loaded version makes by itself, unless another one is asked for.
  static std::string_view CacheType(const EngineSettings& settings) {
    return settings.Text("cache_type", HasHyperClock() ? "hyper_clock" : "lru");
  }

  static uint64_t OwnCacheBytes() {
    return uint64_t{levelfield::RocksDbIsSince(8, 2) ? 32u : 8u} << 20;
  }

  // Whether others than the blocks are in it.
  static bool IsCacheShared(const EngineSettings& settings) {
    return settings.Text("blob_cache", "none") == "shared" ||
           settings.Flag("cost_write_buffer_to_cache", false);
  }

  // Null: RocksDB makes its own.
  static lf_code CacheOf(const EngineSettings& settings, Cache& cache) {
    const std::string_view type = CacheType(settings);
    if (type == "hyper_clock" && !HasHyperClock()) {
      return Unsupported(
          "RocksDB: cache_type=hyper_clock: the one that needs no size of an entry came with "
          "RocksDB 10.7, and this is " +
          levelfield::RocksDbVersion() + ": ask for lru");
    }
    const bool is_shared = IsCacheShared(settings);
    if (!settings.Has("cache_size") && !settings.Has("cache_type") &&
        !settings.Has("cache_numshardbits") && !is_shared) {
      return LF_OK;
    }
    const uint64_t bytes = settings.Number("cache_size", OwnCacheBytes());
    // HyperClockCache ends the process where it is to hold nothing, or cannot reserve its table,
    // which has room for entries of 450 bytes: min_avg_entry_charge in
    // https://github.com/facebook/rocksdb/blob/main/include/rocksdb/cache.h.
    if (type == "hyper_clock" && !CanReserve(bytes / 4)) {
      return Unsupported("RocksDB: cache_size=" + std::to_string(bytes) +
                         ": HyperClockCache cannot reserve its table of so many blocks in memory: "
                         "ask for less, or for cache_type=lru");
    }
    const bool is_hyper_clock = type == "hyper_clock" && bytes != 0;
    if (settings.Has("cache_numshardbits")) {
      const int bits = static_cast<int>(settings.Number("cache_numshardbits", 0));
      return is_hyper_clock ? HyperClockOf(bytes, bits, cache) : LruOf(bytes, bits, cache);
    }
    // An entry charge of 0: of any size.
    cache.reset(is_hyper_clock ? levelfield::TheRocksDb().cache_create_hyper_clock(bytes, 0)
                               : ROCKSDB(cache_create_lru, bytes));
    return LF_OK;
  }

  static lf_code LruOf(uint64_t bytes, int shard_bits, Cache& cache) {
    const RocksDbOwned<rocksdb_lru_cache_options_t, "rocksdb_lru_cache_options_destroy"> options(
        ROCKSDB(lru_cache_options_create));
    ROCKSDB(lru_cache_options_set_capacity, options.get(), bytes);
    ROCKSDB(lru_cache_options_set_num_shard_bits, options.get(), shard_bits);
    cache.reset(ROCKSDB(cache_create_lru_opts, options.get()));
    return LF_OK;
  }

  static lf_code HyperClockOf(uint64_t bytes, int shard_bits, Cache& cache) {
    const auto create = levelfield::LaterRocksDbFunction<void*(size_t, size_t)>(
        "rocksdb_hyper_clock_cache_options_create");
    const auto set_bits = levelfield::LaterRocksDbFunction<void(void*, int)>(
        "rocksdb_hyper_clock_cache_options_set_num_shard_bits");
    const auto make = levelfield::LaterRocksDbFunction<rocksdb_cache_t*(const void*)>(
        "rocksdb_cache_create_hyper_clock_opts");
    const auto destroy =
        levelfield::LaterRocksDbFunction<void(void*)>("rocksdb_hyper_clock_cache_options_destroy");
    if (create == nullptr || set_bits == nullptr || make == nullptr || destroy == nullptr) {
      return levelfield::LacksRocksDbFunction("cache_numshardbits of a HyperClockCache",
                                              "rocksdb_cache_create_hyper_clock_opts");
    }
    void* const options = create(bytes, 0);
    set_bits(options, shard_bits);
    cache.reset(make(options));
    destroy(options);
    return LF_OK;
  }

  static lf_code SetTable(const EngineSettings& settings, rocksdb_options_t* options) {
    Cache cache;
    if (const lf_code code = CacheOf(settings, cache); code != LF_OK) return code;
    const RocksDbOwned<rocksdb_block_based_table_options_t, "rocksdb_block_based_options_destroy">
        table(ROCKSDB(block_based_options_create));
    if (cache != nullptr) {  // Shared: the table options keep it alive.
      ROCKSDB(block_based_options_set_block_cache, table.get(), cache.get());
    }
    if (settings.Has("block_size")) {
      ROCKSDB(block_based_options_set_block_size, table.get(), settings.Number("block_size", 0));
    }
    ROCKSDB(block_based_options_set_cache_index_and_filter_blocks, table.get(),
            settings.Flag("cache_index_and_filter_blocks", true) ? 1 : 0);
    ROCKSDB(block_based_options_set_pin_l0_filter_and_index_blocks_in_cache, table.get(),
            settings.Flag("pin_l0_filter_and_index_blocks_in_cache", true) ? 1 : 0);
    ROCKSDB(options_set_block_based_table_factory, options, table.get());
    if (!IsCacheShared(settings)) return LF_OK;
    if (settings.Has("block_cache") || settings.Has("options_file")) {
      return Unsupported(
          "RocksDB: blob_cache=shared and cost_write_buffer_to_cache: with a block_cache by its "
          "members or an options_file RocksDB makes the cache, and shares it with nothing: leave "
          "one of them out");
    }
    if (settings.Text("blob_cache", "none") == "shared") {
      ROCKSDB(options_set_blob_cache, options, cache.get());
    }
    return settings.Flag("cost_write_buffer_to_cache", false)
               ? levelfield::CountRocksDbMemtables(settings, cache.get(), options)
               : LF_OK;
  }

  static lf_code SetStatisticsLevel(const EngineSettings& settings, RocksDbOptions& made) {
    if (!settings.Has("stats_level")) return LF_OK;
    const char* const function = "rocksdb_options_set_statistics_level";
    const auto set = levelfield::LaterRocksDbFunction<void(rocksdb_options_t*, int)>(function);
    if (set == nullptr) return levelfield::LacksRocksDbFunction("stats_level", function);
    set(made.database(), static_cast<int>(settings.Number("stats_level", 3)));
    return LF_OK;
  }

  // RocksDB does not own its filter, which outlives every store of the process here.
  static rocksdb_compactionfilter_t* KeepFilter() {
    constexpr auto keep = [](void*, int, const char*, size_t, const char*, size_t, char**, size_t*,
                             unsigned char*) -> unsigned char { return 0; };
    static rocksdb_compactionfilter_t* const filter = ROCKSDB(
        compactionfilter_create, nullptr, [](void*) {}, keep, [](void*) { return "KeepFilter"; });
    return filter;
  }

  // The shares of an LRU cache, for which the C interface has no function. A default, as db_bench
  // has, says nothing of other caches.
  static lf_code AddPools(const EngineSettings& settings, RocksDbOptions& made) {
    std::string members;
    for (const char* const pool : {"high_pri_pool_ratio", "low_pri_pool_ratio"}) {
      const std::string name = std::string("cache_") + pool;
      if (!settings.Has(name)) continue;
      const std::string share(settings.Text(name, "0"));
      const bool is_nothing =
          settings.IsDefault(name) || share.find_first_not_of("0.") == share.npos;
      if (CacheType(settings) != "lru" || settings.Has("block_cache") || IsCacheShared(settings)) {
        if (is_nothing) continue;
        return Unsupported(
            "RocksDB: " + name +
            ": only an LRU cache of blocks alone has such a share: ask for "
            "cache_type=lru, without blobs, memtables or a block_cache by its members");
      }
      members.append(";").append(pool).append("=").append(share);
    }
    if (members.empty()) return LF_OK;
    const uint64_t bytes = settings.Number("cache_size", OwnCacheBytes());
    const std::string bits(settings.Has("cache_numshardbits")
                               ? std::to_string(settings.Number("cache_numshardbits", 0))
                               : "-1");
    return made.Add("block_cache", "{capacity=" + std::to_string(bytes) +
                                       ";num_shard_bits=" + bits + members + "}");
  }

  // Caches that no OPTIONS file states.
  static lf_code AddCaches(const EngineSettings& settings, RocksDbOptions& made) {
    if (const lf_code code = AddPools(settings, made); code != LF_OK) return code;
    if (const uint64_t bytes = settings.Number("row_cache_size", 0); bytes != 0) {
      Cache rows(ROCKSDB(cache_create_lru, bytes));
      ROCKSDB(options_set_row_cache, made.database(), rows.get());
    }
    const std::string blobs(settings.Text("blob_cache", "none"));
    return blobs == "none" || blobs == "shared" ? LF_OK : made.Add("blob_cache", blobs);
  }

  uint64_t Number(const char* property) {
    uint64_t number = 0;
    ROCKSDB(property_int, db_.get(), property, &number);
    return number;
  }

  RocksDbTransactions transactions_;
  RocksDbOwned<rocksdb_t, "rocksdb_close"> db_;  // With transactions, their handle closes it.
  RocksDbOwned<rocksdb_column_family_handle_t, "rocksdb_column_family_handle_destroy"> family_;
  WriteOptions write_;
  ReadOptions read_;
  bool is_read_only_ = false;
  bool has_wal_ = true;
  bool verify_checksums_ = true;
  bool has_statistics_ = false;
  bool keeps_scan_ = false;
  uint64_t protection_bytes_ = 0;
  RocksDbPerf perf_;
  std::string write_text_;  // Settings that RocksDB's own file of options lacks.
  std::string property_;
  std::string directory_;
  std::vector<Asked> asked_;
  RocksDbOptions options_;
  std::optional<Values> in_force_;
};

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "rocksdb",
    .summary = "LSM tree by Meta, grown from LevelDB: many background threads, many options",
    .license = "Apache-2.0 OR GPL-2.0",
    .capabilities = LF_BATCH_ATOMIC | LF_MORE_OPTIONS,
    .options = kOptions,
    .durabilities = kDurabilities,
    .load = levelfield::LoadRocksDb,
    .describe = levelfield::DescribeRocksDb,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
