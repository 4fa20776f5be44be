#include "store/directory_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <set>

#include "store/store_path.h"

namespace levelfield {
namespace {

// No engine nests its files deeper than two; this bounds the descriptors held on the way down.
constexpr int kMaxDepth = 64;

Status RemoveBelow(int directory, dev_t device, int depth) {
  if (depth > kMaxDepth) return Status::Failed("directories nested too deep");
  const StatusOr<std::vector<std::string>> names = NamesIn(directory);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    struct stat status;
    if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) continue;
      return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    }
    const bool is_directory = S_ISDIR(status.st_mode);
    if (is_directory) {
      const StatusOr<UniqueFd> below = OpenBelow(directory, name, device);
      if (!below.ok()) return below.status();
      const Status removed = RemoveBelow(below->get(), device, depth + 1);
      if (!removed.ok()) return Status::Failed(fmt::format("{}/{}", name, removed.message()));
    }
    // unlinkat takes away the symlink itself, never what it points to.
    if (unlinkat(directory, name.c_str(), is_directory ? AT_REMOVEDIR : 0) != 0 &&
        errno != ENOENT) {
      return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    }
  }
  return Status::Ok();
}

// `counted` holds the inodes with several names, which take their space once.
Status AddAllocated(int directory, dev_t device, int depth, std::set<ino_t>* counted,
                    uint64_t* bytes) {
  if (depth > kMaxDepth) return Status::Failed("directories nested too deep");
  const StatusOr<std::vector<std::string>> names = NamesIn(directory);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    struct stat status;
    if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) continue;  // The engine is at work meanwhile.
      return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    }
    // Of an overlay files may have another device than their directories.
    if (S_ISDIR(status.st_mode) && status.st_dev != device) continue;
    if (status.st_nlink > 1 && !S_ISDIR(status.st_mode) && !counted->insert(status.st_ino).second) {
      continue;
    }
    *bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    if (!S_ISDIR(status.st_mode)) continue;
    const UniqueFd below(
        openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!below.ok() && errno == ENOENT) continue;
    if (!below.ok()) return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    const Status added = AddAllocated(below.get(), device, depth + 1, counted, bytes);
    if (!added.ok()) return Status::Failed(fmt::format("{}/{}", name, added.message()));
  }
  return Status::Ok();
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

Status RemoveContents(int directory, dev_t device) { return RemoveBelow(directory, device, 0); }

StatusOr<uint64_t> AllocatedBytesIn(int directory, dev_t device) {
  std::set<ino_t> counted;
  uint64_t bytes = 0;
  const Status added = AddAllocated(directory, device, 0, &counted, &bytes);
  if (!added.ok()) return added;
  return bytes;
}

}  // namespace levelfield
