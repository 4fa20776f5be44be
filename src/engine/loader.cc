#include "engine/loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/path_owners.h"
#include "base/program_path.h"
#include "base/text.h"
#include "engine/table_check.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

bool IsThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The function of this name that the file exports. The path contains a slash, so dlopen takes this
// file and does not look for another.
template <class Function>
StatusOr<Function> Load(const fs::path& file, const char* symbol, std::string_view stranger) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    return Status::Failed(fmt::format("cannot load {}: {}", file.string(),
                                      reason != nullptr ? reason : "no reason given"));
  }
  if (void* const found = dlsym(library, symbol)) return reinterpret_cast<Function>(found);
  return Status::Failed(
      fmt::format("{}: exports no {}; it is {}", file.string(), symbol, stranger));
}

Status NoSuchEngine(const EngineSpec& spec, const std::vector<EnginePlace>& places) {
  const std::vector<std::string> names = FindEngines(places);
  std::vector<std::string> searched;
  for (const EnginePlace& place : places) {
    if (IsThere(place.path)) searched.push_back(place.path.string());
  }
  std::string message = fmt::format("engine {}: there is no levelfield_{}.so in {}", spec.text,
                                    spec.name, Listed(searched, "or"));
  const std::string nearest = NearestName(spec.name, names);
  if (!nearest.empty()) message += "; did you mean " + nearest + "?";
  message += names.empty() ? "; no plug-in is there (--engines=DIR names another directory)"
                           : "; there are " + Joined(names, ", ");
  return Status::Usage(message);
}

constexpr std::string_view kCachePrefix = "levelfield_cache_";
constexpr std::string_view kCacheSuffix = ".so";

bool IsWhole(const lf_cache_table& table) {
  return table.struct_bytes >= sizeof(lf_cache_table) && table.name != nullptr &&
         table.summary != nullptr && table.license != nullptr && table.describe != nullptr &&
         table.last_error != nullptr && table.create != nullptr && table.destroy != nullptr &&
         table.insert != nullptr && table.lookup != nullptr && table.release != nullptr &&
         table.erase != nullptr && table.usage != nullptr;
}

}  // namespace

StatusOr<Engine> LoadEngine(const EngineSpec& spec, const std::vector<EnginePlace>& places) {
  const std::vector<FoundEngine> found = FindEngineFiles(places);
  const auto of = [&](const std::string& name) {
    return std::ranges::find(found, name, &FoundEngine::spec);
  };
  auto plugin = of(spec.name);
  bool library_is_fixed = false;  // Fixed by the plug-in's file name.
  if (!spec.is_path && !spec.which.empty()) {
    const auto exact = of(spec.name + "@" + spec.which);
    library_is_fixed = exact != found.end();
    if (library_is_fixed) plugin = exact;
  }
  if (plugin == found.end()) return NoSuchEngine(spec, places);
  const fs::path& file = plugin->file;
  // Those beside the program are as safe as the program.
  if (!plugin->is_built_in) {
    const Status safe = CheckNobodyElseCanChange(file.string());
    if (!safe.ok()) return Status::Usage("engine " + spec.text + ": " + safe.message());
  }

  const auto entry =
      Load<levelfield_engine_function>(file, "levelfield_engine", "not a Levelfield plug-in");
  if (!entry.ok()) return Status::Failed("engine " + spec.text + ": " + entry.status().message());
  StatusOr<lf_engine> table = CheckTable((*entry)(), file.string(), spec.name);
  if (!table.ok()) return table.status();
  const bool asks = !spec.which.empty() && !library_is_fixed;
  if (table->load == nullptr) {
    if (asks) {
      return Status::Usage("engine " + spec.text + ": " + file.string() +
                           " was built for one library and cannot take another (it has no `load`); "
                           "ask for " +
                           spec.name + ", or put a " + spec.name + "@" +
                           (spec.is_path ? "version" : spec.which) + " plug-in beside it");
    }
    return Engine(spec, file, *table);
  }
  const lf_code code = table->load(asks ? spec.which.c_str() : nullptr);
  RETURN_IF_ERROR(Engine(spec, file, *table).StatusOf(code, "load"));
  if (code != LF_OK) return Status::Failed("engine " + spec.text + ": load: found no library");
  // Again: what the engine can do may depend on the library that it took.
  table = CheckTable((*entry)(), file.string(), spec.name);
  if (!table.ok()) return table.status();
  return Engine(spec, file, *table);
}

fs::path CacheDirectory() {
  const char* const given = std::getenv("LEVELFIELD_CACHES");
  if (given != nullptr && *given != '\0') return given;
  const fs::path program = fs::path(ProgramPath()).parent_path();
  if (IsThere(program / "caches")) return program / "caches";
  return program.parent_path() / "lib/levelfield/caches";
}

// Sorted; none if the directory cannot be read. Opens no file.
std::vector<std::string> FindCaches(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    std::error_code unknown;
    if (file.starts_with(kCachePrefix) && file.ends_with(kCacheSuffix) &&
        file.size() > kCachePrefix.size() + kCacheSuffix.size() &&
        fs::is_regular_file(it->path(), unknown)) {
      names.push_back(file.substr(kCachePrefix.size(),
                                  file.size() - kCachePrefix.size() - kCacheSuffix.size()));
    }
  }
  std::ranges::sort(names);
  return names;
}

StatusOr<const lf_cache_table*> LoadCache(const fs::path& directory, const std::string& name) {
  std::error_code error;
  const std::string file_name = fmt::format("{}{}{}", kCachePrefix, name, kCacheSuffix);
  const fs::path file = fs::absolute(directory / file_name, error);
  const auto entry =
      Load<levelfield_cache_function>(file, "levelfield_cache", "no plug-in of cache_bench");
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
