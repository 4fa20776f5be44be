// Mount points, from the lines of /proc/self/mountinfo (proc(5)). Pure.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_MOUNTS_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_MOUNTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace levelfield {

struct Mount {
  std::string device;  // "8:1"
  std::string root;    // The mounted part of the file system: "/" except for bind mounts.
  std::string point;
  std::string options;
  std::string type;
  std::string source;
  std::string super_options;
};

std::vector<Mount> ParseMounts(std::string_view mountinfo);

// The value of an option: "/a/b" for "upperdir=/a/b,workdir=/c". The name of an option without a
// value.
std::string OptionOf(std::string_view options, std::string_view name);

// The mount that the absolute path is on, or will be on. Null if there is none.
const Mount* MountOf(const std::vector<Mount>& mounts, const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_MOUNTS_H_
