// For tests only: what is left of disks and file systems whose images and mounts were below a
// directory.
#ifndef LEVELFIELD_FILE_SYSTEM_LEFT_OVERS_FOR_TEST_H_
#define LEVELFIELD_FILE_SYSTEM_LEFT_OVERS_FOR_TEST_H_

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

namespace levelfield {

// "/dev/loop3 has /tmp/x/image (deleted)", "/tmp/x/mount_1 is mounted"; names of existing files.
inline std::set<std::string> WhatIsThereOf(const std::string& directory) {
  std::set<std::string> found;
  for (const auto& device : std::filesystem::directory_iterator("/sys/block")) {
    std::string file;  // Other processes come and go: their file may end while it is read.
    std::ifstream backing_file(device.path() / "loop/backing_file");
    if (!std::getline(backing_file, file)) continue;
    if (file.find(directory) == std::string::npos) continue;
    found.insert("/dev/" + device.path().filename().string() + " has " + file);
  }
  std::ifstream mounts("/proc/self/mounts");
  for (std::string source, target, rest; mounts >> source >> target && getline(mounts, rest);) {
    if (target.starts_with(directory)) found.insert(target + " is mounted");
  }
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    found.insert(file.path());
  }
  return found;
}

// The kernel releases a loop device a moment after its last user is gone.
inline std::set<std::string> WhatIsLeftOf(const std::string& directory) {
  std::set<std::string> left;
  for (int i = 0; i < 500; ++i) {
    left = WhatIsThereOf(directory);
    if (left.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return left;
}

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_LEFT_OVERS_FOR_TEST_H_
