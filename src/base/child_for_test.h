// For tests only: work in a process of its own.
#ifndef LEVELFIELD_BASE_CHILD_FOR_TEST_H_
#define LEVELFIELD_BASE_CHILD_FOR_TEST_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace levelfield {

// Runs in a child, because a failed EXPECT cannot get out of one. Returns 0 on success, and 128 and
// more after a signal.
inline int InChild(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The file size limit stands in for the full disk: both cut a write short and then refuse the rest.
inline int WithFileSizeLimit(rlim_t bytes, const std::function<int()>& work) {
  return InChild([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    return work();
  });
}

// A child that has done the work and then pauses until it is killed.
inline pid_t PausedChild(const std::function<void()>& work) {
  int ready[2];
  EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    work();
    if (write(ready[1], "r", 1) != 1) _exit(2);
    for (;;) pause();
  }
  close(ready[1]);
  char byte;
  EXPECT_EQ(read(ready[0], &byte, 1), 1) << "the child failed";
  close(ready[0]);
  return child;
}

inline void KillChild(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_CHILD_FOR_TEST_H_
