// The table of cache_bench's flags. Read by settings.cc alone.
#ifndef LEVELFIELD_CACHE_BENCH_FLAGS_H_
#define LEVELFIELD_CACHE_BENCH_FLAGS_H_

#include <span>
#include <string_view>

namespace levelfield {

struct CacheFlag {
  enum class Kind { kBytes, kCount, kInteger, kNumber, kSwitch, kText };

  std::string_view name;
  Kind kind;
  std::string_view type;         // As gflags calls it, for --help.
  std::string_view defaults[3];  // By generation; empty where it is not one of its flags.
  std::string_view help;
  std::string_view refused = "";  // Why only the default is taken; empty: it is honoured.
  bool is_ours = false;           // No flag of the original.
};

std::span<const CacheFlag> CacheFlags();
// Null: none of that name.
const CacheFlag* CacheFlagOf(std::string_view name);

}  // namespace levelfield

#endif  // LEVELFIELD_CACHE_BENCH_FLAGS_H_
