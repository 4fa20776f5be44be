#include "store/store_space.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/quote.h"

namespace levelfield {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kBytesPerFile = 2 << 20;
constexpr uint64_t kSmallFiles = 100;  // Logs, manifests, locks, and the files of the results.

double In(uint64_t unit, uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(unit);
}
constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kGiB = uint64_t{1} << 30;

constexpr uint64_t kBytesPerNs = 4;
constexpr uint64_t kShortestNs = 2'000'000;  // A statvfs takes about a microsecond.
constexpr uint64_t kLongestNs = 100'000'000;
constexpr uint64_t kReactionNs = 150'000'000;  // What a worker takes that is not late.
constexpr uint64_t kRateNs = 100'000'000;
constexpr uint64_t kSecondNs = 1'000'000'000;

}  // namespace

StatusOr<FreeSpace> FreeSpaceAt(const std::string& path) {
  std::string existing = path;
  struct statvfs status;
  while (statvfs(existing.empty() ? "." : existing.c_str(), &status) != 0) {
    const int error = errno;
    if (error == EINTR) continue;
    if (error != ENOENT || existing.empty() || existing == "/") {
      const std::string why = fmt::format("cannot tell the free space at {}: {}", Printable(path),
                                          std::strerror(error));
      return error == EIO || error == ENOMEM ? Status::Failed(why) : Status::Usage(why);
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

uint64_t NeededBytes(uint64_t logical_bytes, double factor) {
  const double needed =
      static_cast<double>(logical_bytes) * factor + static_cast<double>(kSpaceSlackBytes);
  // 2^63: from there on a double may not fit, and no disk is that large.
  return needed < std::ldexp(1, 63) ? static_cast<uint64_t>(needed) : kUnlimited;
}

uint64_t FilesOf(uint64_t bytes) { return bytes / kBytesPerFile + 1; }

Status CheckFreeSpace(const std::string& path, uint64_t needed_bytes, std::string_view way_out) {
  ASSIGN_OR_RETURN(const FreeSpace space, FreeSpaceAt(path));
  return CheckFreeSpace(space, path, needed_bytes, way_out);
}

Status CheckFreeSpace(const FreeSpace& space, const std::string& path, uint64_t needed_bytes,
                      std::string_view way_out) {
  if (space.total_bytes == 0) {
    return Status::Usage(path +
                         ": its file system has no space for files; name a directory on a disk");
  }
  const uint64_t kept = space.total_bytes / 20;
  const uint64_t usable = space.free_bytes > kept ? space.free_bytes - kept : 0;
  if (needed_bytes > usable) {
    return Status::Usage(fmt::format(
        "not enough space at {}: the run may need {:.2f} GiB, and of the {:.2f} GiB free {:.2f} "
        "GiB "
        "stay reserved (5 % of the file system); {}",
        path, In(kGiB, needed_bytes), In(kGiB, space.free_bytes), In(kGiB, kept), way_out));
  }
  if (const uint64_t files = FilesOf(needed_bytes) + kSmallFiles; space.free_files < files) {
    return Status::Usage(fmt::format(
        "not enough inodes at {}: {} are free (`df -i`), and the run may make {} files; remove "
        "files there, or {}",
        path, space.free_files, files, way_out));
  }
  return Status::Ok();
}

uint64_t LeastFreeBytes(uint64_t total_bytes) {
  const uint64_t share = total_bytes / 100 * 3;
  return std::min(std::max<uint64_t>(share, 128 << 20), total_bytes / 8);
}

bool IsFull(const FreeSpace& space) { return space.free_bytes < space.total_bytes / 256; }

std::string SpaceText(const FreeSpace& space) {
  const bool is_large = space.total_bytes >= 10 * kGiB;
  const uint64_t unit = is_large ? kGiB : kMiB;
  return fmt::format("{:.1f} of {:.1f} {} are free on the disk", In(unit, space.free_bytes),
                     In(unit, space.total_bytes), is_large ? "GiB" : "MiB");
}

bool SpaceGuard::IsLow(uint64_t now_ns) {
  if (now_ns < next_ns_) return false;
  if (next_ns_ != 0) {
    const uint64_t since_ns = std::min(now_ns - looked_ns_, kSecondNs);
    late_ns_ = std::max(now_ns - next_ns_, late_ns_ - late_ns_ / 2 * since_ns / kSecondNs);
  }
  looked_ns_ = now_ns;
  const StatusOr<FreeSpace> space = look_();
  if (!space.ok()) {
    next_ns_ = now_ns + kLongestNs;
    return false;
  }
  space_ = *space;
  // What an engine reserves at once, as RocksDB does for a log, is not a rate.
  if (seen_ns_ == 0 || now_ns - seen_ns_ >= kRateNs) {
    const uint64_t taken = seen_bytes_ > space_.free_bytes ? seen_bytes_ - space_.free_bytes : 0;
    // Writing comes in bursts (a checkpoint, a compaction), and another burst will follow.
    bytes_per_ns_ = seen_ns_ == 0
                        ? 0
                        : std::max(bytes_per_ns_ / 2, static_cast<double>(taken) /
                                                          static_cast<double>(now_ns - seen_ns_));
    seen_ns_ = now_ns;
    seen_bytes_ = space_.free_bytes;
  }
  // The next look may be as late as this one, and so may the worker's, which should stop then.
  const auto until_stopped_ns = static_cast<double>(kReactionNs + 2 * late_ns_);
  const uint64_t least =
      LeastFreeBytes(space_.total_bytes) + static_cast<uint64_t>(bytes_per_ns_ * until_stopped_ns);
  if (space_.free_bytes < least) return true;
  next_ns_ =
      now_ns + std::clamp((space_.free_bytes - least) / kBytesPerNs, kShortestNs, kLongestNs);
  return false;
}

void SpaceGuard::Rest() {
  next_ns_ = 0;
  late_ns_ = 0;
  seen_ns_ = 0;
  bytes_per_ns_ = 0;
}

}  // namespace levelfield
