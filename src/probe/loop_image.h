// The file behind a loop device, by its device and inode: its name alone says nothing, because the
// file may have lost it, or another file may have it now. `root` stands before /sys and /dev;
// empty: this machine's. Any thread may call.
#ifndef LEVELFIELD_PROBE_LOOP_IMAGE_H_
#define LEVELFIELD_PROBE_LOOP_IMAGE_H_

#include <sys/types.h>

#include <optional>
#include <string>

namespace levelfield {

struct LoopImage {
  struct Place {
    dev_t device = 0;  // As stat(2) of the file says it.
    ino_t inode = 0;
    std::optional<dev_t> block_device = {};  // If the file is one.
  };
  std::string name;                 // Absolute; with " (deleted)" if it has lost its name.
  std::optional<Place> place = {};  // Told to root alone.
};

// Of a disk as block_device.h has them; nothing for other devices.
std::optional<LoopImage> LoopImageOf(const std::string& disk, const std::string& root = "");

// A path by which the image's file system can be reached: the image itself, or the directory that
// it was deleted from. Empty if another file system is there now, or nothing.
std::string PathTo(const LoopImage& image);

// Which file system in memory has that device number, if it is mounted nowhere here: "the kernel's
// own tmpfs (memfd)". Empty: none that is known; it may be on a device.
std::string WhyInMemory(dev_t device);

// "0:45", as /proc/self/mountinfo and /sys/dev/block have it.
std::string NumberOf(dev_t device);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_LOOP_IMAGE_H_
