#include "probe/condition_probe.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/clock.h"
#include "base/whole_file.h"
#include "probe/other_processes.h"

namespace levelfield {
namespace {

constexpr uint64_t kLeastNs = 200'000'000;

// A zombie still has what it used. 0: it is gone.
double CpuSecondsOf(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (process <= 0 || clock_getcpuclockid(process, &clock) != 0 ||
      clock_gettime(clock, &time) != 0) {
    return 0;
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

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

ConditionProbe::ConditionProbe(std::vector<pid_t> processes, std::string root)
    : processes_(std::move(processes)), root_(std::move(root)) {
  StartOver();
}

void ConditionProbe::StartOver() {
  begun_.clear();
  begun_.push_back(Take());
}

void ConditionProbe::Include(std::vector<ProcessId> others) {
  if (others == others_) return;
  others_ = std::move(others);
  StartOver();
}

void ConditionProbe::Begin() {
  begun_.push_back(Take());
  while (begun_[1].at_ns + kLeastNs <= begun_.back().at_ns) begun_.pop_front();
}

ConditionProbe::Snapshot ConditionProbe::Take() const {
  double own_seconds = 0;
  for (const pid_t process : processes_) own_seconds += CpuSecondsOf(process);
  Resources of_others;
  AddUseOf(others_, of_others);
  own_seconds += of_others.user_seconds + of_others.system_seconds;
  return {.at_ns = MonotonicNs(),
          .processors = ParseProcessorSeconds(ReadAll(root_ + "/proc/stat"),
                                              static_cast<double>(sysconf(_SC_CLK_TCK))),
          .own_seconds = own_seconds,
          .cpu_wait_us = ParsePressure(ReadAll(root_ + "/proc/pressure/cpu")),
          .io_wait_us = ParsePressure(ReadAll(root_ + "/proc/pressure/io")),
          .memory_wait_us = ParsePressure(ReadAll(root_ + "/proc/pressure/memory")),
          .mhz = Megahertz(root_)};
}

Conditions ConditionProbe::End() const {
  const Snapshot now = Take();
  // The latest that is old enough, or else the first.
  const auto newest = std::ranges::find_if(
      begun_.rbegin(), begun_.rend() - 1,
      [&](const Snapshot& begun) { return begun.at_ns + kLeastNs <= now.at_ns; });
  const Snapshot& before = *newest;
  Conditions conditions{.seconds = static_cast<double>(now.at_ns - before.at_ns) * 1e-9};
  if (before.processors && now.processors) {
    const double all = now.processors->all - before.processors->all;
    const auto share = [&](double seconds) {
      return std::clamp((seconds - 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK))) / all, 0., 1.);
    };
    if (all > 0) {
      conditions.stolen_share = share(now.processors->stolen - before.processors->stolen);
      conditions.others_share = share(now.processors->busy - before.processors->busy -
                                      (now.own_seconds - before.own_seconds));
    }
  }
  conditions.cpu_wait_share = Share(before.cpu_wait_us, now.cpu_wait_us, conditions.seconds);
  conditions.io_wait_share = Share(before.io_wait_us, now.io_wait_us, conditions.seconds);
  conditions.memory_wait_share =
      Share(before.memory_wait_us, now.memory_wait_us, conditions.seconds);
  conditions.begin_mhz = before.mhz;
  conditions.end_mhz = now.mhz;
  return conditions;
}

}  // namespace levelfield
