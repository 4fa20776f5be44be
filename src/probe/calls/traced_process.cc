#include "probe/calls/traced_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <sstream>

#include "base/whole_file.h"

namespace levelfield {
namespace {

// An address of any family, and how much of it there is.
struct Address {
  sockaddr_storage bytes{};
  socklen_t size = sizeof(bytes);

  sockaddr* pointer() { return reinterpret_cast<sockaddr*>(&bytes); }
  uint16_t Port() const {  // At the same place in both.
    static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
    return ntohs(reinterpret_cast<const sockaddr_in*>(&bytes)->sin_port);
  }
  bool IsInternet() const { return bytes.ss_family == AF_INET || bytes.ss_family == AF_INET6; }
  std::string Path() const {
    return std::string(reinterpret_cast<const sockaddr_un*>(&bytes)->sun_path);
  }
};

template <class Value>
bool GetOption(const UniqueFd& fd, int option, Value& value) {
  socklen_t size = sizeof(value);
  return getsockopt(fd.get(), SOL_SOCKET, option, &value, &size) == 0;
}

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;  // Every process is foreign, and nothing is counted.
#endif
// x32 has x86_64's architecture and numbers from here on; nobody else goes so high.
constexpr uint32_t kX32 = 0x40000000;

// A filter reads words of 32 bits.
constexpr size_t kLowHalf = std::endian::native == std::endian::little ? 0 : sizeof(uint32_t);

using Is = TracedCall::Is;
constexpr auto kTracedCalls = std::to_array<TracedCall>({
    {SYS_fsync, Is::kSyncFile},
    {SYS_fdatasync, Is::kSyncFile},
    {SYS_syncfs, Is::kSyncFileSystem},
    {SYS_sync, Is::kSyncAll},
    {.number = SYS_msync, .is = Is::kSyncMap, .argument = 2, .bits = MS_SYNC},
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

pid_t ProcessOf(pid_t tid) {
  return static_cast<pid_t>(
      NumberBehind(ReadAll(fmt::format("/proc/{}/status", tid)), "Tgid:").value_or(0));
}

bool ReadMemoryOf(pid_t tid, uint64_t address, void* bytes, size_t count) {
  const UniqueFd memory(open(fmt::format("/proc/{}/mem", tid).c_str(), O_RDONLY | O_CLOEXEC));
  return memory.ok() && pread(memory.get(), bytes, count, static_cast<off_t>(address)) ==
                            static_cast<ssize_t>(count);
}

std::optional<OpenedFile> FileOf(pid_t tid, int fd) {
  struct stat file {};
  // Such a link leads to the open file itself, also where its name is gone.
  if (fd < 0 || stat(fmt::format("/proc/{}/fd/{}", tid, fd).c_str(), &file) != 0) return {};
  if (!S_ISREG(file.st_mode) && !S_ISBLK(file.st_mode)) return {};
  const std::string text = ReadAll(fmt::format("/proc/{}/fdinfo/{}", tid, fd));
  const uint64_t flags = NumberBehind(text, "flags:", 8).value_or(0);
  return OpenedFile{.id = {.inode = file.st_ino,
                           .device = file.st_dev,
                           .mount = NumberBehind(text, "mnt_id:").value_or(0)},
                    .is_synced = (flags & O_DSYNC) != 0 && (flags & O_ACCMODE) != O_RDONLY};
}

// By the inode alone: on some file systems maps are of another device than stat(2) tells.
bool HasSharedMapOf(pid_t tid, const FileId& file) {
  std::istringstream lines(ReadAll(fmt::format("/proc/{}/maps", tid)));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string range;
    std::string rights;
    std::string offset;
    std::string device;
    uint64_t inode = 0;
    words >> range >> rights >> offset >> device >> inode;
    if (inode == file.inode && rights.size() == 4 && rights[1] == 'w' && rights[3] == 's') {
      return true;
    }
  }
  return false;
}

UniqueFd DescriptorOf(pid_t tid, int fd) {
  const UniqueFd handle(static_cast<int>(syscall(SYS_pidfd_open, ProcessOf(tid), 0)));
  return UniqueFd(handle.ok() ? static_cast<int>(syscall(SYS_pidfd_getfd, handle.get(), fd, 0))
                              : -1);
}

void TracedPeers::Listens(pid_t tid, int fd) {
  Address address;
  const UniqueFd socket = DescriptorOf(tid, fd);
  if (!socket.ok() || getsockname(socket.get(), address.pointer(), &address.size) != 0) return;
  if (address.IsInternet()) ports_.insert(address.Port());
}

std::string TracedPeers::StrangerAt(pid_t tid, int fd) const {
  Address address;
  const UniqueFd socket = DescriptorOf(tid, fd);
  if (!socket.ok()) return "a socket";
  int type = 0;
  if (!GetOption(socket, SO_TYPE, type) || type == SOCK_DGRAM) return "";
  if (getpeername(socket.get(), address.pointer(), &address.size) != 0) return "";
  if (address.IsInternet()) {
    return ports_.contains(address.Port()) ? "" : fmt::format("port {}", address.Port());
  }
  ucred peer{};
  const bool is_local = address.bytes.ss_family == AF_UNIX;
  if (!is_local || !GetOption(socket, SO_PEERCRED, peer)) return "a socket";
  return traced_.contains(peer.pid) ? "" : "socket " + address.Path();
}

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
