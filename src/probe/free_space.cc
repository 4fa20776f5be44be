#include "probe/free_space.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

namespace levelfield {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kBytesPerFile = 2 << 20;
constexpr uint64_t kSmallFiles = 100;  // Logs, manifests, locks, and those of the results.

std::string Gibibytes(uint64_t bytes) {
  return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (1 << 30));
}

}  // namespace

StatusOr<FreeSpace> FreeSpaceAt(const std::string& path) {
  std::string existing = path;
  struct statvfs status;
  while (statvfs(existing.empty() ? "." : existing.c_str(), &status) != 0) {
    const int error = errno;
    if (error == EINTR) continue;
    if (error != ENOENT || existing.empty() || existing == "/") {
      return Status::Failed(
          fmt::format("cannot tell the free space at {}: {}", path, std::strerror(error)));
    }
    while (existing.size() > 1 && existing.back() == '/') existing.pop_back();
    const size_t slash = existing.rfind('/');
    existing.resize(slash == std::string::npos ? 0 : std::max<size_t>(slash, 1));
  }
  FreeSpace space;
  space.free_bytes = uint64_t{status.f_bavail} * status.f_frsize;
  space.total_bytes = uint64_t{status.f_blocks} * status.f_frsize;
  space.free_files = status.f_files == 0 ? kUnlimited : status.f_favail;
  return space;
}

uint64_t NeededBytes(uint64_t logical_bytes, double factor, uint64_t write_buffer_bytes) {
  const double needed = static_cast<double>(logical_bytes) * factor +
                        2 * static_cast<double>(write_buffer_bytes) +
                        static_cast<double>(kSpaceSlackBytes);
  // 2^63: from there on a double may not fit, and no disk is as large.
  return needed < std::ldexp(1, 63) ? static_cast<uint64_t>(needed) : kUnlimited;
}

uint64_t FilesOf(uint64_t bytes) { return bytes / kBytesPerFile + 1; }

Status CheckFreeSpace(const std::string& path, uint64_t needed_bytes) {
  const StatusOr<FreeSpace> space = FreeSpaceAt(path);
  if (!space.ok()) return space.status();
  const uint64_t kept = space->total_bytes / 20;
  const uint64_t usable = space->free_bytes > kept ? space->free_bytes - kept : 0;
  if (needed_bytes > usable) {
    return Status::Usage(fmt::format(
        "not enough space at {}: the run may need {}, and of the {} free {} stay reserved (5 % of "
        "the file system); use fewer or smaller entries, or another disk",
        path, Gibibytes(needed_bytes), Gibibytes(space->free_bytes), Gibibytes(kept)));
  }
  if (const uint64_t files = FilesOf(needed_bytes) + kSmallFiles; space->free_files < files) {
    return Status::Usage(fmt::format(
        "not enough inodes at {}: {} are free (`df -i`), and the run may make {} files; remove "
        "files there, use fewer or smaller entries, or another disk",
        path, space->free_files, files));
  }
  return Status::Ok();
}

}  // namespace levelfield
