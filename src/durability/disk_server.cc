#include "durability/disk_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <utility>

#include "file_system/tool.h"

namespace levelfield {
namespace {

constexpr const char* kFuse = "/dev/fuse";
constexpr uint64_t kPageBytes = 4096;

// Runs in the child, a copy of its parent, which would keep the parent's files open.
[[noreturn]] void BecomeTheDisk(pid_t parent, uint64_t bytes, const std::string& directory,
                                int left, int ready) {
  setpgid(0, 0);  // Ctrl-C is for the writers to the disk, which must exist until they end.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // It died before the line above.
  prctl(PR_SET_NAME, "levelfield_disk");
  // The kernel must not wait for this disk when this process asks it for memory (Linux 5.6).
  prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_IGN);
  constexpr int kLeft = STDERR_FILENO + 1;
  constexpr int kReady = kLeft + 1;
  const int ready_above = fcntl(ready, F_DUPFD, kReady + 1);  // Not the number of `left`.
  dup2(left, kLeft);
  dup2(ready_above, kReady);
  (void)close_range(kReady + 1, ~0U, 0);
  try {
    ServeDisk(bytes, directory, kLeft, kReady);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kMessage = "out of memory";
    (void)!write(kReady, kMessage.data(), kMessage.size());
  }
  _exit(0);
}

}  // namespace

std::string DiskServer::WhyNot() {
  if (std::string why = WhyNoMounts(); !why.empty()) return why;
  const UniqueFd fuse(open(kFuse, O_RDWR | O_CLOEXEC));
  if (fuse.ok()) return "";
  return fmt::format(
      "no disk can be played here: {}: {}; run as root, in a container with "
      "--privileged, on a kernel with FUSE",
      kFuse, std::strerror(errno));
}

StatusOr<DiskServer> DiskServer::Start(uint64_t bytes, const std::string& scratch) {
  ASSIGN_OR_RETURN(MountPoint mount_point, MountPoint::Make(scratch));
  // The kernel shows this name for a loop device on it.
  UniqueFd left(memfd_create(("levelfield " + scratch).substr(0, 200).c_str(), MFD_CLOEXEC));
  if (!left.ok()) {
    return Status::Failed(fmt::format("cannot have a file in memory: {}", std::strerror(errno)));
  }
  DiskServer server(std::move(mount_point), std::move(left));
  const std::string& directory = server.mount_point_.directory();
  ASSIGN_OR_RETURN(Pipe ready, MakePipe());
  const pid_t parent = getpid();
  server.pid_ = fork();
  if (server.pid_ == 0) {
    BecomeTheDisk(parent, (bytes + kPageBytes - 1) / kPageBytes * kPageBytes, directory,
                  server.left_.get(), ready.write.get());
  }
  if (server.pid_ < 0) {
    return Status::Failed(fmt::format("cannot start a disk: {}", std::strerror(errno)));
  }
  ready.write = UniqueFd();
  const std::string said = ReadToEnd(ready.read.get());
  if (said != std::string(1, kDiskIsReady)) {
    return Status::Failed(fmt::format("cannot play a disk of {} bytes on {}: {}", bytes, directory,
                                      said.empty() ? "its process ended" : said));
  }
  RETURN_IF_ERROR(server.mount_point_.CheckMounted());
  return server;
}

DiskServer::DiskServer(DiskServer&& other) noexcept
    : mount_point_(std::move(other.mount_point_)),
      left_(std::move(other.left_)),
      pid_(std::exchange(other.pid_, -1)) {}

DiskServer::~DiskServer() {
  if (pid_ <= 0) return;
  // What is still mounted on it gets I/O errors.
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

StatusOr<UniqueFd> DiskServer::Open(const std::string& name) const {
  const std::string path = mount_point_.directory() + "/" + name;
  UniqueFd fd(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (fd.ok()) return fd;
  return Status::Failed(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
}

StatusOr<UniqueFd> DiskServer::OpenDisk() const { return Open(kDiskFile); }

Status DiskServer::Tell(const std::string& command) const {
  ASSIGN_OR_RETURN(const UniqueFd control, Open(kControlFile));
  if (write(control.get(), command.data(), command.size()) ==
      static_cast<ssize_t>(command.size())) {
    return Status::Ok();
  }
  return Status::Failed(fmt::format("the disk on {} does not obey '{}': {}",
                                    mount_point_.directory(), command, std::strerror(errno)));
}

Status DiskServer::Cut(double survives, uint64_t seed) const {
  return Tell(fmt::format("cut {} {}", survives, seed));
}

Status DiskServer::EatFlushes() const { return Tell("eat"); }

Status DiskServer::Fail(DiskFault what, uint64_t from_nth) const {
  return Tell(fmt::format("fail {} {}", static_cast<int>(what), from_nth));
}

DiskTraffic DiskServer::SoFar() const {
  DiskTraffic traffic;
  std::ifstream(mount_point_.directory() + "/" + kControlFile) >> traffic.written_bytes >>
      traffic.flushes;
  return traffic;
}

}  // namespace levelfield
