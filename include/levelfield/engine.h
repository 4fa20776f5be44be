// The C++ helper on top of engine_abi.h: an engine writes two classes, `Store` and `Session`, and
// one table; `MakeEngine` turns their member functions into the C table. Nothing here costs the
// measured path anything: each entry is the member function itself, inlined into a C function.
//
// Only engines include this file. It is self-contained, so that an engine needs nothing else of us.
#ifndef LEVELFIELD_ENGINE_H_
#define LEVELFIELD_ENGINE_H_

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "levelfield/engine_abi.h"

namespace levelfield {

// What lf_engine::last_error and last_error_is_damage tell, one for each thread.
struct ErrorOfThread {
  std::string text;
  bool is_damage = false;
};
inline ErrorOfThread& LastError() {
  thread_local ErrorOfThread error;
  return error;
}

inline lf_code Failed(std::string text) {
  LastError() = {std::move(text), false};
  return LF_FAILED;
}

// Failed, because the store is damaged: its library has found something that is wrong in the files.
inline lf_code Damaged(std::string text) {
  LastError() = {std::move(text), true};
  return LF_FAILED;
}

inline lf_code Unsupported(std::string reason) {
  LastError() = {std::move(reason), false};
  return LF_UNSUPPORTED;
}

// Like the others, `text` is for people who look for the reason.
inline lf_code Conflict(std::string text) {
  LastError() = {std::move(text), false};
  return LF_CONFLICT;
}

inline std::string_view View(lf_bytes bytes) { return {bytes.data, bytes.size}; }
inline lf_bytes Bytes(std::string_view view) { return {view.data(), view.size()}; }

// The settings passed to `open`, by name. The harness has checked them against the engine's table
// of options, so every name asked for here must stand there with the same kind.
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

  // The smallest and the largest number that an engine accepts.
  struct Range {
    const char* name;
    uint64_t least, most;
  };

  std::span<const lf_setting> All() const { return settings_; }

  // Whether nobody asked for it: a store or a file that states otherwise wins.
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

  // Refuses values outside of their range, in the name of the library, which might clip them
  // silently.
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

  // "none", "process" or "synced"; the harness always sets it. Below are its hints.
  std::string_view Durability() const { return Text("durability", "process"); }
  uint64_t ExpectedKeys() const { return Number("expected_keys", 0); }
  uint64_t ExpectedSessions() const { return Number("expected_sessions", 0); }  // 0: not known.
  uint64_t ExpectedValueBytes() const { return Number("expected_value_bytes", 100); }
  // Whether it is opened to be checked, as last_error_is_damage says.
  bool IsCheck() const { return Flag("check", false); }

 private:
  const char* Find(std::string_view name) const {
    for (const lf_setting& setting : settings_) {
      if (name == setting.name) return setting.value;
    }
    return nullptr;
  }

  std::span<const lf_setting> settings_;
};

// The common options, none of which an engine has, for that reason: its table of options, if it has
// no others.
constexpr std::array<lf_option, 7> WithoutCommonOptions(const char* reason) {
  constexpr const char* kNames[] = {"cache_size", "write_buffer_size", "block_size",
                                    "bloom_bits", "compression",       "max_open_files"};
  std::array<lf_option, 7> rows{};  // The last one ends the table.
  for (size_t i = 0; i < std::size(kNames); ++i) {
    rows[i] = {kNames[i], LF_ABSENT, nullptr, nullptr, reason};
  }
  return rows;
}

// What each class keeps, and by which settings of the library; LF_REFUSED, and why.
struct DurabilityOfClass {
  lf_level level;
  const char* settings;
};
constexpr std::array<lf_durability, 4> Durabilities(DurabilityOfClass none,
                                                    DurabilityOfClass process,
                                                    DurabilityOfClass synced) {
  return {{{"none", none.level, none.settings},
           {"process", process.level, process.settings},
           {"synced", synced.level, synced.settings},
           {nullptr, LF_REFUSED, nullptr}}};
}

// What an engine declares beside its two classes. `load` and `describe` as in the C table.
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
  const lf_alternative* alternatives = nullptr;
};

// A call that an engine cannot carry out, declared in place of the function that would:
//
//   static constexpr levelfield::Refusal Merge{"it has no merge operators"};
struct Refusal {
  const char* reason;
  lf_code operator()(const auto&...) const { return Unsupported(reason); }
};

// Settings that nobody asked for and that an open store has otherwise. A store that derives from
// this reports them to the harness.
class OverriddenSettings {
 public:
  void Overridden(void* context, void (*sink)(void*, const char*, const char*, const char*)) const {
    for (const auto& [name, value] : overridden) {
      sink(context, name.c_str(), value.c_str(), stated_by.c_str());
    }
  }

 protected:
  std::vector<std::pair<std::string, std::string>> overridden;
  std::string stated_by = "the store";
};

// Receives what is in force (lf_engine::in_force), in the text that `open` is given.
class InForceSink {
 public:
  using Function = void (*)(void* context, const char* name, const char* value);
  InForceSink(void* context, Function function) : context_(context), function_(function) {}

  void Text(const char* name, const std::string& value) const {
    function_(context_, name, value.c_str());
  }
  void Number(const char* name, std::integral auto value) const {
    Text(name, std::to_string(value));
  }
  void Flag(const char* name, bool value) const { Text(name, value ? "1" : "0"); }

 private:
  void* context_;
  Function function_;
};

// "name=value", a line in the answer of a property.
inline void AppendLine(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append("=").append(value).append("\n");
}
inline void AppendLine(std::string& text, std::string_view name, std::integral auto value) {
  AppendLine(text, name, std::to_string(value));
}

// A member function by its name, which a class may or may not have.
#define LEVELFIELD_METHOD(name)                                                \
  [](auto& object, auto... arguments) -> decltype(object.name(arguments...)) { \
    return object.name(arguments...);                                          \
  }

// Makes an entry of the C table from a member function of `Object`; null if it has none.
template <class Object, class Result, class Handle, class... Arguments, class Method>
constexpr void Bind(Result (*&entry)(Handle*, Arguments...), Method) {
  if constexpr (std::is_invocable_v<Method, Object&, Arguments...>) {
    entry = [](Handle* handle, Arguments... arguments) noexcept -> Result {
      return Method()(*reinterpret_cast<Object*>(handle), arguments...);
    };
  }
}
template <class Object, class Result, class Handle, class... Arguments, class Method>
constexpr void BindRequired(Result (*&entry)(Handle*, Arguments...), Method method) {
  static_assert(std::is_invocable_v<Method, Object&, Arguments...>,
                "the class lacks a member function that every engine has");
  Bind<Object>(entry, method);
}

template <class Store>
constexpr void BindStaticFunctions(lf_engine& engine) {
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
  if constexpr (requires(const char* path) { Store::Restore(path, path); }) {
    engine.restore = [](const char* backup, const char* directory) noexcept {
      return Store::Restore(backup, directory);
    };
  }
}

template <class Session>
constexpr void BindSnapshots(lf_engine& engine) {
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
}

// Store:   static lf_code Open(const char* directory, const EngineSettings&,
//              std::unique_ptr<Store>&)   (directory == nullptr: only check the settings);
//          Close, BeginSession(std::unique_ptr<Session>&), Sync, Compact; optional: SizeOnDisk,
//          Property, Counters, CompactRange, ApproximateBytes, and static Recognize(const char*
//          path), Destroy(const char* path), Repair(const char* path, const EngineSettings&),
//          Flush, WaitForBackground, Backup(const char* directory), static Restore(const char*
//          backup, const char* directory), VerifyChecksums, Activities, Overridden,
//          InForce(const InForceSink&), CompactLevel(uint32_t level), Processes.
// Session: Get, Put, Erase, Write(std::span<const lf_entry>), Seek, Next, Prev; optional: a class
//          Snapshot, whose destructor releases it, TakeSnapshot(std::unique_ptr<Snapshot>&), and
//          GetAt(Snapshot&, key, value); Merge, MultiGet(std::span<const lf_bytes> keys, lf_bytes*
//          values, lf_code* codes), DeleteRange; BeginTransaction, GetForUpdate, CommitTransaction,
//          RollBackTransaction; NewIterator; RoundTrip, Submit and Poll.
// All of them return lf_code, take and give what the C table does, and let no exception out. An
// optional function that is absent is null in the table; a Refusal says why it is absent.
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
  engine.alternatives = facts.alternatives;
  engine.last_error = []() noexcept { return LastError().text.c_str(); };
  engine.last_error_is_damage = []() noexcept { return LastError().is_damage ? 1 : 0; };
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
  BindRequired<Session>(engine.get, LEVELFIELD_METHOD(Get));
  BindRequired<Session>(engine.put, LEVELFIELD_METHOD(Put));
  BindRequired<Session>(engine.erase, LEVELFIELD_METHOD(Erase));
  BindRequired<Session>(engine.write, [](auto& session, const lf_entry* entries, size_t count) {
    return session.Write(std::span(entries, count));
  });
  BindRequired<Session>(engine.seek, LEVELFIELD_METHOD(Seek));
  BindRequired<Session>(engine.next, LEVELFIELD_METHOD(Next));
  BindRequired<Session>(engine.prev, LEVELFIELD_METHOD(Prev));
  BindRequired<Store>(engine.sync, LEVELFIELD_METHOD(Sync));
  BindRequired<Store>(engine.compact, LEVELFIELD_METHOD(Compact));
  Bind<Store>(engine.size_on_disk, LEVELFIELD_METHOD(SizeOnDisk));
  Bind<Store>(engine.property, LEVELFIELD_METHOD(Property));
  Bind<Store>(engine.counters, LEVELFIELD_METHOD(Counters));
  BindStaticFunctions<Store>(engine);
  Bind<Store>(engine.compact_range, LEVELFIELD_METHOD(CompactRange));
  Bind<Store>(engine.approximate_bytes, LEVELFIELD_METHOD(ApproximateBytes));
  BindSnapshots<Session>(engine);
  Bind<Session>(engine.merge, LEVELFIELD_METHOD(Merge));
  Bind<Session>(
      engine.multi_get,
      [](auto& session, const lf_bytes* keys, size_t count, lf_bytes* values,
         lf_code* codes) -> decltype(session.MultiGet(std::span(keys, count), values, codes)) {
        return session.MultiGet(std::span(keys, count), values, codes);
      });
  Bind<Session>(engine.delete_range, LEVELFIELD_METHOD(DeleteRange));
  Bind<Store>(engine.flush, LEVELFIELD_METHOD(Flush));
  Bind<Store>(engine.wait_for_background, LEVELFIELD_METHOD(WaitForBackground));
  Bind<Store>(engine.backup, LEVELFIELD_METHOD(Backup));
  Bind<Store>(engine.verify_checksums, LEVELFIELD_METHOD(VerifyChecksums));
  Bind<Session>(engine.begin_transaction, LEVELFIELD_METHOD(BeginTransaction));
  Bind<Session>(engine.get_for_update, LEVELFIELD_METHOD(GetForUpdate));
  Bind<Session>(engine.commit_transaction, LEVELFIELD_METHOD(CommitTransaction));
  Bind<Session>(engine.roll_back_transaction, LEVELFIELD_METHOD(RollBackTransaction));
  Bind<Session>(engine.new_iterator, LEVELFIELD_METHOD(NewIterator));
  Bind<Session>(engine.round_trip, LEVELFIELD_METHOD(RoundTrip));
  Bind<Session>(engine.submit, LEVELFIELD_METHOD(Submit));
  Bind<Session>(engine.poll, LEVELFIELD_METHOD(Poll));
  Bind<Store>(engine.activities, LEVELFIELD_METHOD(Activities));
  Bind<Store>(engine.overridden, LEVELFIELD_METHOD(Overridden));
  Bind<Store>(engine.compact_level, LEVELFIELD_METHOD(CompactLevel));
  Bind<Store>(engine.processes, LEVELFIELD_METHOD(Processes));
  Bind<Store>(
      engine.in_force,
      [](auto& store, void* context, InForceSink::Function sink) -> decltype(store.InForce(
                                                                     InForceSink(context, sink))) {
        return store.InForce(InForceSink(context, sink));
      });
  return engine;
}

#undef LEVELFIELD_METHOD

}  // namespace levelfield

// Exports a table, which must have static storage, as the plug-in's one symbol.
#define LEVELFIELD_EXPORT_ENGINE(table)                                                    \
  extern "C" __attribute__((visibility("default"))) const lf_engine* levelfield_engine() { \
    return &(table);                                                                       \
  }

#endif  // LEVELFIELD_ENGINE_H_
