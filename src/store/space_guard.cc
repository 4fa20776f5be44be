#include "store/space_guard.h"

#include <fmt/format.h>

#include <algorithm>

namespace levelfield {
namespace {

constexpr uint64_t kBytesPerNs = 4;
constexpr uint64_t kShortestNs = 2'000'000;  // A statvfs takes about a microsecond.
constexpr uint64_t kLongestNs = 100'000'000;
constexpr uint64_t kReactionNs = 150'000'000;  // Of a worker that is not late.
constexpr uint64_t kRateNs = 100'000'000;
constexpr uint64_t kSecondNs = 1'000'000'000;

std::string InUnit(uint64_t bytes, uint64_t unit) {
  return fmt::format("{:.1f}", static_cast<double>(bytes) / static_cast<double>(unit));
}

}  // namespace

uint64_t LeastFreeBytes(uint64_t total_bytes) {
  const uint64_t share = total_bytes / 100 * 3;
  return std::min(std::max<uint64_t>(share, 128 << 20), total_bytes / 8);
}

bool IsFull(const FreeSpace& space) { return space.free_bytes < space.total_bytes / 256; }

std::string SpaceText(const FreeSpace& space) {
  const bool is_large = space.total_bytes >= uint64_t{10} << 30;
  const uint64_t unit = is_large ? uint64_t{1} << 30 : uint64_t{1} << 20;
  return fmt::format("{} of {} {} are free on the disk", InUnit(space.free_bytes, unit),
                     InUnit(space.total_bytes, unit), is_large ? "GiB" : "MiB");
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
  // What an engine reserves at once, as RocksDB does for a log, is no rate.
  if (seen_ns_ == 0 || now_ns - seen_ns_ >= kRateNs) {
    const uint64_t taken = seen_bytes_ > space_.free_bytes ? seen_bytes_ - space_.free_bytes : 0;
    // Writing comes in bursts (a checkpoint, a compaction), and after one there is another.
    bytes_per_ns_ = seen_ns_ == 0
                        ? 0
                        : std::max(bytes_per_ns_ / 2, static_cast<double>(taken) /
                                                          static_cast<double>(now_ns - seen_ns_));
    seen_ns_ = now_ns;
    seen_bytes_ = space_.free_bytes;
  }
  // The next look may come as late as this one, and so may the worker's, which is to stop then.
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
