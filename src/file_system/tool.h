// A program of the system (mkfs.ext4, mount) that is run to its end, or that serves a file
// system. For any thread.
#ifndef LEVELFIELD_FILE_SYSTEM_TOOL_H_
#define LEVELFIELD_FILE_SYSTEM_TOOL_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// Where it lies, in the directories of PATH and in those of the administrator, which a user's PATH
// often lacks; empty where it is not installed.
std::string FindTool(const std::string& name);

// A failure has what the program said, in one line.
Status RunTool(const std::vector<std::string>& words);

struct ToolEnd {
  int exit_code = 0;  // -1: a signal ended it.
  std::string said;   // The beginning of it, on both of its outputs.
};
// Fails where the program cannot be run.
StatusOr<ToolEnd> RunToolToEnd(const std::vector<std::string>& words);

// Its lines joined by blanks, printable, without those at the ends.
std::string OneLine(std::string text);

// From a child that tells how it went, closed on exec.
struct Pipe {
  UniqueFd read;
  UniqueFd write;
};
StatusOr<Pipe> MakePipe();
// All that comes until nobody can write any more; the beginning is kept.
std::string ReadToEnd(int fd);

// A process that serves a file system by FUSE (ntfs-3g, exfat-fuse, fuse2fs), in a process
// namespace of its own: it goes into the background, where nobody else could end it for sure, and
// would keep the mounts of its maker alive; here the kernel ends it with its maker, also by a kill
// -9.
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

#endif  // LEVELFIELD_FILE_SYSTEM_TOOL_H_
