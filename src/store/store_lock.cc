#include "store/store_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>

#include "store/directory_tree.h"

namespace levelfield {
namespace {

// O_NONBLOCK: the file called LEVELFIELD may be a pipe.
UniqueFd OpenMarker(const StorePath& path, int flags) {
  return UniqueFd(
      openat(path.directory(), kStoreMarker, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
}

std::optional<StoreMarker> ReadMarker(int fd) { return ParseMarker(MarkerText(fd)); }

// The process that locked it last; 0 if that cannot be read.
int64_t HolderOf(int fd) {
  const std::optional<StoreMarker> marker = ReadMarker(fd);
  return marker ? marker->pid : 0;
}

// The device does not have to be the directory's: on an overlay a file may have another.
bool IsPlainFile(const UniqueFd& marker, const struct stat& status) {
  return S_ISREG(status.st_mode) && !IsMountRoot(marker.get());
}

bool IsSameFile(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

StatusOr<UniqueFd> Locked(UniqueFd lock, const StorePath& path) {
  int64_t holder = 0;
  // The holder may have just taken the lock and not yet written its pid. Half a second is ample for
  // that, and the answer still comes within one.
  for (int attempt = 0; attempt < 10; ++attempt) {
    if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
      struct stat locked;
      struct stat named;
      if (fstat(lock.get(), &locked) == 0 &&
          fstatat(path.directory(), kStoreMarker, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
          IsSameFile(locked, named)) {
        return lock;
      }
      return path.Refused("another process has just removed the store there", "try again");
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return path.Error("locking its marker", errno);
    holder = HolderOf(lock.get());
    const bool lives = holder > 0 && (kill(static_cast<pid_t>(holder), 0) == 0 || errno == EPERM);
    if (lives) {
      return path.Refused(fmt::format("process {} is using it", holder),
                          "wait until that has ended, or name another directory");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const std::string who =
      holder > 0 ? fmt::format("a child of process {}, which has ended, is still using it", holder)
                 : std::string("another process holds its lock");
  return path.Refused(
      who, fmt::format("see `fuser {}/{}`, or name another directory", path.typed(), kStoreMarker));
}

UniqueFd OpenToLook(const std::string& path) {
  return UniqueFd(
      open((path + "/" + kStoreMarker).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace

StatusOr<UniqueFd> LockStore(const StorePath& path) {
  UniqueFd lock = OpenMarker(path, O_RDWR);
  struct stat status;
  constexpr std::string_view kAdvice = "if nothing in it is needed, remove it by hand";
  if (!lock.ok()) {
    const bool is_read_only = errno == EACCES || errno == EPERM || errno == EROFS;
    return path.Refused(
        fmt::format("its marker {}: {}", kStoreMarker,
                    errno == ELOOP ? "it is a symlink" : std::strerror(errno)),
        is_read_only ? "a store has to be writable, be it only read: engines lock it" : kAdvice);
  }
  if (fstat(lock.get(), &status) != 0) return path.Error("fstat of its marker", errno);
  if (!IsPlainFile(lock, status)) {
    return path.Refused(fmt::format("its marker {} is not a regular file of ours", kStoreMarker),
                        kAdvice);
  }
  if (status.st_uid != geteuid()) {
    return path.Refused(fmt::format("it belongs to another user (uid {})", status.st_uid),
                        "run as that user, or name another directory");
  }
  return Locked(std::move(lock), path);
}

StatusOr<UniqueFd> LockNewStore(const StorePath& path) {
  UniqueFd lock = OpenMarker(path, O_RDWR | O_CREAT | O_EXCL);
  if (!lock.ok() && errno != EEXIST) return path.Error("creating its marker", errno);
  // Somebody else was faster: then the lock tells who.
  return lock.ok() ? Locked(std::move(lock), path) : LockStore(path);
}

Status CheckLocked(const StorePath& path, const UniqueFd& lock, const std::string& id) {
  const auto refused = [&path](std::string_view why) {
    return Status::Failed(
        fmt::format("removes nothing at {}: {}; if nothing in it is needed, remove it by hand",
                    path.absolute(), why));
  };
  const UniqueFd fd = OpenMarker(path, O_RDONLY);
  struct stat now;
  struct stat locked;
  if (!fd.ok()) {
    return refused(errno == ELOOP ? "its marker has become a symlink"
                                  : fmt::format("its marker: {}", std::strerror(errno)));
  }
  if (fstat(fd.get(), &now) != 0 || fstat(lock.get(), &locked) != 0) {
    return refused(std::strerror(errno));
  }
  if (!IsPlainFile(fd, now)) {
    return refused("its marker is not a regular file of its own file system");
  }
  if (now.st_uid != geteuid()) return refused("its marker belongs to another user");
  if (!IsSameFile(now, locked)) return refused("its marker has been replaced by another file");
  const std::optional<StoreMarker> marker = ReadMarker(fd.get());
  if (!marker) return refused("its marker cannot be read any more");
  if (marker->id != id) return refused("its marker carries another id");
  return Status::Ok();
}

std::string MarkerText(int fd) {
  std::string text(kMarkerBytes + 1, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return text;
}

Status WriteMarker(int fd, const StoreMarker& marker) {
  const std::string text = TextOf(marker);
  const ssize_t written = pwrite(fd, text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size())) {
    return Status::Failed(
        fmt::format("writing its marker: {}", std::strerror(written < 0 ? errno : ENOSPC)));
  }
  if (fsync(fd) == 0) return Status::Ok();
  return Status::Failed(fmt::format("fsync of its marker: {}", std::strerror(errno)));
}

std::optional<StoreContent> PeekAtStore(const std::string& path) {
  const std::optional<StoreMarker> marker = ReadMarker(OpenToLook(path).get());
  return marker ? std::optional(marker->content) : std::nullopt;
}

StatusOr<StoreView> LookIntoStore(const std::string& path) {
  UniqueFd fd = OpenToLook(path);
  if (!ReadMarker(fd.get())) {
    return Status::Usage(
        fmt::format("{}: there is no marker of Levelfield that can be read", path));
  }
  if (flock(fd.get(), LOCK_SH | LOCK_NB) != 0) {
    return Status::Usage(fmt::format("{}: process {} is using it; wait until that has ended", path,
                                     HolderOf(fd.get())));
  }
  const std::optional<StoreMarker> marker = ReadMarker(fd.get());
  if (!marker) {  // It may just have been written.
    return Status::Usage(fmt::format("{}: its marker has changed; try again", path));
  }
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return Status::Usage(fmt::format("{}: {}", path, error.message()));
  return StoreView{.database = real / kStoreDatabase,
                   .content = marker->ContentAsLeft(),
                   .salt = marker->salt,
                   .state = marker->state,
                   .lock = std::move(fd)};
}

}  // namespace levelfield
