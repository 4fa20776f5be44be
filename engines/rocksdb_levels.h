// One level of RocksDB's tree into the next, by CompactFiles, as db_bench's compact0 and compact1
// do. Cold code.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_LEVELS_H_
#define LEVELFIELD_ENGINES_ROCKSDB_LEVELS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "levelfield/engine.h"
#include "rocksdb_library.h"

namespace levelfield {

// `from` is 0, or 1 for the first level behind it that holds anything: with dynamic levels that
// need not be level 1. LF_UNSUPPORTED: the library cannot. Else what went wrong is in `error`.
inline lf_code CompactRocksDbLevel(rocksdb_t* db, rocksdb_options_t* options, int from,
                                   char** error) {
  using Files = RocksDbOwned<const rocksdb_livefiles_t, "rocksdb_livefiles_destroy">;
  const Files files(ROCKSDB(livefiles, db));
  const int count = ROCKSDB(livefiles_count, files.get());
  const auto next_behind = [&](int level) {
    int next = -1;
    for (int i = 0; i < count; ++i) {
      const int its = ROCKSDB(livefiles_level, files.get(), i);
      if (its > level && (next < 0 || its < next)) next = its;
    }
    return next;
  };
  const int level = from == 0 ? 0 : next_behind(0);
  const int next = level < 0 ? -1 : next_behind(level);
  std::vector<const char*> names;
  for (int i = 0; i < count; ++i) {
    if (ROCKSDB(livefiles_level, files.get(), i) != level) continue;
    names.push_back(ROCKSDB(livefiles_name, files.get(), i));
  }
  if (names.empty() || next < 0) return LF_OK;

  const char* const function = "rocksdb_compact_files";
  const auto compact =
      LaterRocksDbFunction<void(rocksdb_t*, const void*, const char* const*, size_t, int, int,
                                char***, size_t*, void*, char**)>(function);
  const auto create = LaterRocksDbFunction<void*()>("rocksdb_compaction_options_create");
  const auto destroy = LaterRocksDbFunction<void(void*)>("rocksdb_compaction_options_destroy");
  const auto set_limit = LaterRocksDbFunction<void(void*, uint64_t)>(
      "rocksdb_compaction_options_set_output_file_size_limit");
  if (compact == nullptr || create == nullptr || destroy == nullptr || set_limit == nullptr) {
    return LacksRocksDbFunction("compact_level", function);
  }
  void* const how = create();  // Compresses as the level has it.
  set_limit(how, ROCKSDB(options_get_target_file_size_base, options));
  constexpr int kAnyPath = -1;
  compact(db, how, names.data(), names.size(), next, kAnyPath, nullptr, nullptr, nullptr, error);
  destroy(how);
  return LF_OK;
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_LEVELS_H_
