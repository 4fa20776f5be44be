#include "engine/loader.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>
#include <system_error>

#include "base/nearest.h"
#include "engine/plugin_files.h"
#include "engine/table_check.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "levelfield_";

bool Exists(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

Status NoSuchEngine(const EngineSpec& spec, const fs::path& directory) {
  const std::vector<std::string> names = FindEngines(directory);
  std::string message =
      "engine " + spec.text + ": there is no " + PluginFile(directory, kPrefix, spec.name).string();
  const std::string nearest = NearestName(spec.name, names);
  if (!nearest.empty()) message += "; did you mean " + nearest + "?";
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  message += list.empty() ? "; the directory has no plug-in (set LEVELFIELD_ENGINES to theirs)"
                          : "; there are " + list;
  return Status::Usage(message);
}

}  // namespace

fs::path EngineDirectory() {
  const char* given = std::getenv("LEVELFIELD_ENGINES");
  if (given != nullptr && *given != '\0') return given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (fs::is_directory(program / "engines", error)) return program / "engines";
  return program.parent_path() / "lib" / "levelfield";
}

std::vector<std::string> FindEngines(const fs::path& directory) {
  std::vector<std::string> names = PluginNames(directory, kPrefix);
  // A file that no spec can name cannot be asked for.
  std::erase_if(names, [](const std::string& name) {
    const StatusOr<EngineSpec> spec = ParseEngineSpec(name);
    return !spec.ok() || spec->is_path;
  });
  return names;
}

StatusOr<Engine> LoadEngine(const EngineSpec& spec, const fs::path& directory) {
  // With a slash in it, so that dlopen takes this file and does not go looking for another.
  std::error_code error;
  const fs::path absolute = fs::absolute(directory.empty() ? "." : directory, error);
  if (error) {
    return Status::Failed("engine " + spec.text + ": cannot find " + directory.string() + ": " +
                          error.message());
  }

  bool library_is_fixed = false;  // By the plug-in's file name.
  fs::path file = PluginFile(absolute, kPrefix, spec.name);
  if (!spec.is_path && !spec.which.empty()) {
    const fs::path exact = PluginFile(absolute, kPrefix, spec.name + "@" + spec.which);
    library_is_fixed = Exists(exact);
    if (library_is_fixed) file = exact;
  }
  if (!Exists(file)) return NoSuchEngine(spec, absolute);

  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return Status::Failed("engine " + spec.text + ": cannot load " + file.string() + ": " +
                          (reason != nullptr ? reason : "no reason given"));
  }
  const auto entry =
      reinterpret_cast<levelfield_engine_function>(dlsym(handle, "levelfield_engine"));
  if (entry == nullptr) {
    return Status::Failed(file.string() +
                          ": exports no levelfield_engine; it is not a Levelfield plug-in");
  }

  StatusOr<lf_engine> table = CheckTable(entry(), file.string(), spec.name);
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
  const Status loaded = Engine(spec, file, *table).StatusOf(code, "load");
  if (!loaded.ok()) return loaded;
  if (code != LF_OK) return Status::Failed("engine " + spec.text + ": load: found no library");
  // Again: what the engine can do may depend on the library that it has taken.
  table = CheckTable(entry(), file.string(), spec.name);
  if (!table.ok()) return table.status();
  return Engine(spec, file, *table);
}

}  // namespace levelfield
