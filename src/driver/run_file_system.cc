#include "driver/run_file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "file_system/file_system_kind.h"
#include "file_system/tool.h"
#include "plan/file_system_settings.h"
#include "probe/medium_probe.h"
#include "result/environment/mounts.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

// Room for the needed bytes, the twentieth that stays free, and the file system's own structures:
// ext4 keeps a twentieth for root, XFS a log of 64 MiB, btrfs two copies of its metadata.
uint64_t SizeOf(const Settings& settings, const FileSystemKind& kind, uint64_t needed_bytes) {
  if (settings.fs_size != 0) return settings.fs_size;
  const uint64_t bytes = needed_bytes + needed_bytes / 3 + 128 * kMebibyte;
  return std::max(kind.least_bytes, bytes) / kMebibyte * kMebibyte + kMebibyte;
}

// The first line that the program prints about its version.
std::string VersionOf(const std::string& mkfs) {
  const StatusOr<ToolEnd> end = RunToolToEnd({mkfs, "-V"});
  if (!end.ok()) return Unknown(end.status().message());
  const std::string text =
      end->said.substr(std::min(end->said.find_first_not_of('\n'), end->said.size()));
  return Printable(text.substr(0, text.find('\n')));
}

}  // namespace

std::string PlaceOfImages(const Settings& settings, const std::string& results) {
  return settings.db.empty() ? results + "/stores" : settings.db;
}

RunFileSystem::RunFileSystem(const Settings& settings, std::string place, uint64_t bytes,
                             std::unique_ptr<LoopFileSystem> mounted)
    : kind_(settings.fs),
      journal_place_(JournalPlaceOf(settings)),
      place_(std::move(place)),
      bytes_(bytes),
      mounted_(std::move(mounted)) {}

StatusOr<RunFileSystem> RunFileSystem::Make(const Settings& settings, uint64_t needed_bytes,
                                            const std::string& place) {
  std::error_code error;
  fs::create_directories(place, error);
  if (error) {
    return Status::Failed(
        fmt::format("cannot make {} for the image of a file system: {}", place, error.message()));
  }
  const FileSystemKind& kind = *FileSystemKindOf(settings.fs);
  const uint64_t bytes = SizeOf(settings, kind, needed_bytes);
  StatusOr<std::unique_ptr<LoopFileSystem>> mounted =
      LoopFileSystem::Make({.file_system = settings.fs,
                            .mount_options = MountOptionsOf(settings),
                            .bytes = bytes,
                            .scratch = fs::absolute(place, error).string(),
                            .direct_io = true,
                            .journal = JournalPlaceOf(settings)});
  if (!mounted.ok()) {
    return Status::Failed(
        fmt::format("no {} for its store: {}", settings.fs, mounted.status().message()));
  }
  return RunFileSystem(settings, place, bytes, std::move(*mounted));
}

FileSystem RunFileSystem::InForce() const {
  const FileSystemKind& kind = *FileSystemKindOf(kind_);
  FileSystem result{.kind = kind_,
                    .mkfs = mounted_->WithoutDevices(mounted_->mkfs()),
                    .mkfs_version = VersionOf(kind.mkfs.front()),
                    .bytes = bytes_,
                    .image_on = MediumOf(place_).filesystem,
                    .direct_io = mounted_->device().has_direct_io(),
                    .medium = MediumOf(mounted_->directory(), journal_place_)};
  const std::vector<Mount> mounts = ParseMounts(ReadAll("/proc/self/mountinfo"));
  if (const Mount* const mount = MountOf(mounts, mounted_->directory()); mount != nullptr) {
    result.mounted_as = mount->type;
    std::string options = mount->super_options;  // "rw" stands in both.
    if (options.starts_with("rw")) options.erase(0, 2);
    result.mount_options = mounted_->WithoutDevices(mount->options + options);
  }
  result.journal = kind.journal == FileSystemKind::Journal::kNone ? "none" : "internal";
  if (!journal_place_.empty()) {
    std::error_code error;
    result.journal = fmt::format("external: {} MiB, {} {}", mounted_->journal_bytes() / kMebibyte,
                                 fs::is_directory(journal_place_, error)
                                     ? "in a directory on " + MediumOf(journal_place_).filesystem
                                     : "the device",
                                 journal_place_);
  }
  return result;
}

Status RunFileSystem::End() { return mounted_->Unmount(); }

Status RunFileSystem::EndAndKeep(const std::string& path) {
  const Status status = End();
  return status.ok() ? mounted_->KeepImage(path) : status;
}

}  // namespace levelfield
