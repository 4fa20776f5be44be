#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "result/environment/machine.h"

namespace levelfield {
namespace {

// The first "name : value" in /proc/cpuinfo.
StatusOr<std::string> CpuInfo(const Machine& machine, std::string_view name) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read("/proc/cpuinfo"));
  for (const std::string& line : LinesOf(text)) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos && Trimmed(line.substr(0, colon)) == name) {
      return Trimmed(line.substr(colon + 1));
    }
  }
  return Status::Failed(fmt::format("/proc/cpuinfo has no \"{}\"", name));
}

Reading CpuInfoField(const Machine& machine, const char* name) {
  ASSIGN_OR_RETURN(const std::string value, CpuInfo(machine, name));
  return value;
}

// The number of different combinations of these topology files among the online processors.
Reading Topology(const Machine& machine, const char* files) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> online,
                   NumberList(machine, "/sys/devices/system/cpu/online"));
  std::set<std::string> different;
  for (const uint64_t cpu : online) {
    std::string key;
    for (const std::string& file : Parts(files, ' ')) {
      ASSIGN_OR_RETURN(
          const std::string text,
          machine.Read(fmt::format("/sys/devices/system/cpu/cpu{}/topology/{}", cpu, file)));
      key += text + " ";
    }
    different.insert(key);
  }
  return different.size();
}

Reading Caches(const Machine& machine, const char* directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, machine.NamesIn(directory));
  Json caches = Json::object();
  for (const std::string& name : names) {
    if (name.rfind("index", 0) != 0) continue;
    const std::string cache = fmt::format("{}/{}/", directory, name);
    ASSIGN_OR_RETURN(const std::string level, machine.Read(cache + "level"));
    ASSIGN_OR_RETURN(const std::string type, machine.Read(cache + "type"));
    ASSIGN_OR_RETURN(const std::string size, machine.Read(cache + "size"));
    ASSIGN_OR_RETURN(const std::string shared, machine.Read(cache + "shared_cpu_list"));
    caches[fmt::format("L{} {}", level, type)] = fmt::format("{}, cpus {}", size, shared);
  }
  if (caches.empty()) return Status::Failed(fmt::format("{} lists none", directory));
  return caches;
}

// The values of one file over all frequency policies.
StatusOr<std::set<std::string>> Frequency(const Machine& machine, const std::string& file) {
  const std::string directory = "/sys/devices/system/cpu/cpufreq";
  ASSIGN_OR_RETURN(const std::vector<std::string> names, machine.NamesIn(directory));
  std::set<std::string> values;
  for (const std::string& name : names) {
    if (name.rfind("policy", 0) != 0) continue;
    ASSIGN_OR_RETURN(const std::string text,
                     machine.Read(fmt::format("{}/{}/{}", directory, name, file)));
    values.insert(text);
  }
  if (values.empty()) return Status::Failed(fmt::format("{} has no policy", directory));
  return values;
}

Reading Governor(const Machine& machine, const char*) {
  ASSIGN_OR_RETURN(const std::set<std::string> values, Frequency(machine, "scaling_governor"));
  return fmt::format("{}", fmt::join(values, ", "));
}

Reading Extreme(const Machine& machine, const std::string& file, bool greatest) {
  ASSIGN_OR_RETURN(const std::set<std::string> values, Frequency(machine, file));
  std::set<uint64_t> numbers;
  for (const std::string& value : values) numbers.insert(Digits(value).value_or(0));
  return greatest ? *numbers.rbegin() : *numbers.begin();
}

Reading Lowest(const Machine& machine, const char* file) { return Extreme(machine, file, false); }
Reading Greatest(const Machine& machine, const char* file) { return Extreme(machine, file, true); }

Reading Turbo(const Machine& machine, const char*) {
  const StatusOr<std::string> off = machine.Read("/sys/devices/system/cpu/intel_pstate/no_turbo");
  if (off.ok()) return *off == "0" ? "on" : "off";
  const StatusOr<std::string> on = machine.Read("/sys/devices/system/cpu/cpufreq/boost");
  if (on.ok()) return *on == "1" ? "on" : "off";
  return Status::Failed(off.status().message() + "; " + on.status().message());
}

Reading LinesOfDirectory(const Machine& machine, const char* directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, machine.NamesIn(directory));
  Json lines = Json::object();
  for (const std::string& name : names) {
    lines[name] = Line(machine, fmt::format("{}/{}", directory, name).c_str()).json;
  }
  return lines;
}

Reading StatusLine(const Machine& machine, const char* name) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read("/proc/self/status"));
  for (const std::string& line : LinesOf(text)) {
    if (line.rfind(fmt::format("{}:", name), 0) == 0)
      return Trimmed(line.substr(line.find(':') + 1));
  }
  return Status::Failed(fmt::format("/proc/self/status has no {}", name));
}

Reading Hypervisor(const Machine& machine, const char*) {
  ASSIGN_OR_RETURN(const std::string flags, CpuInfo(machine, "flags"));
  if ((" " + flags + " ").find(" hypervisor ") == std::string::npos) return "none";
  return "present";
}

constexpr EnvironmentField kProcessorFields[] = {
    {"cpu_model", kHardware, CpuInfoField, "model name"},
    {"cpu_sockets", kHardware, Topology, "physical_package_id"},
    {"cpu_cores", kHardware, Topology, "physical_package_id core_id"},
    {"cpu_threads_online", kHardware, CountOfList, "/sys/devices/system/cpu/online"},
    {"cpu_smt", kHardware, Line, "/sys/devices/system/cpu/smt/control"},
    {"cpu_microcode", kHardware, CpuInfoField, "microcode"},
    {"cpu_caches", kHardware, Caches, "/sys/devices/system/cpu/cpu0/cache"},
    {"cpu_governor", kHardware, Governor, ""},
    {"cpu_turbo", kHardware, Turbo, ""},
    {"cpu_min_khz", kHardware, Lowest, "cpuinfo_min_freq"},
    {"cpu_max_khz", kHardware, Greatest, "cpuinfo_max_freq"},
    {"cpu_mitigations", kHardware, LinesOfDirectory, "/sys/devices/system/cpu/vulnerabilities"},
    {"cpu_affinity", kPlace, StatusLine, "Cpus_allowed_list"},
    {"hypervisor", kHardware, Hypervisor, ""},
    {"machine_vendor", kHardware, Line, "/sys/class/dmi/id/sys_vendor"},
    {"machine_product", kHardware, Line, "/sys/class/dmi/id/product_name"},
};

}  // namespace

std::span<const EnvironmentField> ProcessorFields() { return kProcessorFields; }

}  // namespace levelfield
