// A backup of the worker's store, and a store that is restored from it. Each has its own directory
// beside the store, or where --backup_dir and --restore_dir say, with our marker, so nobody else's
// files are ever touched. Both are removed at the end of the run unless the stores are kept. Their
// markers then say clean once the engine is done with them. The worker makes one of these; only its
// main thread calls it.
#ifndef LEVELFIELD_WORKER_BACKUPS_H_
#define LEVELFIELD_WORKER_BACKUPS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "engine/engine.h"
#include "settings/settings.h"
#include "store/store_directory.h"
#include "workload/expected_state.h"

namespace levelfield {

class Backups {
 public:
  // `database` is the engine's directory; `engine` its spec, for the marker.
  Backups(const Settings& settings, const std::string& database, const std::string& engine);
  ~Backups();
  Backups(const Backups&) = delete;
  Backups& operator=(const Backups&) = delete;

  struct Copied {
    uint64_t took_ns = 0;  // The engine's call alone.
    uint64_t bytes = 0;    // Allocated by the new files.
  };
  // Backs up the open store; `state` is its expected contents. Removes the previous backup first.
  StatusOr<Copied> Backup(Store& store, const ExpectedState& state);
  // Restores the last backup of this run; kUsage if there is none.
  StatusOr<Copied> Restore(const Engine& engine);
  // Whoever opened the restored store has closed it properly.
  Status RestoredIsClosed();

  // The place and the expected contents of the restored store.
  std::string restored_path() const { return restored_->path(); }
  const ExpectedState& state() const { return state_; }

 private:
  Status Make(const std::string& path, const std::string& what,
              std::optional<StoreDirectory>& directory) const;

  bool keeps_;
  std::string engine_;
  std::string backup_path_;
  std::string restored_path_;
  std::optional<StoreDirectory> backup_;
  std::optional<StoreDirectory> restored_;
  ExpectedState state_;  // When the backup was made.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_BACKUPS_H_
