#include "write_until_killed.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "base/process_tree.h"
#include "conformance.h"

extern char** environ;

namespace levelfield {

std::pair<std::string, std::string> KilledWrite(int n) {
  return {"key" + std::to_string(1000 + n), Noise(100, static_cast<uint64_t>(n))};
}

int WriteUntilKilled(const std::string& engine_text, const std::filesystem::path& directory,
                     const std::string& durability) try {
  const Engine engine = LoadOrThrow(engine_text);
  auto store = Store::Open(engine, directory, BaseSettings(durability));
  if (!store.ok()) throw std::runtime_error(store.status().message());
  TestSession session(*store);
  for (int n = 1; n <= kWritesUntilKilled; ++n) {
    const auto [key, value] = KilledWrite(n);
    const lf_code code = KilledWriteIsBatch(n)
                             ? session.Write({PutEntry(key, value), PutEntry(key + "+", value)})
                             : session.Put(key, value);
    if (code != LF_OK) throw std::runtime_error(engine.table().last_error());
    if (write(STDOUT_FILENO, ".", 1) != 1) return 1;
  }
  EndTrees(store->Processes());  // A kill is of all that the engine is.
  return raise(SIGKILL);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

int AcknowledgedWritesUntilKilled(const std::string& engine, const std::filesystem::path& directory,
                                  const std::string& durability) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string flag = kWriteUntilKilledFlag;
  std::string name = engine;
  std::string path = directory.string();
  std::string level = durability;
  std::vector<std::string> settings;
  for (const auto& [setting, value] : TestedHere().settings) {
    settings.push_back("--setting=" + setting + "=" + value);
  }
  std::vector<char*> argv = {program.data(), flag.data(), name.data(), path.data(), level.data()};
  for (std::string& setting : settings) argv.push_back(setting.data());
  argv.push_back(nullptr);
  pid_t child = -1;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  int acknowledged = 0;
  char byte = 0;
  while (error == 0 && read(ends[0], &byte, 1) == 1) ++acknowledged;
  close(ends[0]);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? acknowledged : -1;
}

}  // namespace levelfield
