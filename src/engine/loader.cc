#include "engine/loader.h"

#include <system_error>

#include "base/nearest.h"
#include "engine/plugin_files.h"
#include "engine/table_check.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr PluginKind kEngines = {.prefix = "levelfield_",
                                 .symbol = "levelfield_engine",
                                 .variable = "LEVELFIELD_ENGINES",
                                 .beside = "engines",
                                 .installed = "lib/levelfield",
                                 .stranger = "not a Levelfield plug-in"};

bool Exists(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

Status NoSuchEngine(const EngineSpec& spec, const fs::path& directory) {
  const std::vector<std::string> names = FindEngines(directory);
  std::string message =
      "engine " + spec.text + ": there is no " + kEngines.FileOf(directory, spec.name).string();
  const std::string nearest = NearestName(spec.name, names);
  if (!nearest.empty()) message += "; did you mean " + nearest + "?";
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  message += list.empty() ? "; the directory has no plug-in (set LEVELFIELD_ENGINES to theirs)"
                          : "; there are " + list;
  return Status::Usage(message);
}

}  // namespace

fs::path EngineDirectory() { return kEngines.Directory(); }

std::vector<std::string> FindEngines(const fs::path& directory) {
  std::vector<std::string> names = kEngines.NamesIn(directory);
  // A file that no spec can name cannot be asked for.
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

  bool library_is_fixed = false;  // By the plug-in's file name.
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
  // Again: what the engine can do may depend on the library that it has taken.
  table = CheckTable((*entry)(), file.string(), spec.name);
  if (!table.ok()) return table.status();
  return Engine(spec, file, *table);
}

}  // namespace levelfield
