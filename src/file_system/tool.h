// A program of the system (mkfs.ext4, mount) that runs to its end, or that serves a file system.
// For any thread.
#ifndef LEVELFIELD_FILE_SYSTEM_TOOL_H_
#define LEVELFIELD_FILE_SYSTEM_TOOL_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// Its path, from PATH and from the administrator's directories, which a user's PATH often lacks;
// empty if it is not installed.
std::string FindTool(const std::string& name);

// A failure contains what the program said, in one line.
Status RunTool(const std::vector<std::string>& words);

struct ToolEnd {
  int exit_code = 0;  // -1: a signal ended it.
  std::string said;   // The beginning of both of its outputs.
};
// Fails if the program cannot be run.
StatusOr<ToolEnd> RunToolToEnd(const std::vector<std::string>& words);

// Its lines joined by blanks, printable and trimmed.
std::string OneLine(std::string text);

// A child reports through it; closed on exec.
struct Pipe {
  UniqueFd read;
  UniqueFd write;
};
StatusOr<Pipe> MakePipe();
// Reads until nobody can write any more; keeps the beginning.
std::string ReadToEnd(int fd);

// A process that serves a file system by FUSE (ntfs-3g, exfat-fuse, fuse2fs). It goes into the
// background, where nobody else could reliably end it, and where it would keep its maker's mounts
// alive. So it gets a process namespace, and the kernel ends it with its maker, even after a kill
// -9.
class FuseServer {
 public:
  // Returns when the program has mounted what it serves and is in the background.
  static StatusOr<FuseServer> Start(const std::vector<std::string>& words);

  FuseServer(FuseServer&& other) noexcept;
  FuseServer& operator=(FuseServer&&) = delete;
  // Call it when the file system is unmounted: waits until the server has written everything, or
  // ends it after ten seconds.
  ~FuseServer();

 private:
  FuseServer(pid_t keeper, UniqueFd alive) : keeper_(keeper), alive_(std::move(alive)) {}

  pid_t keeper_;    // The namespace ends with this process.
  UniqueFd alive_;  // When its last holder is gone, the keeper ends the server.
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_TOOL_H_
