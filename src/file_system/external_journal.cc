#include "file_system/external_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"
#include "file_system/tool.h"

namespace levelfield {
namespace {

// XFS takes no log below 64 MiB; ext4 gives a file system of some GiB one of 64 MiB.
constexpr uint64_t kImageBytes = uint64_t{64} << 20;

// The size of a device that nobody uses and that nothing is on.
StatusOr<uint64_t> SizeOfEmpty(const std::string& device) {
  const UniqueFd fd(open(device.c_str(), O_RDWR | O_EXCL | O_CLOEXEC));
  uint64_t bytes = 0;
  if (!fd.ok() || ioctl(fd.get(), BLKGETSIZE64, &bytes) != 0) {
    return Status::Failed(
        fmt::format("cannot use {} for a journal: {}", device, std::strerror(errno)));
  }
  // 2: nothing that libblkid knows is there.
  ASSIGN_OR_RETURN(const ToolEnd blkid, RunToolToEnd({"blkid", "-p", "-o", "export", device}));
  if (blkid.exit_code == 2) return bytes;
  return Status::Failed(
      fmt::format("{} is not empty, and is left alone: {}; `wipefs -a {}` gives it away", device,
                  OneLine(blkid.said), device));
}

}  // namespace

StatusOr<ExternalJournal> ExternalJournal::Make(const FileSystemKind& kind,
                                                const std::string& place) {
  struct stat status {};
  if (stat(place.c_str(), &status) != 0) {
    return Status::Failed(
        fmt::format("no place for a journal: {}: {}", place, std::strerror(errno)));
  }
  ExternalJournal journal;
  std::string device = place;
  if (S_ISDIR(status.st_mode)) {
    ASSIGN_OR_RETURN(ImageFile image, ImageFile::Make(place, kImageBytes));
    journal.image_ = std::move(image);
    ASSIGN_OR_RETURN(LoopDevice loop, LoopDevice::Attach(journal.image_->fd(), true));
    journal.loop_ = std::move(loop);
    journal.bytes_ = kImageBytes;
    device = journal.loop_->path();
  } else {
    ASSIGN_OR_RETURN(const uint64_t bytes, SizeOfEmpty(place));
    journal.bytes_ = bytes;
  }
  if (kind.journal == FileSystemKind::Journal::kXfsLog) {
    journal.mkfs_words_ = {"-l", "logdev=" + device};
    journal.mount_options_ = "logdev=" + device;
  } else {
    journal.mkfs_words_ = {"-J", "device=" + device};
    RETURN_IF_ERROR(RunTool(
        {"mke2fs", "-q", "-F", "-b", "4096", "-E", "nodiscard", "-O", "journal_dev", device}));
  }
  journal.is_emptied_ = !journal.loop_;
  journal.device_ = device;
  return journal;
}

ExternalJournal::ExternalJournal(ExternalJournal&& other) noexcept
    : image_(std::move(other.image_)),
      loop_(std::move(other.loop_)),
      device_(std::move(other.device_)),
      is_emptied_(std::exchange(other.is_emptied_, false)),
      mkfs_words_(std::move(other.mkfs_words_)),
      mount_options_(std::move(other.mount_options_)),
      bytes_(other.bytes_) {}

ExternalJournal::~ExternalJournal() {
  if (is_emptied_) (void)RunTool({"wipefs", "-a", "-q", device_});
}

}  // namespace levelfield
