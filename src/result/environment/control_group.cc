#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/text.h"
#include "result/environment/machine.h"

namespace levelfield {
namespace {

// The directories of this process's group, innermost first, up to the mount. They are in the
// controller's own hierarchy (v1) or in the unified one (v2).
struct Group {
  bool is_v2;
  std::vector<std::string> directories;
};

StatusOr<Group> GroupOf(const Machine& machine, const std::string& controller) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read("/proc/self/cgroup"));
  ASSIGN_OR_RETURN(const std::vector<Mount> mounts, machine.mounts);
  const auto has = [&controller](const std::string& list) {
    const std::vector<std::string> names = Parts(list, ',');
    return std::find(names.begin(), names.end(), controller) != names.end();
  };
  // "4:memory:/a/b" or "0::/a/b". A controller in a v1 hierarchy is absent from v2.
  std::string path;
  bool is_v2 = false;
  bool found = false;
  for (const std::string& line : LinesOf(text)) {
    const std::vector<std::string> parts = Parts(line, ':');
    if (parts.size() < 3) continue;
    const bool v1 = has(parts[1]);
    if (v1 || (parts[1].empty() && !found)) {
      path = line.substr(parts[0].size() + parts[1].size() + 2);
      is_v2 = !v1;
      found = true;
    }
  }
  if (!found) return Status::Failed(fmt::format("/proc/self/cgroup has no {}", controller));
  for (const Mount& mount : mounts) {
    if (is_v2 ? mount.type != "cgroup2" : mount.type != "cgroup" || !has(mount.super_options)) {
      continue;
    }
    // A container's mount may show only a part of the hierarchy.
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

// Empty if there is no such file. Not every group has every limit.
StatusOr<std::string> ReadIfThere(const Machine& machine, const std::string& path) {
  return machine.Exists(path) ? machine.Read(path) : StatusOr<std::string>(std::string());
}

// The tightest limit on the way up. `parse` turns the text of a limit into a number, or into
// nothing if the text says that there is no limit.
template <class Parse>
Reading TightestLimit(const Machine& machine, const char* controller, const char* v2_file,
                      const char* v1_files, const Parse& parse) {
  ASSIGN_OR_RETURN(const Group group, GroupOf(machine, controller));
  Json tightest = "none";
  // The root of v2 has no limits. In v1 every group has them, so they must be found.
  bool found = group.is_v2;
  for (const std::string& directory : group.directories) {
    std::string all;
    for (const std::string& file : Parts(group.is_v2 ? v2_file : v1_files, ' ')) {
      ASSIGN_OR_RETURN(const std::string text, ReadIfThere(machine, directory + "/" + file));
      all += (all.empty() ? "" : " ") + text;
    }
    found = found || !all.empty();
    const auto limit = parse(all);
    if (limit && (tightest.is_string() || *limit < tightest)) tightest = *limit;
  }
  if (!found)
    return Status::Failed(fmt::format("{} has no {}", group.directories.front(), v1_files));
  return tightest;
}

Reading GroupMemory(const Machine& machine, const char* controller) {
  return TightestLimit(machine, controller, "memory.max", "memory.limit_in_bytes",
                       [](const std::string& text) {
                         const std::optional<uint64_t> bytes = Digits(text);  // Not "max".
                         // v1 says "no limit" as the greatest multiple of a page.
                         return bytes && *bytes < (uint64_t{1} << 62) ? bytes : std::nullopt;
                       });
}

// In processors.
Reading GroupCpu(const Machine& machine, const char* controller) {
  return TightestLimit(machine, controller, "cpu.max", "cpu.cfs_quota_us cpu.cfs_period_us",
                       [](const std::string& text) -> std::optional<double> {
                         const size_t space = text.find(' ');
                         if (space == std::string::npos) return std::nullopt;
                         const std::optional<uint64_t> quota =
                             Digits(text.substr(0, space));  // Not "max" or -1.
                         const std::optional<uint64_t> period = Digits(text.substr(space + 1));
                         if (!quota || !period || *period == 0) return std::nullopt;
                         return static_cast<double>(*quota) / static_cast<double>(*period);
                       });
}

Reading GroupCpuset(const Machine& machine, const char* controller) {
  ASSIGN_OR_RETURN(const Group group, GroupOf(machine, controller));
  for (const std::string& directory : group.directories) {
    ASSIGN_OR_RETURN(const std::string text,
                     ReadIfThere(machine, directory + (group.is_v2 ? "/cpuset.cpus.effective"
                                                                   : "/cpuset.effective_cpus")));
    if (!text.empty()) return text;
  }
  return "none";
}

Reading GroupVersion(const Machine& machine, const char* controller) {
  ASSIGN_OR_RETURN(const Group group, GroupOf(machine, controller));
  return group.is_v2 ? 2 : 1;
}

Reading ContainerHints(const Machine& machine, const char*) {
  Json hints = Json::array();
  for (const char* file : {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"}) {
    if (machine.Exists(file)) hints.push_back(file);
  }
  if (std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) hints.push_back("kubernetes");
  const StatusOr<std::string> groups = machine.Read("/proc/self/cgroup");
  if (!groups.ok() && hints.empty()) return Status::Failed(groups.status().message());
  for (const char* name : {"docker", "kubepods", "lxc", "libpod", "containerd"}) {
    if (groups.ok() && groups->find(name) != std::string::npos) {
      hints.push_back(fmt::format("{} in /proc/self/cgroup", name));
    }
  }
  return hints;
}

constexpr EnvironmentField kControlGroupFields[] = {
    {"cgroup_version", kMoment, GroupVersion, "memory"},
    {"cgroup_memory_limit_bytes", kPlace, GroupMemory, "memory"},
    {"cgroup_cpu_limit", kPlace, GroupCpu, "cpu"},
    {"cgroup_cpuset", kPlace, GroupCpuset, "cpuset"},
    {"container_hints", kMoment, ContainerHints, ""},
};

}  // namespace

std::span<const EnvironmentField> ControlGroupFields() { return kControlGroupFields; }

}  // namespace levelfield
