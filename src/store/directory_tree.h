// What lies below a directory that is open: its names, its removal, and its size. Never follows a
// symlink and never leaves `device`, the file system that the directory has to be on: what is
// mounted below it is somebody else's.
//
// Messages name what is wrong relative to the directory. Any thread may call; the directory may
// change meanwhile.
#ifndef LEVELFIELD_STORE_DIRECTORY_TREE_H_
#define LEVELFIELD_STORE_DIRECTORY_TREE_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// Sorted.
StatusOr<std::vector<std::string>> NamesIn(int directory);

// Whether this directory or file is the root of a mount, bind mounts included.
bool IsMountRoot(int fd);

// A directory of this very file system, reached without a symlink and not mounted over, bind mounts
// included.
StatusOr<UniqueFd> OpenBelow(int parent, const std::string& name, dev_t device);

// Removes all that lies in the directory; nothing of what is mounted below it.
Status RemoveContents(int directory, dev_t device);

// Space that the files below it take on the disk: allocated blocks, not lengths. A file with
// several names takes its space once.
StatusOr<uint64_t> AllocatedBytesIn(int directory, dev_t device);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_DIRECTORY_TREE_H_
