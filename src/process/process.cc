#include "process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/clock.h"
#include "base/program_path.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Status NoPipe(int error) {
  struct rlimit limit {};
  const bool is_of_limit = error == EMFILE || error == EINVAL;  // fcntl(2), F_DUPFD.
  if (is_of_limit && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    return Status::Failed(
        fmt::format("cannot make a pipe to a worker: this process may have {} files open, which is "
                    "too few; say `ulimit -n 1024` before",
                    limit.rlim_cur));
  }
  return Status::Failed(fmt::format("cannot make a pipe to a worker: {}", std::strerror(error)));
}

// Closed on exec, and never one of the numbers that the child needs itself.
StatusOr<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return NoPipe(errno);
  errno = 0;
  Pipe result{UniqueFd(fcntl(fds[0], F_DUPFD_CLOEXEC, 10)),
              UniqueFd(fcntl(fds[1], F_DUPFD_CLOEXEC, 10))};
  const int error = errno;
  close(fds[0]);
  close(fds[1]);
  if (result.read.get() < 0 || result.write.get() < 0) return NoPipe(error);
  return result;
}

// Runs in the child, between fork and exec: only calls that a signal handler might make.
[[noreturn]] void Become(char* const* words, pid_t parent, int input, int output, int error,
                         int procs_fd) {
  if (procs_fd >= 0 && write(procs_fd, "0", 1) != 1) _exit(127);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A server of an engine that leaves its parent stays below this one, where it is found.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (getppid() != parent) _exit(127);  // It died before the line above.
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  dup2(input, STDIN_FILENO);
  dup2(error, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  dup2(output, kEventFd);
  execv(ProgramToExecute(), words);
  _exit(127);
}

std::atomic<int> interrupts{0};
void OnInterrupt(int) { interrupts.fetch_add(1); }

}  // namespace

void TellParent(std::string_view text) {
  if (WriteAll(kEventFd, text) != 0) _exit(2);
}

StatusOr<ChildProcess> ChildProcess::Start(const std::vector<std::string>& words, int procs_fd) {
  RETURN_IF_ERROR(CheckProgramPath());
  ASSIGN_OR_RETURN(Pipe input, MakePipe());
  ASSIGN_OR_RETURN(Pipe output, MakePipe());
  ASSIGN_OR_RETURN(Pipe error, MakePipe());
  std::vector<char*> pointers = {const_cast<char*>("levelfield")};
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);

  const pid_t parent = getpid();
  ChildProcess child;
  child.pid_ = fork();
  if (child.pid_ == 0) {
    Become(pointers.data(), parent, input.read.get(), output.write.get(), error.write.get(),
           procs_fd);
  }
  if (child.pid_ < 0) {
    return Status::Failed(fmt::format("cannot start a worker: {}", std::strerror(errno)));
  }
  setpgid(child.pid_, child.pid_);  // Whoever comes first: the child or this process.
  child.input_ = std::move(input.write);
  child.output_ = std::move(output.read);
  child.error_ = std::move(error.read);
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      others_(std::move(other.others_)),
      input_(std::move(other.input_)),
      output_(std::move(other.output_)),
      error_(std::move(other.error_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(others_, other.others_);
  std::swap(input_, other.input_);
  std::swap(output_, other.output_);
  std::swap(error_, other.error_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (pid_ < 0) return;
  Signal(SIGKILL);
  (void)Wait();
}

Status ChildProcess::Write(std::string_view text) {
  if (WriteAll(input_.get(), text) == 0) return Status::Ok();
  return Status::Failed("a worker ended before it was told what to do");
}

void ChildProcess::Signal(int signal) {
  if (pid_ <= 0) return;
  if (signal == SIGKILL) {
    // Not its group first: what it has started would have no parent by which it is found.
    std::vector<ProcessId> roots = others_;
    if (const auto child = FindProcess(pid_)) roots.push_back(*child);
    EndTrees(roots);
  } else {
    SignalTrees(others_, signal);
  }
  kill(-pid_, signal);
}

bool ChildProcess::Freeze() {
  Signal(SIGSTOP);
  siginfo_t info = {};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR) return false;
  }
  if (info.si_code != CLD_STOPPED) return false;
  (void)waitid(P_PID, static_cast<id_t>(pid_), &info, WSTOPPED | WNOHANG);  // Reported only once.
  return true;
}

void ChildProcess::Thaw() { Signal(SIGCONT); }

bool ChildProcess::HasEnded() const {
  siginfo_t info = {};
  const int code = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return code != 0 ? errno != EINTR : info.si_pid != 0;
}

std::string ChildProcess::Whereabouts() const {
  const std::string process = fmt::format("/proc/{}/", pid_);
  const std::string stat = ReadAll(process + "stat");
  const size_t name_end = stat.rfind(')');  // proc(5): the state follows the name.
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return "";
  const char state = stat[name_end + 2];
  if (state == 'T' || state == 't') return "is stopped by a signal";
  if (state == 'R') return "computes";
  const std::string where = ReadAll(process + "wchan");
  const std::string place = where.empty() || where == "0" ? "" : " in " + where;
  if (state == 'D') return "waits for a device" + place;
  return state == 'S' ? "waits" + place : "";
}

std::string ChildProcess::Wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-pid_, SIGKILL);  // Kills what the child left behind in its group.
  EndTrees(others_);
  pid_ = -1;
  if (WIFEXITED(status)) {
    return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit code {}", WEXITSTATUS(status));
  }
  was_killed_ = WTERMSIG(status) == SIGKILL;
  const char* const name = sigabbrev_np(WTERMSIG(status));
  return fmt::format("SIG{}{}", name != nullptr ? name : std::to_string(WTERMSIG(status)),
                     WCOREDUMP(status) ? " (core dumped)" : "");
}

Heard Hear(ChildProcess& child, const Patience& patience) {
  constexpr size_t kMostLastWords = 4096;
  const auto ns = [](double seconds) { return static_cast<uint64_t>(seconds * 1e9); };
  const uint64_t begin_ns = MonotonicNs();
  uint64_t heard_ns = begin_ns;
  Heard heard;
  pollfd fds[] = {{child.output().get(), POLLIN, 0}, {child.error().get(), POLLIN, 0}};
  const auto read = [&](pollfd& fd, std::string& text) {
    if (fd.fd < 0 || fd.revents == 0) return;
    heard_ns = MonotonicNs();
    if (!ReadSome(fd.fd, text)) fd.fd = -1;
  };
  const auto read_error = [&] {
    read(fds[1], heard.last_words);
    if (heard.last_words.size() > kMostLastWords) {
      heard.last_words.erase(0, heard.last_words.size() - kMostLastWords);
    }
  };
  while (fds[0].fd >= 0 && heard.cut == Heard::Cut::kNone) {
    (void)poll(fds, 2, 100);
    read(fds[0], heard.output);
    read_error();
    const uint64_t now_ns = MonotonicNs();
    // A child that has written something meanwhile is not late.
    const bool is_late = fds[0].revents == 0 && now_ns - begin_ns > ns(patience.seconds);
    if (IsInterrupted()) heard.cut = Heard::Cut::kInterrupted;
    if (heard.output.size() > patience.most_bytes) heard.cut = Heard::Cut::kTooMuch;
    if (is_late) heard.cut = Heard::Cut::kLate;
    if (now_ns - heard_ns > ns(patience.silence_seconds)) heard.cut = Heard::Cut::kSilent;
  }
  if (heard.cut != Heard::Cut::kNone) child.Signal(SIGKILL);
  // Its last words, without waiting for more.
  while (fds[1].fd >= 0 && poll(&fds[1], 1, 0) > 0) read_error();
  heard.end = child.Wait();
  return heard;
}

bool ReadSome(int fd, std::string& text, size_t most_bytes) {
  char buffer[4096];
  const ssize_t count = read(fd, buffer, sizeof(buffer));
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  if (text.size() < most_bytes) text.append(buffer, static_cast<size_t>(count));
  return true;
}

int Interrupts() { return interrupts.load(); }

void InstallInterruptHandlers() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // If ignored: nohup.
}

}  // namespace levelfield
