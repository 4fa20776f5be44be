// For tests only: runs a piece of work in a child process and kills it with SIGKILL at its n-th
// system call, so that "kill -9 at any moment" is every moment there is, and each one is
// repeatable.
//
// Between two system calls a process changes nothing that outlives it, so these are all the moments
// that can differ. Needs a single-threaded caller and ptrace of one's own child.
#ifndef LEVELFIELD_BASE_KILL_AT_SYSCALL_FOR_TEST_H_
#define LEVELFIELD_BASE_KILL_AT_SYSCALL_FOR_TEST_H_

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace levelfield {

enum class KillResult { kKilled, kRanToItsEnd, kCrashed, kNoPtrace };

// Stops come in pairs, before and after each system call; `stop` counts both from 1.
inline KillResult KillAtSyscallStop(int stop, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(42);
    raise(SIGSTOP);
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return KillResult::kNoPtrace;
  for (int i = 0; i < stop; ++i) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return KillResult::kRanToItsEnd;
    if (!WIFSTOPPED(status)) return KillResult::kCrashed;
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return KillResult::kKilled;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_KILL_AT_SYSCALL_FOR_TEST_H_
