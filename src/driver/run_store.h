// The store of a run, open for its worker, with everything that is held meanwhile. It is made for
// the run and removed with it, or it is one of ours used as it is (--use_existing_db), or it is
// only read. The driver opens it before it starts the worker, on its one thread.
#ifndef LEVELFIELD_DRIVER_RUN_STORE_H_
#define LEVELFIELD_DRIVER_RUN_STORE_H_

#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "driver/run_file_system.h"
#include "driver/supervisor.h"
#include "plan/trial.h"
#include "result/result.h"
#include "store/store_directory.h"
#include "store/store_files.h"
#include "store/store_lock.h"

namespace levelfield {

struct RunStore {
  std::optional<RunFileSystem> file_system;  // Holds a new store. Ends after the store.
  // A store of ours that is written to. We hold its lock exclusively, and its marker says so.
  std::optional<StoreDirectory> ours;
  // A store of ours that is only read, locked against writers.
  std::optional<StoreView> view;
  std::optional<StoreCopy> copy;        // Measured instead of the original. Removed with this.
  std::optional<ForeignStore> foreign;  // The worker's store, if it is not `ours`.
  WorkerSpec spec;

  StoreFiles& files() { return ours ? static_cast<StoreFiles&>(*ours) : *foreign; }
};

// Makes, locks and marks a store dirty. Leaves nothing behind if that fails.
StatusOr<std::unique_ptr<RunStore>> MakeNewStore(const Trial& trial);

// The marker of one of ours then says what the run will write to it. kUsage if somebody uses the
// store, or changes it while it is copied.
StatusOr<std::unique_ptr<RunStore>> OpenExistingStore(const Trial& trial,
                                                      const ExistingStore& store);

// Sets the marker of a store that stays after the run: clean, with its number of entries, if the
// worker closed it properly and no answer was wrong; tainted if an answer was wrong; otherwise
// dirty, as it was while the worker ran, because the worker was killed or the engine failed. Nobody
// else marks a store clean, except for copies that a worker makes (backups.h).
Status MarkAtTheEnd(const RunEnd& end, Outcome outcome, StoreDirectory& store);

// The run's own file system, if it has one. Empty if the store is on an existing one.
Status MakeFileSystem(const Trial& trial, std::optional<RunFileSystem>& file_system);

// The path of a new store.
std::string PathOfNewStore(const Trial& trial, const std::optional<RunFileSystem>& file_system);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_STORE_H_
