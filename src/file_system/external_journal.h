// The journal of an ext3, ext4 or XFS that lies elsewhere than the file system: on an image in a
// directory, say of a tmpfs, or on a block device that nothing is on. Used by one thread.
#ifndef LEVELFIELD_FILE_SYSTEM_EXTERNAL_JOURNAL_H_
#define LEVELFIELD_FILE_SYSTEM_EXTERNAL_JOURNAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "file_system/file_system_kind.h"
#include "file_system/loop_device.h"

namespace levelfield {

class ExternalJournal {
 public:
  // Makes it for a file system of the kind; `place` is a directory or a block device. A device on
  // which anything is, or which somebody uses, is left alone: that is a failure.
  static StatusOr<ExternalJournal> Make(const FileSystemKind& kind, const std::string& place);

  ExternalJournal(ExternalJournal&& other) noexcept;
  ExternalJournal& operator=(ExternalJournal&&) = delete;
  // A device has nothing on it again.
  ~ExternalJournal();

  const std::string& device() const { return device_; }
  // What mkfs, and mount -o, of its file system are told.
  const std::vector<std::string>& mkfs_words() const { return mkfs_words_; }
  const std::string& mount_options() const { return mount_options_; }
  uint64_t bytes() const { return bytes_; }

 private:
  ExternalJournal() = default;

  std::optional<ImageFile> image_;
  std::optional<LoopDevice> loop_;
  std::string device_;
  bool is_emptied_ = false;  // In the end; else it is an image.
  std::vector<std::string> mkfs_words_;
  std::string mount_options_;
  uint64_t bytes_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_EXTERNAL_JOURNAL_H_
