#include "levelfield_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

extern char** environ;

namespace levelfield {
namespace {

// So many times as long as without them may things take under sanitizers.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kPatience = 6;
#else
constexpr double kPatience = 1;
#endif

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

double LevelfieldProcess::Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

LevelfieldProcess::LevelfieldProcess(const std::vector<std::string>& words,
                                     const ProcessOptions& options) {
  std::vector<std::string> arguments = {LEVELFIELD_PROGRAM};
  if (!options.shell.empty()) arguments = {"/bin/sh", "-c", options.shell, "sh", arguments[0]};
  arguments.insert(arguments.end(), words.begin(), words.end());
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!options.environment.contains(text.substr(0, text.find('=')))) environment.push_back(text);
  }
  for (const auto& [name, value] : options.environment) environment.push_back(name + "=" + value);
  const std::vector<char*> argument_pointers = Pointers(arguments);
  const std::vector<char*> environment_pointers = Pointers(environment);

  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) std::abort();
  since_ = Now();
  pid_ = fork();
  if (pid_ == 0) {
    // As from a terminal, whatever started the test may ignore.
    for (const int ordinary : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(ordinary, SIG_DFL);
    if (options.largest_file_bytes != 0) {
      const rlimit limit{options.largest_file_bytes, options.largest_file_bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    const int null = open("/dev/null", O_RDONLY);
    if (null < 0 || chdir(options.directory.c_str()) != 0) _exit(126);
    dup2(null, STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execve(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
    _exit(126);
  }
  close(out[1]);
  close(err[1]);
  readers_.emplace_back([this, fd = out[0]] { Read(fd, out_); });
  readers_.emplace_back([this, fd = err[0]] { Read(fd, err_); });
}

LevelfieldProcess::~LevelfieldProcess() {
  if (pid_ > 0) (void)Finish(0);
}

void LevelfieldProcess::Read(int fd, std::string& text) {
  char buffer[4096];
  for (ssize_t count; (count = read(fd, buffer, sizeof(buffer))) > 0;) {
    const std::lock_guard lock(mutex_);
    text.append(buffer, static_cast<size_t>(count));
  }
  close(fd);
}

bool LevelfieldProcess::SaysOnError(const std::string& text, double seconds) {
  for (const double deadline = Now() + kPatience * seconds; Now() < deadline; usleep(2000)) {
    const std::lock_guard lock(mutex_);
    if (err_.find(text) != std::string::npos) return true;
  }
  return false;
}

void LevelfieldProcess::Signal(int signal) {
  since_ = Now();
  kill(pid_, signal);
}

Ending LevelfieldProcess::Finish(double seconds) {
  Ending ending;
  int status = 0;
  const double deadline = Now() + kPatience * seconds;
  rusage usage{};
  while (wait4(pid_, &status, WNOHANG, &usage) == 0) {
    if (Now() > deadline) {
      if (seconds > 0) ADD_FAILURE() << "did not end in " << seconds << " s: " << err_;
      kill(pid_, SIGKILL);
      wait4(pid_, &status, 0, &usage);
      break;
    }
    usleep(2000);
  }
  ending.seconds = Now() - since_;
  ending.most_rss_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  pid_ = -1;
  readers_.clear();  // Joins them: its pipes are closed, or somebody was left behind.
  ending.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ending.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ending.out = std::move(out_);
  ending.err = std::move(err_);
  return ending;
}

std::vector<pid_t> ProcessesWith(const std::string& marker) {
  std::vector<pid_t> found;
  DIR* const proc = opendir("/proc");
  if (proc == nullptr) return found;
  while (const dirent* const entry = readdir(proc)) {
    const pid_t pid = std::atoi(entry->d_name);
    if (pid <= 0 || pid == getpid()) continue;
    const std::string directory = "/proc/" + std::string(entry->d_name);
    std::ifstream file(directory + "/environ", std::ios::binary);
    const std::string environment{std::istreambuf_iterator<char>(file), {}};  // A zombie has none.
    if (environment.find(marker) != std::string::npos) found.push_back(pid);
  }
  closedir(proc);
  return found;
}

}  // namespace levelfield
