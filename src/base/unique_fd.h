// A file descriptor that is closed when its owner ends. Used by one thread at a time.
#ifndef LEVELFIELD_BASE_UNIQUE_FD_H_
#define LEVELFIELD_BASE_UNIQUE_FD_H_

#include <unistd.h>

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

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_UNIQUE_FD_H_
