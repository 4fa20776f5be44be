#include "durability/disk_server.h"

#define FUSE_USE_VERSION 34
#include <fmt/format.h>
#include <fuse_log.h>
#include <fuse_lowlevel.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "durability/cuttable_disk.h"
#include "durability/volatile_image.h"
#include "file_system/mount_point.h"

namespace levelfield {
namespace {

enum Inode : fuse_ino_t { kRoot = FUSE_ROOT_ID, kDisk, kControl };

constexpr std::array<std::pair<const char*, Inode>, 2> kFiles = {
    {{kDiskFile, kDisk}, {kControlFile, kControl}}};

constexpr double kForEver = 1e9;  // Seconds for which the kernel may believe what it is told.

// Told to fail from the nth request on; counts the requests.
struct FaultPlan {
  uint64_t from_nth = 0;  // 0: never.
  uint64_t seen = 0;

  bool FailsNow() { return from_nth != 0 && ++seen >= from_nth; }
};

struct Disk {
  VolatileImage image;
  int left_fd;
  bool eats_flushes = false;
  uint64_t written_bytes = 0;
  uint64_t flushes = 0;
  std::array<FaultPlan, 3> faults = {};

  FaultPlan& Fault(DiskFault what) { return faults[static_cast<size_t>(what)]; }
  // How many of `bytes` from there on are within the disk.
  uint64_t Within(off_t offset, uint64_t bytes) const {
    const auto begin = static_cast<uint64_t>(offset);
    return begin >= image.size() ? 0 : std::min(bytes, image.size() - begin);
  }
};

void Fail(fuse_req_t request, int error) { fuse_reply_err(request, error); }

Disk& DiskOf(fuse_req_t request) { return *static_cast<Disk*>(fuse_req_userdata(request)); }

// Returns false and sets errno.
bool Cut(const Disk& disk, double survives, uint64_t seed) {
  const uint64_t bytes = disk.image.size();
  // Makes it zeros again.
  if (ftruncate(disk.left_fd, 0) != 0 || ftruncate(disk.left_fd, static_cast<off_t>(bytes)) != 0) {
    return false;
  }
  void* const left = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, disk.left_fd, 0);
  if (left == MAP_FAILED) return false;
  disk.image.WriteAfterCut(survives, seed, static_cast<char*>(left));
  munmap(left, bytes);
  return true;
}

// Returns false and sets errno.
bool Obey(Disk& disk, const std::string& command) {
  double survives = 0;
  uint64_t number = 0;
  unsigned what = 0;
  if (std::sscanf(command.c_str(), "cut %lf %lu", &survives, &number) == 2) {
    return Cut(disk, survives, number);
  }
  if (command == "eat") {
    disk.image.Flush();
    disk.eats_flushes = true;
    return true;
  }
  if (std::sscanf(command.c_str(), "fail %u %lu", &what, &number) == 2 &&
      what < disk.faults.size()) {
    disk.faults[what] = {.from_nth = number};
    return true;
  }
  errno = EINVAL;
  return false;
}

struct stat Attributes(const Disk& disk, fuse_ino_t inode) {
  struct stat attributes {};
  attributes.st_ino = inode;
  attributes.st_mode = inode == kRoot ? S_IFDIR | 0700 : S_IFREG | 0600;
  attributes.st_nlink = inode == kRoot ? 2 : 1;
  if (inode == kDisk) attributes.st_size = static_cast<off_t>(disk.image.size());
  return attributes;
}

void LookUp(fuse_req_t request, fuse_ino_t, const char* name) {
  for (const auto& [file, inode] : kFiles) {
    if (std::strcmp(file, name) != 0) continue;
    fuse_entry_param entry{};
    entry.ino = inode;
    entry.attr = Attributes(DiskOf(request), inode);
    entry.attr_timeout = entry.entry_timeout = kForEver;
    fuse_reply_entry(request, &entry);
    return;
  }
  fuse_reply_err(request, ENOENT);
}

void GetAttributes(fuse_req_t request, fuse_ino_t inode, fuse_file_info*) {
  const struct stat attributes = Attributes(DiskOf(request), inode);
  fuse_reply_attr(request, &attributes, kForEver);
}

// Bypasses the page cache: the writes of the loop device must arrive here, and the cache of the
// file system above it is enough.
void Open(fuse_req_t request, fuse_ino_t, fuse_file_info* file) {
  file->direct_io = 1;
  fuse_reply_open(request, file);
}

void Read(fuse_req_t request, fuse_ino_t inode, size_t size, off_t offset, fuse_file_info*) {
  Disk& disk = DiskOf(request);
  if (inode == kControl) {
    const std::string text = fmt::format("{} {}\n", disk.written_bytes, disk.flushes);
    const auto begin = std::min(static_cast<size_t>(offset), text.size());
    fuse_reply_buf(request, text.data() + begin, std::min(size, text.size() - begin));
    return;
  }
  if (disk.Fault(DiskFault::kReads).FailsNow()) return Fail(request, EIO);
  const uint64_t bytes = disk.Within(offset, size);
  fuse_reply_buf(request, disk.image.Read(static_cast<uint64_t>(offset), bytes).data(), bytes);
}

void Write(fuse_req_t request, fuse_ino_t inode, const char* data, size_t size, off_t offset,
           fuse_file_info*) {
  Disk& disk = DiskOf(request);
  if (inode == kControl) {
    if (Obey(disk, std::string(data, size))) {
      fuse_reply_write(request, size);
    } else {
      fuse_reply_err(request, errno);
    }
    return;
  }
  if (disk.Within(offset, size) != size) return Fail(request, ENOSPC);
  if (disk.Fault(DiskFault::kWrites).FailsNow()) return Fail(request, EIO);
  disk.image.Write(static_cast<uint64_t>(offset), {data, size});
  disk.written_bytes += size;
  fuse_reply_write(request, size);
}

void Flush(fuse_req_t request, fuse_ino_t inode, int, fuse_file_info*) {
  Disk& disk = DiskOf(request);
  if (inode == kDisk) {
    ++disk.flushes;
    if (disk.Fault(DiskFault::kFlushes).FailsNow()) return Fail(request, EIO);
    if (!disk.eats_flushes) disk.image.Flush();
  }
  fuse_reply_err(request, 0);
}

// A discard, and a write of zeros, from the loop device: both are writes that may be lost.
void Deallocate(fuse_req_t request, fuse_ino_t inode, int, off_t offset, off_t length,
                fuse_file_info*) {
  Disk& disk = DiskOf(request);
  const uint64_t bytes = disk.Within(offset, static_cast<uint64_t>(length));
  if (inode == kControl) return Fail(request, EOPNOTSUPP);
  if (disk.Fault(DiskFault::kWrites).FailsNow()) return Fail(request, EIO);
  disk.image.WriteZeros(static_cast<uint64_t>(offset), bytes);
  disk.written_bytes += bytes;
  fuse_reply_err(request, 0);
}

// The last process that sees mounts unmounts them when it ends. If that were this process, it would
// wait for ever for its own disk, as it did after a kill -9 of its maker. So it sees none.
bool SeesNoMounts() {
  return chdir("/") == 0 && unshare(CLONE_NEWNS) == 0 && GoToTheRootOfMounts() &&
         umount2("/", MNT_DETACH) == 0;
}

int message_fd = -1;  // Receives libfuse's complaints, because its function has no argument.

void Complain(fuse_log_level, const char* format, va_list arguments) {
  if (message_fd >= 0) (void)vdprintf(message_fd, format, arguments);
}

}  // namespace

void ServeDisk(uint64_t bytes, const std::string& directory, int left_fd, int ready_fd) {
  message_fd = ready_fd;
  fuse_set_log_func(Complain);
  Disk disk{.image = VolatileImage(bytes), .left_fd = left_fd};
  fuse_lowlevel_ops operations{};
  operations.lookup = LookUp;
  operations.getattr = GetAttributes;
  operations.open = Open;
  operations.read = Read;
  operations.write = Write;
  operations.fsync = Flush;
  operations.fallocate = Deallocate;
  char name[] = "levelfield_disk";
  char* words[] = {name, nullptr};
  fuse_args arguments = FUSE_ARGS_INIT(1, words);
  fuse_session* const session = fuse_session_new(&arguments, &operations, sizeof operations, &disk);
  if (session == nullptr || fuse_session_mount(session, directory.c_str()) != 0) return;
  message_fd = -1;
  if (!SeesNoMounts()) {
    dprintf(ready_fd, "cannot leave the mounts: %s", std::strerror(errno));
    return;
  }
  if (write(ready_fd, &kDiskIsReady, 1) == 1 && close(ready_fd) == 0) {
    (void)fuse_session_loop(session);
  }
}

}  // namespace levelfield
