// What this machine lets the process have of memory and open files. Any thread may call.
#ifndef LEVELFIELD_PROBE_MACHINE_LIMITS_H_
#define LEVELFIELD_PROBE_MACHINE_LIMITS_H_

#include <cstdint>

namespace levelfield {

// What the machine can give without swapping; the greatest number where it does not say.
uint64_t AvailableMemoryBytes();

// How many processes the kernel has killed for want of memory, on the whole machine and in any
// cgroup (/proc/vmstat, since Linux 4.13): 0 where it does not tell.
uint64_t OomKillsSoFar();

// How many files this process may have open (ulimit -n).
uint64_t DescriptorLimit();

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MACHINE_LIMITS_H_
