#include <fmt/format.h>

#include <sstream>

#include "result/environment/fields.h"
#include "result/environment/readings.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

StatusOr<uint64_t> MemoryBytes(const Machine& machine, std::string_view name) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read("/proc/meminfo"));
  for (const std::string& line : PartsOf(text, '\n')) {
    std::istringstream words(line);
    std::string label;
    uint64_t kibibytes = 0;
    if (words >> label >> kibibytes && label == fmt::format("{}:", name)) return kibibytes * 1024;
  }
  return Status::Failed(fmt::format("/proc/meminfo has no {}", name));
}

Json Memory(const Machine& machine, const char* name) {
  const StatusOr<uint64_t> bytes = MemoryBytes(machine, name);
  return bytes.ok() ? Json(*bytes) : Unknown(bytes.status().message());
}

// Whole gibibytes, because the kernel's own share differs a little from boot to boot.
Json MemoryGib(const Machine& machine, const char* name) {
  const StatusOr<uint64_t> bytes = MemoryBytes(machine, name);
  if (!bytes.ok()) return Unknown(bytes.status().message());
  return (*bytes + (uint64_t{1} << 30) - 1) >> 30;
}

constexpr EnvironmentField kFields[] = {
    {"memory_gib", kHardware, MemoryGib, "MemTotal"},
    {"memory_total_bytes", kMoment, Memory, "MemTotal"},
    {"memory_available_bytes", kMoment, Memory, "MemAvailable"},
    {"swap_total_bytes", kMoment, Memory, "SwapTotal"},
    {"numa_nodes", kHardware, CountOfList, "/sys/devices/system/node/online"},
};

}  // namespace

std::span<const EnvironmentField> MemoryFields() { return kFields; }

}  // namespace levelfield
