// Takes snapshots of what the machine does beside a phase: stolen time, other processes, waits,
// frequency. One thread calls it, before the first and after the last operation of a phase.
#ifndef LEVELFIELD_PROBE_CONDITION_PROBE_H_
#define LEVELFIELD_PROBE_CONDITION_PROBE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "result/conditions.h"

namespace levelfield {

// The first line of /proc/stat, in seconds over all processors; the ticks a second are the kernel's
// unit.
struct ProcessorSeconds {
  double busy = 0;  // For any process here and interrupts, without stolen time.
  double stolen = 0;
  double all = 0;
};
std::optional<ProcessorSeconds> ParseProcessorSeconds(std::string_view stat,
                                                      double ticks_per_second);
// The total of `some` in /proc/pressure/*, in microseconds.
std::optional<uint64_t> ParsePressure(std::string_view text);

class ConditionProbe {
 public:
  // /proc and /sys are read below `root`.
  explicit ConditionProbe(std::string root = "");

  void Begin();
  // Since Begin; `own_cpu_seconds` is what this process used meanwhile.
  Conditions End(double own_cpu_seconds) const;

 private:
  struct Snapshot {
    uint64_t at_ns = 0;
    std::optional<ProcessorSeconds> processors;
    std::optional<uint64_t> cpu_wait_us;
    std::optional<uint64_t> io_wait_us;
    std::optional<uint64_t> memory_wait_us;
    std::optional<double> mhz;
  };
  Snapshot Take() const;

  std::string root_;
  Snapshot before_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CONDITION_PROBE_H_
