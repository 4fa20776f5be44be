#include "plan/file_system_settings.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "file_system/file_system_kind.h"

namespace levelfield {
namespace {

struct MountPart {
  std::string kind;  // Empty: for all kinds.
  std::string options;
};

// "noatime;ext4:data=journal": the kind is the text before the first colon, unless that colon is in
// an option.
std::vector<MountPart> MountParts(std::string_view text) {
  std::vector<MountPart> parts;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const size_t colon = part.find(':');
    const bool has_kind = colon != std::string_view::npos && part.find_first_of(",=") > colon;
    if (part.empty()) continue;
    parts.push_back({.kind = std::string(has_kind ? part.substr(0, colon) : ""),
                     .options = std::string(has_kind ? part.substr(colon + 1) : part)});
  }
  return parts;
}

}  // namespace

std::string JournalPlaceOf(const Settings& settings) {
  return settings.fs.empty() || settings.fs_journal == "internal" ? "" : settings.fs_journal;
}

std::string MountOptionsOf(const Settings& settings) {
  std::string options;
  for (const MountPart& part : MountParts(settings.fs_mount)) {
    if (!part.kind.empty() && part.kind != settings.fs) continue;
    if (part.options.empty()) continue;
    options += (options.empty() ? "" : ",") + part.options;
  }
  return options;
}

Status CheckFileSystem(const Settings& settings, uint64_t needed_bytes) {
  const FileSystemKind* const kind = FileSystemKindOf(settings.fs);
  // None was requested, or WhyNoRunFileSystem has the reason.
  if (kind == nullptr) return Status::Ok();
  for (const MountPart& part : MountParts(settings.fs_mount)) {
    if (part.kind.empty() || FileSystemKindOf(part.kind) != nullptr) continue;
    return Status::Usage(fmt::format("--fs_mount: {} before a colon is no kind of file system: {}",
                                     Quote(part.kind), FileSystemKinds()));
  }
  if (settings.fs_size == 0) return Status::Ok();
  const uint64_t least =
      std::max(kind->least_bytes, settings.space_guard == "refuse" ? needed_bytes : 0);
  if (settings.fs_size >= least) return Status::Ok();
  return Status::Usage(fmt::format(
      "--fs_size={}: {} and what the workloads may need take {} MiB at the least; give more, or "
      "leave it out",
      settings.fs_size, settings.fs, (least >> 20) + 1));
}

StatusOr<std::string> WhyNoRunFileSystem(const Settings& settings, Known& known) {
  if (settings.fs.empty()) return std::string();
  if (settings.fs == "zfs") {
    return std::string(
        "zfs is made by zpool and not by mkfs and mount, which is not built in; make a pool, and "
        "give a directory of it as --db");
  }
  if (const Status found = known.Found(MachineCheck::kFileSystem, settings.fs); !found.ok()) {
    return fmt::format("--fs={}: {}", settings.fs, found.message());
  }
  if (JournalPlaceOf(settings).empty() ||
      FileSystemKindOf(settings.fs)->journal != FileSystemKind::Journal::kNone) {
    return std::string();
  }
  return fmt::format(
      "--fs_journal: {} has no journal that could be elsewhere; ext3, ext4 and xfs do",
      settings.fs);
}

}  // namespace levelfield
