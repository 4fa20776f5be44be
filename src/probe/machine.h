// What this machine lets a process have: memory, open files, an allocator, processors.
#ifndef LEVELFIELD_PROBE_MACHINE_H_
#define LEVELFIELD_PROBE_MACHINE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

// The memory that the machine has without swapping; the greatest number if unknown.
uint64_t AvailableMemoryBytes();

// How many processes the kernel has killed for lack of memory, on the whole machine and in any
// cgroup (/proc/vmstat, since Linux 4.13): 0 if unknown.
uint64_t OomKillsSoFar();

// How many files this process may have open (ulimit -n).
uint64_t DescriptorLimit();

// The allocator of this process, which a loaded engine uses: the one behind `malloc` as the dynamic
// linker finds it, so the first in its order. It does not notice an allocator that an engine was
// linked with statically. The worker asks once its engine is loaded: "glibc 2.36", "jemalloc
// 5.3.0-0-g...", "tcmalloc 2.10"; other loaded allocators are named too.
std::string AllocatorInForce();

// The same from its parts: the file that contains `malloc`, its version (empty: unknown), and the
// text of /proc/self/maps.
std::string DescribeAllocator(std::string_view file, std::string_view version,
                              std::string_view maps);

// The processors on which an engine's process runs. Set before its engine is loaded, so it holds
// for all of its threads. If the scheduler may move threads, a run has sometimes warm caches and
// sometimes cold ones, and two engines share processors by chance.

// The kernel's numbers, ascending, each once: "0,2-3" is 0, 2, 3.
StatusOr<std::vector<int>> ParseProcessors(std::string_view text);
// The inverse, with ranges: "0,2-3".
std::string ProcessorsText(const std::vector<int>& processors);

// The processors that the calling thread may run on; empty if unknown.
std::vector<int> ProcessorsInForce();

// From now on the calling thread, and every thread that it makes, runs only on these.
Status RunOnProcessors(const std::vector<int>& processors);

// kUsage if --cpus names processors that this program may not use. `usable` are those that it may,
// in ProcessorsText's form; empty if unknown. Pure.
Status CheckProcessors(const std::string& cpus, const std::string& usable);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MACHINE_H_
