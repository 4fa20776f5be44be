#include "probe/calls/neighbours.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>

#include "probe/calls/traced_process.h"

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

void Neighbours::Listens(pid_t tid, int fd) {
  Address address;
  const UniqueFd socket = DescriptorOf(tid, fd);
  if (!socket.ok() || getsockname(socket.get(), address.pointer(), &address.size) != 0) return;
  if (address.IsInternet()) ports_.insert(address.Port());
}

std::string Neighbours::StrangerAt(pid_t tid, int fd) const {
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
