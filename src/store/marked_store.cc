#include "store/marked_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "store/store_place.h"

namespace levelfield {
namespace {

// O_NONBLOCK: what is called LEVELFIELD may be a pipe.
UniqueFd OpenMarker(const std::string& path) {
  return UniqueFd(
      open((path + "/" + kStoreMarker).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace

std::optional<StoreContent> PeekAtStore(const std::string& path) {
  const UniqueFd fd = OpenMarker(path);
  const std::optional<StoreMarker> marker = ReadMarker(fd.get());
  return marker ? std::optional(marker->content) : std::nullopt;
}

StatusOr<MarkedStore> LookIntoStore(const std::string& path) {
  UniqueFd fd = OpenMarker(path);
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
  std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  if (real == nullptr) return Status::Usage(fmt::format("{}: {}", path, std::strerror(errno)));
  return MarkedStore{.database = std::string(real.get()) + "/" + kStoreDatabase,
                     .content = marker->content,
                     .salt = marker->salt,
                     .state = marker->state,
                     .lock = std::move(fd)};
}

}  // namespace levelfield
