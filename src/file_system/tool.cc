#include "file_system/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "base/quote.h"
#include "base/unique_fd.h"

namespace levelfield {
namespace {

constexpr size_t kMostSaid = 500;  // Bytes of a message.

// All that comes until nobody can write any more; the beginning is kept.
std::string ReadToEnd(int fd) {
  std::string text;
  char bytes[4096];
  for (;;) {
    const ssize_t count = read(fd, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    if (text.size() < kMostSaid) text.append(bytes, static_cast<size_t>(count));
  }
  if (text.size() > kMostSaid) text.resize(kMostSaid);
  return text;
}

}  // namespace

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
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) {
    return Status::Failed(fmt::format("cannot make a pipe to {}: {}", file, std::strerror(errno)));
  }
  const UniqueFd output(fds[0]);
  UniqueFd input(fds[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, input.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, input.get(), STDERR_FILENO);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, file.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return Status::Failed(fmt::format("cannot run {}: {}", file, std::strerror(error)));
  }
  input = UniqueFd();
  std::string said = ReadToEnd(output.get());
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return ToolEnd{.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                 .said = std::move(said)};
}

}  // namespace levelfield
