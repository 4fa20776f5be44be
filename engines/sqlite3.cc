// SQLite as a key-value store: one table `test` with the columns `key` and `value`, like LevelDB's
// own db_bench_sqlite3, in DIR/levelfield.sqlite3. In a file from another program the table may
// have another name.
//
// A session is a connection of its own with its own prepared statements, as SQLite requires of
// threads (https://www.sqlite.org/threadsafe.html, "multi-thread"). The store has one more
// connection for calls that are not measured: creating, syncing, compacting, properties. That one
// is serialized, because those calls may come from any thread. With locking_mode=exclusive there is
// one connection and one session, so it has no mutex either: each row of a scan would take it five
// times, a third of the scan's time.
//
// Writers of several sessions take turns. A writer that finds the lock taken sleeps inside SQLite
// and tries again, after 1 ms at first and 100 ms in the end, up to kBusyTimeoutMs. This is
// sqlite3_busy_timeout, which the documentation recommends. These sleeps are the cost of SQLite's
// locking, not of ours.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "levelfield/engine.h"
#include "library_facts.h"
#include "store_files.h"

namespace {

using levelfield::EngineSettings;
using levelfield::Refusal;
using levelfield::Unsupported;

constexpr uint64_t kPageBytes = 4096;  // SQLite's default.

// Long enough for every other writer's turn. A write that still finds the lock taken is an error.
constexpr int kBusyTimeoutMs = 60'000;

const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "2000 KiB for each session (SQLite's default)", nullptr,
     "Page cache of all sessions together (PRAGMA cache_size): each session is a connection with a "
     "cache of its own, so they get equal shares, at least 1 KiB each."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr,
     "Every commit goes to the file at once; how far the log may grow before it is copied back is "
     "--sqlite3.wal_autocheckpoint."},
    {"block_size", LF_BYTES, "4096", nullptr,
     "PRAGMA page_size, a power of two from 512 to 65536, fixed when the file is made."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "A B-tree has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "SQLite keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Holds one file and its log open."},
    {"rowids", LF_FLAG, "0 for values of up to a twentieth of a page, else 1", nullptr,
     "Makes the table with rowids: a table of rows plus an index of keys, instead of WITHOUT "
     "ROWID's one B-tree, which is for smaller rows (https://www.sqlite.org/withoutrowid.html)."},
    {"journal_mode", LF_CHOICE, "wal", "wal|delete",
     "PRAGMA journal_mode (https://www.sqlite.org/wal.html)."},
    {"synchronous", LF_CHOICE,
     "off for process; for synced full, or extra with journal_mode=delete", "off|normal|full|extra",
     "PRAGMA synchronous (https://www.sqlite.org/pragma.html#pragma_synchronous); refused where it "
     "is weaker than --durability."},
    {"wal_autocheckpoint", LF_COUNT, "1000", nullptr,
     "Pages in the log before a commit copies them back into the file; 0 never does."},
    {"mmap_size", LF_BYTES, "0", nullptr,
     "Bytes of the file read through a memory map instead of read() "
     "(https://www.sqlite.org/mmap.html)."},
    {"locking_mode", LF_CHOICE, "normal", "normal|exclusive",
     "exclusive keeps the file lock between transactions and needs no shared memory; then there "
     "can be one session only."},
    {"secure_delete", LF_FLAG, "0, as SQLite ships it (Debian's build turns it on)", nullptr,
     "Overwrites what is deleted with zeros (PRAGMA secure_delete)."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_alternative kAlternatives[] = {
    {"equal", "locking_mode=exclusive", "process,synced",
     "Saves system calls where one process has the file, as LevelDB, RocksDB, Kyoto Cabinet and "
     "WiredTiger hold theirs; with several sessions it is normal.",
     "https://www.sqlite.org/pragma.html#pragma_locking_mode"},
    {"page_8k", "block_size=8192", "process,synced",
     "8 and 16 KiB are the fastest pages for large values.",
     "https://www.sqlite.org/intern-v-extern-blob.html"},
    {"page_16k", "block_size=16384", "process,synced",
     "8 and 16 KiB are the fastest pages for large values.",
     "https://www.sqlite.org/intern-v-extern-blob.html"},
    {"mmap", "mmap_size=1G", "process,synced",
     "Can be faster for reads, as pages are not copied, but not for each load.",
     "https://www.sqlite.org/mmap.html"},
    {"no_readahead", "mmap_size=0", "process,synced",
     "Without a map, which is the default, pages are read by calls of read().",
     "https://www.sqlite.org/mmap.html"},
    {"long_log", "wal_autocheckpoint=10000", "process,synced",
     "Rarer checkpoints speed writes up and slow reads down.",
     "https://www.sqlite.org/wal.html#performance_considerations"},
    {"rowids", "rowids=1", "process,synced",
     "WITHOUT ROWID is for rows below about a twentieth of a page.",
     "https://www.sqlite.org/withoutrowid.html"},
    {"no_rowids", "rowids=0", "process,synced",
     "WITHOUT ROWID is one B-tree instead of two, in the order of the keys.",
     "https://www.sqlite.org/withoutrowid.html"},
    {"own", "cache_size=2000K", "process,synced",
     "A suggestion for each connection, which a program is to change to what suits it.",
     "https://www.sqlite.org/pragma.html#pragma_cache_size"},
    {"own", "journal_mode=delete", "process,synced",
     "WAL is much faster in most cases, and readers and the writer do not block each other.",
     "https://www.sqlite.org/wal.html"},
    {"own", "rowids=1", "process,synced",
     "A table has rowids unless it is made WITHOUT ROWID, which about halves the space and the "
     "time of a primary key that is no integer.",
     "https://www.sqlite.org/withoutrowid.html"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

// By evidence: 100 simulated power cuts of WAL with FULL and 80 of DELETE with EXTRA lost nothing.
// DELETE with FULL lost the last commit, because it does not sync the directory.
const lf_durability kDurabilities[] = {
    {"none", LF_REFUSED,
     "SQLite hands every commit to the operating system before it returns, at every setting; "
     "journal_mode=off or memory would risk the whole file, not a tail of it"},
    {"process", LF_D1_PROCESS, "journal_mode=wal, synchronous=off"},
    {"synced", LF_D4_SYNCED,
     "journal_mode=wal, synchronous=full (with journal_mode=delete: synchronous=extra)"},
    {nullptr, LF_REFUSED, nullptr},
};

// "SQLite: cannot put (DIR/levelfield.sqlite3): database is locked (5)". A schema that this version
// cannot read, as one of a newer version, is SQLITE_CORRUPT too.
lf_code Failed(sqlite3* connection, const std::string& what) {
  const char* file = sqlite3_db_filename(connection, "main");
  const int code = sqlite3_extended_errcode(connection);
  const std::string words = sqlite3_errmsg(connection);
  const std::string text = "SQLite: cannot " + what + " (" + (file != nullptr ? file : "") +
                           "): " + words + " (" + std::to_string(code) + ")";
  const int kind = code & 0xff;
  const bool is_damage = (kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB) &&
                         !words.starts_with("malformed database schema");
  return is_damage ? levelfield::Damaged(text) : levelfield::Failed(text);
}

// ---- Settings

struct Settings {
  uint64_t cache_kib = 0;    // For all sessions together. 0: not given.
  uint64_t cache_bytes = 0;  // As it was asked for.
  uint64_t page_bytes = 0;
  bool rowids = false;
  bool has_rowids = false;    // `rowids` was passed to the engine.
  bool rowids_given = false;  // Somebody has requested it. Otherwise the file's own value wins.
  bool page_given = false;    // The same for `page_bytes`.
  bool wal = true;
  bool wal_gave_way = false;  // Replaced by the file's own mode, because nobody requested WAL.
  bool exclusive = false;
  bool exclusive_gave_way = false;  // Dropped because of several sessions, and nobody requested it.
  bool read_only = false;
  bool is_check = false;
  bool secure_delete = false;
  std::string synchronous;
  std::string wal_autocheckpoint;
  std::string mmap_bytes;
};

// The most of a file that this build maps: its compile option MAX_MMAP_SIZE=0x7fff0000.
uint64_t MostMmapBytes() {
  constexpr std::string_view kName = "MAX_MMAP_SIZE=";
  for (int i = 0; const char* option = sqlite3_compileoption_get(i); ++i) {
    if (std::string_view(option).starts_with(kName)) {
      return std::strtoull(option + kName.size(), nullptr, 0);
    }
  }
  return 0;
}

int Strength(std::string_view synchronous) {
  constexpr std::string_view kWeakestFirst[] = {"off", "normal", "full", "extra"};
  return static_cast<int>(std::ranges::find(kWeakestFirst, synchronous) - kWeakestFirst);
}

lf_code Read(const EngineSettings& given, Settings& settings) {
  const std::string_view durability = given.Durability();
  if (durability == "none")
    return Unsupported(
        "SQLite: --durability=none: no weaker setting than process keeps the file whole");
  settings.wal = given.Text("journal_mode", "wal") == "wal";
  const std::string_view needed = durability != "synced" ? "off" : settings.wal ? "full" : "extra";
  settings.synchronous = given.Text("synchronous", needed);
  if (Strength(settings.synchronous) < Strength(needed)) {
    return Unsupported("SQLite: --sqlite3.synchronous=" + settings.synchronous +
                       " is too weak for --durability=" + std::string(durability) +
                       ", which needs " + std::string(needed));
  }

  const lf_code in_range =
      given.CheckRanges("SQLite", {{"cache_size", 0, uint64_t{INT32_MAX} << 10},
                                   {"block_size", 512, 65536},
                                   {"wal_autocheckpoint", 0, INT32_MAX},
                                   {"mmap_size", 0, MostMmapBytes()}});
  if (in_range != LF_OK) return in_range;
  if (given.Has("cache_size")) {
    settings.cache_bytes = given.Number("cache_size", 0);
    settings.cache_kib = std::max<uint64_t>(settings.cache_bytes / 1024, 1);
  }
  settings.page_bytes = given.Number("block_size", 0);
  if (settings.page_bytes != 0 && !std::has_single_bit(settings.page_bytes)) {
    return Unsupported("SQLite: --block_size=" + std::to_string(settings.page_bytes) +
                       ": a page is a power of two");
  }
  if (given.Has("wal_autocheckpoint") && !settings.wal) {
    return Unsupported("SQLite: --sqlite3.wal_autocheckpoint needs journal_mode=wal");
  }
  settings.wal_autocheckpoint = given.Text("wal_autocheckpoint", "");
  settings.mmap_bytes = given.Text("mmap_size", "");
  settings.page_given = given.IsGiven("block_size");
  settings.has_rowids = given.Has("rowids");
  settings.rowids_given = given.IsGiven("rowids");
  const uint64_t page_bytes = settings.page_bytes != 0 ? settings.page_bytes : kPageBytes;
  settings.rowids = given.Flag("rowids", given.ExpectedValueBytes() > page_bytes / 20);
  settings.exclusive = given.Text("locking_mode", "normal") == "exclusive";
  if (settings.exclusive && given.IsDefault("locking_mode") && given.ExpectedSessions() != 1) {
    settings.exclusive = false;
    settings.exclusive_gave_way = true;
  }
  settings.secure_delete = given.Flag("secure_delete", false);
  settings.read_only = given.Flag("read_only", false);
  settings.is_check = given.IsCheck();
  if (settings.read_only && settings.wal) {
    if (given.IsGiven("journal_mode")) {
      return Unsupported("SQLite: journal_mode=wal would change the file");
    }
    settings.wal = false;  // See WhyNotReadOnly.
    settings.wal_gave_way = given.Has("journal_mode");
  }
  return LF_OK;
}

// ---- Connections and statements

using Connection = std::shared_ptr<sqlite3>;  // Shared only with locking_mode=exclusive.

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

lf_code Execute(sqlite3* connection, const std::string& sql) {
  if (sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return LF_OK;
  return Failed(connection, sql);
}

lf_code Prepare(sqlite3* connection, const char* sql, Statement& statement) {
  sqlite3_stmt* prepared = nullptr;
  const int code =
      sqlite3_prepare_v3(connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  statement.reset(prepared);
  return code == SQLITE_OK ? LF_OK : Failed(connection, std::string("prepare ") + sql);
}

// Appends all rows, a line each, with columns separated by a space. Nothing if the query fails.
void AppendRows(sqlite3* connection, const std::string& sql, std::string& text) {
  const auto append = [](void* out, int columns, char** values, char**) {
    for (int i = 0; i < columns; ++i) {
      if (i != 0) *static_cast<std::string*>(out) += ' ';
      *static_cast<std::string*>(out) += values[i] != nullptr ? values[i] : "";
    }
    *static_cast<std::string*>(out) += '\n';
    return 0;
  };
  sqlite3_exec(connection, sql.c_str(), append, &text, nullptr);
}

// The first row as text, without the end of the line.
std::string Answer(sqlite3* connection, const std::string& sql) {
  std::string text;
  AppendRows(connection, sql, text);
  return text.substr(0, text.find('\n'));
}

lf_code SetCacheKib(sqlite3* connection, uint64_t kib) {
  if (kib == 0) return LF_OK;
  return Execute(connection, "PRAGMA cache_size=-" + std::to_string(kib));
}

// Opens a connection with the settings. `flags` say whether it creates and how it locks.
lf_code Connect(const std::string& path, int flags, const Settings& settings,
                const std::string& synchronous, Connection& connection) {
  sqlite3* opened = nullptr;
  const int access = settings.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  const int code =
      sqlite3_open_v2(path.c_str(), &opened, flags | access | SQLITE_OPEN_EXRESCODE, nullptr);
  connection.reset(opened, sqlite3_close);
  if (code != SQLITE_OK)
    return levelfield::Failed("SQLite: cannot open " + path + ": " + sqlite3_errstr(code) + " (" +
                              std::to_string(code) + ")");
  sqlite3_busy_timeout(opened, kBusyTimeoutMs);

  // The page size comes first, because the first page fixes it. The locking mode comes before
  // anything is read, or WAL would already have made its shared memory.
  std::string pragmas;
  const auto set = [&pragmas](const char* pragma, const std::string& value) {
    if (!value.empty()) pragmas += std::string("PRAGMA ") + pragma + "=" + value + ";";
  };
  set("page_size", settings.page_bytes != 0 ? std::to_string(settings.page_bytes) : "");
  set("locking_mode", settings.exclusive ? "exclusive" : "");
  set("synchronous", synchronous);
  set("secure_delete", settings.secure_delete ? "on" : "off");
  set("wal_autocheckpoint", settings.wal_autocheckpoint);
  set("mmap_size", settings.mmap_bytes);
  return Execute(opened, pragmas);
}

// ---- Sessions

constexpr std::array<std::pair<int, const char*>, 4> kCacheCounters = {{
    {SQLITE_DBSTATUS_CACHE_HIT, "sqlite.cache_hits_of_ended_sessions"},
    {SQLITE_DBSTATUS_CACHE_MISS, "sqlite.cache_misses_of_ended_sessions"},
    {SQLITE_DBSTATUS_CACHE_WRITE, "sqlite.cache_writes_of_ended_sessions"},
    {SQLITE_DBSTATUS_CACHE_SPILL, "sqlite.cache_spills_of_ended_sessions"},
}};

// Shared by the sessions of one store. `sessions` changes only in begin_session and end_session,
// which one thread at a time calls.
struct Shared {
  uint64_t cache_kib = 0;  // For all sessions together. 0: SQLite's default for each.
  uint64_t sessions = 0;
  std::string table = "test";
  // Makes a session's connection. Null if the file's lock allows only one.
  std::function<lf_code(Connection&)> connect;
  // Why there are no snapshots. Null if there are.
  const char* no_snapshots = nullptr;
  std::atomic<uint64_t> cache_kib_each{0};
  // Added when a session ends. SQLite counts per connection, and another thread must not ask a
  // connection that is in use.
  std::array<std::atomic<uint64_t>, kCacheCounters.size()> cache_counters{};
  std::atomic<int> checkpoints{0};  // Commits of sessions that are running a checkpoint.

  void ShareCache() {
    if (cache_kib != 0) {
      cache_kib_each = std::max<uint64_t>(cache_kib / std::max<uint64_t>(sessions, 1), 1);
    }
  }
};

enum Query {
  kGet,
  kPut,
  kErase,
  kBegin,
  kCommit,
  kRollback,
  kFirst,  // The order from here on is that of lf_seek.
  kLast,
  kAtOrAfter,
  kAtOrBefore,
  kAfter,
  kBefore,
  kQueries
};

// `@` stands for the table. An upsert, not REPLACE: it keeps the row, and the rowid if there is
// one.
constexpr std::array<const char*, kQueries> kSql = {
    "SELECT value FROM @ WHERE key=?1",
    "INSERT INTO @(key,value) VALUES(?1,?2) ON CONFLICT(key) DO UPDATE SET value=excluded.value",
    "DELETE FROM @ WHERE key=?1",
    "BEGIN IMMEDIATE",
    "COMMIT",
    "ROLLBACK",
    "SELECT key,value FROM @ ORDER BY key",
    "SELECT key,value FROM @ ORDER BY key DESC",
    "SELECT key,value FROM @ WHERE key>=?1 ORDER BY key",
    "SELECT key,value FROM @ WHERE key<=?1 ORDER BY key DESC",
    "SELECT key,value FROM @ WHERE key>?1 ORDER BY key",
    "SELECT key,value FROM @ WHERE key<?1 ORDER BY key DESC",
};

// Quoted for SQL, whatever characters it has: a name in ", a text in '.
std::string Quoted(const std::string& text, char mark = '"') {
  std::string quoted(1, mark);
  for (const char c : text) quoted += c == mark ? std::string(2, mark) : std::string(1, c);
  return quoted + mark;
}

std::string Sql(Query query, const std::string& table) {
  std::string sql = kSql[query];
  if (const size_t at = sql.find('@'); at != std::string::npos) sql.replace(at, 1, Quoted(table));
  return sql;
}

class Session {
 public:
  Session(Connection connection, Shared& shared)
      : connection_(std::move(connection)), shared_(shared) {
    ++shared_.sessions;
    shared_.ShareCache();
  }

  ~Session() {
    RollBackTransaction();  // On a shared connection it would outlive the session.
    for (size_t i = 0; i < kCacheCounters.size(); ++i) {
      int count = 0;
      int peak = 0;
      sqlite3_db_status(connection_.get(), kCacheCounters[i].first, &count, &peak, 1);
      shared_.cache_counters[i] += static_cast<unsigned>(count);
    }
    --shared_.sessions;
    shared_.ShareCache();
  }

  // Makes SQLite's own checkpoints at commits visible: the same hook as SQLite's
  // (https://www.sqlite.org/c3ref/wal_autocheckpoint.html), with a count around it.
  void WatchCheckpoints() {
    checkpoint_pages_ = std::atoi(Answer(connection_.get(), "PRAGMA wal_autocheckpoint").c_str());
    if (checkpoint_pages_ <= 0) return;
    const auto at_commit = [](void* self, sqlite3* connection, const char* database, int pages) {
      const Session& session = *static_cast<const Session*>(self);
      if (pages < session.checkpoint_pages_) return SQLITE_OK;
      ++session.shared_.checkpoints;
      sqlite3_wal_checkpoint(connection, database);
      --session.shared_.checkpoints;
      return SQLITE_OK;
    };
    sqlite3_wal_hook(connection_.get(), at_commit, this);
  }

  lf_code Begin() {
    for (size_t i = 0; i < kQueries; ++i) {
      const std::string sql = Sql(static_cast<Query>(i), shared_.table);
      if (Prepare(connection_.get(), sql.c_str(), statements_[i]) != LF_OK) return LF_FAILED;
    }
    return TakeShareOfCache();
  }

  // The value is copied and the statement reset at once, although its memory would last until the
  // next call. A SELECT that is not reset keeps its read transaction open, and then the log cannot
  // start over. With 50,000 puts beside one session idle after its get, the log grew to 288 MB, and
  // to 4 MB this way. The copy itself is not measurable, for 100 bytes or 1 MB.
  lf_code Get(lf_bytes key, lf_bytes* value) {
    if (Enter() != LF_OK) return LF_FAILED;
    sqlite3_stmt* statement = Of(kGet);
    if (Bind(statement, 1, key) != LF_OK) return LF_FAILED;
    const int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
      value_.assign(Column(statement, 0));
      *value = levelfield::Bytes(value_);
      sqlite3_reset(statement);
      return LF_OK;
    }
    return End(statement, "get") == LF_OK ? LF_NOT_FOUND : LF_FAILED;
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    if (Enter() != LF_OK) return LF_FAILED;
    return PutEntry(key, value);
  }

  lf_code Erase(lf_bytes key) {
    if (Enter() != LF_OK) return LF_FAILED;
    return EraseEntry(key);
  }

  lf_code Write(std::span<const lf_entry> entries) {
    if (Enter() != LF_OK) return LF_FAILED;
    if (Run(kBegin, "begin a batch") != LF_OK) return LF_FAILED;
    for (const lf_entry& entry : entries) {
      const lf_code code =
          entry.erase != 0 ? EraseEntry(entry.key) : PutEntry(entry.key, entry.value);
      if (code != LF_OK) return RollBack();
    }
    return Run(kCommit, "commit a batch") == LF_OK ? LF_OK : RollBack();
  }

  // IMMEDIATE takes the write lock before the first read. Without it, one of two transactions that
  // first read and then write would fail without waiting for its turn
  // (https://www.sqlite.org/lang_transaction.html). So transactions meet only here.
  lf_code BeginTransaction() {
    if (Enter() != LF_OK) return LF_FAILED;
    return OrConflict(Run(kBegin, "begin a transaction"));
  }

  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) { return Get(key, value); }

  lf_code CommitTransaction() {
    if (Enter() != LF_OK) return LF_FAILED;
    return OrConflict(Run(kCommit, "commit a transaction"));
  }

  lf_code RollBackTransaction() {
    if (sqlite3_get_autocommit(connection_.get()) != 0 || Of(kRollback) == nullptr) return LF_OK;
    if (Enter() != LF_OK) return LF_FAILED;
    return Run(kRollback, "roll back a transaction");
  }

  // A session prepares the statements of its scans once. This prepares those of one scan.
  lf_code NewIterator() {
    if (Enter() != LF_OK) return LF_FAILED;
    Statement statement;
    return Prepare(connection_.get(), Sql(kAtOrAfter, shared_.table).c_str(), statement);
  }

  // A scan is one unfinished SELECT, and so one read transaction: it sees the table as of the seek.
  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    if (Enter() != LF_OK) return LF_FAILED;
    sqlite3_stmt* statement = Of(static_cast<int>(kFirst) + static_cast<int>(how));
    if (how == LF_AT_OR_AFTER || how == LF_AT_OR_BEFORE) {
      key_.assign(View(key));  // The scan outlives the caller's key.
      if (Bind(statement, 1, levelfield::Bytes(key_)) != LF_OK) return LF_FAILED;
    }
    is_forward_ = how == LF_FIRST || how == LF_AT_OR_AFTER;
    scan_ = statement;
    return Step(found_key, value);
  }

  // A connection of its own, in a read transaction begun by a first read. Until it ends, it sees
  // the file as of then (https://www.sqlite.org/isolation.html).
  struct Snapshot {
    Connection connection;
    Statement get;  // Finalized before the connection closes.
    std::string value;
  };

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    if (Enter() != LF_OK) return LF_FAILED;
    if (shared_.no_snapshots != nullptr) return Unsupported(shared_.no_snapshots);
    auto taken = std::make_unique<Snapshot>();
    if (shared_.connect(taken->connection) != LF_OK) return LF_FAILED;
    sqlite3* const connection = taken->connection.get();
    if (Prepare(connection, Sql(kGet, shared_.table).c_str(), taken->get) != LF_OK ||
        Execute(connection, "BEGIN; SELECT count(*) FROM sqlite_schema") != LF_OK) {
      return LF_FAILED;
    }
    snapshot = std::move(taken);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    if (Enter() != LF_OK) return LF_FAILED;
    sqlite3_stmt* const statement = snapshot.get.get();
    if (Bind(statement, 1, key) != LF_OK) return LF_FAILED;
    const bool is_there = sqlite3_step(statement) == SQLITE_ROW;
    if (is_there) {
      snapshot.value.assign(Column(statement, 0));
      *value = levelfield::Bytes(snapshot.value);
    }
    if (sqlite3_reset(statement) != SQLITE_OK) {
      return Failed(snapshot.connection.get(), "get of a snapshot");
    }
    return is_there ? LF_OK : LF_NOT_FOUND;
  }

  static constexpr Refusal Merge{
      "SQLite has no merge operators: an UPDATE reads the row and writes it, as a get and a put "
      "do"};
  static constexpr Refusal MultiGet{
      "SQLite prepares a statement for a fixed number of keys, so there is no one call for a list "
      "of "
      "them"};

  lf_code Next(lf_bytes* key, lf_bytes* value) { return Move(true, key, value); }
  lf_code Prev(lf_bytes* key, lf_bytes* value) { return Move(false, key, value); }

 private:
  static std::string_view View(lf_bytes bytes) {
    return bytes.size != 0 ? levelfield::View(bytes) : std::string_view("");
  }

  // The column's value is looked up once, not once for its bytes and once for their number, which
  // took a tenth of a scan's step. Only its own thread uses a session's connection, so a value
  // needs no protection: https://www.sqlite.org/c3ref/value.html
  static std::string_view Column(sqlite3_stmt* statement, int column) {
    sqlite3_value* const of = sqlite3_column_value(statement, column);
    const void* data = sqlite3_value_blob(of);  // Before the size, as documented.
    const auto size = static_cast<size_t>(sqlite3_value_bytes(of));
    return size != 0 ? std::string_view(static_cast<const char*>(data), size)
                     : std::string_view("");
  }

  sqlite3_stmt* Of(int query) { return statements_[static_cast<size_t>(query)].get(); }

  // Begins every measured call but the steps of a scan.
  lf_code Enter() {
    if (scan_ != nullptr) EndScan();
    if (shared_.cache_kib_each.load(std::memory_order_relaxed) != cache_kib_) [[unlikely]] {
      return TakeShareOfCache();
    }
    return LF_OK;
  }

  // A session may begin while others run, and only a session's own thread may touch its connection.
  // So each takes its new share at its next call.
  lf_code TakeShareOfCache() {
    cache_kib_ = shared_.cache_kib_each;
    return SetCacheKib(connection_.get(), cache_kib_);
  }

  // The bytes are not copied: they outlive the step that reads them. A null pointer would mean
  // NULL.
  lf_code Bind(sqlite3_stmt* statement, int index, lf_bytes bytes) {
    const char* data = bytes.data != nullptr ? bytes.data : "";
    if (sqlite3_bind_blob64(statement, index, data, bytes.size, SQLITE_STATIC) == SQLITE_OK) {
      return LF_OK;
    }
    return Failed(connection_.get(), "bind " + std::to_string(bytes.size) + " bytes");
  }

  // Resets a completed statement. The reset returns the step's error.
  lf_code End(sqlite3_stmt* statement, const char* what) {
    return sqlite3_reset(statement) == SQLITE_OK ? LF_OK : Failed(connection_.get(), what);
  }

  lf_code Run(Query query, const char* what) {
    sqlite3_step(Of(query));
    return End(Of(query), what);
  }

  lf_code PutEntry(lf_bytes key, lf_bytes value) {
    if (Bind(Of(kPut), 1, key) != LF_OK || Bind(Of(kPut), 2, value) != LF_OK) return LF_FAILED;
    return Run(kPut, "put");
  }

  lf_code EraseEntry(lf_bytes key) {
    if (Bind(Of(kErase), 1, key) != LF_OK) return LF_FAILED;
    return Run(kErase, "erase");
  }

  // Waiting for a lock until kBusyTimeoutMs is a conflict.
  lf_code OrConflict(lf_code code) {
    const bool is_busy = (sqlite3_errcode(connection_.get()) & 0xff) == SQLITE_BUSY;
    return code == LF_FAILED && is_busy ? LF_CONFLICT : code;
  }

  // Keeps the text of the first error. SQLite may have rolled back by itself.
  lf_code RollBack() {
    const levelfield::ErrorOfThread cause = levelfield::LastError();
    if (sqlite3_get_autocommit(connection_.get()) == 0) Run(kRollback, "roll back a batch");
    levelfield::LastError() = cause;
    return LF_FAILED;
  }

  void EndScan() {
    sqlite3_reset(scan_);
    scan_ = nullptr;
  }

  lf_code Step(lf_bytes* key, lf_bytes* value) {
    if (sqlite3_step(scan_) == SQLITE_ROW) {
      *key = levelfield::Bytes(Column(scan_, 0));
      *value = levelfield::Bytes(Column(scan_, 1));
      return LF_OK;
    }
    const lf_code code = End(scan_, "step a scan");
    scan_ = nullptr;
    return code == LF_OK ? LF_NOT_FOUND : code;
  }

  lf_code Move(bool forward, lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    return forward == is_forward_ ? Step(key, value) : Turn(forward, key, value);
  }

  // SQLite steps in one direction only. So a scan that turns continues in another SELECT, from its
  // key. That begins before the old one ends, so that the read transaction and its view stay the
  // same.
  lf_code Turn(bool forward, lf_bytes* key, lf_bytes* value) {
    key_.assign(Column(scan_, 0));
    sqlite3_stmt* turned = Of(forward ? kAfter : kBefore);
    if (Bind(turned, 1, levelfield::Bytes(key_)) != LF_OK) return LF_FAILED;
    sqlite3_stmt* old = std::exchange(scan_, turned);
    is_forward_ = forward;
    const lf_code code = Step(key, value);
    sqlite3_reset(old);
    return code;
  }

  Connection connection_;
  int checkpoint_pages_ = 0;
  Shared& shared_;
  std::array<Statement, kQueries> statements_;  // Finalized before the connection closes.
  sqlite3_stmt* scan_ = nullptr;
  bool is_forward_ = true;
  uint64_t cache_kib_ = 0;
  std::string key_;
  std::string value_;
};

// ---- Files

// https://www.sqlite.org/fileformat2.html#magic_header_string
bool IsDatabase(const std::string& path) {
  return levelfield::StartOfFile(path, 16) == std::string("SQLite format 3\0", 16);
}

constexpr levelfield::OneFileStore kFile = {"SQLite", "SQLite database", "levelfield.sqlite3",
                                            IsDatabase};

// Why it cannot be read without changing a file. Empty if it can. Bytes 18 and 19 of the header are
// the journal mode: https://www.sqlite.org/fileformat2.html, 1.3.3.
std::string WhyNotReadOnly(const std::string& path) {
  const std::string header = levelfield::StartOfFile(path, 20);
  if (header.size() < 20) return "there is no database in it";
  if (header[18] == 2 || header[19] == 2) {
    return "it is in WAL mode, where even a reader makes files beside it";
  }
  if (!levelfield::StartOfFile(path + "-journal", 1).empty()) {
    return "there is a journal beside it, which has to be rolled back or removed first";
  }
  return "";
}

// ---- The store

class Store : public levelfield::OverriddenSettings {
 public:
  static lf_code Open(const char* directory, const EngineSettings& given,
                      std::unique_ptr<Store>& store) {
    Settings settings;
    if (const lf_code code = Read(given, settings); code != LF_OK || directory == nullptr) {
      return code;
    }
    store = std::make_unique<Store>();
    return store->Create(directory, settings);
  }

  // Closing the last connection copies the log back into the file and removes it. That is done here
  // first, because sqlite3_close would hide an error of it.
  lf_code Close() {
    if (settings_.wal && CopyLogBack(SQLITE_CHECKPOINT_TRUNCATE) != SQLITE_OK) {
      return Failed(main_.get(), "copy the log back at close");
    }
    if (main_.use_count() != 1) {
      return levelfield::Failed("SQLite: cannot close " + path_ + ": a session is still open");
    }
    return LF_OK;
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    if (FillLog() != LF_OK) return LF_FAILED;
    Connection connection = main_;
    if (settings_.exclusive) {
      if (shared_.sessions != 0) {
        return Unsupported(
            "SQLite: --sqlite3.locking_mode=exclusive allows one session only; use --threads=1 or "
            "locking_mode=normal");
      }
    } else if (shared_.connect(connection) != LF_OK) {
      return LF_FAILED;
    }
    session = std::make_unique<Session>(std::move(connection), shared_);
    if (settings_.wal && !settings_.exclusive) session->WatchCheckpoints();
    return session->Begin();
  }

  // Copies the log back as far as nobody is in the way, without waiting. Then has the kernel write
  // out both files. With synchronous=off the checkpoint alone would not suffice: pages that a
  // session's own commit has copied back already would never be synced. Uses SQLite's own handles,
  // because closing another descriptor of the file would drop its locks
  // (https://www.sqlite.org/howtocorrupt.html, 2.2). The log keeps its frames, as after an
  // automatic checkpoint: with an empty log each read asks the kernel for the size of the file.
  lf_code Sync() {
    if (settings_.wal) {
      sqlite3_busy_timeout(main_.get(), 0);
      const int code = CopyLogBack(SQLITE_CHECKPOINT_FULL);
      sqlite3_busy_timeout(main_.get(), kBusyTimeoutMs);
      if (code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_LOCKED) {
        return Failed(main_.get(), "checkpoint");
      }
    }
    if (SyncFile(SQLITE_FCNTL_JOURNAL_POINTER) != SQLITE_OK ||
        SyncFile(SQLITE_FCNTL_FILE_POINTER) != SQLITE_OK) {
      return levelfield::Failed("SQLite: cannot sync " + path_ + " or its log");
    }
    const int error = levelfield::SyncDirectory(levelfield::DirectoryOf(path_));
    if (error == 0) return LF_OK;
    return levelfield::Failed("SQLite: cannot sync the directory of " + path_ + ": " +
                              std::strerror(error));
  }

  // VACUUM writes the table anew, into a temporary file (SQLite puts it into SQLITE_TMPDIR or
  // /var/tmp) and from there through the log.
  lf_code Compact() {
    if (Execute(main_.get(), "VACUUM") != LF_OK) return LF_FAILED;
    sqlite3_db_release_memory(main_.get());
    if (!settings_.wal || CopyLogBack(SQLITE_CHECKPOINT_TRUNCATE) == SQLITE_OK) return LF_OK;
    return Failed(main_.get(), "copy the whole log back (is a scan still open on a session?)");
  }

  lf_code Property(const char* name, const char** text) {
    const std::string_view asked = name;
    property_.clear();
    if (asked == "options" || asked == "pragma.settings" || asked == "pragma.compile_options") {
      if (asked != "pragma.compile_options" && AppendSettings() != LF_OK) return LF_FAILED;
      if (asked != "pragma.settings") AppendRows(main_.get(), "PRAGMA compile_options", property_);
    } else if (asked == "levelstats") {
      return Unsupported("SQLite's file is a B-tree, which tells nothing of its levels");
    } else if (asked == "sqlite.status" || asked == "memstats") {
      AppendStatus();
    } else if (asked == "stats") {
      AppendStats();
    } else if (asked == "check") {
      return Check(text);
    } else if (asked == "dbstat" || asked == "sstables") {
      if (sqlite3_compileoption_used("ENABLE_DBSTAT_VTAB") == 0) {
        return Unsupported("SQLite: this build has no dbstat (SQLITE_ENABLE_DBSTAT_VTAB)");
      }
      property_ = "name pages cells payload_bytes unused_bytes bytes\n";
      AppendRows(main_.get(),
                 "SELECT name,pageno,ncell,payload,unused,pgsize FROM dbstat WHERE aggregate=TRUE",
                 property_);
    } else {
      return Unsupported("SQLite: no property " + std::string(asked));
    }
    *text = property_.c_str();
    return LF_OK;
  }

  // Checks the structure of every page. SQLite has no checksums.
  lf_code Check(const char** text) {
    Statement check;
    if (const lf_code code = Prepare(main_.get(), "PRAGMA integrity_check(20)", check);
        code != LF_OK) {
      return code;
    }
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(check.get())) == SQLITE_ROW) {
      const unsigned char* const row = sqlite3_column_text(check.get(), 0);
      if (!property_.empty()) property_ += "; ";
      if (row != nullptr) property_ += reinterpret_cast<const char*>(row);
    }
    if (code != SQLITE_DONE) return Failed(main_.get(), "PRAGMA integrity_check");
    if (property_ != "ok") return levelfield::Damaged("PRAGMA integrity_check: " + property_);
    property_ = "PRAGMA integrity_check: ok";
    *text = property_.c_str();
    return LF_OK;
  }

  // Copies the log's pages to their places in the file.
  lf_code Flush() {
    if (!settings_.wal) {
      return Unsupported(
          "SQLite without its log (--sqlite3.journal_mode) keeps nothing back: each commit has "
          "written its pages to the file");
    }
    return CopyLogBack(SQLITE_CHECKPOINT_FULL) == SQLITE_OK ? LF_OK
                                                            : Failed(main_.get(), "checkpoint");
  }

  static constexpr Refusal WaitForBackground{
      "SQLite has no threads of its own, so there is nothing to wait for"};

  // Copies all pages in one step, which keeps writers out meanwhile
  // (https://www.sqlite.org/backup.html).
  lf_code Backup(const char* directory) {
    const std::string copy = std::string(directory) + "/" + kFile.own;
    sqlite3* opened = nullptr;
    const int code = sqlite3_open(copy.c_str(), &opened);
    const Connection to(opened, sqlite3_close_v2);
    if (code != SQLITE_OK) return Failed(opened, "make the backup " + copy);
    sqlite3_backup* const backup = sqlite3_backup_init(opened, "main", main_.get(), "main");
    if (backup == nullptr) return Failed(opened, "begin the backup " + copy);
    sqlite3_backup_step(backup, -1);
    return sqlite3_backup_finish(backup) == SQLITE_OK ? LF_OK : Failed(opened, "back up " + path_);
  }

  static lf_code Restore(const char* backup, const char* directory) {
    return kFile.Restore(backup, directory);
  }

  static constexpr Refusal VerifyChecksums{
      "SQLite has no checksums on its pages; PRAGMA integrity_check looks at their structure "
      "alone"};
  static constexpr Refusal CompactRange{
      "SQLite rewrites a whole file (VACUUM), never a range of keys"};
  static constexpr Refusal ApproximateBytes{
      "SQLite counts the pages of a whole table (property dbstat), not of a range"};

  static lf_code Recognize(const char* path) { return kFile.Recognize(path); }

  // The database and its companion files (https://www.sqlite.org/tempfiles.html).
  static lf_code Destroy(const char* path) {
    std::string file;
    if (Recognize(path) != LF_OK) return LF_OK;
    if (const lf_code code = kFile.Find(path, file); code != LF_OK) return code;
    return kFile.Remove({file + "-wal", file + "-shm", file + "-journal", file});
  }

  static constexpr Refusal Repair{
      "SQLite repairs nothing by itself: what a crash leaves is set right when the file is opened, "
      "and out of a damaged file the shell's .recover copies what can be read"};

  // Asks a connection made like a session's. The cache is that of the first session.
  void InForce(const levelfield::InForceSink& tell) {
    Connection connection;
    if (ConnectLikeASession(connection) != LF_OK) return;
    const auto ask = [&](const char* pragma) {
      return Answer(connection.get(), std::string("PRAGMA ") + pragma);
    };
    constexpr const char* kSynchronous[] = {"off", "normal", "full", "extra"};
    const std::string synchronous = ask("synchronous");
    const bool is_known = synchronous.size() == 1 && synchronous[0] >= '0' && synchronous[0] <= '3';
    tell.Number("cache_size", CacheBytesOf(ask("cache_size"), ask("page_size")));
    tell.Text("block_size", ask("page_size"));
    tell.Flag("rowids", HasRowids());
    tell.Text("journal_mode", ask("journal_mode"));
    tell.Text("synchronous", is_known ? kSynchronous[synchronous[0] - '0'] : synchronous);
    tell.Text("wal_autocheckpoint", ask("wal_autocheckpoint"));
    tell.Text("mmap_size", ask("mmap_size"));
    tell.Text("locking_mode", ask("locking_mode"));
    tell.Text("secure_delete", ask("secure_delete"));
  }

  void Overridden(void* context, void (*sink)(void*, const char*, const char*, const char*)) const {
    OverriddenSettings::Overridden(context, sink);
    if (settings_.exclusive_gave_way) {
      sink(context, "locking_mode", "normal", "more than one session");
    }
  }

  void Activities(void* context, void (*sink)(void*, const char*)) const {
    if (shared_.checkpoints != 0) sink(context, "checkpoint");
  }

  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    for (size_t i = 0; i < kCacheCounters.size(); ++i) {
      sink(context, kCacheCounters[i].second, shared_.cache_counters[i]);
    }
  }

 private:
  int CopyLogBack(int how) {
    return sqlite3_wal_checkpoint_v2(main_.get(), nullptr, how, nullptr, nullptr);
  }

  // While the log is empty, SQLite asks the kernel for the size of the file at each read. A
  // database that was written to since it was opened does not pay for this fstat. So before the
  // first session, one page is written to the log unchanged, without a sync. If that fails because
  // another process is writing, the log is not empty either.
  lf_code FillLog() {
    if (!settings_.wal || std::exchange(has_filled_log_, true)) return LF_OK;
    sqlite3* const connection = main_.get();
    const std::string synchronous = Answer(connection, "PRAGMA synchronous");
    const std::string sql =
        "PRAGMA synchronous=off;PRAGMA user_version=" + Answer(connection, "PRAGMA user_version");
    sqlite3_busy_timeout(connection, 0);
    (void)sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr);
    sqlite3_busy_timeout(connection, kBusyTimeoutMs);
    return Execute(connection, "PRAGMA synchronous=" + synchronous);
  }

  lf_code Create(const char* directory, const Settings& settings) {
    settings_ = settings;
    if (const lf_code code = kFile.Find(directory, path_); code != LF_OK) return code;
    // The read version (https://www.sqlite.org/fileformat.html, 1.3.3), which SQLite tells as what
    // is no database.
    const std::string header = levelfield::StartOfFile(path_, 20);
    if (header.size() == 20 && static_cast<unsigned char>(header[19]) > 2) {
      return Unsupported("SQLite: " + path_ + " is of a newer version of the file format");
    }
    if (settings.read_only) {
      const std::string why = WhyNotReadOnly(path_);
      if (!why.empty()) return Unsupported("SQLite: " + why);
    }
    shared_.connect = [this](Connection& connection) {
      return Connect(path_, SQLITE_OPEN_NOMUTEX, settings_, settings_.synchronous, connection);
    };
    if (!settings.wal && !settings.read_only) {
      shared_.no_snapshots =
          "SQLite: with journal_mode=delete a reader keeps writers waiting, so a snapshot that "
          "outlives a write needs journal_mode=wal";
    } else if (settings.exclusive) {
      shared_.no_snapshots =
          "SQLite: a snapshot needs a connection of its own, and locking_mode=exclusive allows one";
    }
    shared_.cache_kib = settings.cache_kib;
    shared_.ShareCache();
    // The store's own writes are always synced, and are not measured. With an exclusive lock there
    // is only one connection, which then belongs to the session.
    const int create = settings_.read_only ? 0 : SQLITE_OPEN_CREATE;
    const int threads = settings_.exclusive ? SQLITE_OPEN_NOMUTEX : SQLITE_OPEN_FULLMUTEX;
    if (Connect(path_, threads | create, settings_,
                settings_.exclusive ? settings_.synchronous : "extra", main_) != LF_OK) {
      return LF_FAILED;
    }
    sqlite3* connection = main_.get();
    // A file with other tables stays unchanged: setting the journal mode would write to it.
    bool is_new = false;
    if (const lf_code code = FindTable(is_new); code != LF_OK) return code;
    if (settings_.is_check) {
      if (const lf_code code = CheckKeys(is_new); code != LF_OK) return code;
    }
    if (!settings_.read_only) {
      if (const lf_code code = MakeReady(is_new); code != LF_OK) return code;
    }
    if (SetCacheKib(connection, settings_.cache_kib) != LF_OK) return LF_FAILED;
    return CheckFile();
  }

  // Sets the journal mode, and makes the table if there is none.
  lf_code MakeReady(bool is_new) {
    sqlite3* const connection = main_.get();
    const std::string journal_mode = settings_.wal ? "wal" : "delete";
    if (const std::string is = Answer(connection, "PRAGMA journal_mode=" + journal_mode);
        is != journal_mode) {
      return levelfield::Failed("SQLite: cannot set journal_mode=" + journal_mode + " on " + path_ +
                                ", it stays " + (is.empty() ? sqlite3_errmsg(connection) : is));
    }
    if (is_new && Execute(connection, std::string("CREATE TABLE IF NOT EXISTS test(key BLOB, value "
                                                  "BLOB, PRIMARY KEY(key))") +
                                          (settings_.rowids ? "" : " WITHOUT ROWID")) != LF_OK) {
      return LF_FAILED;
    }
    return LF_OK;
  }

  // Finds the existing table, whatever its name. A new file has none.
  lf_code FindTable(bool& is_new) {
    sqlite3* const connection = main_.get();
    std::string names;
    AppendRows(connection,
               "SELECT name FROM sqlite_schema AS t WHERE type='table' AND (SELECT "
               "group_concat(lower(name)) FROM (SELECT name FROM pragma_table_info(t.name) ORDER "
               "BY lower(name)))='key,value' ORDER BY name<>'test',name",
               names);
    if (names.empty()) {
      const std::string tables = Answer(connection,
                                        "SELECT count(*) FROM sqlite_schema WHERE type='table' "
                                        "AND name NOT LIKE 'sqlite_%'");
      if (tables.empty()) return Failed(connection, "read which tables there are");
      if (tables != "0") {
        return Unsupported("SQLite: " + path_ +
                           " has tables, but none whose columns are key and value");
      }
      is_new = true;
      return LF_OK;
    }
    shared_.table = names.substr(0, names.find('\n'));
    if (names.size() > shared_.table.size() + 1 && shared_.table != "test") {
      return Unsupported("SQLite: " + path_ +
                         " has several tables whose columns are key and value, and none of them is "
                         "called test");
    }
    Statement put;
    if (Prepare(connection, Sql(kPut, shared_.table).c_str(), put) == LF_OK) return LF_OK;
    return Unsupported("SQLite: the table " + shared_.table + " in " + path_ +
                       " does not keep its keys apart (no PRIMARY KEY or UNIQUE on key): " +
                       sqlite3_errmsg(connection));
  }

  // A key is bound as a blob, which is equal to no text and no number.
  lf_code CheckKeys(bool is_new) {
    if (is_new) return Unsupported("SQLite: " + path_ + " has no tables");
    const std::string sql =
        "SELECT typeof(key) FROM " + Quoted(shared_.table) + " WHERE typeof(key)<>'blob' LIMIT 1";
    Statement other;
    if (const lf_code code = Prepare(main_.get(), sql.c_str(), other); code != LF_OK) return code;
    const int code = sqlite3_step(other.get());
    if (code == SQLITE_DONE) return LF_OK;
    if (code != SQLITE_ROW) return Failed(main_.get(), "read the keys of " + shared_.table);
    const unsigned char* const type = sqlite3_column_text(other.get(), 0);
    return Unsupported("SQLite: the table " + shared_.table + " in " + path_ +
                       " has keys that are no blobs (" +
                       (type != nullptr ? reinterpret_cast<const char*>(type) : "?") +
                       "), which a get by their bytes does not find");
  }

  // An existing file keeps its form.
  lf_code CheckFile() {
    const std::string page_bytes = Answer(main_.get(), "PRAGMA page_size");
    if (settings_.page_bytes != 0 && page_bytes != std::to_string(settings_.page_bytes)) {
      if (settings_.page_given) {
        return Unsupported("SQLite: the file that is there has pages of " + page_bytes +
                           " bytes; a page size applies to a new file only");
      }
      overridden.emplace_back("block_size", page_bytes);
    }
    const bool rowids = HasRowids();
    if (settings_.has_rowids && rowids != settings_.rowids) {
      if (settings_.rowids_given) {
        return Unsupported(std::string("SQLite: the table that is there has") +
                           (rowids ? "" : " no") +
                           " rowids; --sqlite3.rowids applies to a new file only");
      }
      overridden.emplace_back("rowids", rowids ? "1" : "0");
    }
    if (settings_.wal_gave_way) overridden.emplace_back("journal_mode", "delete");
    return LF_OK;
  }

  // Asks SQLite itself instead of parsing the CREATE.
  bool HasRowids() {
    return Answer(main_.get(), "SELECT wr FROM pragma_table_list WHERE schema='main' AND name=" +
                                   Quoted(shared_.table, '\'')) == "0";
  }

  int SyncFile(int which) {
    sqlite3_file* file = nullptr;
    const int code = sqlite3_file_control(main_.get(), "main", which, &file);
    if (code != SQLITE_OK || file == nullptr || file->pMethods == nullptr) return code;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  }

  void AppendPragmas(sqlite3* connection, std::initializer_list<const char*> pragmas) {
    for (const char* const pragma : pragmas) {
      levelfield::AppendLine(property_, pragma,
                             Answer(connection, std::string("PRAGMA ") + pragma));
    }
  }

  lf_code ConnectLikeASession(Connection& connection) {
    connection = main_;
    if (settings_.exclusive) return LF_OK;
    const lf_code code = shared_.connect(connection);
    return code == LF_OK ? SetCacheKib(connection.get(), shared_.cache_kib_each) : code;
  }

  // Of a PRAGMA cache_size, which is in pages, or negative and in KiB. What was asked for is
  // rounded down to KiB, its unit, and is at least one.
  uint64_t CacheBytesOf(const std::string& cache, const std::string& page_bytes) const {
    const int64_t size = std::strtoll(cache.c_str(), nullptr, 10);
    if (size >= 0) {
      return static_cast<uint64_t>(size) * std::strtoull(page_bytes.c_str(), nullptr, 10);
    }
    const auto kib = static_cast<uint64_t>(-size);
    return settings_.cache_kib == kib ? settings_.cache_bytes : kib * 1024;
  }

  lf_code AppendSettings() {
    Connection connection;
    if (ConnectLikeASession(connection) != LF_OK) return LF_FAILED;
    AppendPragmas(connection.get(),
                  {"page_size", "cache_size", "journal_mode", "synchronous", "wal_autocheckpoint",
                   "mmap_size", "locking_mode", "secure_delete", "auto_vacuum", "cache_spill",
                   "temp_store", "journal_size_limit", "busy_timeout"});
    AppendRows(connection.get(), "SELECT sql FROM sqlite_schema WHERE type='table'", property_);
    return LF_OK;
  }

  // SQLite's own figures: the file, its log, and its work.
  void AppendStats() {
    AppendPragmas(main_.get(), {"page_size", "page_count", "freelist_count", "journal_mode"});
    struct stat log {};
    const bool has_log = stat((path_ + "-wal").c_str(), &log) == 0;
    levelfield::AppendLine(property_, "wal_bytes", has_log ? log.st_size : 0);
    AppendStatus();
  }

  void AppendStatus() {
    for (const auto& [which, name] :
         {std::pair(SQLITE_STATUS_MEMORY_USED, "memory_used"),
          std::pair(SQLITE_STATUS_MALLOC_COUNT, "malloc_count"),
          std::pair(SQLITE_STATUS_PAGECACHE_OVERFLOW, "pagecache_overflow")}) {
      sqlite3_int64 now = 0;
      sqlite3_int64 peak = 0;
      sqlite3_status64(which, &now, &peak, 0);
      levelfield::AppendLine(property_, name,
                             std::to_string(now) + " peak " + std::to_string(peak));
    }
    for (size_t i = 0; i < kCacheCounters.size(); ++i) {
      levelfield::AppendLine(property_, kCacheCounters[i].second, shared_.cache_counters[i].load());
    }
  }

  Settings settings_;
  bool has_filled_log_ = false;
  std::string path_;
  Shared shared_;
  Connection main_;
  std::string property_;
};

// ---- Facts

const char* const kProperties[] = {"options",         "sqlite.status", "pragma.compile_options",
                                   "pragma.settings", "dbstat",        nullptr};

void Describe(void* context, lf_fact_sink sink) {
  sink(context, "language", "C");
  sink(context, "version", sqlite3_libversion());
  sink(context, "released", std::string(sqlite3_sourceid()).substr(0, 4).c_str());
  sink(context, "source_id", sqlite3_sourceid());
  const auto* const code_of_library = reinterpret_cast<const void*>(&sqlite3_libversion);
  sink(context, "library", levelfield::LibraryPath(code_of_library).c_str());
  sink(context, "space_factor", "4.72 " LEVELFIELD_SPACE_MEASURED);
  sink(context, "read_only", "SQLITE_OPEN_READONLY, of a file that is not in WAL mode");
  std::string options;
  for (int i = 0; const char* option = sqlite3_compileoption_get(i); ++i) {
    const std::string_view text = option;
    for (const char* telling :
         {"COMPILER", "THREADSAFE", "DEFAULT_", "OMIT_", "SECURE_DELETE", "DIRECT_OVERFLOW_READ",
          "SYSTEM_MALLOC", "ZERO_MALLOC", "ENABLE_MEMORY_MANAGEMENT", "ENABLE_UNLOCK_NOTIFY",
          "ENABLE_PREUPDATE_HOOK", "TEMP_STORE", "MAX_MMAP_SIZE", "DEBUG"}) {
      if (text.starts_with(telling)) {
        options += (options.empty() ? "" : " ") + std::string(text);
        break;
      }
    }
  }
  sink(context, "build", LEVELFIELD_BUILD);
  sink(context, "compile_options", options.c_str());
  const bool is_debug = sqlite3_compileoption_used("DEBUG") != 0;
  sink(context, "assertions", is_debug ? "on" : "off");
  // The database and the log of its connection: 12 open files with one thread, 28 with nine.
  sink(context, "files_per_session", "2");
  // Memory for small objects of a connection, without malloc. Debian leaves it out.
  sink(context, "lookaside",
       sqlite3_compileoption_used("OMIT_LOOKASIDE") != 0 ? "left out of this build"
                                                         : "SQLite's own");
  sink(context, "checksums", "none on pages of the file; a sum on every frame of the log");
  sink(context, "compared",
       "a frame when the log is recovered; no page: SQLite's checksums of pages are an extension, "
       "cksumvfs, which the library does not have in it");
  sink(context, "compressors", "none");
  if (is_debug) {
    sink(context, "warning",
         "this SQLite is a debug build (SQLITE_DEBUG); its speed tells nothing");
  }
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "sqlite3",
    .summary = "SQLite: a B-tree in one file, driven through SQL",
    .license = "public domain",
    .capabilities = LF_ONE_WRITER | LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
