#include "file_system/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/quote.h"
#include "base/unique_fd.h"

namespace levelfield {
namespace {

// Everything below runs in forked children: only calls that a signal handler might make.

[[noreturn]] void BecomeServer(const char* file, char* const* words, int said) {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  execv(file, words);
  _exit(127);
}

// The first process of the namespace: the server's parent, before and after the server goes into
// the background. Reports how the foreground process ended.
[[noreturn]] void BeFirst(const char* file, char* const* words, int said, int ended, int lifeline) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd keeper{lifeline, 0, 0};
  if (poll(&keeper, 1, 0) != 0) _exit(1);  // It died before the line above.
  const pid_t server = fork();
  if (server == 0) BecomeServer(file, words, said);
  for (;;) {
    int status = 0;
    const pid_t pid = wait(&status);
    if (pid < 0 && errno == ECHILD) _exit(0);
    if (pid == server && write(ended, &status, sizeof status) != sizeof status) _exit(1);
  }
}

// The last process that has the mounts, and so the one that unmounts when the maker is gone. If the
// server did that, it would wait for its own answer. `alive` is a pipe whose other end the maker
// has.
[[noreturn]] void BeKeeper(const char* file, char* const* words, int said, int ended, Pipe& alive,
                           Pipe& lifeline) {
  setpgid(0, 0);  // Ctrl-C is for the maker, which then unmounts.
  close(alive.write.get());
  if (unshare(CLONE_NEWPID) != 0) _exit(1);
  const pid_t first = fork();
  if (first == 0) {
    close(lifeline.write.get());
    BeFirst(file, words, said, ended, lifeline.read.get());
  }
  close(ended);
  close(said);
  const auto first_fd = static_cast<int>(syscall(SYS_pidfd_open, first, 0));
  pollfd fds[2] = {{alive.read.get(), 0, 0}, {first_fd, POLLIN, 0}};
  while (poll(fds, 2, -1) < 0 && errno == EINTR) {
  }
  if (fds[1].revents == 0) kill(first, SIGKILL);
  while (waitpid(first, nullptr, 0) < 0 && errno == EINTR) {
  }
  _exit(0);
}

}  // namespace

StatusOr<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) {
    return Status::Failed(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  }
  return Pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

std::string ReadToEnd(int fd) {
  constexpr size_t kMostSaid = 500;  // Bytes of a message.
  std::string text;
  char bytes[4096];
  for (;;) {
    const ssize_t count = read(fd, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (text.size() < kMostSaid) text.append(bytes, static_cast<size_t>(count));
  }
  return text.substr(0, kMostSaid);
}

std::string FindTool(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream directories(std::string(path != nullptr ? path : "") +
                                 ":/usr/sbin:/sbin:/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::string file = directory + "/" + name;
    if (!directory.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

std::string OneLine(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  text.erase(0, text.find_first_not_of('\n'));
  std::ranges::replace(text, '\n', ' ');
  return Printable(text);
}

Status RunTool(const std::vector<std::string>& words) {
  ASSIGN_OR_RETURN(const ToolEnd end, RunToolToEnd(words));
  if (end.exit_code == 0) return Status::Ok();
  return Status::Failed(fmt::format("{} failed: {}", fmt::join(words, " "), OneLine(end.said)));
}

StatusOr<ToolEnd> RunToolToEnd(const std::vector<std::string>& words) {
  const std::string file = FindTool(words.front());
  if (file.empty()) return Status::Failed(words.front() + " is not installed");
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  ASSIGN_OR_RETURN(Pipe output, MakePipe());
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write.get(), STDERR_FILENO);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, file.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return Status::Failed(fmt::format("cannot run {}: {}", file, std::strerror(error)));
  }
  output.write = UniqueFd();
  std::string said = ReadToEnd(output.read.get());
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return ToolEnd{.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                 .said = std::move(said)};
}

StatusOr<FuseServer> FuseServer::Start(const std::vector<std::string>& words) {
  const std::string file = FindTool(words.front());
  if (file.empty()) return Status::Failed(words.front() + " is not installed");
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  ASSIGN_OR_RETURN(Pipe said, MakePipe());
  ASSIGN_OR_RETURN(Pipe ended, MakePipe());
  ASSIGN_OR_RETURN(Pipe lifeline, MakePipe());
  ASSIGN_OR_RETURN(Pipe alive, MakePipe());
  const pid_t keeper = fork();
  if (keeper == 0) {
    BeKeeper(file.c_str(), pointers.data(), said.write.get(), ended.write.get(), alive, lifeline);
  }
  if (keeper < 0) {
    return Status::Failed(fmt::format("cannot start {}: {}", file, std::strerror(errno)));
  }
  FuseServer server(keeper, std::move(alive.write));
  said.write = UniqueFd();
  ended.write = UniqueFd();
  int status = -1;
  while (read(ended.read.get(), &status, sizeof status) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return server;
  char text[500];
  fcntl(said.read.get(), F_SETFL, O_NONBLOCK);
  const ssize_t count = read(said.read.get(), text, sizeof text);
  return Status::Failed(
      fmt::format("{} failed: {}", fmt::join(words, " "),
                  OneLine(std::string(text, count > 0 ? static_cast<size_t>(count) : 0))));
}

FuseServer::FuseServer(FuseServer&& other) noexcept
    : keeper_(std::exchange(other.keeper_, -1)), alive_(std::move(other.alive_)) {}

FuseServer::~FuseServer() {
  if (keeper_ < 0) return;
  constexpr uint64_t kPatienceNs = 10'000'000'000;
  const uint64_t start_ns = MonotonicNs();
  for (;;) {
    const pid_t ended = waitpid(keeper_, nullptr, WNOHANG);
    if (ended == keeper_ || (ended < 0 && errno != EINTR)) return;
    if (MonotonicNs() - start_ns > kPatienceNs) alive_ = UniqueFd();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace levelfield
