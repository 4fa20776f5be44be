#include "store/store_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/path_owners.h"
#include "base/quote.h"
#include "base/unique_fd.h"
#include "driver/supervisor.h"
#include "probe/free_space.h"
#include "process/interrupts.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

Status CannotCopy(const fs::path& what, const std::string& why) {
  return Status::Failed(fmt::format("cannot copy {}: {}", Printable(what.string()), why));
}

// From `at` to `end`, where there are no holes; less where the file has become shorter.
Status CopyBytes(int in, int out, off_t at, off_t end, std::vector<char>& block) {
  while (at < end) {
    if (IsInterrupted()) return Status::Interrupted("interrupted");
    const auto most = static_cast<size_t>(std::min<off_t>(end - at, std::ssize(block)));
    const ssize_t got = pread(in, block.data(), most, at);
    if (got == 0) return Status::Ok();
    ssize_t put = got;
    for (ssize_t done = 0; put > 0 && done < got; done += put) {
      put = pwrite(out, block.data() + done, static_cast<size_t>(got - done), at + done);
    }
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Status::Failed(std::strerror(errno));
    at += got;
  }
  return Status::Ok();
}

// Holes stay holes: LMDB's file may be as long as its map, with little in it.
Status CopyData(int in, int out, off_t size) {
  std::vector<char> block(size_t{1} << 20);
  for (off_t at = 0; at < size;) {
    const off_t data = lseek(in, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;
    const off_t end = data < 0 ? -1 : lseek(in, data, SEEK_HOLE);
    if (end < 0) return Status::Failed(std::strerror(errno));
    if (const Status status = CopyBytes(in, out, data, end, block); !status.ok()) return status;
    at = end;
  }
  return ftruncate(out, size) == 0 ? Status::Ok() : Status::Failed(std::strerror(errno));
}

Status CopyOne(const fs::path& from, const fs::path& to) {
  constexpr int kHow = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  UniqueFd in(open(from.c_str(), kHow | O_NOATIME));
  // Who does not own it cannot help but leave a trace in its time of access.
  if (!in.ok() && errno == EPERM) in = UniqueFd(open(from.c_str(), kHow));
  if (!in.ok()) return CannotCopy(from, std::strerror(errno));
  const UniqueFd out(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct stat status {};
  if (!out.ok() || fstat(in.get(), &status) != 0) return CannotCopy(from, std::strerror(errno));
  if (ioctl(out.get(), FICLONE, in.get()) == 0) return Status::Ok();
  const Status copied = CopyData(in.get(), out.get(), status.st_size);
  if (copied.ok() || copied.kind() == ErrorKind::kInterrupted) return copied;
  return CannotCopy(from, copied.message());
}

// The files below it, or it and those that are named after it; relative to what `path` is in.
StatusOr<std::vector<fs::path>> FilesOf(const fs::path& path) {
  std::vector<fs::path> files;
  std::error_code error;
  const auto add = [&](const fs::path& file) {
    std::error_code unknown;
    const fs::file_status kind = fs::symlink_status(file, unknown);
    if (fs::is_directory(kind)) return Status::Ok();
    if (!fs::is_regular_file(kind)) {
      return Status::Usage(
          fmt::format("{} is no plain file; a store of links, pipes or devices is not copied",
                      Printable(file.string())));
    }
    files.push_back(file.lexically_relative(path.parent_path()));
    return Status::Ok();
  };
  Status status = Status::Ok();
  if (fs::is_directory(path, error)) {
    for (fs::recursive_directory_iterator it(path, error), end; status.ok() && !error && it != end;
         it.increment(error)) {
      status = add(it->path());
    }
  } else {
    for (fs::directory_iterator it(path.parent_path(), error), end;
         status.ok() && !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename();
      const bool is_of_environment =
          name.starts_with("log.") || name.starts_with("__db.") || name == "DB_CONFIG";
      if (is_of_environment || name.starts_with(path.filename().string())) status = add(it->path());
    }
  }
  if (error) return CannotCopy(path, error.message());
  if (!status.ok()) return status;
  std::ranges::sort(files);
  return files;
}

// By which a write shows: length, and time of modification in seconds and ns.
using FileState = std::array<int64_t, 3>;

std::vector<FileState> StatesOf(const fs::path& path, const std::vector<fs::path>& files) {
  std::vector<FileState> states;
  for (const fs::path& file : files) {
    struct stat status {};
    lstat((path.parent_path() / file).c_str(), &status);
    states.push_back({status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec});
  }
  return states;
}

}  // namespace

StatusOr<StoreCopy> StoreCopy::Make(const std::string& path, const std::string& parent) {
  if (const Status ours = CheckNobodyElseCanRedirect(parent); !ours.ok()) return ours;
  std::error_code error;
  fs::create_directories(parent, error);
  std::string directory = (error ? fs::path() : fs::absolute(parent, error)) / "copy_XXXXXX";
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
  const std::vector<FileState> before = StatesOf(path, *files);
  uint64_t bytes = 0;
  for (const fs::path& file : *files) {
    struct stat status {};
    const std::string whole = path.parent_path() / file;
    if (lstat(whole.c_str(), &status) == 0) bytes += static_cast<uint64_t>(status.st_blocks) * 512;
  }
  if (const Status status = CheckFreeSpace(directory_, bytes); !status.ok()) return status;
  path_ = directory_ / path.filename();
  std::error_code error;
  if (fs::is_directory(path, error)) fs::create_directory(path_, error);
  for (const fs::path& file : *files) {
    const fs::path to = directory_ / file;
    fs::create_directories(to.parent_path(), error);
    if (const Status status = CopyOne(path.parent_path() / file, to); !status.ok()) return status;
  }
  const StatusOr<std::vector<fs::path>> still = FilesOf(path);
  if (still.ok() && *still == *files && StatesOf(path, *still) == before) return Status::Ok();
  return Status::Usage(fmt::format(
      "{} has changed while it was copied: somebody writes to it; wait until that has ended",
      Printable(from)));
}

StoreCopy::StoreCopy(StoreCopy&& other) noexcept
    : directory_(std::exchange(other.directory_, {})), path_(std::move(other.path_)) {}

StoreCopy::~StoreCopy() {
  std::error_code ignored;
  if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

}  // namespace levelfield
