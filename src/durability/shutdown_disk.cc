#include "durability/shutdown_disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"
#include "file_system/file_system_kind.h"
#include "file_system/loop_file_system.h"

namespace levelfield {
namespace {

// XFS_IOC_GOINGDOWN, which ext4 has by the same number (EXT4_IOC_SHUTDOWN); no header of the C
// library has either.
constexpr unsigned long kGoingDown = _IOR('X', 125, uint32_t);
constexpr uint32_t kWithoutFlushOfTheLog = 2;

class ShutdownDisk : public CuttableDisk {
 public:
  explicit ShutdownDisk(std::unique_ptr<LoopFileSystem> file_system)
      : file_system_(std::move(file_system)), at_begin_(file_system_->device().SoFar()) {}

  std::string directory() const override { return file_system_->directory(); }

  Status Cut(double, uint64_t) override {
    const UniqueFd root(open(directory().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    uint32_t how = kWithoutFlushOfTheLog;
    if (root.ok() && ioctl(root.get(), kGoingDown, &how) == 0) return Status::Ok();
    return Status::Failed(fmt::format("cannot shut the file system on {} down: {}", directory(),
                                      std::strerror(errno)));
  }

  StatusOr<std::string> Recover() override {
    if (Status status = file_system_->Unmount(); !status.ok()) return status;
    if (Status status = file_system_->Mount(); !status.ok()) return status;
    return directory();
  }

  Status Release() override { return Status::Ok(); }

  Status Fail(DiskFault, uint64_t) override {
    return Status::Failed("only a disk with a volatile cache can be told to fail");
  }

  uint64_t written_bytes() const override {
    return file_system_->device().SoFar().written_bytes - at_begin_.written_bytes;
  }
  uint64_t flushes() const override {
    return file_system_->device().SoFar().flushes - at_begin_.flushes;
  }

 private:
  const std::unique_ptr<LoopFileSystem> file_system_;
  const DiskTraffic at_begin_;
};

}  // namespace

std::string WhyNoShutdownDisk(const std::string& file_system) {
  // Measured: 10,000 bytes that nobody synced were there after the shutdown of an ext2.
  if (file_system == "ext2") {
    return "ext2 has no journal: what is in memory is written after its shutdown as well; cut its "
           "power with a volatile disk";
  }
  if (file_system == "btrfs") return "btrfs knows no shutdown: cut its power with a volatile disk";
  return WhyNoFileSystem(file_system);
}

StatusOr<std::unique_ptr<CuttableDisk>> MakeShutdownDisk(const CuttableDisk::Options& options) {
  StatusOr<std::unique_ptr<LoopFileSystem>> file_system =
      LoopFileSystem::Make({.file_system = options.file_system,
                            .mount_options = options.mount_options,
                            .bytes = options.bytes,
                            .scratch = options.scratch});
  if (!file_system.ok()) return file_system.status();
  return std::unique_ptr<CuttableDisk>(std::make_unique<ShutdownDisk>(std::move(*file_system)));
}

}  // namespace levelfield
