// A sparse file without a name, for a block device to be made of: nothing of it is left when nobody
// has it open, whatever way its users ended, unless it is given a name in the end.
#ifndef LEVELFIELD_FILE_SYSTEM_IMAGE_FILE_H_
#define LEVELFIELD_FILE_SYSTEM_IMAGE_FILE_H_

#include <cstdint>
#include <string>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

class ImageFile {
 public:
  static StatusOr<ImageFile> Make(const std::string& directory, uint64_t bytes);

  const UniqueFd& fd() const { return fd_; }
  // The path, which nothing is at, has to be on the same file system. Fails where that file system
  // makes no files without a name (overlay), as this one then cannot get one.
  Status Keep(const std::string& path) const;

 private:
  ImageFile(UniqueFd fd, bool can_be_named) : fd_(std::move(fd)), can_be_named_(can_be_named) {}

  UniqueFd fd_;
  bool can_be_named_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_IMAGE_FILE_H_
