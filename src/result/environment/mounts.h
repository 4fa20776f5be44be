// What is mounted where, by the lines of /proc/self/mountinfo (proc(5)). Pure.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_MOUNTS_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_MOUNTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace levelfield {

struct Mount {
  std::string device;  // "8:1"
  std::string root;    // What of the file system is mounted; "/" but for bind mounts.
  std::string point;
  std::string options;
  std::string type;
  std::string source;
  std::string super_options;
};

std::vector<Mount> ParseMounts(std::string_view mountinfo);

// The value of an option: "/a/b" of "upperdir=/a/b,workdir=/c"; the name of one without.
std::string OptionOf(std::string_view options, std::string_view name);

// The one that the absolute path is on, or would be on; null where none holds it.
const Mount* MountOf(const std::vector<Mount>& mounts, const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_MOUNTS_H_
