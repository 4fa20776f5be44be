// Removing directories where a file that is deleted while somebody has it open keeps a place in its
// directory: FUSE's default and NFS give it another name there, and remove it some time after its
// last close has returned. Any thread may call.
#ifndef LEVELFIELD_BASE_REMOVAL_H_
#define LEVELFIELD_BASE_REMOVAL_H_

#include <functional>
#include <string>
#include <string_view>
#include <system_error>

namespace levelfield {

// Whether it is the name of a file that was deleted while somebody had it open.
// https://github.com/libfuse/libfuse/blob/master/lib/fuse.c (hidden_name), Linux: fs/nfs/unlink.c
inline bool IsDeletedWhileOpen(std::string_view name) {
  return name.starts_with(".fuse_hidden") || name.starts_with(".nfs");
}

// Calls `remove` until it returns true. Gives up after two seconds, in which what has been closed
// is gone.
bool RemovePatiently(const std::function<bool()>& remove);

// Removes a directory of our own, with everything in it.
std::error_code RemoveAll(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_REMOVAL_H_
