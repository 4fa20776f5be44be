// A directory to mount on, which is unmounted and removed with its owner. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_MOUNT_POINT_H_
#define LEVELFIELD_FILE_SYSTEM_MOUNT_POINT_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// Empty where this process may mount, else why not.
std::string WhyNoMounts();

// From now on what this thread, its children and the threads that it makes mount is seen by nobody
// else, and the kernel unmounts it when the last of them is gone, whatever way. Once a process;
// again does nothing. To be called before there are other threads that are to see the mounts.
Status HaveMountsOfOurOwn();

// Leaves a chroot, of which mount(2) and umount(2) know nothing where its root is no mount point. For a process
// that has mounts of its own, with one thread. False where that cannot be; errno says why.
bool GoToTheRootOfMounts();

class MountPoint {
 public:
  // A new directory in `scratch`, which has to be there. Has mounts of our own from then on.
  static StatusOr<MountPoint> Make(const std::string& scratch);

  MountPoint(MountPoint&& other) noexcept;
  MountPoint& operator=(MountPoint&&) = delete;
  // What is still in use is out of sight at once, and gone with its last user.
  ~MountPoint();

  const std::string& directory() const { return directory_; }

  // `options` as for mount -o.
  Status Mount(const std::string& device, const std::string& file_system,
               const std::string& options);
  // A failure where nothing is mounted here: all would be written beside it, to no effect.
  Status CheckMounted() const;
  // Fails where somebody still has a file of it open after five seconds.
  Status Unmount();

 private:
  explicit MountPoint(std::string directory) : directory_(std::move(directory)) {}

  std::string directory_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_MOUNT_POINT_H_
