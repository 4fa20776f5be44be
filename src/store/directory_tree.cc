#include "store/directory_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <set>

#include "base/removal.h"

namespace levelfield {
namespace {

// No engine nests its files deeper than two; this bounds the descriptors held on the way down.
constexpr int kMaxDepth = 64;

// Passes on each name in the directory, until one fails. Skips names that disappear meanwhile,
// since an engine is at work.
using Take = std::function<Status(const std::string& name, const struct stat& status)>;
Status ForEachIn(int directory, int depth, const Take& take) {
  if (depth > kMaxDepth) return Status::Failed("directories nested too deep");
  ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesIn(directory));
  for (const std::string& name : names) {
    struct stat status;
    Status taken =
        fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 ? take(name, status)
        : errno == ENOENT                                                   ? Status::Ok()
                          : Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    if (!taken.ok()) return taken;
  }
  return Status::Ok();
}

Status In(const std::string& name, const Status& below) {
  return below.ok() ? below : Status::Failed(fmt::format("{}/{}", name, below.message()));
}

// Leaves what somebody still has open.
Status RemoveBelow(int directory, dev_t device, int depth) {
  return ForEachIn(directory, depth, [&](const std::string& name, const struct stat& status) {
    const bool is_directory = S_ISDIR(status.st_mode);
    if (is_directory) {
      ASSIGN_OR_RETURN(const UniqueFd below, OpenBelow(directory, name, device));
      if (Status removed = RemoveBelow(below.get(), device, depth + 1); !removed.ok()) {
        return In(name, removed);
      }
    }
    // unlinkat takes away the symlink itself, never what it points to.
    if (unlinkat(directory, name.c_str(), is_directory ? AT_REMOVEDIR : 0) == 0 ||
        errno == ENOENT) {
      return Status::Ok();
    }
    const bool is_still_open = is_directory ? errno == ENOTEMPTY || errno == EEXIST
                                            : errno == EBUSY && IsDeletedWhileOpen(name);
    if (is_still_open) return Status::Ok();
    return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
  });
}

// `counted` holds the inodes with several names, whose space counts once.
Status AddAllocated(int directory, dev_t device, int depth, std::set<ino_t>* counted,
                    uint64_t* bytes) {
  return ForEachIn(directory, depth, [&](const std::string& name, const struct stat& status) {
    const bool is_directory = S_ISDIR(status.st_mode);
    // On an overlay files may have another device than their directories.
    if (is_directory && status.st_dev != device) return Status::Ok();
    if (!is_directory && status.st_nlink > 1 && !counted->insert(status.st_ino).second) {
      return Status::Ok();
    }
    *bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    if (!is_directory) return Status::Ok();
    const UniqueFd below(
        openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (below.ok()) {
      return In(name, AddAllocated(below.get(), device, depth + 1, counted, bytes));
    }
    if (errno == ENOENT) return Status::Ok();
    return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
  });
}

}  // namespace

StatusOr<std::vector<std::string>> NamesIn(int directory) {
  const int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fd < 0 ? nullptr : fdopendir(fd), closedir);
  if (stream == nullptr) return Status::Failed(std::strerror(errno));
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(stream.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) return Status::Failed(std::strerror(errno));
  std::sort(names.begin(), names.end());
  return names;
}

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

StatusOr<UniqueFd> OpenBelow(int parent, const std::string& name, dev_t device) {
  UniqueFd fd(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (!fd.ok() || fstat(fd.get(), &status) != 0) {
    return Status::Failed(fmt::format("{}: {}", name,
                                      errno == ELOOP || errno == ENOTDIR
                                          ? "not a directory, or a symlink"
                                          : std::strerror(errno)));
  }
  if (status.st_dev != device || IsMountRoot(fd.get())) {
    return Status::Failed(fmt::format("{}: another file system is mounted there", name));
  }
  return fd;
}

StatusOr<std::vector<std::string>> RemoveContents(int directory, dev_t device) {
  StatusOr<std::vector<std::string>> left = std::vector<std::string>();
  (void)RemovePatiently([&] {
    const Status removed = RemoveBelow(directory, device, 0);
    left = removed.ok() ? NamesIn(directory) : removed;
    return !left.ok() || left->empty();
  });
  if (!left.ok() || std::ranges::all_of(*left, IsDeletedWhileOpen)) return left;
  return Status::Failed(
      fmt::format("{}: another program has it open, or puts new files in it", left->front()));
}

Status RemoveEmptied(int parent, const std::string& name) {
  int error = 0;
  (void)RemovePatiently([&] {
    error = unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0 ? 0 : errno;
    if (error != ENOTEMPTY && error != EEXIST) return true;
    const UniqueFd directory(
        openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const StatusOr<std::vector<std::string>> names = NamesIn(directory.get());
    return !names.ok() || !std::ranges::all_of(*names, IsDeletedWhileOpen);
  });
  return error == 0 ? Status::Ok() : Status::Failed(std::strerror(error));
}

bool HoldsNoFile(int parent, const std::string& name, dev_t device) {
  const StatusOr<UniqueFd> directory = OpenBelow(parent, name, device);
  if (!directory.ok()) return false;
  const StatusOr<std::vector<std::string>> names = NamesIn(directory->get());
  return names.ok() && std::ranges::all_of(*names, [&](const std::string& below) {
           return HoldsNoFile(directory->get(), below, device);
         });
}

Status RemoveWithoutFiles(int parent, const std::string& name, dev_t device) {
  ASSIGN_OR_RETURN(const UniqueFd directory, OpenBelow(parent, name, device));
  ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesIn(directory.get()));
  for (const std::string& below : names) {
    if (Status removed = RemoveWithoutFiles(directory.get(), below, device); !removed.ok()) {
      return In(name, removed);
    }
  }
  if (unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0) return Status::Ok();
  return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
}

StatusOr<uint64_t> AllocatedBytesIn(int directory, dev_t device) {
  std::set<ino_t> counted;
  uint64_t bytes = 0;
  RETURN_IF_ERROR(AddAllocated(directory, device, 0, &counted, &bytes));
  return bytes;
}

}  // namespace levelfield
