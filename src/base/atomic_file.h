// Files that are whole or not there at all: results, manifests, histories.
//
// WriteFileAtomically makes a whole file appear at once. AppendOnlyFile and ReadLines keep a file
// of lines to which a crash can do no more than tear the last one. Neither is for the database of
// an engine, and neither is fast: every call here may wait for the disk. Any thread may call; an
// AppendOnlyFile is used by one thread at a time, and holds a lock that keeps other writers out.
//
// The program ignores SIGXFSZ (main.cc), so that a file size limit is an error here, not a death.
#ifndef LEVELFIELD_BASE_ATOMIC_FILE_H_
#define LEVELFIELD_BASE_ATOMIC_FILE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

// The limit of readers and writers, unless told otherwise.
inline constexpr uint64_t kMaxFileBytes = uint64_t{16} << 20;

enum class Overwrite { kNever, kReplace };

// After kOk the file holds exactly `bytes` and survives a power cut. After an error the file is as
// it was. At any moment in between, also after a kill -9, a reader finds the old file (or none), or
// the new one. A kill -9 may leave a hidden `.<name>.<...>.tmp` behind. With kReplace only a
// regular file is replaced, never a device, a pipe or a symlink.
Status WriteFileAtomically(const std::string& path, std::string_view bytes,
                           Overwrite overwrite = Overwrite::kNever,
                           uint64_t max_bytes = kMaxFileBytes);

// A file of lines that only grows. Each line is written whole by one call, or not at all.
class AppendOnlyFile {
 public:
  // Opens the file, or creates it. If a crash left a last line without its newline, cuts it off, so
  // that the next line does not join it. `*cut_bytes` says how much.
  static StatusOr<AppendOnlyFile> Open(const std::string& path, uint64_t max_bytes = kMaxFileBytes,
                                       uint64_t* cut_bytes = nullptr);

  // `line` must not contain a newline.
  Status AppendLine(std::string_view line);
  // The same for bytes that are no line, for files in another format.
  Status Append(std::string_view bytes);
  // Makes every line so far survive a power cut.
  Status Sync();
  // Has the file system reserve so many bytes for coming lines, so that they can be appended even
  // when the disk is full. The file keeps its length. A file system that cannot do that reserves
  // nothing, which is no error.
  Status Reserve(uint64_t bytes);
  // Gives back the rest of that.
  void Release();

 private:
  AppendOnlyFile(std::string path, UniqueFd fd, uint64_t size, uint64_t max_bytes)
      : path_(std::move(path)), fd_(std::move(fd)), size_(size), max_bytes_(max_bytes) {}

  std::string path_;
  UniqueFd fd_;
  uint64_t size_;
  uint64_t max_bytes_;
};

// Opens the file for reading. Refuses anything but a regular file, and does not wait for a pipe.
StatusOr<UniqueFd> OpenRegularFile(const std::string& path);

// The whole lines of a file, without their newlines. A last line without its newline was torn by a
// crash: it is left out and *torn is set, which the caller turns into a warning.
StatusOr<std::vector<std::string>> ReadLines(const std::string& path, bool* torn,
                                             uint64_t max_bytes = kMaxFileBytes);
// The same, one line after another: holds only one line at a time, of at most so many bytes. The
// first status that is not ok ends it.
Status ForEachLine(const std::string& path, bool* torn, uint64_t max_line_bytes,
                   const std::function<Status(const std::string&)>& take);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_ATOMIC_FILE_H_
