// The marker of a store, the file LEVELFIELD beside its db/: whose directory this is, how its last
// user left it, and what it holds. 512 bytes of JSON, one disk sector: rewriting it in place is all
// or nothing, even in a power cut, and keeps the inode that the lock is on (store_lock.h), which a
// rename would not.
//
// The marker and its text, which is all pure; store_lock.h has the file. Any thread may call.
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

enum class StoreState {
  kClean,   // The engine closed it in good order, and all its files are on the device.
  kDirty,   // Somebody writes to it, or did when their run was cut off; it may need recovery.
  kTainted  // An engine failed on it, or wiping it was cut off: kept for people to look at.
};
inline constexpr const char* kWhyTainted =
    "it is tainted: an engine failed on it, or wiping it was cut off";

// What the store holds, for those who open it again.
struct StoreContent {
  std::string engine;  // Its name, without a version; empty: a marker older than this.
  // The LibraryMark of the engine's library that had it open last, to write; empty: a marker older
  // than this.
  std::string library = {};
  KeyShape keys = {};
  // The least and the most bytes of its values; and whether they are ValueSource's at all.
  uint64_t smallest_value = 0;
  uint64_t largest_value = 0;
  bool describes_itself = false;
  ValueFormat value_format = ValueFormat::kDistinct;  // If they are ValueSource's.
  double compression_ratio = 0;
  uint32_t opened = 0;  // How many times again.
  // As many as there were when it was last closed, those of the first keys and no others; 0: not
  // known.
  uint64_t entries = 0;
  // The weakest durability class in which anything was written to it: "process". Empty: not known.
  std::string durability = {};
  // A run left it without closing it in good order. What it has to hold is not known since.
  bool cut_off = false;
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

  // What those who open it now know of it. Its entries were counted when it was closed: where it is
  // not clean, their number is not known.
  StoreContent ContentAsLeft() const;
};

// For a store that this process makes now, to write to it: dirty, and with another id each time.
// `harness`, the engine's name and that of its class are bounded, so that the marker fits its
// sector whatever they are.
StatusOr<StoreMarker> NewStoreMarker(uint64_t salt, std::string_view harness, bool made_directory,
                                     const StoreContent& content);

std::string TextOf(const StoreMarker& marker);
// Nothing where it is not a marker of this version of Levelfield.
std::optional<StoreMarker> ParseMarker(std::string_view text);

// A library's version, and what a store is of, as a marker has them: cut, so that the marker fits
// its sector, and with other letters where JSON would need several. A library without a version is
// "none told". Compare with what a marker says by these.
std::string LibraryMark(std::string_view version);
std::string EngineMark(std::string_view engine);

// Adds its members to those of the marker; for a content without an engine only how it was left.
void AddContent(const StoreContent& content, nlohmann::ordered_json& marker);
// Where anything of it is missing or not as it is written, nothing is known but how it was left.
StoreContent ContentIn(const nlohmann::json& marker);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_MARKER_H_
