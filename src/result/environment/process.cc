#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>
#include <set>

#include "base/text.h"
#include "result/environment/machine.h"

// The build defines these. A file compiled without the build says "unknown".
#ifndef LEVELFIELD_VERSION
#define LEVELFIELD_VERSION "unknown: not told by the build"
#endif
#ifndef LEVELFIELD_GIT_HASH
#define LEVELFIELD_GIT_HASH "unknown: not told by the build"
#endif
#ifndef LEVELFIELD_BUILD_FLAGS
#define LEVELFIELD_BUILD_FLAGS "unknown: not told by the build"
#endif

namespace levelfield {
namespace {

Reading Built(const Machine&, const char* value) { return value; }

Reading Compiler(const Machine&, const char*) {
#ifdef __clang__
  return "clang " __VERSION__;
#else
  return "gcc " __VERSION__;
#endif
}

Reading Libc(const Machine&, const char*) {
  return fmt::format("glibc {}", gnu_get_libc_version());
}

// The libraries loaded in this process whose file names begin with one of `names`.
StatusOr<std::set<std::string>> Loaded(const Machine& machine, const char* names) {
  ASSIGN_OR_RETURN(const std::string maps, machine.Read("/proc/self/maps", 1 << 20));
  std::set<std::string> loaded;
  for (const std::string& line : LinesOf(maps)) {
    const std::string file = line.substr(line.rfind('/') + 1);
    for (const std::string& name : Parts(names, ' ')) {
      if (file.rfind(name, 0) == 0) loaded.insert(file);
    }
  }
  return loaded;
}

Reading Allocator(const Machine& machine, const char* names) {
  ASSIGN_OR_RETURN(const std::set<std::string> loaded, Loaded(machine, names));
  if (loaded.empty()) return fmt::format("glibc {}", gnu_get_libc_version());
  return fmt::format("{}", fmt::join(loaded, ", "));
}

// Libraries that fake syncs or time.
Reading Interposers(const Machine& machine, const char* names) {
  ASSIGN_OR_RETURN(const std::set<std::string> loaded, Loaded(machine, names));
  return loaded.empty() ? Json("none") : Json(fmt::format("{}", fmt::join(loaded, ", ")));
}

Reading OpenFiles(const Machine&, const char*) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return Status::Failed(std::strerror(errno));
  return limit.rlim_cur == RLIM_INFINITY ? Json("none") : Json(limit.rlim_cur);
}

constexpr EnvironmentField kProcessFields[] = {
    {"harness_version", kMoment, Built, LEVELFIELD_VERSION},
    {"harness_git", kMoment, Built, LEVELFIELD_GIT_HASH},
    {"harness_flags", kMoment, Built, LEVELFIELD_BUILD_FLAGS},
    {"compiler", kMoment, Compiler, ""},
    {"libc", kMoment, Libc, ""},
    {"allocator", kPlace, Allocator,
     "libjemalloc libtcmalloc libmimalloc libsnmalloc librpmalloc libhoard libtbbmalloc"},
    {"interposers", kMoment, Interposers, "libeatmydata libfaketime libnosync"},
    {"open_files_limit", kMoment, OpenFiles, ""},
};

}  // namespace

std::span<const EnvironmentField> ProcessFields() { return kProcessFields; }

}  // namespace levelfield
