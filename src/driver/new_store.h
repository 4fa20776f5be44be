// The store that is made for a run and is gone with it: its place, the file system that it may have
// for itself, and what its worker is to do there. The driver makes it before it starts the worker,
// on its one thread.
#ifndef LEVELFIELD_DRIVER_NEW_STORE_H_
#define LEVELFIELD_DRIVER_NEW_STORE_H_

#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "driver/run_file_system.h"
#include "plan/turn.h"
#include "store/store_directory.h"

namespace levelfield {

struct NewStore {
  std::optional<RunFileSystem> file_system;  // That it is on; ends behind the store.
  StoreDirectory store;
  WorkerSpec spec;
};

// Made, locked and marked dirty; nothing is left of one that cannot be.
StatusOr<std::unique_ptr<NewStore>> MakeNewStore(const Turn& turn);

// The file system of the run's own, where it is to have one; empty where the store is on what is
// there.
Status MakeFileSystem(const Turn& turn, std::optional<RunFileSystem>& file_system);

// Where the store is made.
std::string PathOfNewStore(const Turn& turn, const std::optional<RunFileSystem>& file_system);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_NEW_STORE_H_
