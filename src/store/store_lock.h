// The lock on a store: an flock on its marker. It lives as long as the descriptor or a child
// process that inherited it, and the kernel frees it however the holder dies. StoreDirectory, which
// writes to the store, holds it exclusively; readers share it.
//
// The marker is read and written here. Only the holder of the lock writes it.
#ifndef LEVELFIELD_STORE_STORE_LOCK_H_
#define LEVELFIELD_STORE_STORE_LOCK_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/unique_fd.h"
#include "store/store_marker.h"
#include "store/store_path.h"

namespace levelfield {

// Opens the marker to read and write it and takes the lock, or says within a second who has it.
StatusOr<UniqueFd> LockStore(const StorePath& path);
// The same for a directory without a marker: makes an empty one.
StatusOr<UniqueFd> LockNewStore(const StorePath& path);

// Whether the directory is still the one that was locked, with the marker of this id. Ask it before
// removing anything.
Status CheckLocked(const StorePath& path, const UniqueFd& lock, const std::string& id);

// Empty if the file is empty or cannot be read.
std::string MarkerText(int fd);
// One write and an fsync, so it happens wholly or not at all. The message names no store.
Status WriteMarker(int fd, const StoreMarker& marker);

// What the marker there says; empty if there is none, or none that can be read. Locks and changes
// nothing. Any thread may call.
std::optional<StoreContent> PeekAtStore(const std::string& path);

// A store of ours that is only read.
struct StoreView {
  std::string database;  // Absolute.
  StoreContent content;  // StoreMarker::ContentAsLeft.
  uint64_t salt = 0;
  StoreState state = StoreState::kClean;
  UniqueFd lock;  // As long as it exists, nobody can open the store to write to it.
};
// Gives access to the files of a store in any state. kUsage if somebody is using it. Any thread may
// call.
StatusOr<StoreView> LookIntoStore(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_LOCK_H_
