// Operations on the store as a whole, which the worker's main thread does, and questions that a
// text answers: a property of the engine, or the heap profile of the worker's allocator, as a file
// for its own tool (jeprof, google-pprof). The program links no such allocator: it comes by
// LD_PRELOAD and is found by its function names.
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "base/unique_fd.h"
#include "engine/engine.h"
#include "operations/operations.h"
#include "workload/file/role_lines.h"
#include "workload/workload.h"

namespace levelfield {

namespace store {

constexpr const char* kHow =
    "LD_PRELOAD=libtcmalloc.so.4 HEAPPROFILE=/tmp/heap (package libgoogle-perftools4 or "
    "libgoogle-perftools4t64), or LD_PRELOAD=libjemalloc.so.2 MALLOC_CONF=prof:true "
    "(libjemalloc2), in front of the command gives one";

template <class Function>
Function* Loaded(const char* symbol) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, symbol));
}

struct NewFile {
  std::string path;
  UniqueFd fd;
};

StatusOr<NewFile> NextFile(const std::string& directory) {
  for (int number = 1; number < 10'000; ++number) {
    std::string path = fmt::format("{}/heap-{:04}", directory, number);
    UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (fd.get() >= 0) return NewFile{std::move(path), std::move(fd)};
    if (errno == EEXIST || errno == EINTR) continue;
    return Status::Usage(fmt::format("cannot create {}: {}", path, std::strerror(errno)));
  }
  return Status::Usage(directory + " has 9999 heap profiles; remove some");
}

// https://jemalloc.net/jemalloc.3.html#prof.dump
using Mallctl = int(const char*, void*, size_t*, void*, size_t);

bool JemallocHas(Mallctl* mallctl, const char* name) {
  bool value = false;
  size_t size = sizeof(value);
  return mallctl(name, &value, &size, nullptr, 0) == 0 && value;
}

StatusOr<std::string> DumpJemalloc(Mallctl* mallctl, const std::string& directory) {
  if (!JemallocHas(mallctl, "config.prof")) {
    return Status::Usage(std::string("jemalloc is loaded, but was built without its profiler; ") +
                         kHow);
  }
  if (!JemallocHas(mallctl, "opt.prof")) {
    return Status::Usage("jemalloc is loaded, but its profiler is off: set MALLOC_CONF=prof:true");
  }
  ASSIGN_OR_RETURN(const NewFile file, NextFile(directory));
  const char* path = file.path.c_str();
  const int error = mallctl("prof.dump", nullptr, nullptr, &path, sizeof(path));
  if (error == 0) return file.path;
  unlink(path);
  return Status::Usage(
      fmt::format("jemalloc cannot write {}: {}", file.path, std::strerror(error)));
}

// https://gperftools.github.io/gperftools/heapprofile.html
StatusOr<std::string> DumpTcmalloc(char* (*get_profile)(), const std::string& directory) {
  int (*const is_running)() = Loaded<int()>("IsHeapProfilerRunning");
  if (is_running == nullptr || is_running() == 0) {
    return Status::Usage(
        "tcmalloc is loaded, but its heap profiler is off: set HEAPPROFILE=/tmp/heap");
  }
  ASSIGN_OR_RETURN(const NewFile file, NextFile(directory));
  const std::unique_ptr<char, void (*)(void*)> profile(get_profile(), &free);
  const std::string_view text = profile ? profile.get() : "";
  const ssize_t written = write(file.fd.get(), text.data(), text.size());
  if (!text.empty() && written == static_cast<ssize_t>(text.size())) return file.path;
  const std::string reason = text.empty() ? "it gave none" : std::strerror(errno);
  unlink(file.path.c_str());
  return Status::Usage(fmt::format("cannot write tcmalloc's profile to {}: {}", file.path, reason));
}

// Writes the next of heap-0001, heap-0002, ... in the directory, never over another, and returns
// its path. kUsage, with advice, if no profiling allocator is loaded or its profiler is off.
StatusOr<std::string> WriteHeapProfile(const std::string& directory) {
  if (auto* const mallctl = Loaded<Mallctl>("mallctl"); mallctl != nullptr) {
    return DumpJemalloc(mallctl, directory);
  }
  if (auto* const get_profile = Loaded<char*()>("GetHeapProfile"); get_profile != nullptr) {
    return DumpTcmalloc(get_profile, directory);
  }
  return Status::Usage(std::string("no allocator that profiles its heap is loaded; ") + kHow);
}

StatusOr<std::string> Property(Store& store, const Role& role, const std::string&) {
  return store.Property(role.property);
}

StatusOr<std::string> HeapProfile(Store&, const Role&, const std::string& directory) {
  ASSIGN_OR_RETURN(const std::string path, WriteHeapProfile(directory));
  return "heap profile: " + path + "\n";
}

constexpr RoleLine kPropertyLines[] = {
    {"property",
     [](ParsedWorkload& parsed, const FileNumbers&, std::string_view text) -> std::string {
       parsed.role().property = text;
       return !text.empty() ? "" : "the name of a property of the engine";
     },
     "names a property, but only `op = property` asks for one",
     "needs `property =`, the name of one"}};

Status CheckText(const RoleLines& lines) {
  if (lines.role().operations == 1) return Status::Ok();
  return lines.Error("stop", "gives one text: `stop = after 1 operation`");
}

}  // namespace store

constinit const Operation operations::kCompact = {
    .name = "compact",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .writes_files = true,
    .rewrites_entries = true,
    .on_store = [](Store& store) { return store.Compact(); }};

// The newest level, and the first behind it that holds anything, into the next.
constinit const Operation operations::kCompactLevel0 = {
    .name = "compact_level_0",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .writes_files = true,
    .rewrites_entries = true,
    .on_store = [](Store& store) { return store.CompactLevel(0); }};

constinit const Operation operations::kCompactLevel1 = {
    .name = "compact_level_1",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .writes_files = true,
    .rewrites_entries = true,
    .on_store = [](Store& store) { return store.CompactLevel(1); }};

constinit const Operation operations::kOpen = {
    .name = "open", .scope = OperationScope::kStore, .effects = Effects::None()};

constinit const Operation operations::kFlush = {
    .name = "flush",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .writes_files = true,
    .ends_deferred_work = true,
    .on_store = [](Store& store) { return store.Flush(); }};

constinit const Operation operations::kWaitForBackground = {
    .name = "wait_for_background",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .needs_whole_store = true,
    .ends_deferred_work = true,
    .on_store = [](Store& store) { return store.WaitForBackground(); }};

constinit const Operation operations::kVerifyChecksums = {
    .name = "verify_checksums",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .needs_whole_store = true,
    .on_store = [](Store& store) { return store.VerifyChecksums(); }};

constinit const Operation operations::kBackup = {
    .name = "backup",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .needs_whole_store = true,
    .backs_up = true};

constinit const Operation operations::kRestore = {
    .name = "restore",
    .scope = OperationScope::kStore,
    .effects = Effects::None(),
    .restores = true};

constinit const Operation operations::kProperty = {.name = "property",
                                                   .scope = OperationScope::kStore,
                                                   .effects = Effects::None(),
                                                   .lines = store::kPropertyLines,
                                                   .check = store::CheckText,
                                                   .text = store::Property};

constinit const Operation operations::kHeapProfile = {.name = "heapprofile",
                                                      .scope = OperationScope::kStore,
                                                      .effects = Effects::None(),
                                                      .check = store::CheckText,
                                                      .text = store::HeapProfile};

}  // namespace levelfield
