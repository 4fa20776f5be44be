// syscall(2) by which some libraries make calls that libc has, or had, no name for: a sync asked
// for by its number is counted like any other, a write as one, and a number that nobody here knows
// is told, as it may be either.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>

#include "base/clock.h"
#include "run/plain_calls.h"
#include "run/sync_calls.h"
#include "run/synced_writes.h"

namespace levelfield {
namespace {

constinit PlainCall<long(long, ...)> plain_syscall("syscall");
[[gnu::constructor(101)]] void FindSyscall() { plain_syscall.Find(); }

// None of these has data written to the device; libraries at hand wait, ask for their threads'
// numbers and choose memory by them.
constexpr auto kHarmless =
    std::to_array<long>({SYS_futex,
                         SYS_gettid,
                         SYS_getcpu,
                         SYS_getrandom,
                         SYS_membarrier,
                         SYS_get_mempolicy,
                         SYS_set_mempolicy,
                         SYS_mbind,
                         SYS_move_pages,
                         SYS_tgkill,
                         SYS_sched_getaffinity,
                         SYS_sched_setaffinity,
                         SYS_sched_setattr,
                         SYS_sched_getattr,
                         SYS_ioprio_get,
                         SYS_ioprio_set,
                         SYS_perf_event_open,
                         SYS_memfd_create,
                         SYS_fallocate,
                         SYS_renameat2,
                         SYS_statx,
                         SYS_readahead,
                         SYS_preadv2,
                         SYS_copy_file_range,
                         SYS_getdents64,
                         SYS_pidfd_open,
                         SYS_clock_gettime,
                         SYS_getpid,
                         SYS_read,
                         SYS_pread64,
                         SYS_close_range,
                         SYS_madvise,
                         451 /* cachestat, which Debian 12's headers lack. */});

}  // namespace

long (*PlainSyscall())(long, ...) { return plain_syscall.get(); }

}  // namespace levelfield

extern "C" [[gnu::visibility("default")]] long syscall(long number, ...) noexcept {
  using levelfield::SyncKind;
  va_list list;
  va_start(list, number);
  std::array<long, 6> a;  // More than were given are read, and taken by no call.
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  switch (number) {
    case SYS_fsync:
      return fsync(static_cast<int>(a[0]));
    case SYS_fdatasync:
      return fdatasync(static_cast<int>(a[0]));
    case SYS_msync:
      return msync(reinterpret_cast<void*>(a[0]), static_cast<size_t>(a[1]),
                   static_cast<int>(a[2]));
    case SYS_sync_file_range:
      return sync_file_range(static_cast<int>(a[0]), a[1], a[2], static_cast<unsigned>(a[3]));
    case SYS_syncfs:
      return syncfs(static_cast<int>(a[0]));
    case SYS_sync:
      sync();
      return 0;
    default:
      break;
  }
  const bool writes = number == SYS_write || number == SYS_pwrite64 || number == SYS_writev ||
                      number == SYS_pwritev || number == SYS_pwritev2;
  const uint64_t start_ns = levelfield::MonotonicNs();
  const long result = levelfield::PlainSyscall()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0) return result;
  if (writes) {
    const long flags = number == SYS_pwritev2 ? a[5] : 0;
    if (levelfield::IsWriteSynced(static_cast<int>(a[0]), static_cast<int>(flags))) {
      levelfield::CountSyncCall(SyncKind::kSyncedWrite, start_ns);
    }
  } else if (std::ranges::find(levelfield::kHarmless, number) == levelfield::kHarmless.end()) {
    levelfield::CountSyncCall(SyncKind::kUnknownCall, start_ns);
  }
  return result;
}
