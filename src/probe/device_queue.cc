#include "probe/device_queue.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/whole_file.h"
#include "probe/block_device.h"
#include "result/environment/mounts.h"

namespace levelfield {

DeviceQueue::DeviceQueue(const std::string& directory, const std::string& root) {
  if (directory.empty()) return;
  std::error_code error;
  const std::string path = std::filesystem::absolute(directory, error).lexically_normal().string();
  const std::vector<Mount> mounts = ParseMounts(ReadAll(root + "/proc/self/mountinfo"));
  const Mount* const mount = MountOf(mounts, path);
  if (mount == nullptr) return;
  for (const std::string& device : BlockDevicesOf(*mount, root)) {
    UniqueFd file(open((device + "/inflight").c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() >= 0) in_flight_.push_back(std::move(file));
  }
}

bool DeviceQueue::IsBusy() const {
  return std::ranges::any_of(in_flight_, [](const UniqueFd& file) {
    char text[64];
    const ssize_t size = pread(file.get(), text, sizeof(text), 0);
    if (size <= 0) return false;
    const std::string_view counts(text, static_cast<size_t>(size));
    return counts.find_first_of("123456789") != std::string_view::npos;
  });
}

}  // namespace levelfield
