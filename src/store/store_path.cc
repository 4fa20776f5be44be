#include "store/store_path.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/path_owners.h"
#include "store/directory_tree.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// Longer paths break engines that keep a path in a fixed buffer.
constexpr size_t kMaxPathBytes = 200;
// More missing parents than this look like a typing mistake or a disk that is not mounted.
constexpr size_t kMaxMissingParents = 4;

// Nothing in or below these is ours to write to ...
constexpr const char* kSystemDirectories[] = {"/bin",   "/boot",  "/dev",    "/etc",  "/lib",
                                              "/lib32", "/lib64", "/libx32", "/proc", "/run",
                                              "/sbin",  "/sys",   "/usr",    "/var"};
// ... but below these. /dev/shm is where people measure in memory, /run/media is where desktops
// mount disks, /var/home is where some distributions keep the homes.
constexpr const char* kSharedDirectories[] = {"/tmp", "/var/tmp", "/dev/shm", "/run/media",
                                              "/var/home"};

constexpr std::string_view kUseAnother = "name a directory that does not exist yet";

Status NoStoreAt(const std::string& typed, std::string_view why, std::string_view what_to_do) {
  return Status::Usage(fmt::format("cannot keep a store at {}: {}; {}", typed, why, what_to_do));
}

// One directory on the way from the root; without an inode if it does not exist yet.
struct Place {
  explicit Place(std::string name) : path(std::move(name)) {
    struct stat status;
    if (stat(path.c_str(), &status) == 0) inode = {status.st_dev, status.st_ino};
  }
  // By name as well, because not every system has all of these directories.
  bool IsAt(const std::string& other) const {
    return path == other || (inode && inode == Place(other).inode);
  }
  bool IsAtOrAbove(const fs::path& other) const {
    return IsAt(other) || (other.has_relative_path() && IsAtOrAbove(other.parent_path()));
  }

  std::string path;
  std::optional<std::pair<dev_t, ino_t>> inode;
};

// $HOME, and the one in the user database: a service often runs with another $HOME, or none.
std::vector<fs::path> Homes() {
  std::vector<fs::path> homes;
  const auto add = [&](const char* home) {
    if (home == nullptr || home[0] != '/') return;
    std::error_code error;
    const fs::path real = fs::canonical(home, error);
    homes.push_back(error ? fs::path(home) : real);
  };
  add(std::getenv("HOME"));
  std::array<char, 4096> buffer;
  passwd entry;
  passwd* found = nullptr;
  getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found);
  if (found != nullptr) add(found->pw_dir);
  return homes;
}

std::string_view TypeName(mode_t mode) {
  if (S_ISREG(mode)) return "a file";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISBLK(mode)) return "a block device";
  if (S_ISCHR(mode)) return "a character device";
  if (S_ISSOCK(mode)) return "a socket";
  return "not a directory";
}

// Applies the rules about the place itself to all directories from the root to it.
Status CheckPlace(const std::string& typed, const fs::path& physical) {
  const Place self(physical);
  std::string inside;
  fs::path so_far;
  for (const fs::path& name : physical) {
    so_far /= name;
    const Place place(so_far);
    for (const char* directory : kSystemDirectories) {
      if (place.IsAt(directory)) inside = directory;
    }
    for (const char* directory : kSharedDirectories) {
      if (!place.inode || !place.IsAt(directory)) continue;
      inside.clear();
      if (so_far != physical) continue;
      return NoStoreAt(typed, fmt::format("{} is shared by everybody", directory),
                       fmt::format("name a directory below it, such as {}/levelfield", directory));
    }
  }
  if (self.IsAt("/")) return NoStoreAt(typed, "it is the root of the file system", kUseAnother);
  if (!inside.empty()) {
    return NoStoreAt(typed, fmt::format("{} belongs to the system", inside), kUseAnother);
  }
  // Compared even when they do not exist yet: $HOME can be anything.
  for (const fs::path& home : Homes()) {
    if (!self.IsAtOrAbove(home)) continue;
    return NoStoreAt(typed, fmt::format("the home directory {} is there", home.string()),
                     kUseAnother);
  }
  std::error_code error;
  const fs::path working = fs::current_path(error);
  if (error || !self.IsAtOrAbove(working)) return Status::Ok();
  return NoStoreAt(typed, fmt::format("the working directory {} is there", working.string()),
                   kUseAnother);
}

// The names on the way from the root. A ".." stays: its meaning is known only when it is reached.
StatusOr<std::vector<std::string>> NamesOnTheWay(const std::string& typed) {
  std::error_code error;
  const fs::path absolute = fs::absolute(typed, error);
  if (error) {
    return NoStoreAt(typed, "the working directory: " + error.message(), "name an absolute path");
  }
  std::vector<std::string> names;
  for (const fs::path& name : absolute.relative_path()) {
    if (!name.empty() && name != ".") names.push_back(name);
  }
  return names;
}

// Where the symlink leads, if a store's path may contain it.
StatusOr<fs::path> Followed(const std::string& typed, const fs::path& link, bool is_last) {
  const std::string name = link.string();
  if (is_last) {
    return NoStoreAt(typed, name + " is a symlink", "name the directory that it points to");
  }
  std::error_code error;
  fs::path real = fs::canonical(link, error);
  if (!error) return real;
  std::error_code ignored;
  return NoStoreAt(typed,
                   error == std::errc::no_such_file_or_directory
                       ? fmt::format("{} is a symlink to {}, which is missing", name,
                                     fs::read_symlink(link, ignored).string())
                       : fmt::format("{} is a symlink that leads nowhere", name),
                   kUseAnother);
}

// The physical path as far as it exists, and what must be made below that.
struct Way {
  fs::path existing = "/";
  std::vector<std::string> missing;
};

Status Step(const std::string& typed, const std::string& name, bool is_last, Way& way) {
  if (!way.missing.empty()) {
    way.missing.push_back(name);
    if (name != "..") return Status::Ok();
    return NoStoreAt(typed, "it has a \"..\" after a directory that does not exist",
                     "write the path without it");
  }
  fs::path next = name == ".." ? way.existing.parent_path() : way.existing / name;
  struct stat status;
  int error = lstat(next.c_str(), &status) == 0 ? 0 : errno;
  if (error == ENOENT) {
    way.missing.push_back(name);
    return Status::Ok();
  }
  if (error == 0 && S_ISLNK(status.st_mode)) {
    ASSIGN_OR_RETURN(fs::path real, Followed(typed, next, is_last));
    next = std::move(real);
    error = lstat(next.c_str(), &status) == 0 ? 0 : errno;
  }
  if (error != 0 || !S_ISDIR(status.st_mode)) {
    return NoStoreAt(typed,
                     error != 0 ? fmt::format("{}: {}", next.string(), std::strerror(error))
                                : fmt::format("{} is {}", next.string(), TypeName(status.st_mode)),
                     kUseAnother);
  }
  way.existing = std::move(next);
  return Status::Ok();
}

// Uses openat2(2), so it follows no symlink that appeared since. On kernels older than 5.6 only the
// last name is checked.
UniqueFd OpenPhysical(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  const long fd = syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM)) return UniqueFd(static_cast<int>(fd));
  return UniqueFd(open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

UniqueFd OpenToRead(const UniqueFd& directory) {
  return UniqueFd(openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

// The names are followed one by one, each from the physical place of those before it. openat2 alone
// would reject the whole path without saying which name is at fault.
StatusOr<StorePath> StorePath::Resolve(const std::string& typed) {
  if (typed.empty()) return NoStoreAt("\"\"", "the path is empty", kUseAnother);
  if (typed.find('\0') != std::string::npos) {
    return NoStoreAt(typed.c_str(), "the path holds a NUL byte", kUseAnother);
  }
  const std::string too_long = fmt::format("the path has more than {} bytes", kMaxPathBytes);
  if (typed.size() > kMaxPathBytes) return NoStoreAt(typed, too_long, "choose a shorter path");
  RETURN_IF_ERROR(CheckNobodyElseCanRedirect(typed));
  ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesOnTheWay(typed));

  Way way;
  for (const std::string& name : names) {
    RETURN_IF_ERROR(Step(typed, name, &name == &names.back(), way));
  }
  StorePath path;
  path.typed_ = typed;
  path.directory_ = OpenPhysical(way.existing);
  if (!path.directory_.ok()) {
    return NoStoreAt(typed, fmt::format("{}: {}", way.existing.string(), std::strerror(errno)),
                     kUseAnother);
  }
  fs::path physical = way.existing;
  for (const std::string& name : way.missing) physical /= name;
  RETURN_IF_ERROR(CheckPlace(typed, physical));
  path.absolute_ = physical;
  path.missing_ = std::move(way.missing);
  if (path.absolute_.size() > kMaxPathBytes) {
    return NoStoreAt(typed, too_long + " when it is written out", "choose a shorter path");
  }
  if (path.missing_.size() > kMaxMissingParents + 1) {
    return NoStoreAt(typed,
                     fmt::format("{} of the directories above it do not exist, the first below {}",
                                 path.missing_.size() - 1, way.existing.string()),
                     "check the spelling and that the disk is mounted, or create them");
  }
  return path;
}

StorePath::~StorePath() {
  while (!made_.empty()) {
    (void)RemoveEmptied(made_.back().first.get(), made_.back().second);
    made_.pop_back();
  }
}

Status StorePath::Open(std::string_view what_to_do) {
  if (!missing_.empty()) return Refused("it does not exist", what_to_do);
  directory_ = OpenToRead(directory_);
  if (!directory_.ok()) return Refused(std::strerror(errno), what_to_do);
  // Checked again: in /tmp somebody else may have made it since the path was checked.
  RETURN_IF_ERROR(CheckNobodyElseCanRedirect(absolute_));
  struct stat here;
  struct stat named;
  if (fstat(directory_.get(), &here) != 0 || stat(absolute_.c_str(), &named) != 0 ||
      here.st_dev != named.st_dev || here.st_ino != named.st_ino) {
    return Refused("it has just been replaced by another one", "try again");
  }
  return Status::Ok();
}

Status StorePath::Make() {
  for (const std::string& name : missing_) {
    const bool is_last = &name == &missing_.back();
    const bool is_new = mkdirat(directory_.get(), name.c_str(), is_last ? 0700 : 0777) == 0;
    if (!is_new && errno != EEXIST) {
      return Refused(fmt::format("cannot create {}: {}", name, std::strerror(errno)),
                     "name a directory below one that you may write to");
    }
    UniqueFd next(
        openat(directory_.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.ok()) return Error("opening " + name, errno);
    // Lets the new name survive a power cut. A parent that we may not read cannot be synced.
    const UniqueFd parent = OpenToRead(directory_);
    if (parent.ok() && fsync(parent.get()) != 0) return Error("fsync", errno);
    if (is_new) made_.emplace_back(std::move(directory_), name);
    directory_ = std::move(next);
  }
  missing_.clear();
  return Open("name a directory that you may read and write");
}

Status StorePath::Refused(std::string_view why, std::string_view what_to_do) const {
  return Status::Usage(fmt::format("cannot use {} as a store: {}; {}", typed_, why, what_to_do));
}

Status StorePath::Failed(std::string_view what) const {
  return Status::Failed(fmt::format("store at {}: {}", absolute_, what));
}

Status StorePath::Error(std::string_view tried, int error) const {
  return Failed(fmt::format("{}: {}", tried, std::strerror(error)));
}

}  // namespace levelfield
