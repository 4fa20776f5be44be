// Finds and loads the caches' plug-ins, `levelfield_cache_<name>.so`. One thread at a time.
#ifndef LEVELFIELD_CACHE_BENCH_LOADER_H_
#define LEVELFIELD_CACHE_BENCH_LOADER_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "levelfield/cache_abi.h"

namespace levelfield {

// LEVELFIELD_CACHES, or caches/ beside the program (a build tree), or ../lib/levelfield/caches from
// there (an installation).
std::filesystem::path CacheDirectory();
// Sorted names.
std::vector<std::string> FindCaches(const std::filesystem::path& directory);

// A table that is whole: every member that has to be there is. It stays loaded to the process' end.
StatusOr<const lf_cache_table*> LoadCache(const std::filesystem::path& directory,
                                          const std::string& name);

std::vector<std::pair<std::string, std::string>> FactsOf(const lf_cache_table& table);

}  // namespace levelfield

#endif  // LEVELFIELD_CACHE_BENCH_LOADER_H_
