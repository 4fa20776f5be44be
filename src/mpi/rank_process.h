// The run of a rank: `levelfield` with the words of levelfield-mpi, at the gate that this process
// keeps for it. One thread.
#ifndef LEVELFIELD_MPI_RANK_PROCESS_H_
#define LEVELFIELD_MPI_RANK_PROCESS_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace levelfield {

// A message of this program on standard error.
void Complain(const std::string& message);

// The directory of a file.
std::string DirectoryOf(const std::string& file);

// The program beside this one, or that of $PATH.
std::string ProgramBeside();

class RankProcess {
 public:
  // Forks it. It begins when Go says so.
  explicit RankProcess(const std::vector<std::string>& words);

  void Go();
  void Signal(int signal) const;

  // Its next question; nothing if it has ended.
  std::optional<std::string> Ask();
  void Answer(const std::string& text) const;

  // Its exit code, or 128 and the signal that ended it.
  int Wait();

 private:
  pid_t pid_ = -1;
  int go_ = -1;
  int questions_ = -1;
  int answers_ = -1;
};

}  // namespace levelfield

#endif  // LEVELFIELD_MPI_RANK_PROCESS_H_
