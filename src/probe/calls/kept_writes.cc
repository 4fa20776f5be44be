#include "probe/calls/kept_writes.h"

#include <algorithm>

namespace levelfield {

KeptWrites::Sync KeptWrites::OfFile(const FileId& file) const {
  const auto at = files_.find(file);
  return at == files_.end() ? Sync{} : Sync{{file, at->second.plain}};
}

// On an overlay the files of one mount may have several devices.
KeptWrites::Sync KeptWrites::OfFileSystem(const FileId& file) const {
  Sync sync;
  for (const auto& [id, bytes] : files_) {
    if (id.device == file.device || id.mount == file.mount) sync.emplace_back(id, bytes.plain);
  }
  return sync;
}

KeptWrites::Sync KeptWrites::OfAll() const {
  Sync sync;
  for (const auto& [id, bytes] : files_) sync.emplace_back(id, bytes.plain);
  return sync;
}

void KeptWrites::Keep(const Sync& sync) {
  for (const auto& [file, plain] : sync) {
    uint64_t& kept = files_[file].kept;
    kept = std::max(kept, plain);
  }
}

void KeptWrites::Write(const FileId& file, uint64_t bytes, bool is_synced) {
  Bytes& known = files_[file];
  (is_synced ? known.synced : known.plain) += bytes;
}

WrittenByCalls KeptWrites::Take() {
  WrittenByCalls written{.is_map_synced = std::exchange(is_map_synced_, false)};
  for (auto& [file, bytes] : files_) {
    const uint64_t plain = bytes.plain - std::exchange(bytes.before, bytes.plain);
    const uint64_t all = plain + std::exchange(bytes.synced, 0);
    written.bytes += all;
    if (plain == 0 || bytes.kept >= bytes.plain) written.kept_bytes += all;
  }
  return written;
}

}  // namespace levelfield
