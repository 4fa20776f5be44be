// The tree below an open directory: its names, its removal, and its size. Never follows a symlink
// and never leaves `device`, the file system that the directory must be on: whatever is mounted
// below it belongs to somebody else.
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

// Opens a directory of this very file system, reached without a symlink and with nothing mounted
// over it, bind mounts included.
StatusOr<UniqueFd> OpenBelow(int parent, const std::string& name, dev_t device);

// Removes everything in the directory. What is mounted below it is an error. Returns the names that
// stay because somebody still has the files open that had them (base/removal.h); an engine that
// opens a store in it does not mind them.
StatusOr<std::vector<std::string>> RemoveContents(int directory, dev_t device);

// Removes the directory of this name if it is empty, but for files that were deleted while they
// were open. Waits for these.
Status RemoveEmptied(int parent, const std::string& name);

// Whether there is a directory of this name that holds no file, but perhaps further such
// directories.
bool HoldsNoFile(int parent, const std::string& name, dev_t device);

// Removes such a directory with those below it. A file that is in it by now keeps it: an error.
Status RemoveWithoutFiles(int parent, const std::string& name, dev_t device);

// The space that the files and directories below it take on the disk: allocated blocks, not
// lengths. A file with several names counts once. This is the space of a store that reports show.
StatusOr<uint64_t> AllocatedBytesIn(int directory, dev_t device);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_DIRECTORY_TREE_H_
