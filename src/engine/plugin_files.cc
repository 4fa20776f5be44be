#include "engine/plugin_files.h"

#include <algorithm>
#include <system_error>

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".so";

}  // namespace

std::vector<std::string> PluginNames(const fs::path& directory, std::string_view prefix) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    std::error_code unreadable;
    if (!file.starts_with(prefix) || !file.ends_with(kSuffix) ||
        file.size() <= prefix.size() + kSuffix.size() ||
        !fs::is_regular_file(it->path(), unreadable)) {
      continue;
    }
    names.push_back(file.substr(prefix.size(), file.size() - prefix.size() - kSuffix.size()));
  }
  std::ranges::sort(names);
  return names;
}

fs::path PluginFile(const fs::path& directory, std::string_view prefix, const std::string& name) {
  return directory / (std::string(prefix) + name + std::string(kSuffix));
}

}  // namespace levelfield
