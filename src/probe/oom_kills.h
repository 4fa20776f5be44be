// How many processes the kernel has killed for want of memory, of the whole machine and of any
// cgroup (/proc/vmstat, since Linux 4.13): 0 where it does not tell. Any thread may call.
#ifndef LEVELFIELD_PROBE_OOM_KILLS_H_
#define LEVELFIELD_PROBE_OOM_KILLS_H_

#include <cstdint>
#include <sstream>
#include <string>

#include "base/whole_file.h"

namespace levelfield {

inline uint64_t OomKillsSoFar() {
  std::istringstream lines(ReadAll("/proc/vmstat"));
  std::string name;
  for (uint64_t count = 0; lines >> name >> count;) {
    if (name == "oom_kill") return count;
  }
  return 0;
}

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_OOM_KILLS_H_
