#include "result/conditions.h"

#include <fmt/format.h>

#include <cmath>

namespace levelfield {
namespace {

constexpr double kMostStolen = 0.01;
constexpr double kMostOthers = 0.05;
constexpr double kMostCpuWait = 0.10;
constexpr double kMostMemoryWait = 0.10;
constexpr double kMostFrequencyChange = 0.10;
// Ticks are 10 ms: over less than this, one of them is 5 % of a processor.
constexpr double kLeastSeconds = 0.2;

}  // namespace

bool IsTooShortToTell(const Conditions& conditions) { return conditions.seconds < kLeastSeconds; }

std::vector<std::string> DisturbancesOf(const Conditions& conditions) {
  std::vector<std::string> said;
  const auto percent = [](double share) { return fmt::format("{:.0f} %", share * 100); };
  if (conditions.stolen_share.value_or(0) > kMostStolen) {
    said.push_back(percent(*conditions.stolen_share) +
                   " of the processors' time was given to other guests of the machine");
  }
  const bool has_others = conditions.others_share.value_or(0) > kMostOthers;
  if (has_others) {
    said.push_back("other processes took " + percent(*conditions.others_share) +
                   " of the processors' time");
  }
  // Alone, waits for a processor are the phase's own: more threads than processors.
  if (has_others && conditions.cpu_wait_share.value_or(0) > kMostCpuWait) {
    said.push_back("a task waited for a processor " + percent(*conditions.cpu_wait_share) +
                   " of the time");
  }
  if (conditions.memory_wait_share.value_or(0) > kMostMemoryWait) {
    said.push_back("a task waited for memory " + percent(*conditions.memory_wait_share) +
                   " of the time");
  }
  if (conditions.begin_mhz && conditions.end_mhz &&
      std::abs(*conditions.end_mhz / *conditions.begin_mhz - 1) > kMostFrequencyChange) {
    said.push_back(fmt::format("the processors went from {:.0f} to {:.0f} MHz",
                               *conditions.begin_mhz, *conditions.end_mhz));
  }
  return said;
}

}  // namespace levelfield
