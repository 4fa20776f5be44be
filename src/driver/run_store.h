// The store of a run, open for its worker, with everything held meanwhile: one that is made for the
// run and removed with it, one of ours that is used as it is (--use_existing_db), or one that is
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
  std::optional<RunFileSystem> file_system;  // That a new one is on; ends behind the store.
  // One of ours that is written to: its lock is held alone, and its marker says so.
  std::optional<StoreDirectory> ours;
  // One of ours that is only read: locked against those who would write to it.
  std::optional<StoreView> view;
  std::optional<StoreCopy> copy;        // Measured in its place; gone with this.
  std::optional<ForeignStore> foreign;  // What the worker has, where that is not `ours`.
  WorkerSpec spec;

  StoreFiles& files() { return ours ? static_cast<StoreFiles&>(*ours) : *foreign; }
};

// Made, locked and marked dirty; nothing is left of one that cannot be.
StatusOr<std::unique_ptr<RunStore>> MakeNewStore(const Trial& trial);

// The marker of one of ours then says what the turn is about to write to it. kUsage where somebody
// uses the store, or changes it while it is copied.
StatusOr<std::unique_ptr<RunStore>> OpenExistingStore(const Trial& trial,
                                                      const ExistingStore& store);

// What the marker says when the run is over and the store stays: clean, with the entries that it
// was left with, where the worker has closed it in good order and no answer was wrong; tainted
// where one was wrong; else dirty, as it was while the worker ran, because that was killed or the
// engine failed. Nobody else says that a store is clean, but for copies that a worker makes
// (backups.h).
Status MarkAtTheEnd(const RunEnd& end, Outcome outcome, StoreDirectory& store);

// The file system of the run's own, where it is to have one; empty where the store is on what is
// there.
Status MakeFileSystem(const Trial& trial, std::optional<RunFileSystem>& file_system);

// Where a new store is made.
std::string PathOfNewStore(const Trial& trial, const std::optional<RunFileSystem>& file_system);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_RUN_STORE_H_
