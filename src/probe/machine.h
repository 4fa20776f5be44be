// What this machine lets a process have: memory, open files, an allocator, processors.
#ifndef LEVELFIELD_PROBE_MACHINE_H_
#define LEVELFIELD_PROBE_MACHINE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

// What the machine can give without swapping; the greatest number where it does not say.
uint64_t AvailableMemoryBytes();

// How many processes the kernel has killed for want of memory, on the whole machine and in any
// cgroup (/proc/vmstat, since Linux 4.13): 0 where it does not tell.
uint64_t OomKillsSoFar();

// How many files this process may have open (ulimit -n).
uint64_t DescriptorLimit();

// The allocator of this process, which an engine that is loaded into it uses: the one behind
// `malloc` as the dynamic linker finds it, which is the first in its order and not any that is
// loaded. An engine that was linked with one of its own, statically, is not found out. Asked by the
// worker, once its engine is loaded: "glibc 2.36", "jemalloc 5.3.0-0-g...", "tcmalloc 2.10"; with
// those that are loaded besides.
std::string AllocatorInForce();

// The same from its parts: the file that `malloc` lies in, what it says its version is (empty: it
// does not tell), and the text of /proc/self/maps.
std::string DescribeAllocator(std::string_view file, std::string_view version,
                              std::string_view maps);

// On which of the machine's processors an engine's process runs. Set before its engine is loaded,
// so all threads that it ever makes are held to them. Where the scheduler may move threads about,
// a run is now on warm caches and now on cold ones, and two engines share what they happen to.

// The kernel's numbers, ascending, each once: "0,2-3" is 0, 2, 3.
StatusOr<std::vector<int>> ParseProcessors(std::string_view text);
// The inverse, with ranges: "0,2-3".
std::string ProcessorsText(const std::vector<int>& processors);

// Those that the calling thread may run on; empty where the kernel does not tell.
std::vector<int> ProcessorsInForce();

// From now on the calling thread, and every thread that it makes later, runs on these alone.
Status RunOnProcessors(const std::vector<int>& processors);

// Whether --cpus names processors that this program may use, as a mistake (kUsage) if not.
Status CheckProcessors(const std::string& cpus);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MACHINE_H_
