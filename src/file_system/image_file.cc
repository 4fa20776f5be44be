#include "file_system/image_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace levelfield {

StatusOr<ImageFile> ImageFile::Make(const std::string& directory, uint64_t bytes) {
  UniqueFd fd(open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  const bool can_be_named = fd.ok();
  if (!can_be_named && (errno == EOPNOTSUPP || errno == EISDIR)) {
    std::string path = directory + "/image_XXXXXX";
    fd = UniqueFd(mkostemp(path.data(), O_CLOEXEC));
    if (fd.ok() && unlink(path.c_str()) != 0) fd = UniqueFd();
  }
  if (fd.ok() && ftruncate(fd.get(), static_cast<off_t>(bytes)) == 0) {
    return ImageFile(std::move(fd), can_be_named);
  }
  return Status::Failed(fmt::format("cannot make a file of {} bytes in {} for a file system: {}",
                                    bytes, directory, std::strerror(errno)));
}

Status ImageFile::Keep(const std::string& path) const {
  const std::string self = fmt::format("/proc/self/fd/{}", fd_.get());
  if (can_be_named_ &&
      linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
    return Status::Ok();
  }
  return Status::Failed(
      fmt::format("cannot keep an image of a file system as {}: {}", path,
                  can_be_named_ ? std::strerror(errno) : "its directory has no unnamed files"));
}

}  // namespace levelfield
