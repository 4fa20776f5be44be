#include "result/environment/mounts.h"

#include <optional>

#include "base/text.h"

namespace levelfield {
namespace {

std::string WithoutOctal(const std::string& text) {  // "\040" is a space there.
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::optional<Mount> MountOn(std::string_view line) {
  const size_t dash = line.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> left = Parts(line.substr(0, dash), ' ');
  const std::vector<std::string> right = Parts(line.substr(dash + 3), ' ');
  if (left.size() < 6 || right.size() < 3) return std::nullopt;
  return Mount{.device = left[2],
               .root = WithoutOctal(left[3]),
               .point = WithoutOctal(left[4]),
               .options = left[5],
               .type = right[0],
               .source = WithoutOctal(right[1]),
               .super_options = right[2]};
}

}  // namespace

std::vector<Mount> ParseMounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  for (const std::string& line : Parts(mountinfo, '\n')) {
    if (std::optional<Mount> mount = MountOn(line)) mounts.push_back(std::move(*mount));
  }
  return mounts;
}

std::string OptionOf(std::string_view options, std::string_view name) {
  for (const std::string& option : Parts(options, ',')) {  // A comma in a value is "\054".
    if (option == name) return option;
    if (option.starts_with(name) && option[name.size()] == '=') {
      return WithoutOctal(option.substr(name.size() + 1));
    }
  }
  return "";
}

const Mount* MountOf(const std::vector<Mount>& mounts, const std::string& path) {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts) {
    const bool holds =
        mount.point == "/" || path == mount.point || path.starts_with(mount.point + "/");
    // If two are mounted at the same point, the later one hides the earlier.
    if (holds && (best == nullptr || mount.point.size() >= best->point.size())) best = &mount;
  }
  return best;
}

}  // namespace levelfield
