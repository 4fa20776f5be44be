// The mounts of this process, and which of them a path is on. Names alone do not tell: what is
// mounted over a directory later hides all that was mounted below it. Used by one thread.
#ifndef LEVELFIELD_PROBE_MOUNT_TABLE_H_
#define LEVELFIELD_PROBE_MOUNT_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "result/environment/mounts.h"

namespace levelfield {

class MountTable {
 public:
  // `root` stands before /proc; empty: this machine's. On another machine the names must do.
  explicit MountTable(const std::string& root);

  // The mount that the absolute path is on, or will be on. Null if there is none.
  const Mount* At(const std::string& path) const;
  // The first with that device number ("0:45"). Null if there is none.
  const Mount* OfDevice(const std::string& number) const;

 private:
  bool is_of_this_machine_;
  std::vector<Mount> mounts_;
  std::vector<uint64_t> ids_;  // The kernel's, one for each.
};

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_MOUNT_TABLE_H_
