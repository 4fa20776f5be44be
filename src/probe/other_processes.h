// What processes that work for an engine beside this one have used so far (lf_engine::processes),
// with all that they have started: by the kernel's accounts in /proc, whose times have steps of a
// tick, mostly 10 ms. One that has ended counts in the one that has waited for it.
#ifndef LEVELFIELD_PROBE_OTHER_PROCESSES_H_
#define LEVELFIELD_PROBE_OTHER_PROCESSES_H_

#include <optional>
#include <string_view>
#include <vector>

#include "base/process_tree.h"
#include "result/resources.h"

namespace levelfield {

// Adds the processor's time, faults, and switches of a process: of the texts of /proc/PID/stat, and
// of each /proc/PID/task/TID/status.
void AddStat(std::string_view stat, double ticks_per_second, Resources& sum);
void AddThreadStatus(std::string_view status, Resources& sum);

// Adds what the trees have used so far: times, faults, switches and bytes. Bytes only where `sum`
// has them.
void AddUseOf(const std::vector<ProcessId>& roots, Resources& sum);
// Adds their memory now, and the peak of each since ForgetPeaksOf.
void AddMemoryOf(const std::vector<ProcessId>& roots, Resources& sum);
void ForgetPeaksOf(const std::vector<ProcessId>& roots);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_OTHER_PROCESSES_H_
