// The marker of a store, the file LEVELFIELD beside its db/: whose directory this is, how its last
// user left it, and what it holds. It is 512 bytes of JSON, one disk sector. So rewriting it in
// place is all or nothing, even in a power cut, and keeps the inode that the lock is on
// (store_lock.h). A rename would not.
//
// This is the marker and its text, all pure; store_lock.h has the file. Any thread may call.
#ifndef LEVELFIELD_STORE_STORE_MARKER_H_
#define LEVELFIELD_STORE_STORE_MARKER_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {

inline constexpr const char* kStoreMarker = "LEVELFIELD";
// The engine's directory beside the marker, the only place that is ever emptied.
inline constexpr const char* kStoreDatabase = "db";
inline constexpr size_t kMarkerBytes = 512;

// A run refuses a tainted store, and says how to look at it or empty it. A dirty one it opens with a
// note: the engine recovers it, and its content is unknown. The driver decides at the end of a run:
// a store that the run made is tainted if the engine failed, died or hung on it
// (driver.cc: CloseStore). One that was there before stays dirty then (run_store.cc: MarkAtTheEnd).
// A wrong answer taints both.
enum class StoreState {
  kClean,   // The engine closed it properly, and all its files are on the device.
  kDirty,   // Somebody writes to it, or did when their run was cut off; it may need recovery.
  kTainted  // An engine failed on it, or wiping it was cut off: kept for people to look at.
};
inline constexpr const char* kWhyTainted =
    "it is tainted: an engine failed on it, or wiping it was cut off";

// What the store holds, for those who open it again.
struct StoreContent {
  std::string engine;  // Without a version. Empty: nothing below is known but `cut_off`.
  // The LibraryMark of the library that last had it open to write.
  std::string library = {};
  KeyShape keys = {};
  // The least and the most bytes of its values, and whether they are ValueSource's at all.
  uint64_t smallest_value = 0;
  uint64_t largest_value = 0;
  bool describes_itself = false;
  double compression_ratio = 0;
  uint32_t opened = 0;  // How many times it was opened again.
  // The number when it was last closed, if these were the first keys and no others; 0: not known.
  uint64_t entries = 0;
  // The weakest durability class of any write to it: "process". Empty: not known.
  std::string durability = {};
  // A run left it without closing it properly. Its expected contents are unknown since then.
  bool cut_off = false;
};

struct StoreMarker {
  std::string id;       // Random, 32 hex digits.
  std::string created;  // UTC, ISO 8601.
  std::string harness;
  uint64_t salt = 0;
  StoreState state = StoreState::kDirty;
  int64_t pid = 0;              // Who locked it last.
  bool made_directory = false;  // Else it was found empty, and we must not remove it.
  StoreContent content;

  // What a new user knows about it. Entries are counted when it is closed: unless it is clean,
  // their number is unknown.
  StoreContent ContentAsLeft() const;
};

// For a store that this process makes now, to write to it: dirty, and with a new id each time.
// `harness` and the names of engine and class are shortened, so that the marker always fits its
// sector.
StatusOr<StoreMarker> NewStoreMarker(uint64_t salt, std::string_view harness, bool made_directory,
                                     const StoreContent& content);

std::string TextOf(const StoreMarker& marker);
// Nothing if it is not a marker of this version of Levelfield.
std::optional<StoreMarker> ParseMarker(std::string_view text);

// A library's version, and the description of a store, as a marker has them: shortened so that the
// marker fits its sector, and with other letters where JSON would need several. A library without a
// version is "none told". Compare markers by these.
std::string LibraryMark(std::string_view version);
std::string EngineMark(std::string_view engine);

// Adds its members to the marker's; a content without an engine adds only how it was left.
void AddContent(const StoreContent& content, nlohmann::ordered_json& marker);
// If any part is missing or malformed, only how it was left is known.
StoreContent ContentIn(const nlohmann::json& marker);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_MARKER_H_
