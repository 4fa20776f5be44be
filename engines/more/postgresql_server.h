// A PostgreSQL server of our own: a cluster in a directory of the store, with a socket there and
// nowhere else. Cold code, one thread at a time.
#ifndef LEVELFIELD_ENGINES_POSTGRESQL_SERVER_H_
#define LEVELFIELD_ENGINES_POSTGRESQL_SERVER_H_

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "own_server.h"
#include "postgresql_connection.h"

namespace levelfield {

// The program `postgres`: the one that is named, of $PATH, or else the newest of those that
// Debian's packages put beside each other. Empty: there is none.
inline std::string PostgresProgram(const std::string& which) {
  if (!which.empty()) return ProgramFile(which);
  if (std::string file = ProgramFile("postgres"); !file.empty()) return file;
  const std::string all = "/usr/lib/postgresql";
  std::string newest;
  int newest_version = 0;
  for (const std::string& version : NamesIn(all)) {
    const std::string file = ProgramFile(all + "/" + version + "/bin/postgres");
    if (file.empty() || std::atoi(version.c_str()) < newest_version) continue;
    newest = file;
    newest_version = std::atoi(version.c_str());
  }
  return newest;
}

class PostgresServer : public OwnServer {
 public:
  static constexpr Names kNames = {.library = "PostgreSQL",
                                   .log = "postgresql.log",
                                   .owner_lock = "postgresql.lock",
                                   .server_lock = "postgresql.server.lock"};
  static constexpr const char* kCluster = "cluster";
  static constexpr const char* kUser = "levelfield";

  PostgresServer() : OwnServer(kNames) {}

  // Begins `program` on the cluster in the directory, which it makes with `make_words` where there
  // is none, and waits until it answers on `connection`, however long a recovery takes.
  lf_code Start(const std::string& program, const std::string& directory,
                std::vector<std::string> make_words, std::vector<std::string> configuration,
                PgConnection& connection) {
    lf_code code = Claim(directory, [&] {
      // Its own file names it. SIGQUIT: at once, as if it had been killed, too.
      const int pid = std::atoi(StartOfFile(Cluster(directory) + "/postmaster.pid", 16).c_str());
      if (pid > 1) kill(pid, SIGQUIT);
    });
    if (code != LF_OK) return code;
    for (const char* lock : {"/postmaster.pid", "/.s.PGSQL.5432.lock"}) {
      RemoveIfStale(Cluster(directory), lock);
    }
    if (!IsFile(Cluster(directory) + "/PG_VERSION")) {
      code = MakeCluster(program, std::move(make_words));
      if (code != LF_OK) return code;
    }
    std::vector<std::string> words = {"postgres", "-D", kCluster, "-k", ".", "-h", ""};
    for (const std::string& setting : configuration) {
      words.push_back("-c");
      words.push_back(setting);
    }
    code = Begin(program, std::move(words), true);
    return code == LF_OK ? WaitUntilItAnswers(connection) : code;
  }

  std::string Conninfo() const {
    return "host=" + ShortPath() + "/" + kCluster + " port=5432 dbname=postgres user=" + kUser;
  }

  static std::string Cluster(const std::string& directory) { return directory + "/" + kCluster; }

 private:
  // A lock that names a process which does not work here: one that was killed and that nobody has
  // waited for, or another one by the number of before a power cut. PostgreSQL asks for less, and
  // does not begin.
  static void RemoveIfStale(const std::string& cluster, const std::string& lock) {
    const int pid = std::atoi(StartOfFile(cluster + lock, 16).c_str());
    if (pid <= 1) return;
    struct stat here {};
    struct stat there {};
    const std::string cwd = "/proc/" + std::to_string(pid) + "/cwd";
    if (stat(cluster.c_str(), &here) != 0) return;
    const bool is_there = stat(cwd.c_str(), &there) == 0;
    const bool may_be_here =
        is_there ? here.st_dev == there.st_dev && here.st_ino == there.st_ino : errno == EACCES;
    if (!may_be_here) (void)RemoveFile(cluster + lock);
  }

  lf_code MakeCluster(const std::string& program, std::vector<std::string> make_words) {
    const std::string initdb = DirectoryOf(program) + "/initdb";
    std::vector<std::string> words = {"initdb",
                                      "-D",
                                      kCluster,
                                      "-U",
                                      kUser,
                                      "--auth=trust",
                                      "--encoding=SQL_ASCII",
                                      "--locale=C",
                                      "--no-instructions"};
    words.insert(words.end(), make_words.begin(), make_words.end());
    if (const lf_code code = Begin(initdb, std::move(words), true); code != LF_OK) return code;
    const int code = AwaitEnd();
    return code == 0 ? LF_OK : Ended(code);
  }

  lf_code WaitUntilItAnswers(PgConnection& connection) {
    constexpr useconds_t kBetweenTriesUs = 10'000;
    while (true) {
      if (connection.Connect(Conninfo())) return LF_OK;
      if (HasEnded()) {
        const std::string text = "PostgreSQL: its server ended at once: " + LastWords();
        for (const char* sign :
             {"invalid checkpoint record", "could not locate a valid checkpoint", "invalid page",
              "incorrect checksum", "database files are incompatible"}) {
          if (text.find(sign) != text.npos) return Damaged(text);
        }
        return Failed(text);
      }
      usleep(kBetweenTriesUs);
    }
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_POSTGRESQL_SERVER_H_
