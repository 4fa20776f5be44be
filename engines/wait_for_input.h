// Waiting for what a server sends. For a session's thread; locks and allocates nothing.
#ifndef LEVELFIELD_ENGINES_WAIT_FOR_INPUT_H_
#define LEVELFIELD_ENGINES_WAIT_FOR_INPUT_H_

#include <poll.h>
#include <time.h>

#include <cstdint>

namespace levelfield {

// Whether there is anything to read within that time.
inline bool HasInput(int socket, uint64_t most_ns) {
  constexpr uint64_t kForeverNs = uint64_t{1} << 62;
  const timespec most = {.tv_sec = static_cast<time_t>(most_ns / 1'000'000'000),
                         .tv_nsec = static_cast<long>(most_ns % 1'000'000'000)};
  pollfd input = {.fd = socket, .events = POLLIN, .revents = 0};
  return ppoll(&input, 1, most_ns < kForeverNs ? &most : nullptr, nullptr) > 0;
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_WAIT_FOR_INPUT_H_
