#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace levelfield {
namespace {

// What a full disk or a limit means for the reader; empty for other errors.
std::string_view Advice(int error) {
  switch (error) {
    case ENOSPC:
      return "; free some space on that disk, or write the results elsewhere";
    case EDQUOT:
      return "; the disk quota is used up: free some space, or write the results elsewhere";
    case EFBIG:
      return "; a limit on file size is in force: see `ulimit -f`";
    case EROFS:
    case EACCES:
      return "; choose a directory that you may write to";
    default:
      return "";
  }
}

Status CannotWrite(const std::string& path, std::string_view step, int error) {
  return Status::Failed(
      fmt::format("cannot write {}: {}: {}{}", path, step, std::strerror(error), Advice(error)));
}

struct SplitPath {
  std::string directory;
  std::string name;
};

SplitPath Split(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

// Gives the finished file its name. Without kReplace it is the kernel that looks for an older file,
// so there is no gap between looking and renaming.
int GiveName(int directory, const std::string& temporary, const std::string& name,
             Overwrite overwrite) {
  if (overwrite == Overwrite::kReplace) {
    return renameat(directory, temporary.c_str(), directory, name.c_str()) == 0 ? 0 : errno;
  }
  if (renameat2(directory, temporary.c_str(), directory, name.c_str(), RENAME_NOREPLACE) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // NFS and some FUSE file systems know no RENAME_NOREPLACE; a hard link refuses just as well.
  if (linkat(directory, temporary.c_str(), directory, name.c_str(), 0) != 0) return errno;
  unlinkat(directory, temporary.c_str(), 0);
  return 0;
}

Status ExistsAlready(const std::string& path) {
  return Status::Usage(fmt::format(
      "cannot write {}: it exists already; choose another name, or remove it first", path));
}

Status TooLarge(const std::string& path, uint64_t bytes, uint64_t max_bytes) {
  return Status::Failed(
      fmt::format("{}: {} bytes are more than the {} allowed for it", path, bytes, max_bytes));
}

}  // namespace

Status WriteFileAtomically(const std::string& path, std::string_view bytes, Overwrite overwrite,
                           uint64_t max_bytes) {
  const auto [directory_path, name] = Split(path);
  if (name.empty() || name == "." || name == ".." || path.find('\0') != std::string::npos) {
    return Status::Usage(fmt::format("cannot write \"{}\": it does not name a file", path));
  }
  if (bytes.size() > max_bytes) return TooLarge(path, bytes.size(), max_bytes);

  const UniqueFd directory(open(directory_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.ok()) return CannotWrite(path, "its directory", errno);

  struct stat old;
  if (fstatat(directory.get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0) {
    if (overwrite == Overwrite::kNever) return ExistsAlready(path);
    if (!S_ISREG(old.st_mode)) {
      return Status::Usage(
          fmt::format("cannot write {}: it is not a regular file, and only those are replaced; "
                      "choose another name",
                      path));
    }
  }

  uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) {
    return CannotWrite(path, "a random number", errno);
  }
  // Cut, because the temporary name may not be longer than a name can be (255 bytes).
  const std::string temporary = fmt::format(".{}.{:016x}.tmp", name.substr(0, 200), random);
  const UniqueFd file(openat(directory.get(), temporary.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.ok()) return CannotWrite(path, "creating a temporary file beside it", errno);

  const char* step = "writing";
  int error = WriteAll(file.get(), bytes);
  // Without this, rename leaves an empty file on XFS after a power cut.
  if (error == 0 && fsync(file.get()) != 0) step = "fsync", error = errno;
  if (error == 0) {
    step = "renaming";
    error = GiveName(directory.get(), temporary, name, overwrite);
  }
  if (error != 0) {
    unlinkat(directory.get(), temporary.c_str(), 0);
    return error == EEXIST ? ExistsAlready(path) : CannotWrite(path, step, error);
  }
  if (fsync(directory.get()) != 0) return CannotWrite(path, "fsync of its directory", errno);
  return Status::Ok();
}

namespace {

// The size of the file up to and including its last newline.
StatusOr<uint64_t> SizeOfWholeLines(const std::string& path, int fd, uint64_t size) {
  char block[4096];
  for (uint64_t end = size; end > 0;) {
    const uint64_t begin = end - std::min<uint64_t>(end, sizeof block);
    const ssize_t got = pread(fd, block, end - begin, static_cast<off_t>(begin));
    if (got != static_cast<ssize_t>(end - begin)) {
      return Status::Failed(
          fmt::format("cannot read {}: {}", path, got < 0 ? std::strerror(errno) : "it shrank"));
    }
    const size_t newline = std::string_view(block, static_cast<size_t>(got)).rfind('\n');
    if (newline != std::string_view::npos) return begin + newline + 1;
    end = begin;
  }
  return uint64_t{0};
}

}  // namespace

StatusOr<AppendOnlyFile> AppendOnlyFile::Open(const std::string& path, uint64_t max_bytes,
                                              uint64_t* cut_bytes) {
  if (cut_bytes != nullptr) *cut_bytes = 0;
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Status::Usage(fmt::format("cannot write \"{}\": it does not name a file", path));
  }
  // O_NONBLOCK: opening a pipe that nobody reads must not wait for ever; it is refused below.
  UniqueFd fd(
      open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!fd.ok()) return CannotWrite(path, "opening", errno);
  struct stat status;
  if (fstat(fd.get(), &status) != 0) return CannotWrite(path, "fstat", errno);
  if (!S_ISREG(status.st_mode)) {
    return Status::Usage(
        fmt::format("cannot write {}: it is not a regular file; choose another name", path));
  }
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return CannotWrite(path, "locking", errno);
    return Status::Usage(fmt::format(
        "cannot write {}: another process is writing it; wait for it, or choose another name",
        path));
  }
  // Again, now that nobody else can change it.
  if (fstat(fd.get(), &status) != 0) return CannotWrite(path, "fstat", errno);
  const auto size = static_cast<uint64_t>(status.st_size);
  ASSIGN_OR_RETURN(uint64_t whole, SizeOfWholeLines(path, fd.get(), size));
  if (whole != size && ftruncate(fd.get(), static_cast<off_t>(whole)) != 0) {
    return CannotWrite(path, "cutting off its torn last line", errno);
  }
  if (cut_bytes != nullptr) *cut_bytes = size - whole;
  // The name must survive a power cut as well as the lines that Sync() vouches for.
  const UniqueFd directory(open(Split(path).directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.ok() || fsync(directory.get()) != 0) {
    return CannotWrite(path, "fsync of its directory", errno);
  }
  return AppendOnlyFile(path, std::move(fd), whole, max_bytes);
}

Status AppendOnlyFile::AppendLine(std::string_view line) {
  if (line.find('\n') != std::string_view::npos) {
    return Status::Failed(fmt::format("cannot append to {}: the line holds a newline", path_));
  }
  return Append(std::string(line) + '\n');
}

Status AppendOnlyFile::Append(std::string_view bytes) {
  const uint64_t new_size = size_ + bytes.size();
  if (new_size > max_bytes_) return TooLarge(path_, new_size, max_bytes_);
  ssize_t written;
  do {
    written = write(fd_.get(), bytes.data(), bytes.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(bytes.size())) {
    size_ = new_size;
    return Status::Ok();
  }
  // A disk that fills up takes a part of the line. One more call tells why, or completes it.
  int error = written < 0 ? errno : 0;
  if (written > 0) error = WriteAll(fd_.get(), bytes.substr(static_cast<size_t>(written)));
  if (error == 0) {
    size_ = new_size;
    return Status::Ok();
  }
  if (ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) {
    return Status::Failed(
        fmt::format("cannot append to {}: {}{}; its last line is torn and could not be cut off: {}",
                    path_, std::strerror(error), Advice(error), std::strerror(errno)));
  }
  return CannotWrite(path_, "appending a line", error);
}

Status AppendOnlyFile::Sync() {
  if (fdatasync(fd_.get()) != 0) return CannotWrite(path_, "fdatasync", errno);
  return Status::Ok();
}

Status AppendOnlyFile::Reserve(uint64_t bytes) {
  int failed;
  do {
    failed = fallocate(fd_.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(size_),
                       static_cast<off_t>(bytes));
  } while (failed != 0 && errno == EINTR);
  if (failed == 0 || (errno != ENOSPC && errno != EDQUOT)) return Status::Ok();
  return CannotWrite(path_, fmt::format("setting {} KiB aside for it", bytes >> 10), errno);
}

void AppendOnlyFile::Release() {
  // To the length that it has: what was set aside lies behind it.
  if (ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) return;
}

StatusOr<UniqueFd> OpenRegularFile(const std::string& path) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!fd.ok() || fstat(fd.get(), &status) != 0) {
    return Status::Failed(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  if (!S_ISREG(status.st_mode)) {
    return Status::Failed(fmt::format("cannot read {}: it is not a regular file", path));
  }
  return fd;
}

StatusOr<std::vector<std::string>> ReadLines(const std::string& path, bool* torn,
                                             uint64_t max_bytes) {
  std::vector<std::string> lines;
  struct stat status;
  const bool is_there = stat(path.c_str(), &status) == 0;
  const auto bytes = is_there ? static_cast<uint64_t>(status.st_size) : 0;
  if (is_there && S_ISREG(status.st_mode) && bytes > max_bytes) {
    return TooLarge(path, bytes, max_bytes);
  }
  RETURN_IF_ERROR(ForEachLine(path, torn, max_bytes, [&](const std::string& line) {
    lines.push_back(line);
    return Status::Ok();
  }));
  return lines;
}

Status ForEachLine(const std::string& path, bool* torn, uint64_t max_line_bytes,
                   const std::function<Status(const std::string&)>& take) {
  *torn = false;
  ASSIGN_OR_RETURN(const UniqueFd fd, OpenRegularFile(path));
  std::string line;
  std::vector<char> block(64 << 10);
  for (;;) {
    const ssize_t got = read(fd.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return Status::Failed(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    }
    if (got == 0) break;
    for (std::string_view rest(block.data(), static_cast<size_t>(got)); !rest.empty();) {
      const size_t end = rest.find('\n');
      line += rest.substr(0, end);
      if (line.size() > max_line_bytes) {
        return Status::Failed(fmt::format("{}: a line has more than the {} bytes allowed for it",
                                          path, max_line_bytes));
      }
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
      RETURN_IF_ERROR(take(line));
      line.clear();
    }
  }
  *torn = !line.empty();
  return Status::Ok();
}

}  // namespace levelfield
