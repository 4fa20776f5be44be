// PostgreSQL: a relational server; the store is one table with a B-tree of its keys.
// https://www.postgresql.org
//
// Without --postgresql.endpoint each store has a server of its own, whose cluster is in the store's
// directory (postgresql_server.h). With it the table is in the database that is named: it may not
// be there at first, and its comment says whose it is from then on.
//
// A `Store` may be used by any thread, a `Session`, which is a connection, by one.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "batch_scan.h"
#include "endpoint_owner.h"
#include "levelfield/engine.h"
#include "library_facts.h"
#include "postgresql_connection.h"
#include "postgresql_server.h"
#include "store_files.h"
#include "wait_for_input.h"

namespace {

using levelfield::EndpointOwner;
using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::IsOk;
using levelfield::PgConnection;
using levelfield::PgResult;
using levelfield::PostgresServer;
using levelfield::Refusal;
using levelfield::ScanBound;
using levelfield::Unsupported;
using levelfield::View;

const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "128M", nullptr, "Its cache of pages (shared_buffers)."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr,
     "Writes change pages in its cache; a checkpoint writes them."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has pages of the size that it was compiled with."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_CHOICE, "none", "none|pglz|lz4",
     "Of values that a page of 8 KB has not four of (SET STORAGE, SET COMPRESSION)."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Each of its processes opens what it needs."},
    {"endpoint", LF_TEXT, "a server of its own", nullptr,
     "A server that runs, as libpq names it: postgresql://user@host:port/database. It may not have "
     "a table levelfield_entries."},
    {"data_checksums", LF_FLAG, "0", nullptr,
     "1 compares each page with a checksum when it is read (initdb --data-checksums)."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_alternative kAlternatives[] = {
    {"checked", "data_checksums=1", "none,process,synced",
     "Compares pages with checksums, which is the default since version 18.",
     "https://www.postgresql.org/docs/current/checksums.html"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

constexpr auto kDurabilities = levelfield::Durabilities(
    {LF_D0_NONE, "synchronous_commit = off: answered before its log is written"},
    {LF_D1_PROCESS, "fsync = off: its log is written, not synced; a power cut can break the store"},
    {LF_D4_SYNCED, "its defaults: synchronous_commit and fsync = on"});

const char* const kProperties[] = {"stats", "options", nullptr};

constexpr const char* kEndpointFile = "postgresql.endpoint";  // The address, and the owner's name.

std::string& Which() {
  static std::string which;  // What stood behind the colon of the engine's name.
  return which;
}

struct Config {
  std::string endpoint;  // Empty: a server of its own.
  std::string durability;
  std::string compression;
  uint64_t cache_bytes = 128 << 20;
  uint64_t sessions = 0;
  bool data_checksums = false;
  bool is_check = false;
  std::string store_name;  // Of a store that several processes load. Empty: this one alone.
  bool joins = false;      // One of the others makes it.
};

lf_code ReadConfig(const EngineSettings& settings, Config* config) {
  config->endpoint = settings.Text("endpoint", "");
  config->durability = settings.Durability();
  config->compression = settings.Text("compression", "none");
  config->sessions = settings.ExpectedSessions();
  config->data_checksums = settings.Flag("data_checksums", false);
  config->is_check = settings.IsCheck();
  config->store_name = EndpointOwner::NameGiven(settings);
  config->joins = EndpointOwner::Joins(settings);
  constexpr uint64_t kLeastCacheBytes = 128 << 10;
  config->cache_bytes = settings.Number("cache_size", config->cache_bytes);
  if (config->cache_bytes < kLeastCacheBytes) {
    return Unsupported("PostgreSQL takes a cache_size of at least 131072, not " +
                       std::to_string(config->cache_bytes));
  }
  if (!config->endpoint.empty()) {
    if (settings.IsGiven("cache_size") || settings.IsGiven("data_checksums")) {
      return Unsupported(
          "cache_size and data_checksums are for a server of its own, not for "
          "--postgresql.endpoint");
    }
    return LF_OK;
  }
  const std::string program = levelfield::PostgresProgram(Which());
  if (!program.empty()) return LF_OK;
  return Unsupported(Which().empty() ? "there is no program postgres in $PATH or in "
                                       "/usr/lib/postgresql: install postgresql, or name one: "
                                       "--engine=postgresql:/path/to/bin/postgres"
                                     : "there is no program " + Which());
}

// A list of keys, as the type bytea[] has it in binary form.
std::string ArrayOf(std::span<const lf_bytes> keys) {
  std::string array;
  const auto append = [&](uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      array += static_cast<char>((number >> shift) & 0xff);
    }
  };
  constexpr uint32_t kBytea = 17;
  for (const uint32_t number : {1U, 0U, kBytea, static_cast<uint32_t>(keys.size()), 1U}) {
    append(number);
  }
  for (const lf_bytes& key : keys) {
    append(static_cast<uint32_t>(key.size));
    array.append(View(key));
  }
  return array;
}

class Session {
 public:
  ~Session() { (void)RollBackTransaction(); }

  lf_code Begin(const std::string& conninfo, bool waits_for_log) {
    conninfo_ = conninfo;
    if (!pg_.Connect(conninfo)) return pg_.FailedTo("connect", nullptr);
    const lf_code code =
        Tell(waits_for_log ? "SET synchronous_commit = on" : "SET synchronous_commit = off");
    if (code != LF_OK) return code;
    const std::string entries = "SELECT key, value FROM levelfield_entries ";
    for (const auto& [name, sql] : std::initializer_list<std::pair<const char*, std::string>>{
             {"get", "SELECT value FROM levelfield_entries WHERE key = $1"},
             {"lock", "SELECT value FROM levelfield_entries WHERE key = $1 FOR UPDATE NOWAIT"},
             {"put",
              "INSERT INTO levelfield_entries VALUES ($1, $2) "
              "ON CONFLICT (key) DO UPDATE SET value = excluded.value"},
             {"erase", "DELETE FROM levelfield_entries WHERE key = $1"},
             {"erase_range", "DELETE FROM levelfield_entries WHERE key >= $1 AND key < $2"},
             {"several",
              "SELECT value FROM unnest($1::bytea[]) WITH ORDINALITY AS asked(key, place) "
              "LEFT JOIN levelfield_entries USING (key) ORDER BY place"},
             {"nothing", "SELECT"},
             {"first", entries + "ORDER BY key LIMIT $1"},
             {"at", entries + "WHERE key >= $2 ORDER BY key LIMIT $1"},
             {"behind", entries + "WHERE key > $2 ORDER BY key LIMIT $1"},
             {"last", entries + "ORDER BY key DESC LIMIT $1"},
             {"at_backwards", entries + "WHERE key <= $2 ORDER BY key DESC LIMIT $1"},
             {"before", entries + "WHERE key < $2 ORDER BY key DESC LIMIT $1"}}) {
      const PgResult result = pg_.Prepare(name, sql);
      if (!IsOk(result)) return pg_.FailedTo("prepare", result.get());
    }
    return LF_OK;
  }

  lf_code Get(lf_bytes key, lf_bytes* value) { return GetBy("get", key, value); }
  lf_code Put(lf_bytes key, lf_bytes value) { return Do("put", {key, value}); }
  lf_code Erase(lf_bytes key) { return Do("erase", {key}); }
  lf_code DeleteRange(lf_bytes from, lf_bytes to) { return Do("erase_range", {from, to}); }
  lf_code RoundTrip() { return Do("nothing", {}); }

  // What is sent up to a sync is one transaction.
  lf_code Write(std::span<const lf_entry> entries) {
    if (!EnterPipeline()) return pg_.FailedTo("write", nullptr);
    for (const lf_entry& entry : entries) {
      const bool is_sent = entry.erase != 0 ? pg_.Send("erase", {entry.key})
                                            : pg_.Send("put", {entry.key, entry.value});
      if (!is_sent) return pg_.FailedTo("write", nullptr);
    }
    if (PQpipelineSync(pg_.get()) != 1) return pg_.FailedTo("write", nullptr);
    lf_code code = LF_OK;
    for (size_t i = 0; i < entries.size(); ++i) {
      const PgResult result = TakeResult();
      // Behind the first that fails all are aborted.
      if (!IsOk(result) && code == LF_OK) code = pg_.FailedTo("write", result.get());
    }
    (void)TakeResult();  // The sync's.
    LeavePipeline();
    return code;
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    return scan_.Seek(*this, how, key, found_key, value);
  }
  lf_code Next(lf_bytes* key, lf_bytes* value) { return scan_.Step(*this, false, key, value); }
  lf_code Prev(lf_bytes* key, lf_bytes* value) { return scan_.Step(*this, true, key, value); }

  lf_code MultiGet(std::span<const lf_bytes> keys, lf_bytes* values, lf_code* codes) {
    const std::string array = ArrayOf(keys);
    result_ = pg_.Execute("several", {levelfield::Bytes(array)});
    const auto rows = static_cast<size_t>(PQntuples(result_.get()));
    if (!IsOk(result_) || rows != keys.size()) {
      return pg_.FailedTo("get several", result_.get());
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto row = static_cast<int>(i);
      codes[i] = PQgetisnull(result_.get(), row, 0) == 1 ? LF_NOT_FOUND : LF_OK;
      if (codes[i] == LF_OK) values[i] = levelfield::ValueAt(result_, row, 0);
    }
    return LF_OK;
  }

  // A connection of its own, in a transaction that began then.
  struct Snapshot {
    PgConnection pg;
    PgResult result;
  };
  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    auto taken = std::make_unique<Snapshot>();
    if (!taken->pg.Connect(conninfo_)) return taken->pg.FailedTo("take a snapshot", nullptr);
    for (const char* sql :
         {"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
          "PREPARE get (bytea) AS SELECT value FROM levelfield_entries WHERE key = $1",
          "SELECT FROM levelfield_entries LIMIT 1"}) {
      const PgResult result = taken->pg.Run(sql);
      if (!IsOk(result)) return taken->pg.FailedTo("take a snapshot", result.get());
    }
    snapshot = std::move(taken);
    return LF_OK;
  }
  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    snapshot.result = snapshot.pg.Execute("get", {key});
    return ValueIn(snapshot.pg, snapshot.result, value);
  }

  // Serializable: else a key that was not there when it was got could be there at the commit.
  // Whoever would wait for a key gets a conflict (NOWAIT): two who waited for each other would do
  // so for a second (deadlock_timeout).
  lf_code BeginTransaction() {
    const lf_code code = Tell("BEGIN ISOLATION LEVEL SERIALIZABLE");
    is_in_transaction_ = code == LF_OK;
    return code;
  }
  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) { return GetBy("lock", key, value); }
  lf_code CommitTransaction() {
    const lf_code code = Tell("COMMIT");
    if (code == LF_OK) is_in_transaction_ = false;
    return code;
  }
  lf_code RollBackTransaction() {
    if (!is_in_transaction_) return LF_OK;
    is_in_transaction_ = false;
    return Tell("ROLLBACK");
  }

  lf_code Submit(lf_call call, lf_bytes key, lf_bytes value) {
    if (!EnterPipeline()) return pg_.FailedTo("submit", nullptr);
    const bool is_sent = call == LF_GET     ? pg_.Send("get", {key})
                         : call == LF_PUT   ? pg_.Send("put", {key, value})
                         : call == LF_ERASE ? pg_.Send("erase", {key})
                                            : pg_.Send("nothing", {});
    // Each is a transaction of its own.
    if (!is_sent || PQpipelineSync(pg_.get()) != 1) return pg_.FailedTo("submit", nullptr);
    in_flight_.push_back(call);
    return LF_OK;
  }

  lf_code Poll(uint64_t most_ns, lf_bytes* value) {
    if (!WaitForInput(most_ns)) return LF_PENDING;
    const lf_call call = in_flight_.front();
    in_flight_.pop_front();
    result_ = TakeResult();
    (void)TakeResult();  // The sync's.
    if (in_flight_.empty()) LeavePipeline();
    if (!IsOk(result_)) return pg_.FailedTo("answer", result_.get());
    return call == LF_GET ? ValueIn(pg_, result_, value) : LF_OK;
  }

  static constexpr Refusal Merge{"PostgreSQL has no merge operators"};
  static constexpr Refusal NewIterator{"a scan is a statement, and makes nothing before"};

  // As BatchScan wants them.
  lf_code Fetch(const ScanBound& from, bool backwards, size_t most) {
    std::array<char, 8> count{};
    for (size_t i = 0; i < count.size(); ++i) {
      count[count.size() - 1 - i] = static_cast<char>((most >> (8 * i)) & 0xff);
    }
    const lf_bytes limit = {count.data(), count.size()};
    using Kind = ScanBound::Kind;
    if (from.kind == Kind::kEnd) {
      result_ = pg_.Execute(backwards ? "last" : "first", {limit});
    } else {
      const bool is_at = from.kind == Kind::kAt;
      result_ = pg_.Execute(
          is_at ? (backwards ? "at_backwards" : "at") : (backwards ? "before" : "behind"),
          {limit, levelfield::Bytes(from.key)});
    }
    return IsOk(result_) ? LF_OK : pg_.FailedTo("scan", result_.get());
  }
  size_t Fetched() const { return static_cast<size_t>(PQntuples(result_.get())); }
  bool Entry(size_t i, lf_bytes* key, lf_bytes* value) const {
    *key = levelfield::ValueAt(result_, static_cast<int>(i), 0);
    *value = levelfield::ValueAt(result_, static_cast<int>(i), 1);
    return true;
  }

 private:
  lf_code Do(const char* name, std::initializer_list<lf_bytes> values) {
    const PgResult result = pg_.Execute(name, values);
    return IsOk(result) ? LF_OK : pg_.FailedTo(name, result.get());
  }
  lf_code Tell(const char* sql) {
    const PgResult result = pg_.Run(sql);
    // A commit of what has failed is answered by a roll-back.
    const bool is_undone = std::strcmp(PQcmdStatus(result.get()), "ROLLBACK") == 0;
    if (is_undone && std::strcmp(sql, "COMMIT") == 0) {
      return Failed("PostgreSQL: the transaction had failed before its commit");
    }
    return IsOk(result) ? LF_OK : pg_.FailedTo(sql, result.get());
  }

  lf_code GetBy(const char* name, lf_bytes key, lf_bytes* value) {
    result_ = pg_.Execute(name, {key});
    return ValueIn(pg_, result_, value);
  }
  static lf_code ValueIn(const PgConnection& pg, const PgResult& result, lf_bytes* value) {
    if (!IsOk(result)) return pg.FailedTo("get", result.get());
    if (PQntuples(result.get()) == 0) return LF_NOT_FOUND;
    *value = levelfield::ValueAt(result, 0, 0);
    return LF_OK;
  }

  bool EnterPipeline() {
    return PQpipelineStatus(pg_.get()) != PQ_PIPELINE_OFF || PQenterPipelineMode(pg_.get()) == 1;
  }
  void LeavePipeline() { (void)PQexitPipelineMode(pg_.get()); }

  // The next statement's result; libpq ends each with a null, and a sync has one without.
  PgResult TakeResult() {
    PgResult result(PQgetResult(pg_.get()));
    if (PQresultStatus(result.get()) == PGRES_PIPELINE_SYNC) return result;
    while (PgResult rest{PQgetResult(pg_.get())}) {
    }
    return result;
  }

  // Whether an answer is there within that time.
  bool WaitForInput(uint64_t most_ns) {
    PGconn* const connection = pg_.get();
    while (PQisBusy(connection) != 0) {
      if (PQflush(connection) < 0) return true;  // Taking the result tells why.
      if (!levelfield::HasInput(PQsocket(connection), most_ns)) return false;
      if (PQconsumeInput(connection) != 1) return true;
    }
    return true;
  }

  std::string conninfo_;
  PgConnection pg_;
  PgResult result_;  // Holds what was handed out last.
  levelfield::BatchScan<Session> scan_;
  std::deque<lf_call> in_flight_;
  bool is_in_transaction_ = false;
};

class Store : public levelfield::OverriddenSettings {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    Config config;
    if (const lf_code code = ReadConfig(settings, &config); code != LF_OK) return code;
    if (directory == nullptr) return LF_OK;
    auto opened = std::make_unique<Store>(directory, std::move(config));
    lf_code code = opened->config_.endpoint.empty() ? opened->StartOwn() : opened->Attach();
    if (code == LF_OK && !opened->config_.joins) code = opened->MakeTable();
    if (code == LF_OK) store = std::move(opened);
    return code;
  }

  Store(std::string directory, Config config)
      : directory_(std::move(directory)), config_(std::move(config)) {}

  // A server of its own ends in good order: with a checkpoint.
  lf_code Close() {
    if (server_.pid() <= 0) return LF_OK;
    pg_.Disconnect();
    kill(server_.pid(), SIGINT);
    const int code = server_.AwaitEnd();
    return code == 0 ? LF_OK : server_.Ended(code);
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>();
    return session->Begin(conninfo_, config_.durability != "none");
  }

  lf_code Sync() {
    const std::lock_guard lock(mutex_);
    if (config_.durability == "synced") return LF_OK;
    if (const lf_code code = Tell("sync", "CHECKPOINT"); code != LF_OK) return code;
    // With fsync = off a checkpoint only writes.
    if (config_.durability != "process" || syncfs(server_.directory_fd()) == 0) return LF_OK;
    return server_.FailedTo("sync " + directory_, errno);
  }

  lf_code Compact() {
    const std::lock_guard lock(mutex_);
    const lf_code code = Tell("compact", "VACUUM (FULL, ANALYZE) levelfield_entries");
    return code == LF_OK ? Tell("compact", "CHECKPOINT") : code;
  }
  lf_code Flush() {
    const std::lock_guard lock(mutex_);
    return Tell("flush", "CHECKPOINT");
  }
  static constexpr Refusal CompactRange{"PostgreSQL rewrites a table whole"};
  static constexpr Refusal WaitForBackground{
      "PostgreSQL has no call to wait for its own processes"};
  static constexpr Refusal VerifyChecksums{
      "PostgreSQL compares checksums, where it has them, when it reads a page"};
  static constexpr Refusal Backup{"pg_basebackup, which copies a cluster, is a program of its own"};
  static constexpr Refusal Restore{"there are no backups of PostgreSQL"};
  static constexpr Refusal ApproximateBytes{"PostgreSQL does not know what a range of keys takes"};

  lf_code Property(const char* name, const char** text) {
    const std::lock_guard lock(mutex_);
    const std::string_view asked = name;
    if (asked != "stats" && asked != "options") {
      return Unsupported("PostgreSQL has no property " + std::string(name));
    }
    property_.clear();
    // Settings that name this store's place are left out.
    AppendRows(asked == "options"
                   ? "SELECT name, setting FROM pg_settings WHERE name NOT IN ('config_file', "
                     "'data_directory', 'external_pid_file', 'hba_file', 'ident_file', "
                     "'unix_socket_directories') AND context <> 'internal' ORDER BY name"
                   : "SELECT k, v FROM pg_stat_user_tables t, jsonb_each_text(to_jsonb(t)) s(k, v) "
                     "WHERE relname = 'levelfield_entries'");
    *text = property_.c_str();
    return LF_OK;
  }

  // Its processes tell what they have done at the latest when their connection ends.
  void Counters(void* context, void (*sink)(void* context, const char* name, uint64_t)) {
    const std::lock_guard lock(mutex_);
    const PgResult result = pg_.Run(
        "SELECT xact_commit, xact_rollback, blks_read, blks_hit, tup_returned, tup_fetched, "
        "tup_inserted, tup_updated, tup_deleted FROM pg_stat_database "
        "WHERE datname = current_database()");
    if (!IsOk(result) || PQntuples(result.get()) != 1) return;
    for (int i = 0; i < PQnfields(result.get()); ++i) {
      sink(context, PQfname(result.get(), i),
           std::strtoull(PQgetvalue(result.get(), 0, i), nullptr, 10));
    }
  }

  void InForce(const levelfield::InForceSink& sink) {
    const std::lock_guard lock(mutex_);
    if (!config_.endpoint.empty()) return;
    const uint64_t bytes = CacheBytes();
    // It takes whole pages.
    const bool is_asked = bytes == config_.cache_bytes / kPageBytes * kPageBytes;
    sink.Number("cache_size", is_asked ? config_.cache_bytes : bytes);
    sink.Flag("data_checksums", pg_.TextFrom("SHOW data_checksums") == "on");
  }

  void Processes(void* context, void (*sink)(void* context, int64_t process)) {
    if (server_.pid() > 0) sink(context, server_.pid());
  }

  static lf_code Recognize(const char* path) {
    const std::string directory = path;
    const bool is_store = levelfield::IsFile(PostgresServer::Cluster(directory) + "/PG_VERSION") ||
                          !EndpointOwner::Read(directory + "/" + kEndpointFile).name.empty();
    return is_store ? LF_OK : LF_NOT_FOUND;
  }

  static lf_code Destroy(const char* path) {
    const std::string directory = path;
    if (levelfield::IsFile(directory + "/" + kEndpointFile)) {
      if (const lf_code code = DropTable(directory); code != LF_OK) return code;
    }
    std::error_code error;
    std::filesystem::remove_all(PostgresServer::Cluster(directory), error);
    if (error) {
      return Failed("PostgreSQL: cannot remove " + PostgresServer::Cluster(directory) + ": " +
                    error.message());
    }
    for (const char* name :
         {kEndpointFile, PostgresServer::kNames.log, PostgresServer::kNames.owner_lock,
          PostgresServer::kNames.server_lock}) {
      if (levelfield::RemoveFile(directory + "/" + name)) continue;
      return Failed("PostgreSQL: cannot remove " + directory + "/" + name + ": " +
                    std::strerror(errno));
    }
    return LF_OK;
  }

 private:
  static constexpr uint64_t kPageBytes = 8192;

  lf_code Tell(const char* what, const std::string& sql) {
    const PgResult result = pg_.Run(sql);
    return IsOk(result) ? LF_OK : pg_.FailedTo(what, result.get());
  }

  void AppendRows(const std::string& sql) {
    const PgResult result = pg_.Run(sql);
    for (int row = 0; row < PQntuples(result.get()); ++row) {
      levelfield::AppendLine(property_, PQgetvalue(result.get(), row, 0),
                             PQgetvalue(result.get(), row, 1));
    }
  }

  lf_code StartOwn() {
    if (config_.is_check && Recognize(directory_.c_str()) != LF_OK) {
      return Failed("PostgreSQL: cannot open " + directory_ + ": there is no store");
    }
    constexpr uint64_t kOthers = 16;  // Connections of ours, and those that it keeps for itself.
    std::vector<std::string> make_words;
    if (config_.data_checksums) make_words.push_back("--data-checksums");
    const lf_code code = server_.Start(
        levelfield::PostgresProgram(Which()), directory_, std::move(make_words),
        {"shared_buffers=" + std::to_string(config_.cache_bytes / kPageBytes),
         "max_connections=" + std::to_string(std::max<uint64_t>(100, config_.sessions + kOthers)),
         std::string("fsync=") + (config_.durability == "process" ? "off" : "on")},
        pg_);
    if (code == LF_OK) conninfo_ = server_.Conninfo();
    return code;
  }

  uint64_t CacheBytes() {
    const std::string pages =
        pg_.TextFrom("SELECT setting FROM pg_settings WHERE name = 'shared_buffers'");
    return std::strtoull(pages.c_str(), nullptr, 10) * kPageBytes;
  }

  // A table of someone else's is never touched.
  lf_code Attach() {
    conninfo_ = config_.endpoint;
    if (!pg_.Connect(conninfo_)) return pg_.FailedTo("connect to " + conninfo_, nullptr);
    stated_by = "the server at " + conninfo_;
    overridden.emplace_back("cache_size", std::to_string(CacheBytes()));
    if (config_.durability == "process") {
      return Unsupported(
          "a server that syncs cannot leave it out for one store: ask for the class "
          "none or synced, or for a server of its own");
    }
    if (config_.durability == "synced" && pg_.TextFrom("SHOW fsync") != "on") {
      return Unsupported("the server at " + conninfo_ +
                         " has fsync off, so nothing of it is synced: ask for the class none");
    }
    const bool is_there =
        pg_.TextFrom("SELECT to_regclass('levelfield_entries') IS NOT NULL") == "t";
    if (!is_there && !config_.joins) {
      return EndpointOwner::Make(directory_ + "/" + kEndpointFile, conninfo_, config_.store_name,
                                 &made_);
    }
    const std::string owner =
        pg_.TextFrom("SELECT obj_description(to_regclass('levelfield_entries'))");
    const std::string known = config_.joins
                                  ? config_.store_name
                                  : EndpointOwner::Read(directory_ + "/" + kEndpointFile).name;
    if (!known.empty() && owner == known) return LF_OK;
    if (config_.joins) {
      return Failed("PostgreSQL: the database at " + conninfo_ +
                    " does not hold the store that rank 0 has made; does each rank mean the same "
                    "database?");
    }
    return Unsupported("the database at " + conninfo_ +
                       " has a table levelfield_entries that is not of this store; drop it, or "
                       "name another database");
  }
  static lf_code DropTable(const std::string& directory) {
    const auto [name, endpoint] = EndpointOwner::Read(directory + "/" + kEndpointFile);
    PgConnection pg;
    if (!pg.Connect(endpoint)) return pg.FailedTo("connect to " + endpoint, nullptr);
    const std::string owner =
        pg.TextFrom("SELECT obj_description(to_regclass('levelfield_entries'))");
    if (name.empty() || owner != name) return LF_OK;  // It is another's by now.
    const PgResult result = pg.Run("DROP TABLE levelfield_entries");
    return IsOk(result) ? LF_OK : pg.FailedTo("drop its table", result.get());
  }

  // Values stay in the row up to a quarter of a page, as for all; longer ones lie beside the table.
  lf_code MakeTable() {
    lf_code code = Tell("make its table",
                        "CREATE TABLE IF NOT EXISTS levelfield_entries (key bytea PRIMARY KEY, "
                        "value bytea NOT NULL)");
    if (code == LF_OK && !made_.name.empty()) {
      code = Tell("make its table", "COMMENT ON TABLE levelfield_entries IS '" + made_.name + "'");
    }
    if (code != LF_OK) return code;
    if (config_.compression == "none") {
      return Tell("set its compression",
                  "ALTER TABLE levelfield_entries ALTER value SET STORAGE EXTERNAL");
    }
    code = Tell("set its compression",
                "ALTER TABLE levelfield_entries ALTER value SET STORAGE EXTENDED");
    return code != LF_OK ? code
                         : Tell("set its compression",
                                "ALTER TABLE levelfield_entries ALTER value SET COMPRESSION " +
                                    config_.compression);
  }

  const std::string directory_;
  const Config config_;
  PostgresServer server_;
  std::string conninfo_;
  EndpointOwner made_;  // Of a table that is to be made in a server that runs.
  std::mutex mutex_;    // Guards what follows.
  PgConnection pg_;     // For everything that is no session's.
  std::string property_;
};

lf_code Load(const char* which) {
  Which() = which != nullptr ? which : "";
  return LF_OK;
}

void Describe(void* context, lf_fact_sink sink) {
  sink(context, "language", "C");
  const std::string program = levelfield::PostgresProgram(Which());
  const std::string line = program.empty() ? "" : levelfield::VersionLine(program, "postgres");
  const std::string version = levelfield::WordBehind(line, "(PostgreSQL) ");
  sink(context, "version", version.empty() ? "unknown" : version.c_str());
  if (!line.empty()) sink(context, "version_text", line.c_str());
  sink(context, "library", program.c_str());
  sink(context, "build", "the distribution's");
  const int client = PQlibVersion();
  sink(context, "client",
       ("libpq " + std::to_string(client / 10000) + "." + std::to_string(client % 10000)).c_str());
  sink(context, "papers", PostgresServer::kNames.log);
  sink(context, "checksums", "CRC-32C of its log; of pages with data_checksums=1");
  sink(context, "compared", "the log when it is recovered; a page when it is read");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "postgresql",
    .summary = "PostgreSQL: a relational server, one table with a B-tree of its keys",
    .license = "PostgreSQL",
    .capabilities = LF_BATCH_ATOMIC | LF_BY_NAME | LF_SERVER,
    .options = kOptions,
    .durabilities = kDurabilities.data(),
    .load = Load,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
