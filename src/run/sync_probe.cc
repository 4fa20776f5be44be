#include "run/sync_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"

namespace levelfield {
namespace {

constexpr size_t kAppendBytes = 4096;
constexpr size_t kMostSyncs = 200;
constexpr uint64_t kMostNs = 100'000'000;

}  // namespace

Status ProbeSyncs(const std::string& directory, Ceilings& ceilings) {
  std::string name = directory + "/levelfield-sync-XXXXXX";
  const UniqueFd file(mkostemp(name.data(), O_CLOEXEC));
  const auto failed = [&](const char* what) {
    return Status::Failed(fmt::format("cannot {} {} to see how long a sync takes: {}", what, name,
                                      std::strerror(errno)));
  };
  if (!file.ok()) return failed("make");
  const std::vector<char> block(kAppendBytes, 'x');
  std::vector<double> seconds;
  Status status = Status::Ok();
  const uint64_t begin_ns = MonotonicNs();
  while (status.ok() && seconds.size() < kMostSyncs && MonotonicNs() - begin_ns < kMostNs) {
    const uint64_t start_ns = MonotonicNs();
    if (write(file.get(), block.data(), block.size()) != static_cast<ssize_t>(block.size())) {
      status = failed("write to");
    } else if (fdatasync(file.get()) != 0) {
      status = failed("sync");
    } else {
      seconds.push_back(static_cast<double>(MonotonicNs() - start_ns) * 1e-9);
    }
  }
  if (unlink(name.c_str()) != 0 && status.ok()) status = failed("remove");
  if (!status.ok()) return status;
  std::ranges::sort(seconds);
  ceilings.syncs = seconds.size();
  ceilings.least_sync_seconds = seconds.front();
  ceilings.median_sync_seconds = seconds[seconds.size() / 2];
  ceilings.most_sync_seconds = seconds.back();
  return status;
}

std::string MemoryFileSystemOf(const std::string& path) {
  struct statfs status {};
  if (statfs(path.c_str(), &status) != 0) return "";
  if (status.f_type == TMPFS_MAGIC) return "tmpfs";
  if (status.f_type == RAMFS_MAGIC) return "ramfs";
  return "";
}

double MeasureCopies() {
  constexpr size_t kBytes = 16 << 10;
  constexpr int kCopies = 500;
  constexpr int kTries = 5;
  std::vector<char> from(kBytes, 'x');
  std::vector<char> to(kBytes);
  double best = 0;
  for (int i = 0; i < kTries; ++i) {
    const uint64_t start_ns = MonotonicNs();
    for (int n = 0; n < kCopies; ++n) {
      std::memcpy(to.data(), from.data(), kBytes);
      asm volatile("" : : "r"(to.data()) : "memory");  // Each copy is made.
    }
    const auto took_ns = static_cast<double>(MonotonicNs() - start_ns);
    best = std::max(best, kBytes * double{kCopies} / took_ns * 1e9);
  }
  return best;
}

}  // namespace levelfield
