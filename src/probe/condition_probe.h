// Takes snapshots of what the machine does beside a phase: stolen time, other processes, waits,
// frequency. One thread calls it, before the first and after the last operation of a phase.
//
// The kernel counts processor time in ticks of 10 ms. A short phase therefore has the conditions of
// the last 0.2 s up to its end, as far back as the probe exists. One tick is taken off, as it may
// belong to a moment before: a share is what was surely taken.
#ifndef LEVELFIELD_PROBE_CONDITION_PROBE_H_
#define LEVELFIELD_PROBE_CONDITION_PROBE_H_

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process_tree.h"
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
  // What `processes` use is the run's own: a worker's are itself and the driver. /proc and /sys are
  // read below `root`.
  explicit ConditionProbe(std::vector<pid_t> processes = {getpid(), getppid()},
                          std::string root = "");

  // What these use, with all that they have started, is the run's own from now on: they work for
  // its store (lf_engine::processes). Those of the call before are let go.
  void Include(std::vector<ProcessId> others);
  // Forgets what was before.
  void StartOver();
  void Begin();
  // Since Begin. Several phases that begin together may end one after the other.
  Conditions End() const;

 private:
  struct Snapshot {
    uint64_t at_ns = 0;
    std::optional<ProcessorSeconds> processors;
    double own_seconds = 0;
    std::optional<uint64_t> cpu_wait_us;
    std::optional<uint64_t> io_wait_us;
    std::optional<uint64_t> memory_wait_us;
    std::optional<double> mhz;
  };
  Snapshot Take() const;

  std::vector<pid_t> processes_;
  std::string root_;
  std::vector<ProcessId> others_;
  std::deque<Snapshot> begun_;  // The last is of Begin. The first is 0.2 s older, if there is one.
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_CONDITION_PROBE_H_
