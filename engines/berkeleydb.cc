// Berkeley DB: a transactional B-tree in one file, with a log beside it, in one environment.
//
// The environment is private: its locks, cache and log buffer are in this process's heap, which one
// process alone can have open
// (https://docs.oracle.com/cd/E17275_01/html/programmer_reference/env_region.html). The
// documentation advises it where writing regions that are files costs too much
// (https://docs.oracle.com/cd/E17275_01/html/programmer_reference/am_misc_tune.html). Two processes
// in one private environment would break it silently, so the harness's lock on the directory is
// needed. Every open runs recovery, which is required after a kill and does little after a close.
//
// All sessions share the two handles. A session owns its buffers and its cursor. A scan's cursor
// holds a read lock on its page until the session's next call. A writer that needs that page waits,
// and gives up after kLockTimeoutUs.
#include <db.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "levelfield/engine.h"
#include "library_facts.h"
#include "store_files.h"

namespace {

using levelfield::EngineSettings;
using levelfield::Refusal;
using levelfield::Unsupported;

// A longer wait for a lock is an error, not a hang.
constexpr db_timeout_t kLockTimeoutUs = 60'000'000;

// An operation rolled back by a deadlock is repeated, as the documentation asks
// (https://docs.oracle.com/cd/E17275_01/html/programmer_reference/transapp_deadlock.html).
constexpr int kDeadlockRetries = 1'000;

// Interval of the checks for due checkpoints and for locks waited for too long.
constexpr std::chrono::milliseconds kChoresEvery{100};

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kDefaultLogFileBytes = 10 * kMiB;  // Berkeley DB's own default.
constexpr uint64_t kDefaultCheckpointBytes = 64 * kMiB;

const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "256 KiB (Berkeley DB's default)", nullptr,
     "Page cache of all sessions (DB_ENV->set_cachesize), at least 20 KiB; below 500 MB Berkeley "
     "DB adds a quarter for its own tables."},
    {"write_buffer_size", LF_BYTES, "32000 (Berkeley DB's default)", nullptr,
     "Log buffer (DB_ENV->set_lg_bsize); a log file must hold four of them, and is made as large "
     "where log_file_size is not given."},
    {"block_size", LF_BYTES, "the file system's block, 4096 as a rule", nullptr,
     "Page size (DB->set_pagesize), a power of two from 512 to 65536, fixed when the file is "
     "made."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "A B-tree has no filter."},
    {"compression", LF_CHOICE, "none", "none|prefix",
     "prefix: what a key has in common with the one before it is left out (DB->set_bt_compress), "
     "values stay as they are; a scan then keeps every page it has read locked until it ends."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Holds one file and one log file open."},
    {"log_file_size", LF_BYTES, "10 MiB (Berkeley DB's default)", nullptr,
     "Size of a log file (DB_ENV->set_lg_max); those that recovery no longer needs are removed."},
    {"checkpoint", LF_BYTES, "64M", nullptr,
     "Log written between two checkpoints, which a thread of its own makes, as the documentation "
     "recommends; 0 makes none, and the log grows for ever."},
    {"checksum", LF_FLAG, "0", nullptr, "A checksum on every page of the file (DB_CHKSUM)."},
    {"multiversion", LF_FLAG, "0", nullptr,
     "Reads see a snapshot and never wait for writers (DB_MULTIVERSION, DB_TXN_SNAPSHOT); pages "
     "are copied on write, so the cache must be the larger. Snapshots can be had with it only."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

// No row of larger pages promises `synced`: a power cut in the middle of one may break it
// (https://docs.oracle.com/cd/E17275_01/html/programmer_reference/transapp_reclimit.html).
const lf_alternative kAlternatives[] = {
    {"log_buffer_1m", "write_buffer_size=1M", "none,process,synced",
     "A larger log buffer can help transactions that are long or write much.",
     "https://docs.oracle.com/cd/E17275_01/html/api_reference/C/envset_lg_bsize.html"},
    {"page_8k", "block_size=8192", "none,process",
     "Values above a quarter of a page get pages of their own, so a larger page is usually better; "
     "one that the file system writes in parts may be broken by a power cut.",
     "https://docs.oracle.com/cd/E17275_01/html/programmer_reference/am_misc_tune.html"},
    {"checked", "checksum=1", "none,process,synced",
     "Every page that is read into the cache is verified.",
     "https://docs.oracle.com/cd/E17275_01/html/api_reference/C/dbset_flags.html"},
    {"own", "cache_size=256K", "none,process,synced",
     "The default is small: applications are to set what their working set needs.",
     "https://docs.oracle.com/cd/E17275_01/html/programmer_reference/general_am_conf.html"},
    {"own", "checkpoint=0", "none,process,synced",
     "Applications are to make checkpoints now and then, in a thread of their own, or recovery "
     "would read the log from its beginning.",
     "https://docs.oracle.com/cd/E17275_01/html/programmer_reference/transapp_checkpoint.html"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "DB_TXN_NOSYNC: a commit stays in the log buffer"},
    {"process", LF_D1_PROCESS, "DB_TXN_WRITE_NOSYNC: a commit writes the log to the kernel"},
    {"synced", LF_D4_SYNCED, "default: a commit writes the log and syncs it"},
    {nullptr, LF_REFUSED, nullptr},
};

// ---- Errors and messages

// Berkeley DB's latest message on this thread, from its error call, and whether one since the last
// failure told of damage: the code is then often DB_RUNRECOVERY, which all panics have.
thread_local std::string last_words;
thread_local bool words_tell_damage = false;
// Receives the statistics that this thread prints.
thread_local std::string* message_sink = nullptr;

void OnError(const DB_ENV*, const char*, const char* text) {
  last_words = text;
  for (const char* const damage : {"checksum error", "not a multiple of the pagesize"}) {
    if (last_words.find(damage) != std::string::npos) words_tell_damage = true;
  }
}

void OnMessage(const DB_ENV*, const char* text) {
  if (message_sink != nullptr) *message_sink += std::string(text) + '\n';
}

// "Berkeley DB: cannot <what>: <db_strerror> (<its own words>)".
lf_code Failed(const std::string& what, int code) {
  std::string text = "Berkeley DB: cannot " + what + ": " + db_strerror(code);
  if (const std::string words = std::exchange(last_words, ""); !words.empty()) {
    text += " (" + words + ")";
  }
  if (code == DB_LOCK_NOTGRANTED) text += "; is a scan of an idle session still open?";
  if (code == DB_LOCK_DEADLOCK) {
    text += " (" + std::to_string(kDeadlockRetries) + " times in a row)";
  }
  const bool is_damage = std::exchange(words_tell_damage, false) || code == DB_VERIFY_BAD ||
                         code == DB_PAGE_NOTFOUND;
  return is_damage ? levelfield::Damaged(text) : levelfield::Failed(text);
}

// LF_OK, or why `what` has failed.
lf_code Done(const std::string& what, int code) { return code == 0 ? LF_OK : Failed(what, code); }

DBT Dbt(lf_bytes bytes) {
  DBT dbt{};
  dbt.data = const_cast<char*>(bytes.data);
  dbt.size = static_cast<u_int32_t>(bytes.size);
  return dbt;
}

// ---- Shared by sessions

struct Shared {
  DB_ENV* environment = nullptr;
  DB* database = nullptr;
  // Whether gets or scans run in transactions, and of which kind.
  bool reads_in_transaction = false;
  bool multiversion = false;
  u_int32_t reader_flags = 0;
  std::atomic<uint64_t> deadlock_retries{0};

  // Repeats one operation until no deadlock ends it.
  template <class Operation>
  int Retrying(Operation operation) {
    int code = operation();
    for (int i = 0; code == DB_LOCK_DEADLOCK && i < kDeadlockRetries; ++i) {
      deadlock_retries.fetch_add(1, std::memory_order_relaxed);
      code = operation();
    }
    return code;
  }
};

// The session's memory for Berkeley DB's keys and values (DB_DBT_USERMEM). A read allocates nothing
// once the buffer has had its largest value.
class Buffer {
 public:
  DBT Dbt() {
    DBT dbt{};
    dbt.data = bytes_.data();
    dbt.ulen = static_cast<u_int32_t>(bytes_.size());
    dbt.flags = DB_DBT_USERMEM;
    return dbt;
  }
  // Grows to the size that Berkeley DB needs. False if the size was not the problem.
  bool GrowFor(const DBT& dbt) {
    if (dbt.size <= bytes_.size()) return false;
    bytes_.resize(std::max<size_t>(dbt.size, 2 * bytes_.size()));
    return true;
  }
  // Berkeley DB reads the key there and overwrites it with the one found.
  DBT DbtOf(const std::string& key) {
    if (bytes_.size() < key.size()) bytes_.resize(2 * key.size());
    DBT dbt = Dbt();
    dbt.size = static_cast<u_int32_t>(key.size());
    std::memcpy(dbt.data, key.data(), key.size());
    return dbt;
  }
  lf_bytes Of(const DBT& dbt) const { return {bytes_.data(), dbt.size}; }

 private:
  std::string bytes_ = std::string(4096, '\0');
};

class Session {
 public:
  explicit Session(Shared& shared) : shared_(shared), database_(shared.database) {}
  ~Session() {
    EndScan();
    RollBackTransaction();
  }

  // Usually no transaction is needed: a single get locks the page while it reads, so it sees one
  // committed value, and unlocks at once.
  lf_code Get(lf_bytes key, lf_bytes* value) {
    if (transaction_ != nullptr) return GetInTransaction(key, 0, value);
    if (Enter(key) != LF_OK) return LF_FAILED;
    DBT found{};
    const int code = shared_.Retrying([&] {
      DB_TXN* reader = nullptr;
      if (const int begun = BeginReader(&reader); begun != 0) return begun;
      const int read = Read(reader, key, 0, found);
      const int ended = EndReader(reader);
      return read != 0 ? read : ended;
    });
    if (code == 0) {
      *value = value_.Of(found);
      return LF_OK;
    }
    return code == DB_NOTFOUND ? LF_NOT_FOUND : Failed("get", code);
  }

  // Outside a batch, Berkeley DB makes a transaction for each write itself (DB_AUTO_COMMIT).
  lf_code Put(lf_bytes key, lf_bytes value) {
    if (Enter(key) != LF_OK || CheckSize(value) != LF_OK) return LF_FAILED;
    if (transaction_ != nullptr) return OfTransaction("put", PutEntry(transaction_, key, value));
    return Done("put", shared_.Retrying([&] { return PutEntry(nullptr, key, value); }));
  }

  lf_code Erase(lf_bytes key) {
    if (Enter(key) != LF_OK) return LF_FAILED;
    if (transaction_ != nullptr) return OfTransaction("erase", EraseEntry(transaction_, key));
    return Done("erase", shared_.Retrying([&] { return EraseEntry(nullptr, key); }));
  }

  lf_code Write(std::span<const lf_entry> entries) {
    EndScan();
    for (const lf_entry& entry : entries) {
      if (CheckSize(entry.key) != LF_OK) return LF_FAILED;
      if (entry.erase == 0 && CheckSize(entry.value) != LF_OK) return LF_FAILED;
    }
    return Done("write a batch", shared_.Retrying([&] { return WriteEntries(entries); }));
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    const bool takes_key = how == LF_AT_OR_AFTER || how == LF_AT_OR_BEFORE;
    if (Enter(takes_key ? key : lf_bytes{}) != LF_OK) return LF_FAILED;
    if (takes_key && key.size != 0) {
      sought_.assign(key.data, key.size);
    } else {
      sought_.clear();
    }
    return Hand(shared_.Retrying([&] { return Place(how); }), "seek", found_key, value);
  }

  // A transaction of its own that sees the versions at its first read, which happens here.
  struct Snapshot {
    ~Snapshot() {
      if (reader != nullptr) reader->commit(reader, DB_TXN_NOSYNC);
    }
    DB_TXN* reader = nullptr;
  };

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    EndScan();
    if (!shared_.multiversion) {
      return Unsupported(
          "Berkeley DB keeps older versions of its pages with --berkeleydb.multiversion=1 only");
    }
    auto taken = std::make_unique<Snapshot>();
    const int code = shared_.environment->txn_begin(shared_.environment, nullptr, &taken->reader,
                                                    DB_TXN_SNAPSHOT);
    if (code != 0) return Failed("begin a snapshot", code);
    lf_bytes ignored{};
    if (GetAt(*taken, {}, &ignored) == LF_FAILED) return LF_FAILED;
    snapshot = std::move(taken);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    if (Enter(key) != LF_OK) return LF_FAILED;
    DBT found{};
    const int code = Read(snapshot.reader, key, 0, found);
    if (code == DB_NOTFOUND) return LF_NOT_FOUND;
    *value = value_.Of(found);
    return Done("get of a snapshot", code);
  }

  // Each page read or written is locked until the end. A get for update takes the write lock at
  // once (DB_RMW). A transaction chosen by the deadlock detector must abort
  // (https://docs.oracle.com/database/bdb181/html/gsg_txn/C/txnconcurrency.html).
  lf_code BeginTransaction() {
    EndScan();
    DB_ENV* const environment = shared_.environment;
    return Done("begin a transaction",
                environment->txn_begin(environment, nullptr, &transaction_, 0));
  }

  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) {
    return GetInTransaction(key, DB_RMW, value);
  }

  lf_code CommitTransaction() {
    EndScan();
    // The handle is gone, whatever the call returns.
    DB_TXN* const ending = std::exchange(transaction_, nullptr);
    return OfTransaction("commit a transaction", ending->commit(ending, 0));
  }

  lf_code RollBackTransaction() {
    if (transaction_ == nullptr) return LF_OK;
    EndScan();
    DB_TXN* const ending = std::exchange(transaction_, nullptr);
    return Done("roll back a transaction", ending->abort(ending));
  }

  lf_code NewIterator() {
    EndScan();
    const int code = shared_.Retrying([&] { return BeginScan(); });
    EndScan();
    return Done("begin a scan", code);
  }

  static constexpr Refusal Merge{
      "Berkeley DB has no merge operators: who changes a value reads it and puts it"};
  static constexpr Refusal MultiGet{
      "Berkeley DB gets one key a call (DB_MULTIPLE reads neighbours, not a list of keys)"};

  lf_code Next(lf_bytes* key, lf_bytes* value) { return Step(DB_NEXT, key, value); }
  lf_code Prev(lf_bytes* key, lf_bytes* value) { return Step(DB_PREV, key, value); }

 private:
  static lf_code CheckSize(lf_bytes bytes) {
    if (bytes.size <= UINT32_MAX) return LF_OK;
    return levelfield::Failed("Berkeley DB: cannot take " + std::to_string(bytes.size) +
                              " bytes as one key or value; 4 GiB - 1 is the most");
  }

  // Begins every measured call that takes a key.
  lf_code Enter(lf_bytes key) {
    EndScan();
    return CheckSize(key);
  }

  // Reads into the session's own memory, which grows to the value's size.
  int Read(DB_TXN* transaction, lf_bytes key, u_int32_t flags, DBT& found) {
    DBT wanted = Dbt(key);
    int code = 0;
    do {
      found = value_.Dbt();
      code = database_->get(database_, transaction, &wanted, &found, flags);
    } while (code == DB_BUFFER_SMALL && value_.GrowFor(found));
    return code;
  }

  lf_code GetInTransaction(lf_bytes key, u_int32_t flags, lf_bytes* value) {
    if (Enter(key) != LF_OK) return LF_FAILED;
    DBT found{};
    const int code = Read(transaction_, key, flags, found);
    if (code == DB_NOTFOUND) return LF_NOT_FOUND;
    *value = value_.Of(found);
    return OfTransaction("get", code);
  }

  // A deadlock, or waiting for a lock until kLockTimeoutUs, is a conflict.
  static lf_code OfTransaction(const char* what, int code) {
    if (code == 0) return LF_OK;
    if (code != DB_LOCK_DEADLOCK && code != DB_LOCK_NOTGRANTED) return Failed(what, code);
    last_words.clear();
    return levelfield::Conflict(std::string("Berkeley DB: cannot ") + what + ": " +
                                db_strerror(code));
  }

  // A branch, not two kinds of session: a branch that always goes the same way costs less than a
  // virtual call.
  int BeginReader(DB_TXN** reader) {
    if (!shared_.reads_in_transaction) return 0;
    return shared_.environment->txn_begin(shared_.environment, nullptr, reader,
                                          shared_.reader_flags);
  }
  static int EndReader(DB_TXN* reader) {
    return reader != nullptr ? reader->commit(reader, DB_TXN_NOSYNC) : 0;
  }

  int PutEntry(DB_TXN* transaction, lf_bytes key, lf_bytes value) {
    DBT key_dbt = Dbt(key);
    DBT value_dbt = Dbt(value);
    return database_->put(database_, transaction, &key_dbt, &value_dbt, 0);
  }

  int EraseEntry(DB_TXN* transaction, lf_bytes key) {
    DBT key_dbt = Dbt(key);
    const int code = database_->del(database_, transaction, &key_dbt, 0);
    return code == DB_NOTFOUND ? 0 : code;
  }

  int WriteEntries(std::span<const lf_entry> entries) {
    DB_TXN* transaction = nullptr;
    DB_ENV* environment = shared_.environment;
    if (const int code = environment->txn_begin(environment, nullptr, &transaction, 0); code != 0) {
      return code;
    }
    for (const lf_entry& entry : entries) {
      const int code = entry.erase != 0 ? EraseEntry(transaction, entry.key)
                                        : PutEntry(transaction, entry.key, entry.value);
      if (code != 0) {
        const int aborted = transaction->abort(transaction);
        return aborted != 0 ? aborted : code;
      }
    }
    return transaction->commit(transaction, 0);
  }

  int BeginScan() {
    if (const int code = BeginReader(&scan_reader_); code != 0) return code;
    return database_->cursor(database_, scan_reader_, &scan_, 0);
  }

  void EndScan() {
    if (scan_ != nullptr) {
      DBC* scan = std::exchange(scan_, nullptr);
      scan->close(scan);
    }
    EndReader(std::exchange(scan_reader_, nullptr));
  }

  // Moves the cursor and reads its entry. If the entry does not fit, the cursor stays, so the call
  // can be repeated.
  int Fetch(u_int32_t how) {
    int code = 0;
    bool again = false;
    do {
      found_key_ = how == DB_SET_RANGE ? key_.DbtOf(sought_) : key_.Dbt();
      found_value_ = value_.Dbt();
      code = scan_->get(scan_, &found_key_, &found_value_, how);
      again = code == DB_BUFFER_SMALL && (key_.GrowFor(found_key_) || value_.GrowFor(found_value_));
    } while (again);
    return code;
  }

  bool IsAtSought() const {
    return found_key_.size == sought_.size() &&
           std::memcmp(found_key_.data, sought_.data(), sought_.size()) == 0;
  }

  // Puts a new cursor where the scan begins.
  int Place(lf_seek how) {
    EndScan();
    if (const int code = BeginScan(); code != 0) return code;
    if (how == LF_FIRST) return Fetch(DB_FIRST);
    if (how == LF_LAST) return Fetch(DB_LAST);
    const int code = Fetch(DB_SET_RANGE);
    if (how == LF_AT_OR_AFTER) return code;
    if (code == DB_NOTFOUND) return Fetch(DB_LAST);
    return code == 0 && !IsAtSought() ? Fetch(DB_PREV) : code;
  }

  lf_code Step(u_int32_t how, lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    const u_int32_t key_size = found_key_.size;
    int code = Fetch(how);
    if (code == DB_LOCK_DEADLOCK) [[unlikely]] {
      // The lost cursor's entry is still in the buffer. A new cursor continues from there.
      found_key_.size = key_size;
      sought_.assign(key_.Of(found_key_).data, key_size);
      code = shared_.Retrying([&] {
        shared_.deadlock_retries.fetch_add(1, std::memory_order_relaxed);
        const int placed = Place(how == DB_NEXT ? LF_AT_OR_AFTER : LF_AT_OR_BEFORE);
        return placed == 0 && IsAtSought() ? Fetch(how) : placed;
      });
    }
    return Hand(code, "step a scan", key, value);
  }

  lf_code Hand(int code, const char* what, lf_bytes* key, lf_bytes* value) {
    if (code == 0) {
      *key = key_.Of(found_key_);
      *value = value_.Of(found_value_);
      return LF_OK;
    }
    EndScan();
    return code == DB_NOTFOUND ? LF_NOT_FOUND : Failed(what, code);
  }

  Shared& shared_;
  DB* const database_;
  DBC* scan_ = nullptr;
  DB_TXN* scan_reader_ = nullptr;  // The scan's transaction, if it has one.
  DB_TXN* transaction_ = nullptr;  // Open between begin_transaction and its end.
  std::string sought_;
  Buffer key_;
  Buffer value_;
  DBT found_key_{};
  DBT found_value_{};
};

// ---- The store

struct Settings {
  uint64_t cache_bytes = 0;  // In sizes 0 means Berkeley DB's default.
  uint64_t log_buffer_bytes = 0;
  uint64_t log_file_bytes = kDefaultLogFileBytes;
  uint64_t page_bytes = 0;
  uint64_t checkpoint_bytes = kDefaultCheckpointBytes;
  u_int32_t commit_flag = 0;
  std::optional<bool> prefix_compression;
  std::optional<bool> checksum;
  bool multiversion = false;
  bool is_check = false;
  // Options fixed in the file that somebody has requested. Otherwise the file wins.
  bool page_given = false;
  bool compression_given = false;
  bool checksum_given = false;
};

lf_code Read(const EngineSettings& given, Settings& settings) {
  constexpr uint64_t kDefaultLogBuffer = 32'000;
  const uint64_t least_log = 4 * given.Number("write_buffer_size", kDefaultLogBuffer);
  const lf_code in_range =
      given.CheckRanges("Berkeley DB", {{"cache_size", 20 << 10, uint64_t{10'000} << 30},
                                        {"block_size", 512, 65536},
                                        {"write_buffer_size", 1, 512 * kMiB},
                                        // A log file holds at least four log buffers.
                                        {"log_file_size", least_log, UINT32_MAX},
                                        {"checkpoint", 0, uint64_t{UINT32_MAX} << 10}});
  if (in_range != LF_OK) return in_range;
  settings.cache_bytes = given.Number("cache_size", 0);
  settings.page_bytes = given.Number("block_size", 0);
  if (settings.page_bytes != 0 && !std::has_single_bit(settings.page_bytes)) {
    return Unsupported("Berkeley DB: --block_size=" + std::to_string(settings.page_bytes) +
                       ": a page is a power of two");
  }
  settings.log_buffer_bytes = given.Number("write_buffer_size", 0);
  settings.log_file_bytes =
      given.Number("log_file_size", std::max(kDefaultLogFileBytes, 4 * settings.log_buffer_bytes));
  settings.checkpoint_bytes = given.Number("checkpoint", kDefaultCheckpointBytes);
  if (settings.checkpoint_bytes != 0 && settings.checkpoint_bytes < 1024) {
    return Unsupported("Berkeley DB: --berkeleydb.checkpoint=" +
                       std::to_string(settings.checkpoint_bytes) + ": 0, or at least 1 KiB");
  }
  const std::string_view durability = given.Durability();
  settings.commit_flag = durability == "none"      ? DB_TXN_NOSYNC
                         : durability == "process" ? DB_TXN_WRITE_NOSYNC
                                                   : 0;
  if (given.Has("compression")) {
    settings.prefix_compression = given.Text("compression", "none") == "prefix";
  }
  if (given.Has("checksum")) settings.checksum = given.Flag("checksum", false);
  settings.multiversion = given.Flag("multiversion", false);
  settings.is_check = given.IsCheck();
  settings.page_given = given.IsGiven("block_size");
  settings.compression_given = given.IsGiven("compression");
  settings.checksum_given = given.IsGiven("checksum");
  return LF_OK;
}

// ---- Files

// The magic number on a B-tree's first page (db_page.h: DB_BTREEMAGIC, after an LSN and a page
// number), in the byte order of the machine that made it.
bool IsDatabase(const std::string& path) {
  const std::string start = levelfield::StartOfFile(path, 16);
  if (start.size() != 16) return false;
  uint32_t magic = 0;
  std::memcpy(&magic, start.data() + 12, sizeof(magic));
  return magic == DB_BTREEMAGIC || __builtin_bswap32(magic) == DB_BTREEMAGIC;
}

// The algorithm on the first page (db_page.h, struct _dbmeta33). Without the password its checksum
// is wrong.
bool IsEncrypted(const std::string& path) {
  constexpr size_t kAlgorithm = 24;
  const std::string start = levelfield::StartOfFile(path, kAlgorithm + 1);
  return start.size() > kAlgorithm && start[kAlgorithm] != 0;
}

// A database's directory is also its environment.
constexpr levelfield::OneFileStore kFile = {"Berkeley DB", "B-tree's file", "levelfield.db",
                                            IsDatabase};

// An environment's files besides databases: logs and the regions of a shared one.
bool IsEnvironmentFile(const std::string& name) {
  const auto is_number = [](std::string_view text, size_t digits) {
    return text.size() == digits && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const std::string_view view = name;
  return (view.starts_with("log.") && is_number(view.substr(4), 10)) ||
         (view.starts_with("__db.") && is_number(view.substr(5), 3)) || view == "__db.register";
}

// The line in its DB_CONFIG that names an outside directory. Empty: there is none. Opening the
// environment, or a copy of it, would recover and write the logs there
// (https://docs.oracle.com/cd/E17276_01/html/programmer_reference/env_db_config.html).
std::string LineThatLeadsOut(const std::string& directory) {
  std::istringstream lines(levelfield::StartOfFile(directory + "/DB_CONFIG", 64 << 10));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::string value;
    words >> name >> value;
    const bool names_directory = name.ends_with("_dir") || name == "add_data_dir";
    if (names_directory && (value.starts_with('/') || value.find("..") != value.npos)) return line;
  }
  return "";
}

class Store : public levelfield::OverriddenSettings {
 public:
  static lf_code Open(const char* directory, const EngineSettings& given,
                      std::unique_ptr<Store>& store) {
    Settings settings;
    if (const lf_code code = Read(given, settings); code != LF_OK || directory == nullptr) {
      return code;
    }
    auto opening = std::make_unique<Store>();
    lf_code code = kFile.Find(directory, opening->file_);
    if (code != LF_OK) return code;
    if (IsEncrypted(opening->file_)) {
      return Unsupported("Berkeley DB: " + opening->file_ +
                         " is encrypted, and passwords are not taken here");
    }
    opening->directory_ = levelfield::DirectoryOf(opening->file_);
    opening->settings_ = settings;
    if (const std::string line = LineThatLeadsOut(opening->directory_); !line.empty()) {
      return Unsupported("Berkeley DB: " + opening->directory_ +
                         "/DB_CONFIG leads out of its directory: " + line);
    }
    code = opening->OpenEnvironment();
    if (code == LF_OK) code = opening->OpenDatabase();
    if (code != LF_OK) return opening->CloseHandlesAfter(code);
    opening->StartChores();
    store = std::move(opening);
    return LF_OK;
  }

  lf_code Close() {
    StopChores();
    return CloseHandlesAfter(Checkpoint(0, DB_FORCE));
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(shared_);
    return LF_OK;
  }

  // The checkpoint syncs the file, and the flush syncs the log, in every class. Berkeley DB does
  // not sync their directory.
  lf_code Sync() {
    if (Checkpoint(0, DB_FORCE) != LF_OK) return LF_FAILED;
    if (const int code = environment_->log_flush(environment_, nullptr); code != 0) {
      return Failed("flush the log in " + directory_, code);
    }
    return Done("sync directory " + directory_, levelfield::SyncDirectory(directory_));
  }

  // Fills every page, returns free pages to the file system, and drops the log of this work.
  lf_code Compact() { return CompactRange({}, {}); }

  lf_code CompactRange(lf_bytes from, lf_bytes to) {
    DB* database = shared_.database;
    DBT begin = Dbt(from);
    DBT end = Dbt(to);
    const int code = shared_.Retrying([&] {
      return database->compact(database, nullptr, from.data != nullptr ? &begin : nullptr,
                               to.data != nullptr ? &end : nullptr, nullptr, DB_FREE_SPACE,
                               nullptr);
    });
    if (code != 0) return Failed("compact " + directory_, code);
    if (Checkpoint(0, DB_FORCE) != LF_OK) return LF_FAILED;
    const int removed = environment_->log_archive(environment_, nullptr, DB_ARCH_REMOVE);
    return Done("remove logs in " + directory_, removed);
  }

  // Writes changed pages of the cache to the file, by a checkpoint.
  lf_code Flush() { return Checkpoint(0, DB_FORCE); }

  static constexpr Refusal WaitForBackground{
      "Berkeley DB has no threads of its own; the one that makes checkpoints here does so by the "
      "clock"};

  // Copies the file and the logs while others write. The logs have what the copy of the file lacks.
  // https://docs.oracle.com/cd/E17276_01/html/api_reference/C/envbackup.html
  lf_code Backup(const char* directory) {
    const int code = environment_->backup(environment_, directory, DB_CREATE);
    return Done("back up " + directory_ + " into " + directory, code);
  }

  // Copies the files and replays the logs from their beginning, because the copy of the database's
  // file mixes several moments.
  static lf_code Restore(const char* backup, const char* directory) {
    if (Recognize(backup) != LF_OK) {
      return levelfield::Failed(std::string("Berkeley DB: cannot restore ") + backup +
                                ": it holds no B-tree's file");
    }
    for (const std::string& name : levelfield::NamesIn(backup)) {
      const std::string from = std::string(backup) + "/" + name;
      if (!levelfield::IsFile(from)) continue;
      if (!levelfield::CopyFile(from, std::string(directory) + "/" + name)) {
        return Failed("restore " + from, errno);
      }
    }
    DB_ENV* env = nullptr;
    int code = db_env_create(&env, 0);
    if (code != 0) return Failed("make an environment", code);
    env->set_errcall(env, OnError);
    code = env->open(env, directory,
                     DB_CREATE | DB_RECOVER_FATAL | DB_PRIVATE | DB_INIT_LOCK | DB_INIT_LOG |
                         DB_INIT_TXN | DB_INIT_MPOOL,
                     0);
    const int closed = env->close(env, 0);
    if (code == 0) code = closed;
    return Done(std::string("recover ") + directory, code);
  }

  static constexpr Refusal VerifyChecksums{
      "Berkeley DB verifies a file that nobody has open (db_verify); with --berkeleydb.checksum=1 "
      "each page is verified when it is read"};

  // All pages times the share of keys that Berkeley DB estimates for the range (DB->key_range).
  lf_code ApproximateBytes(lf_bytes from, lf_bytes to, uint64_t* bytes) {
    double below_from = 0;
    double below_to = 1;
    int code = from.data != nullptr ? ShareBelow(from, &below_from) : 0;
    if (code == 0 && to.data != nullptr) code = ShareBelow(to, &below_to);
    DB_BTREE_STAT* stat = nullptr;
    if (code == 0) code = shared_.database->stat(shared_.database, nullptr, &stat, DB_FAST_STAT);
    if (code != 0) return Failed("estimate the size of a range", code);
    const double share = std::max(below_to - below_from, 0.0);
    *bytes = static_cast<uint64_t>(share * stat->bt_pagecnt * stat->bt_pagesize);
    std::free(stat);
    return LF_OK;
  }

  static lf_code Recognize(const char* path) { return kFile.Recognize(path); }

  // The log belongs to all databases of an environment. This was the only one, so the log goes too.
  static lf_code Destroy(const char* path) {
    std::string file;
    if (Recognize(path) != LF_OK) return LF_OK;
    if (const lf_code code = kFile.Find(path, file); code != LF_OK) return code;
    const std::string directory = levelfield::DirectoryOf(file);
    std::vector<std::string> files = {file};
    for (const std::string& name : levelfield::NamesIn(directory)) {
      const std::string other = directory + "/" + name;
      if (IsEnvironmentFile(name)) files.push_back(other);
      if (other != file && IsDatabase(other)) {
        return Unsupported("Berkeley DB: cannot destroy " + file + ": " + other +
                           " is in the same environment and needs its log");
      }
    }
    return kFile.Remove(files);
  }

  // Runs recovery from the log, like every open, and then checks every page. A page that is still
  // damaged cannot be repaired.
  static lf_code Repair(const char* path, const EngineSettings& given) {
    Store store;
    if (const lf_code code = Read(given, store.settings_); code != LF_OK) return code;
    if (const lf_code code = kFile.Find(path, store.file_); code != LF_OK) return code;
    store.directory_ = levelfield::DirectoryOf(store.file_);
    if (!levelfield::IsFile(store.file_)) {
      return levelfield::Failed("Berkeley DB: cannot repair " + store.file_ +
                                ": there is no such file");
    }
    const lf_code recovered = store.CloseHandlesAfter(store.OpenEnvironment());
    if (recovered != LF_OK) return recovered;
    return Done("repair " + store.file_ +
                    ", whose pages are damaged beyond its log (db_dump -r copies what can be read)",
                store.Verify(0));
  }

  // DB->verify (db_verify) of the file, after writing the cache to it.
  lf_code Check(const char** text) {
    int code = environment_->memp_sync(environment_, nullptr);
    if (code == 0) code = Verify(0);
    if (code == DB_VERIFY_BAD && Verify(DB_NOORDERCHK) == 0) {
      last_words.clear();
      return levelfield::Failed("Berkeley DB: the pages of " + file_ +
                                " are in order, but its keys are not in the order of bytes: it has "
                                "an order of its own (DB->set_bt_compare), or is damaged");
    }
    if (code != 0) return Failed("verify " + file_, code);
    property_ = "DB->verify: every page is in order";
    *text = property_.c_str();
    return LF_OK;
  }

  // The output of `db_stat`.
  lf_code Property(const char* name, const char** text) {
    const std::string_view asked = name;
    property_.clear();
    if (asked == "check") return Check(text);
    const auto of_database = [this] { return shared_.database->stat_print(shared_.database, 0); };
    const auto of_cache = [this] { return environment_->memp_stat_print(environment_, 0); };
    const auto of_log = [this] { return environment_->log_stat_print(environment_, 0); };
    message_sink = &property_;
    int code = 0;
    bool is_known = true;
    if (asked == "stats") {
      code = of_database();
      if (code == 0) code = of_cache();
      if (code == 0) code = of_log();
    } else if (asked == "options") {
      code = AppendOptions();
    } else if (asked == "berkeleydb.stat" || asked == "sstables") {
      code = of_database();
    } else if (asked == "berkeleydb.mpool" || asked == "memstats") {
      code = of_cache();
    } else if (asked == "berkeleydb.log") {
      code = of_log();
    } else if (asked == "berkeleydb.lock") {
      code = environment_->lock_stat_print(environment_, 0);
    } else if (asked == "berkeleydb.txn") {
      code = environment_->txn_stat_print(environment_, 0);
    } else {
      is_known = false;
    }
    message_sink = nullptr;
    if (!is_known) return Unsupported("Berkeley DB: no property " + std::string(asked));
    *text = property_.c_str();
    return Done("print " + std::string(asked), code);
  }

  // A file DB_CONFIG in the directory wins over what this program sets, also over the class of
  // durability.
  void InForce(const levelfield::InForceSink& tell) {
    DB_ENV* const env = environment_;
    DB* const database = shared_.database;
    const auto ask = [](auto* handle, auto get) {
      u_int32_t value = 0;
      get(handle, &value);
      return value;
    };
    const u_int32_t env_flags = ask(env, env->get_flags);
    const u_int32_t flags = ask(database, database->get_flags);
    tell.Text("durability", (env_flags & DB_TXN_NOSYNC) != 0         ? "none"
                            : (env_flags & DB_TXN_WRITE_NOSYNC) != 0 ? "process"
                                                                     : "synced");
    tell.Number("cache_size", CacheBytesInForce());
    tell.Number("write_buffer_size", ask(env, env->get_lg_bsize));
    tell.Number("block_size", ask(database, database->get_pagesize));
    tell.Text("compression", IsCompressed() ? "prefix" : "none");
    tell.Number("log_file_size", ask(env, env->get_lg_max));
    tell.Flag("checksum", (flags & DB_CHKSUM) != 0);
    tell.Flag("multiversion",
              (ask(database, database->get_open_flags) & DB_MULTIVERSION) != 0);
  }

  void Activities(void* context, void (*sink)(void*, const char*)) const {
    if (is_at_checkpoint_) sink(context, "checkpoint");
  }

  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    sink(context, "berkeleydb.deadlock_retries", shared_.deadlock_retries);
    DB_MPOOL_STAT* cache = nullptr;
    if (environment_->memp_stat(environment_, &cache, nullptr, 0) == 0) {
      sink(context, "berkeleydb.cache_hits", cache->st_cache_hit);
      sink(context, "berkeleydb.cache_misses", cache->st_cache_miss);
      sink(context, "berkeleydb.pages_read", cache->st_page_in);
      sink(context, "berkeleydb.pages_written", cache->st_page_out);
      DB_LOG_STAT* log = nullptr;
      if (environment_->log_stat(environment_, &log, 0) == 0) {
        const uint64_t log_bytes = (uint64_t{log->st_w_mbytes} << 20) + log->st_w_bytes;
        u_int32_t page_bytes = 0;
        shared_.database->get_pagesize(shared_.database, &page_bytes);
        sink(context, "written_bytes", log_bytes + cache->st_page_out * page_bytes);
        std::free(log);
      }
      std::free(cache);
    }
    DB_LOCK_STAT* locks = nullptr;
    if (environment_->lock_stat(environment_, &locks, 0) == 0) {
      sink(context, "berkeleydb.lock_waits", locks->st_lock_wait);
      sink(context, "berkeleydb.deadlocks", locks->st_ndeadlocks);
      std::free(locks);
    }
  }

 private:
  // Below 500 MB Berkeley DB adds a quarter, as its documentation says
  // (https://docs.oracle.com/cd/E17275_01/html/api_reference/C/envset_cachesize.html), and the
  // heads of its page table; then it rounds up to 8 KiB. That is the size that was asked for.
  uint64_t CacheBytesInForce() const {
    constexpr uint64_t kMostRounding = 16 << 10;
    u_int32_t gigabytes = 0;
    u_int32_t bytes = 0;
    int regions = 0;
    environment_->get_cachesize(environment_, &gigabytes, &bytes, &regions);
    const uint64_t in_force = (uint64_t{gigabytes} << 30) + bytes;
    const uint64_t asked = settings_.cache_bytes;
    const uint64_t enlarged = asked + (asked < 500 * kMiB ? asked / 4 : 0);
    return in_force >= enlarged && in_force <= enlarged + kMostRounding ? asked : in_force;
  }

  bool IsCompressed() const {
    int (*compress)(DB*, const DBT*, const DBT*, const DBT*, const DBT*, DBT*) = nullptr;
    shared_.database->get_bt_compress(shared_.database, &compress, nullptr);
    return compress != nullptr;
  }

  // DB->verify of the file, which nobody may have open for writing.
  int Verify(u_int32_t flags) const {
    DB* database = nullptr;
    if (const int code = db_create(&database, nullptr, 0); code != 0) return code;
    database->set_errcall(database, OnError);
    return database->verify(database, file_.c_str(), nullptr, nullptr,
                            flags);  // This also closes it.
  }

  int ShareBelow(lf_bytes key, double* share) {
    DBT dbt = Dbt(key);
    DB_KEY_RANGE range{};
    DB* const database = shared_.database;
    const int code =
        shared_.Retrying([&] { return database->key_range(database, nullptr, &dbt, &range, 0); });
    *share = range.less;
    return code;
  }

  // From the environment and the database themselves.
  int AppendOptions() {
    DB_ENV* const env = environment_;
    DB* const database = shared_.database;
    u_int32_t gigabytes = 0, bytes = 0;
    int regions = 0;
    int code = env->get_cachesize(env, &gigabytes, &bytes, &regions);
    const auto add = [&](const char* name, uint64_t value) {
      levelfield::AppendLine(property_, name, value);
    };
    if (code == 0) add("cachesize", (uint64_t{gigabytes} << 30) + bytes);
    // Settings with a number each.
    const auto ask = [&](const char* name, auto* handle, auto get) {
      u_int32_t value = 0;
      if (code == 0) code = get(handle, &value);
      if (code == 0) add(name, value);
    };
    ask("env.flags", env, env->get_flags);
    ask("env.open_flags", env, env->get_open_flags);
    ask("lg_bsize", env, env->get_lg_bsize);
    ask("lg_max", env, env->get_lg_max);
    ask("lk_detect", env, env->get_lk_detect);
    ask("pagesize", database, database->get_pagesize);
    ask("db.flags", database, database->get_flags);
    ask("db.open_flags", database, database->get_open_flags);
    int is_removed = 0;
    if (code == 0) code = env->log_get_config(env, DB_LOG_AUTO_REMOVE, &is_removed);
    if (code == 0) add("log_auto_remove", is_removed != 0 ? 1 : 0);
    return code;
  }

  lf_code OpenEnvironment() {
    if (const int code = db_env_create(&environment_, 0); code != 0) {
      return Failed("make an environment", code);
    }
    DB_ENV* const env = shared_.environment = environment_;
    env->set_errcall(env, OnError);
    env->set_msgcall(env, OnMessage);
    const uint64_t cache = settings_.cache_bytes;
    int code = env->set_flags(env, DB_TIME_NOTGRANTED | settings_.commit_flag, 1);
    if (code == 0) code = env->set_timeout(env, kLockTimeoutUs, DB_SET_LOCK_TIMEOUT);
    if (code == 0) code = env->set_lk_detect(env, DB_LOCK_DEFAULT);
    if (code == 0 && cache != 0) {
      code = env->set_cachesize(env, static_cast<u_int32_t>(cache >> 30),
                                static_cast<u_int32_t>(cache & ((1u << 30) - 1)), 1);
    }
    if (code == 0 && settings_.log_buffer_bytes != 0) {
      code = env->set_lg_bsize(env, static_cast<u_int32_t>(settings_.log_buffer_bytes));
    }
    if (code == 0) code = env->set_lg_max(env, static_cast<u_int32_t>(settings_.log_file_bytes));
    if (code == 0) code = env->log_set_config(env, DB_LOG_AUTO_REMOVE, 1);
    if (code != 0) return Failed("set up an environment", code);
    code = env->open(env, directory_.c_str(),
                     DB_CREATE | DB_RECOVER | DB_PRIVATE | DB_THREAD | DB_INIT_LOCK | DB_INIT_LOG |
                         DB_INIT_TXN | DB_INIT_MPOOL,
                     0);
    return Done("open the environment in " + directory_, code);
  }

  lf_code OpenDatabase() {
    if (const int code = db_create(&shared_.database, environment_, 0); code != 0) {
      return Failed("make a database handle", code);
    }
    DB* const database = shared_.database;
    shared_.reader_flags = settings_.multiversion ? DB_TXN_SNAPSHOT : 0;
    const bool is_new = !levelfield::IsFile(file_);
    int code = 0;
    if (settings_.page_bytes != 0) {
      code = database->set_pagesize(database, static_cast<u_int32_t>(settings_.page_bytes));
    }
    if (code == 0 && settings_.checksum == true) code = database->set_flags(database, DB_CHKSUM);
    if (code == 0 && settings_.prefix_compression == true) {
      code = database->set_bt_compress(database, nullptr, nullptr);
    }
    if (code == 0) {
      code = database->open(
          database, nullptr, Name().c_str(), nullptr, DB_BTREE,
          (settings_.is_check ? 0 : DB_CREATE) | DB_AUTO_COMMIT | DB_THREAD |
              (settings_.multiversion ? DB_MULTIVERSION : 0),
          0);
    }
    // Berkeley DB makes a file under another name, renames it and syncs its log, which already has
    // its final length. So neither ext4 nor XFS writes the rename to the disk. After a power cut
    // within the first commits the file still has its first name, recovery looks for the other, and
    // acknowledged commits are gone although they are in the log (3 of 64 cuts of `levelfield
    // verify durability`, by four writers within the first millisecond).
    if (code == 0 && is_new) code = levelfield::SyncDirectory(directory_);
    return code == 0 ? CheckFile() : Failed("open " + file_, code);
  }

  // An existing file keeps its form.
  lf_code CheckFile() {
    DB* const database = shared_.database;
    u_int32_t page_bytes = 0;
    u_int32_t flags = 0;
    database->get_pagesize(database, &page_bytes);
    database->get_flags(database, &flags);
    if ((flags & (DB_DUP | DB_DUPSORT)) != 0) {
      return Unsupported("Berkeley DB: " + file_ +
                         " was made with several values to a key (DB_DUP)");
    }
    // A setting that differs from the file's: refused if somebody has requested it.
    const auto differs = [&](const char* name, const std::string& value, bool is_given,
                             const std::string& how) {
      overridden.emplace_back(name, value);
      if (!is_given) return LF_OK;
      return Unsupported("Berkeley DB: " + file_ + how + "; the option applies to a new file only");
    };
    const bool checksum = (flags & DB_CHKSUM) != 0;
    const bool compressed = IsCompressed();
    lf_code code = LF_OK;
    if (settings_.page_bytes != 0 && page_bytes != settings_.page_bytes) {
      const std::string bytes = std::to_string(page_bytes);
      code =
          differs("block_size", bytes, settings_.page_given, " has pages of " + bytes + " bytes");
    }
    if (code == LF_OK && settings_.checksum.value_or(checksum) != checksum) {
      code = differs("checksum", checksum ? "1" : "0", settings_.checksum_given,
                     checksum ? " has checksums" : " has no checksums");
    }
    if (code == LF_OK && settings_.prefix_compression.value_or(compressed) != compressed) {
      code = differs("compression", compressed ? "prefix" : "none", settings_.compression_given,
                     compressed ? " is compressed" : " is not compressed");
    }
    if (code != LF_OK) return code;
    // Without transactions, a compressed page that changed under a cursor made scans of 5.3.28 go
    // out of order and fail (three writers, one scan). In a transaction it cannot change.
    shared_.reads_in_transaction = compressed || settings_.multiversion;
    shared_.multiversion = settings_.multiversion;
    return LF_OK;
  }

  lf_code CloseHandles() {
    int code = 0;
    if (DB* database = std::exchange(shared_.database, nullptr))
      code = database->close(database, 0);
    if (DB_ENV* environment = std::exchange(environment_, nullptr)) {
      const int closed = environment->close(environment, 0);
      if (code == 0) code = closed;
    }
    return Done("close the environment in " + directory_, code);
  }

  // Returns the earlier failure if there was one.
  lf_code CloseHandlesAfter(lf_code before) {
    const levelfield::ErrorOfThread cause = levelfield::LastError();
    const lf_code closed = CloseHandles();
    if (before == LF_OK) return closed;
    levelfield::LastError() = cause;
    return before;
  }

  lf_code Checkpoint(u_int32_t kib, u_int32_t flags) {
    is_at_checkpoint_ = true;
    const int code = environment_->txn_checkpoint(environment_, kib, 0, flags);
    is_at_checkpoint_ = false;
    return Done("make a checkpoint in " + directory_, code);
  }

  // Two chores in a thread of their own. The first is checkpoints, as the documentation recommends
  // (https://docs.oracle.com/cd/E17275_01/html/programmer_reference/transapp_checkpoint.html). A
  // failed checkpoint loses no acknowledged commit: the log is kept, and `Close` meets the error
  // again. The second is looking for locks waited for too long, because a lone waiter does not look
  // at the clock itself.
  void StartChores() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    // This thread must not receive the harness's signals.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    chores_ = std::thread([this] {
      const auto checkpoint_kib = static_cast<u_int32_t>(settings_.checkpoint_bytes >> 10);
      std::unique_lock lock(mutex_);
      while (!stop_.wait_for(lock, kChoresEvery, [this] { return is_stopping_; })) {
        lock.unlock();
        if (checkpoint_kib != 0) Checkpoint(checkpoint_kib, 0);
        environment_->lock_detect(environment_, 0, DB_LOCK_EXPIRE, nullptr);
        lock.lock();
      }
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void StopChores() {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    stop_.notify_one();
    chores_.join();
  }

  // The name within the environment.
  std::string Name() const { return file_.substr(file_.rfind('/') + 1); }

  std::string file_;
  std::string directory_;  // The environment's directory.
  Settings settings_;
  DB_ENV* environment_ = nullptr;
  Shared shared_;
  std::string property_;

  std::thread chores_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool is_stopping_ = false;
  std::atomic<bool> is_at_checkpoint_{false};
};

// ---- Facts

const char* const kProperties[] = {"options",        "berkeleydb.stat", "berkeleydb.mpool",
                                   "berkeleydb.log", "berkeleydb.lock", "berkeleydb.txn",
                                   nullptr};

void Describe(void* context, lf_fact_sink sink) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  const std::string version_text = db_version(&major, &minor, &patch);
  sink(context, "language", "C");
  sink(context, "version", levelfield::VersionText(major, minor, patch).c_str());
  sink(context, "released", levelfield::YearOf(version_text).c_str());
  sink(context, "version_text", version_text.c_str());

  const std::string path = levelfield::LibraryPath(reinterpret_cast<const void*>(&db_version));
  sink(context, "library", path.c_str());
  sink(context, "space_factor", "4.28 " LEVELFIELD_SPACE_MEASURED);

  levelfield::TellOfAssertions(context, sink, path, "__db_assert", "Berkeley DB");
  sink(context, "checksums",
       "a hash of every record of the log; of every page with --berkeleydb.checksum=1");
  sink(context, "compared",
       "no page by default, with checksum=1 each when it is read into the cache; the log when it "
       "is recovered");
  sink(context, "compressors", "none (prefixes of keys with --compression=prefix)");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "berkeleydb",
    .summary = "Berkeley DB: a transactional B-tree with page locks and a log",
    .license = "Sleepycat",
    .capabilities = LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
