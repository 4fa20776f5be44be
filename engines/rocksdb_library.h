// The RocksDB library that was chosen at run time, as a table of its C functions, and what can be
// found out about it. https://github.com/facebook/rocksdb/blob/main/include/rocksdb/c.h
//
// Loaded, not linked: so one plug-in measures every version and build that is there, each in its
// own process. Written once by LoadRocksDb, before any other call; read by all threads after that.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_LIBRARY_H_
#define LEVELFIELD_ENGINES_ROCKSDB_LIBRARY_H_

#include <dirent.h>
#include <dlfcn.h>
#include <rocksdb/c.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "levelfield/engine.h"
#include "library_facts.h"

namespace levelfield {

// Every function that the engine calls, once; a library that lacks one of them is refused by name.
#define LEVELFIELD_ROCKSDB_FUNCTIONS(X)                              \
  X(approximate_sizes)                                               \
  X(backup_engine_close)                                             \
  X(backup_engine_create_new_backup_flush)                           \
  X(backup_engine_open)                                              \
  X(backup_engine_restore_db_from_latest_backup)                     \
  X(batched_multi_get_cf)                                            \
  X(block_based_options_create)                                      \
  X(block_based_options_destroy)                                     \
  X(block_based_options_set_block_cache)                             \
  X(block_based_options_set_block_size)                              \
  X(block_based_options_set_cache_index_and_filter_blocks)           \
  X(block_based_options_set_filter_policy)                           \
  X(block_based_options_set_pin_l0_filter_and_index_blocks_in_cache) \
  X(cache_create_lru)                                                \
  X(cache_destroy)                                                   \
  X(close)                                                           \
  X(column_family_handle_destroy)                                    \
  X(compact_range_opt)                                               \
  X(compactoptions_create)                                           \
  X(compactoptions_destroy)                                          \
  X(compactoptions_set_bottommost_level_compaction)                  \
  X(create_iterator)                                                 \
  X(create_mem_env)                                                  \
  X(create_snapshot)                                                 \
  X(destroy_db)                                                      \
  X(env_destroy)                                                     \
  X(filterpolicy_create_bloom_full)                                  \
  X(flush)                                                           \
  X(flush_wal)                                                       \
  X(flushoptions_create)                                             \
  X(flushoptions_destroy)                                            \
  X(free)                                                            \
  X(get_options_from_string)                                         \
  X(get_pinned)                                                      \
  X(iter_destroy)                                                    \
  X(iter_get_error)                                                  \
  X(iter_key)                                                        \
  X(iter_next)                                                       \
  X(iter_prev)                                                       \
  X(iter_seek)                                                       \
  X(iter_seek_for_prev)                                              \
  X(iter_seek_to_first)                                              \
  X(iter_seek_to_last)                                               \
  X(iter_valid)                                                      \
  X(iter_value)                                                      \
  X(open)                                                            \
  X(open_column_families)                                            \
  X(open_for_read_only_column_families)                              \
  X(optimistictransaction_begin)                                     \
  X(optimistictransaction_options_create)                            \
  X(optimistictransaction_options_destroy)                           \
  X(optimistictransaction_options_set_set_snapshot)                  \
  X(optimistictransactiondb_close)                                   \
  X(optimistictransactiondb_close_base_db)                           \
  X(optimistictransactiondb_get_base_db)                             \
  X(optimistictransactiondb_open_column_families)                    \
  X(options_create)                                                  \
  X(options_destroy)                                                 \
  X(options_enable_statistics)                                       \
  X(options_set_block_based_table_factory)                           \
  X(options_set_bytes_per_sync)                                      \
  X(options_set_compression)                                         \
  X(options_set_create_if_missing)                                   \
  X(options_set_env)                                                 \
  X(options_set_level0_file_num_compaction_trigger)                  \
  X(options_set_level_compaction_dynamic_level_bytes)                \
  X(options_set_max_background_jobs)                                 \
  X(options_set_max_bytes_for_level_base)                            \
  X(options_set_max_open_files)                                      \
  X(options_set_max_subcompactions)                                  \
  X(options_set_max_write_buffer_number)                             \
  X(options_set_target_file_size_base)                               \
  X(options_set_use_direct_io_for_flush_and_compaction)              \
  X(options_set_use_direct_reads)                                    \
  X(options_set_write_buffer_size)                                   \
  X(pinnableslice_destroy)                                           \
  X(pinnableslice_value)                                             \
  X(property_int)                                                    \
  X(property_value)                                                  \
  X(readoptions_create)                                              \
  X(readoptions_destroy)                                             \
  X(readoptions_set_snapshot)                                        \
  X(readoptions_set_verify_checksums)                                \
  X(release_snapshot)                                                \
  X(repair_db)                                                       \
  X(restore_options_create)                                          \
  X(restore_options_destroy)                                         \
  X(transaction_begin)                                               \
  X(transaction_commit)                                              \
  X(transaction_delete)                                              \
  X(transaction_destroy)                                             \
  X(transaction_get_pinned)                                          \
  X(transaction_get_pinned_for_update)                               \
  X(transaction_options_create)                                      \
  X(transaction_options_destroy)                                     \
  X(transaction_options_set_lock_timeout)                            \
  X(transaction_options_set_set_snapshot)                            \
  X(transaction_put)                                                 \
  X(transaction_rollback)                                            \
  X(transactiondb_close)                                             \
  X(transactiondb_open_column_families)                              \
  X(transactiondb_options_create)                                    \
  X(transactiondb_options_destroy)                                   \
  X(transactiondb_write)                                             \
  X(write)                                                           \
  X(writebatch_clear)                                                \
  X(writebatch_create)                                               \
  X(writebatch_delete)                                               \
  X(writebatch_delete_range)                                         \
  X(writebatch_destroy)                                              \
  X(writebatch_merge)                                                \
  X(writebatch_put)                                                  \
  X(writeoptions_create)                                             \
  X(writeoptions_destroy)                                            \
  X(writeoptions_disable_WAL)                                        \
  X(writeoptions_set_sync)

struct RocksDbLibrary {
#define LEVELFIELD_DECLARE(function) decltype(&::rocksdb_##function) function = nullptr;
  LEVELFIELD_ROCKSDB_FUNCTIONS(LEVELFIELD_DECLARE)
#undef LEVELFIELD_DECLARE
  // Not in old ones.
  void (*verify_checksum)(rocksdb_t*, char** errptr) = nullptr;
  rocksdb_t* (*transactiondb_get_base_db)(rocksdb_transactiondb_t*) = nullptr;
  void (*transactiondb_close_base_db)(rocksdb_t*) = nullptr;
  void* handle = nullptr;
  bool is_system = false;
};

inline RocksDbLibrary rocksdb_library;

// An object of the library, destroyed by the library.
template <auto Destroy>
struct RocksDbDestroy {
  void operator()(auto* object) const { (rocksdb_library.*Destroy)(object); }
};
template <class Object, auto Destroy>
using RocksDbOwned = std::unique_ptr<Object, RocksDbDestroy<Destroy>>;

// One build in the cache of scripts/fetch_rocksdb.sh and scripts/build_rocksdb.sh, in a directory
// rocksdb-<version>-<kind>.
struct RocksDbBuild {
  std::vector<int> version;
  std::string version_text;
  std::string kind;  // "own" or "maven".
  std::string path;
};

inline std::string RocksDbCache() {
  const char* const cache = std::getenv("LEVELFIELD_CACHE");
  return cache != nullptr && *cache != '\0' ? cache : LEVELFIELD_CACHE_DIRECTORY;
}

// The builds that are there, the preferred one first: own before maven, newer before older.
inline std::vector<RocksDbBuild> RocksDbBuilds() {
  std::vector<RocksDbBuild> builds;
  const std::string cache = RocksDbCache();
  DIR* const directory = opendir(cache.c_str());
  if (directory == nullptr) return builds;
  while (const dirent* const entry = readdir(directory)) {
    std::istringstream name(entry->d_name);
    std::string engine, kind, version;
    if (!std::getline(name, engine, '-') || engine != "rocksdb" ||
        !std::getline(name, version, '-') || !std::getline(name, kind) ||
        (kind != "own" && kind != "maven")) {
      continue;
    }
    RocksDbBuild build{{}, version, kind, cache + "/" + entry->d_name + "/librocksdb.so"};
    std::istringstream numbers(version);
    for (std::string number; std::getline(numbers, number, '.');) {
      build.version.push_back(std::atoi(number.c_str()));
    }
    builds.push_back(std::move(build));
  }
  closedir(directory);
  std::sort(builds.begin(), builds.end(), [](const RocksDbBuild& a, const RocksDbBuild& b) {
    if (a.kind != b.kind) return a.kind == "own";
    return a.version > b.version;
  });
  return builds;
}

// The file that `which` names: "own", "maven", "11.8.1", "7.8" (the newest 7.8.x), "11.8.1-maven",
// or a path. Empty if none is there.
inline std::string FindRocksDb(std::string_view which) {
  if (which.find('/') != std::string_view::npos) return std::string(which);
  for (const RocksDbBuild& build : RocksDbBuilds()) {
    const bool is_version_prefix = (build.version_text + ".").starts_with(std::string(which) + ".");
    if (which.empty() || which == build.kind || is_version_prefix ||
        which == build.version_text + "-" + build.kind) {
      return build.path;
    }
  }
  return "";
}

inline void* OpenSystemRocksDb() {
  for (const char* const name : {"librocksdb.so.7.8", "librocksdb.so"}) {
    if (void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

inline lf_code LoadRocksDb(const char* which) {
  const std::string_view wanted = which != nullptr ? which : "";
  RocksDbLibrary library;
  const std::string path = wanted == "system" ? "" : FindRocksDb(wanted);
  if (!path.empty()) {
    library.handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle == nullptr) return Unsupported(std::string("RocksDB: ") + dlerror());
  } else if (wanted.empty() || wanted == "system") {
    library.handle = OpenSystemRocksDb();
    library.is_system = true;
  }
  if (library.handle == nullptr) {
    return Unsupported("there is no RocksDB " + std::string(wanted) + " in " + RocksDbCache() +
                       ": `make deps` fetches the official release, `make rocksdb` builds it here, "
                       "`make rocksdb-versions VERSIONS=x.y.z` fetches others, and the "
                       "distribution's is librocksdb-dev");
  }
  std::string missing;
#define LEVELFIELD_FIND(function)                                       \
  library.function = reinterpret_cast<decltype(&::rocksdb_##function)>( \
      dlsym(library.handle, "rocksdb_" #function));                     \
  if (library.function == nullptr && missing.empty()) missing = "rocksdb_" #function;
  LEVELFIELD_ROCKSDB_FUNCTIONS(LEVELFIELD_FIND)
#undef LEVELFIELD_FIND
  if (!missing.empty()) {
    return Unsupported("RocksDB: " + (path.empty() ? "the system's library" : path) +
                       " has no function " + missing);
  }
  library.verify_checksum = reinterpret_cast<decltype(library.verify_checksum)>(
      dlsym(library.handle, "rocksdb_verify_checksum"));
  library.transactiondb_get_base_db = reinterpret_cast<decltype(library.transactiondb_get_base_db)>(
      dlsym(library.handle, "rocksdb_transactiondb_get_base_db"));
  library.transactiondb_close_base_db =
      reinterpret_cast<decltype(library.transactiondb_close_base_db)>(
          dlsym(library.handle, "rocksdb_transactiondb_close_base_db"));
  rocksdb_library = library;
  return LF_OK;
}

inline const void* RocksDbFunction() { return reinterpret_cast<const void*>(rocksdb_library.open); }

// rocksdb::GetRocksVersionAsString(bool): the C interface has no version. Libraries built for the
// old ABI of std::string return a pointer to the text (which is not freed: 10 bytes, once).
inline std::string RocksDbVersion() {
  if (void* const function =
          dlsym(rocksdb_library.handle, "_ZN7rocksdb23GetRocksVersionAsStringB5cxx11Eb")) {
    return reinterpret_cast<std::string (*)(bool)>(function)(true);
  }
  struct OldString {
    OldString(const OldString&) = delete;
    ~OldString() {}  // Not trivial, so it is returned as a std::string is: by address.
    const char* text;
  };
  if (void* const function =
          dlsym(rocksdb_library.handle, "_ZN7rocksdb23GetRocksVersionAsStringEb")) {
    return reinterpret_cast<OldString (*)(bool)>(function)(true).text;
  }
  return "unknown";
}

// Numbers of CompressionType in the C interface.
struct RocksDbCompressor {
  const char* name;
  int number;
};
inline constexpr RocksDbCompressor kRocksDbCompressors[] = {
    {"none", rocksdb_no_compression},     {"snappy", rocksdb_snappy_compression},
    {"zlib", rocksdb_zlib_compression},   {"lz4", rocksdb_lz4_compression},
    {"lz4hc", rocksdb_lz4hc_compression}, {"zstd", rocksdb_zstd_compression},
};

// Whether the library was built with it. Nothing lists them across versions, but opening a database
// with a compression that is not there fails; this one lives in memory and touches no file.
inline bool RocksDbHas(int compressor) {
  if (compressor < 0) return false;
  const RocksDbLibrary& rocks = rocksdb_library;
  const RocksDbOwned<rocksdb_env_t, &RocksDbLibrary::env_destroy> memory(rocks.create_mem_env());
  const RocksDbOwned<rocksdb_options_t, &RocksDbLibrary::options_destroy> options(
      rocks.options_create());
  rocks.options_set_env(options.get(), memory.get());
  rocks.options_set_create_if_missing(options.get(), 1);
  rocks.options_set_compression(options.get(), compressor);
  char* error = nullptr;
  const RocksDbOwned<rocksdb_t, &RocksDbLibrary::close> db(
      rocks.open(options.get(), "/levelfield", &error));
  if (error != nullptr) rocks.free(error);
  return db != nullptr;
}

// Sync points are compiled into Get and Write wherever assertions are, and nowhere else; a release
// build may well have assertions of the codecs inside it.
inline bool RocksDbHasAssertions(std::string_view library) {
  return dlsym(rocksdb_library.handle, "_ZN7rocksdb9SyncPoint11GetInstanceEv") != nullptr ||
         HoldsLiteral(library, "DBImpl::GetImpl:1");
}

inline void DescribeRocksDb(void* context, lf_fact_sink sink) {
  const std::string path = LibraryPath(RocksDbFunction());
  sink(context, "version", RocksDbVersion().c_str());
  sink(context, "library", path.c_str());
  sink(context, "space_factor", "3.93 " LEVELFIELD_SPACE_MEASURED);
  sink(context, "read_only", "DB::OpenForReadOnly");

  std::string build = rocksdb_library.is_system ? "the distribution's" : "unknown";
  std::ifstream recorded(path.substr(0, path.rfind('/') + 1) + "build.txt");
  for (std::string line; std::getline(recorded, line);) {
    if (line.starts_with("build: ")) build = line.substr(7);
  }
  sink(context, "build", build.c_str());

  std::string compressors;
  for (const RocksDbCompressor& compressor : kRocksDbCompressors) {
    if (compressor.number == rocksdb_no_compression || !RocksDbHas(compressor.number)) continue;
    if (!compressors.empty()) compressors += ' ';
    compressors += compressor.name;
  }
  sink(context, "compressors", compressors.empty() ? "none" : compressors.c_str());

  const LibraryFile file(path);
  const bool has_assertions = RocksDbHasAssertions(file.bytes());
  const std::string_view crc32 = Crc32Kind(RocksDbFunction());
  sink(context, "assertions", Assertions(file.bytes(), has_assertions));
  sink(context, "crc32", crc32.data());
  if (has_assertions) {
    sink(context, "warning",
         "this RocksDB is compiled with assertions, which slow it down; `make deps` fetches the "
         "official release");
  } else if (crc32 == "software") {
    sink(context, "warning",
         "this RocksDB computes CRC32 in software; `make rocksdb` builds one that uses the CPU's "
         "instruction");
  }
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_LIBRARY_H_
