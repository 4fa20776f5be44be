#include "process/process_guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>

#include "base/process_tree.h"
#include "base/program_path.h"
#include "base/unique_fd.h"

extern char** environ;

namespace levelfield {
namespace {

// In a session of its own: what is done to the group of this process is not done to it. It holds
// none of this process's files.
StatusOr<UniqueFd> StartGuard() {
  int ends[2];
  // A socket, because writing to one whose other side is gone need not be a signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Status::Failed(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, theirs.get(), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string word(kGuardWord);
  std::string program = "levelfield";
  char* words[] = {program.data(), word.data(), nullptr};
  pid_t guard = -1;
  const int error = posix_spawn(&guard, ProgramToExecute(), &files, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    return Status::Failed(fmt::format("cannot start a guard: {}", std::strerror(error)));
  }
  return ours;
}

}  // namespace

Status GuardProcesses(const std::vector<pid_t>& processes) {
  // One guard for the life of this process, which is what it waits for.
  static std::mutex mutex;
  static std::optional<UniqueFd> guard;
  const std::lock_guard lock(mutex);
  if (processes.empty()) return Status::Ok();
  std::string lines;
  if (!guard) {
    ASSIGN_OR_RETURN(UniqueFd started, StartGuard());
    guard.emplace(std::move(started));
    lines = fmt::format("{}\n", getpid());
  }
  for (const pid_t process : processes) lines += fmt::format("{}\n", process);
  const ssize_t count = send(guard->get(), lines.data(), lines.size(), MSG_NOSIGNAL);
  return count == static_cast<ssize_t>(lines.size())
             ? Status::Ok()
             : Status::Failed("the guard of the engine's processes has ended");
}

int RunGuard() {
  // The first number is the other side's own. Its end of the socket may be held open by a process
  // that it has forked, so that itself is waited for; on a kernel before 5.3 the socket alone.
  std::optional<UniqueFd> other_side;
  std::vector<ProcessId> guarded;
  std::string pending;
  bool is_there = true;
  const auto take = [&](pid_t pid) {
    if (other_side) {
      if (const std::optional<ProcessId> one = FindProcess(pid)) guarded.push_back(*one);
      return;
    }
    other_side.emplace(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    is_there = other_side->ok() || errno != ESRCH;
  };
  while (is_there) {
    pollfd waited[] = {{STDIN_FILENO, POLLIN, 0}, {other_side ? other_side->get() : -1, POLLIN, 0}};
    if (poll(waited, 2, -1) < 0) continue;  // A signal.
    if (waited[1].revents != 0) break;
    char part[512];
    const ssize_t count = read(STDIN_FILENO, part, sizeof(part));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    pending.append(part, static_cast<size_t>(count));
    for (size_t end = 0; (end = pending.find('\n')) != pending.npos; pending.erase(0, end + 1)) {
      take(static_cast<pid_t>(std::strtol(pending.c_str(), nullptr, 10)));
    }
  }
  EndTrees(guarded);
  return 0;
}

}  // namespace levelfield
