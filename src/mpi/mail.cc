#include "mpi/mail.h"

#include <cstdlib>

#include "base/clock.h"

namespace levelfield {

void Mail::Send(int to, Tag tag, const std::string& text) {
  Forget();
  Sent& sent = sent_.emplace_back();
  sent.text = text;
  MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_CHAR, to, tag, MPI_COMM_WORLD,
            &sent.request);
}

std::optional<Mail::Got> Mail::Take(int from, int tag) {
  int is_there = 0;
  MPI_Status status;
  MPI_Iprobe(from, tag, MPI_COMM_WORLD, &is_there, &status);
  if (is_there == 0) return std::nullopt;
  int count = 0;
  MPI_Get_count(&status, MPI_CHAR, &count);
  Got got{.from = status.MPI_SOURCE,
          .tag = static_cast<Tag>(status.MPI_TAG),
          .text = std::string(static_cast<size_t>(count), '\0')};
  MPI_Recv(got.text.data(), count, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return got;
}

void Mail::Flush() {
  const uint64_t begin_ns = MonotonicNs();
  while (Forget(), !sent_.empty() && MonotonicNs() - begin_ns < kMessageNs) usleep(kLookUs);
}

void Mail::Forget() {
  std::erase_if(sent_, [](Sent& sent) {
    int is_done = 0;
    MPI_Test(&sent.request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
}

std::optional<ClockOffset> CompareClocks(Mail& mail, int rank) {
  constexpr int kTrips = 8;
  std::optional<ClockOffset> best;
  for (int i = 0; i < kTrips; ++i) {
    const uint64_t sent_ns = MonotonicNs();
    mail.Send(rank, kPing, std::string());
    std::optional<Mail::Got> got;
    while (!(got = mail.Take(rank, kPong))) {
      if (MonotonicNs() - sent_ns > kMessageNs) return std::nullopt;
    }
    const uint64_t back_ns = MonotonicNs();
    const uint64_t there_ns = std::strtoull(got->text.c_str(), nullptr, 10);
    const uint64_t error_ns = (back_ns - sent_ns + 1) / 2;
    if (best && best->error_ns <= error_ns) continue;
    best = ClockOffset{.ns = static_cast<int64_t>(sent_ns + error_ns - there_ns),
                       .error_ns = error_ns};
  }
  return best;
}

}  // namespace levelfield
