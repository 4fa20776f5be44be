// A child process of this same program: its own process group, ended when this process dies, with a
// pipe to its standard input, one from its descriptor 3 (or standard output), and one from its
// standard error. Nobody's children are left behind: the destructor kills and reaps.
#ifndef LEVELFIELD_PROCESS_PROCESS_H_
#define LEVELFIELD_PROCESS_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// The descriptor at which a child finds the pipe for what it tells.
inline constexpr int kEventFd = 3;

// The child's side: says all of it there. Ends the process where nobody listens any more.
void TellParent(std::string_view text);

class ChildProcess {
 public:
  // Runs this program again with these words. What the child writes to descriptor 3 comes out of
  // `output`; its standard output goes where its standard error goes. Before anything else it
  // enters the cgroup whose cgroup.procs this is, if it is one.
  static StatusOr<ChildProcess> Start(const std::vector<std::string>& words, int procs_fd = -1);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  const UniqueFd& input() const { return input_; }
  const UniqueFd& output() const { return output_; }
  const UniqueFd& error() const { return error_; }
  // All of `text`, or a failure when the child is gone.
  Status Write(std::string_view text);

  void Signal(int signal);  // To its whole group.
  // Stops its whole group, and waits until each of its own threads stands: one that is in a call of
  // the kernel which cannot be left (a flush) has ended that by then. False where it has ended.
  bool Freeze();
  void Thaw();
  // Whether it is over and only waits to be waited for. Its pipes may still be open then: what it
  // left behind may hold them.
  bool HasEnded() const;
  // What its main thread is at by the kernel's account: "is stopped by a signal", "waits in
  // futex_wait_queue", "computes"; empty where that is not told.
  std::string Whereabouts() const;
  // Waits for its end. Returns "" after exit code 0, else what ended it: "exit code 3", "SIGSEGV",
  // "SIGABRT (core dumped)".
  std::string Wait();

 private:
  ChildProcess() = default;

  pid_t pid_ = -1;
  UniqueFd input_;
  UniqueFd output_;
  UniqueFd error_;
};

// All that a child says until it closes its pipe, and how it ends; it is killed where it says
// nothing for too long, goes on for too long or says too much, or where somebody interrupts.
struct Patience {
  double silence_seconds = 1e9;
  double seconds = 1e9;
  size_t most_bytes = size_t{64} << 20;
};
struct Heard {
  enum class Cut { kNone, kSilent, kLate, kTooMuch, kInterrupted };
  std::string output;
  std::string last_words;  // The last 4 KiB of what went to standard error.
  std::string end;         // As Wait() tells it.
  Cut cut = Cut::kNone;    // Why it was killed.
};
Heard Hear(ChildProcess& child, const Patience& patience);

// Appends what is to be read there now, as long as the text has fewer than so many bytes, and else
// throws it away; false at the end.
bool ReadSome(int fd, std::string& text, size_t most_bytes = SIZE_MAX);

// SIGINT, SIGTERM and SIGHUP: a person or a system that wants the program to end. The first one
// lets the worker end in good order, a second one does not.
//
// Counts the signals from now on, for the life of the program. Under nohup a hangup stays ignored.
void InstallInterruptHandlers();

// How many have come since then. Any thread.
int Interrupts();
inline bool IsInterrupted() { return Interrupts() > 0; }

}  // namespace levelfield

#endif  // LEVELFIELD_PROCESS_PROCESS_H_
