// WiredTiger: a B-tree with versions of its entries in memory, checkpoints and a write-ahead log.
// http://source.wiredtiger.com/3.2.1/, https://source.wiredtiger.com/10.0.0/
//
// Built for 10.0.0 where `make engines` has built that, and else for the distribution's library,
// which `wiredtiger@system` always is.
//
// One table, a row store of bytes to bytes (key_format=u,value_format=u). A session is a WT_SESSION
// with one cursor that stays open, as recommended
// (https://source.wiredtiger.com/mongodb-4.2/tune_cursor_persist.html). Sessions have snapshot
// isolation: an operation that conflicts with another write is rolled back and repeated
// (https://source.wiredtiger.com/mongodb-3.4/transactions.html). WiredTiger repeats single writes
// itself. Batches are repeated here.
//
// A value is returned in the cache, without a copy. The cursor stays on it until the session's next
// call, which keeps the page and the version in the cache.
#include <wiredtiger.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "levelfield/engine.h"
#include "library_facts.h"
#include "store_files.h"

namespace {

using levelfield::EngineSettings;
using levelfield::Refusal;
using levelfield::Unsupported;
using levelfield::View;

// The time limit for repeating a conflicting operation.
constexpr std::chrono::seconds kRetryFor{60};

const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "100 MB (WiredTiger's default)", nullptr,
     "Cache of all sessions (cache_size), at least 1 MiB; it holds pages, their changes and their "
     "older versions."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr,
     "Has no write buffer: what is written is in the cache and in the log."},
    {"block_size", LF_BYTES, "32 KiB (WiredTiger's default)", nullptr,
     "Largest leaf page on the disk (leaf_page_max), a multiple of 4096, fixed when the table is "
     "made."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "A B-tree has no filter."},
    {"compression", LF_CHOICE, "none", "none|snappy|zlib",
     "Of the table's pages (block_compressor), fixed when the table is made."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Has one file for the table and a log."},
    {"checkpoint_seconds", LF_COUNT, "60", nullptr,
     "Time between two checkpoints, which WiredTiger's own thread makes (checkpoint=(wait)); 0: "
     "not by time. 60 and 2 GiB are what MongoDB had it do."},
    {"checkpoint_log_size", LF_BYTES, "2G", nullptr,
     "Log written between two checkpoints (checkpoint=(log_size)); 0: not by size."},
    {"log_file_size", LF_BYTES, "the expected data, 1 MiB to 100 MB (WiredTiger's default)",
     nullptr,
     "Size of a log file (log=(file_max)). WiredTiger allocates that much disk for the file that "
     "it "
     "writes and for those that come next; what recovery no longer needs is removed."},
    {"leaf_value_max", LF_BYTES, "half a leaf page (WiredTiger's default)", nullptr,
     "Largest value that its leaf page holds (leaf_value_max), fixed when the table is made. A "
     "larger one overflows: it is read from the file at each get, not from the cache."},
    {"checksum", LF_CHOICE, "uncompressed (WiredTiger's default)", "uncompressed|on|off",
     "Pages that have a checksum: those that are not compressed, all or none; fixed when the table "
     "is made."},
    {"statistics", LF_CHOICE, "fast", "none|fast|all",
     "What WiredTiger counts (statistics). Its own default is none, which leaves Levelfield "
     "without its counters and without what it tells of checkpoints."},
    {"session_max", LF_COUNT, "1000", nullptr,
     "The most sessions, snapshots and internal threads at a time (session_max)."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

// `equal` needs no settings: one process locks the files.
const lf_alternative kAlternatives[] = {
    {"page_4k", "block_size=4096", "none,process,synced",
     "A leaf page like the disk's block amplifies reads and writes less; large ones suit scans of "
     "more data than cache.",
     "https://source.wiredtiger.com/3.2.1/tune_page_size_and_comp.html"},
    {"page_8k", "block_size=8192", "none,process,synced",
     "A leaf page like the disk's block amplifies reads and writes less; large ones suit scans of "
     "more data than cache.",
     "https://source.wiredtiger.com/3.2.1/tune_page_size_and_comp.html"},
    {"no_overflow", "leaf_value_max=64M", "none,process,synced",
     "A value that overflows its page is not cached but read from the file each time, and is to be "
     "avoided. MongoDB sets the same limit.",
     "https://source.wiredtiger.com/3.2.1/tune_page_size_and_comp.html"},
    {"checked", "checksum=on", "none,process,synced",
     "Pages that are compressed have a checksum, too, which by default they do without.",
     "https://source.wiredtiger.com/3.2.1/tune_checksum.html"},
    {"unchecked", "checksum=off", "none,process,synced",
     "Checksums are computed when a page is written and verified when it is read.",
     "https://source.wiredtiger.com/3.2.1/tune_checksum.html"},
    {"own", "cache_size=100M", "none,process,synced",
     "The cache is to hold the working set; its size is the first thing to set. When changed data "
     "are a fifth of it, the threads that write have to evict pages themselves.",
     "https://source.wiredtiger.com/3.2.1/tune_cache.html"},
    {"own", "statistics=none", "none,process,synced",
     "Statistics are updated in shared memory, which may cost speed; `fast` are those that cost "
     "little, and MongoDB has them on.",
     "https://source.wiredtiger.com/3.2.1/statistics.html"},
    {"own", "checkpoint_seconds=0 checkpoint_log_size=0", "none,process,synced",
     "Applications are to make checkpoints, or to have WiredTiger make them; without them the log "
     "grows for ever.",
     "https://source.wiredtiger.com/3.2.1/checkpoint.html"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

// http://source.wiredtiger.com/3.2.1/tune_durability.html
struct DurabilityClass {
  const char* name;
  const char* config;
};
constexpr DurabilityClass kClasses[] = {
    {"none", "transaction_sync=(enabled=false)"},
    {"process", "transaction_sync=(enabled=true,method=none)"},
    {"synced", "transaction_sync=(enabled=true,method=fsync)"},
};

const lf_durability kDurabilities[] = {
    {kClasses[0].name, LF_D0_NONE,
     "transaction_sync=(enabled=false): a commit stays in the log buffer"},
    {kClasses[1].name, LF_D1_PROCESS,
     "transaction_sync=(enabled=true,method=none): a commit writes the log to the kernel"},
    {kClasses[2].name, LF_D4_SYNCED,
     "transaction_sync=(enabled=true,method=fsync): a commit writes the log and syncs it"},
    {nullptr, LF_REFUSED, nullptr},
};

const char* const kProperties[] = {"options", "stats", "sstables", "check", nullptr};

// ---- Errors

// WiredTiger's latest message on this thread, and whether one since the last failure told of damage:
// the code is then WT_ERROR or WT_PANIC, as of much else.
thread_local std::string last_words;
// Its first one since the last failure. A panic has its cause there, and its consequences last.
thread_local std::string first_words;
thread_local bool words_tell_damage = false;

int OnError(WT_EVENT_HANDLER*, WT_SESSION*, int error, const char* text) {
  last_words = text;
  if (first_words.empty()) first_words = text;
  // Nothing where a checkpoint has said that there is something.
  if (error == WT_ERROR && last_words.find("failed to read") != std::string::npos) {
    words_tell_damage = true;
  }
  for (const char* const damage : {"checksum", "corrupt"}) {
    if (last_words.find(damage) != std::string::npos) words_tell_damage = true;
  }
  return 0;
}
int OnMessage(WT_EVENT_HANDLER*, WT_SESSION*, const char*) { return 0; }

WT_EVENT_HANDLER event_handler = {OnError, OnMessage, nullptr, nullptr};

// "WiredTiger: cannot <what>: <wiredtiger_strerror> (<its own words>)".
std::string Explain(const std::string& what, int error) {
  std::string text = "WiredTiger: cannot " + what + ": " + wiredtiger_strerror(error);
  const std::string first = std::exchange(first_words, "");
  const std::string last = std::exchange(last_words, "");
  if (const std::string& words = error == WT_PANIC ? first : last; !words.empty()) {
    text += " (" + words + ")";
  }
  return text;
}
lf_code Failed(const std::string& what, int error) {
  const bool is_damage = std::exchange(words_tell_damage, false) || error == WT_TRY_SALVAGE;
  const std::string text = Explain(what, error);
  return is_damage ? levelfield::Damaged(text) : levelfield::Failed(text);
}
// LF_OK, or why `what` has failed.
lf_code Done(const std::string& what, int error) {
  return error == 0 ? LF_OK : Failed(what, error);
}

// ---- A thread's session

void SetKey(WT_CURSOR* cursor, lf_bytes key) {
  WT_ITEM item{};
  item.data = key.data;
  item.size = key.size;
  cursor->set_key(cursor, &item);
}

lf_code TakeKey(WT_CURSOR* cursor, lf_bytes* key) {
  WT_ITEM item{};
  if (const int error = cursor->get_key(cursor, &item); error != 0) return Failed("read", error);
  *key = {static_cast<const char*>(item.data), item.size};
  return LF_OK;
}

lf_code TakeValue(WT_CURSOR* cursor, lf_bytes* value) {
  WT_ITEM item{};
  if (const int error = cursor->get_value(cursor, &item); error != 0) return Failed("read", error);
  *value = {static_cast<const char*>(item.data), item.size};
  return LF_OK;
}

int Insert(WT_CURSOR* cursor, lf_bytes key, lf_bytes value) {
  SetKey(cursor, key);
  WT_ITEM item{};
  item.data = value.data;
  item.size = value.size;
  cursor->set_value(cursor, &item);
  return cursor->insert(cursor);  // It overwrites an existing entry, and keeps no position.
}

int Remove(WT_CURSOR* cursor, lf_bytes key) {
  SetKey(cursor, key);
  return cursor->remove(cursor);  // 0 even if there is no such key.
}

// A WT_SESSION and its cursor, which ends with it.
struct Handles {
  ~Handles() {
    if (session != nullptr) session->close(session, nullptr);  // This rolls back.
  }
  int Open(WT_CONNECTION* connection, const std::string& uri) {
    const int error =
        connection->open_session(connection, &event_handler, "isolation=snapshot", &session);
    return error != 0 ? error : OpenCursor(uri, &cursor);
  }
  int OpenCursor(const std::string& uri, WT_CURSOR** opened) const {
    return session->open_cursor(session, uri.c_str(), nullptr, nullptr, opened);
  }
  WT_SESSION* session = nullptr;
  WT_CURSOR* cursor = nullptr;
};

class Session {
 public:
  int Begin(WT_CONNECTION* connection, const std::string& uri) {
    connection_ = connection;
    uri_ = uri;
    const int error = handles_.Open(connection, uri);
    session_ = handles_.session;
    cursor_ = handles_.cursor;
    return error != 0 ? error : handles_.OpenCursor(uri, &range_begin_);
  }

  lf_code Get(lf_bytes key, lf_bytes* value) {
    Enter();
    if (key.size == 0) return RefuseEmptyKey();
    SetKey(cursor_, key);
    return Take("get", cursor_->search(cursor_), value);
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    Enter();
    if (key.size == 0) return RefuseEmptyKey();
    return Wrote("put", Insert(cursor_, key, value));
  }

  lf_code Erase(lf_bytes key) {
    Enter();
    if (key.size == 0) return RefuseEmptyKey();
    return Wrote("erase", Remove(cursor_, key));
  }

  lf_code Write(std::span<const lf_entry> entries) {
    Enter();
    for (const lf_entry& entry : entries) {
      if (entry.key.size == 0) return RefuseEmptyKey();
    }
    return Wrote("write a batch", InTransaction([&] {
                   for (const lf_entry& entry : entries) {
                     const int error = entry.erase != 0 ? Remove(cursor_, entry.key)
                                                        : Insert(cursor_, entry.key, entry.value);
                     if (error != 0) return error;
                   }
                   return 0;
                 }));
  }

  // If another thread inserts into the range meanwhile, WiredTiger does not define which of both
  // wins, and recovery may decide otherwise than the cache did (WT_SESSION::truncate).
  lf_code DeleteRange(lf_bytes from, lf_bytes to) {
    Enter();
    return Wrote("erase a range", InTransaction([&] { return Truncate(from, to); }));
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    Enter();
    const int error = Place(how, key);
    is_scanning_ = true;
    return Scanned(error, found_key, value);
  }

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    return is_scanning_ ? Scanned(cursor_->next(cursor_), key, value) : LF_NOT_FOUND;
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    return is_scanning_ ? Scanned(cursor_->prev(cursor_), key, value) : LF_NOT_FOUND;
  }

  // A session of its own with an open transaction, which sees the data as of its begin.
  using Snapshot = Handles;

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    Enter();
    auto taken = std::make_unique<Snapshot>();
    int error = taken->Open(connection_, uri_);
    if (error == 0) error = taken->session->begin_transaction(taken->session, nullptr);
    if (error != 0) return Failed("take a snapshot", error);
    snapshot = std::move(taken);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    Enter();
    if (key.size == 0) return RefuseEmptyKey();
    SetKey(snapshot.cursor, key);
    const int error = snapshot.cursor->search(snapshot.cursor);
    if (error == WT_NOTFOUND) return LF_NOT_FOUND;
    return error == 0 ? TakeValue(snapshot.cursor, value) : Failed("get of a snapshot", error);
  }

  lf_code BeginTransaction() {
    Enter();
    const int error = session_->begin_transaction(session_, nullptr);
    in_transaction_ = error == 0;
    return Wrote("begin a transaction", error);
  }

  // WT_CURSOR::reserve makes every other transaction that writes the key conflict with this one. It
  // cannot reserve an absent key. Putting and erasing the key has the same effect.
  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) {
    Enter();
    if (key.size == 0) return RefuseEmptyKey();
    SetKey(cursor_, key);
    int error = cursor_->reserve(cursor_);
    if (error == WT_NOTFOUND) {
      error = Insert(cursor_, key, {"", 0});
      if (error == 0) error = Remove(cursor_, key);
      if (error == 0) error = WT_NOTFOUND;
    }
    return Take("get for update", error, value);
  }

  lf_code CommitTransaction() {
    Enter();
    const int error = session_->commit_transaction(session_, nullptr);
    const lf_code code = Wrote("commit a transaction", error);
    in_transaction_ = false;  // If it was not committed, it is rolled back.
    return code;
  }

  lf_code RollBackTransaction() {
    Enter();
    if (!std::exchange(in_transaction_, false)) return LF_OK;
    return Wrote("roll back a transaction", session_->rollback_transaction(session_, nullptr));
  }

  lf_code NewIterator() {
    Enter();
    WT_CURSOR* cursor = nullptr;
    int error = handles_.OpenCursor(uri_, &cursor);
    if (error == 0) error = cursor->close(cursor);
    return Wrote("open a cursor", error);
  }

  static constexpr Refusal Merge{
      "WiredTiger has no merge operators: who changes a value reads it and puts it"};
  static constexpr Refusal MultiGet{"WiredTiger gets one key a call"};

 private:
  // Begins every call: releases the entry that the previous call returned.
  void Enter() {
    is_scanning_ = false;
    if (std::exchange(is_positioned_, false)) cursor_->reset(cursor_);
  }

  static lf_code RefuseEmptyKey() { return Unsupported("WiredTiger takes no empty key"); }

  // A conflict ends a transaction. Outside of one WiredTiger repeats a single write itself.
  lf_code Wrote(const char* what, int error) const {
    if (error == 0) return LF_OK;
    if (error == WT_ROLLBACK && in_transaction_) return levelfield::Conflict(Explain(what, error));
    return Failed(what, error);
  }

  lf_code Take(const char* what, int error, lf_bytes* value) {
    if (error == WT_NOTFOUND) return LF_NOT_FOUND;
    if (error != 0) return Wrote(what, error);
    is_positioned_ = true;
    return TakeValue(cursor_, value);
  }

  lf_code Scanned(int error, lf_bytes* key, lf_bytes* value) {
    is_positioned_ = true;  // Also after a failure or the end: reset does no harm.
    if (error != 0) Enter();
    if (error == WT_NOTFOUND) return LF_NOT_FOUND;
    if (error != 0) return Failed("scan", error);
    const lf_code code = TakeKey(cursor_, key);
    return code == LF_OK ? TakeValue(cursor_, value) : code;
  }

  // Puts the cursor, which has no position, at the begin of a scan.
  int Place(lf_seek how, lf_bytes key) {
    if (how == LF_LAST) return cursor_->prev(cursor_);
    // It accepts no empty key, but every key comes after one.
    if (how == LF_FIRST || (how == LF_AT_OR_AFTER && key.size == 0)) return cursor_->next(cursor_);
    if (key.size == 0) return WT_NOTFOUND;
    SetKey(cursor_, key);
    int side = 0;  // The side of `key` on which the cursor stopped.
    const int error = cursor_->search_near(cursor_, &side);
    if (error != 0) return error;
    if (how == LF_AT_OR_AFTER) return side < 0 ? cursor_->next(cursor_) : 0;
    return side > 0 ? cursor_->prev(cursor_) : 0;
  }

  // Truncate takes the first and the last key, so this looks for the last key before `to`.
  int Truncate(lf_bytes from, lf_bytes to) {
    int error = Place(LF_AT_OR_BEFORE, to);
    lf_bytes last{};
    if (error == 0 && TakeKey(cursor_, &last) == LF_OK && View(last) == View(to)) {
      error = cursor_->prev(cursor_);
    }
    if (error == WT_NOTFOUND) return 0;
    if (error != 0) return error;
    if (TakeKey(cursor_, &last) != LF_OK) return EINVAL;
    if (View(last) < View(from)) return cursor_->reset(cursor_);
    if (from.size == 0) return session_->truncate(session_, nullptr, nullptr, cursor_, nullptr);
    SetKey(range_begin_, from);
    return session_->truncate(session_, nullptr, range_begin_, cursor_, nullptr);
  }

  // Repeats `change` in a transaction of its own until it has no conflict.
  template <class Change>
  int InTransaction(Change change) {
    std::chrono::steady_clock::time_point give_up{};
    while (true) {
      int error = session_->begin_transaction(session_, nullptr);
      if (error != 0) return error;
      error = change();
      if (error == 0) {
        error = session_->commit_transaction(session_, nullptr);
      } else {
        session_->rollback_transaction(session_, nullptr);
      }
      if (error != WT_ROLLBACK) return error;
      const auto now = std::chrono::steady_clock::now();
      if (give_up == std::chrono::steady_clock::time_point{}) give_up = now + kRetryFor;
      if (now > give_up) return error;
      last_words.clear();
      first_words.clear();
      std::this_thread::yield();
    }
  }

  Handles handles_;
  WT_CONNECTION* connection_ = nullptr;
  std::string uri_;
  WT_SESSION* session_ = nullptr;
  WT_CURSOR* cursor_ = nullptr;
  WT_CURSOR* range_begin_ = nullptr;
  bool is_positioned_ = false;  // cursor_ stands on an entry.
  bool is_scanning_ = false;    // A scan continues from there.
  bool in_transaction_ = false;
};

// ---- Settings

constexpr uint64_t kMiB = 1 << 20;

struct Config {
  std::string connection;   // For wiredtiger_open, without the extensions.
  std::string extensions;   // Paths of this machine.
  std::string table;        // For WT_SESSION::create.
  uint64_t page_bytes = 0;  // 0 and "": not requested.
  uint64_t leaf_value_bytes = 0;
  std::string compression;
  bool page_given = false;
  bool leaf_value_given = false;
  bool compression_given = false;
  std::string checksum;
  bool checksum_given = false;
  bool read_only = false;
  bool is_check = false;
};

std::string LibraryFile() {
  return levelfield::LibraryPath(reinterpret_cast<const void*>(&wiredtiger_open));
}

// The compressors: inside of a library that we have built, with no file of their own, and else
// libraries beside WiredTiger's. Debian builds these two.
std::vector<std::pair<std::string, std::string>> Compressors() {
#ifdef LEVELFIELD_LIBRARY_IS_INSIDE
  return {{"snappy", ""}, {"zlib", ""}};
#else
  const std::string directory = levelfield::DirectoryOf(LibraryFile());
  std::vector<std::pair<std::string, std::string>> found;
  for (const char* name : {"snappy", "zlib"}) {
    const std::string file = directory + "/libwiredtiger_" + name + ".so";
    if (levelfield::IsFile(file)) found.emplace_back(name, file);
  }
  return found;
#endif
}

uint64_t DefaultLogFileBytes(const EngineSettings& given) {
  constexpr uint64_t kDefault = 100'000'000;
  const uint64_t value_bytes = std::min(given.ExpectedValueBytes(), kDefault);
  const uint64_t keys = std::min(given.ExpectedKeys(), kDefault);
  return std::clamp(keys * (value_bytes + 16), kMiB, kDefault);
}

lf_code ReadConfig(const EngineSettings& given, Config* config) {
  const lf_code in_range =
      given.CheckRanges("WiredTiger", {{"cache_size", kMiB, uint64_t{10} << 40},
                                       {"block_size", 4096, 512 * kMiB},
                                       {"checkpoint_seconds", 0, 100'000},
                                       {"checkpoint_log_size", 0, 2048 * kMiB},
                                       {"log_file_size", 100 << 10, 2048 * kMiB},
                                       {"leaf_value_max", 1, 2048 * kMiB},
                                       {"session_max", 20, 100'000}});
  if (in_range != LF_OK) return in_range;
  config->read_only = given.Flag("read_only", false);
  config->is_check = given.IsCheck();
  config->page_bytes = given.Number("block_size", 0);
  config->page_given = given.IsGiven("block_size");
  config->leaf_value_bytes = given.Number("leaf_value_max", 0);
  config->leaf_value_given = given.IsGiven("leaf_value_max");
  config->compression = given.Text("compression", "");
  config->compression_given = given.IsGiven("compression");
  if (config->page_bytes % 4096 != 0) {
    return Unsupported("WiredTiger: --block_size=" + std::to_string(config->page_bytes) +
                       ": a page is a multiple of 4096 bytes");
  }
  std::string& extensions = config->extensions;
  bool has_compressor = config->compression.empty() || config->compression == "none";
  for (const auto& [name, file] : Compressors()) {
    if (!file.empty()) extensions += (extensions.empty() ? "" : ",") + file;
    has_compressor = has_compressor || name == config->compression;
  }
  if (!has_compressor) {
    return Unsupported("WiredTiger: --compression=" + config->compression + ": " +
                       levelfield::DirectoryOf(LibraryFile()) + "/libwiredtiger_" +
                       config->compression + ".so is missing");
  }
  std::string& open = config->connection;
  // Ignores configurations in the environment and in a file.
  open = config->read_only ? "readonly=true" : config->is_check ? "create=false" : "create";
  open += ",config_base=false,use_environment=false,statistics=(" +
          std::string(given.Text("statistics", "fast")) +
          "),session_max=" + std::to_string(given.Number("session_max", 1000));
  if (given.Has("cache_size")) {
    open += ",cache_size=" + std::to_string(given.Number("cache_size", 0));
  }
  open += ",log=(enabled=true,archive=true,file_max=" +
          std::to_string(given.Number("log_file_size", DefaultLogFileBytes(given))) + ")";
  for (const DurabilityClass& known : kClasses) {
    if (given.Durability() == known.name) open += std::string(",") + known.config;
  }
  if (!config->read_only) {
    open += ",checkpoint=(wait=" + std::to_string(given.Number("checkpoint_seconds", 60)) +
            ",log_size=" + std::to_string(given.Number("checkpoint_log_size", 2048 * kMiB)) + ")";
  }
  config->table = "key_format=u,value_format=u";
  if (config->page_bytes != 0) {
    config->table += ",leaf_page_max=" + std::to_string(config->page_bytes);
  }
  if (config->leaf_value_bytes != 0) {
    config->table += ",leaf_value_max=" + std::to_string(config->leaf_value_bytes);
  }
  if (!config->compression.empty()) config->table += ",block_compressor=" + config->compression;
  config->checksum = given.Text("checksum", "");
  config->checksum_given = given.IsGiven("checksum");
  if (!config->checksum.empty()) config->table += ",checksum=" + config->checksum;
  return LF_OK;
}

// ---- Files

constexpr std::string_view kOwnTable = "levelfield";

// WiredTiger keeps these names for itself.
bool IsOfTheDatabase(std::string_view name) {
  for (const std::string_view own :
       {"WiredTiger", "WiredTiger.lock", "WiredTiger.turtle", "WiredTiger.turtle.set",
        "WiredTiger.wt", "WiredTiger.wt.orig", "WiredTiger.basecfg", "WiredTiger.basecfg.set",
        "WiredTiger.backup", "WiredTiger.ibackup", "WiredTigerLAS.wt", "WiredTigerHS.wt"}) {
    if (name == own) return true;
  }
  for (const std::string_view numbered :
       {"WiredTigerLog.", "WiredTigerPreplog.", "WiredTigerTmplog."}) {
    if (name.starts_with(numbered) &&
        name.find_first_not_of("0123456789", numbered.size()) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// The table in a directory: our own, or the only one of a foreign database. Empty: there is none,
// or no database.
std::string TableIn(const std::string& directory) {
  if (levelfield::StartOfFile(directory + "/WiredTiger", 10) != "WiredTiger") return "";
  std::vector<std::string> tables;
  for (const std::string& name : levelfield::NamesIn(directory)) {
    if (!name.ends_with(".wt") || IsOfTheDatabase(name)) continue;
    tables.push_back(name.substr(0, name.size() - 3));
    if (tables.back() == kOwnTable) return tables.back();
  }
  return tables.size() == 1 ? tables.front() : "";
}

// ---- The store

class Store : public levelfield::OverriddenSettings {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    auto opened = std::make_unique<Store>();
    lf_code code = ReadConfig(settings, &opened->config_);
    if (code != LF_OK || directory == nullptr) return code;
    opened->directory_ = directory;
    code = opened->OpenDatabase("");
    if (code == LF_OK) code = opened->OpenTable();
    if (code == LF_OK) store = std::move(opened);
    return code;
  }

  ~Store() {
    const levelfield::ErrorOfThread cause = levelfield::LastError();
    Close();
    levelfield::LastError() = cause;
  }

  // Makes a checkpoint.
  lf_code Close() {
    WT_CONNECTION* const closing = std::exchange(connection_, nullptr);
    if (closing == nullptr) return LF_OK;
    return Done("close " + directory_, closing->close(closing, nullptr));
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>();
    const int error = session->Begin(connection_, uri_);
    if (error == 0) return LF_OK;
    const bool is_full = last_words.find("out of sessions") != std::string::npos;
    std::string text = Explain("begin a session", error);
    if (is_full) text += "; give a larger --wiredtiger.session_max";
    session.reset();
    return levelfield::Failed(std::move(text));
  }

  // Syncs the log, in every class.
  lf_code Sync() {
    const std::lock_guard lock(mutex_);
    return Done("sync the log in " + directory_, session_->log_flush(session_, "sync=on"));
  }

  // Moves pages to the front of the file and releases the rest.
  lf_code Compact() {
    const std::lock_guard lock(mutex_);
    const int error = session_->compact(session_, uri_.c_str(), "timeout=0");
    return error == 0 ? Checkpoint() : Failed("compact " + uri_ + " in " + directory_, error);
  }

  lf_code Flush() {
    const std::lock_guard lock(mutex_);
    return Checkpoint();
  }

  static constexpr Refusal WaitForBackground{
      "WiredTiger has no call that waits for its threads; a flush makes the checkpoint that is "
      "due"};
  static constexpr Refusal CompactRange{"WiredTiger compacts whole tables (WT_SESSION::compact)"};
  static constexpr Refusal ApproximateBytes{
      "WiredTiger counts the bytes of a whole table, not of a range"};

  // WT_SESSION::verify reads every page and compares its checksum.
  lf_code VerifyChecksums() {
    const std::lock_guard lock(mutex_);
    return Verify();
  }

  // The files named by an open backup cursor do not change.
  lf_code Backup(const char* directory) {
    const std::lock_guard lock(mutex_);
    if (const lf_code code = Checkpoint(); code != LF_OK) return code;
    WT_CURSOR* files = nullptr;
    int error = session_->open_cursor(session_, "backup:", nullptr, nullptr, &files);
    if (error != 0) return Failed("begin a backup of " + directory_, error);
    while ((error = files->next(files)) == 0) {
      const char* name = nullptr;
      error = files->get_key(files, &name);
      if (error != 0) break;
      const std::string to = std::string(directory) + "/" + name;
      if (!levelfield::CopyFile(directory_ + "/" + name, to)) {
        error = errno;
        break;
      }
    }
    const int closed = files->close(files);
    if (error == WT_NOTFOUND) error = closed;
    return Done("back up " + directory_ + " into " + directory, error);
  }

  static lf_code Restore(const char* backup, const char* directory) {
    if (Recognize(backup) != LF_OK) {
      return levelfield::Failed(std::string("WiredTiger: cannot restore ") + backup +
                                ": it holds no WiredTiger database");
    }
    for (const std::string& name : FilesOf(backup)) {
      const std::string from = std::string(backup) + "/" + name;
      if (!levelfield::CopyFile(from, std::string(directory) + "/" + name)) {
        return Failed("restore " + from, errno);
      }
    }
    return LF_OK;
  }

  static lf_code Recognize(const char* path) {
    return TableIn(path).empty() ? LF_NOT_FOUND : LF_OK;
  }

  static lf_code Destroy(const char* path) {
    for (const std::string& name : FilesOf(path)) {
      const std::string file = std::string(path) + "/" + name;
      if (!levelfield::RemoveFile(file)) return Failed("remove " + file, errno);
    }
    return LF_OK;
  }

  // Repairs first the database's own files, then the table (WT_SESSION::salvage).
  static lf_code Repair(const char* path, const EngineSettings& settings) {
    if (Recognize(path) != LF_OK) {
      return levelfield::Failed(std::string("WiredTiger: cannot repair ") + path +
                                ": it holds no WiredTiger database");
    }
    Store store;
    lf_code code = ReadConfig(settings, &store.config_);
    if (code != LF_OK) return code;
    store.directory_ = path;
    code = store.OpenDatabase(",salvage=true");
    if (code != LF_OK) return code;
    const int error = store.session_->salvage(store.session_, store.uri_.c_str(), nullptr);
    if (error != 0) return Failed("salvage " + store.uri_ + " in " + path, error);
    return store.Close();
  }

  lf_code Property(std::string_view name, const char** text) {
    const std::lock_guard lock(mutex_);
    text_.clear();
    lf_code code = LF_OK;
    if (name == "options") {
      text_ = "wiredtiger_open=" + config_.connection + "\n" + uri_ + "=" + table_config_ + "\n";
    } else if (name == "stats") {
      code = AppendStatistics("statistics:");
    } else if (name == "sstables") {
      code = AppendStatistics("statistics:" + uri_);
    } else if (name == "check") {
      code = Verify();
      text_ = "WT_SESSION::verify: every page is in order";
    } else {
      return Unsupported("WiredTiger has only the properties options, stats, sstables and check");
    }
    *text = text_.c_str();
    return code;
  }

  // By its statistics, and by what it has noted of the table. Nothing tells of session_max and of
  // when it makes checkpoints.
  void InForce(const levelfield::InForceSink& tell) {
    const std::lock_guard lock(mutex_);
    for (const auto& [uri, name, key] :
         {std::tuple("statistics:", "cache_size", WT_STAT_CONN_CACHE_BYTES_MAX),
          std::tuple("statistics:", "log_file_size", WT_STAT_CONN_LOG_MAX_FILESIZE),
          std::tuple("table", "block_size", WT_STAT_DSRC_BTREE_MAXLEAFPAGE),
          std::tuple("table", "leaf_value_max", WT_STAT_DSRC_BTREE_MAXLEAFVALUE)}) {
      const std::string of = std::string_view(uri) == "table" ? "statistics:" + uri_ : uri;
      WT_CURSOR* statistics = nullptr;
      if (session_->open_cursor(session_, of.c_str(), nullptr, nullptr, &statistics) != 0) continue;
      tell.Number(name, Statistic(statistics, key));
      statistics->close(statistics);
    }
    tell.Text("compression", CompressionOfTable());
    if (const std::string checksum = TableSetting("checksum"); !checksum.empty()) {
      tell.Text("checksum", checksum);
    }
  }

  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    const std::lock_guard lock(mutex_);
    WT_CURSOR* statistics = nullptr;
    if (session_->open_cursor(session_, "statistics:", nullptr, nullptr, &statistics) != 0) return;
    const auto ask = [&](int key) { return Statistic(statistics, key); };
    sink(context, "written_bytes",
         ask(WT_STAT_CONN_BLOCK_BYTE_WRITE) + ask(WT_STAT_CONN_LOG_BYTES_WRITTEN));
    sink(context, "wiredtiger.pages_requested", ask(WT_STAT_CONN_CACHE_PAGES_REQUESTED));
    sink(context, "wiredtiger.pages_read", ask(WT_STAT_CONN_CACHE_READ));
    sink(context, "wiredtiger.pages_written", ask(WT_STAT_CONN_CACHE_WRITE));
    sink(context, "wiredtiger.checkpoints", ask(WT_STAT_CONN_TXN_CHECKPOINT));
    sink(context, "wiredtiger.log_syncs", ask(WT_STAT_CONN_LOG_SYNC));
    sink(context, "wiredtiger.update_conflicts", ask(WT_STAT_CONN_TXN_UPDATE_CONFLICT));
    statistics->close(statistics);
  }

  // With a session of its own, because a checkpoint occupies the other one.
  void Activities(void* context, void (*sink)(void*, const char*)) {
    WT_CURSOR* statistics = nullptr;
    if (watcher_->open_cursor(watcher_, "statistics:", nullptr, nullptr, &statistics) != 0) return;
    if (Statistic(statistics, WT_STAT_CONN_TXN_CHECKPOINT_RUNNING) != 0) {
      sink(context, "checkpoint");
    }
    statistics->close(statistics);
  }

 private:
  static std::vector<std::string> FilesOf(const std::string& directory) {
    const std::string table = TableIn(directory) + ".wt";
    std::vector<std::string> files;
    if (table == ".wt") return files;
    for (const std::string& name : levelfield::NamesIn(directory)) {
      if (name == table || IsOfTheDatabase(name)) files.push_back(name);
    }
    return files;
  }

  lf_code OpenDatabase(const char* also) {
    const std::string config =
        config_.connection + ",extensions=[" + config_.extensions + "]" + also;
    if (config_.is_check && !levelfield::IsFile(directory_ + "/WiredTiger.turtle")) {
      return Unsupported("WiredTiger: " + directory_ +
                         " has no WiredTiger.turtle, and an open would make its metadata anew");
    }
    const std::string table = TableIn(directory_);
    uri_ = "table:" + (table.empty() ? std::string(kOwnTable) : table);
    int error = wiredtiger_open(directory_.c_str(), &event_handler, config.c_str(), &connection_);
    if (error == WT_RUN_RECOVERY && config_.read_only) {
      return Unsupported("WiredTiger: " + directory_ +
                         " needs a recovery, which a store that is opened read-only cannot have");
    }
    for (WT_SESSION** session : {&session_, &watcher_}) {
      if (error == 0) error = connection_->open_session(connection_, nullptr, nullptr, session);
    }
    return Done("open " + directory_, error);
  }

  lf_code OpenTable() {
    if (!config_.read_only && !config_.is_check && TableIn(directory_).empty()) {
      const int error = session_->create(session_, uri_.c_str(), config_.table.c_str());
      if (error != 0) return Failed("create " + uri_ + " in " + directory_, error);
    }
    WT_CURSOR* metadata = nullptr;
    const char* config = nullptr;
    int error = session_->open_cursor(session_, "metadata:create", nullptr, nullptr, &metadata);
    if (error == 0) {
      metadata->set_key(metadata, uri_.c_str());
      error = metadata->search(metadata);
    }
    if (error == 0) error = metadata->get_value(metadata, &config);
    if (error == 0) table_config_ = config;
    if (metadata != nullptr) metadata->close(metadata);
    if (error != 0) return Failed("look up " + uri_ + " in " + directory_, error);
    // Meets a damaged table here and not in the first session.
    WT_CURSOR* cursor = nullptr;
    error = session_->open_cursor(session_, uri_.c_str(), nullptr, nullptr, &cursor);
    if (error == 0) error = cursor->close(cursor);
    if (error != 0) return Failed("open " + uri_ + " in " + directory_, error);
    const lf_code code = config_.is_check ? CheckIsWhole() : LF_OK;
    return code == LF_OK ? CheckTable() : code;
  }

  // Other tables of the database would not be read.
  lf_code CheckIsWhole() {
    WT_CURSOR* metadata = nullptr;
    std::string other;
    int error = session_->open_cursor(session_, "metadata:", nullptr, nullptr, &metadata);
    while (error == 0 && other.empty() && (error = metadata->next(metadata)) == 0) {
      const char* key = nullptr;
      error = metadata->get_key(metadata, &key);
      const std::string_view name = error == 0 ? key : "";
      const bool is_table = name.starts_with("table:") || name.starts_with("lsm:");
      if (is_table && name != uri_) other = name;
    }
    if (metadata != nullptr) metadata->close(metadata);
    if (error != 0 && error != WT_NOTFOUND) return Failed("list the tables of " + directory_, error);
    if (other.empty()) return LF_OK;
    return Unsupported("WiredTiger: " + directory_ + " holds other tables beside " + uri_ + " (" +
                       other + ", ...), and that one alone is read");
  }

  // The setting that the table was made with. Empty if it is not known.
  std::string TableSetting(const char* name) const {
    WT_CONFIG_PARSER* parser = nullptr;
    WT_CONFIG_ITEM item{};
    std::string value;
    if (wiredtiger_config_parser_open(session_, table_config_.c_str(), table_config_.size(),
                                      &parser) != 0) {
      return value;
    }
    if (parser->get(parser, name, &item) == 0) {
      value = item.type == WT_CONFIG_ITEM::WT_CONFIG_ITEM_NUM ? std::to_string(item.val)
                                                              : std::string(item.str, item.len);
    }
    parser->close(parser);
    return value;
  }

  std::string CompressionOfTable() const {
    const std::string compressor = TableSetting("block_compressor");
    return compressor.empty() ? "none" : compressor;
  }

  // An existing table keeps its form.
  lf_code CheckTable() {
    const std::string formats = TableSetting("key_format") + TableSetting("value_format");
    if (formats != "uu") {
      return Unsupported("WiredTiger: " + uri_ + " in " + directory_ +
                         " has not bytes for keys and values (key_format=u,value_format=u)");
    }
    const auto differs = [&](const char* name, const std::string& value, bool is_given) {
      overridden.emplace_back(name, value);
      if (!is_given) return LF_OK;
      return Unsupported("WiredTiger: " + uri_ + " in " + directory_ + " was made with " + name +
                         "=" + value + "; the option applies to a new table only");
    };
    lf_code code = LF_OK;
    const std::string page = TableSetting("leaf_page_max");
    if (config_.page_bytes != 0 && page != std::to_string(config_.page_bytes)) {
      code = differs("block_size", page, config_.page_given);
    }
    const std::string value = TableSetting("leaf_value_max");
    if (code == LF_OK && config_.leaf_value_bytes != 0 &&
        value != std::to_string(config_.leaf_value_bytes)) {
      code = differs("leaf_value_max", value, config_.leaf_value_given);
    }
    const std::string compression = CompressionOfTable();
    if (code == LF_OK && !config_.compression.empty() && compression != config_.compression) {
      code = differs("compression", compression, config_.compression_given);
    }
    const std::string checksum = TableSetting("checksum");
    if (code == LF_OK && !config_.checksum.empty() && checksum != config_.checksum) {
      code = differs("checksum", checksum, config_.checksum_given);
    }
    return code;
  }

  lf_code Checkpoint() {
    return Done("make a checkpoint in " + directory_, session_->checkpoint(session_, nullptr));
  }

  lf_code Verify() {
    const int error = session_->verify(session_, uri_.c_str(), nullptr);
    if (error == WT_ERROR) words_tell_damage = true;  // It has found what is wrong.
    if (error != EBUSY) return Done("verify " + uri_ + " in " + directory_, error);
    last_words.clear();
    return Unsupported("WiredTiger verifies a table that no session has open: end them first");
  }

  static uint64_t Statistic(WT_CURSOR* statistics, int key) {
    const char* description = nullptr;
    const char* printed = nullptr;
    int64_t value = 0;
    statistics->set_key(statistics, key);
    if (statistics->search(statistics) != 0 ||
        statistics->get_value(statistics, &description, &printed, &value) != 0) {
      return 0;
    }
    return static_cast<uint64_t>(value);
  }

  lf_code AppendStatistics(const std::string& uri) {
    WT_CURSOR* statistics = nullptr;
    int error = session_->open_cursor(session_, uri.c_str(), nullptr, nullptr, &statistics);
    if (error != 0) return Failed("read " + uri, error);
    while ((error = statistics->next(statistics)) == 0) {
      const char* description = nullptr;
      const char* printed = nullptr;
      int64_t value = 0;
      error = statistics->get_value(statistics, &description, &printed, &value);
      if (error != 0) break;
      levelfield::AppendLine(text_, description, printed);
    }
    statistics->close(statistics);
    return error == WT_NOTFOUND ? LF_OK : Failed("read " + uri, error);
  }

  Config config_;
  std::string directory_;
  std::string uri_;
  std::string table_config_;
  WT_CONNECTION* connection_ = nullptr;
  WT_SESSION* session_ = nullptr;  // For the store's own calls, one at a time.
  WT_SESSION* watcher_ = nullptr;
  std::mutex mutex_;
  std::string text_;
};

void Describe(void* context, lf_fact_sink sink) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  const char* text = wiredtiger_version(&major, &minor, &patch);
  sink(context, "language", "C");
  sink(context, "version", levelfield::VersionText(major, minor, patch).c_str());
  sink(context, "released", levelfield::YearOf(text).c_str());
  sink(context, "version_text", text);
  sink(context, "build", LEVELFIELD_BUILD);
#ifdef LEVELFIELD_NEWER_IS_TO_BE_HAD
  sink(context, "warning", "the distribution's library; `make engines` builds the newest release");
#endif
  const std::string path = LibraryFile();
  sink(context, "library", path.c_str());
  sink(context, "memory", "12M 500K (anonymous memory at 1 and 32 threads, up to a million keys)");
  sink(context, "crc32",
       levelfield::Crc32Kind(reinterpret_cast<const void*>(&wiredtiger_crc32c_func)));
  std::string compressors;
  for (const auto& [name, file] : Compressors()) {
    compressors += (compressors.empty() ? "" : ", ") + name;
  }
  sink(context, "compressors", compressors.empty() ? "none" : compressors.c_str());
  sink(context, "read_only", "wiredtiger_open, readonly=true");
  sink(context, "space_factor", "6.33 " LEVELFIELD_SPACE_MEASURED);
#ifdef LEVELFIELD_ASSERTIONS
  sink(context, "assertions", LEVELFIELD_ASSERTIONS);
#else
  levelfield::TellOfAssertions(context, sink, path, "__wt_assert", "WiredTiger");
#endif
  sink(context, "checksums",
       "CRC32C of every page that is not compressed, and of every record of the log");
  sink(context, "compared",
       "each page that has a checksum when it is read into the cache, which is its default; the "
       "log when it is recovered");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "wiredtiger",
    .summary = "WiredTiger: a B-tree with versions in memory, checkpoints and a log",
    .license = "GPL-2.0-only OR GPL-3.0-only",
    .capabilities = LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
