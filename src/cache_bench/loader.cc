#include "cache_bench/loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "engine/plugin_files.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "levelfield_cache_";

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
  if (fs::is_directory(program / "caches", error)) return program / "caches";
  return program.parent_path() / "lib" / "levelfield" / "caches";
}

std::vector<std::string> FindCaches(const fs::path& directory) {
  return PluginNames(directory, kPrefix);
}

StatusOr<const lf_cache_table*> LoadCache(const fs::path& directory, const std::string& name) {
  std::error_code error;
  const std::string file = fs::absolute(PluginFile(directory, kPrefix, name), error).string();
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
