// A loaded engine, one open store of it, and one thread's session: RAII over the C table.
//
// The measured loop bypasses this: it takes `table()` and `Session::get()` and calls the engine
// itself. This serves everything around the loop. Threads as in engine_abi.h: stores and sessions
// begin and end on one thread at a time, and a session belongs to one thread.
#ifndef LEVELFIELD_ENGINE_ENGINE_H_
#define LEVELFIELD_ENGINE_ENGINE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process_tree.h"
#include "base/status.h"
#include "engine/in_force.h"
#include "levelfield/engine_abi.h"

namespace levelfield {

// The names of engines, options and figures are at most 64 characters of [a-z0-9_].
inline constexpr size_t kLongestEngineName = 64;
bool IsEngineNameCharacter(char c);

// Which engine is meant: "rocksdb", "rocksdb@7.8.3", "leveldb@system",
// "rocksdb:/path/librocksdb.so". Pure, for any thread.
struct EngineSpec {
  std::string name;      // The plug-in's: [a-z0-9_]+.
  std::string which;     // The text after '@' (a version) or ':' (a path); empty: the default.
  bool is_path = false;  // `which` came after ':'.
  std::string text;      // As typed.
};

// A version becomes part of a file name, so it must have no '/' and no leading dot.
StatusOr<EngineSpec> ParseEngineSpec(std::string_view text);

// For engines with a table of alternatives alone (engine_abi.h).
inline constexpr std::string_view kSessionsHint = "expected_sessions";
// Of a store in a server that several processes load: what it is called there, and whether this one
// only joins it, after another has made it.
inline constexpr std::string_view kStoreNameHint = "store_name";
inline constexpr std::string_view kJoinsHint = "joins_store";

// Cheap to copy; valid until the program ends, because a plug-in is never unloaded.
class Engine {
 public:
  // `table` has been checked (engine/table_check.h).
  Engine(EngineSpec spec, std::filesystem::path plugin_path, const lf_engine& table)
      : loaded_(std::make_shared<const Loaded>(
            Loaded{std::move(spec), std::move(plugin_path), table})) {}

  const lf_engine& table() const { return loaded_->table; }
  const EngineSpec& spec() const { return loaded_->spec; }
  const std::filesystem::path& plugin_path() const { return loaded_->plugin_path; }
  bool Has(uint32_t capability) const { return (table().capabilities & capability) != 0; }

  // What `code` means after `operation`: "<engine>: <operation>: <last_error>". Ok for LF_OK and
  // LF_NOT_FOUND, which are answers. Must be called on the thread that got the code, before its
  // next call.
  Status StatusOf(lf_code code, std::string_view operation) const;

  // Whether the engine can honour these settings, without a directory. If it cannot, that is a
  // usage mistake (kUsage).
  Status CheckSettings(const SettingList& settings) const;

  // A call that the engine lacks is a kUsage that says so.

  // Whether `path`, a directory or a file, holds a store of this engine, whoever made it.
  StatusOr<bool> Recognizes(const std::filesystem::path& path) const;
  // For a store that is not open.
  Status Destroy(const std::filesystem::path& path) const;
  Status Repair(const std::filesystem::path& path, const SettingList& settings) const;
  // Restores a backup of Store::Backup into an empty directory.
  Status Restore(const std::filesystem::path& backup, const std::filesystem::path& directory) const;

 private:
  struct Loaded {
    EngineSpec spec;
    std::filesystem::path plugin_path;
    lf_engine table;
  };
  std::shared_ptr<const Loaded> loaded_;
};

// One thread's handle. Ends when destroyed, which must be before its store is closed.
class Session {
 public:
  lf_session* get() { return session_.get(); }
  void End() { session_.reset(); }

 private:
  friend class Store;
  struct EndsIt {
    void operator()(lf_session* session) const { engine.table().end_session(session); }
    Engine engine;
  };
  Session(const Engine& engine, lf_session* session) : session_(session, EndsIt{engine}) {}

  std::unique_ptr<lf_session, EndsIt> session_;
};

// One open database. It closes when destroyed, but only `Close` tells whether that succeeded.
class Store {
 public:
  // `directory` exists. kUsage if the open store has something else in force than `settings` ask
  // for (engine/in_force.h); it is closed again then. `seconds` is the time of the engine's own
  // open.
  static StatusOr<Store> Open(const Engine& engine, const std::filesystem::path& directory,
                              const SettingList& settings, double* seconds = nullptr);
  const Engine& engine() const { return store_.get_deleter().engine; }
  lf_store* get() { return store_.get(); }

  StatusOr<Session> BeginSession();
  Status Sync();
  Status Compact();
  // The engine's own description of itself: "stats", "sstables", or a name of its own; kUsage if it
  // has none of that name.
  StatusOr<std::string> Property(const std::string& name);
  // The engine's counters, by its own names; empty if it has none.
  std::vector<std::pair<std::string, uint64_t>> Counters() const;
  // What its own threads are doing right now, in the engine's words; and whether it tells that.
  std::vector<std::string> Activities() const;
  bool TellsActivities() const { return table().activities != nullptr; }
  // Those that work for it beside this one. While it is open they end with this one, however that
  // ends (process/process_guard.h).
  const std::vector<ProcessId>& Processes() const { return processes_; }
  // Defaults that gave way to something else, and all that the engine tells to be in force.
  const std::vector<OverriddenDefault>& Overridden() const { return overridden_; }
  const SettingList& InForce() const { return in_force_; }
  // An end that is not given is open.
  Status CompactRange(std::optional<std::string_view> from, std::optional<std::string_view> to);
  StatusOr<uint64_t> ApproximateBytes(std::optional<std::string_view> from,
                                      std::optional<std::string_view> to);
  // Flush writes buffered data to the store's own files. The others wait for the store's own
  // threads, copy the store into an empty directory, and check all of it against its checksums.
  Status Flush();
  Status WaitForBackground();
  Status Backup(const std::filesystem::path& directory);
  Status VerifyChecksums();
  Status CompactLevel(uint32_t level);
  // What an empty call of its server's takes with `depth` in flight: the median of many. 0: it is
  // in no server.
  StatusOr<uint64_t> RoundTripNs(uint64_t depth);
  Status Close();  // The store is gone whatever this returns; a second call is Ok.

 private:
  struct ClosesIt {
    void operator()(lf_store* store) const { (void)engine.table().close(store); }
    Engine engine;
  };
  Store(const Engine& engine, lf_store* store) : store_(store, ClosesIt{engine}) {}
  const lf_engine& table() const { return engine().table(); }

  // Asks the engine for them, once.
  Status FindProcesses();
  // Asks the engine, once.
  Status CompareWith(const SettingList& asked);

  std::unique_ptr<lf_store, ClosesIt> store_;
  std::vector<OverriddenDefault> overridden_;
  SettingList in_force_;
  std::vector<ProcessId> processes_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_ENGINE_H_
