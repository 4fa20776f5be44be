#include "probe/memory_group.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>
#include <vector>

#include "base/process_tree.h"
#include "base/whole_file.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "levelfield-";

// 0, or the error. The kernel judges each write separately, so it is one call.
int Put(const std::string& path, const std::string& text) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return errno;
  const ssize_t count = write(file.get(), text.data(), text.size());
  return count == static_cast<ssize_t>(text.size()) ? 0 : errno;
}

// The list has words between commas, blanks or ends of lines.
bool HasWord(std::string_view list, std::string_view word) {
  std::string text(list);
  std::ranges::replace(text, ',', ' ');
  std::istringstream words(text);
  for (std::string each; words >> each;) {
    if (each == word) return true;
  }
  return false;
}

// This process's group in the hierarchy of `controller`; "" means version 2.
std::optional<std::string> OwnGroup(std::string_view cgroups, std::string_view controller) {
  std::istringstream lines{std::string(cgroups)};
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    const bool is_it = controller.empty() ? names.empty() : HasWord(names, controller);
    if (is_it) return line.substr(second + 1);
  }
  return std::nullopt;
}

// Where the group is mounted: mountinfo's fields are id, parent, device, root, mount point,
// options, further fields, "-", type, source, options of the file system (proc(5)).
std::optional<std::string> MountedAt(std::string_view mounts, std::string_view type,
                                     std::string_view controller, const std::string& group) {
  std::istringstream lines{std::string(mounts)};
  for (std::string line; std::getline(lines, line);) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash));
    std::istringstream after(line.substr(dash + 3));
    std::string skipped, root, point, type_here, source, options;
    before >> skipped >> skipped >> skipped >> root >> point;
    after >> type_here >> source >> options;
    if (type_here != type || (!controller.empty() && !HasWord(options, controller))) continue;
    if (root == "/") return point + (group == "/" ? "" : group);
    if (group.starts_with(root)) return point + group.substr(root.size());
  }
  return std::nullopt;
}

// The name of a group tells which driver made it: its process, and when that began, because process
// numbers are reused.
uint64_t StartOf(pid_t pid) {
  const std::optional<ProcessId> process = FindProcess(pid);
  return process ? process->start_ticks : 0;
}

bool IsLeftBehind(const std::string& name) {
  unsigned pid = 0;
  unsigned long long start = 0;
  if (std::sscanf(name.c_str(), "levelfield-%u-%llu-", &pid, &start) != 2) return false;
  return StartOf(static_cast<pid_t>(pid)) != start;
}

// Whatever is still in it is what its driver left there.
void Remove(const std::string& directory, int version) {
  for (int attempt = 0; attempt < 500; ++attempt) {
    std::istringstream processes(ReadAll(directory + "/cgroup.procs"));
    for (pid_t pid = 0; processes >> pid;) kill(pid, SIGKILL);
    // Else the parent would own its page cache, which would be free for the next reader.
    if (version == 1) (void)Put(directory + "/memory.force_empty", "0");
    if (rmdir(directory.c_str()) == 0 || errno == ENOENT) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void RemoveLeftBehind(const MemoryHierarchy& hierarchy) {
  std::vector<std::string> stale;
  std::error_code error;
  for (fs::directory_iterator it(hierarchy.directory, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename();
    if (name.starts_with(kPrefix) && IsLeftBehind(name)) stale.push_back(it->path());
  }
  for (const std::string& directory : stale) Remove(directory, hierarchy.version);
}

Status Refusal(const std::string& why) {
  return Status::Usage(
      "--memory: " + why +
      ". Run as root, or in a group that is delegated to you with its memory controller "
      "(systemd-run --user --scope -p Delegate=yes levelfield ...), or leave --memory out and have "
      "results that say \"memory not limited\"");
}

std::string PeakFile(const MemoryHierarchy& group) {
  return group.directory + (group.version == 1 ? "/memory.max_usage_in_bytes" : "/memory.peak");
}

std::optional<MemoryHierarchy> Here() {
  return FindMemoryHierarchy(ReadAll("/proc/self/cgroup"), ReadAll("/proc/self/mountinfo"));
}

}  // namespace

// In version 2 a group with groups below it has no processes of its own. So this one moves into a
// leaf beside the groups that it makes.
Status HandOn(const std::string& directory, const std::string& controller) {
  if (!HasWord(ReadAll(directory + "/cgroup.controllers"), controller)) {
    return Refusal(fmt::format("the group {} has no {} controller", directory, controller));
  }
  const std::string control = directory + "/cgroup.subtree_control";
  if (HasWord(ReadAll(control), controller)) return Status::Ok();
  int error = Put(control, "+" + controller);
  if (error == EBUSY) {
    const std::string leaf =
        fmt::format("{}/{}{}-{}-driver", directory, kPrefix, getpid(), StartOf(getpid()));
    if (mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) error = errno;
    if (const int moved = Put(leaf + "/cgroup.procs", "0"); moved != 0) error = moved;
    if (error == EBUSY) error = Put(control, "+" + controller);
  }
  if (error == 0) return Status::Ok();
  return Refusal(fmt::format("the group {} does not hand its {} controller on: {}", directory,
                             controller, std::strerror(error)));
}

Status SetMemoryLimit(const MemoryHierarchy& group, uint64_t bytes) {
  const bool is_first = group.version == 1;
  const std::string limit = bytes > 0 ? std::to_string(bytes) : is_first ? "-1" : "max";
  const std::string file = group.directory + (is_first ? "/memory.limit_in_bytes" : "/memory.max");
  // Swap would be memory beyond the limit. A kernel that does not count swap has no such file.
  const std::string with_swap =
      group.directory + (is_first ? "/memory.memsw.limit_in_bytes" : "/memory.swap.max");
  // In version 1 it counts memory and swap together, and is never below the limit of memory.
  if (is_first) (void)Put(with_swap, "-1");
  if (const int error = Put(file, limit); error != 0) {
    return Refusal(fmt::format("cannot set {} to {}: {}", file, limit, std::strerror(error)));
  }
  (void)Put(with_swap, is_first ? limit : "0");
  return Status::Ok();
}

uint64_t PeakOf(const MemoryHierarchy& group) {
  return std::strtoull(ReadAll(PeakFile(group)).c_str(), nullptr, 10);
}

MemoryUse UseOf(const MemoryHierarchy& group) {
  const std::string text = ReadAll(group.directory + "/memory.stat");
  const bool is_first = group.version == 1;
  return {NumberBehind(text, is_first ? "rss " : "anon ").value_or(0),
          NumberBehind(text, is_first ? "cache " : "file ").value_or(0)};
}

bool HasKilledIn(const MemoryHierarchy& group) {
  const std::string text =
      ReadAll(group.directory + (group.version == 1 ? "/memory.oom_control" : "/memory.events"));
  return NumberBehind(text, "oom_kill").value_or(0) > 0;
}

std::optional<MemoryHierarchy> FindMemoryHierarchy(std::string_view cgroups,
                                                   std::string_view mounts) {
  if (const auto group = OwnGroup(cgroups, "memory")) {
    if (const auto path = MountedAt(mounts, "cgroup", "memory", *group)) {
      return MemoryHierarchy{*path, 1};
    }
  }
  if (const auto group = OwnGroup(cgroups, "")) {
    if (const auto path = MountedAt(mounts, "cgroup2", "", *group)) {
      return MemoryHierarchy{*path, 2};
    }
  }
  return std::nullopt;
}

Status CheckMemoryGroups() {
  const StatusOr<MemoryGroup> group = MemoryGroup::Create(uint64_t{1} << 30);
  return group.ok() ? Status::Ok() : group.status();
}

StatusOr<MemoryGroup> MemoryGroup::Create(uint64_t limit_bytes) {
  std::optional<MemoryHierarchy> hierarchy = Here();
  if (!hierarchy) return Refusal("no memory controller of cgroups is mounted here");
  // After the move into a leaf, this process's group is that leaf.
  const size_t leaf = hierarchy->directory.rfind("/" + std::string(kPrefix));
  if (leaf != std::string::npos) hierarchy->directory.resize(leaf);
  RemoveLeftBehind(*hierarchy);
  if (hierarchy->version == 2) {
    RETURN_IF_ERROR(HandOn(hierarchy->directory, "memory"));
  }
  static std::atomic<unsigned> made{0};
  const std::string directory = fmt::format("{}/{}{}-{}-{}", hierarchy->directory, kPrefix,
                                            getpid(), StartOf(getpid()), made.fetch_add(1));
  if (mkdir(directory.c_str(), 0755) != 0) {
    return Refusal(fmt::format("cannot make the group {}: {}", directory, std::strerror(errno)));
  }
  MemoryGroup group({.directory = directory, .version = hierarchy->version}, limit_bytes);
  RETURN_IF_ERROR(SetMemoryLimit(group.group_, limit_bytes));
  group.procs_ = UniqueFd(open((directory + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  if (group.procs_.get() < 0) {
    return Refusal(fmt::format("cannot enter the group {}: {}", directory, std::strerror(errno)));
  }
  return group;
}

MemoryGroup::MemoryGroup(MemoryGroup&& other) noexcept
    : group_(std::exchange(other.group_, {})),
      limit_bytes_(other.limit_bytes_),
      procs_(std::move(other.procs_)),
      was_lifted_(other.was_lifted_),
      peak_(std::move(other.peak_)) {}

Status MemoryGroup::Lift() {
  was_lifted_ = true;
  return SetMemoryLimit(group_, 0);
}

Status MemoryGroup::Hold() {
  // What is mapped or in use is taken back a part at a time. Version 1 then says EBUSY. Version 2
  // would end the process, but not for memory.high.
  constexpr auto kPatience = std::chrono::seconds(10);
  const std::string high = group_.directory + "/memory.high";
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  if (group_.version == 2) (void)Put(high, std::to_string(limit_bytes_));
  Status status = SetMemoryLimit(group_, limit_bytes_);
  while (!status.ok() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    status = SetMemoryLimit(group_, limit_bytes_);
  }
  RETURN_IF_ERROR(status);
  if (group_.version == 2) (void)Put(high, "max");
  UniqueFd peak(open(PeakFile(group_).c_str(), O_RDWR | O_CLOEXEC));
  const bool counts_anew = peak.get() >= 0 && write(peak.get(), "0", 1) == 1;
  peak_ = counts_anew ? std::move(peak) : UniqueFd();
  return Status::Ok();
}

uint64_t MemoryGroup::PeakBytes() const {
  if (!was_lifted_) return PeakOf(group_);
  char text[32] = {};
  if (peak_.get() < 0 || pread(peak_.get(), text, sizeof text - 1, 0) <= 0) return 0;
  return std::strtoull(text, nullptr, 10);
}

void MemoryGroup::Take(pid_t pid) {
  (void)Put(group_.directory + "/cgroup.procs", std::to_string(pid));
}

MemoryGroup::~MemoryGroup() {
  if (!group_.directory.empty()) Remove(group_.directory, group_.version);
}

}  // namespace levelfield
