#include "probe/calls/traced_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/whole_file.h"

namespace levelfield {
namespace {

// The number behind a name in one of the kernel's texts; nought where it is not there.
unsigned long NumberBehind(const std::string& text, const std::string& name, int base) {
  const size_t at = text.find(name);
  return at == std::string::npos ? 0 : std::strtoul(text.c_str() + at + name.size(), nullptr, base);
}

}  // namespace

pid_t ProcessOf(pid_t tid) {
  const std::string status = ReadAll(fmt::format("/proc/{}/status", tid));
  return static_cast<pid_t>(NumberBehind(status, "\nTgid:", 10));
}

bool ReadMemoryOf(pid_t tid, uint64_t address, void* bytes, size_t count) {
  const UniqueFd memory(open(fmt::format("/proc/{}/mem", tid).c_str(), O_RDONLY | O_CLOEXEC));
  return memory.ok() && pread(memory.get(), bytes, count, static_cast<off_t>(address)) ==
                            static_cast<ssize_t>(count);
}

bool IsOpenedSyncedBy(pid_t tid, int fd) {
  const std::string text = ReadAll(fmt::format("/proc/{}/fdinfo/{}", tid, fd));
  const unsigned long flags = NumberBehind(text, "flags:", 8);
  return (flags & O_DSYNC) != 0 && (flags & O_ACCMODE) != O_RDONLY;
}

UniqueFd DescriptorOf(pid_t tid, int fd) {
  const UniqueFd handle(static_cast<int>(syscall(SYS_pidfd_open, ProcessOf(tid), 0)));
  return UniqueFd(handle.ok() ? static_cast<int>(syscall(SYS_pidfd_getfd, handle.get(), fd, 0))
                              : -1);
}

}  // namespace levelfield
