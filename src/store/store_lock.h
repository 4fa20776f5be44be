// The lock on a store: an flock on its marker. It lives as long as the descriptor or a child
// process that inherited it, and the kernel frees it whatever way the holder dies. Only
// StoreDirectory calls this, from one thread; who only reads a store shares the lock
// (marked_store.h).
#ifndef LEVELFIELD_STORE_STORE_LOCK_H_
#define LEVELFIELD_STORE_STORE_LOCK_H_

#include <string>

#include "base/status.h"
#include "base/unique_fd.h"
#include "store/store_place.h"

namespace levelfield {

// Opens the marker to read and write it, and takes the lock, or says within a second who has it.
StatusOr<UniqueFd> LockStore(const StorePlace& place);
// The same for a directory without a marker: it is made, empty.
StatusOr<UniqueFd> LockNewStore(const StorePlace& place);

// Whether the directory is still the one that was locked, with the marker of this id: asked before
// anything is removed.
Status CheckLocked(const StorePlace& place, const UniqueFd& lock, const std::string& id);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_LOCK_H_
