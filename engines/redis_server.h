// A Redis server of our own: a process that works in the store's directory and listens on a socket
// there. Cold code, one thread at a time.
//
// Invariants: one server works in a directory. Redis itself would let a second one take over the
// socket, and both would write the same files. Who opens the store holds the lock of `redis.lock`;
// the server inherits that of `redis.server.lock`, which lasts as long as its process. So a server
// whose owner has died is known, and is ended before the next one begins.
#ifndef LEVELFIELD_ENGINES_REDIS_SERVER_H_
#define LEVELFIELD_ENGINES_REDIS_SERVER_H_

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "redis_connection.h"
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

// Debian's package redis-tools has the server's program under the name redis-check-rdb (one
// program, which looks at the name it is called by), and, unlike redis-server, starts no service.
inline std::string RedisProgram(const std::string& which) {
  if (!which.empty()) return ProgramFile(which);
  for (const char* name : {"redis-server", "valkey-server", "redis-check-rdb"}) {
    if (std::string file = ProgramFile(name); !file.empty()) return file;
  }
  return "";
}

class RedisServer {
 public:
  RedisServer() = default;
  // One that was not stopped is killed: nobody can reach it any more.
  ~RedisServer() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    (void)Wait(0);
  }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  pid_t pid() const { return pid_; }

  // Begins `program` with the words of its configuration in the directory, and waits until it
  // answers on `connection`, which may take as long as reading its files does.
  lf_code Start(const std::string& program, const std::string& directory,
                std::vector<std::string> configuration, RedisConnection& connection) {
    directory_ = directory;
    directory_fd_.fd = open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory_fd_.fd < 0) return FailedTo("open " + directory_, errno);
    owner_lock_.fd = LockOf(kOwnerLock);
    if (owner_lock_.fd < 0) return Failed("Redis: " + directory + " is in use by another process");
    Descriptor server_lock{LockOf(kServerLock)};
    if (server_lock.fd < 0) {
      EndOrphan(connection);
      server_lock.fd = LockOf(kServerLock);
    }
    if (server_lock.fd < 0 || HasForeignServer()) {
      return Failed("Redis: another server works in " + directory + "; end it first");
    }
    const lf_code code = Spawn(program, std::move(configuration), server_lock.fd);
    return code == LF_OK ? WaitUntilItAnswers(connection) : code;
  }

  // A path to the socket that is short enough for any directory.
  RedisAddress Address() const {
    return {.host = "",
            .port = 0,
            .path = "/proc/self/fd/" + std::to_string(directory_fd_.fd) + "/" + kSocket};
  }

  // After it was told to shut down: waits for its end. The code it ends with, or -1 - signal.
  int AwaitEnd() { return Wait(0); }

  // The last lines that it wrote, for people.
  std::string LastWords() const {
    const std::string log = directory_ + "/" + kLog;
    std::string text = StartOfFile(log, size_t{1} << 20);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    constexpr size_t kLines = 3;
    size_t at = text.size();
    for (size_t i = 0; i < kLines && at != text.npos && at != 0; ++i) at = text.rfind('\n', at - 1);
    return at == text.npos ? text : text.substr(at == 0 ? 0 : at + 1);
  }

  static constexpr const char* kSocket = "redis.sock";
  static constexpr const char* kLog = "redis.log";
  static constexpr const char* kOwnerLock = "redis.lock";
  static constexpr const char* kServerLock = "redis.server.lock";

 private:
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

  // Its owner was killed. What it has acknowledged is in its file, as if it had been killed, too.
  void EndOrphan(RedisConnection& connection) const {
    constexpr int kTries = 1000;
    if (connection.Connect(Address())) (void)connection.Ask({"SHUTDOWN", "NOSAVE"});
    for (int i = 0; i < kTries; ++i) {
      const int lock = LockOf(kServerLock);
      if (lock >= 0) {
        close(lock);
        return;
      }
      usleep(10'000);
    }
  }

  // One that somebody else has started in this directory: a server's working directory is that of
  // its files.
  bool HasForeignServer() const {
    std::error_code error;
    const std::filesystem::path here = std::filesystem::canonical(directory_, error);
    for (const std::string& name : NamesIn("/proc")) {
      if (name.find_first_not_of("0123456789") != name.npos) continue;
      const std::filesystem::path process = "/proc/" + name;
      const std::string program = std::filesystem::read_symlink(process / "exe", error).filename();
      if (error || (!program.starts_with("redis-") && !program.starts_with("valkey-"))) continue;
      if (std::filesystem::read_symlink(process / "cwd", error) == here) return true;
    }
    return false;
  }

  static lf_code FailedTo(const std::string& what, int error) {
    return Failed("Redis: cannot " + what + ": " + std::strerror(error));
  }

  lf_code Spawn(const std::string& program, std::vector<std::string> configuration, int lock) {
    const std::string log = directory_ + "/" + kLog;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int kLockInServer = 3;
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    // Onto itself it clears close-on-exec.
    posix_spawn_file_actions_adddup2(&actions, lock, kLockInServer);
    posix_spawn_file_actions_addchdir_np(&actions, directory_.c_str());
    std::vector<std::string> words = {
        "redis-server", "--port",           "0",  "--daemonize", "no", "--dir", ".", "--unixsocket",
        kSocket,        "--unixsocketperm", "700"};
    std::ranges::move(configuration, std::back_inserter(words));
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int error = posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == 0) return LF_OK;
    pid_ = -1;
    return FailedTo("start " + program, error);
  }

  lf_code WaitUntilItAnswers(RedisConnection& connection) {
    constexpr useconds_t kBetweenTriesUs = 5'000;
    while (true) {
      if (connection.Connect(Address())) {
        const RedisReply reply = connection.Ask({"PING"});
        if (IsOk(reply)) return LF_OK;
        // LOADING and nothing else: it reads its files.
        if (reply != nullptr && !TextOf(*reply).starts_with("LOADING")) {
          return connection.FailedTo("begin", reply.get());
        }
      }
      if (Wait(WNOHANG) != kRuns) return EndedEarly();
      usleep(kBetweenTriesUs);
    }
  }

  // It could not begin. What it says of its files tells damage from anything else.
  lf_code EndedEarly() const {
    const std::string words = LastWords();
    const std::string text = "Redis: its server ended at once: " + words;
    for (const char* sign :
         {"Bad file format reading the append only file",
          "Unexpected end of file reading the append only file",
          "Unrecoverable error reading the append only file", "Wrong RDB checksum",
          "Short read or OOM loading DB", "Internal error in RDB reading",
          "Wrong signature trying to load DB", "RDB file was", "AOF file", "manifest"}) {
      if (words.find(sign) != words.npos) return Damaged(text);
    }
    return Failed(text);
  }

  static constexpr int kRuns = 1000;

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

  std::string directory_;
  Descriptor directory_fd_;
  Descriptor owner_lock_;
  pid_t pid_ = -1;
};

// What the program says of itself: "Redis server v=7.0.15 sha=... malloc=jemalloc-5.2.1 bits=64
// ...". Empty: it says nothing.
inline std::string RedisVersionLine(const std::string& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  std::string name = "redis-server";
  std::string word = "--version";
  char* const argv[] = {name.data(), word.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string line;
  char buffer[512];
  for (ssize_t n = 0; error == 0 && (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    line.append(buffer, static_cast<size_t>(n));
  }
  close(ends[0]);
  if (error == 0) waitpid(pid, nullptr, 0);
  return line.substr(0, line.find('\n'));
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_REDIS_SERVER_H_
