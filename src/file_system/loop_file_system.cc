#include "file_system/loop_file_system.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "file_system/file_system_kind.h"
#include "file_system/tool.h"

namespace levelfield {
namespace {

std::string Joined(const std::string& options, const std::string& more) {
  return options.empty() || more.empty() ? options + more : options + "," + more;
}

// XFS accepts no log below 64 MiB; ext4 gives a file system of some GiB one of 64 MiB.
constexpr uint64_t kImageBytes = uint64_t{64} << 20;

// The size of a device that nobody uses and that has nothing on it.
StatusOr<uint64_t> SizeOfEmpty(const std::string& device) {
  const UniqueFd fd(open(device.c_str(), O_RDWR | O_EXCL | O_CLOEXEC));
  uint64_t bytes = 0;
  if (!fd.ok() || ioctl(fd.get(), BLKGETSIZE64, &bytes) != 0) {
    return Status::Failed(
        fmt::format("cannot use {} for a journal: {}", device, std::strerror(errno)));
  }
  // 2: nothing there that libblkid knows.
  ASSIGN_OR_RETURN(const ToolEnd blkid, RunToolToEnd({"blkid", "-p", "-o", "export", device}));
  if (blkid.exit_code == 2) return bytes;
  return Status::Failed(
      fmt::format("{} is not empty, and is left alone: {}; `wipefs -a {}` gives it away", device,
                  OneLine(blkid.said), device));
}

}  // namespace

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::Make(const Options& options) {
  // Before the image is opened: it can get a name only through the mount by which it was opened.
  RETURN_IF_ERROR(HaveMountsOfOurOwn());
  ASSIGN_OR_RETURN(ImageFile image, ImageFile::Make(options.scratch, options.bytes));
  StatusOr<std::unique_ptr<LoopFileSystem>> made = MakeOn(image.fd(), options);
  if (made.ok()) (*made)->image_ = std::move(image);
  return made;
}

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::MakeOn(const UniqueFd& image,
                                                                 const Options& options) {
  if (std::string why = WhyNoFileSystem(options.file_system); !why.empty()) {
    return Status::Failed(why);
  }
  const FileSystemKind& kind = *FileSystemKindOf(options.file_system);
  std::optional<ExternalJournal> journal;
  if (!options.journal.empty()) {
    ASSIGN_OR_RETURN(ExternalJournal made, ExternalJournal::Make(kind, options.journal));
    journal.emplace(std::move(made));
  }
  ASSIGN_OR_RETURN(LoopDevice device, LoopDevice::Attach(image, options.direct_io));
  std::vector<std::string> words = kind.mkfs;
  if (journal)
    words.insert(words.end(), journal->mkfs_words().begin(), journal->mkfs_words().end());
  words.push_back(device.path());
  const uint64_t written_before = device.SoFar().written_bytes;
  RETURN_IF_ERROR(RunTool(words));
  if (device.SoFar().written_bytes == written_before) {
    return Status::Failed(fmt::format("{} made a file system on {}, but nothing was written to it",
                                      words.front(), device.path()));
  }
  StatusOr<std::unique_ptr<LoopFileSystem>> made =
      MountOn(std::move(device), std::move(journal), options);
  if (made.ok()) (*made)->mkfs_ = fmt::format("{}", fmt::join(words, " "));
  return made;
}

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::MountFrom(const UniqueFd& image,
                                                                    const Options& options) {
  ASSIGN_OR_RETURN(LoopDevice device, LoopDevice::Attach(image));
  return MountOn(std::move(device), std::nullopt, options);
}

StatusOr<std::unique_ptr<LoopFileSystem>> LoopFileSystem::MountOn(
    LoopDevice device, std::optional<ExternalJournal> journal, const Options& options) {
  ASSIGN_OR_RETURN(MountPoint mount_point, MountPoint::Make(options.scratch));
  std::unique_ptr<LoopFileSystem> result(
      new LoopFileSystem(options, std::move(device), std::move(journal), std::move(mount_point)));
  RETURN_IF_ERROR(result->Mount());
  return result;
}

LoopFileSystem::LoopFileSystem(Options options, LoopDevice device,
                               std::optional<ExternalJournal> journal, MountPoint mount_point)
    : options_(std::move(options)),
      device_(std::move(device)),
      journal_(std::move(journal)),
      mount_point_(std::move(mount_point)) {}

Status LoopFileSystem::Unmount() {
  const Status status = mount_point_.Unmount();
  server_.reset();
  return status;
}

Status LoopFileSystem::Mount() {
  const FileSystemKind& kind = *FileSystemKindOf(options_.file_system);
  const std::string options =
      Joined(kind.closing_options,
             Joined(options_.mount_options, journal_ ? journal_->mount_options() : ""));
  if (!IsServed(kind)) {
    return mount_point_.Mount(device_.path(), kind.kernel_type, options);
  }
  std::vector<std::string> words = {kind.server, device_.path(), mount_point_.directory()};
  if (!options.empty()) words.insert(words.end(), {"-o", options});
  ASSIGN_OR_RETURN(FuseServer server, FuseServer::Start(words));
  server_.emplace(std::move(server));
  return mount_point_.CheckMounted();
}

Status LoopFileSystem::Remount(const std::string& options) {
  return RunTool({"mount", "-o", "remount," + options, mount_point_.directory()});
}

std::string LoopFileSystem::WithoutDevices(std::string text) const {
  const auto replace = [&](const std::string& device, std::string_view name) {
    for (size_t at = 0; (at = text.find(device, at)) != std::string::npos; at += name.size()) {
      const size_t end = at + device.size();
      const bool is_longer = end < text.size() && text[end] >= '0' && text[end] <= '9';
      if (!is_longer) text.replace(at, device.size(), name);
    }
  };
  replace(device_.path(), "DEVICE");
  if (journal_) replace(journal_->device(), "JOURNAL");
  return text;
}

Status LoopFileSystem::KeepImage(const std::string& path) const {
  if (!image_) return Status::Failed("no image was made for this file system");
  return image_->Keep(path);
}

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
