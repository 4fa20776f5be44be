// Finds plug-ins and loads them. One thread at a time.
#ifndef LEVELFIELD_ENGINE_LOADER_H_
#define LEVELFIELD_ENGINE_LOADER_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"
#include "levelfield/cache_abi.h"

namespace levelfield {

// The directory of plug-ins: $LEVELFIELD_ENGINES, else engines/ beside the running program (a build
// tree), else ../lib/levelfield from there (an installation).
std::filesystem::path EngineDirectory();

// What can be loaded from there, as engine specs ("leveldb", "rocksdb@7.8.3"), sorted: the files
// levelfield_*.so. Opens none of them.
std::vector<std::string> FindEngines(const std::filesystem::path& directory);

// Loads levelfield_<name>@<which>.so if there is one, else levelfield_<name>.so, which is then
// asked to take `which` as its library. Never unloads: the addresses that profilers and engines'
// own threads hold would become invalid.
StatusOr<Engine> LoadEngine(const EngineSpec& spec, const std::filesystem::path& directory);

// The same for the plug-ins of caches, `levelfield_cache_<name>.so`: LEVELFIELD_CACHES, or caches/
// beside the program, or lib/levelfield/caches of an installation.
std::filesystem::path CacheDirectory();
std::vector<std::string> FindCaches(const std::filesystem::path& directory);
// A table with every required member.
StatusOr<const lf_cache_table*> LoadCache(const std::filesystem::path& directory,
                                          const std::string& name);
std::vector<std::pair<std::string, std::string>> FactsOf(const lf_cache_table& table);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_LOADER_H_
