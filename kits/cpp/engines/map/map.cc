// A map in memory: what `levelfield new engine --language=c++` begins with. It passes conformance.
#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>

#include "levelfield/engine.h"

namespace {

using levelfield::Bytes;
using levelfield::EngineSettings;
using levelfield::View;

constexpr auto kOptions = levelfield::WithoutCommonOptions("Everything is in memory.");

constexpr auto kDurabilities = levelfield::Durabilities({LF_D0_NONE, "keeps everything in memory"},
                                                        {LF_D0_NONE, "a baseline: kept in memory"},
                                                        {LF_D0_NONE, "a baseline: kept in memory"});

// All sessions share it: here stands a handle of your library.
struct Map {
  std::shared_mutex mutex;
  std::map<std::string, std::string, std::less<>> entries;
};

// One thread's. What it hands out is a copy, which stays until its next call.
class Session {
 public:
  explicit Session(Map& map) : map_(map) {}

  lf_code Get(lf_bytes key, lf_bytes* value) {
    const std::shared_lock lock(map_.mutex);
    const auto it = map_.entries.find(View(key));
    if (it == map_.entries.end()) return LF_NOT_FOUND;
    *value = Bytes(value_ = it->second);
    return LF_OK;
  }
  lf_code Put(lf_bytes key, lf_bytes value) { return Write(std::array{lf_entry{key, value, 0}}); }
  lf_code Erase(lf_bytes key) { return Write(std::array{lf_entry{key, {}, 1}}); }
  lf_code Write(std::span<const lf_entry> entries) {
    const std::unique_lock lock(map_.mutex);
    for (const lf_entry& entry : entries) {
      if (entry.erase != 0) {
        map_.entries.erase(std::string(View(entry.key)));
      } else {
        map_.entries.insert_or_assign(std::string(View(entry.key)), View(entry.value));
      }
    }
    return LF_OK;
  }

  // A scan looks up each entry from the key where it stands.
  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found, lf_bytes* value) {
    const std::shared_lock lock(map_.mutex);
    const bool backwards = how == LF_LAST || how == LF_AT_OR_BEFORE;
    const auto it = how == LF_FIRST         ? map_.entries.begin()
                    : how == LF_LAST        ? map_.entries.end()
                    : how == LF_AT_OR_AFTER ? map_.entries.lower_bound(View(key))
                                            : map_.entries.upper_bound(View(key));
    return Take(it, backwards, found, value);
  }
  lf_code Next(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(map_.mutex);
    return Take(map_.entries.upper_bound(key_), false, key, value);
  }
  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(map_.mutex);
    return Take(map_.entries.lower_bound(key_), true, key, value);
  }

 private:
  lf_code Take(decltype(Map::entries)::iterator it, bool before, lf_bytes* key, lf_bytes* value) {
    if (it == (before ? map_.entries.begin() : map_.entries.end())) return LF_NOT_FOUND;
    if (before) --it;
    *key = Bytes(key_ = it->first);
    *value = Bytes(value_ = it->second);
    return LF_OK;
  }

  Map& map_;
  std::string key_, value_;
};

class Store {
 public:
  // Without a directory it only says whether it can honour the settings.
  static lf_code Open(const char* directory, const EngineSettings&, std::unique_ptr<Store>& store) {
    if (directory != nullptr) store = std::make_unique<Store>();
    return LF_OK;
  }
  lf_code Close() { return LF_OK; }
  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(map_);
    return LF_OK;
  }
  lf_code Sync() { return LF_OK; }
  lf_code Compact() { return LF_OK; }

 private:
  Map map_;
};

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "map_cpp",
    .summary = "a map in memory, in C++",
    .license = "BSD-3-Clause",
    // A store that keeps its entries has LF_BATCH_ATOMIC alone, or nothing.
    .capabilities = LF_FLOOR | LF_VOLATILE | LF_BATCH_ATOMIC | LF_BY_NAME,
    .options = kOptions.data(),
    .durabilities = kDurabilities.data(),
    .describe = [](void* context, lf_fact_sink sink) { sink(context, "version", "1"); },
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
