// A Redis server of our own: it works in the store's directory and listens on a socket there. Cold
// code, one thread at a time.
#ifndef LEVELFIELD_ENGINES_REDIS_SERVER_H_
#define LEVELFIELD_ENGINES_REDIS_SERVER_H_

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "own_server.h"
#include "redis_connection.h"

namespace levelfield {

// Debian's package redis-tools has the server's program under the name redis-check-rdb (one
// program, which looks at the name it is called by), and, unlike redis-server, starts no service.
inline std::string RedisProgram(const std::string& which) {
  if (!which.empty()) return ProgramFile(which);
  for (const char* name : {"redis-server", "valkey-server", "redis-check-rdb"}) {
    if (std::string file = ProgramFile(name); !file.empty()) return file;
  }
  return "";
}
inline constexpr const char* kRedisName = "redis-server";  // That it is called by.

class RedisServer : public OwnServer {
 public:
  static constexpr Names kNames = {.library = "Redis",
                                   .log = "redis.log",
                                   .owner_lock = "redis.lock",
                                   .server_lock = "redis.server.lock"};
  static constexpr const char* kSocket = "redis.sock";

  RedisServer() : OwnServer(kNames) {}

  // Begins `program` with the words of its configuration in the directory, and waits until it
  // answers on `connection`, which may take as long as reading its files does.
  lf_code Start(const std::string& program, const std::string& directory,
                std::vector<std::string> configuration, RedisConnection& connection) {
    lf_code code = Claim(directory, [&] {
      // What it has acknowledged is in its file, as if it had been killed, too.
      if (connection.Connect(Address())) (void)connection.Ask({"SHUTDOWN", "NOSAVE"});
    });
    if (code != LF_OK) return code;
    if (HasForeignServer()) return IsElsewhere();
    std::vector<std::string> words = {
        kRedisName, "--port",       "0",     "--daemonize",      "no", "--dir",
        ".",        "--unixsocket", kSocket, "--unixsocketperm", "700"};
    words.insert(words.end(), configuration.begin(), configuration.end());
    code = Begin(program, std::move(words), false);
    return code == LF_OK ? WaitUntilItAnswers(connection) : code;
  }

  RedisAddress Address() const {
    return {.host = "", .port = 0, .path = ShortPath() + "/" + kSocket};
  }

 private:
  // One that somebody else has started in this directory, whose lock it does not have: a server's
  // working directory is that of its files, and Redis itself would let a second one take over the
  // socket, and both would write the same files.
  bool HasForeignServer() const {
    std::error_code error;
    const std::filesystem::path here = std::filesystem::canonical(directory(), error);
    for (const std::string& name : NamesIn("/proc")) {
      if (name.find_first_not_of("0123456789") != name.npos) continue;
      const std::filesystem::path process = "/proc/" + name;
      const std::string program = std::filesystem::read_symlink(process / "exe", error).filename();
      if (error || (!program.starts_with("redis-") && !program.starts_with("valkey-"))) continue;
      if (std::filesystem::read_symlink(process / "cwd", error) == here) return true;
    }
    return false;
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
      if (HasEnded()) return EndedEarly();
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
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_REDIS_SERVER_H_
