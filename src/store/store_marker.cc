#include "store/store_marker.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/utc.h"

namespace levelfield {
namespace {

constexpr int kFormat = 1;

// Keeps this order in the file: the state is what people look for.
constexpr std::array<const char*, 3> kStateNames = {"clean", "dirty", "tainted"};

// Shortens the text so that the marker fits its sector. Replaces letters that take several in JSON,
// and those in `others`.
std::string Bounded(std::string_view text, size_t most, std::string_view others = " ") {
  std::string bounded(text.substr(0, most));
  std::ranges::replace_if(
      bounded,
      [&](char c) {
        return c < ' ' || c > '~' || c == '"' || c == '\\' || others.find(c) != others.npos;
      },
      '?');
  return bounded;
}

StatusOr<std::string> RandomId() {
  std::array<uint64_t, 2> random;
  if (getrandom(random.data(), sizeof random, 0) != sizeof random) {
    return Status::Failed(fmt::format("cannot get a random number: {}", std::strerror(errno)));
  }
  return fmt::format("{:016x}{:016x}", random[0], random[1]);
}

// Empty if it names no class: the marker may be somebody else's.
std::string ClassIn(const nlohmann::json& marker) {
  constexpr size_t kMostBytes = 16;
  const std::string name = marker.value("durability", "");
  const bool is_name = name.size() <= kMostBytes &&
                       name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  return is_name ? name : "";
}

// Everything but how it was left. If any part is missing or malformed, nothing is known.
StoreContent DescribedIn(const nlohmann::json& marker) {
  StoreContent content;
  try {
    const nlohmann::json& keys = marker.at("keys");
    const std::optional<KeyKind> kind = FromName<KeyKind>(keys.at(0).get<std::string>());
    // Markers of keys of one size have no largest.
    content.keys = KeyShape(CountOf(keys.at(1)), kind.value_or(KeyKind::kDecimal),
                            CountOf(keys.at(2)), keys.size() > 3 ? CountOf(keys.at(3)) : 0);
    if (!kind || content.keys.prefix >= content.keys.size) return {};
    content.opened = static_cast<uint32_t>(CountOf(marker.at("opened")));
    content.library = marker.at("library");
    if (marker.contains("entries")) content.entries = CountOf(marker["entries"]);
    content.durability = ClassIn(marker);
    if (marker.contains("values")) {
      const nlohmann::json& values = marker["values"];
      content.smallest_value = CountOf(values.at(0));
      content.largest_value = CountOf(values.at(1));
      content.compression_ratio = values.at(2);
      content.describes_itself = true;
    }
    content.engine = marker.at("engine");
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return content;
}

}  // namespace

std::string LibraryMark(std::string_view version) {
  return version.empty() ? "none told" : Bounded(version, 16, "");
}

std::string EngineMark(std::string_view engine) { return Bounded(engine, 24); }

StoreContent StoreMarker::ContentAsLeft() const {
  StoreContent left = content;
  if (state != StoreState::kClean) {
    left.cut_off = true;
    left.entries = 0;
  }
  return left;
}

// Written as arrays, to save room: kind, bytes, prefix and, if sizes vary, the most bytes; then
// least, most, ratio.
void AddContent(const StoreContent& content, nlohmann::ordered_json& marker) {
  if (content.cut_off) marker["cut_off"] = true;
  if (content.engine.empty()) return;
  marker["engine"] = content.engine;
  marker["library"] = LibraryMark(content.library);
  marker["keys"] = {NameOf(content.keys.kind), content.keys.size, content.keys.prefix};
  if (content.keys.vary()) marker["keys"].push_back(content.keys.most);
  if (content.describes_itself) {
    marker["values"] = {content.smallest_value, content.largest_value, content.compression_ratio};
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

std::string TextOf(const StoreMarker& marker) {
  nlohmann::ordered_json json;
  json["levelfield_store"] = kFormat;
  json["about"] = "Levelfield may delete all in db/";
  json["state"] = kStateNames[static_cast<size_t>(marker.state)];
  json["pid"] = marker.pid;
  json["id"] = marker.id;
  json["created"] = marker.created;
  json["harness"] = marker.harness;
  // As text, because many JSON readers keep only 53 bits of a number.
  json["salt"] = fmt::format("{:016x}", marker.salt);
  json["made_directory"] = marker.made_directory;
  AddContent(marker.content, json);
  std::string text = JsonText(json);
  text.resize(kMarkerBytes - 1, ' ');
  return text + "\n";
}

std::optional<StoreMarker> ParseMarker(std::string_view text) {
  // The JSON reader would stop at a NUL, which marks a sector that was never written.
  if (text.size() != kMarkerBytes || text.back() != '\n' || text.find('\0') != text.npos) {
    return std::nullopt;
  }
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto text_of = [&json](const char* name) -> std::string {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
  };
  const auto format = json.find("levelfield_store");
  const auto pid = json.find("pid");
  const auto made = json.find("made_directory");
  const std::string salt = text_of("salt");
  const std::string id = text_of("id");
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  const auto state = std::find(kStateNames.begin(), kStateNames.end(), text_of("state"));
  if (format == json.end() || *format != kFormat || pid == json.end() ||
      !pid->is_number_integer() || made == json.end() || !made->is_boolean() ||
      state == kStateNames.end() || salt.size() != 16 || id.size() != 32 ||
      (salt + id).find_first_not_of(kHexDigits) != std::string::npos) {
    return std::nullopt;
  }
  StoreMarker marker;
  marker.id = id;
  marker.created = text_of("created");
  marker.harness = text_of("harness");
  marker.salt = std::stoull(salt, nullptr, 16);
  marker.state = static_cast<StoreState>(state - kStateNames.begin());
  marker.pid = pid->get<int64_t>();
  marker.made_directory = made->get<bool>();
  marker.content = ContentIn(json);
  return marker;
}

StatusOr<StoreMarker> NewStoreMarker(uint64_t salt, std::string_view harness, bool made_directory,
                                     const StoreContent& content) {
  ASSIGN_OR_RETURN(const std::string id, RandomId());
  StoreMarker marker{.id = id,
                     .created = UtcNow(),
                     .harness = Bounded(harness, 20),
                     .salt = salt,
                     .pid = getpid(),
                     .made_directory = made_directory,
                     .content = content};
  marker.content.engine = EngineMark(content.engine);
  marker.content.durability = Bounded(content.durability, 16);
  return marker;
}

}  // namespace levelfield
