#include "loop/slice_gate.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace levelfield {

uint64_t QueuedNs(UniqueFd& file) {
  if (file.get() < 0) file = UniqueFd(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
  char text[96] = {};
  if (pread(file.get(), text, sizeof(text) - 1, 0) <= 0) return 0;
  char* end = nullptr;
  (void)std::strtoull(text, &end, 10);  // Time on a processor; then time spent waiting for one.
  return std::strtoull(end, nullptr, 10);
}

}  // namespace levelfield
