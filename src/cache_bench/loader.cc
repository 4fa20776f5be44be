#include "cache_bench/loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "levelfield_cache_";
constexpr std::string_view kSuffix = ".so";

bool IsWhole(const lf_cache_table& table) {
  return table.struct_bytes >= sizeof(lf_cache_table) && table.name != nullptr &&
         table.summary != nullptr && table.license != nullptr && table.describe != nullptr &&
         table.last_error != nullptr && table.create != nullptr && table.destroy != nullptr &&
         table.insert != nullptr && table.lookup != nullptr && table.release != nullptr &&
         table.erase != nullptr && table.usage != nullptr;
}

}  // namespace

fs::path CacheDirectory() {
  const char* const given = std::getenv("LEVELFIELD_CACHES");
  if (given != nullptr && *given != '\0') return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  return program / "caches";
}

std::vector<std::string> FindCaches(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (file.starts_with(kPrefix) && file.ends_with(kSuffix) &&
        file.size() > kPrefix.size() + kSuffix.size()) {
      names.push_back(file.substr(kPrefix.size(), file.size() - kPrefix.size() - kSuffix.size()));
    }
  }
  std::ranges::sort(names);
  return names;
}

StatusOr<const lf_cache_table*> LoadCache(const fs::path& directory, const std::string& name) {
  std::error_code error;
  const std::string file =
      fs::absolute(directory / fmt::format("{}{}{}", kPrefix, name, kSuffix), error).string();
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    return Status::Failed(
        fmt::format("cannot load {}: {}", file, reason != nullptr ? reason : "no reason given"));
  }
  const auto entry =
      reinterpret_cast<levelfield_cache_function>(dlsym(library, "levelfield_cache"));
  if (entry == nullptr) {
    return Status::Failed(file + ": exports no levelfield_cache; it is no plug-in of cache_bench");
  }
  const lf_cache_table* const table = entry();
  if (table == nullptr || !IsWhole(*table)) {
    return Status::Failed(file +
                          ": its table lacks members; build it against this version's "
                          "levelfield/cache_abi.h");
  }
  return table;
}

std::vector<std::pair<std::string, std::string>> FactsOf(const lf_cache_table& table) {
  std::vector<std::pair<std::string, std::string>> facts;
  table.describe(&facts, [](void* context, const char* name, const char* value) {
    static_cast<decltype(facts)*>(context)->emplace_back(name, value);
  });
  return facts;
}

}  // namespace levelfield
