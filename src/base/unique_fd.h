// A file descriptor that is closed when its owner ends. Used by one thread at a time.
#ifndef LEVELFIELD_BASE_UNIQUE_FD_H_
#define LEVELFIELD_BASE_UNIQUE_FD_H_

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace levelfield {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() {
    if (fd_ >= 0) close(fd_);
  }

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

// Writes all of it, however many calls that takes. Returns 0, or the errno of the call that failed.
inline int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_UNIQUE_FD_H_
