#include "probe/machine_limits.h"

#include <sys/resource.h>

#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "base/whole_file.h"

namespace levelfield {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// The number behind a name, in a file of one name a line.
std::optional<uint64_t> NumberIn(const char* path, const std::string& wanted) {
  std::istringstream lines(ReadAll(path));
  for (std::string name; lines >> name;) {
    uint64_t number = 0;
    if (name == wanted && lines >> number) return number;
    lines.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

}  // namespace

uint64_t AvailableMemoryBytes() {
  const std::optional<uint64_t> kibibytes = NumberIn("/proc/meminfo", "MemAvailable:");
  return kibibytes ? *kibibytes << 10 : kUnlimited;
}

uint64_t OomKillsSoFar() { return NumberIn("/proc/vmstat", "oom_kill").value_or(0); }

uint64_t DescriptorLimit() {
  struct rlimit limit {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : kUnlimited;
}

}  // namespace levelfield
