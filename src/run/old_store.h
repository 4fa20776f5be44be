// A store of ours that a run uses as it is (--use_existing_db): opened and marked as in use before
// the worker starts, and marked again by what became of it. The driver, on its one thread.
#ifndef LEVELFIELD_RUN_OLD_STORE_H_
#define LEVELFIELD_RUN_OLD_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "result/result.h"
#include "run/store_directory.h"
#include "run/turn.h"

namespace levelfield {

struct OldStore {
  StoreDirectory store;
  WorkerSpec spec;
};

// The one at `path`, whose marker then says what the turn is about to write to it.
StatusOr<OldStore> OpenOldStore(const Turn& turn, const std::string& path);

// After the run. `entries` is how many it was left with, where that is known anew.
Status LeaveOldStore(std::optional<uint64_t> entries, Outcome outcome, StoreDirectory& store);

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OLD_STORE_H_
