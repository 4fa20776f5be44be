// The RocksDB library chosen at run time, as a table of its C functions, and facts about it.
// https://github.com/facebook/rocksdb/blob/main/include/rocksdb/c.h
//
// Loaded, not linked, so that one plug-in measures every installed version and build, each in its
// own process. LoadRocksDb writes it once before any other call. After that all threads read it.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_LIBRARY_H_
#define LEVELFIELD_ENGINES_ROCKSDB_LIBRARY_H_

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
#include "store_files.h"

namespace levelfield {

// The functions of the library that the engine calls, found by name. A library that lacks one of
// them is refused.
struct RocksDbLibrary {
  struct Entry {
    const char* name;
    void** address;
  };
  std::vector<Entry> entries;  // Every ROCKSDB in the code adds one before main begins.
  // Old libraries lack it.
  void (*verify_checksum)(rocksdb_t*, char** errptr) = nullptr;
  rocksdb_cache_t* (*cache_create_hyper_clock)(size_t capacity, size_t entry_charge) = nullptr;
  rocksdb_t* (*transactiondb_get_base_db)(rocksdb_transactiondb_t*) = nullptr;
  void (*transactiondb_close_base_db)(rocksdb_t*) = nullptr;
  void* handle = nullptr;
  bool is_system = false;
};
inline RocksDbLibrary& TheRocksDb() {
  static RocksDbLibrary library;
  return library;
}

template <size_t n>
struct RocksDbName {
  constexpr RocksDbName(const char (&name)[n]) { std::copy_n(name, n, text); }  // NOLINT
  char text[n];
};
template <class Function, RocksDbName name>
struct RocksDbFunction {
  static inline void* address = nullptr;
  static inline const bool is_entered = [] {
    TheRocksDb().entries.push_back({name.text, &address});
    return true;
  }();
  static Function Get() {
    (void)&is_entered;
    return reinterpret_cast<Function>(address);
  }
};

// A function of the library that older ones lack, and the header that this was compiled with may:
// by its name in C, null where it is not there.
template <class Function>
Function* LaterRocksDbFunction(const char* name) {
  return reinterpret_cast<Function*>(dlsym(TheRocksDb().handle, name));
}
inline lf_code LacksRocksDbFunction(const char* option, const char* function) {
  return Unsupported(std::string("RocksDB: ") + option + ": this library's C interface has no " +
                     function + ", which came later");
}

// ROCKSDB(put, db, ...) calls rocksdb_put of the library; ROCKSDB_FUNCTION(put) is that function.
#define ROCKSDB_FUNCTION(name) \
  (::levelfield::RocksDbFunction<decltype(&::rocksdb_##name), "rocksdb_" #name>::Get())
#define ROCKSDB(name, ...) (ROCKSDB_FUNCTION(name)(__VA_ARGS__))

// An object of the library, destroyed by the library.
template <class Object, RocksDbName destroy>
struct RocksDbDestroy {
  void operator()(Object* object) const {
    RocksDbFunction<void (*)(Object*), destroy>::Get()(object);
  }
};
template <class Object, RocksDbName destroy>
using RocksDbOwned = std::unique_ptr<Object, RocksDbDestroy<Object, destroy>>;

// One build in the cache of scripts/fetch_rocksdb.sh and scripts/build_rocksdb.sh, in a directory
// rocksdb-<version>-<kind>.
struct RocksDbBuild {
  std::vector<int> version;
  std::string version_text;
  std::string kind;  // "own" or "maven".
  std::string path;
};

// $LEVELFIELD_CACHE, or rocksdb/ beside this plug-in: an installation has its own library there, a
// build a link to the cache.
inline std::string RocksDbCache() {
  const char* const cache = std::getenv("LEVELFIELD_CACHE");
  if (cache != nullptr && *cache != '\0') return cache;
  const std::string plugin = LibraryPath(reinterpret_cast<const void*>(&RocksDbCache));
  const std::string beside = plugin.substr(0, plugin.rfind('/') + 1) + "rocksdb";
  char* const real = realpath(beside.c_str(), nullptr);
  const std::string directory = real != nullptr ? real : beside;
  std::free(real);
  return directory;
}

// The available builds, the preferred one first: own before maven, newer before older.
inline std::vector<RocksDbBuild> RocksDbBuilds() {
  std::vector<RocksDbBuild> builds;
  const std::string cache = RocksDbCache();
  for (const std::string& entry : NamesIn(cache)) {
    std::istringstream name(entry);
    std::string engine, kind, version;
    if (!std::getline(name, engine, '-') || engine != "rocksdb" ||
        !std::getline(name, version, '-') || !std::getline(name, kind) ||
        (kind != "own" && kind != "maven")) {
      continue;
    }
    RocksDbBuild build{{}, version, kind, cache + "/" + entry + "/librocksdb.so"};
    std::istringstream numbers(version);
    for (std::string number; std::getline(numbers, number, '.');) {
      build.version.push_back(std::atoi(number.c_str()));
    }
    builds.push_back(std::move(build));
  }
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
  RocksDbLibrary& library = TheRocksDb();
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
  for (const RocksDbLibrary::Entry& entry : library.entries) {
    *entry.address = dlsym(library.handle, entry.name);
    if (*entry.address != nullptr) continue;
    library.handle = nullptr;
    return Unsupported("RocksDB: " + (path.empty() ? "the system's library" : path) +
                       " has no function " + entry.name);
  }
  const auto find_optional = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library.handle, name));
  };
  find_optional(library.verify_checksum, "rocksdb_verify_checksum");
  find_optional(library.cache_create_hyper_clock, "rocksdb_cache_create_hyper_clock");
  find_optional(library.transactiondb_get_base_db, "rocksdb_transactiondb_get_base_db");
  find_optional(library.transactiondb_close_base_db, "rocksdb_transactiondb_close_base_db");
  return LF_OK;
}

inline const void* CodeOfRocksDb() { return dlsym(TheRocksDb().handle, "rocksdb_open"); }

// rocksdb::GetRocksVersionAsString(bool): the C interface has no version. Libraries built for the
// old ABI of std::string return a pointer to the text (which is not freed: 10 bytes, once).
inline std::string RocksDbVersion() {
  if (void* const function =
          dlsym(TheRocksDb().handle, "_ZN7rocksdb23GetRocksVersionAsStringB5cxx11Eb")) {
    return reinterpret_cast<std::string (*)(bool)>(function)(true);
  }
  struct OldString {
    OldString(const OldString&) = delete;
    ~OldString() {}  // Not trivial, so it is returned as a std::string is: by address.
    const char* text;
  };
  if (void* const function = dlsym(TheRocksDb().handle, "_ZN7rocksdb23GetRocksVersionAsStringEb")) {
    return reinterpret_cast<OldString (*)(bool)>(function)(true).text;
  }
  return "unknown";
}

// Whether the loaded library is of this version or a later one.
inline bool RocksDbIsSince(int major, int minor) {
  int has_major = 0;
  int has_minor = 0;
  char dot = 0;
  std::istringstream(RocksDbVersion()) >> has_major >> dot >> has_minor;
  return has_major > major || (has_major == major && has_minor >= minor);
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
// with a missing compression fails. This database lives in memory and touches no file.
inline bool RocksDbHas(int compressor) {
  if (compressor < 0) return false;
  const RocksDbOwned<rocksdb_env_t, "rocksdb_env_destroy"> memory(ROCKSDB(create_mem_env));
  const RocksDbOwned<rocksdb_options_t, "rocksdb_options_destroy"> options(ROCKSDB(options_create));
  ROCKSDB(options_set_env, options.get(), memory.get());
  ROCKSDB(options_set_create_if_missing, options.get(), 1);
  ROCKSDB(options_set_compression, options.get(), compressor);
  char* error = nullptr;
  const RocksDbOwned<rocksdb_t, "rocksdb_close"> db(
      ROCKSDB(open, options.get(), "/levelfield", &error));
  if (error != nullptr) ROCKSDB(free, error);
  return db != nullptr;
}

// Sync points are compiled into Get and Write wherever assertions are, and nowhere else; a release
// build may well have assertions of the codecs inside it.
inline bool RocksDbHasAssertions(std::string_view library) {
  return dlsym(TheRocksDb().handle, "_ZN7rocksdb9SyncPoint11GetInstanceEv") != nullptr ||
         HoldsLiteral(library, "DBImpl::GetImpl:1");
}

inline void DescribeRocksDb(void* context, lf_fact_sink sink) {
  const std::string path = LibraryPath(CodeOfRocksDb());
  sink(context, "language", "C++");
  sink(context, "version", RocksDbVersion().c_str());
  sink(context, "library", path.c_str());
  sink(context, "memory", "8M 200K (anonymous memory at 1 and 32 threads, up to a million keys)");
  sink(context, "space_factor", "3.93 " LEVELFIELD_SPACE_MEASURED);
  sink(context, "read_only", "DB::OpenForReadOnly");
  sink(context, "papers", "LOG* OPTIONS-*");

  std::string build = TheRocksDb().is_system ? "the distribution's" : "unknown";
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
  sink(context, "checksums",
       "XXH3 of every block of a table (CRC32C before 7.8), CRC32C of every record of the log");
  sink(context, "compared",
       "each block when it is read from its file into the cache, which is its default; the log "
       "when it is recovered");
  sink(context, "compressors", compressors.empty() ? "none" : compressors.c_str());

  const LibraryFile file(path);
  // Of the release's commit, or of when the distribution has built it.
  constexpr std::string_view kDate = "rocksdb_build_date:";
  if (const size_t at = file.bytes().find(kDate); at != std::string_view::npos) {
    const std::string year = YearOf(file.bytes().substr(at + kDate.size(), 4));
    if (!year.empty()) sink(context, "released", year.c_str());
  }
  const bool has_assertions = RocksDbHasAssertions(file.bytes());
  const std::string_view crc32 = Crc32Kind(CodeOfRocksDb());
  sink(context, "assertions", Assertions(file.bytes(), has_assertions));
  sink(context, "crc32", crc32.data());
  if (has_assertions) {
    sink(context, "warning",
         "this RocksDB is compiled with assertions, which slow it down; `make deps` fetches the "
         "official release");
  } else if (crc32 == "software") {
    sink(context, "warning",
         "computes CRC32 in software; `make engines` builds one that uses the CPU's "
         "instruction");
  }
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_LIBRARY_H_
