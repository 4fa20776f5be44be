#include "durability/cuttable_disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/quote.h"
#include "base/unique_fd.h"
#include "durability/disk_server.h"
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
    RETURN_IF_ERROR(file_system_->Unmount());
    RETURN_IF_ERROR(file_system_->Mount());
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

// The kernel has this file if a btrfs can be mounted twice: as the writer's, and as what a cut
// left, both with the same identity.
constexpr const char* kBtrfsCanBeTwice = "/sys/fs/btrfs/features/temp_fsid";

class VolatileDisk : public CuttableDisk {
 public:
  VolatileDisk(DiskServer server, std::unique_ptr<LoopFileSystem> file_system,
               LoopFileSystem::Options options)
      : server_(std::move(server)),
        file_system_(std::move(file_system)),
        options_of_left_(std::move(options)),
        at_begin_(server_.SoFar()) {
    if (options_of_left_.file_system != "xfs") return;
    if (!options_of_left_.mount_options.empty()) options_of_left_.mount_options += ",";
    options_of_left_.mount_options += "nouuid";  // The same file system is mounted already.
  }

  std::string directory() const override { return file_system_->directory(); }

  Status Cut(double survives, uint64_t seed) override {
    RETURN_IF_ERROR(Release());
    return server_.Cut(survives, seed);
  }

  StatusOr<std::string> Recover() override {
    RETURN_IF_ERROR(Release());
    ASSIGN_OR_RETURN(std::unique_ptr<LoopFileSystem> left,
                     LoopFileSystem::MountFrom(server_.left(), options_of_left_));
    left_ = std::move(left);
    return left_->directory();
  }

  Status Release() override {
    if (left_ == nullptr) return Status::Ok();
    const Status status = left_->Unmount();
    left_.reset();
    return status;
  }

  Status Fail(DiskFault what, uint64_t from_nth) override { return server_.Fail(what, from_nth); }

  uint64_t written_bytes() const override {
    return server_.SoFar().written_bytes - at_begin_.written_bytes;
  }
  uint64_t flushes() const override { return server_.SoFar().flushes - at_begin_.flushes; }

 private:
  // In this order: mounts on the server's files must go before the server.
  DiskServer server_;
  std::unique_ptr<LoopFileSystem> file_system_;
  std::unique_ptr<LoopFileSystem> left_;
  LoopFileSystem::Options options_of_left_;
  const DiskTraffic at_begin_;
};

std::string WhyNoShutdownDisk(const std::string& file_system) {
  // Measured: 10,000 bytes that nobody synced survived the shutdown of an ext2.
  if (file_system == "ext2") {
    return "ext2 has no journal: what is in memory is written after its shutdown as well; cut its "
           "power with a volatile disk";
  }
  if (file_system == "btrfs") return "btrfs knows no shutdown: cut its power with a volatile disk";
  return WhyNoFileSystem(file_system);
}

StatusOr<std::unique_ptr<CuttableDisk>> MakeShutdownDisk(const CuttableDisk::Options& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoopFileSystem> file_system,
                   LoopFileSystem::Make({.file_system = options.file_system,
                                         .mount_options = options.mount_options,
                                         .bytes = options.bytes,
                                         .scratch = options.scratch}));
  return std::unique_ptr<CuttableDisk>(std::make_unique<ShutdownDisk>(std::move(file_system)));
}

std::string WhyNoVolatileDisk(const std::string& file_system) {
  if (std::string why = WhyNoFileSystem(file_system); !why.empty()) return why;
  if (file_system == "btrfs" && access(kBtrfsCanBeTwice, F_OK) != 0) {
    return "this kernel cannot mount what a cut left of a btrfs beside it: Linux 6.7 or newer, "
           "with btrfs loaded";
  }
  return DiskServer::WhyNot();
}

StatusOr<std::unique_ptr<CuttableDisk>> MakeVolatileDisk(const CuttableDisk::Options& options) {
  ASSIGN_OR_RETURN(DiskServer server, DiskServer::Start(options.bytes, options.scratch));
  ASSIGN_OR_RETURN(const UniqueFd image, server.OpenDisk());
  const LoopFileSystem::Options on_it = {.file_system = options.file_system,
                                         .mount_options = options.mount_options,
                                         .bytes = options.bytes,
                                         .scratch = options.scratch};
  ASSIGN_OR_RETURN(std::unique_ptr<LoopFileSystem> file_system,
                   LoopFileSystem::MakeOn(image, on_it));
  if (server.SoFar().written_bytes == 0) {
    return Status::Failed("the file system on " + (file_system)->directory() +
                          " was made, but nothing of it came to the disk below it");
  }
  if (options.eats_flushes) {
    RETURN_IF_ERROR(server.EatFlushes());
  }
  return std::unique_ptr<CuttableDisk>(
      std::make_unique<VolatileDisk>(std::move(server), std::move(file_system), on_it));
}

}  // namespace

std::string CuttableDisk::WhyNot(PowerCut cut, const std::string& file_system) {
  // Power cuts were tried on these; the others are only for runs.
  constexpr std::array<std::string_view, 5> kCut = {"ext2", "ext3", "ext4", "xfs", "btrfs"};
  if (std::ranges::find(kCut, file_system) == kCut.end()) {
    return fmt::format("{} cannot have its power cut; these can: {}", Quote(file_system),
                       fmt::join(kCut, ", "));
  }
  return cut == PowerCut::kShutdown ? WhyNoShutdownDisk(file_system)
                                    : WhyNoVolatileDisk(file_system);
}

StatusOr<std::unique_ptr<CuttableDisk>> CuttableDisk::Make(const Options& options) {
  if (std::string why = WhyNot(options.cut, options.file_system); !why.empty()) {
    return Status::Failed(why);
  }
  return options.cut == PowerCut::kShutdown ? MakeShutdownDisk(options) : MakeVolatileDisk(options);
}

}  // namespace levelfield
