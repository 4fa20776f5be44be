// RocksDB's options of a read, by its own names: no OPTIONS file has them, and no parser of its
// takes them. https://github.com/facebook/rocksdb/blob/main/include/rocksdb/options.h, ReadOptions
//
// Cold code, for one thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_READS_H_
#define LEVELFIELD_ENGINES_ROCKSDB_READS_H_

#include <algorithm>
#include <string>
#include <string_view>

#include "levelfield/engine.h"
#include "rocksdb_library.h"

namespace levelfield {

struct RocksDbReadOption {
  std::string_view name;
  bool is_size;               // Else a switch.
  const char* own = nullptr;  // RocksDB's name, if ours is another one.
};

inline constexpr RocksDbReadOption kRocksDbReadOptions[] = {
    {"readahead_size", true},
    {"async_io", false},
    {"adaptive_readahead", false},
    {"auto_readahead_size", false},
    {"optimize_multiget_for_io", false},
    {"total_order_seek", false},
    {"prefix_same_as_start", false},
    {"auto_prefix_mode", false},
    {"auto_refresh_iterator_with_snapshot", false},
    {"use_tailing_iterator", false, "tailing"},
};

inline bool IsRocksDbReadOption(std::string_view name) {
  return std::ranges::find(kRocksDbReadOptions, name, &RocksDbReadOption::name) !=
         std::end(kRocksDbReadOptions);
}

// "readoptions_set_async_io" of the library.
inline std::string NameOfRocksDbRead(const RocksDbReadOption& option, const char* what) {
  return std::string("rocksdb_readoptions_") + what + "_" +
         (option.own != nullptr ? option.own : std::string(option.name));
}

// Sets those that are given. LF_UNSUPPORTED: the library's C interface lacks one.
inline lf_code SetRocksDbReads(const EngineSettings& settings, rocksdb_readoptions_t* read) {
  for (const RocksDbReadOption& option : kRocksDbReadOptions) {
    const std::string name(option.name);
    if (!settings.Has(name)) continue;
    const std::string function = NameOfRocksDbRead(option, "set");
    if (option.is_size) {
      const auto set = LaterRocksDbFunction<void(rocksdb_readoptions_t*, size_t)>(function.c_str());
      if (set == nullptr) return LacksRocksDbFunction(name.c_str(), function.c_str());
      set(read, settings.Number(name, 0));
    } else {
      const auto set =
          LaterRocksDbFunction<void(rocksdb_readoptions_t*, unsigned char)>(function.c_str());
      if (set == nullptr) return LacksRocksDbFunction(name.c_str(), function.c_str());
      set(read, settings.Flag(name, false) ? 1 : 0);
    }
  }
  return LF_OK;
}

// What RocksDB tells of each.
template <class Add>
void TellRocksDbReads(const rocksdb_readoptions_t* read, const Add& add) {
  for (const RocksDbReadOption& option : kRocksDbReadOptions) {
    const std::string function = NameOfRocksDbRead(option, "get");
    if (option.is_size) {
      const auto get = LaterRocksDbFunction<size_t(const rocksdb_readoptions_t*)>(function.c_str());
      if (get != nullptr) add(std::string(option.name), std::to_string(get(read)));
    } else {
      const auto get =
          LaterRocksDbFunction<unsigned char(const rocksdb_readoptions_t*)>(function.c_str());
      if (get != nullptr) add(std::string(option.name), get(read) != 0 ? "1" : "0");
    }
  }
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_READS_H_
