// Kyoto Cabinet's TreeDB: a B+ tree whose pages are records of a hash file, `levelfield.kct`.
// https://dbmx.net/kyotocabinet/spex.html#tips_tuningtree (tuning) and #tips_transaction
// (durability), https://dbmx.net/kyotocabinet/api/
//
// A `Store` may be used by any thread, a `Session` by one. Three things about Kyoto shape this
// file:
//
// - Its transactions belong to the database, not to a thread. A plain set() of another thread
//   during an open transaction is acknowledged from memory and rolled back with it: after kill -9
//   it is gone (seen with 1.2.79), although OAUTOTRAN promises otherwise. So in the classes that
//   promise something, a write takes a mutex that a batch holds from begin to end. It costs no
//   concurrency: under OAUTOTRAN every write holds the database's own writer lock anyway. Reads do
//   not wait, and so may see a batch before its commit. This is Kyoto's own behaviour.
// - If a process died with a file open without OAUTOTRAN, the next open "repairs" the file: it
//   silently rebuilds it from what can be read, and records may be missing. Class `none` promises
//   nothing, so it allows that (kyotocabinet.status says reorganized=1). The others refuse such a
//   file before Kyoto touches it. They themselves never leave one, because they recover from the
//   log.
// - Its file lock makes a second opener wait for ever. OTRYLOCK makes it fail instead.
#include <kchashdb.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "levelfield/engine.h"
#include "library_facts.h"
#include "store_files.h"

namespace {

namespace kc = kyotocabinet;
using levelfield::Damaged;
using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::Refusal;
using levelfield::Unsupported;

const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "64M", nullptr,
     "Capacity of the page cache, which holds tree pages as objects (tune_page_cache)."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr,
     "Writes go to pages in the page cache, which cache_size bounds."},
    {"block_size", LF_BYTES, "8K", nullptr, "Size at which a page of the tree splits (tune_page)."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_CHOICE, "none", "none|zlib|lzo|lzma",
     "Compresses each page (TCOMPRESS; Kyoto's own compressor for it is raw zlib, db_bench's was "
     "lzo)."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens one data file and one log."},
    {"map_size", LF_BYTES, "64M", nullptr,
     "The first bytes of the file that are mapped into memory; the rest is read and written by "
     "system calls (tune_map); Kyoto's documentation recommends more than the size of the file."},
    {"buckets", LF_COUNT, "a tenth of the expected keys, at least 65536 (Kyoto's default)", nullptr,
     "Buckets of the hash file that holds the pages (tune_buckets); Kyoto's documentation "
     "recommends a tenth of the number of records."},
    {"alignment", LF_BYTES, "256", nullptr,
     "Alignment of pages in the file, a power of two up to 32K (tune_alignment)."},
    {"defrag", LF_COUNT, "0", nullptr,
     "A round of automatic defragmentation after so many updates, 0 for none (tune_defrag); "
     "Kyoto's documentation suggests 8 where pages change size."},
    {"linear", LF_FLAG, "0", nullptr,
     "Colliding pages of a bucket as a list instead of a tree (TLINEAR)."},
    {"small", LF_FLAG, "0", nullptr,
     "32-bit addresses in the file: smaller, limited to 2^32 x alignment bytes (TSMALL)."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

// `equal` needs no settings: there are neither checksums nor write buffers, and one process locks
// the file.
const lf_alternative kAlternatives[] = {
    {"map_1g", "map_size=1G", "none,process,synced",
     "For a file above 64 MiB, the mapped part should be larger than the file.",
     "https://dbmx.net/kyotocabinet/spex.html#tips_tuninghash"},
    {"linear", "linear=1", "none,process,synced",
     "Saves time and space; advised where the number of buckets is set, as it is here.",
     "https://dbmx.net/kyotocabinet/spex.html#tips_tuninghash"},
    {"no_readahead", "map_size=0", "none,process,synced",
     "Where the map ends, pages are read and written by calls of pread and pwrite.",
     "https://dbmx.net/kyotocabinet/spex.html#tips_tuninghash"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "OWRITER | OCREATE: changed pages stay in the process until evicted"},
    {"process", LF_D1_PROCESS, "OAUTOTRAN: every write is a logged transaction; no sync"},
    {"synced", LF_D4_SYNCED,
     "OAUTOTRAN | OAUTOSYNC: every write is a logged, synced transaction (OAUTOSYNC alone syncs "
     "too, but a power cut can break the file)"},
    {nullptr, LF_REFUSED, nullptr},
};

const char* const kProperties[] = {"kyotocabinet.status", "options", nullptr};

kc::ZLIBCompressor<kc::ZLIB::RAW> zlib_compressor;
kc::LZOCompressor<kc::LZO::RAW> lzo_compressor;
kc::LZMACompressor<kc::LZMA::RAW> lzma_compressor;
constexpr std::pair<const char*, kc::Compressor*> kCompressors[] = {
    {"zlib", &zlib_compressor}, {"lzo", &lzo_compressor}, {"lzma", &lzma_compressor}};

struct Config {
  bool log = true;
  bool sync = false;
  uint64_t cache_bytes = 0;  // In sizes 0 means not given: Kyoto's default.
  uint64_t page_bytes = 0;
  uint64_t alignment_bytes = 0;
  uint64_t buckets = 0;
  int64_t map_bytes = -1;
  uint64_t defrag_steps = 0;
  kc::Compressor* compressor = nullptr;
  int8_t options = 0;
  int8_t asked_options = 0;  // The given ones of TSMALL, TLINEAR, TCOMPRESS.
  bool buckets_asked = false;
  bool read_only = false;
  bool is_check = false;
  std::set<std::string> given = {};  // Requested by somebody. Otherwise the file's own values win.
};

// Kyoto lists the compressors that it was built with: "(atomic)(zlib)(lzo)(lzma)".
bool HasFeature(std::string_view name) {
  return std::string_view(kc::FEATURES).find("(" + std::string(name) + ")") !=
         std::string_view::npos;
}

void ReadOption(const EngineSettings& settings, const char* name, int8_t bit, Config* config) {
  if (!settings.Has(name)) return;
  config->asked_options = static_cast<int8_t>(config->asked_options | bit);
  if (settings.Flag(name, false)) config->options = static_cast<int8_t>(config->options | bit);
}

lf_code ReadConfig(const EngineSettings& settings, Config* config) {
  constexpr uint64_t kMaxInt64 = std::numeric_limits<int64_t>::max();
  constexpr uint64_t kMaxInt32 = std::numeric_limits<int32_t>::max();
  config->log = settings.Durability() != "none";
  config->sync = settings.Durability() == "synced";
  config->read_only = settings.Flag("read_only", false);
  config->is_check = settings.IsCheck();
  // For Kyoto a size of 0 means its default, so a user's 0 is refused.
  const lf_code code = settings.CheckRanges("Kyoto Cabinet", {{"cache_size", 1, kMaxInt64},
                                                              {"block_size", 1, kMaxInt32},
                                                              {"alignment", 1, 32768},
                                                              {"map_size", 0, kMaxInt64},
                                                              {"defrag", 0, kMaxInt64},
                                                              {"buckets", 1, kMaxInt32}});
  if (code != LF_OK) return code;
  config->cache_bytes = settings.Number("cache_size", 0);
  config->page_bytes = settings.Number("block_size", 0);
  config->alignment_bytes = settings.Number("alignment", 0);
  config->defrag_steps = settings.Number("defrag", 0);
  config->buckets = settings.Number("buckets", 0);
  if (config->alignment_bytes != 0 && !std::has_single_bit(config->alignment_bytes)) {
    return Unsupported("Kyoto Cabinet: alignment=" + std::to_string(config->alignment_bytes) +
                       ": has to be a power of two");
  }
  if (settings.Has("map_size")) {
    config->map_bytes = static_cast<int64_t>(settings.Number("map_size", 0));
  }
  config->buckets_asked = settings.Has("buckets");
  if (!config->buckets_asked) {
    config->buckets =
        std::min(std::max<uint64_t>(settings.ExpectedKeys() / 10, 64 << 10), kMaxInt32);
  }
  ReadOption(settings, "small", kc::TreeDB::TSMALL, config);
  ReadOption(settings, "linear", kc::TreeDB::TLINEAR, config);
  for (const char* name :
       {"block_size", "alignment", "buckets", "small", "linear", "compression"}) {
    if (settings.IsGiven(name)) config->given.insert(name);
  }
  const std::string_view compression = settings.Text("compression", "none");
  if (settings.Has("compression")) config->asked_options |= kc::TreeDB::TCOMPRESS;
  if (compression == "none") return LF_OK;
  if (!HasFeature(compression)) {
    return Unsupported("Kyoto Cabinet: this library was built without " + std::string(compression) +
                       "; it has " + kc::FEATURES);
  }
  config->options |= kc::TreeDB::TCOMPRESS;
  for (const auto& [name, compressor] : kCompressors) {
    if (compression == name) config->compressor = compressor;
  }
  return LF_OK;
}

lf_code FailedTo(const std::string& what, const kc::BasicDB::Error& error) {
  const std::string text =
      "Kyoto Cabinet: cannot " + what + ": " + error.name() + " (" + error.message() + ")";
  return error.code() == kc::BasicDB::Error::BROKEN ? Damaged(text) : Failed(text);
}

// The header of Kyoto's hash file (kchashdb.h): a magic text, and the type of its contents.
bool IsDatabase(const std::string& path) {
  const std::string header = levelfield::StartOfFile(path, 64);
  return header.size() == 64 && header.starts_with("KC\n") &&
         static_cast<uint8_t>(header[8]) == kc::BasicDB::TYPETREE;
}

constexpr levelfield::OneFileStore kFile = {"Kyoto Cabinet", "tree database", "levelfield.kct",
                                            IsDatabase};

// The state of the file before Kyoto opened it: byte 24 of the header has Kyoto's status flags.
// False if there is no file yet.
bool LeftOpenOrBroken(const std::string& path) {
  const std::string header = levelfield::StartOfFile(path, 64);
  return header.size() == 64 && header.starts_with("KC") &&
         (header[24] & (kc::HashDB::FOPEN | kc::HashDB::FFATAL)) != 0;
}

const char* Data(lf_bytes bytes) { return bytes.data != nullptr ? bytes.data : ""; }

// Copies the visited entry, and its key if there is a place for it. A member function of TreeDB
// would have to be called again if a buffer was too small, and treats a miss as an error.
class Copy final : public kc::DB::Visitor {
 public:
  explicit Copy(std::string& value, std::string* key = nullptr) : value_(value), key_(key) {}
  bool found() const { return found_; }

 private:
  const char* visit_full(const char* key, size_t key_size, const char* value, size_t value_size,
                         size_t*) override {
    if (key_ != nullptr) key_->assign(key, key_size);
    value_.assign(value, value_size);
    found_ = true;
    return NOP;
  }

  std::string& value_;
  std::string* const key_;
  bool found_ = false;
};

class Session {
 public:
  // Every batch holds `batches`, and so do single writes if `writes_take_turns`.
  Session(kc::TreeDB& db, std::mutex& batches, bool writes_take_turns, bool sync)
      : db_(db),
        batches_(batches),
        writes_take_turns_(writes_take_turns),
        sync_(sync),
        cursor_(&db),
        copy_entry_(value_, &key_) {}

  ~Session() { RollBackTransaction(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  lf_code Get(lf_bytes key, lf_bytes* value) {
    scan_ = Scan::kNone;
    Copy copy(value_);
    if (!db_.accept(Data(key), key.size, &copy, false)) return FailedTo("get", db_.error());
    if (!copy.found()) return LF_NOT_FOUND;
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    scan_ = Scan::kNone;
    const auto turn = TakeTurn();
    return Set(key, value) ? LF_OK : FailedTo("put", db_.error());
  }

  lf_code Erase(lf_bytes key) {
    scan_ = Scan::kNone;
    const auto turn = TakeTurn();
    return Remove(key) ? LF_OK : FailedTo("erase", db_.error());
  }

  lf_code Write(std::span<const lf_entry> entries) {
    scan_ = Scan::kNone;
    const std::lock_guard turn(batches_);
    if (!db_.begin_transaction(sync_)) return FailedTo("begin a transaction", db_.error());
    for (const lf_entry& entry : entries) {
      if (entry.erase != 0 ? Remove(entry.key) : Set(entry.key, entry.value)) continue;
      const lf_code code = FailedTo("write a batch", db_.error());
      db_.end_transaction(false);
      return code;
    }
    return db_.end_transaction(true) ? LF_OK : FailedTo("commit a batch", db_.error());
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    bool there = false;
    switch (how) {
      case LF_FIRST:
        scan_ = Scan::kForward;
        return cursor_.jump() ? Forward(found_key, value) : End();
      case LF_AT_OR_AFTER:
        scan_ = Scan::kForward;
        return cursor_.jump(Data(key), key.size) ? Forward(found_key, value) : End();
      case LF_LAST:
        scan_ = Scan::kBackward;
        return cursor_.jump_back() ? Here(found_key, value) : End();
      case LF_AT_OR_BEFORE:
        scan_ = Scan::kBackward;
        there = cursor_.jump_back(Data(key), key.size);
        while (there) {
          const lf_code code = Here(found_key, value);
          if (code != LF_OK || levelfield::View(*found_key) <= levelfield::View(key)) return code;
          there = cursor_.step_back();
        }
        return End();
    }
    return LF_NOT_FOUND;
  }

  // The transaction belongs to the whole database, not to a session
  // (https://dbmx.net/kyotocabinet/api/classkyotocabinet_1_1PlantDB.html, begin_transaction). Other
  // writers wait until it ends, and readers see its writes before it is committed. If writes did
  // not take turns, they would be part of it, and be undone with it.
  lf_code BeginTransaction() {
    scan_ = Scan::kNone;
    if (!writes_take_turns_) {
      return Unsupported(
          "Kyoto Cabinet: a transaction is the whole database's, so the writes of others would be "
          "part of it: they wait for its end with --durability=process or synced");
    }
    std::unique_lock turn(batches_);
    if (!db_.begin_transaction(sync_)) return FailedTo("begin a transaction", db_.error());
    transaction_turn_ = std::move(turn);
    return LF_OK;
  }

  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) { return Get(key, value); }
  lf_code CommitTransaction() { return EndTransaction(true, "commit a transaction"); }

  lf_code RollBackTransaction() {
    if (!transaction_turn_.owns_lock()) return LF_OK;
    return EndTransaction(false, "roll back a transaction");
  }

  // A session has one cursor for all its scans. This makes one.
  lf_code NewIterator() {
    scan_ = Scan::kNone;
    const kc::TreeDB::Cursor cursor(&db_);
    return LF_OK;
  }

  struct Snapshot {};
  static constexpr Refusal TakeSnapshot{
      "Kyoto Cabinet keeps one state of the tree; there is no older one to read"};
  static constexpr Refusal GetAt = TakeSnapshot;
  static constexpr Refusal Merge{
      "Kyoto Cabinet has no merge operators: its append and increment read the record and write "
      "it"};
  static constexpr Refusal MultiGet{
      "Kyoto Cabinet's get_bulk copies what it finds into a map of its own making, out of the "
      "order "
      "that was asked for; one key a call is got here"};

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    if (scan_ == Scan::kForward) return Forward(key, value);
    if (scan_ == Scan::kNone) return LF_NOT_FOUND;
    scan_ = Scan::kForward;
    previous_.swap(key_);
    if (!cursor_.jump(previous_)) return End();
    const lf_code code = Forward(key, value);
    return code == LF_OK && key_ == previous_ ? Forward(key, value) : code;
  }

  // The loop handles an entry that another thread erased under the cursor: Kyoto then puts the
  // cursor on the next entry. If it was the last of its page and is erased between step_back and
  // the reading, Kyoto continues with the page before. This flaw of its cursor cannot be seen from
  // here.
  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    if (scan_ == Scan::kNone) return LF_NOT_FOUND;
    previous_.swap(key_);
    bool there = scan_ == Scan::kBackward && cursor_.step_back();
    // The scan turns, or it is at its end, or the page under the cursor is gone with its place.
    if (!there) there = cursor_.jump_back(previous_);
    scan_ = Scan::kBackward;
    while (there) {
      const lf_code code = Here(key, value);
      if (code != LF_OK || key_ < previous_) return code;
      there = cursor_.step_back();
    }
    return End();
  }

 private:
  // Forwards, the cursor stands on the entry after the last returned one, because reading and
  // stepping are then one call with one search of the page. Backwards, it stands on the returned
  // one, because Kyoto's cursor keeps its place among erasures only if it steps first and then
  // reads.
  enum class Scan { kNone, kForward, kBackward };

  // Predictable branches, in a write that takes microseconds.
  std::unique_lock<std::mutex> TakeTurn() {
    const bool waits = writes_take_turns_ && !transaction_turn_.owns_lock();
    return waits ? std::unique_lock(batches_) : std::unique_lock<std::mutex>();
  }

  lf_code EndTransaction(bool commits, const char* what) {
    scan_ = Scan::kNone;
    const std::unique_lock turn = std::move(transaction_turn_);
    return db_.end_transaction(commits) ? LF_OK : FailedTo(what, db_.error());
  }

  bool Set(lf_bytes key, lf_bytes value) {
    return db_.set(Data(key), key.size, Data(value), value.size);
  }

  bool Remove(lf_bytes key) {
    return db_.remove(Data(key), key.size) || db_.error() == kc::BasicDB::Error::NOREC;
  }

  lf_code Forward(lf_bytes* key, lf_bytes* value) { return Read(true, key, value); }
  lf_code Here(lf_bytes* key, lf_bytes* value) { return Read(false, key, value); }

  lf_code Read(bool step, lf_bytes* key, lf_bytes* value) {
    if (!cursor_.accept(&copy_entry_, false, step)) return End();
    *key = levelfield::Bytes(key_);
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }

  // Why a cursor call returned false.
  lf_code End() {
    scan_ = Scan::kNone;
    const kc::BasicDB::Error error = db_.error();
    return error == kc::BasicDB::Error::NOREC ? LF_NOT_FOUND : FailedTo("scan", error);
  }

  kc::TreeDB& db_;
  std::mutex& batches_;
  const bool writes_take_turns_;
  const bool sync_;
  kc::TreeDB::Cursor cursor_;
  Scan scan_ = Scan::kNone;
  std::string key_;
  std::string previous_;
  std::string value_;
  Copy copy_entry_;
  std::unique_lock<std::mutex> transaction_turn_;  // Held while a transaction is open.
};

class Store : public levelfield::OverriddenSettings {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    Config config;
    lf_code code = ReadConfig(settings, &config);
    if (code != LF_OK || directory == nullptr) return code;
    auto opened = std::make_unique<Store>();
    std::string file;
    code = kFile.Find(directory, file);
    if (code == LF_OK) code = opened->OpenFile(file, config);
    if (code == LF_OK) store = std::move(opened);
    return code;
  }

  lf_code Close() { return db_.close() ? LF_OK : FailedTo("close " + path_, db_.error()); }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(db_, batches_, log_, sync_);
    return LF_OK;
  }

  lf_code Sync() {
    return db_.synchronize(true) ? LF_OK : FailedTo("synchronize " + path_, db_.error());
  }

  // Closes every gap in the file. Pages are stored in their own length, so this is the densest
  // form, however full the pages are.
  lf_code Compact() {
    const std::lock_guard turn(batches_);
    return db_.defrag(0) ? LF_OK : FailedTo("defragment " + path_, db_.error());
  }

  // Whether a line of the status is a setting, and not a figure that changes.
  static bool IsOption(std::string_view key) {
    static constexpr std::string_view kSet[] = {"apow",  "bnum",   "chksum",   "dfunit", "fmtver",
                                                "fpow",  "librev", "libver",   "msiz",   "opts",
                                                "pccap", "psiz",   "realtype", "rcomp",  "type"};
    return std::ranges::find(kSet, key) != std::end(kSet);
  }

  lf_code Property(std::string_view name, const char** text) {
    if (name == "sstables") {
      return Unsupported("Kyoto Cabinet has no tables: its one file is a tree (property stats)");
    }
    if (name == "levelstats") {
      return Unsupported("Kyoto Cabinet tells of its tree only how many levels it has (stats)");
    }
    if (name == "check") return Check(text);
    const bool is_of_memory = name == "memstats";
    const bool is_of_options = name == kProperties[1];
    if (name != kProperties[0] && name != "stats" && !is_of_memory && !is_of_options) {
      return Unsupported("Kyoto Cabinet has only kyotocabinet.status, stats, options and memstats");
    }
    // A name that is already in the map requests a figure that is costly to find.
    Status status;
    if (!is_of_options) {
      status = {{"bnum_used", ""},   {"fbpnum_used", ""}, {"cusage_lcnt", ""}, {"cusage_lsiz", ""},
                {"cusage_icnt", ""}, {"cusage_isiz", ""}, {"tree_level", ""}};
    }
    if (!db_.status(&status)) return FailedTo("get the status of " + path_, db_.error());
    text_.clear();
    for (const auto& [key, value] : status) {
      const bool is_asked = is_of_memory    ? key.starts_with("cusage")
                            : is_of_options ? IsOption(key)
                                            : true;
      if (is_asked) levelfield::AppendLine(text_, key, value);
    }
    if (is_of_options) levelfield::AppendLine(text_, "sync", int{sync_});
    *text = text_.c_str();
    return LF_OK;
  }

  void InForce(const levelfield::InForceSink& tell) {
    Status status;
    if (!db_.status(&status)) return;
    const uint64_t options = Count(status, "opts");
    tell.Number("cache_size", Count(status, "pccap"));
    tell.Number("block_size", Count(status, "psiz"));
    tell.Text("compression", CompressionOf(options));
    tell.Number("map_size", Count(status, "msiz"));
    tell.Number("buckets", Count(status, "bnum"));
    tell.Number("alignment", uint64_t{1} << Count(status, "apow"));
    tell.Number("defrag", Count(status, "dfunit"));
    tell.Flag("linear", (options & kc::TreeDB::TLINEAR) != 0);
    tell.Flag("small", (options & kc::TreeDB::TSMALL) != 0);
  }

  // Like `kctreemgr check`: looks up each record of a walk by its key, and counts all.
  lf_code Check(const char** text) {
    const std::unique_ptr<kc::TreeDB::Cursor> cursor(db_.cursor());
    const int64_t counted = db_.count();
    int64_t walked = 0;
    std::string key;
    std::string value;
    std::string found;
    for (bool is_there = cursor->jump(); is_there; ++walked) {
      is_there = cursor->get(&key, &value, true);
      if (!is_there) break;
      if (!db_.get(key, &found) || found != value) {
        return Damaged("Kyoto Cabinet: record " + std::to_string(walked) + " of a walk through " +
                      path_ + " is another one, or none, by its key");
      }
    }
    if (db_.error().code() != kc::BasicDB::Error::NOREC &&
        db_.error().code() != kc::BasicDB::Error::SUCCESS) {
      return FailedTo("walk through " + path_, db_.error());
    }
    if (walked != counted) {
      return Damaged("Kyoto Cabinet: " + path_ + " counts " + std::to_string(counted) +
                    " records, and a walk through it finds " + std::to_string(walked));
    }
    text_ = "a walk finds the " + std::to_string(walked) + " records that the file counts";
    *text = text_.c_str();
    return LF_OK;
  }

  // Writes changed pages of the caches to the file, without a sync.
  lf_code Flush() {
    return db_.synchronize(false) ? LF_OK : FailedTo("synchronize " + path_, db_.error());
  }

  static constexpr Refusal WaitForBackground{
      "Kyoto Cabinet has no threads of its own, so there is nothing to wait for"};

  // Synchronizes, and copies the file while writers wait.
  lf_code Backup(const char* directory) {
    const std::lock_guard turn(batches_);
    const std::string copy = std::string(directory) + "/" + kFile.own;
    return db_.copy(copy) ? LF_OK : FailedTo("copy " + path_ + " to " + copy, db_.error());
  }

  static lf_code Restore(const char* backup, const char* directory) {
    return kFile.Restore(backup, directory);
  }

  static constexpr Refusal VerifyChecksums{"Kyoto Cabinet's tree file has no checksums"};
  static constexpr Refusal CompactRange{
      "Kyoto Cabinet defragments a whole file, never a range of keys"};
  static constexpr Refusal ApproximateBytes{
      "Kyoto Cabinet knows the size of the whole file, not of a range of keys"};

  static lf_code Recognize(const char* path) { return kFile.Recognize(path); }

  // The file and its log of transactions (`.wal`, kcfile.cc).
  static lf_code Destroy(const char* path) {
    std::string file;
    if (Recognize(path) != LF_OK) return LF_OK;
    if (const lf_code code = kFile.Find(path, file); code != LF_OK) return code;
    return kFile.Remove({file + ".wal", file});
  }

  // Opening without OAUTOTRAN rebuilds a file marked as broken from its readable records. Closing
  // it removes the mark.
  static lf_code Repair(const char* path, const EngineSettings& settings) {
    Config config;
    std::string file;
    lf_code code = ReadConfig(settings, &config);
    if (code == LF_OK) code = kFile.Find(path, file);
    if (code != LF_OK) return code;
    if (!levelfield::IsFile(file)) {
      return Failed("Kyoto Cabinet: cannot repair " + file + ": there is no such file");
    }
    config.log = config.sync = false;
    Store store;
    code = store.OpenFile(file, config);
    return code == LF_OK ? store.Close() : code;
  }

  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    Status status;
    if (!db_.status(&status)) return;
    sink(context, "kyotocabinet.leaf_pages_made", Count(status, "lcnt"));
    sink(context, "kyotocabinet.inner_pages_made", Count(status, "icnt"));
  }

 private:
  using Status = std::map<std::string, std::string>;

  static uint64_t Count(const Status& status, const char* name) {
    return std::stoull(status.at(name));
  }

  lf_code OpenFile(const std::string& path, const Config& config) {
    path_ = path;
    log_ = config.log;
    sync_ = config.sync;
    if (config.read_only && (LeftOpenOrBroken(path) || levelfield::IsFile(path + ".wal"))) {
      return Unsupported("Kyoto Cabinet: " + path +
                         " was not closed in good order, and reading it takes a repair");
    }
    if ((config.log || config.is_check) && LeftOpenOrBroken(path)) {
      return Failed("Kyoto Cabinet: " + path +
                    " was left open by a process that died while it had --durability=none, or is "
                    "marked as broken; opening it would rebuild it in silence, and records may be "
                    "missing: use a fresh directory");
    }
    db_.tune_options(config.options);
    db_.tune_buckets(static_cast<int64_t>(config.buckets));
    db_.tune_page_cache(static_cast<int64_t>(config.cache_bytes));
    db_.tune_page(static_cast<int32_t>(config.page_bytes));
    db_.tune_map(config.map_bytes);
    db_.tune_defrag(static_cast<int64_t>(config.defrag_steps));
    if (config.alignment_bytes != 0) {
      db_.tune_alignment(static_cast<int8_t>(std::countr_zero(config.alignment_bytes)));
    }
    if (config.compressor != nullptr) db_.tune_compressor(config.compressor);
    compressor_ = config.compressor;
    uint32_t mode = kc::TreeDB::OWRITER | kc::TreeDB::OCREATE;
    if (config.log) mode |= kc::TreeDB::OAUTOTRAN;
    if (config.sync) mode |= kc::TreeDB::OAUTOSYNC;
    if (config.read_only) mode = kc::TreeDB::OREADER;
    if (config.is_check) mode = (mode & ~kc::TreeDB::OCREATE) | kc::TreeDB::ONOREPAIR;
    mode |= kc::TreeDB::OTRYLOCK;
    if (!db_.open(path, mode) && !OpenAsCompressed(mode, config)) {
      const kc::BasicDB::Error error = db_.error();
      if (IsOfAnotherCompressor(error)) {
        return Unsupported("Kyoto Cabinet: " + path +
                           " was made with another compression, which the file does not name: try "
                           "--compression=lzo (db_bench_tree_db's), zlib or lzma");
      }
      return FailedTo("open " + path + " (is another process using it?)", error);
    }
    const lf_code code = CheckMadeAsAsked(config);
    if (code != LF_OK) db_.close();
    return code;
  }

  static bool IsOfAnotherCompressor(const kc::BasicDB::Error& error) {
    return std::string_view(error.message()) == "invalid module checksum";
  }

  // The file does not name its compressor, but refuses every wrong one. If none was requested, all
  // are tried. A remaining error is that of the last attempt.
  bool OpenAsCompressed(uint32_t mode, const Config& config) {
    if (config.given.contains("compression")) return false;
    for (const auto& [name, compressor] : kCompressors) {
      if (!IsOfAnotherCompressor(db_.error())) return false;
      if (!HasFeature(name)) continue;
      db_.tune_compressor(compressor);
      compressor_ = compressor;
      if (db_.open(path_, mode)) return true;
    }
    return false;
  }

  // The compression of the open file.
  std::string CompressionOf(uint64_t options) const {
    if ((options & kc::TreeDB::TCOMPRESS) == 0) return "none";
    for (const auto& [name, compressor] : kCompressors) {
      if (compressor_ == compressor) return name;
    }
    return "zlib";  // Kyoto's own.
  }

  // Kyoto takes these from an existing file, and ignores the requested ones.
  lf_code CheckMadeAsAsked(const Config& config) {
    Status status;
    if (!db_.status(&status)) return FailedTo("get the status of " + path_, db_.error());
    const uint64_t options = Count(status, "opts");
    const auto size = [&](const char* name, uint64_t asked, uint64_t has) {
      if (asked == 0 || asked == has) return;
      overridden.emplace_back(name, std::to_string(has));
    };
    const auto option = [&](const char* name, int8_t bit) {
      const auto mask = static_cast<uint64_t>(bit);
      if ((config.asked_options & bit) == 0) return;
      if ((options & mask) == (static_cast<uint64_t>(config.options) & mask)) return;
      overridden.emplace_back(name, (options & mask) != 0 ? "1" : "0");
    };
    size("block_size", config.page_bytes, Count(status, "psiz"));
    size("buckets", config.buckets_asked ? config.buckets : 0, Count(status, "bnum"));
    size("alignment", config.alignment_bytes, uint64_t{1} << Count(status, "apow"));
    option("small", kc::TreeDB::TSMALL);
    option("linear", kc::TreeDB::TLINEAR);
    const bool is_compressed = (options & kc::TreeDB::TCOMPRESS) != 0;
    const bool has_asked = (config.options & kc::TreeDB::TCOMPRESS) != 0;
    const bool is_other = is_compressed != has_asked || compressor_ != config.compressor;
    if ((config.asked_options & kc::TreeDB::TCOMPRESS) != 0 && is_other) {
      overridden.emplace_back("compression", CompressionOf(options));
    }
    for (const auto& [name, value] : overridden) {
      if (!config.given.contains(name)) continue;
      return Unsupported("Kyoto Cabinet: " + path_ + " was made with " + name + "=" + value +
                         ", and that cannot be changed: leave the option out, or use a fresh "
                         "directory");
    }
    return LF_OK;
  }

  kc::TreeDB db_;
  std::mutex batches_;
  bool log_ = true;
  bool sync_ = false;
  std::string path_;
  std::string text_;
  kc::Compressor* compressor_ = nullptr;  // Null: Kyoto's own, if there is one.
};

void Describe(void* context, lf_fact_sink sink) {
  const std::string abi = std::to_string(kc::LIBVER) + "." + std::to_string(kc::LIBREV) +
                          ", file format " + std::to_string(kc::FMTVER);
  sink(context, "language", "C++");
  sink(context, "version", kc::VERSION);
  // The ChangeLog of Kyoto Cabinet, as its library tells no date.
  for (const auto& [version, year] :
       {std::pair("1.2.76", "2012"), std::pair("1.2.77", "2018"), std::pair("1.2.78", "2020"),
        std::pair("1.2.79", "2020"), std::pair("1.2.80", "2023")}) {
    if (std::string_view(kc::VERSION) == version) sink(context, "released", year);
  }
  sink(context, "library_abi", abi.c_str());
  auto* const code_of_library = reinterpret_cast<const void*>(
      static_cast<char* (*)(const void*, size_t, size_t*, kc::ZLIB::Mode)>(&kc::ZLIB::compress));
  const std::string path = levelfield::LibraryPath(code_of_library);
  sink(context, "library", path.c_str());
  sink(context, "space_factor", "2.62 " LEVELFIELD_SPACE_MEASURED);
  sink(context, "read_only", "OREADER, of a file that was closed in good order");
  const levelfield::LibraryFile file(path);
  const bool has_assertions = levelfield::ImportsSymbol(file.bytes(), "__assert_fail");
  sink(context, "assertions",
       levelfield::Assertions(file.bytes(), has_assertions,
                              "on: the library imports __assert_fail"));
  sink(context, "build",
       "the tree and hash code are C++ templates and headers, compiled into this plug-in by gcc or "
       "clang " __VERSION__
#ifdef __OPTIMIZE__
       " with optimisation"
#else
       " WITHOUT optimisation"
#endif
       "; files, locks and compressors are the library's");
#ifndef __OPTIMIZE__
  sink(context, "warning", "the plug-in, and with it Kyoto's tree, was built without optimisation");
#endif
  sink(context, "features", kc::FEATURES);
  std::string compressors;
  for (const auto& [name, compressor] : kCompressors) {
    if (HasFeature(name)) compressors += (compressors.empty() ? "" : " ") + std::string(name);
  }
  sink(context, "compressors", compressors.c_str());
  sink(context, "deviation_process",
       "D0: after a kill Kyoto Cabinet may find its own file broken "
       "(docs/reference/limitations.md#durability)");
  sink(context, "deviation_synced",
       "D2: after a power cut Kyoto Cabinet may find its own file broken "
       "(docs/reference/limitations.md#durability)");
  sink(context, "checksums", "none over records: a flipped bit is returned as data");
  sink(context, "compared", "nothing: Kyoto Cabinet has no checksum of a page or a log");
  sink(context, "isolation", "a get may see another thread's batch before its commit");
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "treedb",
    .summary = "Kyoto Cabinet TreeDB: a B+ tree in a hash file",
    .license = "GPL-3.0-or-later",
    .capabilities = LF_ONE_WRITER,  // A get may meet half of a batch: see the fact "isolation".
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
