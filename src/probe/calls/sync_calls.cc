#include "probe/calls/sync_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/clock.h"
#include "probe/calls/synced_writes.h"

namespace levelfield {
namespace {

struct alignas(64) Slot {
  std::array<std::atomic<uint64_t>, kSyncKinds.size()> by_kind{};
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
long Counted(SyncKind kind, long number, Arguments... arguments) {
  const uint64_t start_ns = MonotonicNs();
  const long result = syscall(number, arguments...);
  if (result >= 0) CountSyncCall(kind, start_ns);
  return result;
}

}  // namespace

void CountSyncCall(SyncKind kind, uint64_t start_ns) {
  Slot& slot = SlotOfThread();
  slot.by_kind[static_cast<size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
  slot.waited_ns.fetch_add(MonotonicNs() - start_ns, std::memory_order_relaxed);
}

uint64_t SyncCalls::Durable() const {
  uint64_t sum = 0;
  for (size_t k = 0; k < by_kind.size(); ++k) sum += kSyncKinds[k].is_durable ? by_kind[k] : 0;
  return sum;
}

SyncCalls SyncCallsSoFar() {
  SyncCalls sum;
  for (const Slot& slot : slots) {
    for (size_t k = 0; k < sum.by_kind.size(); ++k) {
      sum.by_kind[k] += slot.by_kind[k].load(std::memory_order_relaxed);
    }
    sum.waited_ns += slot.waited_ns.load(std::memory_order_relaxed);
  }
  return sum;
}

uint64_t CountSyncedFiles() {
  uint64_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    if (IsOpenedSynced(std::atoi(entry.path().filename().c_str()))) ++count;
  }
  return count;
}

bool AreSyncCallsCounted() {
  return dlsym(RTLD_DEFAULT, "fdatasync") == reinterpret_cast<void*>(&fdatasync) && AreWritesSeen();
}

}  // namespace levelfield

using levelfield::Counted;
using levelfield::SyncKind;

// Their names are libc's, and so is what they answer.
extern "C" {

[[gnu::visibility("default")]] int fsync(int fd) {
  return static_cast<int>(Counted(SyncKind::kFsync, SYS_fsync, fd));
}
[[gnu::visibility("default")]] int fdatasync(int fd) {
  return static_cast<int>(Counted(SyncKind::kFdatasync, SYS_fdatasync, fd));
}
[[gnu::visibility("default")]] int msync(void* address, size_t length, int flags) {
  const SyncKind kind = (flags & MS_SYNC) != 0 ? SyncKind::kMsync : SyncKind::kMsyncAsync;
  return static_cast<int>(Counted(kind, SYS_msync, address, length, flags));
}
[[gnu::visibility("default")]] int sync_file_range(int fd, off64_t offset, off64_t count,
                                                   unsigned int flags) {
  return static_cast<int>(
      Counted(SyncKind::kSyncFileRange, SYS_sync_file_range, fd, offset, count, flags));
}
[[gnu::visibility("default")]] int syncfs(int fd) noexcept {
  return static_cast<int>(Counted(SyncKind::kSyncfs, SYS_syncfs, fd));
}
[[gnu::visibility("default")]] void sync() noexcept { (void)Counted(SyncKind::kSync, SYS_sync); }

}  // extern "C"
