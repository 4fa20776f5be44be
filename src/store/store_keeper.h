// Who looks after the files of a store while a worker has it open: a store of ours, or somebody
// else's that is only visited. Called by the supervisor, from one thread.
#ifndef LEVELFIELD_STORE_STORE_KEEPER_H_
#define LEVELFIELD_STORE_STORE_KEEPER_H_

#include <cstdint>

#include "base/status.h"

namespace levelfield {

class StoreKeeper {
 public:
  virtual ~StoreKeeper() = default;
  // Removes what the store holds.
  virtual Status Wipe() = 0;
  // Space that its files take on the disk: allocated blocks, not lengths.
  virtual StatusOr<uint64_t> AllocatedBytes() const = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_KEEPER_H_
