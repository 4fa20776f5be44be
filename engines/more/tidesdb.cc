// TidesDB 10: a log-structured merge tree in C, whose tables are B+ trees and whose large values
// are in a value log of their own. https://github.com/tidesdb/tidesdb
//
// The store is the column family `default`, or the only one that there is. A `Store` may be used by
// any thread, a `Session` by one. A session owns a transaction at the library's own isolation
// level, read committed, by which it writes and reads: such a read takes the newest that is
// committed. The library hands out copies of its own; a session keeps the last ones until its next
// call.
//
// An answer that says that something was locked means that the call is to be made again (db.h).
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "levelfield/engine.h"
#include "library_facts.h"
#include "store_files.h"

extern "C" {  // Which the header does not say itself.
#include <tidesdb/db.h>
}
#include <tidesdb/tidesdb_version.h>

namespace {

using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::Refusal;
using levelfield::Unsupported;

#define DB_H "https://github.com/tidesdb/tidesdb/blob/v10.2.1/include/db.h"

const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "64M", nullptr, "Cache of blocks of tables (block_cache_size)."},
    {"write_buffer_size", LF_BYTES, "64M", nullptr,
     "Memory of a memtable, about 100 bytes for each entry included "
     "(memtable_write_buffer_size)."},
    {"block_size", LF_BYTES, "4k", nullptr,
     "Size of a node of the B+ tree that a table is (btree_klog_block_size)."},
    {"bloom_bits", LF_COUNT, "10", nullptr,
     "Bits a key of the Bloom filters: of 10, 1 % of false positives (bloom_fpr). 0: no filter."},
    {"compression", LF_CHOICE, "none", "none|snappy|lz4|zstd",
     "Compression of nodes and of values in the value log (encoding_pipeline)."},
    {"max_open_files", LF_COUNT, "1024", nullptr,
     "Tables kept open, at most what `ulimit -n` allows (max_open_sstables)."},
    {"value_separation", LF_BYTES, "1k", nullptr,
     "Values from this size on are in the value log (value_separation_threshold)."},
    {"values_inline", LF_FLAG, "0", nullptr,
     "1 keeps values of all sizes beside their keys (keep_values_inline)."},
    {"flush_threads", LF_COUNT, "2", nullptr, "Threads that write memtables (num_flush_threads)."},
    {"compaction_threads", LF_COUNT, "2", nullptr,
     "Threads that merge tables (num_compaction_threads)."},
    {"stall_memtables", LF_COUNT, "16", nullptr,
     "Full memtables that stop writes; from three quarters of it they are slowed down "
     "(memtable_l0_queue_stall_threshold)."},
    {"l1_files", LF_COUNT, "4", nullptr,
     "Tables of the first level that start a merge (l1_file_count_trigger)."},
    {"level_size_ratio", LF_COUNT, "10", nullptr, "How much larger a level is than the one above."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_alternative kAlternatives[] = {
    {"values_inline", "values_inline=1", "none,process,synced",
     "A scan reads the value log once for each value in it; a family that is scanned far more than "
     "it is merged can be worth keeping whole.",
     DB_H},
    {"nodes_16k", "block_size=16k value_separation=4k", "none,process,synced",
     "The threshold is a quarter of a node at most, and the two are raised together: larger values "
     "stay with their keys.",
     DB_H},
    {"threads", "flush_threads=4 compaction_threads=4", "none,process,synced",
     "Compaction threads up to the number of cores on a fast disk.",
     "https://tidesdb.com/reference/tuning"},
    {"lz4", "compression=lz4", "none,process,synced", "LZ4 is the default for throughput.",
     "https://tidesdb.com/reference/tuning"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "TDB_SYNC_NONE: a commit may still be in the memory of the process"},
    // A sync a second is more than this class asks for. What the interval changes is only when the
    // log is synced: tables and the value log are, when they are written.
    {"process", LF_D1_PROCESS,
     "TDB_SYNC_INTERVAL, with a day between the syncs of the log: each commit is handed to the "
     "operating system"},
    {"synced", LF_D4_SYNCED, "TDB_SYNC_FULL: each commit waits for a sync of the log"},
    {nullptr, LF_REFUSED, nullptr},
};

const char* const kProperties[] = {"stats",      "sstables", "options", "table_bytes",
                                   "blob_bytes", "check",    nullptr};

constexpr const char* kFamily = "default";
constexpr uint64_t kDayUs = uint64_t{24} * 3600 * 1000 * 1000;
// It plans merges once a second (ENGINE_COMPACTION_INTERVAL_US).
constexpr auto kPlanInterval = std::chrono::milliseconds(1100);
// As long as tidesdb_flush_memtable waits (ENGINE_FLUSH_WAIT_TIMEOUT_US).
constexpr auto kLongestFlush = std::chrono::seconds(60);
constexpr const char* kNeedsAKey = "TidesDB takes keys of at least one byte";

constexpr std::pair<const char*, tidesdb_compression_algorithm_t> kCompressors[] = {
    {"none", TDB_COMPRESS_NONE},
    {"snappy", TDB_COMPRESS_SNAPPY},
    {"lz4", TDB_COMPRESS_LZ4},
    {"zstd", TDB_COMPRESS_ZSTD}};

// A Bloom filter of so many bits a key, as best it can be, has this rate of false positives.
double RateOfBits(double bits) { return std::pow(2, -bits * std::log(2.0)); }
uint64_t BitsOfRate(double rate) {
  return static_cast<uint64_t>(std::lround(-std::log2(rate) / std::log(2.0)));
}

struct Config {
  tidesdb_config_t db = tidesdb_default_config();
  tidesdb_column_family_config_t family = tidesdb_default_column_family_config();
};

lf_code ReadConfig(const EngineSettings& settings, Config* config) {
  const lf_code in_range =
      settings.CheckRanges("TidesDB", {{"cache_size", 64 << 10, 1ULL << 46},
                                       {"write_buffer_size", 64 << 10, 1ULL << 40},
                                       {"block_size", 512, 1 << 24},
                                       {"bloom_bits", 0, 60},
                                       {"max_open_files", 16, 1 << 24},
                                       {"value_separation", 1, 1ULL << 40},
                                       {"flush_threads", 1, 256},
                                       {"compaction_threads", 1, 256},
                                       {"stall_memtables", 1, 1 << 16},
                                       {"l1_files", 1, 1 << 16},
                                       {"level_size_ratio", 2, 1000}});
  if (in_range != LF_OK) return in_range;
  const auto set = [&](const char* name, auto* field) {
    using Field = std::remove_reference_t<decltype(*field)>;
    *field = static_cast<Field>(settings.Number(name, static_cast<uint64_t>(*field)));
  };
  set("cache_size", &config->db.block_cache_size);
  set("write_buffer_size", &config->db.memtable_write_buffer_size);
  set("max_open_files", &config->db.max_open_sstables);
  set("value_separation", &config->db.value_separation_threshold);
  set("flush_threads", &config->db.num_flush_threads);
  set("compaction_threads", &config->db.num_compaction_threads);
  set("stall_memtables", &config->db.memtable_l0_queue_stall_threshold);
  set("block_size", &config->family.btree_klog_block_size);
  set("l1_files", &config->family.l1_file_count_trigger);
  set("level_size_ratio", &config->family.level_size_ratio);
  config->family.keep_values_inline = settings.Flag("values_inline", false) ? 1 : 0;
  const uint64_t bits = settings.Number("bloom_bits", 10);
  config->family.enable_bloom_filter = bits > 0 ? 1 : 0;
  if (settings.Has("bloom_bits") && bits > 0) {
    config->family.bloom_fpr = RateOfBits(static_cast<double>(bits));
  }
  const std::string_view wanted = settings.Text("compression", "none");
  for (const auto& [name, id] : kCompressors) {
    if (wanted != name || id == TDB_COMPRESS_NONE) continue;
    config->family.encoding_pipeline[0] = static_cast<uint8_t>(id);
    config->family.encoding_count = 1;
  }
  config->db.memtable_sync_interval_us = kDayUs;
  config->db.memtable_sync_mode = settings.Durability() == "none"     ? TDB_SYNC_NONE
                                  : settings.Durability() == "synced" ? TDB_SYNC_FULL
                                                                      : TDB_SYNC_INTERVAL;
  // What its threads meet is told there and nowhere else.
  config->db.log_to_file = 1;
  config->db.log_level = TDB_LOG_WARN;
  return LF_OK;
}

std::string Words(const std::string& what, int code) {
  return "TidesDB: cannot " + what + ": " + tidesdb_strerror(code) + " (" + std::to_string(code) +
         ")";
}

lf_code FailedTo(const std::string& what, int code) {
  return code == TDB_ERR_CORRUPTION ? levelfield::Damaged(Words(what, code))
                                    : Failed(Words(what, code));
}

template <class Call>
int Retried(Call call) {
  for (;;) {
    const int code = call();
    if (code != TDB_ERR_LOCKED) return code;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// Gives up after ten seconds, in which the library has tried 100,000 times for each call: a get
// says "locked" of a damaged block, too. The calling thread reads the files, so `errno` is of its
// reads.
template <class Call>
int RetriedRead(Call call) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    errno = 0;
    const int code = call();
    if (code != TDB_ERR_LOCKED) return code;
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(10)) return code;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// A checksum that is wrong is an I/O error to it, where no call of the system has failed.
lf_code FailedToRead(const char* what, int code) {
  if (code != TDB_ERR_IO || errno != 0) return FailedTo(what, code);
  return levelfield::Damaged(Words(what, code) + ", of a file that could be read");
}

const uint8_t* Data(lf_bytes bytes) { return reinterpret_cast<const uint8_t*>(bytes.data); }

// What the library has allocated.
class Owned {
 public:
  Owned() = default;
  ~Owned() { tidesdb_free(data_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  uint8_t** Data() {
    tidesdb_free(std::exchange(data_, nullptr));
    return &data_;
  }
  size_t* Size() { return &size_; }
  lf_bytes Bytes() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

class Session {
 public:
  Session(tidesdb_t* db, tidesdb_column_family_t* family) : db_(db), family_(family) {}
  ~Session() {
    EndScan();
    RollBackTransaction();
    tidesdb_txn_free(own_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int Begin() { return tidesdb_txn_begin(db_, &own_); }

  lf_code Get(lf_bytes key, lf_bytes* value) {
    return GetIn(transaction_ != nullptr ? transaction_ : own_, key, value);
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    return WriteOne("put", [&](tidesdb_txn_t* txn) { return Set(txn, key, value); });
  }

  lf_code Erase(lf_bytes key) {
    return WriteOne("erase", [&](tidesdb_txn_t* txn) { return Remove(txn, key); });
  }

  lf_code Write(std::span<const lf_entry> entries) {
    return WriteOne("write a batch", [&](tidesdb_txn_t* txn) {
      for (const lf_entry& entry : entries) {
        const int code =
            entry.erase != 0 ? Remove(txn, entry.key) : Set(txn, entry.key, entry.value);
        if (code != TDB_SUCCESS) return code;
      }
      return TDB_SUCCESS;
    });
  }

  lf_code DeleteRange(lf_bytes from, lf_bytes to) {
    if (levelfield::View(from) >= levelfield::View(to)) return LF_OK;
    if (from.size > TDB_MAX_RANGE_BOUND_SIZE || to.size > TDB_MAX_RANGE_BOUND_SIZE) {
      return Unsupported("TidesDB erases ranges whose ends have up to " +
                         std::to_string(TDB_MAX_RANGE_BOUND_SIZE) + " bytes");
    }
    constexpr uint8_t kBelowAllKeys = 0;
    return WriteOne("erase a range", [&](tidesdb_txn_t* txn) {
      return tidesdb_txn_delete_range(txn, family_, from.size == 0 ? &kBelowAllKeys : Data(from),
                                      std::max(from.size, size_t{1}), Data(to), to.size);
    });
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    if (const lf_code code = NewScan(); code != LF_OK) return code;
    if (key.size == 0 && how == LF_AT_OR_AFTER) how = LF_FIRST;
    if (key.size == 0 && how == LF_AT_OR_BEFORE) return Emit(TDB_ERR_NOT_FOUND, found_key, value);
    const int code = RetriedRead([&] {
      if (how == LF_FIRST) return tidesdb_iter_seek_to_first(scan_);
      if (how == LF_LAST) return tidesdb_iter_seek_to_last(scan_);
      if (how == LF_AT_OR_AFTER) return tidesdb_iter_seek(scan_, Data(key), key.size);
      return tidesdb_iter_seek_for_prev(scan_, Data(key), key.size);
    });
    return Emit(code, found_key, value);
  }

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    return Emit(RetriedRead([&] { return tidesdb_iter_next(scan_); }), key, value);
  }
  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    return Emit(RetriedRead([&] { return tidesdb_iter_prev(scan_); }), key, value);
  }

  struct Snapshot {
    ~Snapshot() {
      tidesdb_txn_free(txn);
      tidesdb_snapshot_release(snapshot);
    }
    tidesdb_snapshot_t* snapshot = nullptr;
    tidesdb_txn_t* txn = nullptr;
  };

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    EndScan();
    auto taken = std::make_unique<Snapshot>();
    int code = tidesdb_snapshot_create(db_, &taken->snapshot);
    if (code == TDB_SUCCESS) {
      code = tidesdb_txn_begin_at_snapshot(db_, taken->snapshot, &taken->txn);
    }
    if (code != TDB_SUCCESS) return FailedTo("take a snapshot", code);
    snapshot = std::move(taken);
    return LF_OK;
  }
  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    return GetIn(snapshot.txn, key, value);
  }

  // Serializable: what was read for an update, and what was written, must not have changed when it
  // is committed.
  lf_code BeginTransaction() {
    EndScan();
    const int code =
        tidesdb_txn_begin_with_isolation(db_, TDB_ISOLATION_SERIALIZABLE, &transaction_);
    return code == TDB_SUCCESS ? LF_OK : FailedTo("begin a transaction", code);
  }
  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) {
    EndScan();
    if (key.size == 0) return LF_NOT_FOUND;
    return Found(RetriedRead([&] {
                   return tidesdb_txn_get(transaction_, family_, Data(key), key.size, value_.Data(),
                                          value_.Size());
                 }),
                 value);
  }
  lf_code CommitTransaction() {
    EndScan();
    const int code = tidesdb_txn_commit(transaction_);
    tidesdb_txn_free(std::exchange(transaction_, nullptr));
    return Answer("commit a transaction", code);
  }
  lf_code RollBackTransaction() {
    tidesdb_txn_free(std::exchange(transaction_, nullptr));
    return LF_OK;
  }

  lf_code NewIterator() {
    const lf_code code = NewScan();
    EndScan();
    return code;
  }

  static constexpr Refusal Merge{"TidesDB has no merge operators"};
  static constexpr Refusal MultiGet{"TidesDB gets one key a call"};

 private:
  lf_code GetIn(tidesdb_txn_t* txn, lf_bytes key, lf_bytes* value) {
    EndScan();
    if (key.size == 0) return LF_NOT_FOUND;
    return Found(RetriedRead([&] {
                   return tidesdb_txn_get_notrack(txn, family_, Data(key), key.size, value_.Data(),
                                                  value_.Size());
                 }),
                 value);
  }

  lf_code Found(int code, lf_bytes* value) {
    if (code == TDB_ERR_NOT_FOUND) return LF_NOT_FOUND;
    if (code != TDB_SUCCESS) return FailedToRead("get", code);
    *value = value_.Bytes();
    return LF_OK;
  }

  template <class Change>
  lf_code WriteOne(const char* what, Change change) {
    EndScan();
    if (transaction_ != nullptr) return Answer(what, change(transaction_));
    int code = change(own_);
    if (code == TDB_SUCCESS) code = tidesdb_txn_commit(own_);
    const int again = tidesdb_txn_reset(own_, TDB_ISOLATION_READ_COMMITTED);
    return Answer(what, code == TDB_SUCCESS ? again : code);
  }

  // The library has the same answer for an empty key and for other wrong arguments.
  static constexpr int kEmptyKey = 1;

  int Set(tidesdb_txn_t* txn, lf_bytes key, lf_bytes value) {
    if (key.size == 0) return kEmptyKey;
    return tidesdb_txn_put(txn, family_, Data(key), key.size, Data(value), value.size, 0);
  }
  int Remove(tidesdb_txn_t* txn, lf_bytes key) {
    if (key.size == 0) return TDB_SUCCESS;
    return tidesdb_txn_delete(txn, family_, Data(key), key.size);
  }

  static lf_code Answer(const char* what, int code) {
    if (code == TDB_SUCCESS) return LF_OK;
    if (code == TDB_ERR_CONFLICT) return levelfield::Conflict(Words(what, code));
    return code == kEmptyKey ? Unsupported(kNeedsAKey) : FailedTo(what, code);
  }

  lf_code NewScan() {
    EndScan();
    const int code = RetriedRead([&] { return tidesdb_iter_new(own_, family_, &scan_); });
    return code == TDB_SUCCESS ? LF_OK : FailedToRead("begin a scan", code);
  }
  void EndScan() { tidesdb_iter_free(std::exchange(scan_, nullptr)); }

  lf_code Emit(int code, lf_bytes* key, lf_bytes* value) {
    if (code == TDB_SUCCESS) {
      code = RetriedRead([&] {
        return tidesdb_iter_key_value(scan_, key_.Data(), key_.Size(), value_.Data(),
                                      value_.Size());
      });
    }
    if (code == TDB_SUCCESS) {
      *key = key_.Bytes();
      *value = value_.Bytes();
      return LF_OK;
    }
    const lf_code answer = code == TDB_ERR_NOT_FOUND ? LF_NOT_FOUND : FailedToRead("scan", code);
    EndScan();
    return answer;
  }

  tidesdb_t* const db_;
  tidesdb_column_family_t* const family_;
  tidesdb_txn_t* own_ = nullptr;          // What is not in a transaction.
  tidesdb_txn_t* transaction_ = nullptr;  // Open between begin_transaction and its end.
  tidesdb_iter_t* scan_ = nullptr;
  Owned key_, value_;
};

// Its manifest is a file of blocks, as the others are: 0x544442, little-endian, then the version of
// that format.
bool IsDatabase(const std::string& path) {
  return levelfield::StartOfFile(path + "/MANIFEST", 3) == "BDT";
}

// Tables, logs and segments of values are called by numbers: 000000000000.000000000003.klog.
bool IsOwnFile(std::string_view name) {
  if (name == "MANIFEST" || name == "LOCK" || name == "LOG" || name.starts_with("MANIFEST.tmp.")) {
    return true;
  }
  constexpr std::string_view kKinds[] = {"klog", "klog.lstmp", "vlog", "log", "logf"};
  name.remove_prefix(std::min(name.find_first_not_of("0123456789."), name.size()));
  return std::find(std::begin(kKinds), std::end(kKinds), name) != std::end(kKinds);
}

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    Config config;
    const lf_code code = ReadConfig(settings, &config);
    if (code != LF_OK || directory == nullptr) return code;
    if (settings.IsCheck() && !IsDatabase(directory)) {
      return Failed(std::string("TidesDB: ") + directory + " holds no database");
    }
    auto opened = std::make_unique<Store>();
    opened->path_ = directory;
    config.db.db_path = opened->path_.data();
    opened->options_ = OptionsText(config);
    const int error = tidesdb_open(&config.db, &opened->db_);
    if (error != TDB_SUCCESS) return FailedTo("open " + opened->path_, error);
    const lf_code ready = opened->OpenFamily(config.family);
    if (ready != LF_OK) return ready;
    if (settings.IsCheck()) {
      if (const lf_code passed = opened->CheckLog(); passed != LF_OK) return passed;
    }
    store = std::move(opened);
    return LF_OK;
  }

  Store() = default;
  ~Store() { (void)Close(); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  lf_code Close() {
    if (db_ == nullptr) return LF_OK;
    const int code = tidesdb_close(std::exchange(db_, nullptr));
    return code == TDB_SUCCESS ? LF_OK : FailedTo("close " + path_, code);
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    auto begun = std::make_unique<Session>(db_, family_);
    const int code = begun->Begin();
    if (code != TDB_SUCCESS) return FailedTo("begin a session", code);
    session = std::move(begun);
    return LF_OK;
  }

  // tidesdb_sync_wal syncs the log that is written to, not those whose memtables wait.
  lf_code Sync() { return Flushed("sync", tidesdb_checkpoint); }
  lf_code Flush() { return Flushed("flush", tidesdb_flush_memtable); }

  // A pass merges the levels into one of them, which need not be the last. Where that alone has
  // anything it is written anew.
  lf_code Compact() {
    lf_code code = Flush();
    for (int pass = 0; code == LF_OK && pass < TDB_MAX_LEVELS; ++pass) {
      code = Done("compact", [&] { return tidesdb_compact(db_, family_); });
      tidesdb_cf_stats_t stats;
      if (code == LF_OK) code = Stats(&stats);
      if (code == LF_OK && LevelsInUse(stats) <= 1) break;
    }
    return code;
  }

  lf_code CompactRange(lf_bytes from, lf_bytes to) {
    if (from.data == nullptr && to.data == nullptr) return Compact();
    if (const lf_code code = Flush(); code != LF_OK) return code;
    return Done("compact a range", [&] {
      return tidesdb_compact_range(db_, family_, Data(from), from.size, Data(to), to.size);
    });
  }

  // Until it has rested for as long as it takes to plan merges.
  lf_code WaitForBackground() {
    using Clock = std::chrono::steady_clock;
    Clock::time_point rests_since = Clock::now(), works_since = rests_since;
    uint64_t work = 0;
    while (Clock::now() - rests_since < kPlanInterval) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      tidesdb_db_stats_t stats;
      const int code = tidesdb_get_db_stats(db_, &stats);
      if (code != TDB_SUCCESS) return FailedTo("wait for its threads", code);
      if (IsBusy(stats)) rests_since = Clock::now();
      // A merge that takes longer is known to go on.
      const bool goes_on = stats.is_flushing == 0 || tidesdb_is_compacting(family_) != 0;
      if (goes_on || stats.flush_count != work) works_since = Clock::now();
      work = stats.flush_count;
      if (Clock::now() - works_since > kLongestFlush) return NothingFlushed("wait for its threads");
    }
    return LF_OK;
  }

  void Activities(void* context, void (*sink)(void*, const char*)) {
    if (tidesdb_is_flushing(db_) != 0) sink(context, "flush");
    if (tidesdb_is_compacting(family_) != 0) sink(context, "compaction");
  }

  lf_code Backup(const char* directory) {
    return Done("copy into " + std::string(directory),
                [&] { return tidesdb_backup(db_, directory); });
  }

  static lf_code Restore(const char* backup, const char* directory) {
    if (!IsDatabase(backup)) {
      return Failed(std::string("TidesDB: cannot restore ") + backup + ": it is no database");
    }
    for (const std::string& name : levelfield::NamesIn(backup)) {
      const std::string from = std::string(backup) + "/" + name;
      if (!IsOwnFile(name)) continue;
      if (levelfield::CopyFile(from, std::string(directory) + "/" + name)) continue;
      return Failed("TidesDB: cannot restore " + from + ": " + std::strerror(errno));
    }
    return LF_OK;
  }

  static constexpr Refusal VerifyChecksums{
      "TidesDB has no call that reads all of its files: each read compares what it reads"};
  static constexpr Refusal ApproximateBytes{"TidesDB counts the keys of a range, not its bytes"};
  static constexpr Refusal Repair{
      "TidesDB repairs nothing by a call: it cuts a log and makes a manifest anew when it opens"};

  static lf_code Recognize(const char* path) { return IsDatabase(path) ? LF_OK : LF_NOT_FOUND; }

  static lf_code Destroy(const char* path) {
    if (!IsDatabase(path)) return LF_OK;
    for (const std::string& name : levelfield::NamesIn(path)) {
      const std::string file = std::string(path) + "/" + name;
      if (!IsOwnFile(name) || levelfield::RemoveFile(file)) continue;
      return Failed("TidesDB: cannot remove " + file + ": " + std::strerror(errno));
    }
    return LF_OK;
  }

  lf_code Property(std::string_view name, const char** text) {
    text_.clear();
    if (name == "options") {
      text_ = options_;
    } else if (name == "check") {
      if (const lf_code code = Check(); code != LF_OK) return code;
    } else if (name == "stats" || name == "sstables" || name == "table_bytes" ||
               name == "blob_bytes") {
      if (const lf_code code = AppendStats(name); code != LF_OK) return code;
    } else {
      return Unsupported(
          "TidesDB has only the properties stats, sstables, options, table_bytes, blob_bytes and "
          "check");
    }
    *text = text_.c_str();
    return LF_OK;
  }

  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    tidesdb_db_stats_t stats;
    tidesdb_cache_stats_t cache;
    if (tidesdb_get_db_stats(db_, &stats) != TDB_SUCCESS ||
        tidesdb_get_cache_stats(db_, &cache) != TDB_SUCCESS) {
      return;
    }
    sink(context, "written_bytes",
         stats.wal_bytes_written + stats.flush_bytes_written + stats.compaction_bytes_written +
             stats.vlog_bytes_written);
    sink(context, "tidesdb.flush_count", stats.flush_count);
    sink(context, "tidesdb.compaction_count", stats.compaction_count);
    sink(context, "tidesdb.compaction_bytes_read", stats.compaction_bytes_read);
    sink(context, "tidesdb.write_stall_us", stats.write_stall_us);
    sink(context, "tidesdb.cache_hits", cache.hits);
    sink(context, "tidesdb.cache_misses", cache.misses);
  }

  // The library cannot be asked for what belongs to the whole database.
  void InForce(const levelfield::InForceSink& tell) {
    tidesdb_cf_stats_t stats;
    if (Stats(&stats) != LF_OK) return;
    const tidesdb_column_family_config_t& family = stats.config;
    tell.Number("block_size", family.btree_klog_block_size);
    tell.Number("bloom_bits", family.enable_bloom_filter != 0 ? BitsOfRate(family.bloom_fpr) : 0);
    tell.Text("compression", CompressionOf(family));
    tell.Flag("values_inline", family.keep_values_inline != 0);
    tell.Number("l1_files", family.l1_file_count_trigger);
    tell.Number("level_size_ratio", family.level_size_ratio);
  }

 private:
  template <class Call>
  lf_code Done(const std::string& what, Call call) {
    const int code = Retried(call);
    return code == TDB_SUCCESS ? LF_OK : FailedTo(what, code);
  }

  // Both wait for memtables to be written, and answer after a minute that something was locked.
  lf_code Flushed(const char* what, int (*call)(tidesdb_t*)) {
    for (;;) {
      tidesdb_db_stats_t before, after;
      int code = tidesdb_get_db_stats(db_, &before);
      if (code == TDB_SUCCESS) code = call(db_);
      if (code == TDB_SUCCESS) return LF_OK;
      if (code != TDB_ERR_LOCKED || tidesdb_get_db_stats(db_, &after) != TDB_SUCCESS) {
        return FailedTo(what, code);
      }
      if (before.flush_count == after.flush_count) return NothingFlushed(what);
    }
  }

  // Its threads tell their errors in its log only, and may not try again.
  lf_code NothingFlushed(const char* what) const {
    std::ifstream log(path_ + "/LOG");
    std::string first;
    std::getline(log, first);
    return Failed(std::string("TidesDB: cannot ") + what +
                  ": its threads have written no memtable for a minute" +
                  (first.empty() ? "" : "; " + path_ + "/LOG begins with: " + first));
  }

  // Of a family that was there the settings apply to what is written from now on, and are not kept.
  lf_code OpenFamily(const tidesdb_column_family_config_t& config) {
    char** names = nullptr;
    int count = 0;
    int code = tidesdb_list_column_families(db_, &names, &count);
    if (code != TDB_SUCCESS) return FailedTo("list the column families of " + path_, code);
    std::string name = kFamily, all;
    for (int i = 0; i < count; ++i) {
      all += (all.empty() ? "" : ", ") + std::string(names[i]);
      if (count == 1) name = names[i];
      tidesdb_free(names[i]);
    }
    tidesdb_free(names);
    family_ = tidesdb_get_column_family(db_, name.c_str());
    if (family_ == nullptr && count > 0) {
      return Unsupported("TidesDB: " + path_ + " has several column families (" + all +
                         "), and none of them is called " + kFamily);
    }
    if (family_ != nullptr) {
      code = Retried([&] { return tidesdb_cf_update_runtime_config(db_, family_, &config, 0); });
      return code == TDB_SUCCESS ? LF_OK : FailedTo("configure " + path_, code);
    }
    code = tidesdb_create_column_family(db_, kFamily, &config);
    family_ = code == TDB_SUCCESS ? tidesdb_get_column_family(db_, kFamily) : nullptr;
    return family_ != nullptr ? LF_OK : FailedTo("make a column family in " + path_, code);
  }

  lf_code Stats(tidesdb_cf_stats_t* stats) {
    return Done("ask for statistics", [&] { return tidesdb_get_cf_stats(family_, stats); });
  }

  static int LevelsInUse(const tidesdb_cf_stats_t& stats) {
    return static_cast<int>(std::count_if(stats.level_num_sstables,
                                          stats.level_num_sstables + stats.num_levels,
                                          [](int tables) { return tables > 0; }));
  }

  bool IsBusy(const tidesdb_db_stats_t& stats) const {
    return stats.is_flushing != 0 || stats.compaction_pending_count > 0 ||
           tidesdb_is_compacting(family_) != 0;
  }

  // Opening, it cuts a log behind its last whole block and makes a broken manifest anew, and tells
  // it in its log of warnings only.
  lf_code CheckLog() const {
    std::ifstream log(path_ + "/LOG");
    std::string line;
    if (!std::getline(log, line)) return LF_OK;
    return levelfield::Damaged("TidesDB: opening " + path_ + " it says " + line);
  }

  // It has no checker. A scan compares each node and value with its checksum.
  lf_code Check() {
    Session session(db_, family_);
    uint64_t entries = 0;
    lf_bytes key, value;
    const int begun = session.Begin();
    if (begun != TDB_SUCCESS) return FailedTo("check " + path_, begun);
    lf_code code = session.Seek(LF_FIRST, {}, &key, &value);
    for (; code == LF_OK; code = session.Next(&key, &value)) ++entries;
    if (code != LF_NOT_FOUND) return code;
    text_ = "TidesDB has read " + std::to_string(entries) + " entries, each against its checksum";
    return LF_OK;
  }

  lf_code AppendStats(std::string_view name) {
    tidesdb_db_stats_t db;
    tidesdb_cf_stats_t family;
    const int code = tidesdb_get_db_stats(db_, &db);
    if (code != TDB_SUCCESS) return FailedTo("ask for statistics", code);
    if (const lf_code failed = Stats(&family); failed != LF_OK) return failed;
    if (name == "table_bytes") {
      text_ = std::to_string(db.total_data_size_bytes);
    } else if (name == "blob_bytes") {
      text_ = std::to_string(db.vlog_file_size);
    } else if (name == "sstables") {
      for (int i = 0; i < family.num_levels; ++i) {
        const std::string level = "level_" + std::to_string(i + 1);
        levelfield::AppendLine(text_, level + "_tables", family.level_num_sstables[i]);
        levelfield::AppendLine(text_, level + "_bytes", family.level_sizes[i]);
        levelfield::AppendLine(text_, level + "_keys", family.level_key_counts[i]);
      }
      levelfield::AppendLine(text_, "vlog_segments", db.vlog_segment_count);
      levelfield::AppendLine(text_, "vlog_bytes", db.vlog_file_size);
    } else {
      AppendAllStats(db, family);
    }
    return LF_OK;
  }

  void AppendAllStats(const tidesdb_db_stats_t& db, const tidesdb_cf_stats_t& family) {
    const auto add = [this](const char* name, auto value) {
      levelfield::AppendLine(text_, name, value);
    };
    add("num_levels", family.num_levels);
    add("total_keys", family.total_keys);
    add("unflushed_key_count", family.unflushed_key_count);
    add("total_data_size", family.total_data_size);
    add("total_tombstones", family.total_tombstones);
    add("btree_max_height", family.btree_max_height);
    add("filter_resident_bytes", family.filter_resident_bytes);
    add("memtable_bytes", db.memtable_bytes);
    add("immutable_memtable_count", db.immutable_memtable_count);
    add("num_open_sstables", db.num_open_sstables);
    add("user_bytes_written", db.user_bytes_written);
    add("wal_bytes_written", db.wal_bytes_written);
    add("flush_count", db.flush_count);
    add("flush_bytes_written", db.flush_bytes_written);
    add("compaction_count", db.compaction_count);
    add("compaction_bytes_read", db.compaction_bytes_read);
    add("compaction_bytes_written", db.compaction_bytes_written);
    add("vlog_file_size", db.vlog_file_size);
    add("vlog_live_bytes", db.vlog_live_bytes);
    add("vlog_bytes_written", db.vlog_bytes_written);
    add("writes_throttled", db.writes_throttled);
    add("writes_blocked", db.writes_blocked);
    add("write_stall_us", db.write_stall_us);
  }

  static std::string CompressionOf(const tidesdb_column_family_config_t& family) {
    const int id = family.encoding_count > 0 ? int{family.encoding_pipeline[0]} : 0;
    for (const auto& [name, known] : kCompressors) {
      if (id == known) return name;
    }
    return std::to_string(id);
  }

  // What it was opened with: of the database the library cannot be asked.
  static std::string OptionsText(const Config& config) {
    std::string text;
    const auto add = [&text](const char* name, auto value) {
      levelfield::AppendLine(text, name, value);
    };
    add("block_cache_size", config.db.block_cache_size);
    add("memtable_write_buffer_size", config.db.memtable_write_buffer_size);
    add("memtable_sync_mode", config.db.memtable_sync_mode);
    add("memtable_sync_interval_us", config.db.memtable_sync_interval_us);
    add("memtable_l0_queue_stall_threshold", config.db.memtable_l0_queue_stall_threshold);
    add("memtable_idle_flush_seconds", config.db.memtable_idle_flush_seconds);
    add("num_flush_threads", config.db.num_flush_threads);
    add("num_compaction_threads", config.db.num_compaction_threads);
    add("max_open_sstables", config.db.max_open_sstables);
    add("value_separation_threshold", config.db.value_separation_threshold);
    add("vlog_segment_size", config.db.vlog_segment_size);
    add("btree_klog_block_size", config.family.btree_klog_block_size);
    add("keep_values_inline", config.family.keep_values_inline);
    add("encoding_pipeline", CompressionOf(config.family));
    add("enable_bloom_filter", config.family.enable_bloom_filter);
    add("bloom_fpr", std::to_string(config.family.bloom_fpr));
    add("level_size_ratio", config.family.level_size_ratio);
    add("l1_file_count_trigger", config.family.l1_file_count_trigger);
    return text;
  }

  tidesdb_t* db_ = nullptr;
  tidesdb_column_family_t* family_ = nullptr;
  std::string path_;
  std::string options_;  // As text.
  std::string text_;
};

void Describe(void* context, lf_fact_sink sink) {
  sink(context, "language", "C");
  sink(context, "version", TIDESDB_VERSION);
  sink(context, "released", "2026");
  sink(context, "build", LEVELFIELD_BUILD);
  sink(context, "library",
       levelfield::LibraryPath(reinterpret_cast<const void*>(&tidesdb_open)).c_str());
  sink(context, "assertions", "off");
  sink(context, "papers", "LOG");
  std::string compressors;
  for (const auto& [name, id] : kCompressors) {
    if (tidesdb_compression_available(id) == 0) continue;
    compressors += (compressors.empty() ? "" : ", ") + std::string(name);
  }
  sink(context, "compressors", compressors.c_str());
  sink(context, "checksums", "xxHash of each block of a table, a log and the value log");
  sink(context, "compared", "each block when it is read from its file");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "tidesdb",
    .summary = "TidesDB: a log-structured merge tree of B+ trees, in C",
    .license = "MPL-2.0",
    .capabilities = LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
