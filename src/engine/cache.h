// The plug-ins of caches, `levelfield_cache_<name>.so`, found and loaded as those of engines are
// (loader.h). One thread at a time.
#ifndef LEVELFIELD_ENGINE_CACHE_H_
#define LEVELFIELD_ENGINE_CACHE_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "levelfield/cache_abi.h"

namespace levelfield {

// LEVELFIELD_CACHES, or caches/ beside the program, or lib/levelfield/caches of an installation.
std::filesystem::path CacheDirectory();
// Sorted names.
std::vector<std::string> FindCaches(const std::filesystem::path& directory);

// A table with every member that has to be there.
StatusOr<const lf_cache_table*> LoadCache(const std::filesystem::path& directory,
                                          const std::string& name);

std::vector<std::pair<std::string, std::string>> FactsOf(const lf_cache_table& table);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_CACHE_H_
