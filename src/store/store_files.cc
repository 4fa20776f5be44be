#include "store/store_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <vector>

#include "base/path_owners.h"
#include "base/quote.h"
#include "base/removal.h"
#include "base/unique_fd.h"
#include "process/process.h"
#include "store/store_space.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// Visits everything below the directory, or the file and its neighbours whose names `belongs`
// accepts, until one fails.
using Belongs = std::function<bool(const std::string& name)>;
Status ForEachFileOf(const fs::path& path, const Belongs& belongs,
                     const std::function<Status(const fs::path&)>& take) {
  std::error_code error;
  Status status = Status::Ok();
  if (fs::is_directory(path, error)) {
    for (fs::recursive_directory_iterator it(path, error), end; status.ok() && !error && it != end;
         it.increment(error)) {
      status = take(it->path());
    }
  } else {
    for (fs::directory_iterator it(path.parent_path(), error), end;
         status.ok() && !error && it != end; it.increment(error)) {
      if (belongs(it->path().filename())) status = take(it->path());
    }
  }
  return error ? Status::Failed(error.message()) : status;
}

// The file of the store that the process has open; nothing if there is none, or if we may not look.
std::optional<std::string> FileOpenIn(const fs::path& process, const std::string& prefix) {
  std::error_code error;
  for (fs::directory_iterator it(process / "fd", error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone;
    const std::string file = fs::read_symlink(it->path(), gone).string();
    if (!gone && file.starts_with(prefix)) return file;
  }
  return std::nullopt;
}

Status CannotCopy(const fs::path& what, const std::string& why) {
  return Status::Failed(fmt::format("cannot copy {}: {}", Printable(what.string()), why));
}

// Copies from `at` to `end`, where there are no holes; less if the file has become shorter.
Status CopyBytes(int in, int out, off_t at, off_t end, std::vector<char>& block) {
  while (at < end) {
    if (IsInterrupted()) return Status::Interrupted("interrupted");
    const auto most = static_cast<size_t>(std::min<off_t>(end - at, std::ssize(block)));
    const ssize_t got = pread(in, block.data(), most, at);
    if (got == 0) return Status::Ok();
    const ssize_t put = got < 0 ? got : pwrite(out, block.data(), static_cast<size_t>(got), at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return Status::Failed(std::strerror(errno));
    at += put;  // What was not written is read again.
  }
  return Status::Ok();
}

// Keeps holes: LMDB's file may be as long as its map, with little in it.
Status CopyData(int in, int out, off_t size) {
  std::vector<char> block(size_t{1} << 20);
  for (off_t at = 0; at < size;) {
    const off_t data = lseek(in, at, SEEK_DATA);
    if (data < 0 && errno == ENXIO) break;
    const off_t end = data < 0 ? -1 : lseek(in, data, SEEK_HOLE);
    if (end < 0) return Status::Failed(std::strerror(errno));
    RETURN_IF_ERROR(CopyBytes(in, out, data, end, block));
    at = end;
  }
  return ftruncate(out, size) == 0 ? Status::Ok() : Status::Failed(std::strerror(errno));
}

Status CopyOne(const fs::path& from, const fs::path& to) {
  constexpr int kHow = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  UniqueFd in(open(from.c_str(), kHow | O_NOATIME));
  // Only the owner can avoid a trace in the access time.
  if (!in.ok() && errno == EPERM) in = UniqueFd(open(from.c_str(), kHow));
  if (!in.ok()) return CannotCopy(from, std::strerror(errno));
  const UniqueFd out(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  struct stat status {};
  if (!out.ok() || fstat(in.get(), &status) != 0) return CannotCopy(from, std::strerror(errno));
  if (ioctl(out.get(), FICLONE, in.get()) == 0) return Status::Ok();
  Status copied = CopyData(in.get(), out.get(), status.st_size);
  if (copied.ok() || copied.kind() == ErrorKind::kInterrupted) return copied;
  return CannotCopy(from, copied.message());
}

// The files to copy, by names relative to the directory of the store.
struct FilesToCopy {
  // These change with a write: length, and modification time in seconds and ns.
  using State = std::array<int64_t, 3>;
  std::vector<std::pair<fs::path, State>> files;  // By name.
  uint64_t bytes = 0;
};

StatusOr<FilesToCopy> ListToCopy(const fs::path& path) {
  const auto belongs = [own = path.filename().string()](const std::string& name) {
    const bool is_of_environment =  // Berkeley DB's environment.
        name.starts_with("log.") || name.starts_with("__db.") || name == "DB_CONFIG";
    return is_of_environment || name.starts_with(own);
  };
  FilesToCopy found;
  const Status listed = ForEachFileOf(path, belongs, [&](const fs::path& file) {
    struct stat status {};
    if (lstat(file.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return Status::Ok();
    if (!S_ISREG(status.st_mode)) {
      return Status::Usage(
          fmt::format("{} is no plain file; a store of links, pipes or devices is not copied",
                      Printable(file.string())));
    }
    found.files.push_back({file.lexically_relative(path.parent_path()),
                           {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec}});
    found.bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    return Status::Ok();
  });
  if (listed.kind() == ErrorKind::kFailed) return CannotCopy(path, listed.message());
  if (!listed.ok()) return listed;
  std::ranges::sort(found.files);
  return found;
}

}  // namespace

Status ForeignStore::Wipe() {
  return Status::Failed(fmt::format("{} is not Levelfield's to empty", path_));
}

StatusOr<uint64_t> ForeignStore::AllocatedBytes() const {
  uint64_t bytes = 0;
  const fs::path path = path_;
  const auto belongs = [own = path.filename().string()](const std::string& name) {
    return name.starts_with(own);
  };
  const Status counted = ForEachFileOf(path, belongs, [&](const fs::path& file) {
    struct stat status;
    if (lstat(file.c_str(), &status) == 0) bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    return Status::Ok();
  });
  if (counted.ok()) return bytes;
  return Status::Failed(fmt::format("{}: cannot count its size: {}", path_, counted.message()));
}

Status CheckNobodyUses(const std::string& database) {
  std::error_code error;
  const fs::path path = fs::canonical(database, error);
  if (error) return Status::Ok();  // Whoever opens the store reports that it is missing.
  const std::string prefix = path.string() + (fs::is_directory(path, error) ? "/" : "");
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const std::string pid = it->path().filename();
    if (pid.find_first_not_of("0123456789") != pid.npos || pid == std::to_string(getpid())) {
      continue;
    }
    const std::optional<std::string> file = FileOpenIn(it->path(), prefix);
    if (!file) continue;
    std::string name;
    std::ifstream comm(it->path() / "comm");
    std::getline(comm, name);
    return Status::Usage(fmt::format(
        "cannot use {}: process {} ({}) has {} open; not every engine notices a second one, and a "
        "store that is in use is not measured either: wait until that has ended, or copy the store",
        Printable(database), pid, Printable(name), Printable(*file)));
  }
  return Status::Ok();
}

StatusOr<StoreCopy> StoreCopy::Make(const std::string& path, const std::string& parent) {
  RETURN_IF_ERROR(CheckNobodyElseCanRedirect(parent));
  std::error_code error;
  fs::create_directories(parent, error);
  std::string directory = (error ? fs::path() : fs::absolute(parent, error)) / "copy_XXXXXX";
  if (error || mkdtemp(directory.data()) == nullptr) {
    return Status::Usage(fmt::format("cannot make a directory for the copy in {}: {}",
                                     Printable(parent),
                                     error ? error.message() : std::strerror(errno)));
  }
  StoreCopy copy(directory);
  RETURN_IF_ERROR(copy.Fill(path));
  return copy;
}

Status StoreCopy::Fill(const std::string& from) {
  const fs::path path(from);
  ASSIGN_OR_RETURN(const FilesToCopy before, ListToCopy(path));
  RETURN_IF_ERROR(CheckFreeSpace(directory_, before.bytes));
  path_ = directory_ / path.filename();
  std::error_code error;
  if (fs::is_directory(path, error)) fs::create_directory(path_, error);
  for (const auto& [name, state] : before.files) {
    const fs::path to = directory_ / name;
    fs::create_directories(to.parent_path(), error);
    RETURN_IF_ERROR(CopyOne(path.parent_path() / name, to));
  }
  const StatusOr<FilesToCopy> after = ListToCopy(path);
  if (after.ok() && after->files == before.files) return Status::Ok();
  return Status::Usage(fmt::format(
      "{} has changed while it was copied: another program writes to it; wait until it has ended",
      Printable(from)));
}

StoreCopy::StoreCopy(StoreCopy&& other) noexcept
    : directory_(std::exchange(other.directory_, {})), path_(std::move(other.path_)) {}

StoreCopy::~StoreCopy() {
  if (!directory_.empty()) (void)RemoveAll(directory_);
}

}  // namespace levelfield
