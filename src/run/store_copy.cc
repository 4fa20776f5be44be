#include "run/store_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/path_owners.h"
#include "base/quote.h"
#include "base/unique_fd.h"
#include "run/free_space.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

Status CannotCopy(const fs::path& what, const std::string& why) {
  return Status::Failed(fmt::format("cannot copy {}: {}", Printable(what.string()), why));
}

Status CopyOne(const fs::path& from, const fs::path& to) {
  const UniqueFd in(open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const UniqueFd out(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!in.ok() || !out.ok()) return CannotCopy(from, std::strerror(errno));
  if (ioctl(out.get(), FICLONE, in.get()) == 0) return Status::Ok();
  while (true) {
    const ssize_t count =
        copy_file_range(in.get(), nullptr, out.get(), nullptr, size_t{1} << 30, 0);
    if (count == 0) return Status::Ok();
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return CannotCopy(from, std::strerror(errno));
  }
}

// The files below it, or it and those that are named after it; relative to what `path` is in.
StatusOr<std::vector<fs::path>> FilesOf(const fs::path& path) {
  std::vector<fs::path> files;
  std::error_code error;
  const auto add = [&](const fs::path& file) {
    if (fs::is_directory(fs::symlink_status(file))) return Status::Ok();
    if (!fs::is_regular_file(fs::symlink_status(file))) {
      return Status::Usage(
          fmt::format("{} is no plain file; a store of links, pipes or devices is not copied",
                      Printable(file.string())));
    }
    files.push_back(file.lexically_relative(path.parent_path()));
    return Status::Ok();
  };
  Status status = Status::Ok();
  if (fs::is_directory(path)) {
    for (fs::recursive_directory_iterator it(path, error), end; status.ok() && !error && it != end;
         it.increment(error)) {
      status = add(it->path());
    }
  } else {
    for (fs::directory_iterator it(path.parent_path(), error), end;
         status.ok() && !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename();
      const bool is_log = name.starts_with("log.") || name.starts_with("__db.");
      if (is_log || name.starts_with(path.filename().string())) status = add(it->path());
    }
  }
  if (error) return CannotCopy(path, error.message());
  if (!status.ok()) return status;
  return files;
}

}  // namespace

StatusOr<StoreCopy> StoreCopy::Make(const std::string& path, const std::string& parent) {
  if (const Status ours = CheckNobodyElseCanRedirect(parent); !ours.ok()) return ours;
  std::error_code error;
  fs::create_directories(parent, error);
  std::string directory = fs::absolute(parent).string() + "/verify_XXXXXX";
  if (error || mkdtemp(directory.data()) == nullptr) {
    return Status::Usage(fmt::format("cannot make a directory for the copy in {}: {}",
                                     Printable(parent),
                                     error ? error.message() : std::strerror(errno)));
  }
  StoreCopy copy(directory);
  if (Status status = copy.Fill(path); !status.ok()) return status;
  return copy;
}

Status StoreCopy::Fill(const std::string& from) {
  const fs::path path(from);
  const StatusOr<std::vector<fs::path>> files = FilesOf(path);
  if (!files.ok()) return files.status();
  uint64_t bytes = 0;
  for (const fs::path& file : *files) {
    struct stat status {};
    const std::string whole = path.parent_path() / file;
    if (lstat(whole.c_str(), &status) == 0) bytes += static_cast<uint64_t>(status.st_blocks) * 512;
  }
  if (const Status status = CheckFreeSpace(directory_, bytes); !status.ok()) return status;
  path_ = directory_ / path.filename();
  std::error_code error;
  if (fs::is_directory(path)) fs::create_directory(path_, error);
  for (const fs::path& file : *files) {
    const fs::path to = directory_ / file;
    fs::create_directories(to.parent_path(), error);
    if (const Status status = CopyOne(path.parent_path() / file, to); !status.ok()) return status;
  }
  return Status::Ok();
}

StoreCopy::StoreCopy(StoreCopy&& other) noexcept
    : directory_(std::exchange(other.directory_, {})), path_(std::move(other.path_)) {}

StoreCopy::~StoreCopy() {
  std::error_code ignored;
  if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

}  // namespace levelfield
