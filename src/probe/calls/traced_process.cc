#include "probe/calls/traced_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>

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

bool IsOpenedSyncedBy(pid_t tid, int fd) {
  const std::string text = ReadAll(fmt::format("/proc/{}/fdinfo/{}", tid, fd));
  const uint64_t flags = NumberBehind(text, "flags:", 8).value_or(0);
  return (flags & O_DSYNC) != 0 && (flags & O_ACCMODE) != O_RDONLY;
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

}  // namespace levelfield
