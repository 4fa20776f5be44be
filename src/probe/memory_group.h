// A memory cgroup for one worker: what it may use in all, the page cache of what it reads and
// writes included. Made below the group that this process is in, with version 1 or 2 of the
// kernel's interface, and gone with this object; what a killed driver has left is removed by the
// next one. Used by the driver's one thread.
#ifndef LEVELFIELD_PROBE_MEMORY_GROUP_H_
#define LEVELFIELD_PROBE_MEMORY_GROUP_H_

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

// From the texts of /proc/self/cgroup and /proc/self/mountinfo; nothing where there is none.
std::optional<MemoryHierarchy> FindMemoryHierarchy(std::string_view cgroups,
                                                   std::string_view mounts);

// Sees to it that groups below this directory of version 2 have the controller ("memory"); a usage
// error where they cannot. This process may be in another group afterwards, below the directory.
Status HandOn(const std::string& directory, const std::string& controller);

// Writes the limit, of swap as well, into the files of a group that has been made.
Status SetMemoryLimit(const MemoryHierarchy& group, uint64_t bytes);

// What the kernel says of a group: the most that was charged (0: it does not tell), and whether the
// limit has ended a process of it.
uint64_t PeakOf(const MemoryHierarchy& group);
bool HasKilledIn(const MemoryHierarchy& group);

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
  uint64_t PeakBytes() const { return PeakOf(group_); }
  bool HasKilled() const { return HasKilledIn(group_); }

 private:
  explicit MemoryGroup(MemoryHierarchy group) : group_(std::move(group)) {}

  MemoryHierarchy group_;
  UniqueFd procs_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MEMORY_GROUP_H_
