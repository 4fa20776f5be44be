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
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "store/store_marker.h"
#include "store/store_path.h"

namespace levelfield {
namespace {

// Takes the lock, or says who has it.
Status Take(const UniqueFd& lock, const StorePlace& place) {
  int64_t holder = 0;
  // The holder may have taken the lock a moment ago and not yet written its pid; half a second is
  // ample for that and still answers within one.
  for (int attempt = 0; attempt < 10; ++attempt) {
    if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
      struct stat locked;
      struct stat named;
      if (fstat(lock.get(), &locked) == 0 &&
          fstatat(place.directory.get(), kStoreMarker, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
          locked.st_ino == named.st_ino && locked.st_dev == named.st_dev) {
        return Status::Ok();
      }
      return place.Refused("another process has just removed the store there", "try again");
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return place.Error("locking its marker", errno);
    holder = HolderOf(lock.get());
    const bool lives = holder > 0 && (kill(static_cast<pid_t>(holder), 0) == 0 || errno == EPERM);
    if (lives) {
      return place.Refused(fmt::format("process {} is using it", holder),
                           "wait until that has ended, or name another directory");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const std::string who =
      holder > 0 ? fmt::format("a child of process {}, which has ended, is still using it", holder)
                 : std::string("another process holds its lock");
  return place.Refused(
      who, fmt::format("see `fuser {}/{}`, or name another directory", place.typed, kStoreMarker));
}

StatusOr<UniqueFd> Taken(UniqueFd lock, const StorePlace& place) {
  const Status taken = Take(lock, place);
  if (!taken.ok()) return taken;
  return lock;
}

}  // namespace

StatusOr<UniqueFd> LockStore(const StorePlace& place) {
  // O_NONBLOCK: what is called LEVELFIELD may be a pipe.
  UniqueFd lock(
      openat(place.directory.get(), kStoreMarker, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  constexpr std::string_view kAdvice = "if nothing in it is needed, remove it by hand";
  if (!lock.ok()) {
    const bool is_read_only = errno == EACCES || errno == EPERM || errno == EROFS;
    return place.Refused(
        fmt::format("its marker {}: {}", kStoreMarker,
                    errno == ELOOP ? "it is a symlink" : std::strerror(errno)),
        is_read_only ? "a store has to be writable, be it only read: engines lock it" : kAdvice);
  }
  if (fstat(lock.get(), &status) != 0) {
    return place.Error("fstat of its marker", errno);
  }
  // Not by device: of an overlay a file may have another than its directory.
  if (!S_ISREG(status.st_mode) || IsMountRoot(lock.get())) {
    return place.Refused(fmt::format("its marker {} is not a regular file of ours", kStoreMarker),
                         kAdvice);
  }
  if (status.st_uid != geteuid()) {
    return place.Refused(fmt::format("it belongs to another user (uid {})", status.st_uid),
                         "run as that user, or name another directory");
  }
  return Taken(std::move(lock), place);
}

StatusOr<UniqueFd> LockNewStore(const StorePlace& place) {
  UniqueFd lock(openat(place.directory.get(), kStoreMarker,
                       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock.ok() && errno != EEXIST) return place.Error("creating its marker", errno);
  // Somebody else came first: then the lock says who.
  if (!lock.ok()) return LockStore(place);
  return Taken(std::move(lock), place);
}

Status CheckLocked(const StorePlace& place, const UniqueFd& lock, const std::string& id) {
  const auto refused = [&place](std::string_view why) {
    return Status::Failed(
        fmt::format("removes nothing at {}: {}; if nothing in it is needed, remove it by hand",
                    place.absolute, why));
  };
  const UniqueFd fd(
      openat(place.directory.get(), kStoreMarker, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat now;
  struct stat locked;
  if (!fd.ok()) {
    return refused(errno == ELOOP ? "its marker has become a symlink"
                                  : fmt::format("its marker: {}", std::strerror(errno)));
  }
  if (fstat(fd.get(), &now) != 0 || fstat(lock.get(), &locked) != 0) {
    return refused(std::strerror(errno));
  }
  if (!S_ISREG(now.st_mode) || IsMountRoot(fd.get())) {
    return refused("its marker is not a regular file of its own file system");
  }
  if (now.st_uid != geteuid()) return refused("its marker belongs to another user");
  if (now.st_dev != locked.st_dev || now.st_ino != locked.st_ino) {
    return refused("its marker has been replaced by another file");
  }
  const std::optional<StoreMarker> marker = ReadMarker(fd.get());
  if (!marker) return refused("its marker cannot be read any more");
  if (marker->id != id) return refused("its marker carries another id");
  return Status::Ok();
}

}  // namespace levelfield
