// A store of ours that a run uses as it is (--use_existing_db): opened and marked as in use before
// the worker starts. The driver, on its one thread.
#ifndef LEVELFIELD_DRIVER_OLD_STORE_H_
#define LEVELFIELD_DRIVER_OLD_STORE_H_

#include <string>

#include "base/status.h"
#include "plan/turn.h"
#include "store/store_directory.h"

namespace levelfield {

struct OldStore {
  StoreDirectory store;
  WorkerSpec spec;
};

// The one at `path`, whose marker then says what the turn is about to write to it.
StatusOr<OldStore> OpenOldStore(const Turn& turn, const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_OLD_STORE_H_
