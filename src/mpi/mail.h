// Messages between ranks, which nobody waits for inside MPI: its own waits spin. One thread.
#ifndef LEVELFIELD_MPI_MAIL_H_
#define LEVELFIELD_MPI_MAIL_H_

#include <mpi.h>
#include <unistd.h>

#include <cstdint>
#include <list>
#include <optional>
#include <string>

namespace levelfield {

enum Tag { kQuestion = 1, kAnswer, kPing, kPong, kLeft };

// Between two looks for a message.
inline constexpr useconds_t kLookUs = 500;
// For a message that the network has to carry, and for a rank that is to answer it at once.
inline constexpr uint64_t kMessageNs = 5'000'000'000;

class Mail {
 public:
  void Send(int to, Tag tag, const std::string& text);

  struct Got {
    int from = 0;
    Tag tag = kQuestion;
    std::string text;
  };
  // The next that has come. Nothing: there is none.
  std::optional<Got> Take(int from = MPI_ANY_SOURCE, int tag = MPI_ANY_TAG);

  // Until all of it is on its way, or the time is over.
  void Flush();

 private:
  struct Sent {
    std::string text;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void Forget();  // What has gone.

  std::list<Sent> sent_;  // Where they are they stay.
};

struct ClockOffset {
  int64_t ns = 0;  // To be added to the rank's clock for this one's.
  uint64_t error_ns = 0;
};

// Compares the rank's clock with this one's: the fastest of some round trips. Nothing if it does
// not answer.
std::optional<ClockOffset> CompareClocks(Mail& mail, int rank);

}  // namespace levelfield

#endif  // LEVELFIELD_MPI_MAIL_H_
