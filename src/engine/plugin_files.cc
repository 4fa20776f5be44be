#include "engine/plugin_files.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".so";

}  // namespace

fs::path PluginKind::Directory() const {
  const char* const given = std::getenv(variable);
  if (given != nullptr && *given != '\0') return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (fs::is_directory(program / beside, error)) return program / beside;
  return program.parent_path() / installed;
}

std::vector<std::string> PluginKind::NamesIn(const fs::path& directory) const {
  const std::string_view begin = prefix;
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    std::error_code unreadable;
    if (!file.starts_with(begin) || !file.ends_with(kSuffix) ||
        file.size() <= begin.size() + kSuffix.size() ||
        !fs::is_regular_file(it->path(), unreadable)) {
      continue;
    }
    names.push_back(file.substr(begin.size(), file.size() - begin.size() - kSuffix.size()));
  }
  std::ranges::sort(names);
  return names;
}

fs::path PluginKind::FileOf(const fs::path& directory, const std::string& name) const {
  return directory / (prefix + name + std::string(kSuffix));
}

StatusOr<void*> PluginKind::LoadSymbol(const fs::path& file) const {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    return Status::Failed(fmt::format("cannot load {}: {}", file.string(),
                                      reason != nullptr ? reason : "no reason given"));
  }
  void* const found = dlsym(library, symbol);
  if (found != nullptr) return found;
  return Status::Failed(
      fmt::format("{}: exports no {}; it is {}", file.string(), symbol, stranger));
}

}  // namespace levelfield
