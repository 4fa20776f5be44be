#include "probe/machine_limits.h"

#include <sys/resource.h>

#include <limits>
#include <optional>

#include "base/whole_file.h"

namespace levelfield {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

}  // namespace

uint64_t AvailableMemoryBytes() {
  const std::optional<uint64_t> kibibytes = NumberBehind(ReadAll("/proc/meminfo"), "MemAvailable:");
  return kibibytes ? *kibibytes << 10 : kUnlimited;
}

uint64_t OomKillsSoFar() { return NumberBehind(ReadAll("/proc/vmstat"), "oom_kill").value_or(0); }

uint64_t DescriptorLimit() {
  struct rlimit limit {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : kUnlimited;
}

}  // namespace levelfield
