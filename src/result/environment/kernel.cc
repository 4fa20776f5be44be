#include <fmt/format.h>

#include "result/environment/fields.h"
#include "result/environment/readings.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// Leaves out words about the network or secrets.
Json CommandLine(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  std::string line;
  for (const std::string& word : PartsOf(*text, ' ')) {
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

constexpr EnvironmentField kFields[] = {
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
};

}  // namespace

std::span<const EnvironmentField> KernelFields() { return kFields; }

}  // namespace levelfield
