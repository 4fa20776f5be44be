#include "result/environment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/text_hash.h"
#include "base/unique_fd.h"
#include "base/utc.h"
#include "result/mounts.h"

// The build tells these; a source tree without its build says so.
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

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json Unknown(std::string_view reason) { return fmt::format("unknown: {}", reason); }

std::string Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\r";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// A whole decimal number, or nothing.
std::optional<uint64_t> Number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

Json NumberOrText(const std::string& text) {
  const std::optional<uint64_t> number = Number(text);
  return number ? Json(*number) : Json(text);
}

// Where the fields come from. What several fields need is looked up once.
struct Machine {
  Machine(const std::string& store, const EnvironmentSource& source)
      : root(source.root), started(source.started), store_path(store) {
    mounts = FindMounts();
    store_mount = FindStoreMount();
    store_device = FindStoreDevice();
  }

  std::string root;
  std::string started;
  std::string store_path;
  StatusOr<std::vector<Mount>> mounts = Status::Failed("");
  // The mount that the store is on, or would be on.
  StatusOr<Mount> store_mount = Status::Failed("");
  // Directory below /sys that describes the block device of the store.
  StatusOr<std::string> store_device = Status::Failed("");

  std::string At(const std::string& path) const { return root == "/" ? path : root + path; }

  // The file's text, trimmed, in printable ASCII, so that it always fits into JSON. Of a longer
  // file only the beginning: /proc/cpuinfo of a large machine takes tens of milliseconds to read
  // whole, and its first processor is all that is wanted.
  StatusOr<std::string> Read(const std::string& path, size_t max_bytes = 16384) const {
    const UniqueFd fd(open(At(path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    std::string text;
    std::array<char, 16384> block;
    while (fd.ok() && text.size() < max_bytes) {
      const ssize_t got = read(fd.get(), block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Status::Failed(fmt::format("{}: {}", path, std::strerror(errno)));
      if (got == 0) break;
      text.append(block.data(), static_cast<size_t>(got));
    }
    if (!fd.ok()) return Status::Failed(fmt::format("{}: {}", path, std::strerror(errno)));
    for (char& c : text) {
      if ((c < ' ' || c > '~') && c != '\n' && c != '\t') c = '?';
    }
    text = Trimmed(text);
    if (text.empty()) return Status::Failed(fmt::format("{} is empty", path));
    return text;
  }

  bool Exists(const std::string& path) const {
    std::error_code error;
    return fs::exists(At(path), error);
  }

  StatusOr<std::vector<std::string>> NamesIn(const std::string& path) const {
    std::error_code error;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(At(path), error)) {
      names.push_back(entry.path().filename().string());
    }
    if (error) return Status::Failed(fmt::format("{}: {}", path, error.message()));
    std::sort(names.begin(), names.end());
    return names;
  }

  StatusOr<std::vector<Mount>> FindMounts() const {
    const StatusOr<std::string> text = Read("/proc/self/mountinfo", 1 << 20);
    if (!text.ok()) return text.status();
    return ParseMounts(*text);
  }

  StatusOr<Mount> FindStoreMount() const {
    if (!mounts.ok()) return mounts.status();
    std::error_code error;
    const std::string path = root == "/" ? fs::weakly_canonical(store_path, error).string()
                                         : fs::path(store_path).lexically_normal().string();
    const Mount* const best = MountOf(*mounts, path);
    if (best == nullptr) return Status::Failed("/proc/self/mountinfo names no mount for the store");
    return *best;
  }

  StatusOr<std::string> FindStoreDevice() const {
    const StatusOr<Mount>& mount = store_mount;
    if (!mount.ok()) return mount.status();
    std::string directory = "/sys/dev/block/" + mount->device;
    if (Exists(directory)) return directory;
    // btrfs gives every subvolume a device number of its own; its source is the real device.
    directory = "/sys/class/block/" + fs::path(mount->source).filename().string();
    if (mount->source.rfind("/dev/", 0) == 0 && Exists(directory)) return directory;
    return Status::Failed(
        fmt::format("no block device is known for {} ({})", mount->type, mount->device));
  }
};

// ------------------------------------------------------------------- how a field gets its value

Json Line(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  return text.ok() ? NumberOrText(*text) : Unknown(text.status().message());
}

// "name : value" in /proc/cpuinfo, the first one.
StatusOr<std::string> CpuInfo(const Machine& machine, std::string_view name) {
  const StatusOr<std::string> text = machine.Read("/proc/cpuinfo");
  if (!text.ok()) return text.status();
  for (const std::string& line : Split(*text, '\n')) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos && Trimmed(line.substr(0, colon)) == name) {
      return Trimmed(line.substr(colon + 1));
    }
  }
  return Status::Failed(fmt::format("/proc/cpuinfo has no \"{}\"", name));
}

Json CpuInfoField(const Machine& machine, const char* name) {
  const StatusOr<std::string> value = CpuInfo(machine, name);
  return value.ok() ? Json(*value) : Unknown(value.status().message());
}

// "0-3,8" -> 0 1 2 3 8
StatusOr<std::vector<uint64_t>> NumberList(const Machine& machine, const std::string& path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return text.status();
  std::vector<uint64_t> numbers;
  for (const std::string& range : Split(*text, ',')) {
    const size_t dash = range.find('-');
    const std::optional<uint64_t> first = Number(range.substr(0, dash));
    const std::optional<uint64_t> last =
        dash == std::string::npos ? first : Number(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first > 65536) {
      return Status::Failed(fmt::format("{} says \"{}\"", path, *text));
    }
    for (uint64_t number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  return numbers;
}

Json CountOfList(const Machine& machine, const char* path) {
  const StatusOr<std::vector<uint64_t>> numbers = NumberList(machine, path);
  return numbers.ok() ? Json(numbers->size()) : Unknown(numbers.status().message());
}

// How many different combinations of these topology files the online processors have.
Json Topology(const Machine& machine, const char* files) {
  const StatusOr<std::vector<uint64_t>> online =
      NumberList(machine, "/sys/devices/system/cpu/online");
  if (!online.ok()) return Unknown(online.status().message());
  std::set<std::string> different;
  for (const uint64_t cpu : *online) {
    std::string key;
    for (const std::string& file : Split(files, ' ')) {
      const StatusOr<std::string> text =
          machine.Read(fmt::format("/sys/devices/system/cpu/cpu{}/topology/{}", cpu, file));
      if (!text.ok()) return Unknown(text.status().message());
      key += *text + " ";
    }
    different.insert(key);
  }
  return different.size();
}

Json Caches(const Machine& machine, const char* directory) {
  const StatusOr<std::vector<std::string>> names = machine.NamesIn(directory);
  if (!names.ok()) return Unknown(names.status().message());
  Json caches = Json::object();
  for (const std::string& name : *names) {
    if (name.rfind("index", 0) != 0) continue;
    const std::string cache = fmt::format("{}/{}/", directory, name);
    const StatusOr<std::string> level = machine.Read(cache + "level");
    const StatusOr<std::string> type = machine.Read(cache + "type");
    const StatusOr<std::string> size = machine.Read(cache + "size");
    const StatusOr<std::string> shared = machine.Read(cache + "shared_cpu_list");
    for (const auto* part : {&level, &type, &size, &shared}) {
      if (!part->ok()) return Unknown(part->status().message());
    }
    caches[fmt::format("L{} {}", *level, *type)] = fmt::format("{}, cpus {}", *size, *shared);
  }
  return caches.empty() ? Unknown(fmt::format("{} lists none", directory)) : caches;
}

// The values of one file of all frequency policies.
StatusOr<std::set<std::string>> Frequency(const Machine& machine, const std::string& file) {
  const std::string directory = "/sys/devices/system/cpu/cpufreq";
  const StatusOr<std::vector<std::string>> names = machine.NamesIn(directory);
  if (!names.ok()) return names.status();
  std::set<std::string> values;
  for (const std::string& name : *names) {
    if (name.rfind("policy", 0) != 0) continue;
    const StatusOr<std::string> text = machine.Read(fmt::format("{}/{}/{}", directory, name, file));
    if (!text.ok()) return text.status();
    values.insert(*text);
  }
  if (values.empty()) return Status::Failed(fmt::format("{} has no policy", directory));
  return values;
}

Json Governor(const Machine& machine, const char*) {
  const StatusOr<std::set<std::string>> values = Frequency(machine, "scaling_governor");
  if (!values.ok()) return Unknown(values.status().message());
  return fmt::format("{}", fmt::join(*values, ", "));
}

Json Extreme(const Machine& machine, const std::string& file, bool greatest) {
  const StatusOr<std::set<std::string>> values = Frequency(machine, file);
  if (!values.ok()) return Unknown(values.status().message());
  std::set<uint64_t> numbers;
  for (const std::string& value : *values) numbers.insert(Number(value).value_or(0));
  return greatest ? *numbers.rbegin() : *numbers.begin();
}
Json Lowest(const Machine& machine, const char* file) { return Extreme(machine, file, false); }
Json Greatest(const Machine& machine, const char* file) { return Extreme(machine, file, true); }

Json Turbo(const Machine& machine, const char*) {
  const StatusOr<std::string> off = machine.Read("/sys/devices/system/cpu/intel_pstate/no_turbo");
  if (off.ok()) return *off == "0" ? "on" : "off";
  const StatusOr<std::string> on = machine.Read("/sys/devices/system/cpu/cpufreq/boost");
  if (on.ok()) return *on == "1" ? "on" : "off";
  return Unknown(off.status().message() + "; " + on.status().message());
}

Json LinesOfDirectory(const Machine& machine, const char* directory) {
  const StatusOr<std::vector<std::string>> names = machine.NamesIn(directory);
  if (!names.ok()) return Unknown(names.status().message());
  Json lines = Json::object();
  for (const std::string& name : *names) {
    lines[name] = Line(machine, fmt::format("{}/{}", directory, name).c_str());
  }
  return lines;
}

Json Hypervisor(const Machine& machine, const char*) {
  const StatusOr<std::string> flags = CpuInfo(machine, "flags");
  if (!flags.ok()) return Unknown(flags.status().message());
  if ((" " + *flags + " ").find(" hypervisor ") == std::string::npos) return "none";
  return "present";
}

// Without the words that tell of the network or a secret, not of the speed.
Json CommandLine(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  std::string line;
  for (const std::string& word : Split(*text, ' ')) {
    if (word == "--") return line + " -- (withheld)";  // What follows is for init, not the kernel.
    const std::string name = word.substr(0, word.find('='));
    const bool withheld = name == "ip" || name == "nfsroot" || name == "ifname" ||
                          name.find("hostname") != std::string::npos ||
                          name.find("credential") != std::string::npos ||
                          name.find("password") != std::string::npos;
    if (!line.empty()) line += ' ';
    line += withheld ? name + "=(withheld)" : word;
  }
  return line;
}

StatusOr<uint64_t> MemoryBytes(const Machine& machine, std::string_view name) {
  const StatusOr<std::string> text = machine.Read("/proc/meminfo");
  if (!text.ok()) return text.status();
  for (const std::string& line : Split(*text, '\n')) {
    std::istringstream words(line);
    std::string label;
    uint64_t kibibytes = 0;
    if (words >> label >> kibibytes && label == fmt::format("{}:", name)) return kibibytes * 1024;
  }
  return Status::Failed(fmt::format("/proc/meminfo has no {}", name));
}

Json Memory(const Machine& machine, const char* name) {
  const StatusOr<uint64_t> bytes = MemoryBytes(machine, name);
  return bytes.ok() ? Json(*bytes) : Unknown(bytes.status().message());
}

// Whole gibibytes: what the kernel keeps for itself differs a little from boot to boot.
Json MemoryGib(const Machine& machine, const char* name) {
  const StatusOr<uint64_t> bytes = MemoryBytes(machine, name);
  if (!bytes.ok()) return Unknown(bytes.status().message());
  return (*bytes + (uint64_t{1} << 30) - 1) >> 30;
}

Json StatusLine(const Machine& machine, const char* name) {
  const StatusOr<std::string> text = machine.Read("/proc/self/status");
  if (!text.ok()) return Unknown(text.status().message());
  for (const std::string& line : Split(*text, '\n')) {
    if (line.rfind(fmt::format("{}:", name), 0) == 0)
      return Trimmed(line.substr(line.find(':') + 1));
  }
  return Unknown(fmt::format("/proc/self/status has no {}", name));
}

// ------------------------------------------------------------------------------ control groups

// The directories of this process's group, innermost first, up to the mount; of the controller's
// own hierarchy (v1) or of the unified one (v2).
struct Group {
  bool is_v2;
  std::vector<std::string> directories;
};

StatusOr<Group> GroupOf(const Machine& machine, const std::string& controller) {
  const StatusOr<std::string> text = machine.Read("/proc/self/cgroup");
  if (!text.ok()) return text.status();
  const StatusOr<std::vector<Mount>>& mounts = machine.mounts;
  if (!mounts.ok()) return mounts.status();
  const auto has = [&controller](const std::string& list) {
    const std::vector<std::string> names = Split(list, ',');
    return std::find(names.begin(), names.end(), controller) != names.end();
  };
  // "4:memory:/a/b" or "0::/a/b"; a controller that v1 has is not in v2.
  std::string path;
  bool is_v2 = false;
  bool found = false;
  for (const std::string& line : Split(*text, '\n')) {
    const std::vector<std::string> parts = Split(line, ':');
    if (parts.size() < 3) continue;
    const bool v1 = has(parts[1]);
    if (v1 || (parts[1].empty() && !found)) {
      path = line.substr(parts[0].size() + parts[1].size() + 2);
      is_v2 = !v1;
      found = true;
    }
  }
  if (!found) return Status::Failed(fmt::format("/proc/self/cgroup has no {}", controller));
  for (const Mount& mount : *mounts) {
    if (is_v2 ? mount.type != "cgroup2" : mount.type != "cgroup" || !has(mount.super_options)) {
      continue;
    }
    // In a container the mount shows a part of the hierarchy only.
    if (mount.root != "/" && path.rfind(mount.root, 0) == 0) path.erase(0, mount.root.size());
    Group group{is_v2, {}};
    for (; path.size() > 1; path.resize(path.rfind('/'))) {
      if (machine.Exists(mount.point + path)) group.directories.push_back(mount.point + path);
    }
    group.directories.push_back(mount.point);
    return group;
  }
  return Status::Failed(fmt::format("the {} hierarchy is not mounted", controller));
}

// Empty when there is no such file: not every group has every limit.
StatusOr<std::string> ReadIfThere(const Machine& machine, const std::string& path) {
  return machine.Exists(path) ? machine.Read(path) : StatusOr<std::string>(std::string());
}

// The tightest of the limits on the way up. `parse` turns the text of a limit into a number, or
// into nothing where it says that there is none.
template <class Parse>
Json TightestLimit(const Machine& machine, const char* controller, const char* v2_file,
                   const char* v1_files, const Parse& parse) {
  const StatusOr<Group> group = GroupOf(machine, controller);
  if (!group.ok()) return Unknown(group.status().message());
  Json tightest = "none";
  // The root of v2 has no limits; in v1 every group has them, so there they must be found.
  bool found = group->is_v2;
  for (const std::string& directory : group->directories) {
    std::string all;
    for (const std::string& file : Split(group->is_v2 ? v2_file : v1_files, ' ')) {
      const StatusOr<std::string> text = ReadIfThere(machine, directory + "/" + file);
      if (!text.ok()) return Unknown(text.status().message());
      all += (all.empty() ? "" : " ") + *text;
    }
    found = found || !all.empty();
    const auto limit = parse(all);
    if (limit && (tightest.is_string() || *limit < tightest)) tightest = *limit;
  }
  if (!found) return Unknown(fmt::format("{} has no {}", group->directories.front(), v1_files));
  return tightest;
}

Json GroupMemory(const Machine& machine, const char* controller) {
  return TightestLimit(machine, controller, "memory.max", "memory.limit_in_bytes",
                       [](const std::string& text) {
                         const std::optional<uint64_t> bytes = Number(text);  // Not "max".
                         // v1 says "no limit" as the greatest multiple of a page.
                         return bytes && *bytes < (uint64_t{1} << 62) ? bytes : std::nullopt;
                       });
}

// In processors.
Json GroupCpu(const Machine& machine, const char* controller) {
  return TightestLimit(machine, controller, "cpu.max", "cpu.cfs_quota_us cpu.cfs_period_us",
                       [](const std::string& text) -> std::optional<double> {
                         const size_t space = text.find(' ');
                         if (space == std::string::npos) return std::nullopt;
                         const std::optional<uint64_t> quota =
                             Number(text.substr(0, space));  // Not "max" or -1.
                         const std::optional<uint64_t> period = Number(text.substr(space + 1));
                         if (!quota || !period || *period == 0) return std::nullopt;
                         return static_cast<double>(*quota) / static_cast<double>(*period);
                       });
}

Json GroupCpuset(const Machine& machine, const char* controller) {
  const StatusOr<Group> group = GroupOf(machine, controller);
  if (!group.ok()) return Unknown(group.status().message());
  for (const std::string& directory : group->directories) {
    const StatusOr<std::string> text = ReadIfThere(
        machine, directory + (group->is_v2 ? "/cpuset.cpus.effective" : "/cpuset.effective_cpus"));
    if (!text.ok()) return Unknown(text.status().message());
    if (!text->empty()) return *text;
  }
  return "none";
}

Json GroupVersion(const Machine& machine, const char* controller) {
  const StatusOr<Group> group = GroupOf(machine, controller);
  if (!group.ok()) return Unknown(group.status().message());
  return group->is_v2 ? 2 : 1;
}

Json ContainerHints(const Machine& machine, const char*) {
  Json hints = Json::array();
  for (const char* file : {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"}) {
    if (machine.Exists(file)) hints.push_back(file);
  }
  if (std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) hints.push_back("kubernetes");
  const StatusOr<std::string> groups = machine.Read("/proc/self/cgroup");
  if (!groups.ok() && hints.empty()) return Unknown(groups.status().message());
  for (const char* name : {"docker", "kubepods", "lxc", "libpod", "containerd"}) {
    if (groups.ok() && groups->find(name) != std::string::npos) {
      hints.push_back(fmt::format("{} in /proc/self/cgroup", name));
    }
  }
  return hints;
}

// ------------------------------------------------------------------------------ where the store is

Json StorePathAsTyped(const Machine& machine, const char*) {
  // Anything but UTF-8 would not fit into JSON.
  return Json::parse(
      Json(machine.store_path).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

Json StoreMountField(const Machine& machine, const char* field) {
  const StatusOr<Mount>& mount = machine.store_mount;
  if (!mount.ok()) return Unknown(mount.status().message());
  return std::string_view(field) == "type" ? mount->type
                                           : mount->options + " | " + mount->super_options;
}

Json StoreFileSystem(const Machine& machine, const char* field) {
  std::error_code error;
  fs::path path = fs::absolute(machine.At(machine.store_path), error).lexically_normal();
  struct statvfs status;
  while (statvfs(path.c_str(), &status) != 0) {
    if (errno != ENOENT || !path.has_relative_path()) {
      return Unknown(fmt::format("statvfs: {}", std::strerror(errno)));
    }
    path = path.parent_path();
  }
  const uint64_t total = uint64_t{status.f_blocks} * status.f_frsize;
  if (std::string_view(field) == "size") return total;
  if (total == 0) return Unknown("the file system tells no size");
  // Rounded to a tenth, more would only be noise.
  return static_cast<double>((status.f_blocks - status.f_bfree) * 1000 / status.f_blocks) / 10;
}

// The first of several files of the store's block device that can be read; of a partition, those
// of the disk it is on.
Json Device(const Machine& machine, const char* files) {
  const StatusOr<std::string>& device = machine.store_device;
  if (!device.ok()) return Unknown(device.status().message());
  std::string reason;
  for (const std::string& file : Split(files, ' ')) {
    for (const char* up : {"/", "/../"}) {
      const StatusOr<std::string> text = machine.Read(*device + up + file);
      if (text.ok()) return NumberOrText(*text);
      if (reason.empty()) reason = text.status().message();
    }
  }
  return Unknown(reason);
}

Json DeviceName(const Machine& machine, const char*) {
  const StatusOr<std::string>& device = machine.store_device;
  if (!device.ok()) return Unknown(device.status().message());
  const StatusOr<std::string> text = machine.Read(*device + "/uevent");
  if (!text.ok()) return Unknown(text.status().message());
  for (const std::string& line : Split(*text, '\n')) {
    if (line.rfind("DEVNAME=", 0) == 0) return line.substr(8);
  }
  return Unknown(fmt::format("{}/uevent has no DEVNAME", *device));
}

// The part of the store's block device that the disk keeps for it, and the disk: what no partition
// has is the drive's own to work with.
Json DeviceSize(const Machine& machine, const char* of) {
  const StatusOr<std::string>& device = machine.store_device;
  if (!device.ok()) return Unknown(device.status().message());
  const bool is_partition = machine.Exists(*device + "/partition");
  const bool wants_disk = std::string_view(of) == "disk" && is_partition;
  const StatusOr<std::string> text = machine.Read(*device + (wants_disk ? "/../size" : "/size"));
  if (!text.ok()) return Unknown(text.status().message());
  const Json sectors = NumberOrText(*text);
  if (!sectors.is_number_unsigned()) return Unknown("its size is no number");
  return sectors.get<uint64_t>() * 512;  // Of any device.
}

// By everybody, onto the whole disk, since the machine started (Documentation/block/stat.rst).
Json DeviceWritten(const Machine& machine, const char*) {
  const StatusOr<std::string>& device = machine.store_device;
  if (!device.ok()) return Unknown(device.status().message());
  const std::string disk = *device + (machine.Exists(*device + "/partition") ? "/.." : "");
  const StatusOr<std::string> text = machine.Read(disk + "/stat");
  if (!text.ok()) return Unknown(text.status().message());
  std::istringstream fields(*text);
  uint64_t sectors = 0;
  for (int i = 0; i < 7; ++i) {
    if (!(fields >> sectors)) return Unknown("it does not tell the sectors that were written");
  }
  return sectors * 512;
}

// Into the file system since it was made, which says how aged it is: of ext4, which counts that.
Json LifetimeWritten(const Machine& machine, const char* path) {
  const StatusOr<Mount>& mount = machine.store_mount;
  if (!mount.ok()) return Unknown(mount.status().message());
  if (mount->type != "ext4") return Unknown("only ext4 tells it, this is " + mount->type);
  const Json name = DeviceName(machine, "");
  const StatusOr<std::string> text =
      machine.Read(fmt::format(fmt::runtime(path), name.get<std::string>()));
  if (!text.ok()) return Unknown(text.status().message());
  const Json kilobytes = NumberOrText(*text);
  if (!kilobytes.is_number_unsigned()) return Unknown("it tells no number");
  return kilobytes.get<uint64_t>() << 10;
}

Json Uptime(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  double seconds = 0;
  if (!(std::istringstream(*text) >> seconds)) return Unknown("it tells no number");
  return static_cast<uint64_t>(seconds);
}

// What kind of bus leads to it, by its place in /sys/devices.
Json DeviceTransport(const Machine& machine, const char*) {
  const StatusOr<std::string>& device = machine.store_device;
  if (!device.ok()) return Unknown(device.status().message());
  std::error_code error;
  const std::string path = fs::canonical(machine.At(*device), error).string();
  if (error) return Unknown(fmt::format("{}: {}", *device, error.message()));
  for (const char* bus : {"nvme", "usb", "virtio", "ata", "mmc", "xen", "virtual"}) {
    if (path.find(fmt::format("/{}", bus)) != std::string::npos) return bus;
  }
  return Unknown("its place in /sys tells no bus");
}

// LVM, encryption, RAID: what lies between the file system and the disks.
Json DeviceStack(const Machine& machine, const char*) {
  const StatusOr<std::string>& device = machine.store_device;
  if (!device.ok()) return Unknown(device.status().message());
  Json stack = Json::object();
  const StatusOr<std::string> mapper = machine.Read(*device + "/dm/uuid");
  const StatusOr<std::string> raid = machine.Read(*device + "/md/level");
  // "LVM-...", "CRYPT-LUKS2-...": the rest is the identity of that volume.
  if (mapper.ok()) stack["mapper"] = mapper->substr(0, mapper->find('-'));
  if (raid.ok()) stack["raid"] = *raid;
  const StatusOr<std::vector<std::string>> below = machine.NamesIn(*device + "/slaves");
  if (below.ok() && !below->empty()) stack["on"] = *below;
  if (stack.empty()) return "none";
  return stack;
}

// -------------------------------------------------------------------------------- what goes on

Json Pressure(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  Json pressure = Json::object();  // "some avg10=0.00 avg60=0.00 avg300=0.00 total=0"
  for (const std::string& line : Split(*text, '\n')) {
    const std::vector<std::string> words = Split(line, ' ');
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t equals = words[i].find('=');
      double value = 0;
      const char* end = words[i].data() + words[i].size();
      if (equals == std::string::npos ||
          std::from_chars(words[i].data() + equals + 1, end, value).ec != std::errc()) {
        return Unknown(fmt::format("{} says \"{}\"", path, line));
      }
      const std::string name = words[i].substr(0, equals);
      pressure[words[0]][name == "total" ? "total_us" : name + "_percent"] = value;
    }
  }
  return pressure;
}

// Of all processor time since the machine started.
Json Steal(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  std::istringstream words(*text);  // cpu user nice system idle iowait irq softirq steal guest ...
  std::string label;
  words >> label;
  double all = 0;
  double steal = 0;
  int fields = 0;
  for (double ticks = 0; fields < 8 && words >> ticks; ++fields) {
    all += ticks;
    steal = ticks;
  }
  if (label != "cpu" || fields < 8) return Unknown(fmt::format("{} has no steal time", path));
  const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return {{"steal_s", steal / ticks_per_second}, {"all_s", all / ticks_per_second}};
}

Json LoadAverage(const Machine& machine, const char* path) {
  const StatusOr<std::string> text = machine.Read(path);
  if (!text.ok()) return Unknown(text.status().message());
  std::istringstream words(*text);
  double one = 0;
  double five = 0;
  double fifteen = 0;
  if (!(words >> one >> five >> fifteen))
    return Unknown(fmt::format("{} says \"{}\"", path, *text));
  return {one, five, fifteen};
}

Json Started(const Machine& machine, const char*) {
  return machine.started.empty() ? UtcNow() : machine.started;
}

// --------------------------------------------------------------------------------- ourselves

Json Built(const Machine&, const char* value) { return value; }

Json Compiler(const Machine&, const char*) {
#ifdef __clang__
  return "clang " __VERSION__;
#else
  return "gcc " __VERSION__;
#endif
}

Json Libc(const Machine&, const char*) { return fmt::format("glibc {}", gnu_get_libc_version()); }

// The libraries in this process whose file begins with one of the names.
StatusOr<std::set<std::string>> Loaded(const Machine& machine, const char* names) {
  const StatusOr<std::string> maps = machine.Read("/proc/self/maps", 1 << 20);
  if (!maps.ok()) return maps.status();
  std::set<std::string> loaded;
  for (const std::string& line : Split(*maps, '\n')) {
    const std::string file = line.substr(line.rfind('/') + 1);
    for (const std::string& name : Split(names, ' ')) {
      if (file.rfind(name, 0) == 0) loaded.insert(file);
    }
  }
  return loaded;
}

Json Allocator(const Machine& machine, const char* names) {
  const StatusOr<std::set<std::string>> loaded = Loaded(machine, names);
  if (!loaded.ok()) return Unknown(loaded.status().message());
  if (loaded->empty()) return fmt::format("glibc {}", gnu_get_libc_version());
  return fmt::format("{}", fmt::join(*loaded, ", "));
}

// With one of these a sync is not a sync, or a second not a second.
Json Interposers(const Machine& machine, const char* names) {
  const StatusOr<std::set<std::string>> loaded = Loaded(machine, names);
  if (!loaded.ok()) return Unknown(loaded.status().message());
  return loaded->empty() ? Json("none") : Json(fmt::format("{}", fmt::join(*loaded, ", ")));
}

Json OpenFiles(const Machine&, const char*) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return Unknown(std::strerror(errno));
  return limit.rlim_cur == RLIM_INFINITY ? Json("none") : Json(limit.rlim_cur);
}

// ----------------------------------------------------------------------------------- the table

enum Part {
  kHardware,  // Hardware, kernel and its settings: what the fingerprint is made of.
  kPlace,     // The disk that was chosen and the limits that were set, as far as they matter.
  kMoment     // Of the run, the moment, or ourselves.
};

struct Field {
  const char* name;
  Part part;
  Json (*value)(const Machine& machine, const char* argument);
  const char* argument;
};

// A new field is one row.
constexpr Field kFields[] = {
    {"started", kMoment, Started, ""},
    {"store_path", kMoment, StorePathAsTyped, ""},

    {"cpu_model", kHardware, CpuInfoField, "model name"},
    {"cpu_sockets", kHardware, Topology, "physical_package_id"},
    {"cpu_cores", kHardware, Topology, "physical_package_id core_id"},
    {"cpu_threads_online", kHardware, CountOfList, "/sys/devices/system/cpu/online"},
    {"cpu_smt", kHardware, Line, "/sys/devices/system/cpu/smt/control"},
    {"cpu_microcode", kHardware, CpuInfoField, "microcode"},
    {"cpu_caches", kHardware, Caches, "/sys/devices/system/cpu/cpu0/cache"},
    {"cpu_governor", kHardware, Governor, ""},
    {"cpu_turbo", kHardware, Turbo, ""},
    {"cpu_min_khz", kHardware, Lowest, "cpuinfo_min_freq"},
    {"cpu_max_khz", kHardware, Greatest, "cpuinfo_max_freq"},
    {"cpu_mitigations", kHardware, LinesOfDirectory, "/sys/devices/system/cpu/vulnerabilities"},
    {"cpu_affinity", kPlace, StatusLine, "Cpus_allowed_list"},
    {"hypervisor", kHardware, Hypervisor, ""},
    {"machine_vendor", kHardware, Line, "/sys/class/dmi/id/sys_vendor"},
    {"machine_product", kHardware, Line, "/sys/class/dmi/id/product_name"},

    {"kernel", kHardware, Line, "/proc/sys/kernel/osrelease"},
    {"kernel_build", kHardware, Line, "/proc/sys/kernel/version"},
    {"kernel_cmdline", kHardware, CommandLine, "/proc/cmdline"},
    {"clocksource", kHardware, Line,
     "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {"aslr", kHardware, Line, "/proc/sys/kernel/randomize_va_space"},
    {"thp_enabled", kHardware, Line, "/sys/kernel/mm/transparent_hugepage/enabled"},
    {"thp_defrag", kHardware, Line, "/sys/kernel/mm/transparent_hugepage/defrag"},
    {"swappiness", kHardware, Line, "/proc/sys/vm/swappiness"},
    {"overcommit_memory", kHardware, Line, "/proc/sys/vm/overcommit_memory"},
    {"dirty_ratio", kHardware, Line, "/proc/sys/vm/dirty_ratio"},
    {"dirty_background_ratio", kHardware, Line, "/proc/sys/vm/dirty_background_ratio"},
    {"dirty_bytes", kHardware, Line, "/proc/sys/vm/dirty_bytes"},
    {"dirty_background_bytes", kHardware, Line, "/proc/sys/vm/dirty_background_bytes"},
    {"dirty_expire_centisecs", kHardware, Line, "/proc/sys/vm/dirty_expire_centisecs"},
    {"dirty_writeback_centisecs", kHardware, Line, "/proc/sys/vm/dirty_writeback_centisecs"},

    {"memory_gib", kHardware, MemoryGib, "MemTotal"},
    {"memory_total_bytes", kMoment, Memory, "MemTotal"},
    {"memory_available_bytes", kMoment, Memory, "MemAvailable"},
    {"swap_total_bytes", kMoment, Memory, "SwapTotal"},
    {"numa_nodes", kHardware, CountOfList, "/sys/devices/system/node/online"},

    {"cgroup_version", kMoment, GroupVersion, "memory"},
    {"cgroup_memory_limit_bytes", kPlace, GroupMemory, "memory"},
    {"cgroup_cpu_limit", kPlace, GroupCpu, "cpu"},
    {"cgroup_cpuset", kPlace, GroupCpuset, "cpuset"},
    {"container_hints", kMoment, ContainerHints, ""},

    {"filesystem_type", kPlace, StoreMountField, "type"},
    {"filesystem_options", kMoment, StoreMountField, "options"},
    {"filesystem_size_bytes", kMoment, StoreFileSystem, "size"},
    {"filesystem_fill_percent", kMoment, StoreFileSystem, "fill"},
    {"filesystem_lifetime_written_bytes", kMoment, LifetimeWritten,
     "/sys/fs/ext4/{}/lifetime_write_kbytes"},
    {"block_device", kMoment, DeviceName, ""},
    {"block_stack", kMoment, DeviceStack, ""},
    {"block_transport", kPlace, DeviceTransport, ""},
    {"block_vendor", kPlace, Device, "device/vendor"},
    {"block_model", kPlace, Device, "device/model"},
    {"block_firmware", kMoment, Device, "device/firmware_rev device/rev"},
    {"block_rotational", kPlace, Device, "queue/rotational"},
    {"block_scheduler", kPlace, Device, "queue/scheduler"},
    {"block_write_cache", kPlace, Device, "queue/write_cache"},
    {"block_fua", kMoment, Device, "queue/fua"},
    {"block_discard_max_bytes", kMoment, Device, "queue/discard_max_bytes"},
    {"block_logical_bytes", kMoment, Device, "queue/logical_block_size"},
    {"block_physical_bytes", kMoment, Device, "queue/physical_block_size"},
    {"block_read_ahead_kb", kMoment, Device, "queue/read_ahead_kb"},
    {"block_partition_bytes", kMoment, DeviceSize, "partition"},
    {"block_disk_bytes", kMoment, DeviceSize, "disk"},
    {"block_written_bytes", kMoment, DeviceWritten, ""},

    {"harness_version", kMoment, Built, LEVELFIELD_VERSION},
    {"harness_git", kMoment, Built, LEVELFIELD_GIT_HASH},
    {"harness_flags", kMoment, Built, LEVELFIELD_BUILD_FLAGS},
    {"compiler", kMoment, Compiler, ""},
    {"libc", kMoment, Libc, ""},
    {"allocator", kPlace, Allocator,
     "libjemalloc libtcmalloc libmimalloc libsnmalloc librpmalloc libhoard libtbbmalloc"},
    {"interposers", kMoment, Interposers, "libeatmydata libfaketime libnosync"},
    {"open_files_limit", kMoment, OpenFiles, ""},

    {"pressure_cpu", kMoment, Pressure, "/proc/pressure/cpu"},
    {"pressure_io", kMoment, Pressure, "/proc/pressure/io"},
    {"pressure_memory", kMoment, Pressure, "/proc/pressure/memory"},
    {"steal", kMoment, Steal, "/proc/stat"},
    {"uptime_s", kMoment, Uptime, "/proc/uptime"},
    {"load_average", kMoment, LoadAverage, "/proc/loadavg"},
};

}  // namespace

Json CaptureEnvironment(const std::string& store_path, const EnvironmentSource& source) {
  const Machine machine(store_path, source);
  Json environment = Json::object();
  for (const Field& field : kFields) environment[field.name] = field.value(machine, field.argument);
  return environment;
}

namespace {

// Why it is unknown is no property of the machine.
std::string ValueOf(const Json& environment, const Field& field) {
  const auto found = environment.find(field.name);
  const std::string value = found == environment.end() ? "unknown" : found->dump();
  return value.starts_with("\"unknown: ") ? "unknown" : value;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> LastingConditions(const Json& environment) {
  std::vector<std::pair<std::string, std::string>> conditions;
  for (const Field& field : kFields) {
    if (field.part != kPlace) continue;
    conditions.emplace_back(field.name, ValueOf(environment, field));
  }
  return conditions;
}

std::string Fingerprint(const Json& environment) {
  std::string text;
  for (const Field& field : kFields) {
    if (field.part != kHardware) continue;
    text += fmt::format("{}={}\n", field.name, ValueOf(environment, field));
  }
  return TextHash(text);
}

}  // namespace levelfield
