#include "store/store_content.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_text.h"

namespace levelfield {
namespace {

// Empty for what is no name of a class: the marker may be somebody else's.
std::string ClassIn(const nlohmann::json& marker) {
  constexpr size_t kMostBytes = 16;
  const std::string name = marker.value("durability", "");
  const bool is_name = name.size() <= kMostBytes &&
                       name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  return is_name ? name : "";
}

// All but how it was left. Where anything is missing or not as it is written, nothing is known.
StoreContent DescribedIn(const nlohmann::json& marker) {
  StoreContent content;
  try {
    const nlohmann::json& keys = marker.at("keys");
    const std::optional<KeyKind> kind = KeyKindOf(keys.at(0).get<std::string>());
    content.keys =
        KeyShape(CountOf(keys.at(1)), kind.value_or(KeyKind::kDecimal), CountOf(keys.at(2)));
    if (!kind || content.keys.prefix >= content.keys.size) return {};
    content.opened = static_cast<uint32_t>(CountOf(marker.at("opened")));
    if (marker.contains("library")) content.library = marker["library"];
    if (marker.contains("entries")) content.entries = CountOf(marker["entries"]);
    content.durability = ClassIn(marker);
    constexpr auto kSlices = static_cast<uint64_t>(ValueFormat::kSlices);
    constexpr auto kDistinct = static_cast<uint64_t>(ValueFormat::kDistinct);
    const bool are_slices = marker.contains("values");
    if (are_slices || marker.contains("values_as")) {
      const nlohmann::json& values = marker[are_slices ? "values" : "values_as"];
      const size_t sizes = are_slices ? 0 : 1;
      const uint64_t format = are_slices ? kSlices : CountOf(values.at(0));
      // Of a later format nothing can be checked.
      if (format == kSlices || format == kDistinct) {
        content.value_format = static_cast<ValueFormat>(format);
        content.smallest_value = CountOf(values.at(sizes));
        content.largest_value = CountOf(values.at(sizes + 1));
        content.compression_ratio = values.at(sizes + 2);
        content.describes_itself = true;
      }
    }
    content.engine = marker.at("engine");
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return content;
}

}  // namespace

std::string LibraryMark(std::string_view version) {
  constexpr size_t kMost = 16;
  if (version.empty()) return "none told";
  std::string mark(version.substr(0, kMost));
  // Letters that JSON would have to write with others take more room.
  std::ranges::replace_if(
      mark, [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; }, '?');
  return mark;
}

// As arrays, for the room: kind, bytes, prefix; the format, least, most, ratio. Slices have no
// number and another name, as they had when nothing else was there: who knows nothing else finds no
// values that it could check in a store of others.
void AddContent(const StoreContent& content, nlohmann::ordered_json& marker) {
  if (content.cut_off) marker["cut_off"] = true;
  if (content.engine.empty()) return;
  marker["engine"] = content.engine;
  if (!content.library.empty()) marker["library"] = LibraryMark(content.library);
  marker["keys"] = {KeyKindName(content.keys.kind), content.keys.size, content.keys.prefix};
  if (content.describes_itself) {
    if (content.value_format == ValueFormat::kSlices) {
      marker["values"] = {content.smallest_value, content.largest_value, content.compression_ratio};
    } else {
      marker["values_as"] = {content.value_format, content.smallest_value, content.largest_value,
                             content.compression_ratio};
    }
  }
  marker["opened"] = content.opened;
  if (content.entries != 0) marker["entries"] = content.entries;
  if (!content.durability.empty()) marker["durability"] = content.durability;
}

StoreContent ContentIn(const nlohmann::json& marker) {
  StoreContent content = DescribedIn(marker);
  content.cut_off = marker.contains("cut_off") && marker["cut_off"] == true;
  return content;
}

}  // namespace levelfield
