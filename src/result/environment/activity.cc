#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <sstream>

#include "base/text.h"
#include "result/environment/machine.h"

namespace levelfield {
namespace {

Reading Pressure(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  Json pressure = Json::object();  // "some avg10=0.00 avg60=0.00 avg300=0.00 total=0"
  for (const std::string& line : LinesOf(text)) {
    const std::vector<std::string> words = Parts(line, ' ');
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t equals = words[i].find('=');
      double value = 0;
      const char* end = words[i].data() + words[i].size();
      if (equals == std::string::npos ||
          std::from_chars(words[i].data() + equals + 1, end, value).ec != std::errc()) {
        return Status::Failed(fmt::format("{} says \"{}\"", path, line));
      }
      const std::string name = words[i].substr(0, equals);
      pressure[words[0]][name == "total" ? "total_us" : name + "_percent"] = value;
    }
  }
  return pressure;
}

// The stolen share of all processor time since the machine started.
Reading Steal(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  std::istringstream words(text);  // cpu user nice system idle iowait irq softirq steal guest ...
  std::string label;
  words >> label;
  double all = 0;
  double steal = 0;
  int fields = 0;
  for (double ticks = 0; fields < 8 && words >> ticks; ++fields) {
    all += ticks;
    steal = ticks;
  }
  if (label != "cpu" || fields < 8)
    return Status::Failed(fmt::format("{} has no steal time", path));
  const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return Json{{"steal_s", steal / ticks_per_second}, {"all_s", all / ticks_per_second}};
}

Reading Uptime(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  double seconds = 0;
  if (!(std::istringstream(text) >> seconds)) return Status::Failed("it tells no number");
  return static_cast<uint64_t>(seconds);
}

Reading LoadAverage(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  std::istringstream words(text);
  double one = 0;
  double five = 0;
  double fifteen = 0;
  if (!(words >> one >> five >> fifteen))
    return Status::Failed(fmt::format("{} says \"{}\"", path, text));
  return Json{one, five, fifteen};
}

constexpr EnvironmentField kActivityFields[] = {
    {"pressure_cpu", kMoment, Pressure, "/proc/pressure/cpu"},
    {"pressure_io", kMoment, Pressure, "/proc/pressure/io"},
    {"pressure_memory", kMoment, Pressure, "/proc/pressure/memory"},
    {"steal", kMoment, Steal, "/proc/stat"},
    {"uptime_s", kMoment, Uptime, "/proc/uptime"},
    {"load_average", kMoment, LoadAverage, "/proc/loadavg"},
};

}  // namespace

std::span<const EnvironmentField> ActivityFields() { return kActivityFields; }

}  // namespace levelfield
