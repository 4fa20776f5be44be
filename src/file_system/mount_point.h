// A directory to mount on. Its owner unmounts and removes it. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_MOUNT_POINT_H_
#define LEVELFIELD_FILE_SYSTEM_MOUNT_POINT_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// Empty if this process may mount, else why not.
std::string WhyNoMounts();

// Gives this thread, and the threads and children that it makes, mounts that nobody else sees. The
// kernel unmounts them when the last of these is gone. A second call does nothing. Call it before
// starting threads that have to see the mounts.
Status HaveMountsOfOurOwn();

// Leaves a chroot. Needed where the chroot's root is not a mount point, so that mount(2) refuses
// it. The process must have mounts of its own and one thread. On failure returns false and sets
// errno.
bool GoToTheRootOfMounts();

class MountPoint {
 public:
  // A new directory in `scratch`, which must exist. From then on the process has its own mounts.
  static StatusOr<MountPoint> Make(const std::string& scratch);

  MountPoint(MountPoint&& other) noexcept;
  MountPoint& operator=(MountPoint&&) = delete;
  // Hides at once whatever is still in use; it is gone with its last user.
  ~MountPoint();

  const std::string& directory() const { return directory_; }

  // `options` as for mount -o.
  Status Mount(const std::string& device, const std::string& file_system,
               const std::string& options);
  // Fails if nothing is mounted here: everything would be written beside it, to no effect.
  Status CheckMounted() const;
  // Fails if somebody still has one of its files open after five seconds.
  Status Unmount();

 private:
  explicit MountPoint(std::string directory) : directory_(std::move(directory)) {}

  std::string directory_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_MOUNT_POINT_H_
