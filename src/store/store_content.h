// What a store of ours holds, for those who open it again: a part of its marker (store_marker.h),
// which is JSON. Pure; any thread may call.
#ifndef LEVELFIELD_STORE_STORE_CONTENT_H_
#define LEVELFIELD_STORE_STORE_CONTENT_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {

struct StoreContent {
  std::string engine;  // Its name, without a version; empty: a marker older than this.
  // The LibraryMark of the engine's library that had it open last, to write; empty: a marker older
  // than this.
  std::string library = {};
  KeyShape keys = {};
  // Of its values, the least and the most bytes; and whether they are ValueSource's at all.
  uint64_t smallest_value = 0;
  uint64_t largest_value = 0;
  bool describes_itself = false;
  ValueFormat value_format = ValueFormat::kDistinct;  // Of those.
  double compression_ratio = 0;
  uint32_t opened = 0;  // How many times again.
  // So many there were when it was last closed, those of the first keys and no others; 0: not
  // known.
  uint64_t entries = 0;
  // The weakest durability class in which anything was written to it: "process". Empty: not known.
  std::string durability = {};
  // A run before left it without closing it in good order. What it has to hold is not known since.
  bool cut_off = false;
};

// A library's version as a marker has it: cut, so that the marker fits its sector, and "none told"
// where there is none.
std::string LibraryMark(std::string_view version);

// Adds its members to those of the marker; for a content without an engine only how it was left.
void AddContent(const StoreContent& content, nlohmann::ordered_json& marker);

// Where anything of it is missing or not as it is written, nothing is known but how it was left.
StoreContent ContentIn(const nlohmann::json& marker);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_CONTENT_H_
