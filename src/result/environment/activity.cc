#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <sstream>

#include "result/environment/fields.h"
#include "result/environment/readings.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

Json Pressure(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  Json pressure = Json::object();  // "some avg10=0.00 avg60=0.00 avg300=0.00 total=0"
  for (const std::string& line : PartsOf(*text, '\n')) {
    const std::vector<std::string> words = PartsOf(line, ' ');
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t equals = words[i].find('=');
      double value = 0;
      const char* end = words[i].data() + words[i].size();
      if (equals == std::string::npos ||
          std::from_chars(words[i].data() + equals + 1, end, value).ec != std::errc()) {
        return Unknown(fmt::format("{} says \"{}\"", path, line));
      }
      const std::string name = words[i].substr(0, equals);
      pressure[words[0]][name == "total" ? "total_us" : name + "_percent"] = value;
    }
  }
  return pressure;
}

// The stolen share of all processor time since the machine started.
Json Steal(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  std::istringstream words(*text);  // cpu user nice system idle iowait irq softirq steal guest ...
  std::string label;
  words >> label;
  double all = 0;
  double steal = 0;
  int fields = 0;
  for (double ticks = 0; fields < 8 && words >> ticks; ++fields) {
    all += ticks;
    steal = ticks;
  }
  if (label != "cpu" || fields < 8) return Unknown(fmt::format("{} has no steal time", path));
  const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return {{"steal_s", steal / ticks_per_second}, {"all_s", all / ticks_per_second}};
}

Json Uptime(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  double seconds = 0;
  if (!(std::istringstream(*text) >> seconds)) return Unknown("it tells no number");
  return static_cast<uint64_t>(seconds);
}

Json LoadAverage(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  std::istringstream words(*text);
  double one = 0;
  double five = 0;
  double fifteen = 0;
  if (!(words >> one >> five >> fifteen))
    return Unknown(fmt::format("{} says \"{}\"", path, *text));
  return {one, five, fifteen};
}

constexpr EnvironmentField kFields[] = {
    {"pressure_cpu", kMoment, Pressure, "/proc/pressure/cpu"},
    {"pressure_io", kMoment, Pressure, "/proc/pressure/io"},
    {"pressure_memory", kMoment, Pressure, "/proc/pressure/memory"},
    {"steal", kMoment, Steal, "/proc/stat"},
    {"uptime_s", kMoment, Uptime, "/proc/uptime"},
    {"load_average", kMoment, LoadAverage, "/proc/loadavg"},
};

}  // namespace

std::span<const EnvironmentField> ActivityFields() { return kFields; }

}  // namespace levelfield
