// Loads plug-ins of engines (engine/places.h finds them), and finds and loads those of caches. One
// thread at a time.
#ifndef LEVELFIELD_ENGINE_LOADER_H_
#define LEVELFIELD_ENGINE_LOADER_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "engine/places.h"
#include "levelfield/cache_abi.h"

namespace levelfield {

// Loads the plug-in of `<name>@<which>` if there is one, else that of `<name>`, which is then
// asked to take `which` as its library. Never unloads: the addresses that profilers and engines'
// own threads hold would become invalid. As root, refuses a plug-in that others can change.
StatusOr<Engine> LoadEngine(const EngineSpec& spec, const std::vector<EnginePlace>& places);

// The plug-ins of caches, `levelfield_cache_<name>.so`: LEVELFIELD_CACHES names their directory,
// else it is caches/ beside the program, or lib/levelfield/caches of an installation.
std::filesystem::path CacheDirectory();
std::vector<std::string> FindCaches(const std::filesystem::path& directory);
// A table with every required member.
StatusOr<const lf_cache_table*> LoadCache(const std::filesystem::path& directory,
                                          const std::string& name);
std::vector<std::pair<std::string, std::string>> FactsOf(const lf_cache_table& table);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_LOADER_H_
