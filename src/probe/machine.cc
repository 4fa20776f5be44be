#include "probe/machine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

constexpr std::string_view kKnown[] = {"jemalloc", "tcmalloc", "mimalloc"};

std::string_view FileName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// The name of the allocator that has that library; empty: none of them.
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
  const std::string_view allocator = KnownAs(path);
  if (allocator == "jemalloc") {
    const auto ask = Symbol<int (*)(const char*, void*, size_t*, void*, size_t)>("mallctl");
    const char* version = nullptr;
    size_t size = sizeof version;
    if (ask != nullptr && ask("version", &version, &size, nullptr, 0) == 0) return version;
  } else if (allocator == "tcmalloc") {
    const auto ask = Symbol<const char* (*)(int*, int*, const char**)>("tc_version");
    int major = 0, minor = 0;
    const char* patch = nullptr;
    if (ask != nullptr) {
      ask(&major, &minor, &patch);
      return fmt::format("{}.{}{}", major, minor, patch != nullptr ? patch : "");
    }
  } else if (allocator == "mimalloc") {
    const auto ask = Symbol<int (*)()>("mi_version");
    if (ask != nullptr) return std::to_string(ask());
  }
  return "";
}

bool ParseNumber(std::string_view text, int& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return !text.empty() && error == std::errc() && rest == end && number >= 0 &&
         number < CPU_SETSIZE;
}

}  // namespace

uint64_t AvailableMemoryBytes() {
  const std::optional<uint64_t> kibibytes = NumberBehind(ReadAll("/proc/meminfo"), "MemAvailable:");
  return kibibytes ? *kibibytes << 10 : kUnlimited;
}

uint64_t OomKillsSoFar() { return NumberBehind(ReadAll("/proc/vmstat"), "oom_kill").value_or(0); }

uint64_t DescriptorLimit() {
  struct rlimit limit {};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : kUnlimited;
}

std::string DescribeAllocator(std::string_view file, std::string_view version,
                              std::string_view maps) {
  if (file.empty()) return Unknown("the file of malloc is not told");
  const std::string_view allocator = KnownAs(file);
  std::string text(IsLibc(file) ? "glibc" : allocator.empty() ? FileName(file) : allocator);
  if (!version.empty()) text += " " + std::string(version);
  std::set<std::string> idle;
  for (size_t begin = 0; begin < maps.size();) {
    const size_t end = std::min(maps.find('\n', begin), maps.size());
    const std::string_view line = maps.substr(begin, end - begin);
    const size_t slash = line.find('/');
    begin = end + 1;
    if (slash == std::string_view::npos) continue;
    const std::string_view path = line.substr(slash);
    // One library may appear under several names, one of which is malloc's.
    if (!KnownAs(path).empty() && KnownAs(path) != allocator) idle.emplace(FileName(path));
  }
  if (idle.empty()) return text;
  return fmt::format("{} (loaded, not in force: {})", text, fmt::join(idle, ", "));
}

std::string AllocatorInForce() {
  Dl_info info{};
  const void* const function = dlsym(RTLD_DEFAULT, "malloc");
  const bool is_found = function != nullptr && dladdr(function, &info) != 0;
  const std::string file = is_found && info.dli_fname != nullptr ? info.dli_fname : "";
  return DescribeAllocator(file, VersionOf(file), ReadAll("/proc/self/maps"));
}

StatusOr<std::vector<int>> ParseProcessors(std::string_view text) {
  std::vector<int> processors;
  while (true) {
    const std::string_view part = text.substr(0, text.find(','));
    const size_t dash = part.find('-');
    int first = 0;
    int last = 0;
    if (!ParseNumber(part.substr(0, dash), first) ||
        !ParseNumber(dash == std::string_view::npos ? part : part.substr(dash + 1), last) ||
        last < first) {
      return Status::Usage(
          fmt::format("numbers of processors are accepted, like 0,2-3, the highest {} at most",
                      CPU_SETSIZE - 1));
    }
    for (int processor = first; processor <= last; ++processor) processors.push_back(processor);
    if (part.size() == text.size()) break;
    text.remove_prefix(part.size() + 1);
  }
  std::ranges::sort(processors);
  const auto [end, last] = std::ranges::unique(processors);
  processors.erase(end, last);
  return processors;
}

std::string ProcessorsText(const std::vector<int>& processors) {
  std::string text;
  for (size_t i = 0; i < processors.size();) {
    size_t end = i + 1;
    while (end < processors.size() && processors[end] == processors[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", processors[i]);
    if (end - i > 1) text += fmt::format("-{}", processors[end - 1]);
    i = end;
  }
  return text;
}

std::vector<int> ProcessorsInForce() {
  cpu_set_t set;
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  }
  return processors;
}

Status RunOnProcessors(const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors) CPU_SET(processor, &set);
  // The kernel silently drops processors that the process may not use.
  if (sched_setaffinity(0, sizeof(set), &set) == 0 && ProcessorsInForce() == processors) {
    return Status::Ok();
  }
  return Status::Failed(fmt::format("cannot run on the processors {} (--cpus); on {} instead: {}",
                                    ProcessorsText(processors), ProcessorsText(ProcessorsInForce()),
                                    std::strerror(errno)));
}

Status CheckProcessors(const std::string& cpus, const std::string& usable) {
  if (cpus.empty()) return Status::Ok();
  const StatusOr<std::vector<int>> asked = ParseProcessors(cpus);
  if (!asked.ok()) {
    return Status::Usage(fmt::format("--cpus={}: {}", Printable(cpus), asked.status().message()));
  }
  if (usable.empty()) return Status::Ok();
  ASSIGN_OR_RETURN(const std::vector<int> those, ParseProcessors(usable));
  if (std::ranges::includes(those, *asked)) return Status::Ok();
  return Status::Usage(fmt::format("--cpus={}: this program may run on {} and on no others",
                                   Printable(cpus), usable));
}

}  // namespace levelfield
