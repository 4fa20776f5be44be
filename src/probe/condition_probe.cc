#include "probe/condition_probe.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/clock.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

// The mean over the processors; nothing if the kernel has no such file (most guests).
std::optional<double> Megahertz(const std::string& root) {
  double sum = 0;
  size_t count = 0;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(root + "/sys/devices/system/cpu", error)) {
    std::ifstream file(entry.path() / "cpufreq" / "scaling_cur_freq");
    double khz = 0;
    if (!(file >> khz) || khz <= 0) continue;
    sum += khz / 1000;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

std::optional<double> Share(const std::optional<uint64_t>& before,
                            const std::optional<uint64_t>& after, double seconds) {
  if (!before || !after || *after < *before || seconds <= 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(*after - *before) * 1e-6 / seconds);
}

}  // namespace

std::optional<ProcessorSeconds> ParseProcessorSeconds(std::string_view stat,
                                                      double ticks_per_second) {
  // proc(5): cpu user nice system idle iowait irq softirq steal guest guest_nice; user and nice
  // already include the guests' time.
  std::istringstream words{std::string(stat.substr(0, stat.find('\n')))};
  std::string label;
  std::array<double, 8> ticks{};
  if (!(words >> label) || label != "cpu") return std::nullopt;
  for (double& value : ticks) {
    if (!(words >> value)) return std::nullopt;
  }
  const auto& [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
  const double busy = user + nice + system + irq + softirq;
  return ProcessorSeconds{.busy = busy / ticks_per_second,
                          .stolen = steal / ticks_per_second,
                          .all = (busy + idle + iowait + steal) / ticks_per_second};
}

std::optional<uint64_t> ParsePressure(std::string_view text) {
  if (!text.starts_with("some ")) return std::nullopt;
  const std::string_view line = text.substr(0, text.find('\n'));
  const size_t total = line.find("total=");
  if (total == std::string_view::npos) return std::nullopt;
  std::istringstream number{std::string(line.substr(total + 6))};
  uint64_t value = 0;
  if (!(number >> value)) return std::nullopt;
  return value;
}

ConditionProbe::ConditionProbe(std::string root) : root_(std::move(root)) {}

void ConditionProbe::Begin() { before_ = Take(); }

ConditionProbe::Snapshot ConditionProbe::Take() const {
  return {.at_ns = MonotonicNs(),
          .processors = ParseProcessorSeconds(ReadAll(root_ + "/proc/stat"),
                                              static_cast<double>(sysconf(_SC_CLK_TCK))),
          .cpu_wait_us = ParsePressure(ReadAll(root_ + "/proc/pressure/cpu")),
          .io_wait_us = ParsePressure(ReadAll(root_ + "/proc/pressure/io")),
          .memory_wait_us = ParsePressure(ReadAll(root_ + "/proc/pressure/memory")),
          .mhz = Megahertz(root_)};
}

Conditions ConditionProbe::End(double own_cpu_seconds) const {
  const Snapshot now = Take();
  Conditions conditions{.seconds = static_cast<double>(now.at_ns - before_.at_ns) * 1e-9};
  if (before_.processors && now.processors) {
    const double all = now.processors->all - before_.processors->all;
    if (all > 0) {
      conditions.stolen_share = (now.processors->stolen - before_.processors->stolen) / all;
      const double others = now.processors->busy - before_.processors->busy - own_cpu_seconds;
      conditions.others_share = std::clamp(others / all, 0.0, 1.0);
    }
  }
  conditions.cpu_wait_share = Share(before_.cpu_wait_us, now.cpu_wait_us, conditions.seconds);
  conditions.io_wait_share = Share(before_.io_wait_us, now.io_wait_us, conditions.seconds);
  conditions.memory_wait_share =
      Share(before_.memory_wait_us, now.memory_wait_us, conditions.seconds);
  conditions.begin_mhz = before_.mhz;
  conditions.end_mhz = now.mhz;
  return conditions;
}

}  // namespace levelfield
