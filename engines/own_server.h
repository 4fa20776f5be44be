// A server of an engine's own: a process that works in the store's directory and belongs to the
// store. Cold code, one thread at a time.
//
// Invariants: one server works in a directory. Who opens the store holds the owner's lock; the
// server inherits its own lock, which lasts as long as its process. So a server whose owner has
// died is known, and is ended before the next one begins.
#ifndef LEVELFIELD_ENGINES_OWN_SERVER_H_
#define LEVELFIELD_ENGINES_OWN_SERVER_H_

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store_files.h"

namespace levelfield {

// The file of a program, by its path or by its name in $PATH. Empty: there is none.
inline std::string ProgramFile(const std::string& name) {
  if (name.find('/') != name.npos) {
    return access(name.c_str(), X_OK) == 0 && IsFile(name) ? name : "";
  }
  const char* const path = getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::string_view directory = rest.substr(0, rest.find(':'));
    const std::string file = std::string(directory) + "/" + name;
    if (!directory.empty() && access(file.c_str(), X_OK) == 0 && IsFile(file)) return file;
    rest.remove_prefix(std::min(directory.size() + 1, rest.size()));
  }
  return "";
}

// The first line that the program prints when it is called by that name with `--version`. Empty: it
// prints nothing.
inline std::string VersionLine(const std::string& program, const char* name) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execl(program.c_str(), name, "--version", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  std::string line;
  char buffer[512];
  for (ssize_t n = 0; pid > 0 && (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    line.append(buffer, static_cast<size_t>(n));
  }
  close(ends[0]);
  if (pid > 0) waitpid(pid, nullptr, 0);
  return line.substr(0, line.find('\n'));
}

// The word that follows `name` in a line. Empty: there is none.
inline std::string WordBehind(std::string_view line, std::string_view name) {
  const size_t at = line.find(name);
  if (at == line.npos) return "";
  line.remove_prefix(at + name.size());
  return std::string(line.substr(0, line.find(' ')));
}

class OwnServer {
 public:
  struct Names {
    const char* library;  // For messages: "Redis".
    const char* log;      // Files in the directory.
    const char* owner_lock;
    const char* server_lock;
  };

  explicit OwnServer(const Names& names) : names_(names) {}
  // One that was not stopped is killed: nobody can reach it any more.
  ~OwnServer() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    (void)Wait(0);
  }
  OwnServer(const OwnServer&) = delete;
  OwnServer& operator=(const OwnServer&) = delete;

  pid_t pid() const { return pid_; }
  const std::string& directory() const { return directory_; }
  int directory_fd() const { return directory_fd_.fd; }
  // The directory, in a path that is short enough for a socket's.
  std::string ShortPath() const { return "/proc/self/fd/" + std::to_string(directory_fd_.fd); }

  // For an engine that this store of it does not keep open.
  lf_code FailedTo(const std::string& what, int error) const {
    return Failed(std::string(names_.library) + ": cannot " + what + ": " + std::strerror(error));
  }

  // Makes the directory its own. `end_orphan` asks a server that has lost its owner to end.
  lf_code Claim(const std::string& directory, const std::function<void()>& end_orphan) {
    directory_ = directory;
    directory_fd_.fd = open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory_fd_.fd < 0) return FailedTo("open " + directory_, errno);
    owner_lock_.fd = LockOf(names_.owner_lock);
    if (owner_lock_.fd < 0) {
      return Failed(std::string(names_.library) + ": " + directory +
                    " is in use by another process");
    }
    server_lock_.fd = LockOf(names_.server_lock);
    if (server_lock_.fd >= 0) return LF_OK;
    end_orphan();
    constexpr int kTries = 1000;
    for (int i = 0; i < kTries && server_lock_.fd < 0; ++i) {
      usleep(10'000);
      server_lock_.fd = LockOf(names_.server_lock);
    }
    return server_lock_.fd >= 0 ? LF_OK : IsElsewhere();
  }
  lf_code IsElsewhere() const {
    return Failed(std::string(names_.library) + ": another server works in " + directory_ +
                  "; end it first");
  }

  // Begins the program in the claimed directory. words[0] is the name that it is called by.
  // `not_as_root`: it refuses to run as root, so that root gives it a user namespace in which it is
  // somebody else, and is root to the files; and a space of its own for shared memory, which ends
  // with it.
  lf_code Begin(const std::string& program, std::vector<std::string> words, bool not_as_root) {
    const std::string log = directory_ + "/" + names_.log;
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const bool is_root = not_as_root && geteuid() == 0;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return FailedTo("start " + program, errno);
    pid_ = fork();
    if (pid_ == 0) {
      const bool is_ready = (!is_root || BecomeAnother()) && TakePlaces(log.c_str());
      if (is_ready) execv(program.c_str(), argv.data());
      const int error = errno;
      _exit(write(ends[1], &error, sizeof(error)) == sizeof(error) ? 127 : 126);
    }
    const int fork_error = errno;
    close(ends[1]);
    int error = 0;
    const bool is_started = pid_ > 0 && read(ends[0], &error, sizeof(error)) == 0;
    close(ends[0]);
    if (is_started) return LF_OK;
    if (pid_ > 0) (void)Wait(0);
    return FailedTo("start " + program, pid_ == -1 && error == 0 ? fork_error : error);
  }

  bool HasEnded() { return pid_ <= 0 || Wait(WNOHANG) != kRuns; }
  // Waits for its end. The code it ends with, or -1 - signal.
  int AwaitEnd() { return pid_ > 0 ? Wait(0) : 0; }
  // Where it ended by anything but the code 0.
  lf_code Ended(int code) const {
    return Failed(
        std::string(names_.library) + ": its server ended with " +
        (code < 0 ? "signal " + std::to_string(-1 - code) : "exit code " + std::to_string(code)) +
        ": " + LastWords());
  }

  // The last lines that it wrote, for people.
  std::string LastWords() const {
    constexpr size_t kMostBytes = size_t{1} << 20;
    constexpr size_t kLines = 3;
    std::string text = StartOfFile(directory_ + "/" + names_.log, kMostBytes);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    size_t at = text.size();
    for (size_t i = 0; i < kLines && at != text.npos && at != 0; ++i) at = text.rfind('\n', at - 1);
    return at == text.npos ? text : text.substr(at == 0 ? 0 : at + 1);
  }

 private:
  static constexpr int kRuns = 1000;
  static constexpr int kLockInServer = 3;

  struct Descriptor {
    int fd = -1;
    ~Descriptor() {
      if (fd >= 0) close(fd);
    }
  };

  // The locked file, or -1: somebody else has it locked.
  int LockOf(const char* name) const {
    const int lock = openat(directory_fd_.fd, name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    if (lock >= 0) close(lock);
    return -1;
  }

  // In the child, between fork and exec: system calls alone.
  static bool WriteTo(const char* path, std::string_view text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool is_written =
        file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) close(file);
    return is_written;
  }
  static bool BecomeAnother() {
    return unshare(CLONE_NEWUSER | CLONE_NEWIPC) == 0 && WriteTo("/proc/self/setgroups", "deny") &&
           WriteTo("/proc/self/uid_map", "1000 0 1") && WriteTo("/proc/self/gid_map", "1000 0 1");
  }
  bool TakePlaces(const char* log) const {
    const int nothing = open("/dev/null", O_RDONLY);
    const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing < 0 || out < 0 || fchdir(directory_fd_.fd) != 0) return false;
    if (dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(out, STDERR_FILENO) < 0) {
      return false;
    }
    // Onto itself dup2 would leave close-on-exec as it is.
    return server_lock_.fd == kLockInServer ? fcntl(kLockInServer, F_SETFD, 0) == 0
                                            : dup2(server_lock_.fd, kLockInServer) == kLockInServer;
  }

  // Its exit code, -1 - signal, or that it runs.
  int Wait(int flags) {
    int status = 0;
    pid_t ended = 0;
    do {
      ended = waitpid(pid_, &status, flags);
    } while (ended < 0 && errno == EINTR);
    if (ended == 0) return kRuns;
    pid_ = -1;
    if (ended < 0) return 0;  // Somebody else has waited for it.
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1 - WTERMSIG(status);
  }

  const Names names_;
  std::string directory_;
  Descriptor directory_fd_;
  Descriptor owner_lock_;
  Descriptor server_lock_;  // Kept, though the server has it: nobody may take it when that ends.
  pid_t pid_ = -1;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_OWN_SERVER_H_
