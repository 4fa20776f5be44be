// The program as a person runs it: started with words, watched through its two streams, sent
// signals, waited for. Used by one test at a time.
#ifndef LEVELFIELD_TESTS_ANY_BYTES_LEVELFIELD_PROCESS_H_
#define LEVELFIELD_TESTS_ANY_BYTES_LEVELFIELD_PROCESS_H_

#include <sys/types.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace levelfield {

struct ProcessOptions {
  std::string directory = ".";                     // To run in.
  std::map<std::string, std::string> environment;  // Beside what this process has.
  uint64_t largest_file_bytes = 0;                 // RLIMIT_FSIZE; 0: no limit.
  std::string shell;  // Runs `sh -c` with this; the program and its words are "$@".
};

// What a process came to.
struct Ending {
  int exit_code = -1;  // -1: a signal ended it.
  int signal = 0;
  uint64_t most_rss_bytes = 0;  // Of it or any child of it, whichever had more.
  double seconds = 0;           // From its start, or from the last signal that was sent to it.
  std::string out;
  std::string err;
};

class LevelfieldProcess {
 public:
  LevelfieldProcess(const std::vector<std::string>& words, const ProcessOptions& options);
  ~LevelfieldProcess();  // Kills it where it still runs.
  LevelfieldProcess(const LevelfieldProcess&) = delete;
  LevelfieldProcess& operator=(const LevelfieldProcess&) = delete;

  pid_t pid() const { return pid_; }
  // Whether the text came on its standard error in time.
  bool SaysOnError(const std::string& text, double seconds);
  void Signal(int signal);
  // Waits for its end; after so many seconds it is killed, which is no exit code that a test wants.
  Ending Finish(double seconds = 100);

 private:
  void Read(int fd, std::string& text);
  static double Now();

  pid_t pid_ = -1;
  double since_ = 0;
  std::mutex mutex_;  // Of the two texts.
  std::string out_;
  std::string err_;
  std::vector<std::jthread> readers_;
};

// The processes that live and have `marker` in their environment, which children inherit.
std::vector<pid_t> ProcessesWith(const std::string& marker);

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_ANY_BYTES_LEVELFIELD_PROCESS_H_
