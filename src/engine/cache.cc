#include "engine/cache.h"

#include <system_error>

#include "engine/plugin_files.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr PluginKind kCaches = {.prefix = "levelfield_cache_",
                                .symbol = "levelfield_cache",
                                .variable = "LEVELFIELD_CACHES",
                                .beside = "caches",
                                .installed = "lib/levelfield/caches",
                                .stranger = "no plug-in of cache_bench"};

bool IsWhole(const lf_cache_table& table) {
  return table.struct_bytes >= sizeof(lf_cache_table) && table.name != nullptr &&
         table.summary != nullptr && table.license != nullptr && table.describe != nullptr &&
         table.last_error != nullptr && table.create != nullptr && table.destroy != nullptr &&
         table.insert != nullptr && table.lookup != nullptr && table.release != nullptr &&
         table.erase != nullptr && table.usage != nullptr;
}

}  // namespace

fs::path CacheDirectory() { return kCaches.Directory(); }

std::vector<std::string> FindCaches(const fs::path& directory) {
  return kCaches.NamesIn(directory);
}

StatusOr<const lf_cache_table*> LoadCache(const fs::path& directory, const std::string& name) {
  std::error_code error;
  const fs::path file = fs::absolute(kCaches.FileOf(directory, name), error);
  const auto entry = kCaches.Load<levelfield_cache_function>(file);
  if (!entry.ok()) return entry.status();
  const lf_cache_table* const table = (*entry)();
  if (table == nullptr || !IsWhole(*table)) {
    return Status::Failed(file.string() +
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
