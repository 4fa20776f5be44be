#include "terminal.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace levelfield {
namespace {

double Now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

winsize SizeOf(int rows, int columns) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  return size;
}

// Bytes of one character that are not its first.
bool Continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

Terminal::Terminal(const std::vector<std::string>& words, int rows, int columns,
                   const std::map<std::string, std::string>& environment) {
  const winsize size = SizeOf(rows, columns);
  pid_ = forkpty(&fd_, nullptr, nullptr, &size);
  if (pid_ != 0) return;
  setenv("TERM", "xterm", 1);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

Terminal::~Terminal() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(fd_);
}

void Terminal::Type(const std::string& keys) {
  ASSERT_EQ(write(fd_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

void Terminal::Resize(int rows, int columns) {
  const winsize size = SizeOf(rows, columns);
  ASSERT_EQ(ioctl(fd_, TIOCSWINSZ, &size), 0);
}

void Terminal::Signal(int signal) const { kill(pid_, signal); }

bool Terminal::Shows(const std::string& text, double seconds) {
  const double until = Now() + seconds;
  while (seen_.find(text) == std::string::npos) {
    if (Now() >= until || !Read(until - Now())) return seen_.find(text) != std::string::npos;
  }
  return true;
}

int Terminal::Finish(double seconds) {
  const double until = Now() + seconds;
  while (Now() < until && Read(until - Now())) {
  }
  if (Now() >= until) kill(pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// False at the end, or where nothing came in time.
bool Terminal::Read(double seconds) {
  pollfd ready{.fd = fd_, .events = POLLIN, .revents = 0};
  if (poll(&ready, 1, static_cast<int>(std::max(seconds, 0.0) * 1000)) <= 0) return false;
  char block[4096];
  const ssize_t got = read(fd_, block, sizeof(block));
  if (got <= 0) return false;
  seen_.append(block, static_cast<size_t>(got));
  return true;
}

std::vector<std::string> ScreenOf(const std::string& output, size_t rows, size_t columns) {
  // A cell is a character; the last row is where the cursor began.
  std::vector<std::vector<std::string>> screen(rows, std::vector<std::string>(columns, " "));
  size_t row = 0;
  size_t column = 0;
  const auto down = [&] {
    if (++row < rows) return;
    screen.erase(screen.begin());
    screen.emplace_back(columns, " ");
    row = rows - 1;
  };
  for (size_t i = 0; i < output.size();) {
    const char c = output[i];
    if (c == '\r') {
      column = 0;
      ++i;
    } else if (c == '\n') {
      down();
      ++i;
    } else if (c == '\033') {
      size_t end = i + 2;
      while (end < output.size() && !std::isalpha(static_cast<unsigned char>(output[end]))) ++end;
      const std::string sequence = output.substr(i + 1, end - i);
      const size_t count = std::max(std::atoi(sequence.substr(1).c_str()), 1);
      if (sequence.ends_with('A')) {
        row -= std::min(row, count);
      } else if (sequence == "[J") {
        for (size_t r = row; r < rows; ++r) {
          for (size_t k = r == row ? column : 0; k < columns; ++k) screen[r][k] = " ";
        }
      } else if (sequence == "[K") {
        for (size_t k = column; k < columns; ++k) screen[row][k] = " ";
      } else if (!sequence.ends_with('m') && sequence != "[?25l" && sequence != "[?25h") {
        ADD_FAILURE() << "a control sequence that is not expected: ESC" << sequence;
      }
      i = end + 1;
    } else {
      size_t end = i + 1;
      while (end < output.size() && Continues(output[end])) ++end;
      if (column == columns) {
        column = 0;
        down();
      }
      screen[row][column++] = output.substr(i, end - i);
      i = end;
    }
  }
  std::vector<std::string> lines;
  for (const std::vector<std::string>& cells : screen) {
    std::string line;
    for (const std::string& cell : cells) line += cell;
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace levelfield
