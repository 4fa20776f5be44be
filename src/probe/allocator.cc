#include "probe/allocator.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <fstream>
#include <iterator>
#include <set>
#include <vector>

namespace levelfield {
namespace {

constexpr std::string_view kKnown[] = {"jemalloc", "tcmalloc", "mimalloc"};

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The known allocator whose library that is; empty: none of them.
std::string_view KnownAs(std::string_view path) {
  for (const std::string_view name : kKnown) {
    if (FileName(path).starts_with("lib" + std::string(name))) return name;
  }
  return "";
}

bool IsLibc(std::string_view path) { return FileName(path).starts_with("libc.so"); }

template <class Function>
Function Symbol(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

std::string VersionOf(std::string_view path) {
  if (IsLibc(path)) return gnu_get_libc_version();
  const std::string_view known = KnownAs(path);
  if (known == "jemalloc") {
    const auto ask = Symbol<int (*)(const char*, void*, size_t*, void*, size_t)>("mallctl");
    const char* version = nullptr;
    size_t size = sizeof version;
    if (ask != nullptr && ask("version", &version, &size, nullptr, 0) == 0) return version;
  } else if (known == "tcmalloc") {
    const auto ask = Symbol<const char* (*)(int*, int*, const char**)>("tc_version");
    int major = 0, minor = 0;
    const char* patch = nullptr;
    if (ask != nullptr) {
      ask(&major, &minor, &patch);
      return fmt::format("{}.{}{}", major, minor, patch != nullptr ? patch : "");
    }
  } else if (known == "mimalloc") {
    const auto ask = Symbol<int (*)()>("mi_version");
    if (ask != nullptr) return std::to_string(ask());
  }
  return "";
}

}  // namespace

std::string DescribeAllocator(std::string_view file, std::string_view version,
                              std::string_view maps) {
  if (file.empty()) return "unknown: the file of malloc is not told";
  const std::string_view known = KnownAs(file);
  std::string text(IsLibc(file) ? "glibc" : known.empty() ? FileName(file) : known);
  if (!version.empty()) text += " " + std::string(version);
  std::set<std::string> idle;
  for (size_t begin = 0; begin < maps.size();) {
    const size_t end = std::min(maps.find('\n', begin), maps.size());
    const std::string_view line = maps.substr(begin, end - begin);
    const size_t slash = line.find('/');
    begin = end + 1;
    if (slash == std::string_view::npos) continue;
    const std::string_view path = line.substr(slash);
    // One library may stand there by several names, of which malloc's is one.
    if (!KnownAs(path).empty() && KnownAs(path) != known) idle.emplace(FileName(path));
  }
  if (idle.empty()) return text;
  return fmt::format("{} (loaded, not in force: {})", text, fmt::join(idle, ", "));
}

std::string AllocatorInForce() {
  Dl_info info{};
  const void* const function = dlsym(RTLD_DEFAULT, "malloc");
  const bool is_found = function != nullptr && dladdr(function, &info) != 0;
  const std::string file = is_found && info.dli_fname != nullptr ? info.dli_fname : "";
  std::ifstream maps("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(maps), {}};
  return DescribeAllocator(file, VersionOf(file), text);
}

}  // namespace levelfield
