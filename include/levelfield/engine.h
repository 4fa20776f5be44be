// The C++ comfort on top of engine_abi.h: an engine writes two classes, `Store` and `Session`, and
// one table; `MakeEngine` turns their member functions into the C table. Nothing here costs the
// measured path anything: each entry is the member function itself, inlined into a C function.
//
// Only engines include this file. It is self-contained, so that an engine needs nothing else of us.
#ifndef LEVELFIELD_ENGINE_H_
#define LEVELFIELD_ENGINE_H_

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "levelfield/engine_abi.h"

namespace levelfield {

// The text behind lf_engine::last_error, one for each thread.
inline std::string& LastError() {
  thread_local std::string text;
  return text;
}

inline lf_code Failed(std::string text) {
  LastError() = std::move(text);
  return LF_FAILED;
}

inline lf_code Unsupported(std::string reason) {
  LastError() = std::move(reason);
  return LF_UNSUPPORTED;
}

// `text` is for those who look for why, as the others are.
inline lf_code Conflict(std::string text) {
  LastError() = std::move(text);
  return LF_CONFLICT;
}

inline std::string_view View(lf_bytes bytes) { return {bytes.data, bytes.size}; }
inline lf_bytes Bytes(std::string_view view) { return {view.data(), view.size()}; }

// The settings handed to `open`, by name. The harness has checked them against the engine's table
// of options, so a name that is asked for here must stand there with the kind that is asked for.
class EngineSettings {
 public:
  EngineSettings(const lf_setting* settings, size_t count) : settings_(settings, count) {}

  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  std::string_view Text(std::string_view name, std::string_view fallback) const {
    const char* value = Find(name);
    return value != nullptr ? std::string_view(value) : fallback;
  }

  uint64_t Number(std::string_view name, uint64_t fallback) const {
    const std::string_view text = Text(name, "");
    uint64_t number = fallback;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  bool Flag(std::string_view name, bool fallback) const {
    return Text(name, fallback ? "1" : "0") == "1";
  }

  // The least and the most that an engine takes of a number.
  struct Range {
    const char* name;
    uint64_t least, most;
  };

  std::span<const lf_setting> All() const { return settings_; }

  // Whether nobody has asked for it: a store or a file that states otherwise wins over it.
  bool IsDefault(std::string_view name) const {
    std::string_view rest = Text("defaults", "");
    while (!rest.empty()) {
      const std::string_view first = rest.substr(0, rest.find(','));
      if (first == name) return true;
      rest.remove_prefix(std::min(first.size() + 1, rest.size()));
    }
    return false;
  }
  bool IsGiven(std::string_view name) const { return Has(name) && !IsDefault(name); }

  // Refuses what is given outside its range, in the name of the library, which may well clip it in
  // silence.
  lf_code CheckRanges(const char* library, std::initializer_list<Range> ranges) const {
    for (const Range& range : ranges) {
      const uint64_t number = Number(range.name, range.least);
      if (number < range.least || number > range.most) {
        return Unsupported(std::string(library) + " takes a " + range.name + " from " +
                           std::to_string(range.least) + " to " + std::to_string(range.most) +
                           ", not " + std::to_string(number));
      }
    }
    return LF_OK;
  }

  // "none", "process" or "synced"; the harness always sets it, and the two hints below.
  std::string_view Durability() const { return Text("durability", "process"); }
  uint64_t ExpectedKeys() const { return Number("expected_keys", 0); }
  uint64_t ExpectedValueBytes() const { return Number("expected_value_bytes", 100); }

 private:
  const char* Find(std::string_view name) const {
    for (const lf_setting& setting : settings_) {
      if (name == setting.name) return setting.value;
    }
    return nullptr;
  }

  std::span<const lf_setting> settings_;
};

// What an engine says of itself, beside its two classes. `load` and `describe` as in the C table.
struct EngineFacts {
  const char* name;
  const char* summary;
  const char* license;
  uint32_t capabilities;
  const lf_option* options;
  const lf_durability* durabilities;
  lf_code (*load)(const char* which) = nullptr;
  void (*describe)(void* context, lf_fact_sink sink);
  const char* const* properties = nullptr;
};

// Store:   static lf_code Open(const char* directory, const EngineSettings&,
// std::unique_ptr<Store>&)
//              (directory == nullptr: only check the settings);
//          Close, BeginSession(std::unique_ptr<Session>&), Sync, Compact; optional: SizeOnDisk,
//          Property, Counters, CompactRange, ApproximateBytes, and static Recognize(const char*
//          path), Destroy(const char* path), Repair(const char* path, const EngineSettings&),
//          Flush, WaitForBackground, Backup(const char* directory), static Restore(const char*
//          backup, const char* directory), VerifyChecksums, Activities, Overridden.
// Session: Get, Put, Erase, Write(std::span<const lf_entry>), Seek, Next, Prev; optional: a class
//          Snapshot, whose destructor releases it, TakeSnapshot(std::unique_ptr<Snapshot>&), and
//          GetAt(Snapshot&, key, value); Merge, MultiGet(std::span<const lf_bytes> keys, lf_bytes*
//          values, lf_code* codes), DeleteRange; BeginTransaction, GetForUpdate, CommitTransaction,
//          RollBackTransaction; NewIterator.
// All of them return lf_code, take and give what the C table does, and let no exception out. What
// is optional and absent is null in the table.
template <class Store, class Session>
constexpr lf_engine MakeEngine(const EngineFacts& facts) {
  lf_engine engine{};
  engine.struct_bytes = sizeof(lf_engine);
  engine.name = facts.name;
  engine.summary = facts.summary;
  engine.license = facts.license;
  engine.capabilities = facts.capabilities;
  engine.options = facts.options;
  engine.durabilities = facts.durabilities;
  engine.load = facts.load;
  engine.describe = facts.describe;
  engine.properties = facts.properties;
  engine.last_error = []() noexcept { return LastError().c_str(); };
  engine.open = [](const char* directory, const lf_setting* settings, size_t count,
                   lf_store** store) noexcept {
    std::unique_ptr<Store> opened;
    const lf_code code = Store::Open(directory, EngineSettings(settings, count), opened);
    if (code == LF_OK && directory != nullptr) {
      *store = reinterpret_cast<lf_store*>(opened.release());
    }
    return code;
  };
  engine.close = [](lf_store* s) noexcept {
    const std::unique_ptr<Store> store(reinterpret_cast<Store*>(s));
    return store->Close();
  };
  engine.begin_session = [](lf_store* s, lf_session** session) noexcept {
    std::unique_ptr<Session> begun;
    const lf_code code = reinterpret_cast<Store*>(s)->BeginSession(begun);
    if (code == LF_OK) *session = reinterpret_cast<lf_session*>(begun.release());
    return code;
  };
  engine.end_session = [](lf_session* s) noexcept { delete reinterpret_cast<Session*>(s); };
  engine.get = [](lf_session* s, lf_bytes key, lf_bytes* value) noexcept {
    return reinterpret_cast<Session*>(s)->Get(key, value);
  };
  engine.put = [](lf_session* s, lf_bytes key, lf_bytes value) noexcept {
    return reinterpret_cast<Session*>(s)->Put(key, value);
  };
  engine.erase = [](lf_session* s, lf_bytes key) noexcept {
    return reinterpret_cast<Session*>(s)->Erase(key);
  };
  engine.write = [](lf_session* s, const lf_entry* entries, size_t count) noexcept {
    return reinterpret_cast<Session*>(s)->Write(std::span<const lf_entry>(entries, count));
  };
  engine.seek = [](lf_session* s, lf_seek how, lf_bytes key, lf_bytes* found_key,
                   lf_bytes* value) noexcept {
    return reinterpret_cast<Session*>(s)->Seek(how, key, found_key, value);
  };
  engine.next = [](lf_session* s, lf_bytes* key, lf_bytes* value) noexcept {
    return reinterpret_cast<Session*>(s)->Next(key, value);
  };
  engine.prev = [](lf_session* s, lf_bytes* key, lf_bytes* value) noexcept {
    return reinterpret_cast<Session*>(s)->Prev(key, value);
  };
  engine.sync = [](lf_store* s) noexcept { return reinterpret_cast<Store*>(s)->Sync(); };
  engine.compact = [](lf_store* s) noexcept { return reinterpret_cast<Store*>(s)->Compact(); };
  if constexpr (requires(Store & s, uint64_t * n) { s.SizeOnDisk(n); }) {
    engine.size_on_disk = [](lf_store* s, uint64_t* n) noexcept {
      return reinterpret_cast<Store*>(s)->SizeOnDisk(n);
    };
  }
  if constexpr (requires(Store & s, const char** text) { s.Property("", text); }) {
    engine.property = [](lf_store* s, const char* name, const char** text) noexcept {
      return reinterpret_cast<Store*>(s)->Property(name, text);
    };
  }
  if constexpr (requires(Store & s) { s.Counters(nullptr, nullptr); }) {
    engine.counters = [](lf_store* s, void* context,
                         void (*sink)(void*, const char*, uint64_t)) noexcept {
      reinterpret_cast<Store*>(s)->Counters(context, sink);
    };
  }
  if constexpr (requires(const char* path) { Store::Recognize(path); }) {
    engine.recognize = [](const char* path) noexcept { return Store::Recognize(path); };
  }
  if constexpr (requires(const char* path) { Store::Destroy(path); }) {
    engine.destroy = [](const char* path) noexcept { return Store::Destroy(path); };
  }
  if constexpr (requires(const char* path, const EngineSettings& s) { Store::Repair(path, s); }) {
    engine.repair = [](const char* path, const lf_setting* settings, size_t count) noexcept {
      return Store::Repair(path, EngineSettings(settings, count));
    };
  }
  if constexpr (requires(Store & s, lf_bytes key) { s.CompactRange(key, key); }) {
    engine.compact_range = [](lf_store* s, lf_bytes from, lf_bytes to) noexcept {
      return reinterpret_cast<Store*>(s)->CompactRange(from, to);
    };
  }
  if constexpr (requires(Store & s, lf_bytes key, uint64_t * n) {
                  s.ApproximateBytes(key, key, n);
                }) {
    engine.approximate_bytes = [](lf_store* s, lf_bytes from, lf_bytes to, uint64_t* n) noexcept {
      return reinterpret_cast<Store*>(s)->ApproximateBytes(from, to, n);
    };
  }
  if constexpr (requires { typename Session::Snapshot; }) {
    using Snapshot = typename Session::Snapshot;
    engine.take_snapshot = [](lf_session* s, lf_snapshot** snapshot) noexcept {
      std::unique_ptr<Snapshot> taken;
      const lf_code code = reinterpret_cast<Session*>(s)->TakeSnapshot(taken);
      if (code == LF_OK) *snapshot = reinterpret_cast<lf_snapshot*>(taken.release());
      return code;
    };
    engine.release_snapshot = [](lf_session*, lf_snapshot* snapshot) noexcept {
      delete reinterpret_cast<Snapshot*>(snapshot);
    };
    engine.get_at = [](lf_session* s, lf_snapshot* snapshot, lf_bytes key,
                       lf_bytes* value) noexcept {
      return reinterpret_cast<Session*>(s)->GetAt(*reinterpret_cast<Snapshot*>(snapshot), key,
                                                  value);
    };
  }
  if constexpr (requires(Session & s, lf_bytes bytes) { s.Merge(bytes, bytes); }) {
    engine.merge = [](lf_session* s, lf_bytes key, lf_bytes operand) noexcept {
      return reinterpret_cast<Session*>(s)->Merge(key, operand);
    };
  }
  if constexpr (requires(Session & s) {
                  s.MultiGet(std::span<const lf_bytes>(), nullptr, nullptr);
                }) {
    engine.multi_get = [](lf_session* s, const lf_bytes* keys, size_t count, lf_bytes* values,
                          lf_code* codes) noexcept {
      return reinterpret_cast<Session*>(s)->MultiGet(std::span<const lf_bytes>(keys, count), values,
                                                     codes);
    };
  }
  if constexpr (requires(Session & s, lf_bytes key) { s.DeleteRange(key, key); }) {
    engine.delete_range = [](lf_session* s, lf_bytes from, lf_bytes to) noexcept {
      return reinterpret_cast<Session*>(s)->DeleteRange(from, to);
    };
  }
  if constexpr (requires(Store & s) { s.Flush(); }) {
    engine.flush = [](lf_store* s) noexcept { return reinterpret_cast<Store*>(s)->Flush(); };
  }
  if constexpr (requires(Store & s) { s.WaitForBackground(); }) {
    engine.wait_for_background = [](lf_store* s) noexcept {
      return reinterpret_cast<Store*>(s)->WaitForBackground();
    };
  }
  if constexpr (requires(Store & s, const char* path) { s.Backup(path); }) {
    engine.backup = [](lf_store* s, const char* directory) noexcept {
      return reinterpret_cast<Store*>(s)->Backup(directory);
    };
  }
  if constexpr (requires(const char* path) { Store::Restore(path, path); }) {
    engine.restore = [](const char* backup, const char* directory) noexcept {
      return Store::Restore(backup, directory);
    };
  }
  if constexpr (requires(Store & s) { s.VerifyChecksums(); }) {
    engine.verify_checksums = [](lf_store* s) noexcept {
      return reinterpret_cast<Store*>(s)->VerifyChecksums();
    };
  }
  if constexpr (requires(Session & s) { s.BeginTransaction(); }) {
    engine.begin_transaction = [](lf_session* s) noexcept {
      return reinterpret_cast<Session*>(s)->BeginTransaction();
    };
    engine.get_for_update = [](lf_session* s, lf_bytes key, lf_bytes* value) noexcept {
      return reinterpret_cast<Session*>(s)->GetForUpdate(key, value);
    };
    engine.commit_transaction = [](lf_session* s) noexcept {
      return reinterpret_cast<Session*>(s)->CommitTransaction();
    };
    engine.roll_back_transaction = [](lf_session* s) noexcept {
      return reinterpret_cast<Session*>(s)->RollBackTransaction();
    };
  }
  if constexpr (requires(Session & s) { s.NewIterator(); }) {
    engine.new_iterator = [](lf_session* s) noexcept {
      return reinterpret_cast<Session*>(s)->NewIterator();
    };
  }
  if constexpr (requires(Store & s, void (*sink)(void*, const char*)) {
                  s.Activities(nullptr, sink);
                }) {
    engine.activities = [](lf_store* s, void* context, void (*sink)(void*, const char*)) noexcept {
      reinterpret_cast<Store*>(s)->Activities(context, sink);
    };
  }
  if constexpr (requires(Store & s) { s.Overridden(nullptr, nullptr); }) {
    engine.overridden = [](lf_store* s, void* context,
                           void (*sink)(void*, const char*, const char*, const char*)) noexcept {
      reinterpret_cast<Store*>(s)->Overridden(context, sink);
    };
  }
  return engine;
}

}  // namespace levelfield

// Exports a table, which must have static storage, as the plug-in's one symbol.
#define LEVELFIELD_EXPORT_ENGINE(table)                                                    \
  extern "C" __attribute__((visibility("default"))) const lf_engine* levelfield_engine() { \
    return &(table);                                                                       \
  }

#endif  // LEVELFIELD_ENGINE_H_
