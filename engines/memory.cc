// The memory engine: a std::map behind a reader-writer lock, the floor that any ordered store could
// reach if it kept nothing. It is also the model that reads best: what an engine has to do, in the
// fewest lines.
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>

#include "levelfield/engine.h"

namespace {

using levelfield::EngineSettings;
using levelfield::View;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Everything is in memory; there is no cache."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr, "Writes go to the map itself."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens no files."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "lives in memory"},
    {"process", LF_D0_NONE, "a floor: accepted, lost with the process"},
    {"synced", LF_D0_NONE, "a floor: accepted, lost with the process"},
    {nullptr, LF_REFUSED, nullptr},
};

using Map = std::map<std::string, std::string, std::less<>>;

struct Shared {
  std::shared_mutex mutex;
  Map map;
};

// Values and keys are copied out under the lock, into the session: another thread may overwrite
// the entry as soon as the lock is let go.
class Session {
 public:
  explicit Session(Shared& shared) : shared_(shared) {}

  lf_code Get(lf_bytes key, lf_bytes* value) {
    if (transaction_.has_value() && transaction_->writes.contains(View(key))) {
      return GetWritten(key, value);
    }
    const std::shared_lock lock(shared_.mutex);
    const auto it = shared_.map.find(View(key));
    if (it == shared_.map.end()) return LF_NOT_FOUND;
    value_ = it->second;
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    if (transaction_.has_value()) {
      transaction_->writes.insert_or_assign(std::string(View(key)), std::string(View(value)));
      return LF_OK;
    }
    const std::unique_lock lock(shared_.mutex);
    PutLocked(key, value);
    return LF_OK;
  }

  lf_code Erase(lf_bytes key) {
    if (transaction_.has_value()) {
      transaction_->writes.insert_or_assign(std::string(View(key)), std::nullopt);
      return LF_OK;
    }
    const std::unique_lock lock(shared_.mutex);
    EraseLocked(key);
    return LF_OK;
  }

  // Optimistic: what is written waits in the session, and the commit finds out whether the keys
  // that were got for update still are what they were.
  lf_code BeginTransaction() {
    transaction_.emplace();
    return LF_OK;
  }

  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) {
    const lf_code code = Get(key, value);
    if (transaction_->writes.contains(View(key))) return code;
    transaction_->reads.try_emplace(
        std::string(View(key)),
        code == LF_OK ? std::optional(std::string(View(*value))) : std::nullopt);
    return code;
  }

  lf_code CommitTransaction() {
    const std::unique_lock lock(shared_.mutex);
    for (const auto& [key, value] : transaction_->reads) {
      const auto it = shared_.map.find(key);
      const bool is_there = it != shared_.map.end();
      if (is_there != value.has_value() || (is_there && it->second != *value)) {
        return levelfield::Conflict("memory: another session has changed " + key);
      }
    }
    for (const auto& [key, value] : transaction_->writes) {
      if (value.has_value()) {
        PutLocked(levelfield::Bytes(key), levelfield::Bytes(*value));
      } else {
        EraseLocked(levelfield::Bytes(key));
      }
    }
    transaction_.reset();
    return LF_OK;
  }

  lf_code RollBackTransaction() {
    transaction_.reset();
    return LF_OK;
  }

  lf_code NewIterator() {
    return levelfield::Unsupported("a scan of the map remembers its key, and makes nothing before");
  }

  lf_code Write(std::span<const lf_entry> entries) {
    const std::unique_lock lock(shared_.mutex);
    for (const lf_entry& entry : entries) {
      if (entry.erase != 0) {
        EraseLocked(entry.key);
      } else {
        PutLocked(entry.key, entry.value);
      }
    }
    return LF_OK;
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    const Map& map = shared_.map;
    switch (how) {
      case LF_FIRST:
        return Emit(map.begin(), found_key, value);
      case LF_LAST:
        return EmitBefore(map.end(), found_key, value);
      case LF_AT_OR_AFTER:
        return Emit(map.lower_bound(View(key)), found_key, value);
      case LF_AT_OR_BEFORE:
        return EmitBefore(map.upper_bound(View(key)), found_key, value);
    }
    return LF_NOT_FOUND;
  }

  // The map as it was: a copy of it.
  using Snapshot = Map;

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    const std::shared_lock lock(shared_.mutex);
    snapshot = std::make_unique<Snapshot>(shared_.map);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    const auto it = snapshot.find(View(key));
    if (it == snapshot.end()) return LF_NOT_FOUND;
    *value = levelfield::Bytes(it->second);
    return LF_OK;
  }

  // A scan remembers its key, not an iterator: the entry may be erased between two steps.
  lf_code Next(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    return Emit(shared_.map.upper_bound(key_), key, value);
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    return EmitBefore(shared_.map.lower_bound(key_), key, value);
  }

 private:
  // Empty: erased, or not there.
  using MaybeValues = std::map<std::string, std::optional<std::string>, std::less<>>;
  struct Transaction {
    MaybeValues reads;  // For update, as they were then.
    MaybeValues writes;
  };

  lf_code GetWritten(lf_bytes key, lf_bytes* value) {
    const std::optional<std::string>& written = transaction_->writes.find(View(key))->second;
    if (!written.has_value()) return LF_NOT_FOUND;
    value_ = *written;
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }

  void PutLocked(lf_bytes key, lf_bytes value) {
    const auto it = shared_.map.lower_bound(View(key));
    if (it != shared_.map.end() && it->first == View(key)) {
      it->second.assign(value.data, value.size);
    } else {
      shared_.map.emplace_hint(it, View(key), View(value));
    }
  }

  void EraseLocked(lf_bytes key) {
    const auto it = shared_.map.find(View(key));
    if (it != shared_.map.end()) shared_.map.erase(it);
  }

  lf_code Emit(Map::const_iterator it, lf_bytes* key, lf_bytes* value) {
    if (it == shared_.map.end()) return LF_NOT_FOUND;
    key_ = it->first;
    value_ = it->second;
    *key = levelfield::Bytes(key_);
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }

  lf_code EmitBefore(Map::const_iterator it, lf_bytes* key, lf_bytes* value) {
    if (it == shared_.map.begin()) return LF_NOT_FOUND;
    return Emit(std::prev(it), key, value);
  }

  Shared& shared_;
  std::string key_;
  std::string value_;
  std::optional<Transaction> transaction_;
};

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings&, std::unique_ptr<Store>& store) {
    if (directory != nullptr) store = std::make_unique<Store>();
    return LF_OK;
  }
  lf_code Close() { return LF_OK; }
  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(shared_);
    return LF_OK;
  }
  lf_code Sync() { return LF_OK; }
  lf_code Compact() { return LF_OK; }
  lf_code CompactRange(lf_bytes, lf_bytes) { return LF_OK; }

  // Of memory, since nothing is on a disk: the bytes of the keys and values themselves.
  lf_code ApproximateBytes(lf_bytes from, lf_bytes to, uint64_t* bytes) {
    const std::shared_lock lock(shared_.mutex);
    const Map& map = shared_.map;
    const auto begin = from.data != nullptr ? map.lower_bound(View(from)) : map.begin();
    *bytes = 0;
    for (auto it = begin; it != map.end() && (to.data == nullptr || it->first < View(to)); ++it) {
      *bytes += it->first.size() + it->second.size();
    }
    return LF_OK;
  }

  lf_code Property(const char* name, const char** text) {
    if (std::string_view(name) == "sstables") {
      return levelfield::Unsupported("a map in memory has no files");
    }
    if (std::string_view(name) == "levelstats") {
      return levelfield::Unsupported("a map in memory tells nothing of its levels");
    }
    if (std::string_view(name) != "stats" && std::string_view(name) != "memstats") {
      return levelfield::Unsupported(std::string("memory has no property ") + name);
    }
    uint64_t bytes = 0;
    (void)ApproximateBytes({}, {}, &bytes);
    const std::shared_lock lock(shared_.mutex);
    property_ = "entries=" + std::to_string(shared_.map.size()) +
                "\nkey_and_value_bytes=" + std::to_string(bytes) + "\n";
    *text = property_.c_str();
    return LF_OK;
  }

  // Nothing is kept, so there is nothing to be found or to remove.
  static lf_code Recognize(const char*) { return LF_NOT_FOUND; }
  static lf_code Destroy(const char*) { return LF_OK; }

 private:
  Shared shared_;
  std::string property_;
};

void Describe(void* context, lf_fact_sink sink) { sink(context, "version", "1"); }

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "memory",
    .summary = "an ordered map in memory: the floor that any store could reach",
    .license = "BSD-3-Clause",
    .capabilities = LF_FLOOR | LF_VOLATILE | LF_ONE_WRITER | LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
