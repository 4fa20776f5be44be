// For tests only: small disks, and files on them.
#ifndef LEVELFIELD_FILE_SYSTEM_DISKS_FOR_TEST_H_
#define LEVELFIELD_FILE_SYSTEM_DISKS_FOR_TEST_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "base/unique_fd.h"

namespace levelfield {

// The least that its mkfs accepts, or little more.
inline uint64_t SmallSizeOf(const std::string& file_system) {
  const uint64_t mib = file_system == "xfs" ? 300 : file_system == "btrfs" ? 128 : 64;
  return mib << 20;
}

// Overwrites a file that exists.
inline void WriteSynced(const std::string& directory, const std::string& name,
                        const std::string& text) {
  const UniqueFd file(open((directory + "/" + name).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ASSERT_EQ(fsync(file.get()), 0);
  const UniqueFd above(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(fsync(above.get()), 0);
}

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_DISKS_FOR_TEST_H_
