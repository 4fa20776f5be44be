// A process that serves a file system by FUSE (ntfs-3g, exfat-fuse, fuse2fs), in a process
// namespace of its own: it goes into the background, where nobody else could end it for sure, and
// would keep the mounts of its maker alive; here the kernel ends it with its maker, also by a kill
// -9.
#ifndef LEVELFIELD_FILE_SYSTEM_FUSE_SERVER_H_
#define LEVELFIELD_FILE_SYSTEM_FUSE_SERVER_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

class FuseServer {
 public:
  // Returns when the program has mounted what it serves and has gone into the background.
  static StatusOr<FuseServer> Start(const std::vector<std::string>& words);

  FuseServer(FuseServer&& other) noexcept;
  FuseServer& operator=(FuseServer&&) = delete;
  // To be called when its file system is unmounted: waits until it has written all that it had, or
  // ends it after ten seconds.
  ~FuseServer();

 private:
  FuseServer(pid_t keeper, UniqueFd alive) : keeper_(keeper), alive_(std::move(alive)) {}

  pid_t keeper_;    // The one whose end is the namespace's.
  UniqueFd alive_;  // When nobody has it any more, the keeper ends the server.
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_FUSE_SERVER_H_
