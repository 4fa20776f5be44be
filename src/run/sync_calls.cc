#include "run/sync_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/clock.h"

namespace levelfield {
namespace {

struct alignas(64) Slot {
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> waited_ns{0};
};
std::array<Slot, 64> slots;

// Threads take turns in the slots, so that those of one phase have one each.
Slot& SlotOfThread() {
  static std::atomic<size_t> next{0};
  thread_local Slot& slot = slots[next.fetch_add(1, std::memory_order_relaxed) % slots.size()];
  return slot;
}

template <class... Arguments>
long Counted(long number, Arguments... arguments) {
  const uint64_t start_ns = MonotonicNs();
  const long result = syscall(number, arguments...);
  Slot& slot = SlotOfThread();
  slot.calls.fetch_add(1, std::memory_order_relaxed);
  slot.waited_ns.fetch_add(MonotonicNs() - start_ns, std::memory_order_relaxed);
  return result;
}

}  // namespace

SyncCalls SyncCallsSoFar() {
  SyncCalls sum;
  for (const Slot& slot : slots) {
    sum.calls += slot.calls.load(std::memory_order_relaxed);
    sum.waited_ns += slot.waited_ns.load(std::memory_order_relaxed);
  }
  return sum;
}

uint64_t CountSyncedFiles() {
  uint64_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const int flags = fcntl(std::atoi(entry.path().filename().c_str()), F_GETFL);
    if (flags >= 0 && (flags & O_DSYNC) != 0 && (flags & O_ACCMODE) != O_RDONLY) ++count;
  }
  return count;
}

bool AreSyncCallsCounted() {
  return dlsym(RTLD_DEFAULT, "fdatasync") == reinterpret_cast<void*>(&fdatasync);
}

}  // namespace levelfield

// Their names are libc's, and so is what they answer.
extern "C" {

[[gnu::visibility("default")]] int fsync(int fd) {
  return static_cast<int>(levelfield::Counted(SYS_fsync, fd));
}
[[gnu::visibility("default")]] int fdatasync(int fd) {
  return static_cast<int>(levelfield::Counted(SYS_fdatasync, fd));
}
[[gnu::visibility("default")]] int msync(void* address, size_t length, int flags) {
  return static_cast<int>(levelfield::Counted(SYS_msync, address, length, flags));
}
[[gnu::visibility("default")]] int sync_file_range(int fd, off64_t offset, off64_t count,
                                                   unsigned int flags) {
  return static_cast<int>(levelfield::Counted(SYS_sync_file_range, fd, offset, count, flags));
}
[[gnu::visibility("default")]] int syncfs(int fd) noexcept {
  return static_cast<int>(levelfield::Counted(SYS_syncfs, fd));
}
[[gnu::visibility("default")]] void sync() noexcept { (void)levelfield::Counted(SYS_sync); }

}  // extern "C"
