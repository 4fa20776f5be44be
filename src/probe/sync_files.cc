#include "probe/sync_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/unique_fd.h"

namespace levelfield {
namespace {

Status SyncOne(const std::filesystem::path& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.ok() && errno == ENOENT) return Status::Ok();
  if (fd.ok() && fsync(fd.get()) == 0) return Status::Ok();
  return Status::Failed(fmt::format("cannot sync {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

Status SyncFiles(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return SyncOne(path);
  fs::recursive_directory_iterator it(path, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    std::error_code gone;
    const fs::file_status status = it->symlink_status(gone);
    if (!fs::is_regular_file(status) && !fs::is_directory(status)) continue;
    if (const Status synced = SyncOne(it->path()); !synced.ok()) return synced;
  }
  if (error) return Status::Failed(fmt::format("cannot sync {}: {}", path, error.message()));
  return SyncOne(path);
}

}  // namespace levelfield
