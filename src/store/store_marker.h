// The marker of a store, the file LEVELFIELD beside its db/: whose directory this is. 512 bytes of
// JSON, one disk sector: rewriting it in place is all or nothing, even in a power cut, and keeps
// the inode that the lock is on (store_lock.h), which a rename would not.
//
// Only those who look after stores call this (store_directory.h, store_lock.h, marked_store.h),
// from any thread; who writes holds the lock.
#ifndef LEVELFIELD_STORE_STORE_MARKER_H_
#define LEVELFIELD_STORE_STORE_MARKER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "store/store_content.h"

namespace levelfield {

inline constexpr const char* kStoreMarker = "LEVELFIELD";

enum class StoreState {
  kClean,   // The engine closed it in good order, and all its files are on the device.
  kDirty,   // Somebody writes to it, or did when their run was cut off; it may need recovery.
  kTainted  // An engine failed on it, or wiping it was cut off: kept for people to look at.
};

struct StoreMarker {
  std::string id;       // Random, 32 hex digits.
  std::string created;  // UTC, ISO 8601.
  std::string harness;
  uint64_t salt = 0;
  StoreState state = StoreState::kDirty;
  int64_t pid = 0;              // Who locked it last.
  bool made_directory = false;  // Else it was found empty, and is not ours to remove.
  StoreContent content;
};

// Of a store that this process makes now, to write to it: dirty, and with another id each time.
// `harness`, the engine's name and that of its class are bounded, so that the marker fits its
// sector whatever they are.
StatusOr<StoreMarker> NewStoreMarker(uint64_t salt, std::string_view harness, bool made_directory,
                                     const StoreContent& content);

// Empty where there is nothing in the file yet, or it cannot be read.
std::string MarkerText(int fd);
// Nothing where it is not a marker of this version of Levelfield.
std::optional<StoreMarker> ParseMarker(std::string_view text);
std::optional<StoreMarker> ReadMarker(int fd);
// The process that locked it last; 0 where that cannot be read.
int64_t HolderOf(int fd);

// One write and an fsync, so it happens wholly or not at all. The message names no store.
Status WriteMarker(int fd, const StoreMarker& marker);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_MARKER_H_
