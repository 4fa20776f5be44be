// A child process of this same program. It has its own process group and ends when this process
// dies. It has a pipe to its standard input, one from its descriptor 3 (or standard output), and
// one from its standard error. The destructor kills and reaps, so no child is left behind.
#ifndef LEVELFIELD_PROCESS_PROCESS_H_
#define LEVELFIELD_PROCESS_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process_tree.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// The descriptor at which a child writes its events.
inline constexpr int kEventFd = 3;

// The child's side: writes all of it there. Ends the process if nobody listens any more.
void TellParent(std::string_view text);

class ChildProcess {
 public:
  // Runs this program again with these words. What the child writes to descriptor 3 arrives at
  // `output`; its standard output goes where its standard error goes. If given a cgroup's
  // cgroup.procs, the child enters that cgroup before anything else.
  static StatusOr<ChildProcess> Start(const std::vector<std::string>& words, int procs_fd = -1);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  const UniqueFd& input() const { return input_; }
  const UniqueFd& output() const { return output_; }
  const UniqueFd& error() const { return error_; }
  // Writes all of `text`; fails if the child is gone.
  Status Write(std::string_view text);

  // To its whole group, and those that it works with. SIGKILL also to all that it has started.
  void Signal(int signal);
  // What is done to it is done to these and all that they start, too, and they end when it does.
  void WorkWith(std::vector<ProcessId> others) { others_ = std::move(others); }
  const std::vector<ProcessId>& others() const { return others_; }
  // Stops its whole group and waits until all of its own threads stand still. A thread in an
  // uninterruptible call of the kernel (a flush) has finished that call by then. False if the child
  // has ended.
  bool Freeze();
  void Thaw();
  // Whether it has ended and only waits to be reaped. Its pipes may still be open: processes that
  // it left behind may hold them.
  bool HasEnded() const;
  // What its main thread is doing by the kernel's account: "is stopped by a signal", "waits in
  // futex_wait_queue", "computes"; empty if unknown.
  std::string Whereabouts() const;
  // Waits for its end. Returns "" after exit code 0, else the cause: "exit code 3", "SIGSEGV",
  // "SIGABRT (core dumped)".
  std::string Wait();
  // Whether SIGKILL ended it. Known after Wait().
  bool was_killed() const { return was_killed_; }

 private:
  ChildProcess() = default;

  pid_t pid_ = -1;
  bool was_killed_ = false;
  std::vector<ProcessId> others_;
  UniqueFd input_;
  UniqueFd output_;
  UniqueFd error_;
};

// Collects everything that a child writes until it closes its pipe, and how it ends. Kills the
// child if it is silent for too long, runs for too long or writes too much, or if somebody
// interrupts.
struct Patience {
  double silence_seconds = 1e9;
  double seconds = 1e9;
  size_t most_bytes = size_t{64} << 20;
};
struct Heard {
  enum class Cut { kNone, kSilent, kLate, kTooMuch, kInterrupted };
  std::string output;
  std::string last_words;  // The last 4 KiB of what went to standard error.
  std::string end;         // See Wait().
  Cut cut = Cut::kNone;    // Why it was killed.
};
Heard Hear(ChildProcess& child, const Patience& patience);

// Appends what can be read now, as long as the text has fewer than `most_bytes`, and discards the
// rest; false at the end.
bool ReadSome(int fd, std::string& text, size_t most_bytes = SIZE_MAX);

// SIGINT, SIGTERM and SIGHUP: a person or a system wants the program to end. What the first and the
// second of them do is in driver/supervisor.h.
//
// Counts the signals from now on, for the life of the program. Under nohup, hangups stay ignored.
void InstallInterruptHandlers();

// How many have come since then. Any thread.
int Interrupts();
inline bool IsInterrupted() { return Interrupts() > 0; }

}  // namespace levelfield

#endif  // LEVELFIELD_PROCESS_PROCESS_H_
