#include "store/store_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/path_owners.h"
#include "store/store_marker.h"

namespace levelfield {
namespace {

UniqueFd OpenToRead(const UniqueFd& directory) {
  return UniqueFd(openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

Status StorePlace::Refused(std::string_view why, std::string_view what_to_do) const {
  return Status::Usage(fmt::format("cannot use {} as a store: {}; {}", typed, why, what_to_do));
}

Status StorePlace::Failed(std::string_view what) const {
  return Status::Failed(fmt::format("store at {}: {}", absolute, what));
}

Status StorePlace::Error(std::string_view tried, int error) const {
  return Failed(fmt::format("{}: {}", tried, std::strerror(error)));
}

StatusOr<StorePlace> OpenStorePlace(const StorePath& path, std::string_view what_to_do) {
  StorePlace place{path.typed, path.absolute, {}};
  if (!path.missing.empty()) return place.Refused("it does not exist", what_to_do);
  place.directory = OpenToRead(path.existing);
  if (!place.directory.ok()) return place.Refused(std::strerror(errno), what_to_do);
  // Again: in /tmp somebody else may have made it since the path was looked at.
  if (Status ours = CheckNobodyElseCanRedirect(place.absolute); !ours.ok()) return ours;
  struct stat here;
  struct stat named;
  if (fstat(place.directory.get(), &here) != 0 || stat(place.absolute.c_str(), &named) != 0 ||
      here.st_dev != named.st_dev || here.st_ino != named.st_ino) {
    return place.Refused("it has just been replaced by another one", "try again");
  }
  return place;
}

StatusOr<NewStorePlace> MakeStorePlace(StorePath path) {
  const StorePlace place{path.typed, path.absolute, {}};
  MadeDirectories made;
  UniqueFd& at = path.existing;
  for (size_t i = 0; i < path.missing.size(); ++i) {
    const std::string& name = path.missing[i];
    const bool is_last = i + 1 == path.missing.size();
    const bool is_new = mkdirat(at.get(), name.c_str(), is_last ? 0700 : 0777) == 0;
    if (!is_new && errno != EEXIST) {
      return place.Refused(fmt::format("cannot create {}: {}", name, std::strerror(errno)),
                           "name a directory below one that you may write to");
    }
    UniqueFd next(openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.ok()) return place.Error(fmt::format("opening {}", name), errno);
    // The new name survives a power cut. A parent that we may not read cannot be synced.
    const UniqueFd parent = OpenToRead(at);
    if (parent.ok() && fsync(parent.get()) != 0) return place.Error("fsync", errno);
    if (is_new) made.Add(std::move(at), name);
    at = std::move(next);
  }
  path.missing.clear();
  StatusOr<StorePlace> opened =
      OpenStorePlace(path, "name a directory that you may read and write");
  if (!opened.ok()) return opened.status();
  return NewStorePlace{std::move(*opened), std::move(made)};
}

bool HasMarker(const std::vector<std::string>& names) {
  return std::binary_search(names.begin(), names.end(), kStoreMarker);
}

Status CheckOnlyOurs(const StorePlace& place, const std::vector<std::string>& names) {
  if (names.empty() || HasMarker(names)) return Status::Ok();
  return place.Refused(
      fmt::format("{} that Levelfield did not put there ({}{})",
                  IsMountRoot(place.directory.get()) ? "it is a mounted file system with files"
                                                     : "there are files in it",
                  names.front(), names.size() > 1 ? ", ..." : ""),
      fmt::format("name a directory below it, such as {}{}levelfield", place.typed,
                  place.typed.back() == '/' ? "" : "/"));
}

}  // namespace levelfield
