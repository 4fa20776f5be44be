#include "engine/loader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/program_path.h"
#include "base/text.h"
#include "engine/table_check.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

constexpr std::string_view kSuffix = ".so";

// A kind of plug-ins, engines or caches: files `<prefix><name>.so` that export one function.
struct PluginKind {
  const char* prefix;
  const char* symbol;
  const char* variable;   // An environment variable that names the directory.
  const char* beside;     // The directory beside the program, in a build tree;
  const char* installed;  // else this one, from the program's parent directory.
  const char* stranger;   // What a library without the symbol is not.

  fs::path Directory() const {
    const char* const given = std::getenv(variable);
    if (given != nullptr && *given != '\0') return given;
    std::error_code error;
    const fs::path program = fs::path(ProgramPath()).parent_path();
    if (fs::is_directory(program / beside, error)) return program / beside;
    return program.parent_path() / installed;
  }

  fs::path FileOf(const fs::path& directory, const std::string& name) const {
    return directory / (prefix + name + std::string(kSuffix));
  }

  // The names, sorted; none if the directory cannot be read. Opens no file.
  std::vector<std::string> NamesIn(const fs::path& directory) const {
    const std::string_view begin = prefix;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error)) {
      const std::string file = it->path().filename().string();
      if (file.starts_with(begin) && file.ends_with(kSuffix) &&
          file.size() > begin.size() + kSuffix.size() && Exists(it->path())) {
        names.push_back(file.substr(begin.size(), file.size() - begin.size() - kSuffix.size()));
      }
    }
    std::ranges::sort(names);
    return names;
  }

  // The function that the file exports. The path contains a slash, so dlopen takes this file and
  // does not look for another.
  template <class Function>
  StatusOr<Function> Load(const fs::path& file) const {
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
};

constexpr PluginKind kEngines = {.prefix = "levelfield_",
                                 .symbol = "levelfield_engine",
                                 .variable = "LEVELFIELD_ENGINES",
                                 .beside = "engines",
                                 .installed = "lib/levelfield",
                                 .stranger = "not a Levelfield plug-in"};

Status NoSuchEngine(const EngineSpec& spec, const fs::path& directory) {
  const std::vector<std::string> names = FindEngines(directory);
  std::string message =
      "engine " + spec.text + ": there is no " + kEngines.FileOf(directory, spec.name).string();
  const std::string nearest = NearestName(spec.name, names);
  if (!nearest.empty()) message += "; did you mean " + nearest + "?";
  message += names.empty() ? "; the directory has no plug-in (set LEVELFIELD_ENGINES to theirs)"
                           : "; there are " + Joined(names, ", ");
  return Status::Usage(message);
}

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

fs::path EngineDirectory() { return kEngines.Directory(); }

std::vector<std::string> FindEngines(const fs::path& directory) {
  std::vector<std::string> names = kEngines.NamesIn(directory);
  // A file whose name no spec can spell cannot be asked for.
  std::erase_if(names, [](const std::string& name) {
    const StatusOr<EngineSpec> spec = ParseEngineSpec(name);
    return !spec.ok() || spec->is_path;
  });
  return names;
}

StatusOr<Engine> LoadEngine(const EngineSpec& spec, const fs::path& directory) {
  std::error_code error;
  const fs::path absolute = fs::absolute(directory.empty() ? "." : directory, error);
  if (error) {
    return Status::Failed("engine " + spec.text + ": cannot find " + directory.string() + ": " +
                          error.message());
  }

  bool library_is_fixed = false;  // Fixed by the plug-in's file name.
  fs::path file = kEngines.FileOf(absolute, spec.name);
  if (!spec.is_path && !spec.which.empty()) {
    const fs::path exact = kEngines.FileOf(absolute, spec.name + "@" + spec.which);
    library_is_fixed = Exists(exact);
    if (library_is_fixed) file = exact;
  }
  if (!Exists(file)) return NoSuchEngine(spec, absolute);

  const auto entry = kEngines.Load<levelfield_engine_function>(file);
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
