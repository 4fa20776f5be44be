// Levelfield from its command line to its exit code: words -> verb -> answer. What a verb does is
// settings -> plan -> workers -> results -> report. The only exit is the last line.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/print.h"
#include "base/program_path.h"
#include "base/quote.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// A descriptor that is closed would be given to the next file that is opened, and messages meant
// for people would go into it. What cannot be written to standard output is an error.
void OpenStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    (void)open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
  }
}

// Whether whoever read standard output has closed the pipe.
bool HasReaderLeft() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

int Main(const std::string& program, const Words& words) {
  OpenStandardDescriptors();
  signal(SIGPIPE, SIG_IGN);  // A closed pipe is an error of the write that meets it.
  signal(SIGXFSZ, SIG_IGN);
  if (const std::optional<int> exit_code = RunAsChild(words)) return *exit_code;

  const std::vector<std::string> names = NamesOfProgram(program);
  const std::string& name = names.front();
  const Answer answer = AnswerTo(names, words);
  const auto complain = [&](const std::string& message) {
    Print(stderr, Printable(Shortened(fmt::format("{}: {}", name, message))) + "\n");
  };
  errno = 0;
  // Some verbs have printed before this, too.
  const bool written = Print(stdout, answer.text) && std::ferror(stdout) == 0;
  const int write_error = errno;
  if (!answer.status.ok()) {
    complain(answer.status.message());
    return static_cast<int>(answer.status.kind());
  }
  if (written) return answer.exit_code;
  // Whoever closed the pipe (`| head -1`) has read enough and wants no message.
  if (!HasReaderLeft()) {
    complain("cannot write to standard output" +
             (write_error == 0 ? "" : std::string(": ") + std::strerror(write_error)));
  }
  return 1;
}

// Errors are values, and what could be thrown is caught where it is (tests/any_bytes). Without
// memory nothing can be done any more but say so.
int GiveUp(std::string_view why, std::string_view further = "") {
  for (const std::string_view part :
       {std::string_view("levelfield: "), why, further, std::string_view("\n")}) {
    (void)!write(STDERR_FILENO, part.data(), part.size());
  }
  return 1;
}

}  // namespace
}  // namespace levelfield

int main(int argc, char** argv) {
  if (argc == 0) return 2;
  try {
    return levelfield::Main(argv[0], {argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    return levelfield::GiveUp("there is not enough memory for this; is it limited (ulimit -v)?");
  } catch (const std::system_error& error) {  // Of a thread that cannot be started.
    return levelfield::GiveUp(levelfield::Printable(error.what()),
                              "; are threads or memory limited (ulimit -u, ulimit -v, pids.max)?");
  } catch (const std::exception& error) {
    return levelfield::GiveUp(levelfield::Printable(error.what()),
                              "; this is a mistake in the program: please report it");
  }
}
