// A program at a terminal of its own: typed at, looked at, resized. Of one thread.
#ifndef LEVELFIELD_TESTS_SHELL_TERMINAL_H_
#define LEVELFIELD_TESTS_SHELL_TERMINAL_H_

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace levelfield {

class Terminal {
 public:
  Terminal(const std::vector<std::string>& words, int rows, int columns,
           const std::map<std::string, std::string>& environment = {});
  ~Terminal();  // Kills it where it still runs.
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void Type(const std::string& keys);
  void Resize(int rows, int columns);
  void Signal(int signal) const;
  // Whether the text has come, or does so in time.
  bool Shows(const std::string& text, double seconds);
  // Its exit code; -1 where a signal ended it, or it had to be killed.
  int Finish(double seconds);

  // All that came, control sequences included, since the begin or since Forget().
  const std::string& seen() const { return seen_; }
  void Forget() { seen_.clear(); }

 private:
  bool Read(double seconds);

  pid_t pid_ = -1;
  int fd_ = -1;
  std::string seen_;
};

// What stands on the screen after all of this came, a line for each row, without trailing spaces:
// the few control sequences that the program and this test know; any other is a failure.
std::vector<std::string> ScreenOf(const std::string& output, size_t rows, size_t columns);

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_SHELL_TERMINAL_H_
