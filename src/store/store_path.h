// Where a store may live. Decides, before anything is created, whether a path that somebody typed
// can hold a store without harm to anybody else's data (reliability rule R18), and says why not.
//
// The path is walked one component at a time without letting the kernel follow symlinks, and
// directories are told apart by device and inode as well as by name, so that neither `..`, a
// symlink, nor a bind mount leads anywhere that its plain name would not be allowed to. Nobody else
// may change any directory on the way (base/path_owners.h), so the path leads to the same place for
// as long as an engine uses it.
// Only StoreDirectory uses this; the rules about what lies *in* the directory are in store_place.h.
#ifndef LEVELFIELD_STORE_STORE_PATH_H_
#define LEVELFIELD_STORE_STORE_PATH_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

struct StorePath {
  std::string typed;     // As the person typed it; for messages.
  std::string absolute;  // The same place, physically: no symlink, no "..".
  UniqueFd existing;     // O_PATH, the deepest directory on the way that exists.
  // What is to be made below it, outermost first; empty when the directory itself exists.
  std::vector<std::string> missing;
};

// Longer paths break engines that keep a path in a fixed buffer (R18).
inline constexpr size_t kMaxStorePathBytes = 200;
// More missing parents than this look like a typing mistake or a disk that is not mounted.
inline constexpr size_t kMaxMissingParents = 4;

StatusOr<StorePath> ResolveStorePath(const std::string& typed);

// Whether this directory or file is the root of a mount, bind mounts included.
bool IsMountRoot(int fd);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_PATH_H_
