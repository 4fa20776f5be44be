// libmdbx: what became of LMDB in Erthink's hands: a copy-on-write B+ tree in one memory-mapped
// file, `mdbx.dat`, that grows and shrinks by itself. https://libmdbx.dqdkfa.ru
//
// A `Store` may be used by any thread, a `Session` by one. A session owns one read transaction,
// which is bound to no thread (MDBX_NOSTICKYTHREADS), and one cursor. Both are made when it begins
// and renewed for each read. A value is returned in the map, without a copy, so the transaction
// ends only with the session's next call.
#include <mdbx.h>
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
    {"block_size", LF_BYTES, "4k", nullptr,
     "Size of a page, a power of two from 256 to 64k (mdbx_env_set_geometry)."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens one data file and one lock file."},
    {"map_size", LF_BYTES, "8 times the expected data, at least 64G", nullptr,
     "Most that the file may grow to, and the address space that it takes, not memory or disk "
     "(the upper size of mdbx_env_set_geometry)."},
    {"max_readers", LF_COUNT, "126", nullptr,
     "Slots of the reader table, one for each open session (MDBX_opt_max_readers)."},
    {"writemap", LF_FLAG, "0", nullptr,
     "Writes through the map instead of by system calls (MDBX_WRITEMAP)."},
    {"readahead", LF_FLAG, "1", nullptr,
     "0 asks the operating system for no read-ahead, for data larger than memory "
     "(MDBX_NORDAHEAD)."},
    {"lifo", LF_FLAG, "0", nullptr,
     "1 reuses the pages first that were freed last (MDBX_LIFORECLAIM)."},
    {"unsynced", LF_CHOICE, "utterly", "utterly|safe",
     "What --durability=process is: utterly syncs nothing, and a power cut can break the file "
     "(MDBX_UTTERLY_NOSYNC); safe keeps a synced state, which a power cut goes back to, and syncs "
     "whenever it needs the pages of that (MDBX_SAFE_NOSYNC)."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_alternative kAlternatives[] = {
    {"writemap", "writemap=1", "process,synced",
     "Faster where the data fit in memory; loses the protection from stray writes.",
     "https://libmdbx.dqdkfa.ru/group__c__opening.html#ga9138119a904355d245777c4119534061"},
    {"lifo", "lifo=1", "process,synced",
     "Pages that were freed last are still in the caches of the disk and its controller.",
     "https://libmdbx.dqdkfa.ru/group__c__opening.html#ga9138119a904355d245777c4119534061"},
    {"safe_nosync", "unsynced=safe", "process",
     "A power cut cannot break the file; syncs more often, and the file grows.",
     "https://libmdbx.dqdkfa.ru/group__sync__modes.html"},
    {"no_readahead", "readahead=0", "process,synced",
     "May help random reads where the data are larger than memory.",
     "https://libmdbx.dqdkfa.ru/group__c__opening.html#ga9138119a904355d245777c4119534061"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

constexpr const char* kNoNone =
    "libmdbx has nothing weaker than `process`: even without a sync a commit writes its pages into "
    "the page cache, where kill -9 cannot reach them";

const lf_durability kDurabilities[] = {
    {"none", LF_REFUSED, kNoNone},
    // Its maintainers: "may be very useful in scenarios where data durability is not required over
    // a system failure", and what only the process' crash leaves is whole in every mode (mdbx.h,
    // sync modes). It is LMDB's MDB_NOSYNC. SAFE_NOSYNC spent 93 % of the time of a fill in syncs.
    {"process", LF_D1_PROCESS, "MDBX_UTTERLY_NOSYNC: no sync; a power cut can break the file"},
    {"synced", LF_D4_SYNCED, "MDBX_SYNC_DURABLE: each commit syncs its pages, then the meta page"},
    {nullptr, LF_REFUSED, nullptr},
};

const char* const kProperties[] = {"stats", "options", "check", nullptr};
constexpr const char* kOwnFile = "mdbx.dat";
constexpr const char* kOwnLock = "mdbx.lck";

struct Config {
  unsigned flags = MDBX_NOSTICKYTHREADS;
  uint64_t map_bytes = 0;
  uint64_t page_bytes = 4096;
  uint64_t max_readers = 126;
};

// As of LMDB: pages half full, one value per overflow page at worst, and pages that readers keep.
uint64_t DefaultMapBytes(const EngineSettings& settings) {
  constexpr uint64_t kSmallest = uint64_t{64} << 30;
  constexpr uint64_t kLargest = uint64_t{8} << 40;  // 2^31 pages of 4 KiB (MAX_PAGENO).
  constexpr uint64_t kOverhead = 64;
  const uint64_t entry_bytes = std::min(settings.ExpectedValueBytes(), kLargest) + kOverhead;
  if (settings.ExpectedKeys() > kLargest / 8 / entry_bytes) return kLargest;
  return std::max(kSmallest, settings.ExpectedKeys() * entry_bytes * 8);
}

lf_code ReadConfig(const EngineSettings& settings, Config* config) {
  if (settings.Durability() == "none") return Unsupported(kNoNone);
  if (settings.Durability() == "process") {
    const bool is_utter = settings.Text("unsynced", "utterly") == "utterly";
    config->flags |= is_utter ? MDBX_UTTERLY_NOSYNC : MDBX_SAFE_NOSYNC;
  }
  if (settings.Flag("writemap", false)) config->flags |= MDBX_WRITEMAP;
  if (!settings.Flag("readahead", true)) config->flags |= MDBX_NORDAHEAD;
  if (settings.Flag("lifo", false)) config->flags |= MDBX_LIFORECLAIM;
  config->page_bytes = settings.Number("block_size", config->page_bytes);
  const uint64_t page = config->page_bytes;
  if (page < 256 || page > 65536 || (page & (page - 1)) != 0) {
    return Unsupported("libmdbx takes a block_size that is a power of two from 256 to 65536, not " +
                       std::to_string(page));
  }
  // Pages are counted in 31 bits.
  const uint64_t most = std::min(page << 31, uint64_t{64} << 40);
  config->map_bytes = settings.Number("map_size", std::min(DefaultMapBytes(settings), most));
  if (config->map_bytes < 1 << 20 || config->map_bytes > most) {
    return Unsupported("libmdbx takes a map_size from 1048576 to " + std::to_string(most) +
                       " with pages of " + std::to_string(page) + " bytes, not " +
                       std::to_string(config->map_bytes));
  }
  const lf_code code = settings.CheckRanges("libmdbx", {{"max_readers", 1, 32767}});
  if (code != LF_OK) return code;
  config->max_readers = settings.Number("max_readers", config->max_readers);
  return LF_OK;
}

lf_code FailedTo(const std::string& what, int error) {
  std::string hint;
  if (error == MDBX_MAP_FULL) hint = "; give a larger --libmdbx.map_size";
  if (error == MDBX_READERS_FULL) hint = "; give a larger --libmdbx.max_readers";
  const std::string text = "libmdbx: cannot " + what + ": " + mdbx_strerror(error) + " (" +
                           std::to_string(error) + ")" + hint;
  const bool is_damage = error == MDBX_CORRUPTED || error == MDBX_PAGE_NOTFOUND ||
                         error == MDBX_INVALID || error == MDBX_CURSOR_FULL;
  return is_damage ? levelfield::Damaged(text) : Failed(text);
}

MDBX_val Val(lf_bytes bytes) { return {const_cast<char*>(bytes.data), bytes.size}; }
lf_bytes Bytes(const MDBX_val& val) {
  return {static_cast<const char*>(val.iov_base), val.iov_len};
}

class Session {
 public:
  Session(MDBX_env* env, MDBX_dbi dbi, std::atomic<int>* open_sessions)
      : env_(env), dbi_(dbi), open_sessions_(open_sessions) {
    ++*open_sessions_;
  }
  ~Session() {
    RollBackTransaction();
    if (cursor_ != nullptr) mdbx_cursor_close(cursor_);
    if (snapshot_ != nullptr) mdbx_txn_abort(snapshot_);
    --*open_sessions_;
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  int Begin() {
    int error = mdbx_txn_begin(env_, nullptr, MDBX_TXN_RDONLY, &snapshot_);
    if (error == MDBX_SUCCESS) error = mdbx_cursor_open(snapshot_, dbi_, &cursor_);
    if (error == MDBX_SUCCESS) error = mdbx_txn_reset(snapshot_);
    return error;
  }

  lf_code Get(lf_bytes key, lf_bytes* value) {
    if (transaction_ != nullptr) return GetIn(transaction_, key, value);
    if (const int error = Renew(); error != MDBX_SUCCESS) return FailedTo("get", error);
    return GetIn(snapshot_, key, value);
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    return WriteOne("put", key, [&](MDBX_txn* txn) { return Set(txn, key, value); });
  }

  lf_code Erase(lf_bytes key) {
    return WriteOne("erase", key, [&](MDBX_txn* txn) { return Remove(txn, key); });
  }

  lf_code Write(std::span<const lf_entry> entries) {
    MDBX_txn* txn = nullptr;
    int error = BeginWrite(&txn);
    lf_bytes key{};
    for (const lf_entry& entry : entries) {
      if (error != MDBX_SUCCESS) break;
      key = entry.key;
      error = entry.erase != 0 ? Remove(txn, key) : Set(txn, key, entry.value);
    }
    return EndWrite("write a batch", txn, error, key);
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    int error = Renew();
    if (error == MDBX_SUCCESS) error = mdbx_cursor_renew(snapshot_, cursor_);
    if (error != MDBX_SUCCESS) return FailedTo("begin a scan", error);
    scanning_ = true;
    *found_key = key;
    if (how == LF_FIRST) return Move(MDBX_FIRST, found_key, value);
    if (how == LF_LAST) return Move(MDBX_LAST, found_key, value);
    if (how == LF_AT_OR_AFTER) return Move(MDBX_SET_RANGE, found_key, value);
    const lf_code code = Move(MDBX_SET_RANGE, found_key, value);
    if (code == LF_OK && levelfield::View(*found_key) == levelfield::View(key)) return LF_OK;
    if (code == LF_FAILED) return code;
    scanning_ = true;
    return Move(code == LF_OK ? MDBX_PREV : MDBX_LAST, found_key, value);
  }

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    return scanning_ ? Move(MDBX_NEXT, key, value) : LF_NOT_FOUND;
  }
  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    return scanning_ ? Move(MDBX_PREV, key, value) : LF_NOT_FOUND;
  }

  // A read transaction of its own, which keeps its pages from being reused.
  struct Snapshot {
    ~Snapshot() {
      if (txn != nullptr) mdbx_txn_abort(txn);
      if (open_sessions != nullptr) --*open_sessions;
    }
    MDBX_txn* txn = nullptr;
    std::atomic<int>* open_sessions = nullptr;
  };

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    scanning_ = false;
    auto taken = std::make_unique<Snapshot>();
    const int error = mdbx_txn_begin(env_, nullptr, MDBX_TXN_RDONLY, &taken->txn);
    if (error != MDBX_SUCCESS) return FailedTo("take a snapshot", error);
    taken->open_sessions = open_sessions_;
    ++*open_sessions_;
    snapshot = std::move(taken);
    return LF_OK;
  }
  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    scanning_ = false;
    return GetIn(snapshot.txn, key, value);
  }

  // There is one write transaction at a time. Others wait here, so there are no conflicts.
  lf_code BeginTransaction() {
    const int error = BeginWrite(&transaction_);
    return error == MDBX_SUCCESS ? LF_OK : FailedTo("begin a transaction", error);
  }
  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) { return GetIn(transaction_, key, value); }
  lf_code CommitTransaction() {
    const int error = mdbx_txn_commit(std::exchange(transaction_, nullptr));
    return error == MDBX_SUCCESS ? LF_OK : FailedTo("commit a transaction", error);
  }
  lf_code RollBackTransaction() {
    if (transaction_ != nullptr) mdbx_txn_abort(std::exchange(transaction_, nullptr));
    return LF_OK;
  }

  // A session makes its read transaction and its cursor once. A scan renews both.
  lf_code NewIterator() {
    int error = Renew();
    if (error == MDBX_SUCCESS) error = mdbx_cursor_renew(snapshot_, cursor_);
    return error == MDBX_SUCCESS ? LF_OK : FailedTo("begin a scan", error);
  }

  static constexpr Refusal Merge{"libmdbx has no merge operators"};
  static constexpr Refusal MultiGet{"libmdbx gets one key a call"};

 private:
  lf_code GetIn(MDBX_txn* txn, lf_bytes key, lf_bytes* value) {
    const MDBX_val wanted = Val(key);
    MDBX_val found{};
    const int error = mdbx_get(txn, dbi_, &wanted, &found);
    if (error != MDBX_SUCCESS) return Answer("get", error, key);
    *value = Bytes(found);
    return LF_OK;
  }

  // A snapshot that includes all commits.
  int Renew() {
    scanning_ = false;
    if (held_) mdbx_txn_reset(snapshot_);
    const int error = mdbx_txn_renew(snapshot_);
    held_ = error == MDBX_SUCCESS;
    return error;
  }

  // Releases the snapshot first. Otherwise a writer could not reuse its pages.
  int BeginWrite(MDBX_txn** txn) {
    scanning_ = false;
    if (held_) mdbx_txn_reset(snapshot_);
    held_ = false;
    return mdbx_txn_begin(env_, nullptr, MDBX_TXN_READWRITE, txn);
  }

  template <class Change>
  lf_code WriteOne(const char* what, lf_bytes key, Change change) {
    if (transaction_ != nullptr) {
      const int error = change(transaction_);
      return error == MDBX_SUCCESS ? LF_OK : Answer(what, error, key);
    }
    MDBX_txn* txn = nullptr;
    int error = BeginWrite(&txn);
    if (error == MDBX_SUCCESS) error = change(txn);
    return EndWrite(what, txn, error, key);
  }

  int Set(MDBX_txn* txn, lf_bytes key, lf_bytes value) {
    const MDBX_val k = Val(key);
    MDBX_val v = Val(value);
    return mdbx_put(txn, dbi_, &k, &v, MDBX_UPSERT);
  }
  int Remove(MDBX_txn* txn, lf_bytes key) {
    const MDBX_val k = Val(key);
    const int error = mdbx_del(txn, dbi_, &k, nullptr);
    return error == MDBX_NOTFOUND ? int{MDBX_SUCCESS} : error;
  }

  lf_code EndWrite(const char* what, MDBX_txn* txn, int error, lf_bytes key) {
    if (error == MDBX_SUCCESS) {
      error = mdbx_txn_commit(txn);
    } else if (txn != nullptr) {
      mdbx_txn_abort(txn);
    }
    return error == MDBX_SUCCESS ? LF_OK : Answer(what, error, key);
  }

  // MDBX_SET_RANGE reads the wanted key from `key`. The others only write it.
  lf_code Move(MDBX_cursor_op op, lf_bytes* key, lf_bytes* value) {
    MDBX_val k = Val(*key);
    MDBX_val v{};
    const int error = mdbx_cursor_get(cursor_, &k, &v, op);
    if (error != MDBX_SUCCESS) {
      scanning_ = false;
      return Answer("scan", error, *key);
    }
    *key = Bytes(k);
    *value = Bytes(v);
    return LF_OK;
  }

  lf_code Answer(const char* what, int error, lf_bytes key) {
    if (error == MDBX_NOTFOUND || error == MDBX_ENODATA) return LF_NOT_FOUND;
    if (error != MDBX_BAD_VALSIZE) return FailedTo(what, error);
    return Unsupported(std::string("libmdbx: cannot ") + what + ": a key of " +
                       std::to_string(key.size) + " bytes; with this block_size it takes up to " +
                       std::to_string(mdbx_env_get_maxkeysize_ex(env_, MDBX_DB_DEFAULTS)));
  }

  MDBX_env* const env_;
  const MDBX_dbi dbi_;
  std::atomic<int>* const open_sessions_;
  MDBX_txn* snapshot_ = nullptr;
  MDBX_cursor* cursor_ = nullptr;
  MDBX_txn* transaction_ = nullptr;  // Open between begin_transaction and its end.
  bool held_ = false;                // snapshot_ is open, not reset.
  bool scanning_ = false;            // cursor_ stands on an entry of it.
};

// A file begins with a meta page: a header of 20 bytes, then MDBX_MAGIC above a byte of the
// version (mdbx-internals.h, struct meta).
bool IsDatabase(const std::string& path) {
  constexpr size_t kHeaderBytes = 20;
  constexpr uint64_t kMagic = 0x59659DBDEF4C11;
  uint64_t magic = 0;
  const std::string start = levelfield::StartOfFile(path, kHeaderBytes + sizeof(magic));
  if (start.size() != kHeaderBytes + sizeof(magic)) return false;
  std::memcpy(&magic, start.data() + kHeaderBytes, sizeof(magic));
  return magic >> 8 == kMagic;
}

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
        return Failed(std::string("libmdbx: cannot open ") + directory + ": it is no database");
      }
      opened->config_.flags |= MDBX_NOSUBDIR;
    }
    code = opened->OpenEnvironment();
    if (code == LF_OK) store = std::move(opened);
    return code;
  }

  ~Store() { CloseEnvironment(); }

  lf_code Close() {
    const int error = CloseEnvironment();
    return error == MDBX_SUCCESS ? LF_OK : FailedTo("close " + data_, error);
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    session = std::make_unique<Session>(env_, dbi_, &open_sessions_);
    const int error = session->Begin();
    if (error == MDBX_SUCCESS) return LF_OK;
    session.reset();
    return FailedTo("begin a session", error);
  }

  lf_code Sync() {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    const int error = mdbx_env_sync_ex(env_, true, false);
    const bool is_done = error == MDBX_SUCCESS || error == MDBX_RESULT_TRUE;  // Nothing to sync.
    return is_done ? LF_OK : FailedTo("sync " + data_, error);
  }

  // A copy is compact (mdbx_copy -c), and takes the place of the file while no session is open.
  lf_code Compact() {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    if (open_sessions_ > 0) {
      return Unsupported(
          "libmdbx compacts only into a copy, which cannot take the place of the database while "
          "sessions are open: end them first, or run a fresh load");
    }
    const std::string copy = data_ + ".compacted";
    (void)levelfield::RemoveFile(copy);
    const int error = mdbx_env_copy(env_, copy.c_str(), MDBX_CP_COMPACT);
    if (error != MDBX_SUCCESS) {
      (void)levelfield::RemoveFile(copy);
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
    if (name == "check") return Check(text);
    MDBX_envinfo info{};
    MDBX_stat stat{};
    unsigned flags = 0;
    int error = mdbx_env_info_ex(env_, nullptr, &info, sizeof(info));
    if (error == MDBX_SUCCESS) error = mdbx_env_stat_ex(env_, nullptr, &stat, sizeof(stat));
    if (error == MDBX_SUCCESS) error = mdbx_env_get_flags(env_, &flags);
    if (error != MDBX_SUCCESS) return FailedTo("ask for " + std::string(name), error);
    if (name == "stats" || name == "sstables") {
      AppendStats(info, stat);
    } else if (name == "options") {
      AppendOptions(info, flags);
    } else {
      return Unsupported("libmdbx has only the properties stats, sstables, options and check");
    }
    *text = text_.c_str();
    return LF_OK;
  }

  // A commit leaves data in no memory but the map (with writemap).
  lf_code Flush() { return Sync(); }

  lf_code Backup(const char* directory) {
    const std::lock_guard lock(mutex_);
    if (env_ == nullptr) return NotOpen();
    const std::string copy = std::string(directory) + "/" + kOwnFile;
    const int error = mdbx_env_copy(env_, copy.c_str(), MDBX_CP_DEFAULTS);
    return error == MDBX_SUCCESS ? LF_OK : FailedTo("copy " + data_ + " into " + copy, error);
  }

  static lf_code Restore(const char* backup, const char* directory) {
    const std::string from = DataFile(backup);
    if (!IsDatabase(from)) {
      return Failed(std::string("libmdbx: cannot restore ") + backup + ": it is no database");
    }
    if (levelfield::CopyFile(from, std::string(directory) + "/" + kOwnFile)) return LF_OK;
    return FailedTo("restore " + from, errno);
  }

  static constexpr Refusal WaitForBackground{
      "libmdbx has no threads of its own, so there is nothing to wait for"};
  static constexpr Refusal VerifyChecksums{
      "libmdbx has no checksums: a flipped bit is returned as data"};
  static constexpr Refusal CompactRange{"libmdbx compacts a copy of the whole database"};
  static constexpr Refusal ApproximateBytes{"libmdbx counts the pages of a whole database"};
  static constexpr Refusal Repair{
      "libmdbx repairs nothing by this call: mdbx_chk -w turns back to an older meta page"};

  static lf_code Recognize(const char* path) {
    return IsDatabase(DataFile(path)) ? LF_OK : LF_NOT_FOUND;
  }

  static lf_code Destroy(const char* path) {
    const std::string data = DataFile(path);
    if (!IsDatabase(data)) return LF_OK;
    const std::string lock =
        levelfield::IsFile(path) ? data + MDBX_LOCK_SUFFIX : std::string(path) + "/" + kOwnLock;
    for (const std::string& file : {data + ".compacted", lock, data}) {
      if (!levelfield::RemoveFile(file)) return FailedTo("remove " + file, errno);
    }
    return LF_OK;
  }

  void InForce(const levelfield::InForceSink& tell) {
    unsigned flags = 0;
    MDBX_envinfo info{};
    if (mdbx_env_get_flags(env_, &flags) != MDBX_SUCCESS ||
        mdbx_env_info_ex(env_, nullptr, &info, sizeof(info)) != MDBX_SUCCESS) {
      return;
    }
    // It rounds up to its own steps, which its documentation says.
    const bool is_rounded =
        info.mi_geo.upper >= config_.map_bytes && info.mi_geo.upper - config_.map_bytes < 1 << 24;
    tell.Number("map_size", is_rounded ? config_.map_bytes : info.mi_geo.upper);
    tell.Number("block_size", info.mi_dxb_pagesize);
    tell.Flag("writemap", (flags & MDBX_WRITEMAP) != 0);
    tell.Flag("readahead", (flags & MDBX_NORDAHEAD) == 0);
    tell.Flag("lifo", (flags & MDBX_LIFORECLAIM) != 0);
  }

  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    const std::lock_guard lock(mutex_);
    MDBX_envinfo info{};
    if (env_ == nullptr || mdbx_env_info_ex(env_, nullptr, &info, sizeof(info)) != MDBX_SUCCESS) {
      return;
    }
    sink(context, "mdbx.recent_txnid", info.mi_recent_txnid);
    sink(context, "mdbx.last_pgno", info.mi_last_pgno);
  }

 private:
  lf_code NotOpen() const {
    return Failed("libmdbx: " + data_ + " could not be opened again after it was compacted");
  }

  lf_code OpenEnvironment() {
    MDBX_txn* txn = nullptr;
    // Built without its debugging aids it still tells every opening on standard error.
    mdbx_setup_debug(MDBX_LOG_ERROR, MDBX_DBG_DONTCHANGE, MDBX_LOGGER_DONTCHANGE);
    int error = mdbx_env_create(&env_);
    if (error == MDBX_SUCCESS) {
      error = mdbx_env_set_option(env_, MDBX_opt_max_readers, config_.max_readers);
    }
    if (error == MDBX_SUCCESS) {
      error = mdbx_env_set_geometry(env_, -1, -1, static_cast<intptr_t>(config_.map_bytes), -1, -1,
                                    static_cast<intptr_t>(config_.page_bytes));
    }
    if (error == MDBX_SUCCESS) {
      error =
          mdbx_env_open(env_, path_.c_str(), static_cast<MDBX_env_flags_t>(config_.flags), 0644);
    }
    if (error == MDBX_SUCCESS) {
      error = mdbx_txn_begin(env_, nullptr, MDBX_TXN_READWRITE, &txn);
    }
    if (error == MDBX_SUCCESS) error = mdbx_dbi_open(txn, nullptr, MDBX_DB_DEFAULTS, &dbi_);
    if (error == MDBX_SUCCESS) {
      error = mdbx_txn_commit(txn);
    } else if (txn != nullptr) {
      mdbx_txn_abort(txn);
    }
    if (error == MDBX_SUCCESS) return LF_OK;
    const lf_code code = FailedTo("open " + data_, error);
    const levelfield::ErrorOfThread cause = levelfield::LastError();
    CloseEnvironment();
    levelfield::LastError() = cause;
    return code;
  }

  int CloseEnvironment() {
    return env_ != nullptr ? mdbx_env_close(std::exchange(env_, nullptr)) : int{MDBX_SUCCESS};
  }

  lf_code Check(const char** text) {
    MDBX_chk_callbacks_t callbacks{};
    MDBX_chk_context_t context{};
    const int error =
        mdbx_env_chk(env_, &callbacks, &context, MDBX_CHK_DEFAULTS, MDBX_chk_result, 0);
    if (error != MDBX_SUCCESS && error != MDBX_RESULT_TRUE)
      return FailedTo("check " + data_, error);
    if (context.result.total_problems != 0) {
      return levelfield::Damaged("libmdbx: mdbx_env_chk finds " +
                                 std::to_string(context.result.total_problems) + " problems in " +
                                 data_);
    }
    text_ = "mdbx_env_chk finds no problem";
    *text = text_.c_str();
    return LF_OK;
  }

  void AppendStats(const MDBX_envinfo& info, const MDBX_stat& stat) {
    levelfield::AppendLine(text_, "psize", stat.ms_psize);
    levelfield::AppendLine(text_, "depth", stat.ms_depth);
    levelfield::AppendLine(text_, "branch_pages", stat.ms_branch_pages);
    levelfield::AppendLine(text_, "leaf_pages", stat.ms_leaf_pages);
    levelfield::AppendLine(text_, "overflow_pages", stat.ms_overflow_pages);
    levelfield::AppendLine(text_, "entries", stat.ms_entries);
    levelfield::AppendLine(text_, "last_pgno", info.mi_last_pgno);
    levelfield::AppendLine(text_, "recent_txnid", info.mi_recent_txnid);
    levelfield::AppendLine(text_, "numreaders", info.mi_numreaders);
  }

  void AppendOptions(const MDBX_envinfo& info, unsigned flags) {
    for (const auto& [flag, name] :
         {std::pair(unsigned{MDBX_SAFE_NOSYNC}, "safe_nosync"),
          std::pair(unsigned{MDBX_NOMETASYNC}, "nometasync"),
          std::pair(unsigned{MDBX_UTTERLY_NOSYNC}, "utterly_nosync"),
          std::pair(unsigned{MDBX_WRITEMAP}, "writemap"),
          std::pair(unsigned{MDBX_NORDAHEAD}, "nordahead"),
          std::pair(unsigned{MDBX_LIFORECLAIM}, "liforeclaim"),
          std::pair(unsigned{MDBX_NOSTICKYTHREADS}, "nostickythreads")}) {
      levelfield::AppendLine(text_, name, (flags & flag) == flag ? 1 : 0);
    }
    levelfield::AppendLine(text_, "upper", info.mi_geo.upper);
    levelfield::AppendLine(text_, "grow", info.mi_geo.grow);
    levelfield::AppendLine(text_, "maxreaders", info.mi_maxreaders);
    levelfield::AppendLine(text_, "pagesize", info.mi_dxb_pagesize);
  }

  MDBX_env* env_ = nullptr;
  MDBX_dbi dbi_ = 0;
  Config config_;
  std::atomic<int> open_sessions_ = 0;
  // Guards env_, which Compact replaces. Open sessions keep theirs from being replaced.
  std::mutex mutex_;
  std::string path_;  // As given.
  std::string data_;  // The file.
  std::string text_;
};

void Describe(void* context, lf_fact_sink sink) {
  sink(context, "language", "C");
  sink(context, "version",
       levelfield::VersionText(mdbx_version.major, mdbx_version.minor, mdbx_version.patch).c_str());
  if (mdbx_version.git.datetime != nullptr) {
    sink(context, "released", std::string(mdbx_version.git.datetime).substr(0, 4).c_str());
  }
  sink(context, "build", LEVELFIELD_BUILD);
  sink(context, "library",
       levelfield::LibraryPath(reinterpret_cast<const void*>(&mdbx_env_create)).c_str());
  sink(context, "assertions", "off");
  sink(context, "page_bytes", "4096, unless block_size says otherwise");
  sink(context, "checksums", "none: a flipped bit is returned as data");
  sink(context, "compared", "nothing: libmdbx computes no checksum");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "libmdbx",
    .summary = "libmdbx: a copy-on-write B+ tree in a memory map, from LMDB",
    .license = "Apache-2.0",
    .capabilities = LF_ONE_WRITER | LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
