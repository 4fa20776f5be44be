// LevelDB 1.23, through its C++ interface. https://github.com/google/leveldb/blob/main/doc/index.md
//
// Built twice. `levelfield_leveldb.so` contains a release build (scripts/build_leveldb.sh).
// `levelfield_leveldb@system.so` uses the distribution's library, which may be an assert build.
// Then every row says so.
#include <fcntl.h>
#include <leveldb/c.h>
#include <leveldb/cache.h>
#include <leveldb/comparator.h>
#include <leveldb/db.h>
#include <leveldb/env.h>
#include <leveldb/filter_policy.h>
#include <leveldb/write_batch.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include "levelfield/engine.h"
#include "library_facts.h"
#include "store_files.h"

namespace {

using levelfield::Damaged;
using levelfield::EngineSettings;
using levelfield::Failed;
using levelfield::Refusal;
using levelfield::Unsupported;

// Defaults are LevelDB's own (include/leveldb/options.h), except paranoid_checks. Without it,
// recovery skips a damaged part of the log and says so only in its LOG: after one short write,
// 1,900 of 2,000 acknowledged puts were gone and the store opened without an error. It costs a
// checksum for each block that a compaction reads: 2 % of the CPU time of a random fill.
const lf_option kOptions[] = {
    {"cache_size", LF_BYTES, "8M", nullptr,
     "LRU cache of blocks that were compressed. Others are not copied into it: they are read in "
     "the memory maps of the first 1,000 table files."},
    {"write_buffer_size", LF_BYTES, "4M", nullptr, "Memtable. Up to two are held. 64K to 1G."},
    {"block_size", LF_BYTES, "4K", nullptr, "User data in a block, uncompressed. 1K to 4M."},
    {"bloom_bits", LF_COUNT, "0", nullptr, "Bits of Bloom filter for each key. 0: no filter."},
    {"compression", LF_CHOICE, "snappy", "none|snappy", "Compression of blocks."},
    {"max_open_files", LF_COUNT, "1000", nullptr, "Table files kept open. 74 to 50000."},
    {"max_file_size", LF_BYTES, "2M", nullptr, "Size of a table file. 1M to 1G."},
    {"reuse_logs", LF_FLAG, "0", nullptr, "Appends to the log and manifest found at open."},
    {"paranoid_checks", LF_FLAG, "1", nullptr,
     "A damaged log fails the open instead of being skipped; compactions verify checksums. "
     "LevelDB's own default is 0."},
    {"verify_checksums", LF_FLAG, "0", nullptr, "Each block read by get and scan is verified."},
    {"readahead", LF_FLAG, "1", nullptr,
     "0 asks the operating system to read no further than asked in the tables, which are memory "
     "maps (MADV_RANDOM, by an Env around LevelDB's own), for data larger than memory."},
    {"comparisons", LF_FLAG, "0", nullptr,
     "Counts each comparison of two keys (counter leveldb.comparisons), at the price of a shared "
     "counter."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

// Without --memory all write buffers have 16 MiB, as with --memory=256M, which gives the same cache
// of 64 MiB.
const lf_alternative kAlternatives[] = {
    {"equal", "write_buffer_size=16M", "process,synced",
     "Larger buffers are faster, most of all for bulk loads; RocksDB's has the same size.",
     "https://github.com/google/leveldb/blob/main/include/leveldb/options.h"},
    {"buffer_64m", "write_buffer_size=64M", "process,synced",
     "Larger buffers are faster, most of all for bulk loads.",
     "https://github.com/google/leveldb/blob/main/include/leveldb/options.h"},
    {"bloom", "bloom_bits=10", "process,synced",
     "Filters save disk reads of gets where the data do not fit in memory.",
     "https://github.com/google/leveldb/blob/main/doc/index.md#filters"},
    {"block_16k", "block_size=16K", "process,synced",
     "Larger blocks suit bulk scans, smaller ones reads of small values.",
     "https://github.com/google/leveldb/blob/main/doc/index.md#block-size"},
    {"no_readahead", "readahead=0", "process,synced",
     "Clients may bring an Env of their own for better control of the files.",
     "https://github.com/google/leveldb/blob/main/doc/index.md#environment"},
    {"checked", "verify_checksums=1", "process,synced",
     "All that is read from the file system is verified. A block in a memory map is read at each "
     "get, not once for its stay in a cache.",
     "https://github.com/google/leveldb/blob/main/doc/index.md#checksums"},
    {"own", "cache_size=8M", "process,synced",
     "A program may give it a cache of another size. Blocks that are not compressed do without.",
     "https://github.com/google/leveldb/blob/main/doc/index.md#cache"},
    {"own", "compression=snappy", "process,synced",
     "Compression is on by default because it is fast, and left out where it gains nothing. The "
     "blocks of memory maps are cached only where they are compressed.",
     "https://github.com/google/leveldb/blob/main/doc/index.md#compression"},
    {"own", "paranoid_checks=0", "process,synced",
     "Off by default, so that damage is found later and most of a store can still be read. It is "
     "on here, or acknowledged writes would be lost without an error.",
     "https://github.com/google/leveldb/blob/main/doc/index.md#checksums"},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_REFUSED,
     "LevelDB has nothing weaker than process: each write reaches the kernel before it returns"},
    {"process", LF_D1_PROCESS, "WriteOptions::sync = false"},
    {"synced", LF_D4_SYNCED, "WriteOptions::sync = true"},
    {nullptr, LF_REFUSED, nullptr},
};

const char* const kProperties[] = {"options",          "leveldb.stats",
                                   "leveldb.sstables", "leveldb.approximate-memory-usage",
                                   "table_bytes",      nullptr};

leveldb::Slice Slice(lf_bytes bytes) { return {bytes.data, bytes.size}; }
lf_bytes Bytes(const leveldb::Slice& slice) { return {slice.data(), slice.size()}; }

// Corruption is also what LevelDB says of a block of another compression and of a manifest with
// more in it, both of other versions and forks. And what it reads behind the end of a table that was
// cut, which it has mapped, is an invalid argument (util/env_posix.cc).
lf_code Code(const leveldb::Status& status, const std::string& what, const char* then = "") {
  if (status.ok()) return LF_OK;
  const std::string words = status.ToString();
  const std::string text = "LevelDB: " + what + ": " + words + then;
  const bool is_of_another = words.find("bad block type") != std::string::npos ||
                             words.find("unknown tag") != std::string::npos;
  const bool is_cut = status.IsIOError() && words.ends_with(": Invalid argument");
  return is_cut || (status.IsCorruption() && !is_of_another) ? Damaged(text) : Failed(text);
}

// The byte order of LevelDB's own comparator, with its name, and a count of its calls by readers,
// writers and the compacting thread.
class CountingComparator final : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    count_.fetch_add(1, std::memory_order_relaxed);
    return bytewise_->Compare(a, b);
  }
  const char* Name() const override { return bytewise_->Name(); }
  void FindShortestSeparator(std::string* start, const leveldb::Slice& limit) const override {
    bytewise_->FindShortestSeparator(start, limit);
  }
  void FindShortSuccessor(std::string* key) const override { bytewise_->FindShortSuccessor(key); }
  uint64_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  const leveldb::Comparator* const bytewise_ = leveldb::BytewiseComparator();
  mutable std::atomic<uint64_t> count_{0};
};

// LevelDB's own Env reads a table through a memory map, and the kernel fetches read_ahead_kb of the
// device for each page of it that is missing, where a get asks for one block. This one advises it
// not to, for every map that LevelDB makes. Beyond a thousand tables it reads by calls, and what is
// read so at random is not fetched ahead.
class WithoutReadAhead final : public leveldb::EnvWrapper {
 public:
  WithoutReadAhead() : EnvWrapper(leveldb::Env::Default()) {}

  leveldb::Status NewRandomAccessFile(const std::string& name,
                                      leveldb::RandomAccessFile** file) override {
    leveldb::Status status = target()->NewRandomAccessFile(name, file);
    uint64_t bytes = 0;
    char buffer;
    leveldb::Slice first;  // Of a map it is the map, and nothing has been read.
    if (!status.ok() || !target()->GetFileSize(name, &bytes).ok()) return status;
    if (!(*file)->Read(0, 1, &first, &buffer).ok() || first.data() == &buffer) return status;
    if (madvise(const_cast<char*>(first.data()), bytes, MADV_RANDOM) == 0) return status;
    status = leveldb::Status::IOError(name, std::string("madvise: ") + std::strerror(errno));
    delete std::exchange(*file, nullptr);
    return status;
  }
};

class Session {
 public:
  Session(leveldb::DB& db, const leveldb::ReadOptions& read, const leveldb::WriteOptions& write)
      : db_(db), read_(read), write_(write) {}

  lf_code Get(lf_bytes key, lf_bytes* value) { return GetBy(read_, "get", key, value); }

  // DB::Put and DB::Delete each make a batch. Ours keeps its memory, as in db_bench.
  lf_code Put(lf_bytes key, lf_bytes value) {
    batch_.Clear();
    batch_.Put(Slice(key), Slice(value));
    return Commit("put");
  }

  lf_code Erase(lf_bytes key) {
    batch_.Clear();
    batch_.Delete(Slice(key));
    return Commit("erase");
  }

  lf_code Write(std::span<const lf_entry> entries) {
    batch_.Clear();
    for (const lf_entry& entry : entries) {
      if (entry.erase != 0) {
        batch_.Delete(Slice(entry.key));
      } else {
        batch_.Put(Slice(entry.key), Slice(entry.value));
      }
    }
    return Commit("write of a batch");
  }

  // An iterator sees the store as of its creation, so each scan makes its own.
  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    scan_.reset(db_.NewIterator(read_));
    switch (how) {
      case LF_FIRST:
        scan_->SeekToFirst();
        break;
      case LF_LAST:
        scan_->SeekToLast();
        break;
      case LF_AT_OR_AFTER:
        scan_->Seek(Slice(key));
        break;
      case LF_AT_OR_BEFORE:
        scan_->Seek(Slice(key));
        if (!scan_->Valid()) {
          if (scan_->status().ok()) scan_->SeekToLast();
        } else if (scan_->key() != Slice(key)) {
          scan_->Prev();
        }
        break;
    }
    return Emit(found_key, value);
  }

  struct Snapshot {
    explicit Snapshot(leveldb::DB& of) : db(of), sequence(of.GetSnapshot()) {}
    ~Snapshot() { db.ReleaseSnapshot(sequence); }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;
    leveldb::DB& db;
    const leveldb::Snapshot* const sequence;
  };

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    scan_.reset();
    snapshot = std::make_unique<Snapshot>(db_);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    leveldb::ReadOptions read = read_;
    read.snapshot = snapshot.sequence;
    return GetBy(read, "get of a snapshot", key, value);
  }

  lf_code NewIterator() {
    scan_.reset(db_.NewIterator(read_));
    scan_.reset();
    return LF_OK;
  }

  static constexpr Refusal BeginTransaction{
      "LevelDB has no transactions: a batch is all that it writes as one"};
  static constexpr Refusal GetForUpdate = BeginTransaction, CommitTransaction = BeginTransaction;
  lf_code RollBackTransaction() { return LF_OK; }
  static constexpr Refusal Merge{
      "LevelDB has no merge operators: who changes a value reads it and puts it"};
  static constexpr Refusal MultiGet{"LevelDB gets one key a call"};

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    scan_->Next();
    return Emit(key, value);
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    if (scan_ == nullptr) return LF_NOT_FOUND;
    scan_->Prev();
    return Emit(key, value);
  }

 private:
  lf_code GetBy(const leveldb::ReadOptions& read, const char* what, lf_bytes key, lf_bytes* value) {
    scan_.reset();
    const leveldb::Status status = db_.Get(read, Slice(key), &value_);
    if (status.ok()) {
      *value = levelfield::Bytes(value_);
      return LF_OK;
    }
    return status.IsNotFound() ? LF_NOT_FOUND : Code(status, what);
  }

  // An open scan would pin obsolete memtables and files.
  lf_code Commit(const char* what) {
    scan_.reset();
    const leveldb::Status status = db_.Write(write_, &batch_);
    return status.ok() ? LF_OK : Code(status, what);
  }

  lf_code Emit(lf_bytes* key, lf_bytes* value) {
    if (!scan_->Valid()) {
      const leveldb::Status status = scan_->status();
      scan_.reset();
      return status.ok() ? LF_NOT_FOUND : Code(status, "scan");
    }
    *key = Bytes(scan_->key());
    *value = Bytes(scan_->value());
    return LF_OK;
  }

  leveldb::DB& db_;
  const leveldb::ReadOptions read_;
  const leveldb::WriteOptions write_;
  leveldb::WriteBatch batch_;
  std::string value_;
  std::unique_ptr<leveldb::Iterator> scan_;
};

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    leveldb::Options options;
    if (const lf_code code = Read(settings, options); code != LF_OK) return code;
    if (directory == nullptr) return LF_OK;

    auto opened = std::make_unique<Store>();
    if (settings.Has("cache_size")) {
      opened->cache_.reset(leveldb::NewLRUCache(settings.Number("cache_size", 0)));
      options.block_cache = opened->cache_.get();
    }
    opened->filter_ = FilterOf(settings);
    options.filter_policy = opened->filter_.get();
    if (settings.Flag("comparisons", false)) {
      opened->comparator_ = std::make_unique<CountingComparator>();
      options.comparator = opened->comparator_.get();
    }
    if (!settings.Flag("readahead", true)) {
      opened->env_ = std::make_unique<WithoutReadAhead>();
      options.env = opened->env_.get();
    }
    opened->read_.verify_checksums = settings.Flag("verify_checksums", false) || settings.IsCheck();
    opened->write_.sync = settings.Durability() == "synced";
    opened->directory_ = directory;

    opened->options_ = opened->OptionsText(options, settings);

    leveldb::DB* db = nullptr;
    const leveldb::Status status = leveldb::DB::Open(options, directory, &db);
    if (!status.ok()) {
      return Code(status, "cannot open " + opened->directory_,
                  status.IsCorruption() ? "; keep the directory to look into it, and give the next "
                                          "run another one"
                                        : "");
    }
    opened->db_.reset(db);
    store = std::move(opened);
    return LF_OK;
  }

  lf_code Close() {
    db_.reset();
    return LF_OK;
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(*db_, read_, write_);
    return LF_OK;
  }

  // A synced write syncs the newest log only. After unsynced writes, the log of the memtable that
  // is just being flushed is not safe either. Logs are files that we can sync ourselves. A log that
  // is gone has become a table, which LevelDB has synced.
  lf_code Sync() {
    leveldb::WriteOptions synced;
    synced.sync = true;
    leveldb::WriteBatch nothing;
    if (const leveldb::Status status = db_->Write(synced, &nothing); !status.ok()) {
      return Code(status, "sync");
    }
    std::vector<std::string> names;
    if (const auto status = leveldb::Env::Default()->GetChildren(directory_, &names);
        !status.ok()) {
      return Code(status, "sync");
    }
    for (const std::string& name : names) {
      if (!name.ends_with(".log")) continue;
      const std::string path = directory_ + "/" + name;
      const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (file < 0 && errno == ENOENT) continue;
      const bool is_synced = file >= 0 && fdatasync(file) == 0;
      const int error = errno;
      if (file >= 0) close(file);
      if (!is_synced) return Failed("LevelDB: cannot sync " + path + ": " + std::strerror(error));
    }
    return LF_OK;
  }

  // CompactRange waits for its own work. Its output may outgrow its level, and then the background
  // thread moves files further down. It is done when no level asks for more.
  lf_code Compact() { return CompactRange({}, {}); }

  lf_code CompactRange(lf_bytes from, lf_bytes to) {
    const leveldb::Slice begin = Slice(from);
    const leveldb::Slice end = Slice(to);
    db_->CompactRange(from.data != nullptr ? &begin : nullptr, to.data != nullptr ? &end : nullptr);
    for (;;) {
      leveldb::WriteBatch nothing;  // Reports an error of the background thread.
      const leveldb::Status status = db_->Write({}, &nothing);
      if (!status.ok()) return Code(status, "compact");
      if (IsSettled()) return LF_OK;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  static constexpr Refusal Flush{
      "LevelDB has no call that flushes: a memtable becomes a table when it is full, or when a "
      "compaction of its keys is asked for"};
  static constexpr Refusal WaitForBackground{
      "LevelDB has no call that waits for its background thread"};
  static constexpr Refusal Backup{
      "LevelDB has no backup: its files can be copied while it is closed, not while it is open"};
  static constexpr Refusal Restore{"LevelDB has no backup, so there is none to restore"};
  static constexpr Refusal VerifyChecksums{
      "LevelDB has no call that verifies its files: with --leveldb.verify_checksums=1 each read "
      "verifies its block"};

  // LevelDB's range has an end. A key of 0xff bytes, longer than any likely key, stands for none.
  lf_code ApproximateBytes(lf_bytes from, lf_bytes to, uint64_t* bytes) {
    const std::string last(1024, '\xff');
    const leveldb::Range range(from.data != nullptr ? Slice(from) : leveldb::Slice(),
                               to.data != nullptr ? Slice(to) : leveldb::Slice(last));
    db_->GetApproximateSizes(&range, 1, bytes);
    return LF_OK;
  }

  // RocksDB, which grew from LevelDB, has the same CURRENT, but also files that LevelDB does not
  // have.
  static lf_code Recognize(const char* path) {
    const std::vector<std::string> names = levelfield::NamesIn(path);
    const bool is_rocksdbs = std::ranges::any_of(names, [](const std::string& name) {
      return name == "IDENTITY" || name.starts_with("OPTIONS-");
    });
    if (is_rocksdbs || std::ranges::find(names, "CURRENT") == names.end()) return LF_NOT_FOUND;
    std::string manifest = levelfield::StartOfFile(std::string(path) + "/CURRENT", 64);
    if (!manifest.starts_with("MANIFEST-") || !manifest.ends_with('\n')) return LF_NOT_FOUND;
    manifest.pop_back();
    return std::ranges::find(names, manifest) != names.end() ? LF_OK : LF_NOT_FOUND;
  }

  static lf_code Destroy(const char* path) {
    // DestroyDB would also remove the emptied directory, which may not be ours to remove.
    class KeepsDirectory final : public leveldb::EnvWrapper {
     public:
      using EnvWrapper::EnvWrapper;
      leveldb::Status RemoveDir(const std::string&) override { return leveldb::Status::OK(); }
      leveldb::Status DeleteDir(const std::string&) override { return leveldb::Status::OK(); }
    };
    if (Recognize(path) != LF_OK) return LF_OK;
    // RepairDB's lost files and their directory.
    const std::string lost = std::string(path) + "/lost";
    if (levelfield::IsDirectory(lost)) {
      if (const auto status = leveldb::DestroyDB(lost, leveldb::Options()); !status.ok()) {
        return Code(status, "destroy what was put aside by a repair");
      }
    }
    KeepsDirectory env(leveldb::Env::Default());
    leveldb::Options options;
    options.env = &env;
    return Code(leveldb::DestroyDB(path, options), "destroy");
  }

  static lf_code Repair(const char* path, const EngineSettings& settings) {
    leveldb::Options options;
    if (const lf_code code = Read(settings, options); code != LF_OK) return code;
    const Filter filter = FilterOf(settings);
    options.filter_policy = filter.get();
    return Code(leveldb::RepairDB(path, options), "repair");
  }

  // LevelDB has no checker. This scan compares every block with its checksum.
  lf_code Check(const char** text) {
    leveldb::ReadOptions read;
    read.verify_checksums = true;
    read.fill_cache = false;
    const std::unique_ptr<leveldb::Iterator> it(db_->NewIterator(read));
    uint64_t entries = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next()) ++entries;
    if (!it->status().ok()) return Code(it->status(), "check");
    property_ = "LevelDB has read every block of " + std::to_string(entries) +
                " entries against its checksum";
    *text = property_.c_str();
    return LF_OK;
  }

  lf_code Property(const char* name, const char** text) {
    const std::string_view asked = name;
    if (asked == "stats" || asked == "levelstats") return Property("leveldb.stats", text);
    if (asked == "sstables") return Property("leveldb.sstables", text);
    if (asked == "memstats") return Property("leveldb.approximate-memory-usage", text);
    if (asked == "check") return Check(text);
    if (asked == "table_bytes") {
      property_ = std::to_string(TableBytes());
    } else if (asked == "options") {
      property_ = options_;
    } else if (!db_->GetProperty(name, &property_)) {
      return Unsupported(std::string("LevelDB has no property ") + name);
    }
    *text = property_.c_str();
    return LF_OK;
  }

  // Sums of the table in leveldb.stats, which LevelDB rounds to whole megabytes and seconds. Its
  // seconds come from a clock that may be set back, so negative ones are ignored.
  void Counters(void* context, void (*sink)(void*, const char*, uint64_t)) {
    std::string stats;
    db_->GetProperty("leveldb.stats", &stats);
    std::istringstream lines(stats);
    double seconds = 0, read_mb = 0, written_mb = 0;
    for (std::string line; std::getline(lines, line);) {
      double level, files, size, time, read, written;
      std::istringstream fields(line);
      if (fields >> level >> files >> size >> time >> read >> written) {
        seconds += time;
        read_mb += read;
        written_mb += written;
      }
    }
    if (seconds >= 0) sink(context, "compaction_s", static_cast<uint64_t>(seconds));
    sink(context, "compaction_read_mb", static_cast<uint64_t>(read_mb));
    sink(context, "compaction_written_mb", static_cast<uint64_t>(written_mb));
    if (comparator_ != nullptr) sink(context, "leveldb.comparisons", comparator_->count());
  }

 private:
  struct Table {
    int level;
    uint64_t bytes;
  };
  // The tables in leveldb.sstables, level by level: "--- level 1 ---", then lines " 17:123['a' ..
  // 'b']" with a table's number and bytes.
  std::vector<Table> Tables() {
    std::string text;
    db_->GetProperty("leveldb.sstables", &text);
    std::istringstream lines(text);
    std::vector<Table> tables;
    int level = 0;
    for (std::string line; std::getline(lines, line);) {
      unsigned long long number = 0, bytes = 0;
      if (std::sscanf(line.c_str(), "--- level %d ---", &level) == 1) continue;
      if (std::sscanf(line.c_str(), " %llu:%llu[", &number, &bytes) == 2) {
        tables.push_back({level, bytes});
      }
    }
    return tables;
  }

  uint64_t TableBytes() {
    uint64_t bytes = 0;
    for (const Table& table : Tables()) bytes += table.bytes;
    return bytes;
  }

  using Filter = std::unique_ptr<const leveldb::FilterPolicy>;
  static Filter FilterOf(const EngineSettings& settings) {
    const auto bits = static_cast<int>(settings.Number("bloom_bits", 0));
    return Filter(bits > 0 ? leveldb::NewBloomFilterPolicy(bits) : nullptr);
  }

  // LevelDB silently clips values outside these ranges (SanitizeOptions in db/db_impl.cc).
  static lf_code Read(const EngineSettings& settings, leveldb::Options& options) {
    const lf_code in_range =
        settings.CheckRanges("LevelDB", {{"write_buffer_size", 64 << 10, 1 << 30},
                                         {"block_size", 1 << 10, 4 << 20},
                                         {"max_file_size", 1 << 20, 1 << 30},
                                         {"max_open_files", 74, 50000},
                                         {"bloom_bits", 0, 1000}});
    if (in_range != LF_OK) return in_range;
    const std::string_view compression = settings.Text("compression", "snappy");
    if (compression != "none" && compression != "snappy") {
      return Unsupported("LevelDB 1.23 compresses with snappy or not at all, not with " +
                         std::string(compression));
    }
    if (settings.Durability() != "process" && settings.Durability() != "synced") {
      return Unsupported(std::string(kDurabilities[0].settings));
    }
    options.create_if_missing = !settings.IsCheck();
    options.write_buffer_size = settings.Number("write_buffer_size", options.write_buffer_size);
    options.block_size = settings.Number("block_size", options.block_size);
    options.max_file_size = settings.Number("max_file_size", options.max_file_size);
    options.max_open_files = static_cast<int>(
        settings.Number("max_open_files", static_cast<uint64_t>(options.max_open_files)));
    options.reuse_logs = settings.Flag("reuse_logs", false);
    options.paranoid_checks = settings.Flag("paranoid_checks", true) || settings.IsCheck();
    options.compression =
        compression == "none" ? leveldb::kNoCompression : leveldb::kSnappyCompression;
    return LF_OK;
  }

  // The settings it was opened with, because LevelDB cannot be asked: neither its properties nor
  // its LOG tell an option (which is why there is no InForce). It changes none of them: Read has
  // refused what it would clip.
  std::string OptionsText(const leveldb::Options& options, const EngineSettings& settings) const {
    std::string text;
    const auto add = [&text](const char* name, const auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, bool>) {
        levelfield::AppendLine(text, name, value ? "true" : "false");
      } else {
        levelfield::AppendLine(text, name, value);
      }
    };
    add("comparator", options.comparator->Name());
    add("paranoid_checks", options.paranoid_checks);
    add("write_buffer_size", options.write_buffer_size);
    add("max_open_files", options.max_open_files);
    add("block_cache",
        cache_ ? std::to_string(settings.Number("cache_size", 0)) : "LevelDB's own of 8388608");
    add("block_size", options.block_size);
    add("block_restart_interval", options.block_restart_interval);
    add("max_file_size", options.max_file_size);
    add("compression", options.compression == leveldb::kNoCompression ? "none" : "snappy");
    add("reuse_logs", options.reuse_logs);
    add("filter_policy", filter_ ? filter_->Name() : "none");
    add("filter_bits_per_key", settings.Number("bloom_bits", 0));
    add("readahead", env_ == nullptr);
    add("read.verify_checksums", read_.verify_checksums);
    add("read.fill_cache", read_.fill_cache);
    add("write.sync", write_.sync);
    return text;
  }

  // Level 0 is compacted at 4 files, level n > 0 beyond 10^n MiB, and the last one (6) never
  // (db/dbformat.h, MaxBytesForLevel in db/version_set.cc).
  bool IsSettled() {
    constexpr int kLevels = 7;
    uint64_t files[kLevels] = {}, bytes[kLevels] = {};
    for (const Table& table : Tables()) {
      ++files[table.level];
      bytes[table.level] += table.bytes;
    }
    double limit_bytes = 10 << 20;
    for (int level = 1; level < kLevels - 1; ++level, limit_bytes *= 10) {
      if (static_cast<double>(bytes[level]) >= limit_bytes) return false;
    }
    return files[0] < 4;
  }

  // In this order: the database uses the other four until it is closed.
  std::unique_ptr<WithoutReadAhead> env_;
  std::unique_ptr<const CountingComparator> comparator_;
  std::unique_ptr<leveldb::Cache> cache_;
  Filter filter_;
  std::unique_ptr<leveldb::DB> db_;
  leveldb::ReadOptions read_;
  leveldb::WriteOptions write_;
  std::string directory_;
  std::string options_;  // As text.
  std::string property_;
};

// snappy::RawCompress(char const*, unsigned long, char*, unsigned long*)
constexpr const char* kSnappyCompress = "_ZN6snappy11RawCompressEPKcmPcPm";

const void* LibraryFunction() { return reinterpret_cast<const void*>(&leveldb_major_version); }

// The code that computes LevelDB's checksums. Where LevelDB was built with google's crc32c
// (port/port_stdcxx.h), that is crc32c::Extend(unsigned, unsigned char const*, unsigned long) of
// another library, unless it is linked into this one.
const void* Crc32Code(const std::string& path, std::string_view library) {
  constexpr const char* kExtend = "_ZN6crc32c6ExtendEjPKhm";
  if (!levelfield::ImportsSymbol(library, kExtend)) return LibraryFunction();
  void* const loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const void* const extend = loaded != nullptr ? dlsym(loaded, kExtend) : nullptr;
  if (loaded != nullptr) dlclose(loaded);
  return extend;
}

std::string Version() {
  return std::to_string(leveldb_major_version()) + "." + std::to_string(leveldb_minor_version());
}

lf_code Load(const char* which) {
#ifdef LEVELFIELD_LEVELDB_SYSTEM
  if (which == nullptr || std::string_view(which) == "system" || which == Version()) return LF_OK;
  return Unsupported("this plug-in has the system's LevelDB " + Version() + ", not " + which);
#else
  if (which == nullptr || which == Version()) return LF_OK;
  return Unsupported("this plug-in has LevelDB " + Version() + " inside it, not " + which +
                     "; the distribution's is the plug-in levelfield_leveldb@system.so");
#endif
}

void Describe(void* context, lf_fact_sink sink) {
  const std::string path = levelfield::LibraryPath(LibraryFunction());
  const levelfield::LibraryFile file(path);
  const std::string_view library = file.bytes();
  const bool has_assertions = levelfield::ImportsSymbol(library, "__assert_fail");
  sink(context, "language", "C++");
  sink(context, "version", Version().c_str());
  // https://github.com/google/leveldb/releases
  if (Version() == "1.23") sink(context, "released", "2021");
  sink(context, "memory", "2M 100K (anonymous memory at 1 and 32 threads, up to a million keys)");
  sink(context, "library", path.c_str());
  sink(context, "papers", "LOG*");
  sink(context, "space_factor", "2.57 " LEVELFIELD_SPACE_MEASURED);
#ifdef LEVELFIELD_LEVELDB_SYSTEM
  sink(context, "build", "the distribution's");
#else
  sink(context, "build", LEVELFIELD_LEVELDB_BUILD);
#endif
  sink(context, "assertions", levelfield::Assertions(library, has_assertions));
  sink(context, "crc32", levelfield::Crc32Kind(Crc32Code(path, library)));
  sink(context, "checksums", "CRC32C of every block of a table, and of every record of the log");
  sink(context, "compared",
       "nothing by a get or scan, with verify_checksums=1 each block that is read, which in a "
       "memory map is one for every get; all by compactions and recoveries");
  sink(context, "compressors",
       levelfield::ImportsSymbol(library, kSnappyCompress) ? "snappy" : "none");
  if (has_assertions) {
    sink(context, "warning",
         "this LevelDB is compiled with assertions, which slow it down; the engine `leveldb` is "
         "the release build");
  }
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "leveldb",
    .summary = "LSM tree by Google: sorted tables, one log, one background thread",
    .license = "BSD-3-Clause",
    .capabilities = LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .load = Load,
    .describe = Describe,
    .properties = kProperties,
    .alternatives = kAlternatives,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
