// Redis: a server whose keys and values are in memory and whose writes are in an append-only file.
// https://redis.io
//
// Without --redis.endpoint each store has a server of its own, which works in the store's directory
// (redis_server.h) and ends with it. With it a store is the database 0 of that server: it has to be
// empty at first, and a key there says whose it is from then on.
//
// Redis keeps no order of its keys. As YCSB's client does, a sorted set beside them has them in
// order, so that scans are possible; `ordered=0` leaves it out, and scans with it.
//
// A `Store` may be used by any thread, a `Session`, which is a connection, by one.
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <charconv>
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
#include "redis_connection.h"
#include "redis_server.h"
#include "store_files.h"

namespace {

using levelfield::EndpointOwner;
using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::InfoValue;
using levelfield::IsOk;
using levelfield::RedisAddress;
using levelfield::RedisConnection;
using levelfield::RedisReply;
using levelfield::RedisServer;
using levelfield::Refusal;
using levelfield::ScanBound;
using levelfield::TextOf;
using levelfield::Unsupported;
using levelfield::View;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Keeps all keys and values in memory."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr,
     "Writes go to the append-only file before they are answered."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr,
     "Keeps values as they are, but for LZF in the files that it loads (rdbcompression)."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Has at most two files open."},
    {"endpoint", LF_TEXT, "a server of its own", nullptr,
     "A server that runs: host:port, or the path of its Unix socket. Its database 0 has to be "
     "empty."},
    {"ordered", LF_FLAG, "1", nullptr,
     "Keeps the keys in a sorted set besides, as YCSB's client does: without it there are no "
     "scans."},
    {"appendfsync", LF_CHOICE, "by the class", "no|everysec|always",
     "When the append-only file is synced: no in the class process, always in the class synced."},
    {"io_threads", LF_COUNT, "1", nullptr,
     "Threads that write answers to connections (io-threads); one thread carries out commands."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_alternative kAlternatives[] = {
    {"everysec", "appendfsync=everysec", "process",
     "The default: a second of writes may be lost by a power cut.",
     "https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/"},
    {"io_threads", "io_threads=4", "none,process,synced",
     "Where a machine has at least 4 processors, and Redis uses one of them whole.",
     "https://github.com/redis/redis/blob/7.0/redis.conf"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

constexpr auto kDurabilities = levelfield::Durabilities(
    {LF_D0_NONE, "appendonly no: kept in memory, and written when the store is closed"},
    {LF_D1_PROCESS, "appendonly yes, appendfsync no: written before the answer, not synced"},
    {LF_D4_SYNCED, "appendonly yes, appendfsync always: synced before the answer"});

const char* const kProperties[] = {"stats", "options", "sstables", nullptr};

// Keys of ours in the database. Those of the harness do not begin so; Put refuses one that does.
constexpr std::string_view kOwn = levelfield::kOwnerPrefix;
constexpr std::string_view kIndex = "levelfield:keys";
constexpr std::string_view kOwner = "levelfield:store";

constexpr const char* kAppendOnly = "appendonlydir";
constexpr const char* kManifest = "appendonlydir/appendonly.aof.manifest";
constexpr const char* kDump = "dump.rdb";
constexpr const char* kEndpointFile = "redis.endpoint";  // The address, and the owner's name.

// A step of a scan: keys and values in one round trip. The values are nils where keys have gone.
constexpr std::string_view kForwards =
    "local k = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '+', 'LIMIT', 0, ARGV[2]) "
    "if #k == 0 then return {} end return {k, redis.call('MGET', unpack(k))}";
constexpr std::string_view kBackwards =
    "local k = redis.call('ZREVRANGEBYLEX', KEYS[1], ARGV[1], '-', 'LIMIT', 0, ARGV[2]) "
    "if #k == 0 then return {} end return {k, redis.call('MGET', unpack(k))}";

std::string& Which() {
  static std::string which;  // What stood behind the colon of the engine's name.
  return which;
}

struct Config {
  std::string endpoint;  // Empty: a server of its own.
  bool ordered = true;
  std::string appendfsync;  // Empty: no append-only file.
  uint64_t io_threads = 1;
  bool is_check = false;
  std::string store_name;  // Of a store that several processes load. Empty: this one alone.
  bool joins = false;      // One of the others makes it.
};

lf_code ReadConfig(const EngineSettings& settings, Config* config) {
  config->endpoint = settings.Text("endpoint", "");
  config->ordered = settings.Flag("ordered", true);
  config->is_check = settings.IsCheck();
  config->store_name = EndpointOwner::NameGiven(settings);
  config->joins = EndpointOwner::Joins(settings);
  const std::string_view durability = settings.Durability();
  const std::string_view usual = durability == "synced" ? "always" : "no";
  const std::string_view asked = settings.Text("appendfsync", usual);
  if (durability == "none") {
    if (settings.IsGiven("appendfsync")) {
      return Unsupported(
          "Redis has no append-only file with --durability=none; leave --redis.appendfsync out");
    }
  } else if (durability == "synced" && asked != "always") {
    return Unsupported("--durability=synced takes appendfsync=always, not " + std::string(asked));
  } else {
    config->appendfsync = asked;
  }
  if (const lf_code code = settings.CheckRanges("Redis", {{"io_threads", 1, 128}}); code != LF_OK) {
    return code;
  }
  config->io_threads = settings.Number("io_threads", 1);
  RedisAddress address;
  if (!config->endpoint.empty() && !RedisAddress::Parse(config->endpoint, &address)) {
    return Unsupported("--redis.endpoint=" + config->endpoint +
                       " is neither host:port nor the path of a Unix socket");
  }
  if (!config->endpoint.empty() && settings.IsGiven("io_threads")) {
    return Unsupported("--redis.io_threads is for a server of its own, not for --redis.endpoint");
  }
  if (config->endpoint.empty() && levelfield::RedisProgram(Which()).empty()) {
    return Unsupported(Which().empty()
                           ? "there is no program redis-server in $PATH: install redis-tools or "
                             "redis-server, or name one: --engine=redis:/path/to/redis-server"
                           : "there is no program " + Which());
  }
  return LF_OK;
}

class Session {
 public:
  explicit Session(bool ordered) : ordered_(ordered) {}

  lf_code Begin(const RedisAddress& address) {
    if (!redis_.Connect(address)) return redis_.FailedTo("connect", nullptr);
    if (!ordered_) return LF_OK;
    for (auto [text, sha] :
         {std::pair(kForwards, &forwards_), std::pair(kBackwards, &backwards_)}) {
      const RedisReply reply = redis_.Ask({"SCRIPT", "LOAD", text});
      if (!IsOk(reply)) return redis_.FailedTo("load a script", reply.get());
      *sha = TextOf(*reply);
    }
    return LF_OK;
  }

  lf_code Get(lf_bytes key, lf_bytes* value) {
    answer_ = redis_.Ask({"GET", View(key)});
    if (!IsOk(answer_)) return redis_.FailedTo("get", answer_.get());
    if (answer_->type == REDIS_REPLY_NIL) return LF_NOT_FOUND;
    *value = levelfield::Bytes(TextOf(*answer_));
    return LF_OK;
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    if (View(key).starts_with(kOwn)) return IsOurs(key);
    AppendPut(key, value);
    return Answers("put", ordered_ ? kInTransaction : 1);
  }

  lf_code Erase(lf_bytes key) {
    if (View(key).starts_with(kOwn)) return IsOurs(key);
    AppendErase(key);
    return Answers("erase", ordered_ ? kInTransaction : 1);
  }

  // One command for all that follow each other and are of one kind.
  lf_code Write(std::span<const lf_entry> entries) {
    for (const lf_entry& entry : entries) {
      if (View(entry.key).starts_with(kOwn)) return IsOurs(entry.key);
    }
    redis_.Append({"MULTI"});
    size_t commands = 0;
    for (size_t begin = 0; begin < entries.size();) {
      size_t end = begin;
      while (end < entries.size() && entries[end].erase == entries[begin].erase) ++end;
      commands += AppendRun(entries.subspan(begin, end - begin));
      begin = end;
    }
    redis_.Append({"EXEC"});
    return Answers("write", commands + 2);
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    if (!ordered_) {
      return Unsupported("Redis keeps no order of its keys, and --redis.ordered=0 asks for none");
    }
    return scan_.Seek(*this, how, key, found_key, value);
  }

  lf_code Next(lf_bytes* key, lf_bytes* value) { return scan_.Step(*this, false, key, value); }
  lf_code Prev(lf_bytes* key, lf_bytes* value) { return scan_.Step(*this, true, key, value); }

  lf_code MultiGet(std::span<const lf_bytes> keys, lf_bytes* values, lf_code* codes) {
    words_.assign({"MGET"});
    for (const lf_bytes& key : keys) words_.push_back(View(key));
    redis_.Append(words_.data(), words_.size());
    answer_ = redis_.Take();
    if (!IsOk(answer_) || answer_->elements != keys.size()) {
      return redis_.FailedTo("get several", answer_.get());
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      const redisReply& one = *answer_->element[i];
      codes[i] = one.type == REDIS_REPLY_NIL ? LF_NOT_FOUND : LF_OK;
      if (codes[i] == LF_OK) values[i] = levelfield::Bytes(TextOf(one));
    }
    return LF_OK;
  }

  lf_code Submit(lf_call call, lf_bytes key, lf_bytes value) {
    if (View(key).starts_with(kOwn)) return IsOurs(key);
    switch (call) {
      case LF_GET:
        redis_.Append({"GET", View(key)});
        break;
      case LF_PUT:
        AppendPut(key, value);
        break;
      case LF_ERASE:
        AppendErase(key);
        break;
      case LF_NOTHING:
        redis_.Append({"PING"});
        break;
    }
    in_flight_.push_back(call);
    return LF_OK;
  }

  lf_code Poll(uint64_t most_ns, lf_bytes* value) {
    const lf_call call = in_flight_.front();
    const bool is_several = ordered_ && (call == LF_PUT || call == LF_ERASE);
    const size_t answers = is_several ? kInTransaction : 1;
    while (taken_ < answers) {
      bool is_pending = false;
      RedisReply reply = redis_.TakeWithin(most_ns, &is_pending);
      if (is_pending) return LF_PENDING;
      if (reply == nullptr) return redis_.FailedTo("answer", nullptr);
      if (const redisReply* const error = ErrorIn(*reply); error != nullptr) {
        return redis_.FailedTo("answer", error);
      }
      answer_ = std::move(reply);
      ++taken_;
    }
    taken_ = 0;
    in_flight_.pop_front();
    if (call != LF_GET) return LF_OK;
    if (answer_->type == REDIS_REPLY_NIL) return LF_NOT_FOUND;
    *value = levelfield::Bytes(TextOf(*answer_));
    return LF_OK;
  }

  lf_code RoundTrip() { return Ask("ask for nothing", {"PING"}); }

  static constexpr Refusal Merge{"Redis has no merge operators of a user's own"};
  static constexpr Refusal DeleteRange{"Redis erases keys one by one"};
  static constexpr Refusal BeginTransaction{
      "Redis queues the commands of a transaction (MULTI) and answers them at its end: it cannot "
      "read in one what it has written"};
  static constexpr Refusal GetForUpdate = BeginTransaction;
  static constexpr Refusal CommitTransaction = BeginTransaction;
  static constexpr Refusal RollBackTransaction = BeginTransaction;
  static constexpr Refusal NewIterator{"a scan is a command, and makes nothing before"};

  // As BatchScan wants them.
  lf_code Fetch(const ScanBound& from, bool backwards, size_t most) {
    if (from.kind == ScanBound::Kind::kEnd) {
      bound_ = backwards ? "+" : "-";
    } else {
      bound_.assign(from.kind == ScanBound::Kind::kAt ? "[" : "(").append(from.key);
    }
    char count[24];
    const auto end = std::to_chars(count, count + sizeof(count), most).ptr;
    answer_ = redis_.Ask({"EVALSHA", backwards ? backwards_ : forwards_, "1", kIndex, bound_,
                          std::string_view(count, static_cast<size_t>(end - count))});
    return IsOk(answer_) ? LF_OK : redis_.FailedTo("scan", answer_.get());
  }
  size_t Fetched() const { return answer_->elements == 2 ? answer_->element[0]->elements : 0; }
  bool Entry(size_t i, lf_bytes* key, lf_bytes* value) const {
    const redisReply& found = *answer_->element[1]->element[i];
    *key = levelfield::Bytes(TextOf(*answer_->element[0]->element[i]));
    *value = levelfield::Bytes(TextOf(found));
    return found.type != REDIS_REPLY_NIL;
  }

 private:
  static lf_code IsOurs(lf_bytes key) {
    return Unsupported("Redis: keys that begin with " + std::string(kOwn) +
                       " are the engine's own: " + std::string(View(key)));
  }

  lf_code Ask(const char* what, std::initializer_list<std::string_view> words) {
    const RedisReply reply = redis_.Ask(words);
    return IsOk(reply) ? LF_OK : redis_.FailedTo(what, reply.get());
  }

  // The commands of one kind; returns how many there are.
  size_t AppendRun(std::span<const lf_entry> entries) {
    const bool erases = entries.front().erase != 0;
    words_.assign({erases ? "DEL" : "MSET"});
    for (const lf_entry& entry : entries) {
      words_.push_back(View(entry.key));
      if (!erases) words_.push_back(View(entry.value));
    }
    redis_.Append(words_.data(), words_.size());
    if (!ordered_) return 1;
    words_.assign({erases ? "ZREM" : "ZADD", kIndex});
    for (const lf_entry& entry : entries) {
      if (!erases) words_.push_back("0");
      words_.push_back(View(entry.key));
    }
    redis_.Append(words_.data(), words_.size());
    return 2;
  }

  // MULTI, two commands, EXEC; without an order one command.
  static constexpr size_t kInTransaction = 4;

  void AppendPut(lf_bytes key, lf_bytes value) {
    if (ordered_) redis_.Append({"MULTI"});
    redis_.Append({"SET", View(key), View(value)});
    if (!ordered_) return;
    redis_.Append({"ZADD", kIndex, "0", View(key)});
    redis_.Append({"EXEC"});
  }

  void AppendErase(lf_bytes key) {
    if (ordered_) redis_.Append({"MULTI"});
    redis_.Append({"DEL", View(key)});
    if (!ordered_) return;
    redis_.Append({"ZREM", kIndex, View(key)});
    redis_.Append({"EXEC"});
  }

  // The answer itself, or one of EXEC's.
  static const redisReply* ErrorIn(const redisReply& reply) {
    if (reply.type == REDIS_REPLY_ERROR) return &reply;
    for (size_t i = 0; i < reply.elements; ++i) {
      if (reply.element[i]->type == REDIS_REPLY_ERROR) return reply.element[i];
    }
    return nullptr;
  }

  // Takes so many answers, of writes. The first that is an error is the reason.
  lf_code Answers(const char* what, size_t count) {
    std::string reason;
    for (size_t i = 0; i < count; ++i) {
      const RedisReply reply = redis_.Take();
      if (reply == nullptr) return redis_.FailedTo(what, nullptr);
      const redisReply* const error = ErrorIn(*reply);
      if (error != nullptr && reason.empty()) reason = TextOf(*error);
    }
    return reason.empty() ? LF_OK : Failed(std::string("Redis: cannot ") + what + ": " + reason);
  }

  const bool ordered_;
  RedisConnection redis_;
  std::string forwards_, backwards_;  // The scripts' names.
  RedisReply answer_;                 // Holds what was handed out last.
  std::vector<std::string_view> words_;
  std::string bound_;  // Where a scan goes on, as ZRANGEBYLEX takes it.
  levelfield::BatchScan<Session> scan_;
  std::deque<lf_call> in_flight_;
  size_t taken_ = 0;  // Answers of the oldest.
};

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    Config config;
    if (const lf_code code = ReadConfig(settings, &config); code != LF_OK) return code;
    if (directory == nullptr) return LF_OK;
    auto opened = std::make_unique<Store>(directory, std::move(config));
    lf_code code = opened->config_.endpoint.empty() ? opened->StartOwn() : opened->Attach();
    if (code == LF_OK) code = opened->CheckIndex();
    if (code == LF_OK) store = std::move(opened);
    return code;
  }

  Store(std::string directory, Config config)
      : directory_(std::move(directory)), config_(std::move(config)) {}

  // A server of its own ends, and leaves what it keeps.
  lf_code Close() {
    if (server_.pid() <= 0) return LF_OK;
    const RedisReply reply =
        redis_.Ask({"SHUTDOWN", config_.appendfsync.empty() ? "SAVE" : "NOSAVE"});
    // No answer: it has gone, as it was told to.
    if (reply != nullptr) return redis_.FailedTo("shut down", reply.get());
    const int code = server_.AwaitEnd();
    return code == 0 ? LF_OK : server_.Ended(code);
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(config_.ordered);
    return session->Begin(address_);
  }

  // What is written goes to the file before it is answered. A change while `always` is in force
  // syncs the file, with all that was written before.
  lf_code Sync() {
    const std::lock_guard lock(mutex_);
    if (config_.appendfsync == "always") return LF_OK;
    if (config_.appendfsync.empty()) return Ask("save", {"SAVE"});
    constexpr std::string_view kSync = "levelfield:sync";
    lf_code code = Ask("sync", {"CONFIG", "SET", "appendfsync", "always"});
    if (code == LF_OK) code = Ask("sync", {"SET", kSync, ""});
    if (code == LF_OK) code = Ask("sync", {"DEL", kSync});
    const lf_code restored = Ask("sync", {"CONFIG", "SET", "appendfsync", config_.appendfsync});
    return code != LF_OK ? code : restored;
  }

  // A file without what has been overwritten and erased.
  lf_code Compact() {
    const std::lock_guard lock(mutex_);
    if (config_.appendfsync.empty()) return Ask("save", {"SAVE"});
    return Rewrite({"BGREWRITEAOF"});
  }
  static constexpr Refusal CompactRange{"Redis rewrites its append-only file whole"};
  static constexpr Refusal Flush{"Redis's data are in memory; its file has each write already"};
  static constexpr Refusal WaitForBackground{"Redis has no call to wait for what it does besides"};
  static constexpr Refusal VerifyChecksums{
      "Redis compares the checksum of the part that it has rewritten when it loads it"};
  static constexpr Refusal Backup{"Redis has no call that copies a store that is written to"};
  static constexpr Refusal Restore{"there are no backups of Redis"};
  static constexpr Refusal ApproximateBytes{"Redis does not know what a range of keys takes"};

  lf_code Property(const char* name, const char** text) {
    const std::lock_guard lock(mutex_);
    const std::string_view asked = name;
    if (asked == "sstables") {
      property_.clear();
      if (!config_.endpoint.empty()) return Unsupported("its files are the server's");
      for (const std::string& file : Files(directory_)) levelfield::AppendLine(property_, file, "");
    } else if (asked == "stats") {
      const RedisReply reply = redis_.Ask({"INFO"});
      if (!IsOk(reply)) return redis_.FailedTo("tell", reply.get());
      property_ = TextOf(*reply);
    } else if (asked == "options") {
      if (const lf_code code = TellOptions(); code != LF_OK) return code;
    } else {
      return Unsupported("Redis has no property " + std::string(name));
    }
    *text = property_.c_str();
    return LF_OK;
  }

  void Counters(void* context, void (*sink)(void* context, const char* name, uint64_t)) {
    const std::lock_guard lock(mutex_);
    const RedisReply reply = redis_.Ask({"INFO"});
    if (!IsOk(reply)) return;
    for (const char* name :
         {"total_commands_processed", "keyspace_hits", "keyspace_misses", "total_net_input_bytes",
          "total_net_output_bytes", "expired_keys", "evicted_keys", "aof_delayed_fsync",
          "total_reads_processed", "total_writes_processed", "total_forks"}) {
      const std::string_view value = InfoValue(TextOf(*reply), name);
      uint64_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error == std::errc() && !value.empty()) sink(context, name, number);
    }
  }

  void Activities(void* context, void (*sink)(void* context, const char* name)) {
    const std::lock_guard lock(mutex_);
    const RedisReply reply = redis_.Ask({"INFO", "persistence"});
    if (!IsOk(reply)) return;
    if (InfoValue(TextOf(*reply), "aof_rewrite_in_progress") == "1") sink(context, "compaction");
    if (InfoValue(TextOf(*reply), "rdb_bgsave_in_progress") == "1") sink(context, "save");
  }

  void InForce(const levelfield::InForceSink& sink) {
    const std::lock_guard lock(mutex_);
    if (!config_.appendfsync.empty()) sink.Text("appendfsync", Configured("appendfsync"));
    if (config_.endpoint.empty()) sink.Text("io_threads", Configured("io-threads"));
  }

  void Processes(void* context, void (*sink)(void* context, int64_t process)) {
    if (server_.pid() > 0) sink(context, server_.pid());
  }

  static lf_code Recognize(const char* path) {
    const std::string directory = path;
    const bool is_store = levelfield::IsFile(directory + "/" + kManifest) ||
                          levelfield::StartOfFile(directory + "/" + kDump, 5) == "REDIS" ||
                          !EndpointOwner::Read(directory + "/" + kEndpointFile).name.empty();
    return is_store ? LF_OK : LF_NOT_FOUND;
  }

  static lf_code Destroy(const char* path) {
    const std::string directory = path;
    if (levelfield::IsFile(directory + "/" + kEndpointFile)) {
      if (const lf_code code = EmptyDatabase(directory); code != LF_OK) return code;
    }
    for (const std::string& name : Files(directory)) {
      if (levelfield::RemoveFile(directory + "/" + name)) continue;
      return Failed("Redis: cannot remove " + directory + "/" + name + ": " + std::strerror(errno));
    }
    rmdir((directory + "/" + kAppendOnly).c_str());  // Stays if it holds anything else.
    return LF_OK;
  }

 private:
  // The files of a store, the server's own and ours.
  static std::vector<std::string> Files(const std::string& directory) {
    std::vector<std::string> files;
    for (const std::string& name : levelfield::NamesIn(directory)) {
      const bool is_ours =
          name == kDump || name == RedisServer::kSocket || name == RedisServer::kNames.log ||
          name == RedisServer::kNames.owner_lock || name == RedisServer::kNames.server_lock ||
          name == kEndpointFile ||
          (name.starts_with("temp-") && (name.ends_with(".rdb") || name.ends_with(".aof")));
      if (is_ours) files.push_back(name);
    }
    for (const std::string& name : levelfield::NamesIn(directory + "/" + kAppendOnly)) {
      if (name.starts_with("appendonly.aof") || name.starts_with("temp-appendonly.aof") ||
          name.starts_with("temp_appendonly.aof")) {
        files.push_back(std::string(kAppendOnly) + "/" + name);
      }
    }
    return files;
  }

  lf_code Ask(const char* what, std::initializer_list<std::string_view> words) {
    const RedisReply reply = redis_.Ask(words);
    return IsOk(reply) ? LF_OK : redis_.FailedTo(what, reply.get());
  }

  // Starts with the files that are there, then goes over to those of the class: a closed store has
  // an append-only file or a dump. Where both are left, the change from one to the other was cut
  // short, and the append-only file is complete.
  lf_code StartOwn() {
    const bool has_log = levelfield::IsFile(directory_ + "/" + kManifest);
    const bool has_dump = levelfield::IsFile(directory_ + "/" + kDump);
    if (config_.is_check && !has_log && !has_dump) {
      return Failed("Redis: cannot open " + directory_ + ": there is no store");
    }
    const bool wants_log = !config_.appendfsync.empty();
    const bool starts_with_log = has_log || (wants_log && !has_dump);
    const lf_code code = server_.Start(
        levelfield::RedisProgram(Which()), directory_,
        {"--save", "", "--appendonly", starts_with_log ? "yes" : "no", "--appendfsync",
         wants_log ? config_.appendfsync : "no", "--aof-load-truncated",
         config_.is_check ? "no" : "yes", "--io-threads", std::to_string(config_.io_threads)},
        redis_);
    if (code != LF_OK) return code;
    address_ = server_.Address();
    if (wants_log && !starts_with_log) return FromDumpToLog();
    if (!wants_log && starts_with_log) return FromLogToDump();
    return LF_OK;
  }

  lf_code FromDumpToLog() {
    const lf_code code = Rewrite({"CONFIG", "SET", "appendonly", "yes"});
    if (code != LF_OK) return code;
    return levelfield::RemoveFile(directory_ + "/" + kDump)
               ? LF_OK
               : Failed("Redis: cannot remove " + directory_ + "/" + kDump);
  }

  lf_code FromLogToDump() {
    lf_code code = Ask("save", {"SAVE"});
    if (code == LF_OK) code = Ask("end its log", {"CONFIG", "SET", "appendonly", "no"});
    if (code != LF_OK) return code;
    std::error_code error;
    std::filesystem::remove_all(directory_ + "/" + kAppendOnly, error);
    return error ? Failed("Redis: cannot remove " + directory_ + "/" + kAppendOnly) : LF_OK;
  }

  // Has the server write its log anew, and waits until it is there.
  lf_code Rewrite(std::initializer_list<std::string_view> words) {
    const lf_code code = Ask("rewrite its log", words);
    while (code == LF_OK) {
      const RedisReply reply = redis_.Ask({"INFO", "persistence"});
      if (!IsOk(reply)) return redis_.FailedTo("rewrite its log", reply.get());
      const std::string_view info = TextOf(*reply);
      if (InfoValue(info, "aof_rewrite_in_progress") == "0" &&
          InfoValue(info, "aof_rewrite_scheduled") == "0") {
        if (InfoValue(info, "aof_last_bgrewrite_status") == "ok") return LF_OK;
        return Failed("Redis: cannot rewrite its log: " + server_.LastWords());
      }
      usleep(1000);
    }
    return code;
  }

  // A database of someone else's is never touched: it is empty, or has our name for this directory.
  lf_code Attach() {
    if (!RedisAddress::Parse(config_.endpoint, &address_) || !redis_.Connect(address_)) {
      return redis_.FailedTo("connect to " + config_.endpoint, nullptr);
    }
    if (const lf_code code = CheckClass(); code != LF_OK) return code;
    const RedisReply owner = redis_.Ask({"GET", kOwner});
    const RedisReply size = redis_.Ask({"DBSIZE"});
    if (!IsOk(owner) || !IsOk(size))
      return redis_.FailedTo("attach", IsOk(owner) ? size.get() : owner.get());
    const std::string known = config_.joins
                                  ? config_.store_name
                                  : EndpointOwner::Read(directory_ + "/" + kEndpointFile).name;
    if (!known.empty() && TextOf(*owner) == known) return LF_OK;
    if (config_.joins) {
      return Failed("Redis: the server at " + config_.endpoint +
                    " does not hold the store that rank 0 has made; does each rank mean the same "
                    "server?");
    }
    if (size->integer != 0) {
      return Unsupported("the database 0 of the server at " + config_.endpoint + " holds " +
                         std::to_string(size->integer) +
                         " keys that are not of this store; name a server that is empty");
    }
    EndpointOwner made;
    const lf_code code = EndpointOwner::Make(directory_ + "/" + kEndpointFile, config_.endpoint,
                                             config_.store_name, &made);
    return code == LF_OK ? Ask("attach", {"SET", kOwner, made.name}) : code;
  }

  // A server that runs keeps what it was set to keep; the class has to be that.
  lf_code CheckClass() {
    const std::string is_on = Configured("appendonly");
    const std::string fsync = Configured("appendfsync");
    const bool fits = config_.appendfsync.empty() ? is_on == "no"
                                                  : is_on == "yes" && fsync == config_.appendfsync;
    if (fits) return LF_OK;
    return Unsupported(
        "the server at " + config_.endpoint + " has appendonly " + (is_on.empty() ? "?" : is_on) +
        " and appendfsync " + (fsync.empty() ? "?" : fsync) + ", and this class takes " +
        (config_.appendfsync.empty() ? std::string("appendonly no")
                                     : "appendonly yes and appendfsync " + config_.appendfsync) +
        "; set the server so, or ask for the class that it has");
  }

  static lf_code EmptyDatabase(const std::string& directory) {
    const auto [name, endpoint] = EndpointOwner::Read(directory + "/" + kEndpointFile);
    RedisAddress address;
    RedisConnection redis;
    if (!RedisAddress::Parse(endpoint, &address) || !redis.Connect(address)) {
      return redis.FailedTo("empty the database at " + endpoint, nullptr);
    }
    const RedisReply owner = redis.Ask({"GET", kOwner});
    if (!IsOk(owner)) return redis.FailedTo("empty the database at " + endpoint, owner.get());
    if (name.empty() || TextOf(*owner) != name) return LF_OK;  // It is another's by now.
    const RedisReply reply = redis.Ask({"FLUSHDB"});
    return IsOk(reply) ? LF_OK : redis.FailedTo("empty the database at " + endpoint, reply.get());
  }

  // The sorted set has every key, or there is none.
  lf_code CheckIndex() {
    const RedisReply size = redis_.Ask({"DBSIZE"});
    const RedisReply indexed = redis_.Ask({"ZCARD", kIndex});
    if (!IsOk(size) || !IsOk(indexed))
      return redis_.FailedTo("count", IsOk(size) ? indexed.get() : size.get());
    const long long keys = size->integer - (config_.endpoint.empty() ? 0 : 1);
    if (keys == 0) return LF_OK;
    if (!config_.ordered && indexed->integer != 0) {
      return Unsupported(
          "this store was made with --redis.ordered=1, and its sorted set would be "
          "wrong after a write");
    }
    if (config_.ordered && indexed->integer != keys - 1) {
      return Unsupported("this store has " + std::to_string(keys) + " keys and " +
                         std::to_string(indexed->integer) +
                         " of them in order; open it with --redis.ordered=0");
    }
    return LF_OK;
  }

  // Empty: the server does not tell.
  std::string Configured(std::string_view name) {
    const RedisReply reply = redis_.Ask({"CONFIG", "GET", name});
    return IsOk(reply) && reply->elements == 2 ? std::string(TextOf(*reply->element[1])) : "";
  }

  // Without what names this store's place.
  lf_code TellOptions() {
    const RedisReply reply = redis_.Ask({"CONFIG", "GET", "*"});
    if (!IsOk(reply)) return redis_.FailedTo("tell its configuration", reply.get());
    std::vector<std::string> lines;
    for (size_t i = 0; i + 1 < reply->elements; i += 2) {
      const std::string_view name = TextOf(*reply->element[i]);
      if (name == "dir" || name == "unixsocket" || name == "logfile" || name == "pidfile") continue;
      lines.emplace_back();
      levelfield::AppendLine(lines.back(), name, TextOf(*reply->element[i + 1]));
    }
    std::ranges::sort(lines);
    property_ = std::string("ordered=") + (config_.ordered ? "1" : "0") + "\n";
    for (const std::string& line : lines) property_ += line;
    return LF_OK;
  }

  const std::string directory_;
  const Config config_;
  RedisServer server_;
  RedisAddress address_;
  std::mutex mutex_;       // Guards what follows; `Activities` comes from another thread.
  RedisConnection redis_;  // For everything that is no session's.
  std::string property_;
};

lf_code Load(const char* which) {
  Which() = which != nullptr ? which : "";
  return LF_OK;
}

void Describe(void* context, lf_fact_sink sink) {
  sink(context, "language", "C");
  const std::string program = levelfield::RedisProgram(Which());
  const std::string line =
      program.empty() ? "" : levelfield::VersionLine(program, levelfield::kRedisName);
  const std::string version = levelfield::WordBehind(line, "v=");
  sink(context, "version", version.empty() ? "unknown" : version.c_str());
  if (!line.empty()) sink(context, "version_text", line.c_str());
  sink(context, "library", program.c_str());
  sink(context, "build", "the distribution's");
  sink(context, "client",
       ("hiredis " + levelfield::VersionText(HIREDIS_MAJOR, HIREDIS_MINOR, HIREDIS_PATCH)).c_str());
  sink(context, "papers", RedisServer::kNames.log);
  sink(context, "checksums",
       "CRC64 of the part of its file that was rewritten; none of what was appended");
  sink(context, "compared", "when the file is loaded");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "redis",
    .summary = "Redis: a server with all data in memory and an append-only file",
    .license = "BSD-3-Clause",
    .capabilities = LF_ONE_WRITER | LF_BATCH_ATOMIC | LF_BY_NAME | LF_SERVER,
    .options = kOptions,
    .durabilities = kDurabilities.data(),
    .load = Load,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
