#include "probe/calls/sync_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/clock.h"
#include "probe/calls/plain_calls.h"

namespace levelfield {
namespace {

struct alignas(64) Slot {
  std::array<std::atomic<uint64_t>, kSyncKinds.size()> by_kind{};
  std::atomic<uint64_t> waited_ns{0};
};
std::array<Slot, 64> slots;

// Threads take turns in the slots, so each thread of one phase has its own.
Slot& SlotOfThread() {
  static std::atomic<size_t> next{0};
  thread_local Slot& slot = slots[next.fetch_add(1, std::memory_order_relaxed) % slots.size()];
  return slot;
}

// One call of that kind, which has just ended.
void CountSyncCall(SyncKind kind, uint64_t start_ns) {
  Slot& slot = SlotOfThread();
  slot.by_kind[static_cast<size_t>(kind)].fetch_add(1, std::memory_order_relaxed);
  slot.waited_ns.fetch_add(MonotonicNs() - start_ns, std::memory_order_relaxed);
}

template <class... Arguments>
long Counted(SyncKind kind, long number, Arguments... arguments) {
  const uint64_t start_ns = MonotonicNs();
  const long result = syscall(number, arguments...);
  if (result >= 0) CountSyncCall(kind, start_ns);
  return result;
}

enum class Known : uint8_t { kNothing, kPlain, kSynced };

// By descriptor. Higher descriptors are looked up each time; a process needs permission for so
// many.
constexpr size_t kDescriptors = 1 << 16;
std::array<std::atomic<Known>, kDescriptors> known;

[[gnu::noinline]] bool Ask(int fd) {
  const bool is_synced = IsOpenedSynced(fd);
  if (static_cast<size_t>(fd) < known.size()) {
    known[static_cast<size_t>(fd)].store(is_synced ? Known::kSynced : Known::kPlain,
                                         std::memory_order_relaxed);
  }
  return is_synced;
}

bool IsSynced(int fd) {
  const auto index = static_cast<size_t>(fd);
  if (index >= known.size()) [[unlikely]]
    return fd >= 0 && Ask(fd);
  const Known is = known[index].load(std::memory_order_relaxed);
  if (is == Known::kPlain) [[likely]]
    return false;
  return is == Known::kSynced || Ask(fd);
}

void Forget(int fd) {
  const auto index = static_cast<size_t>(fd);
  if (index < known.size()) known[index].store(Known::kNothing, std::memory_order_relaxed);
}

template <class Write>
[[gnu::noinline]] ssize_t WriteSynced(Write write) {
  const uint64_t start_ns = MonotonicNs();
  const ssize_t written = write();
  if (written >= 0) CountSyncCall(SyncKind::kSyncedWrite, start_ns);
  return written;
}

template <class Write>
ssize_t Seen(int fd, Write write) {
  if (IsSynced(fd)) [[unlikely]]
    return WriteSynced(write);
  return write();
}

using Vector = const iovec*;
constinit PlainCall<ssize_t(int, const void*, size_t)> plain_write("write");
constinit PlainCall<ssize_t(int, const void*, size_t, off64_t)> plain_pwrite("pwrite64");
constinit PlainCall<ssize_t(int, Vector, int)> plain_writev("writev");
constinit PlainCall<ssize_t(int, Vector, int, off64_t)> plain_pwritev("pwritev64");
constinit PlainCall<ssize_t(int, Vector, int, off64_t, int)> plain_pwritev2("pwritev64v2");
constinit PlainCall<int(int)> plain_close("close");
constinit PlainCall<int(int, int)> plain_dup2("dup2");
constinit PlainCall<int(int, int, int)> plain_dup3("dup3");

[[gnu::constructor(101)]] void FindWrites() {
  plain_write.Find();
  plain_pwrite.Find();
  plain_writev.Find();
  plain_pwritev.Find();
  plain_pwritev2.Find();
  plain_close.Find();
  plain_dup2.Find();
  plain_dup3.Find();
}

bool IsWriteSynced(int fd, int flags) {
  return (flags & (RWF_DSYNC | RWF_SYNC)) != 0 || IsSynced(fd);
}

}  // namespace

bool IsOpenedSynced(int fd) {
  const int error = errno;
  const int flags = fcntl(fd, F_GETFL);
  errno = error;
  return flags >= 0 && (flags & O_DSYNC) != 0 && (flags & O_ACCMODE) != O_RDONLY;
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
  return dlsym(RTLD_DEFAULT, "fdatasync") == reinterpret_cast<void*>(&fdatasync) &&
         dlsym(RTLD_DEFAULT, "pwrite64") == reinterpret_cast<void*>(&pwrite64);
}

}  // namespace levelfield

namespace lf = levelfield;
using levelfield::Counted;
using levelfield::SyncKind;

// These have libc's names and return what libc's functions do.
#pragma GCC visibility push(default)
extern "C" {

int fsync(int fd) { return static_cast<int>(Counted(SyncKind::kFsync, SYS_fsync, fd)); }
int fdatasync(int fd) { return static_cast<int>(Counted(SyncKind::kFdatasync, SYS_fdatasync, fd)); }
int msync(void* address, size_t length, int flags) {
  const SyncKind kind = (flags & MS_SYNC) != 0 ? SyncKind::kMsync : SyncKind::kMsyncAsync;
  return static_cast<int>(Counted(kind, SYS_msync, address, length, flags));
}
int sync_file_range(int fd, off64_t offset, off64_t count, unsigned int flags) {
  return static_cast<int>(
      Counted(SyncKind::kSyncFileRange, SYS_sync_file_range, fd, offset, count, flags));
}
int syncfs(int fd) noexcept { return static_cast<int>(Counted(SyncKind::kSyncfs, SYS_syncfs, fd)); }
void sync() noexcept { (void)Counted(SyncKind::kSync, SYS_sync); }

ssize_t write(int fd, const void* bytes, size_t count) {
  return lf::Seen(fd, [=] { return lf::plain_write.get()(fd, bytes, count); });
}
ssize_t pwrite64(int fd, const void* bytes, size_t count, off64_t offset) {
  return lf::Seen(fd, [=] { return lf::plain_pwrite.get()(fd, bytes, count, offset); });
}
ssize_t pwrite(int fd, const void* bytes, size_t count, off_t offset) {
  return pwrite64(fd, bytes, count, offset);
}
ssize_t writev(int fd, const iovec* vector, int count) {
  return lf::Seen(fd, [=] { return lf::plain_writev.get()(fd, vector, count); });
}
ssize_t pwritev64(int fd, const iovec* vector, int count, off64_t offset) {
  return lf::Seen(fd, [=] { return lf::plain_pwritev.get()(fd, vector, count, offset); });
}
ssize_t pwritev(int fd, const iovec* vector, int count, off_t offset) {
  return pwritev64(fd, vector, count, offset);
}
ssize_t pwritev64v2(int fd, const iovec* vector, int count, off64_t offset, int flags) {
  const auto write = [=] { return lf::plain_pwritev2.get()(fd, vector, count, offset, flags); };
  return lf::IsWriteSynced(fd, flags) ? lf::WriteSynced(write) : write();
}
ssize_t pwritev2(int fd, const iovec* vector, int count, off_t offset, int flags) {
  return pwritev64v2(fd, vector, count, offset, flags);
}

// These close a descriptor, so that the next one of its number is looked up anew.
int close(int fd) {
  lf::Forget(fd);
  return lf::plain_close.get()(fd);
}
int dup2(int from, int to) noexcept {
  lf::Forget(to);
  return lf::plain_dup2.get()(from, to);
}
int dup3(int from, int to, int flags) noexcept {
  lf::Forget(to);
  return lf::plain_dup3.get()(from, to, flags);
}

}  // extern "C"
#pragma GCC visibility pop
