#include "store/store_path.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <string_view>

#include "base/path_owners.h"

namespace levelfield {
namespace {

// Nothing in or below these is ours to write to ...
constexpr const char* kSystemDirectories[] = {"/bin",   "/boot",  "/dev",    "/etc",  "/lib",
                                              "/lib32", "/lib64", "/libx32", "/proc", "/run",
                                              "/sbin",  "/sys",   "/usr",    "/var"};
// ... but below these. /dev/shm is where people measure in memory, /run/media is where desktops
// mount disks, /var/home is where some distributions keep the homes.
constexpr const char* kSharedDirectories[] = {"/tmp", "/var/tmp", "/dev/shm", "/run/media",
                                              "/var/home"};

struct Place {  // One directory on the way from the root.
  std::string path;
  dev_t device;
  ino_t inode;
};

std::optional<Place> PlaceOf(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Place{path, status.st_dev, status.st_ino};
}

// By name as well, because not every system has every one of these directories.
bool IsAt(const Place& place, const std::string& path) {
  if (place.path == path) return true;
  const std::optional<Place> other = PlaceOf(path);
  return other && place.device == other->device && place.inode == other->inode;
}

// Whether `place` is `path` or one of the directories above it.
bool IsAtOrAbove(const Place& place, std::string path) {
  while (path.size() > 1) {
    if (IsAt(place, path)) return true;
    path.resize(std::max<size_t>(path.rfind('/'), 1));
  }
  return IsAt(place, "/");
}

std::string RealPath(const std::string& path) {
  std::array<char, PATH_MAX> buffer;
  return realpath(path.c_str(), buffer.data()) != nullptr ? buffer.data() : path;
}

// $HOME, and the one in the user database: a service often runs with another $HOME, or none.
std::vector<std::string> Homes() {
  std::vector<std::string> homes;
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/') homes.push_back(RealPath(home));
  std::array<char, 4096> buffer;
  passwd entry;
  passwd* found = nullptr;
  getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found);
  if (found != nullptr && found->pw_dir[0] == '/') homes.push_back(RealPath(found->pw_dir));
  return homes;
}

Status Refused(const std::string& typed, std::string_view why, std::string_view what_to_do) {
  return Status::Usage(fmt::format("cannot keep a store at {}: {}; {}", typed, why, what_to_do));
}

constexpr std::string_view kUseAnother = "name a directory that does not exist yet";

// "a/./b//c/" -> a, b, c. A ".." stays: what it means is known only when it is reached.
std::deque<std::string> Components(std::string_view path) {
  std::deque<std::string> components;
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view component = path.substr(0, slash);
    if (!component.empty() && component != ".") components.emplace_back(component);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return components;
}

std::string_view TypeName(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISBLK(mode)) return "a block device";
  if (S_ISCHR(mode)) return "a character device";
  if (S_ISSOCK(mode)) return "a socket";
  return "not a directory";
}

std::string Below(const std::string& directory, const std::string& name) {
  return directory == "/" ? "/" + name : directory + "/" + name;
}

// The rules about the place itself. `way` leads from the root to it; what does not exist yet has
// inode 0 and is known by its name only.
Status CheckPlace(const std::string& typed, const std::vector<Place>& way) {
  const Place& self = way.back();
  std::string inside;
  for (const Place& place : way) {
    for (const char* directory : kSystemDirectories) {
      if (IsAt(place, directory)) inside = directory;
    }
    for (const char* directory : kSharedDirectories) {
      if (place.inode == 0 || !IsAt(place, directory)) continue;
      inside.clear();
      if (&place == &self) {
        return Refused(typed, fmt::format("{} is shared by everybody", directory),
                       fmt::format("name a directory below it, such as {}/levelfield", directory));
      }
    }
  }
  if (IsAt(self, "/")) {
    return Refused(typed, "it is the root of the file system", kUseAnother);
  }
  if (!inside.empty()) {
    return Refused(typed, fmt::format("{} belongs to the system", inside), kUseAnother);
  }
  // Homes and the working directory are compared even when they do not exist yet: $HOME can be
  // anything.
  for (const std::string& home : Homes()) {
    if (IsAtOrAbove(self, home)) {
      return Refused(typed, fmt::format("the home directory {} is there", home), kUseAnother);
    }
  }
  std::array<char, PATH_MAX> working;
  if (getcwd(working.data(), working.size()) != nullptr && IsAtOrAbove(self, working.data())) {
    return Refused(typed, fmt::format("the working directory {} is there", working.data()),
                   kUseAnother);
  }
  return Status::Ok();
}

}  // namespace

bool IsMountRoot(int fd) {
  struct statx status;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_TYPE, &status) == 0 &&
      (status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0) {
    return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  }
  // A kernel before 5.8: sees every mount but a bind mount within one file system.
  struct stat self;
  struct stat parent;
  return fstat(fd, &self) == 0 && fstatat(fd, "..", &parent, 0) == 0 &&
         (self.st_dev != parent.st_dev || self.st_ino == parent.st_ino);
}

StatusOr<StorePath> ResolveStorePath(const std::string& typed) {
  if (typed.empty()) return Refused("\"\"", "the path is empty", kUseAnother);
  if (typed.find('\0') != std::string::npos) {
    return Refused(typed.c_str(), "the path holds a NUL byte", kUseAnother);
  }
  const std::string too_long = fmt::format("the path has more than {} bytes", kMaxStorePathBytes);
  if (typed.size() > kMaxStorePathBytes) return Refused(typed, too_long, "choose a shorter path");
  if (Status ours = CheckNobodyElseCanRedirect(typed); !ours.ok()) return ours;

  std::string start = "/";
  if (typed[0] != '/') {
    std::array<char, PATH_MAX> working;
    if (getcwd(working.data(), working.size()) == nullptr) {
      return Refused(typed, fmt::format("the working directory: {}", std::strerror(errno)),
                     "name an absolute path");
    }
    start = working.data();
  }

  struct Step {
    std::string name;
    bool from_symlink;
  };
  std::deque<Step> ahead;
  for (std::string& name : Components(start)) ahead.push_back({std::move(name), false});
  for (std::string& name : Components(typed)) ahead.push_back({std::move(name), false});

  StorePath result;
  result.typed = typed;
  result.existing = UniqueFd(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::vector<Place> way = {*PlaceOf("/")};
  int symlinks_followed = 0;
  while (!ahead.empty()) {
    const auto [name, from_symlink] = ahead.front();
    ahead.pop_front();
    const std::string here = Below(way.back().path, name);
    if (name == "..") {
      if (!result.missing.empty()) {
        return Refused(typed, "it has a \"..\" after a directory that does not exist",
                       "write the path without it");
      }
      result.existing =
          UniqueFd(openat(result.existing.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (!result.existing.ok()) {
        return Refused(typed, fmt::format("{}: {}", here, std::strerror(errno)), kUseAnother);
      }
      if (way.size() > 1) way.pop_back();
      continue;
    }
    if (!result.missing.empty()) {
      result.missing.push_back(name);
      continue;
    }
    UniqueFd next(openat(result.existing.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!next.ok() && errno == ENOENT) {
      if (from_symlink) {
        return Refused(typed,
                       fmt::format("a symlink on the way leads to {}, which is missing", here),
                       kUseAnother);
      }
      result.missing.push_back(name);
      continue;
    }
    struct stat status;
    if (!next.ok() || fstat(next.get(), &status) != 0) {
      return Refused(typed, fmt::format("{}: {}", here, std::strerror(errno)), kUseAnother);
    }
    if (S_ISLNK(status.st_mode)) {
      if (ahead.empty()) {
        return Refused(typed, fmt::format("{} is a symlink", here),
                       "name the directory that it points to");
      }
      std::array<char, PATH_MAX> target;
      const ssize_t size = readlinkat(next.get(), "", target.data(), target.size());
      if (size <= 0 || ++symlinks_followed > 40) {
        return Refused(typed, fmt::format("{} is a symlink that leads nowhere", here), kUseAnother);
      }
      const std::string_view to(target.data(), static_cast<size_t>(size));
      if (to[0] == '/') {
        result.existing = UniqueFd(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
        way.resize(1);
      }
      const std::deque<std::string> more = Components(to);
      for (auto step = more.rbegin(); step != more.rend(); ++step) ahead.push_front({*step, true});
      continue;
    }
    if (!S_ISDIR(status.st_mode)) {
      return Refused(typed, fmt::format("{} is {}", here, TypeName(status.st_mode)), kUseAnother);
    }
    result.existing = std::move(next);
    way.push_back({here, status.st_dev, status.st_ino});
  }

  const std::string deepest = way.back().path;
  for (const std::string& name : result.missing)
    way.push_back({Below(way.back().path, name), 0, 0});
  result.absolute = way.back().path;
  const Status place = CheckPlace(typed, way);
  if (!place.ok()) return place;
  if (result.absolute.size() > kMaxStorePathBytes) {
    return Refused(typed, too_long + " when it is written out", "choose a shorter path");
  }
  if (result.missing.size() > kMaxMissingParents + 1) {
    return Refused(typed,
                   fmt::format("{} of the directories above it do not exist, the first below {}",
                               result.missing.size() - 1, deepest),
                   "check the spelling and that the disk is mounted, or create them");
  }
  return result;
}

}  // namespace levelfield
