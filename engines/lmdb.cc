// LMDB: a copy-on-write B+ tree in one memory-mapped file, `data.mdb`. http://www.lmdb.tech/doc/
//
// Built for 1.0, for 0.9 (`lmdb@0.9`), and for the distribution's (`lmdb@system`). The two lines
// have one interface and two file formats. Neither reads the other's.
//
// A `Store` may be used by any thread, a `Session` by one. A session owns one read transaction (a
// slot of the reader table, MDB_NOTLS, so a thread may own several) and one cursor. Both are made
// when it begins and renewed for each read. Nothing is allocated later.
//
// A value is returned in the map, without a copy. It must stay valid until the session's next call,
// so the read transaction ends only then. A session that rests after a read keeps its snapshot's
// pages from being reused meanwhile.
//
// With integer keys (LF_INTEGER_KEYS, MDB_INTEGERKEY) LMDB requires one size, and does not check
// it. Here the first key decides the size, and another size is refused.
#include <fcntl.h>
#include <lmdb.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "levelfield/engine.h"
#include "library_facts.h"
#include "store_files.h"
#include "temporary_directory.h"

namespace {

using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::Refusal;
using levelfield::Unsupported;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr,
     "Has no cache of its own: it reads through the operating system's page cache."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr,
     "Has no write buffer: a commit writes its pages to the file."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Its pages are the operating system's."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens one data file and one lock file."},
    {"map_size", LF_BYTES, "8 times the expected data, at least 64G", nullptr,
     "Limit of the database and of the address space it takes, not of memory or disk; LMDB's "
     "documentation says to choose it large (mdb_env_set_mapsize)."},
    {"max_readers", LF_COUNT, "126", nullptr,
     "Slots of the reader table, one for each open session (mdb_env_set_maxreaders)."},
    {"writemap", LF_FLAG, "0", nullptr,
     "Writes through the map instead of by system calls (MDB_WRITEMAP)."},
    {"readahead", LF_FLAG, "1", nullptr,
     "0 asks the operating system for no read-ahead, for data larger than memory "
     "(MDB_NORDAHEAD)."},
    {"metasync", LF_FLAG, "1", nullptr,
     "0 leaves the meta page of a commit unsynced (MDB_NOMETASYNC): a power cut takes the last "
     "commit, so --durability=synced refuses it; process syncs neither, with and without."},
    {"read_txn", LF_CHOICE, "per_get", "per_get|long_lived",
     "per_get renews the session's read transaction for each get; long_lived keeps it for as long "
     "as no process has committed anything since (me_last_txnid, asked before each get) and the "
     "session itself wrote nothing, so it too sees every acknowledged write."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

// LMDB's own defaults are `equal`. Writing through the map is an alternative. It keeps the same
// class, but a stray write of the program reaches the data, a full disk is a signal instead of an
// error, and with data larger than memory it is slower.
const lf_alternative kAlternatives[] = {
    {"writemap", "writemap=1", "process,synced",
     "Allocates less; faster where the data fit in memory, slower where not; loses the protection "
     "from stray writes.",
     "http://www.lmdb.tech/doc/group__mdb.html#ga32a193c6bf4d7d5c5d579e71f22e9340"},
    {"no_readahead", "readahead=0", "process,synced",
     "May help random reads where the data are larger than memory.",
     "http://www.lmdb.tech/doc/group__mdb.html#ga32a193c6bf4d7d5c5d579e71f22e9340"},
    {"long_lived", "read_txn=long_lived", "process,synced",
     "Saves renewing the transaction; the authors' benchmark had one for all gets in 2012, and "
     "renews it for each, as `equal` does, since 2014.",
     "https://github.com/hyc/leveldb/blob/benches/doc/bench/db_bench_mdb.cc"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

constexpr const char* kNoNone =
    "LMDB has nothing weaker than `process`: even without a sync a commit writes its pages into "
    "the page cache, where kill -9 cannot reach them";

const lf_durability kDurabilities[] = {
    {"none", LF_REFUSED, kNoNone},
    {"process", LF_D1_PROCESS, "MDB_NOSYNC: no sync; a power cut can break the whole file"},
    {"synced", LF_D4_SYNCED, "no flag: each commit syncs its pages, then the meta page"},
    {nullptr, LF_REFUSED, nullptr},
};

const char* const kProperties[] = {"mdb.stat", "mdb.info", "mdb.readers", "options", nullptr};

struct Config {
  unsigned flags = MDB_NOTLS;
  uint64_t map_bytes = 0;
  bool is_check = false;
  unsigned max_readers = 126;
  bool long_lived = false;
  bool integer_keys = false;
};

// Eight times the data: pages half full after random insertion (2), one value per overflow page at
// worst (2), and pages that readers keep from being reused.
uint64_t DefaultMapBytes(const EngineSettings& settings) {
  constexpr uint64_t kSmallest = uint64_t{64} << 30;
  constexpr uint64_t kLargest = uint64_t{32} << 40;  // A process has 128 TiB of addresses.
  constexpr uint64_t kOverhead = 64;                 // Key, node header, its share of branch pages.
  const uint64_t entry_bytes = std::min(settings.ExpectedValueBytes(), kLargest) + kOverhead;
  if (settings.ExpectedKeys() > kLargest / 8 / entry_bytes) return kLargest;
  const uint64_t wanted = settings.ExpectedKeys() * entry_bytes * 8;
  return std::max(kSmallest, (wanted + (1 << 30) - 1) >> 30 << 30);
}

lf_code ReadConfig(const EngineSettings& settings, Config* config) {
  if (settings.Durability() == "none") return Unsupported(kNoNone);
  const bool read_only = settings.Flag("read_only", false);
  // LMDB would otherwise make the lock file, or write the reader's slot into it. Without the lock
  // file nobody may write meanwhile, which the harness guarantees.
  if (read_only) config->flags |= MDB_RDONLY | MDB_NOLOCK;
  if (settings.Durability() == "process") config->flags |= MDB_NOSYNC;
  if (!settings.Flag("metasync", true)) {
    if (settings.Durability() == "synced") {
      return Unsupported(
          "LMDB: metasync=0 leaves the meta page of the last commit unsynced, and a power cut then "
          "takes that commit, which --durability=synced promises to keep: leave metasync at 1, or "
          "ask for --durability=process");
    }
    config->flags |= MDB_NOMETASYNC;
  }
  config->integer_keys = settings.Flag("integer_keys", false);
  config->is_check = settings.IsCheck();
  if (settings.Flag("writemap", false)) {
    if (read_only) return Unsupported("LMDB: --lmdb.writemap=1 maps the file to write to it");
    config->flags |= MDB_WRITEMAP;
  }
  if (!settings.Flag("readahead", true)) config->flags |= MDB_NORDAHEAD;
  config->long_lived = settings.Text("read_txn", "per_get") == "long_lived";
  config->map_bytes = settings.Number("map_size", DefaultMapBytes(settings));
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (config->map_bytes == 0 || config->map_bytes % page_bytes != 0) {
    return Unsupported("LMDB: map_size=" + std::to_string(config->map_bytes) +
                       ": has to be a multiple of the page size, " + std::to_string(page_bytes));
  }
  // LMDB keeps the table in memory that all processes map, with 64 bytes a slot.
  const lf_code code = settings.CheckRanges("LMDB", {{"max_readers", 1, 1 << 20}});
  if (code != LF_OK) return code;
  config->max_readers = static_cast<unsigned>(settings.Number("max_readers", config->max_readers));
  return LF_OK;
}

lf_code FailedTo(const std::string& what, int error) {
  std::string hint;
  if (error == MDB_MAP_FULL) hint = "; give a larger --lmdb.map_size";
  if (error == MDB_READERS_FULL) hint = "; give a larger --lmdb.max_readers";
  if (error == ENOMEM) hint = "; the map may be too large: give a smaller --lmdb.map_size";
  const std::string text = "LMDB: cannot " + what + ": " + mdb_strerror(error) + " (" +
                           std::to_string(error) + ")" + hint;
  // The last one is of a path through the tree that is longer than any tree is deep.
  const bool is_damage = error == MDB_CORRUPTED || error == MDB_PAGE_NOTFOUND ||
                         error == MDB_INVALID || error == MDB_CURSOR_FULL;
  return is_damage ? levelfield::Damaged(text) : Failed(text);
}

MDB_val Val(lf_bytes bytes) { return {bytes.size, const_cast<char*>(bytes.data)}; }
lf_bytes Bytes(const MDB_val& val) { return {static_cast<const char*>(val.mv_data), val.mv_size}; }

// The size of all keys in a store of integer keys. 0 while there is no key.
using IntegerKeyBytes = std::atomic<size_t>;

class Session {
 public:
  // `integer_key_bytes` is null if keys are bytes.
  Session(MDB_env* env, MDB_dbi dbi, bool long_lived, IntegerKeyBytes* integer_key_bytes,
          std::atomic<int>* open_sessions)
      : env_(env),
        dbi_(dbi),
        long_lived_(long_lived),
        integer_key_bytes_(integer_key_bytes),
        open_sessions_(open_sessions) {
    ++*open_sessions_;
  }

  ~Session() {
    RollBackTransaction();
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
    if (snapshot_ != nullptr) mdb_txn_abort(snapshot_);
    --*open_sessions_;
  }

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int Begin() {
    int error = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &snapshot_);
    if (error != 0) return error;
    error = mdb_cursor_open(snapshot_, dbi_, &cursor_);
    mdb_txn_reset(snapshot_);
    return error;
  }

  lf_code Get(lf_bytes key, lf_bytes* value) {
    if (transaction_ != nullptr) return GetIn(transaction_, "get", key, value);
    if (const int error = Renew(); error != 0) return FailedTo("get", error);
    return GetIn(snapshot_, "get", key, value);
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    return WriteOne("put", key, [&](MDB_txn* txn) { return Set(txn, key, value); });
  }

  lf_code Erase(lf_bytes key) {
    return WriteOne("erase", key, [&](MDB_txn* txn) { return Remove(txn, key); });
  }

  lf_code Write(std::span<const lf_entry> entries) {
    MDB_txn* txn = nullptr;
    int error = BeginWrite(&txn);
    lf_bytes key{};
    for (const lf_entry& entry : entries) {
      if (error != 0) break;
      key = entry.key;
      error = entry.erase != 0 ? Remove(txn, key) : Set(txn, key, entry.value);
    }
    return EndWrite("write a batch", txn, error, key);
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    int error = Renew();
    if (error == 0) error = mdb_cursor_renew(snapshot_, cursor_);
    if (error != 0) return FailedTo("begin a scan", error);
    scanning_ = true;
    switch (how) {
      case LF_FIRST:
        return Move(MDB_FIRST, found_key, value);
      case LF_LAST:
        return Move(MDB_LAST, found_key, value);
      case LF_AT_OR_AFTER:
        // LMDB accepts no empty key, but every key comes after one.
        if (key.size == 0) return Move(MDB_FIRST, found_key, value);
        if (!Fits(key)) return Answer("seek", MDB_BAD_VALSIZE, key);
        *found_key = key;
        return Move(MDB_SET_RANGE, found_key, value);
      case LF_AT_OR_BEFORE:
        if (key.size == 0) return LF_NOT_FOUND;
        if (!Fits(key)) return Answer("seek", MDB_BAD_VALSIZE, key);
        return SeekAtOrBefore(key, found_key, value);
    }
    return LF_NOT_FOUND;
  }

  // A read transaction of its own with its own reader's slot, which keeps its pages from being
  // reused.
  struct Snapshot {
    ~Snapshot() {
      if (txn != nullptr) mdb_txn_abort(txn);
      if (open_sessions != nullptr) --*open_sessions;
    }
    MDB_txn* txn = nullptr;
    std::atomic<int>* open_sessions = nullptr;
  };

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    scanning_ = false;
    auto taken = std::make_unique<Snapshot>();
    const int error = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &taken->txn);
    if (error != 0) return FailedTo("take a snapshot", error);
    taken->open_sessions = open_sessions_;
    ++*open_sessions_;
    snapshot = std::move(taken);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    scanning_ = false;
    return GetIn(snapshot.txn, "get of a snapshot", key, value);
  }

  // There is one write transaction at a time (http://www.lmdb.tech/doc/group__mdb.html,
  // mdb_txn_begin). Others wait here. So nothing that was read can change before the commit, and
  // there are no conflicts.
  lf_code BeginTransaction() {
    const int error = BeginWrite(&transaction_);
    return error == 0 ? LF_OK : FailedTo("begin a transaction", error);
  }

  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) {
    return GetIn(transaction_, "get", key, value);
  }

  lf_code CommitTransaction() {
    const int error = mdb_txn_commit(std::exchange(transaction_, nullptr));
    return error == 0 ? LF_OK : FailedTo("commit a transaction", error);
  }

  lf_code RollBackTransaction() {
    if (transaction_ != nullptr) mdb_txn_abort(std::exchange(transaction_, nullptr));
    return LF_OK;
  }

  // A session makes its read transaction and its cursor once. A scan renews both.
  lf_code NewIterator() {
    int error = Renew();
    if (error == 0) error = mdb_cursor_renew(snapshot_, cursor_);
    if (error != 0) return FailedTo("begin a scan", error);
    if (!long_lived_) {
      mdb_txn_reset(snapshot_);
      held_ = false;
    }
    return LF_OK;
  }

  static constexpr Refusal Merge{
      "LMDB has no merge operators: who changes a value reads it and puts it"};
  static constexpr Refusal MultiGet{
      "LMDB gets one key a call (MDB_GET_MULTIPLE reads the values of one key)"};

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    return scanning_ ? Move(MDB_NEXT, key, value) : LF_NOT_FOUND;
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    return scanning_ ? Move(MDB_PREV, key, value) : LF_NOT_FOUND;
  }

 private:
  // One predictable branch, unless integer_keys=1.
  bool Fits(lf_bytes key) {
    if (integer_key_bytes_ == nullptr) return true;
    size_t bytes = integer_key_bytes_->load(std::memory_order_relaxed);
    if (key.size == bytes) return true;
    return bytes == 0 && (key.size == 4 || key.size == 8) &&
           integer_key_bytes_->compare_exchange_strong(bytes, key.size);
  }

  lf_code GetIn(MDB_txn* txn, const char* what, lf_bytes key, lf_bytes* value) {
    MDB_val found{};
    MDB_val wanted = Val(key);
    const int error = Fits(key) ? mdb_get(txn, dbi_, &wanted, &found) : MDB_BAD_VALSIZE;
    if (error != 0) return Answer(what, error, key);
    *value = Bytes(found);
    return LF_OK;
  }

  // A snapshot that includes all commits.
  int Renew() {
    scanning_ = false;
    if (held_) {
      if (long_lived_ && IsLatest()) return 0;
      mdb_txn_reset(snapshot_);
    }
    const int error = mdb_txn_renew(snapshot_);
    held_ = error == 0;
    return error;
  }

  // A commit shows in the meta page, which is read here, even before it is acknowledged.
  bool IsLatest() const {
    MDB_envinfo info;
    mdb_env_info(env_, &info);
    return info.me_last_txnid == mdb_txn_id(snapshot_);
  }

  // Releases the snapshot first. Otherwise a writer could not reuse its pages.
  int BeginWrite(MDB_txn** txn) {
    scanning_ = false;
    if (held_) mdb_txn_reset(snapshot_);
    held_ = false;
    return mdb_txn_begin(env_, nullptr, 0, txn);
  }

  // In the session's open transaction, otherwise in one of its own.
  template <class Change>
  lf_code WriteOne(const char* what, lf_bytes key, Change change) {
    if (transaction_ != nullptr) {
      const int error = change(transaction_);
      return error == 0 ? LF_OK : Answer(what, error, key);
    }
    MDB_txn* txn = nullptr;
    int error = BeginWrite(&txn);
    if (error == 0) error = change(txn);
    return EndWrite(what, txn, error, key);
  }

  int Set(MDB_txn* txn, lf_bytes key, lf_bytes value) {
    if (!Fits(key)) return MDB_BAD_VALSIZE;
    MDB_val k = Val(key);
    MDB_val v = Val(value);
    return mdb_put(txn, dbi_, &k, &v, 0);
  }

  int Remove(MDB_txn* txn, lf_bytes key) {
    if (!Fits(key)) return MDB_BAD_VALSIZE;
    MDB_val k = Val(key);
    const int error = mdb_del(txn, dbi_, &k, nullptr);
    return error == MDB_NOTFOUND ? 0 : error;
  }

  lf_code EndWrite(const char* what, MDB_txn* txn, int error, lf_bytes key) {
    if (error == 0) {
      error = mdb_txn_commit(txn);
    } else if (txn != nullptr) {
      mdb_txn_abort(txn);
    }
    return error == 0 ? LF_OK : Answer(what, error, key);
  }

  lf_code SeekAtOrBefore(lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    *found_key = key;
    const lf_code code = Move(MDB_SET_RANGE, found_key, value);
    if (code == LF_OK && levelfield::View(*found_key) == levelfield::View(key)) return LF_OK;
    if (code == LF_FAILED) return code;
    scanning_ = true;
    return Move(code == LF_OK ? MDB_PREV : MDB_LAST, found_key, value);
  }

  // MDB_SET_RANGE reads the wanted key from `key`. The others only write it.
  lf_code Move(MDB_cursor_op op, lf_bytes* key, lf_bytes* value) {
    MDB_val k = Val(*key);
    MDB_val v{};
    const int error = mdb_cursor_get(cursor_, &k, &v, op);
    if (error != 0) {
      scanning_ = false;
      return error == MDB_NOTFOUND ? LF_NOT_FOUND : FailedTo("scan", error);
    }
    *key = Bytes(k);
    *value = Bytes(v);
    return LF_OK;
  }

  lf_code Answer(const char* what, int error, lf_bytes key) {
    if (error == MDB_NOTFOUND) return LF_NOT_FOUND;
    if (error != MDB_BAD_VALSIZE) return FailedTo(what, error);
    std::string taken =
        "it takes keys of 1 to " + std::to_string(mdb_env_get_maxkeysize(env_)) + " bytes";
    if (integer_key_bytes_ != nullptr) {
      const size_t bytes = integer_key_bytes_->load(std::memory_order_relaxed);
      taken = "with integer_keys=1 a key has " +
              (bytes != 0 ? std::to_string(bytes) + " bytes, as all others in this store"
                          : std::string("4 or 8 bytes"));
    }
    return Unsupported(std::string("LMDB: cannot ") + what + ": a key of " +
                       std::to_string(key.size) + " bytes; " + taken);
  }

  MDB_env* const env_;
  const MDB_dbi dbi_;
  const bool long_lived_;
  IntegerKeyBytes* const integer_key_bytes_;
  std::atomic<int>* const open_sessions_;
  MDB_txn* snapshot_ = nullptr;
  MDB_cursor* cursor_ = nullptr;
  MDB_txn* transaction_ = nullptr;  // Open between begin_transaction and its end.
  bool held_ = false;               // snapshot_ is open, not reset.
  bool scanning_ = false;           // cursor_ stands on an entry of it.
};

// ---- Files

constexpr const char* kOwnFile = "data.mdb";

// The size of a page's header (mdb.c, struct MDB_page_header), by which the formats differ: 1.0
// keeps a transaction's number in it.
constexpr size_t kHeaderBytesOf09 = 16;
constexpr size_t kHeaderBytesOf10 = 24;
constexpr bool kIs10 = MDB_VERSION_MAJOR >= 1;
constexpr size_t kHeaderBytes = kIs10 ? kHeaderBytesOf10 : kHeaderBytesOf09;

// A file begins with a meta page: the header, then MDB_MAGIC (mdb.c, struct MDB_meta), in the byte
// order of the machine that made it.
bool IsDatabase(const std::string& path, size_t header_bytes) {
  uint32_t magic = 0;
  const std::string start = levelfield::StartOfFile(path, header_bytes + sizeof(magic));
  if (start.size() != header_bytes + sizeof(magic)) return false;
  std::memcpy(&magic, start.data() + header_bytes, sizeof(magic));
  return magic == 0xBEEFC0DE;
}
bool IsDatabase(const std::string& path) {
  return IsDatabase(path, kHeaderBytesOf09) || IsDatabase(path, kHeaderBytesOf10);
}

// Whether a file that is there is of this library's line. 1.0 would call one of 0.9 invalid.
lf_code CheckFormat(const std::string& path) {
  if (!IsDatabase(path) || IsDatabase(path, kHeaderBytes)) return LF_OK;
  return Unsupported("LMDB: " + path + " is in the file format of LMDB " +
                     (kIs10 ? "0.9, which 1.0" : "1.0, which 0.9") +
                     " does not read. " +
                     (kIs10 ? "The engine lmdb@0.9 does, and lmdb@system where that is 0.9"
                            : "The engine lmdb does") +
                     "; mdb_dump of the one line and mdb_load of the other carry entries over");
}

// In a directory LMDB uses one fixed name.
std::string DataFile(const std::string& path) {
  return levelfield::IsFile(path) ? path : path + "/" + kOwnFile;
}

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    auto opened = std::make_unique<Store>();
    lf_code code = ReadConfig(settings, &opened->config_);
    if (code != LF_OK || directory == nullptr) return code;
    opened->path_ = directory;
    opened->data_ = DataFile(directory);
    if (levelfield::IsFile(directory)) {
      if (!IsDatabase(directory)) {
        return Failed(std::string("LMDB: cannot open ") + directory + ": it is no LMDB database");
      }
      opened->config_.flags |= MDB_NOSUBDIR;
    }
    code = CheckFormat(opened->data_);
    if (code == LF_OK) code = opened->OpenEnvironment();
    if (code == LF_OK) store = std::move(opened);
    return code;
  }

  ~Store() { CloseEnvironment(); }

  lf_code Close() {
    CloseEnvironment();
    return LF_OK;
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    session = std::make_unique<Session>(env_, dbi_, config_.long_lived,
                                        config_.integer_keys ? &integer_key_bytes_ : nullptr,
                                        &open_sessions_);
    const int error = session->Begin();
    if (error == 0) return LF_OK;
    session.reset();
    return FailedTo("begin a session", error);
  }

  lf_code Sync() {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    const int error = mdb_env_sync(env_, 1);
    return error == 0 ? LF_OK : FailedTo("sync " + data_, error);
  }

  // LMDB compacts into a copy (mdb_copy -c). Replacing the original requires closing the
  // environment, which an open session may be using. Then it is refused.
  lf_code Compact() {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    if (open_sessions_ > 0) {
      return Unsupported(
          "LMDB compacts only into a copy, which cannot take the place of the database while "
          "sessions are open: end them first, or run a fresh load");
    }
    const std::string copy = data_ + ".compacted";
    const int error = Copy(copy, MDB_CP_COMPACT);
    if (error != 0) {
      ::unlink(copy.c_str());
      return FailedTo("compact " + data_ + " into " + copy, error);
    }
    CloseEnvironment();
    const int rename_error = std::rename(copy.c_str(), data_.c_str()) != 0
                                 ? errno
                                 : levelfield::SyncDirectory(levelfield::DirectoryOf(data_));
    const lf_code code = OpenEnvironment();
    if (code == LF_OK && rename_error != 0) return FailedTo("rename " + copy, rename_error);
    return code;
  }

  lf_code Property(std::string_view name, const char** text) {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    text_.clear();
    if (name == "stats") {
      AppendInfo();
      AppendStat();
    } else if (name == "check") {
      return Check(text);
    } else if (name == "sstables" || name == kProperties[0]) {
      AppendStat();
    } else if (name == "levelstats" || name == "memstats") {
      return Unsupported(
          name == "levelstats"
              ? "LMDB tells of its tree how deep it is, not what is on each level (stats)"
              : "LMDB keeps nothing in memory of its own: its pages are in the page cache");
    } else if (name == kProperties[1]) {
      AppendInfo();
    } else if (name == kProperties[2]) {
      mdb_reader_list(env_, AppendLine, &text_);
    } else if (name == kProperties[3]) {
      return AppendOptions(text);
    } else {
      return Unsupported(
          "LMDB has only the properties stats, sstables, options, mdb.stat, mdb.info and "
          "mdb.readers");
    }
    *text = text_.c_str();
    return LF_OK;
  }

  // A commit leaves data in no memory but the map (with writemap).
  lf_code Flush() { return Sync(); }

  static constexpr Refusal WaitForBackground{
      "LMDB has no threads of its own, so there is nothing to wait for"};

  // Copies page by page what one read transaction sees, while others write.
  lf_code Backup(const char* directory) {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    const std::string copy = std::string(directory) + "/" + kOwnFile;
    const int error = Copy(copy, 0);
    return error == 0 ? LF_OK : FailedTo("copy " + data_ + " into " + copy, error);
  }

  static lf_code Restore(const char* backup, const char* directory) {
    const std::string from = DataFile(backup);
    if (!IsDatabase(from)) {
      return Failed(std::string("LMDB: cannot restore ") + backup + ": it is no LMDB database");
    }
    if (levelfield::CopyFile(from, std::string(directory) + "/" + kOwnFile)) return LF_OK;
    return FailedTo("restore " + from, errno);
  }

  static constexpr Refusal VerifyChecksums{
      "LMDB has no checksums: a flipped bit is returned as data"};
  static constexpr Refusal CompactRange{
      "LMDB compacts into a copy of the whole database, never a range of keys"};
  static constexpr Refusal ApproximateBytes{
      "LMDB counts the pages of a whole database (mdb_stat), not of a range"};

  static lf_code Recognize(const char* path) {
    return IsDatabase(DataFile(path)) ? LF_OK : LF_NOT_FOUND;
  }

  static lf_code Destroy(const char* path) {
    const std::string data = DataFile(path);
    if (!IsDatabase(data)) return LF_OK;
    // The names of mdb_env_open's lock file, with and without MDB_NOSUBDIR.
    const std::string lock =
        levelfield::IsFile(path) ? data + "-lock" : std::string(path) + "/lock.mdb";
    for (const std::string& file : {data + ".compacted", lock, data}) {
      if (!levelfield::RemoveFile(file)) return FailedTo("remove " + file, errno);
    }
    return LF_OK;
  }

  static constexpr Refusal Repair{
      "LMDB repairs nothing: a commit that was cut off is left behind by the older of its two meta "
      "pages when it is opened, and a broken page stays broken (mdb_dump copies the rest)"};

  // A map that is too small for the data is made larger by LMDB, and a table of readers that is
  // there keeps its size.
  void InForce(const levelfield::InForceSink& tell) {
    unsigned flags = 0;
    unsigned readers = 0;
    MDB_envinfo info{};
    mdb_env_get_flags(env_, &flags);
    mdb_env_get_maxreaders(env_, &readers);
    mdb_env_info(env_, &info);
    tell.Number("map_size", info.me_mapsize);
    tell.Number("max_readers", readers);
    tell.Flag("writemap", (flags & MDB_WRITEMAP) != 0);
    tell.Flag("readahead", (flags & MDB_NORDAHEAD) == 0);
    tell.Flag("metasync", (flags & MDB_NOMETASYNC) == 0);
  }

  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    const std::lock_guard lock(mutex_);
    MDB_envinfo info;
    if (env_ == nullptr || mdb_env_info(env_, &info) != 0) return;
    sink(context, "mdb.last_txnid", info.me_last_txnid);
    sink(context, "mdb.last_pgno", info.me_last_pgno);
  }

 private:
  lf_code NotOpen() const {
    return Failed("LMDB: " + data_ + " could not be opened again after it was compacted");
  }

  int PrepareForCheck() {
    if (const int error = mdb_env_set_maxdbs(env_, 1); error != 0) return error;
    const auto found = [](MDB_env*, const char* what) { throw FailedAssertion{what}; };
    return mdb_env_set_assert(env_, found);
  }

  lf_code OpenEnvironment() {
    MDB_txn* txn = nullptr;
    int error = mdb_env_create(&env_);
    if (error == 0) error = mdb_env_set_mapsize(env_, config_.map_bytes);
    if (error == 0) error = mdb_env_set_maxreaders(env_, config_.max_readers);
    if (error == 0 && config_.is_check) error = PrepareForCheck();
    if (error == 0) error = mdb_env_open(env_, path_.c_str(), config_.flags, 0644);
    if (error == 0 && config_.is_check) error = LengthenForCheck();
    if (error == 0) error = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
    if (error == 0) error = mdb_dbi_open(txn, nullptr, 0, &dbi_);
    lf_code code = error == 0 ? LF_OK : FailedTo("open " + data_, error);
    if (code == LF_OK) code = CheckKind(txn);
    if (txn != nullptr) mdb_txn_abort(txn);
    if (code == LF_OK && config_.is_check) code = CheckIsWhole();
    if (code == LF_OK && config_.integer_keys && integer_key_bytes_ == 0) code = MakeIntegerKeyed();
    if (code == LF_OK) return LF_OK;
    const levelfield::ErrorOfThread cause = levelfield::LastError();
    CloseEnvironment();
    levelfield::LastError() = cause;
    return code;
  }

  // What LMDB has found in a page that is not what its place in the tree requires. It would end the
  // process.
  struct FailedAssertion {
    std::string what;
  };

  // A page behind the end of a file that was cut would end the process (SIGBUS). Free pages at the
  // end may never have been written, so a shorter file is no damage by itself. But pages of zeros
  // are, where the tree leads to them.
  int LengthenForCheck() {
    MDB_envinfo info{};
    MDB_stat stat{};
    struct stat file {};
    int error = mdb_env_info(env_, &info);
    if (error == 0) error = mdb_env_stat(env_, &stat);
    if (error == 0 && ::stat(data_.c_str(), &file) != 0) error = errno;
    if (error != 0) return error;
    page_bytes_ = stat.ms_psize;
    written_bytes_ = static_cast<uint64_t>(file.st_size);
    const uint64_t whole_bytes = (info.me_last_pgno + 1) * page_bytes_;
    if (written_bytes_ >= whole_bytes) return 0;
    return ::truncate(data_.c_str(), static_cast<off_t>(whole_bytes)) == 0 ? 0 : errno;
  }

  // Whether the file has had the pages of a value. A large one has its own, whose first begins with
  // a header as every page does (mdb.c, struct MDB_page). Smaller ones are in leaves, never right
  // behind the header.
  bool IsWritten(const MDB_val& value) const {
    constexpr uint16_t kOverflow = 0x04;
    const auto at = reinterpret_cast<uintptr_t>(value.mv_data);
    const auto aligned = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    if (page_bytes_ == 0 || page_bytes_ > aligned || at % page_bytes_ != kHeaderBytes) return true;
    const char* const header = static_cast<const char*>(value.mv_data) - kHeaderBytes;
    uint64_t number = 0;
    uint16_t flags = 0;
    uint32_t pages = 0;
    std::memcpy(&number, header, sizeof(number));
    std::memcpy(&flags, header + kHeaderBytes - 6, sizeof(flags));
    std::memcpy(&pages, header + kHeaderBytes - 4, sizeof(pages));
    return (flags & kOverflow) != 0 && (number + pages) * page_bytes_ <= written_bytes_;
  }

  // The unnamed database has the names of the others beside its own entries. Those others are not
  // read.
  lf_code CheckIsWhole() {
    try {
      return LookForNamed();
    } catch (const FailedAssertion& failed) {
      return levelfield::Damaged("LMDB: a walk through " + data_ +
                                 " comes to a page that is none of its tree: " + failed.what);
    }
  }

  lf_code LookForNamed() {
    MDB_txn* txn = nullptr;
    MDB_cursor* cursor = nullptr;
    MDB_val key{};
    MDB_val value{};
    std::string named;
    int error = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
    if (error == 0) error = mdb_cursor_open(txn, dbi_, &cursor);
    for (MDB_cursor_op op = MDB_FIRST; error == 0 && named.empty(); op = MDB_NEXT) {
      error = mdb_cursor_get(cursor, &key, &value, op);
      if (error != 0 || !IsNamed(txn, cursor, key, value)) continue;
      named.assign(static_cast<const char*>(key.mv_data), key.mv_size);
      if (named.ends_with('\0')) named.pop_back();  // As 1.0 keeps it.
    }
    if (cursor != nullptr) mdb_cursor_close(cursor);
    if (txn != nullptr) mdb_txn_abort(txn);
    if (error != 0 && error != MDB_NOTFOUND) return FailedTo("walk through " + data_, error);
    if (named.empty()) return LF_OK;
    return Unsupported("LMDB: " + data_ + " holds named databases (" + named +
                       ", ...), and the unnamed one alone is read");
  }

  // Whether the entry where the cursor stands is a database of its own. 0.9 tells only by opening
  // it.
  static bool IsNamed([[maybe_unused]] MDB_txn* txn, [[maybe_unused]] MDB_cursor* cursor,
                      [[maybe_unused]] const MDB_val& key, [[maybe_unused]] const MDB_val& value) {
#if MDB_VERSION_MAJOR >= 1
    return mdb_cursor_is_db(cursor) != 0;
#else
    constexpr size_t kRecordBytes = 48;  // mdb.c, struct MDB_db.
    const std::string name(static_cast<const char*>(key.mv_data), key.mv_size);
    MDB_dbi dbi = 0;
    return value.mv_size == kRecordBytes && name.find('\0') == name.npos &&
           mdb_dbi_open(txn, name.c_str(), 0, &dbi) == 0;
#endif
  }

  // A database with entries keeps its kind of keys.
  lf_code CheckKind(MDB_txn* txn) {
    unsigned flags = 0;
    MDB_stat stat{};
    int error = mdb_dbi_flags(txn, dbi_, &flags);
    if (error == 0) error = mdb_stat(txn, dbi_, &stat);
    if (error != 0) return FailedTo("look into " + data_, error);
    if ((flags & (MDB_DUPSORT | MDB_REVERSEKEY)) != 0) {
      return Unsupported("LMDB: " + data_ +
                         " was made with several values to a key (MDB_DUPSORT) or with keys "
                         "compared from their ends (MDB_REVERSEKEY)");
    }
    const bool has_integers = (flags & MDB_INTEGERKEY) != 0;
    if (has_integers != config_.integer_keys && (stat.ms_entries != 0 || has_integers)) {
      return Unsupported("LMDB: " + data_ +
                         (has_integers
                              ? " has integer keys (MDB_INTEGERKEY): ask for them, or "
                                "give a fresh directory"
                              : " has keys of bytes, not integers; give a fresh directory"));
    }
    return has_integers ? ReadIntegerKeyBytes(txn) : LF_OK;
  }

  lf_code ReadIntegerKeyBytes(MDB_txn* txn) {
    MDB_cursor* cursor = nullptr;
    MDB_val key{};
    MDB_val value{};
    int error = mdb_cursor_open(txn, dbi_, &cursor);
    if (error == 0) error = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
    if (cursor != nullptr) mdb_cursor_close(cursor);
    if (error != 0 && error != MDB_NOTFOUND) return FailedTo("look into " + data_, error);
    if (error == 0) integer_key_bytes_ = key.mv_size;
    return LF_OK;
  }

  // This commits the kind of the unnamed database.
  lf_code MakeIntegerKeyed() {
    MDB_txn* txn = nullptr;
    int error = mdb_txn_begin(env_, nullptr, 0, &txn);
    if (error == 0) error = mdb_dbi_open(txn, nullptr, MDB_INTEGERKEY, &dbi_);
    if (error == 0) {
      error = mdb_txn_commit(txn);
    } else if (txn != nullptr) {
      mdb_txn_abort(txn);
    }
    return error == 0 ? LF_OK : FailedTo("make " + data_ + " one of integer keys", error);
  }

  void CloseEnvironment() {
    if (env_ != nullptr) mdb_env_close(env_);
    env_ = nullptr;
  }

  int Copy(const std::string& path, unsigned flags) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) return errno;
    int error = mdb_env_copyfd2(env_, file, flags);
    if (error == 0 && ::fsync(file) != 0) error = errno;
    if (::close(file) != 0 && error == 0) error = errno;
    return error;
  }

  // LMDB has no checker. This walks all pages of the tree and counts them.
  lf_code Check(const char** text) {
    MDB_txn* txn = nullptr;
    MDB_cursor* cursor = nullptr;
    MDB_stat stat{};
    MDB_val key{};
    MDB_val value{};
    size_t entries = 0;
    int error = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
    if (error == 0) error = mdb_stat(txn, dbi_, &stat);
    if (error == 0) error = mdb_cursor_open(txn, dbi_, &cursor);
    if (error == 0) error = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
    bool is_written = true;
    for (; error == 0; error = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
      ++entries;
      is_written = is_written && IsWritten(value);
    }
    if (cursor != nullptr) mdb_cursor_close(cursor);
    if (txn != nullptr) mdb_txn_abort(txn);
    if (error != MDB_NOTFOUND) return FailedTo("walk through " + data_, error);
    if (!is_written) {
      return levelfield::Damaged("LMDB: " + data_ + " is cut: the pages of a value are missing");
    }
    if (entries != stat.ms_entries) {
      return levelfield::Damaged("LMDB: mdb_stat counts " + std::to_string(stat.ms_entries) + " entries in " +
                    data_ + ", and a walk through its pages " + std::to_string(entries));
    }
    text_ = "a walk through all pages finds the " + std::to_string(entries) +
            " entries that mdb_stat counts";
    *text = text_.c_str();
    return LF_OK;
  }

  void AppendStat() {
    MDB_stat stat{};
    mdb_env_stat(env_, &stat);
    levelfield::AppendLine(text_, "psize", stat.ms_psize);
    levelfield::AppendLine(text_, "depth", stat.ms_depth);
    levelfield::AppendLine(text_, "branch_pages", stat.ms_branch_pages);
    levelfield::AppendLine(text_, "leaf_pages", stat.ms_leaf_pages);
    levelfield::AppendLine(text_, "overflow_pages", stat.ms_overflow_pages);
    levelfield::AppendLine(text_, "entries", stat.ms_entries);
  }

  void AppendInfo() {
    MDB_envinfo info{};
    mdb_env_info(env_, &info);
    levelfield::AppendLine(text_, "mapsize", info.me_mapsize);
    levelfield::AppendLine(text_, "last_pgno", info.me_last_pgno);
    levelfield::AppendLine(text_, "last_txnid", info.me_last_txnid);
    levelfield::AppendLine(text_, "maxreaders", info.me_maxreaders);
    levelfield::AppendLine(text_, "numreaders", info.me_numreaders);
  }

  // From the environment itself.
  lf_code AppendOptions(const char** text) {
    unsigned flags = 0;
    unsigned table_flags = 0;
    unsigned readers = 0;
    MDB_envinfo info{};
    MDB_stat stat{};
    MDB_txn* txn = nullptr;
    int error = mdb_env_get_flags(env_, &flags);
    if (error == 0) error = mdb_env_info(env_, &info);
    if (error == 0) error = mdb_env_stat(env_, &stat);
    if (error == 0) error = mdb_env_get_maxreaders(env_, &readers);
    if (error == 0) error = mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn);
    if (error == 0) error = mdb_dbi_flags(txn, dbi_, &table_flags);
    if (txn != nullptr) mdb_txn_abort(txn);
    if (error != 0) return FailedTo("ask for the options of " + data_, error);
    for (const auto& [flag, flag_name] :
         {std::pair(unsigned{MDB_NOSYNC}, "nosync"),
          std::pair(unsigned{MDB_NOMETASYNC}, "nometasync"),
          std::pair(unsigned{MDB_WRITEMAP}, "writemap"),
          std::pair(unsigned{MDB_MAPASYNC}, "mapasync"), std::pair(unsigned{MDB_NOTLS}, "notls"),
          std::pair(unsigned{MDB_NOLOCK}, "nolock"), std::pair(unsigned{MDB_RDONLY}, "rdonly"),
          std::pair(unsigned{MDB_NORDAHEAD}, "nordahead"),
          std::pair(unsigned{MDB_NOMEMINIT}, "nomeminit"),
          std::pair(unsigned{MDB_NOSUBDIR}, "nosubdir")}) {
      levelfield::AppendLine(text_, flag_name, (flags & flag) != 0 ? 1 : 0);
    }
    levelfield::AppendLine(text_, "integerkey", (table_flags & MDB_INTEGERKEY) != 0 ? 1 : 0);
    levelfield::AppendLine(text_, "mapsize", info.me_mapsize);
    levelfield::AppendLine(text_, "maxreaders", readers);
    levelfield::AppendLine(text_, "maxkeysize",
                           static_cast<unsigned>(mdb_env_get_maxkeysize(env_)));
    levelfield::AppendLine(text_, "psize", stat.ms_psize);
    levelfield::AppendLine(text_, "read_txn", config_.long_lived ? "long_lived" : "per_get");
    *text = text_.c_str();
    return LF_OK;
  }

  static int AppendLine(const char* line, void* text) {
    *static_cast<std::string*>(text) += line;
    return 0;
  }

  MDB_env* env_ = nullptr;
  MDB_dbi dbi_ = 0;
  Config config_;
  IntegerKeyBytes integer_key_bytes_{0};
  std::atomic<int> open_sessions_ = 0;
  // Guards env_, which Compact replaces. Open sessions keep theirs from being replaced.
  std::mutex mutex_;
  std::string path_;  // As given.
  std::string data_;  // The file.
  // While it is checked: the size of a page, and of the file as it was found.
  uint64_t page_bytes_ = 0;
  uint64_t written_bytes_ = 0;
  std::string text_;
};

// 1.0 knows it of an open environment only. 0: it could not be asked.
int MaxKeyBytes() {
  const levelfield::TemporaryDirectory directory;
  MDB_env* env = nullptr;
  if (mdb_env_create(&env) != 0) return 0;
  const bool is_open = mdb_env_open(env, directory.path().c_str(), MDB_NOSYNC, 0600) == 0;
  const int bytes = is_open ? mdb_env_get_maxkeysize(env) : 0;
  mdb_env_close(env);
  return bytes;
}

void Describe(void* context, lf_fact_sink sink) {
  int major = 0, minor = 0, patch = 0;
  const char* text = mdb_version(&major, &minor, &patch);
  sink(context, "language", "C");
  sink(context, "version", levelfield::VersionText(major, minor, patch).c_str());
  sink(context, "released", levelfield::YearOf(text).c_str());
  sink(context, "version_text", text);
  sink(context, "build", LEVELFIELD_BUILD);
  const std::string path = levelfield::LibraryPath(reinterpret_cast<const void*>(&mdb_version));
  sink(context, "library", path.c_str());
  sink(context, "space_factor", "2.03 " LEVELFIELD_SPACE_MEASURED);
  sink(context, "read_only", "MDB_RDONLY | MDB_NOLOCK");
  // LMDB has its own assertions, on unless it is built with NDEBUG. Then the library contains their
  // message. A plug-in with the library inside contains this search for it, too.
  const levelfield::LibraryFile file(path);
#ifdef LEVELFIELD_ASSERTIONS
  const bool has_assertions = std::string_view(LEVELFIELD_ASSERTIONS) == "on";
#else
  const bool has_assertions = file.bytes().find("Assertion '") != std::string::npos;
#endif
  sink(context, "assertions",
       levelfield::Assertions(file.bytes(), has_assertions, "on, as LMDB's Makefile builds it"));
  if (const int bytes = MaxKeyBytes(); bytes != 0) {
    sink(context, "max_key_bytes", std::to_string(bytes).c_str());
  }
  sink(context, "page_bytes", std::to_string(sysconf(_SC_PAGESIZE)).c_str());
  sink(context, "checksums", "none: a flipped bit is returned as data");
  sink(context, "compared",
       "nothing: LMDB computes no checksum (its version 1.0 lets a program give it a function)");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "lmdb",
    .summary = "LMDB: a copy-on-write B+ tree in a memory map",
    .license = "OLDAP-2.8",
    .capabilities = LF_ONE_WRITER | LF_BATCH_ATOMIC | LF_INTEGER_KEYS,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
