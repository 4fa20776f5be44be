#include "probe/calls/traced_calls.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace levelfield {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;  // Every process is foreign, and nothing is counted.
#endif
// x32 has x86_64's architecture and numbers from here on; nobody else has so many.
constexpr uint32_t kX32 = 0x40000000;

// A filter reads words of 32 bits.
constexpr size_t kLowHalf = std::endian::native == std::endian::little ? 0 : sizeof(uint32_t);

using Is = TracedCall::Is;
constexpr auto kTracedCalls = std::to_array<TracedCall>({
    {SYS_fsync, Is::kSync},
    {SYS_fdatasync, Is::kSync},
    {SYS_syncfs, Is::kSync},
    {SYS_sync, Is::kSync},
    {.number = SYS_msync, .is = Is::kSync, .argument = 2, .bits = MS_SYNC},
    {.number = SYS_mmap, .is = Is::kMapSync, .argument = 3, .bits = MAP_SYNC},
    {SYS_write, Is::kWrite},
    {SYS_pwrite64, Is::kWrite},
    {SYS_writev, Is::kWrite},
    {SYS_pwritev, Is::kWrite},
    {.number = SYS_pwritev2, .is = Is::kWrite, .flags_argument = 5},
    {SYS_sendfile, Is::kWrite},
    {.number = SYS_splice, .is = Is::kWrite, .file_argument = 2},
    {.number = SYS_copy_file_range, .is = Is::kWrite, .file_argument = 2},
    {SYS_io_uring_setup, Is::kRingSetup},
    {SYS_io_uring_enter, Is::kRingEnter},
    {SYS_io_submit, Is::kAio},
    {SYS_connect, Is::kConnect},
    {SYS_listen, Is::kListen},
});

}  // namespace

const TracedCall* FindTracedCall(uint64_t number) {
  const auto* const it = std::ranges::find(kTracedCalls, number, &TracedCall::number);
  return it == kTracedCalls.end() ? nullptr : it;
}

std::vector<sock_filter> TracingFilter() {
  const auto load = [](size_t offset) -> sock_filter {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
  };
  constexpr sock_filter kTrace = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | kTracedHere);
  constexpr sock_filter kAllow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  constexpr sock_filter kTraceForeign = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE | kForeign);
  std::vector<sock_filter> filter = {load(offsetof(seccomp_data, arch)),
                                     BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
                                     kTraceForeign,
                                     load(offsetof(seccomp_data, nr)),
                                     BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1),
                                     kTraceForeign};
  for (const TracedCall& call : kTracedCalls) {
    const auto number = static_cast<uint32_t>(call.number);
    const bool is_by_bits = call.bits != 0;
    const uint8_t skipped = is_by_bits ? 4 : 1;
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, skipped));
    if (is_by_bits) {
      const auto argument = static_cast<size_t>(call.argument);
      filter.push_back(load(offsetof(seccomp_data, args) + argument * sizeof(uint64_t) + kLowHalf));
      filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, call.bits, 1, 0));
      filter.push_back(kAllow);
    }
    filter.push_back(kTrace);
  }
  filter.push_back(kAllow);
  return filter;
}

}  // namespace levelfield
