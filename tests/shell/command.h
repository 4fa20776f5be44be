// What a command of the shell prints and how it ends, for tests.
#ifndef LEVELFIELD_TESTS_SHELL_COMMAND_H_
#define LEVELFIELD_TESTS_SHELL_COMMAND_H_

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace levelfield {

struct CommandResult {
  std::string out;  // And what it says on standard error.
  int exit_code = -1;
};

inline CommandResult RunCommand(const std::string& command) {
  CommandResult result;
  std::FILE* const pipe = popen(("{ " + command + "\n} 2>&1").c_str(), "r");
  std::array<char, 4096> block;
  while (const size_t got = std::fread(block.data(), 1, block.size(), pipe)) {
    result.out.append(block.data(), got);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

inline bool IsInstalled(const std::string& program) {
  return RunCommand("command -v " + program + " >/dev/null").exit_code == 0;
}

inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_SHELL_COMMAND_H_
