#include "mpi/rank_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/print.h"
#include "base/unique_fd.h"
#include "fleet/gate.h"

namespace levelfield {

void Complain(const std::string& message) { Print(stderr, "levelfield-mpi: " + message + "\n"); }

std::string DirectoryOf(const std::string& file) {
  return std::filesystem::path(file).parent_path();
}

std::string ProgramBeside() {
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string beside = DirectoryOf(self) + "/levelfield";
  return !error && access(beside.c_str(), X_OK) == 0 ? beside : "levelfield";
}

namespace {

[[noreturn]] void Die(const char* what) {
  Complain(fmt::format("{}: {}", what, std::strerror(errno)));
  _exit(1);
}

// In the child. A group of its own: mpirun signals its ranks, and this ends in good order.
[[noreturn]] void Begin(const std::vector<std::string>& words, int go, int answers, int questions) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof(all));
  sched_setaffinity(0, sizeof(all), &all);  // The kernel takes those that it may have.
  char byte = 0;
  if (read(go, &byte, 1) != 1) _exit(1);
  close(go);
  const std::string gate = fmt::format("{},{}", answers, questions);
  setenv(kGateVariable, gate.c_str(), 1);
  const std::string program = ProgramBeside();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(program.c_str(), argv.data());
  Complain(fmt::format("{}: {}", program, std::strerror(errno)));
  _exit(127);
}

}  // namespace

RankProcess::RankProcess(const std::vector<std::string>& words) {
  int go[2];
  int questions[2];
  int answers[2];
  if (pipe(go) != 0 || pipe(questions) != 0 || pipe(answers) != 0) Die("pipe");
  pid_ = fork();
  if (pid_ < 0) Die("fork");
  if (pid_ == 0) {
    close(go[1]);
    close(questions[0]);
    close(answers[1]);
    Begin(words, go[0], answers[0], questions[1]);
  }
  close(go[0]);
  close(questions[1]);
  close(answers[0]);
  go_ = go[1];
  questions_ = questions[0];
  answers_ = answers[1];
  for (const int end : {go_, questions_, answers_}) fcntl(end, F_SETFD, FD_CLOEXEC);
}

void RankProcess::Go() {
  (void)!write(go_, "g", 1);
  close(go_);
}

void RankProcess::Signal(int signal) const {
  if (pid_ > 0) kill(pid_, signal);
}

std::optional<std::string> RankProcess::Ask() {
  std::string line;
  char byte = 0;
  while (true) {
    const ssize_t count = read(questions_, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    if (byte == '\n') return line;
    line += byte;
  }
}

void RankProcess::Answer(const std::string& text) const {
  (void)WriteAll(answers_, text + "\n");  // If the run is gone, its questions end.
}

int RankProcess::Wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace levelfield
