// A memory cgroup for one worker: it limits all that the worker uses, including the page cache of
// what it reads and writes. It is made below this process's group, with version 1 or 2 of the
// kernel's interface, and goes with this object. The next one removes what a killed driver left.
// The driver uses it from one thread.
#ifndef LEVELFIELD_PROBE_MEMORY_GROUP_H_
#define LEVELFIELD_PROBE_MEMORY_GROUP_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// Where groups can be made: a directory, and which interface it has.
struct MemoryHierarchy {
  std::string directory;
  int version = 0;
};

// From the texts of /proc/self/cgroup and /proc/self/mountinfo; nothing if there is none.
std::optional<MemoryHierarchy> FindMemoryHierarchy(std::string_view cgroups,
                                                   std::string_view mounts);

// Gives groups below this directory of version 2 the controller ("memory"), or fails with a usage
// error. This process may be in another group afterwards, below the directory.
Status HandOn(const std::string& directory, const std::string& controller);

// Writes the limit, also for swap, into the files of an existing group. 0: no limit. The kernel
// first takes back what page cache is above it.
Status SetMemoryLimit(const MemoryHierarchy& group, uint64_t bytes);

// A group's figures from the kernel: the most that was charged (0: unknown), and whether the limit
// has ended one of its processes.
uint64_t PeakOf(const MemoryHierarchy& group);
bool HasKilledIn(const MemoryHierarchy& group);

// What is charged to a group at the moment: the memory of its processes, and the page cache of what
// they read and wrote. 0: unknown.
struct MemoryUse {
  uint64_t own_bytes = 0;
  uint64_t page_cache_bytes = 0;
};
MemoryUse UseOf(const MemoryHierarchy& group);

// Whether such a group can be made here; if not, the reason and what to do, as a usage error.
Status CheckMemoryGroups();

class MemoryGroup {
 public:
  static StatusOr<MemoryGroup> Create(uint64_t limit_bytes);
  MemoryGroup(MemoryGroup&& other) noexcept;
  MemoryGroup& operator=(MemoryGroup&&) = delete;
  ~MemoryGroup();

  // A process that writes "0" to it enters the group.
  int procs_fd() const { return procs_.get(); }
  // Takes a process in that was started outside of it, as far as it lives.
  void Take(pid_t pid);
  // Lets its processes use more meanwhile.
  Status Lift();
  // The limit is back, and the peak is counted from here.
  Status Hold();
  // 0: unknown. The kernel has no such figure, or (before 6.12) cannot count it anew.
  uint64_t PeakBytes() const;
  MemoryUse Use() const { return UseOf(group_); }
  bool HasKilled() const { return HasKilledIn(group_); }

 private:
  MemoryGroup(MemoryHierarchy group, uint64_t limit_bytes)
      : group_(std::move(group)), limit_bytes_(limit_bytes) {}

  MemoryHierarchy group_;
  uint64_t limit_bytes_;
  UniqueFd procs_;
  bool was_lifted_ = false;
  UniqueFd peak_;  // Since the limit is back. Version 2 counts anew for each open file.
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MEMORY_GROUP_H_
