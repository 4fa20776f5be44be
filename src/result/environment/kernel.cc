#include <fmt/format.h>

#include <sstream>

#include "base/text.h"
#include "result/environment/machine.h"

namespace levelfield {
namespace {

// Leaves out words about the network or secrets.
Reading CommandLine(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  std::string line;
  for (const std::string& word : Parts(text, ' ')) {
    if (word == "--") return line + " -- (withheld)";  // The rest is for init, not for the kernel.
    const std::string name = word.substr(0, word.find('='));
    const bool withheld = name == "ip" || name == "nfsroot" || name == "ifname" ||
                          name.find("hostname") != std::string::npos ||
                          name.find("credential") != std::string::npos ||
                          name.find("password") != std::string::npos;
    if (!line.empty()) line += ' ';
    line += withheld ? name + "=(withheld)" : word;
  }
  return line;
}

StatusOr<uint64_t> MemoryBytes(const Machine& machine, std::string_view name) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read("/proc/meminfo"));
  for (const std::string& line : LinesOf(text)) {
    std::istringstream words(line);
    std::string label;
    uint64_t kibibytes = 0;
    if (words >> label >> kibibytes && label == fmt::format("{}:", name)) return kibibytes * 1024;
  }
  return Status::Failed(fmt::format("/proc/meminfo has no {}", name));
}

Reading Memory(const Machine& machine, const char* name) {
  ASSIGN_OR_RETURN(const uint64_t bytes, MemoryBytes(machine, name));
  return bytes;
}

// Whole gibibytes, because the kernel's own share differs a little from boot to boot.
Reading MemoryGib(const Machine& machine, const char* name) {
  ASSIGN_OR_RETURN(const uint64_t bytes, MemoryBytes(machine, name));
  return (bytes + (uint64_t{1} << 30) - 1) >> 30;
}

constexpr EnvironmentField kKernelFields[] = {
    {"kernel", kHardware, Line, "/proc/sys/kernel/osrelease"},
    {"kernel_build", kHardware, Line, "/proc/sys/kernel/version"},
    {"kernel_cmdline", kHardware, CommandLine, "/proc/cmdline"},
    {"clocksource", kHardware, Line,
     "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {"aslr", kHardware, Line, "/proc/sys/kernel/randomize_va_space"},
    {"thp_enabled", kHardware, Line, "/sys/kernel/mm/transparent_hugepage/enabled"},
    {"thp_defrag", kHardware, Line, "/sys/kernel/mm/transparent_hugepage/defrag"},
    {"swappiness", kHardware, Line, "/proc/sys/vm/swappiness"},
    {"overcommit_memory", kHardware, Line, "/proc/sys/vm/overcommit_memory"},
    {"dirty_ratio", kHardware, Line, "/proc/sys/vm/dirty_ratio"},
    {"dirty_background_ratio", kHardware, Line, "/proc/sys/vm/dirty_background_ratio"},
    {"dirty_bytes", kHardware, Line, "/proc/sys/vm/dirty_bytes"},
    {"dirty_background_bytes", kHardware, Line, "/proc/sys/vm/dirty_background_bytes"},
    {"dirty_expire_centisecs", kHardware, Line, "/proc/sys/vm/dirty_expire_centisecs"},
    {"dirty_writeback_centisecs", kHardware, Line, "/proc/sys/vm/dirty_writeback_centisecs"},
    {"memory_gib", kHardware, MemoryGib, "MemTotal"},
    {"memory_total_bytes", kMoment, Memory, "MemTotal"},
    {"memory_available_bytes", kMoment, Memory, "MemAvailable"},
    {"swap_total_bytes", kMoment, Memory, "SwapTotal"},
    {"numa_nodes", kHardware, CountOfList, "/sys/devices/system/node/online"},
};

}  // namespace

std::span<const EnvironmentField> KernelFields() { return kKernelFields; }

}  // namespace levelfield
