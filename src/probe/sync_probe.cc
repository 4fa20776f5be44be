#include "probe/sync_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "probe/resource_probe.h"

namespace levelfield {
namespace {

constexpr size_t kBlockBytes = 4096;
constexpr size_t kMostSyncs = 100;
constexpr uint64_t kMostNs = 1'000'000'000;

enum class Place { kBehind, kInPlace };

// How long each sync took, in seconds, the shortest first; fewer if they are slow. Empty if one
// failed; errno has the reason.
std::vector<double> TimeSyncs(int file, Place place) {
  const std::vector<char> block(kBlockBytes, place == Place::kBehind ? 'x' : 'y');
  std::vector<double> seconds;
  const uint64_t begin_ns = MonotonicNs();
  while (seconds.size() < kMostSyncs && MonotonicNs() - begin_ns < kMostNs) {
    const off_t offset =
        place == Place::kBehind ? static_cast<off_t>(seconds.size() * kBlockBytes) : 0;
    const uint64_t start_ns = MonotonicNs();
    const bool is_synced =
        pwrite(file, block.data(), block.size(), offset) == static_cast<ssize_t>(block.size()) &&
        fdatasync(file) == 0;
    if (!is_synced) return {};
    seconds.push_back(static_cast<double>(MonotonicNs() - start_ns) * 1e-9);
  }
  std::ranges::sort(seconds);
  return seconds;
}

}  // namespace

Status ProbeSyncs(const std::string& directory, MachineLimits& limits) {
  std::string name = directory + "/levelfield-sync-XXXXXX";
  const UniqueFd file(mkostemp(name.data(), O_CLOEXEC));
  const auto failed = [&](const char* what) {
    return Status::Failed(fmt::format("cannot {} {} to see how long a sync takes: {}", what, name,
                                      std::strerror(errno)));
  };
  if (!file.ok()) return failed("make");
  const DeviceProbe devices(directory);
  const std::optional<Resources::Device> before = devices.Now();
  Status status = Status::Ok();
  const std::vector<double> appends = TimeSyncs(file.get(), Place::kBehind);
  if (appends.empty()) status = failed("append to and sync");
  std::vector<double> overwrites;
  if (status.ok()) overwrites = TimeSyncs(file.get(), Place::kInPlace);
  if (status.ok() && overwrites.empty()) status = failed("overwrite and sync");
  if (const auto came = DevicesSince(before, devices.Now()); came) {
    limits.device_flushes = came->flushes;
    limits.device_writes = came->writes;
  }
  if (unlink(name.c_str()) != 0 && status.ok()) status = failed("remove");
  if (!status.ok()) return status;
  limits.syncs = appends.size();
  limits.least_sync_seconds = appends.front();
  limits.median_sync_seconds = appends[appends.size() / 2];
  limits.most_sync_seconds = appends.back();
  limits.overwrites = overwrites.size();
  limits.least_overwrite_seconds = overwrites.front();
  limits.median_overwrite_seconds = overwrites[overwrites.size() / 2];
  return status;
}

double MeasureCopies() {
  constexpr size_t kBytes = 16 << 10;
  constexpr int kCopies = 500;
  constexpr int kTries = 5;
  // Both in one block, half a page apart modulo 4096. Two blocks of malloc are 16 bytes apart, and
  // there `rep movsb` of Zen 3 copies 2.7 GB/s instead of 95.
  std::vector<char> block(2 * kBytes + 2048, 'x');
  const char* const from = block.data();
  char* const to = block.data() + kBytes + 2048;
  double best = 0;
  for (int i = 0; i < kTries; ++i) {
    const uint64_t start_ns = MonotonicNs();
    for (int n = 0; n < kCopies; ++n) {
      std::memcpy(to, from, kBytes);
      asm volatile("" : : "r"(to) : "memory");  // Each copy is made.
    }
    const auto took_ns = static_cast<double>(MonotonicNs() - start_ns);
    best = std::max(best, kBytes * double{kCopies} / took_ns * 1e9);
  }
  return best;
}

}  // namespace levelfield
