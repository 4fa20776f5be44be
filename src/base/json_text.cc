#include "base/json_text.h"

#include <algorithm>
#include <vector>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

// U+EF80 to U+EFBF begin with the first two bytes, U+EFC0 to U+EFFF with the second two.
bool StandsForAByte(std::string_view character) {
  return character.size() == 3 &&
         (character.starts_with("\xee\xbe") || character.starts_with("\xee\xbf"));
}

void AppendEscaped(unsigned char byte, std::string& text) {
  text += '\xee';
  text += byte < 0xc0 ? '\xbe' : '\xbf';
  text += static_cast<char>(0x80 | (byte & 0x3f));
}

char ByteOf(std::string_view character) {
  const int high = character[1] == '\xbe' ? 0x80 : 0xc0;
  return static_cast<char>(high | (character[2] & 0x3f));
}

bool IsEscaped(std::string_view text) {
  return text.find("\xee\xbe") != text.npos || text.find("\xee\xbf") != text.npos;
}

bool NeedsEscape(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  return !std::ranges::all_of(text, is_ascii) && Utf8OfBytes(text) != text;
}

// Whether any text in it needs that, names of members included.
template <class Json>
bool AnyText(const Json& json, bool (*is_so)(std::string_view)) {
  if (json.is_string()) return is_so(json.template get_ref<const std::string&>());
  if (!json.is_structured()) return false;
  for (auto it = json.begin(); it != json.end(); ++it) {
    if ((json.is_object() && is_so(it.key())) || AnyText(*it, is_so)) return true;
  }
  return false;
}

template <class Json>
Json WithTexts(const Json& json, std::string (*made_of)(std::string_view)) {
  if (json.is_string()) return made_of(json.template get_ref<const std::string&>());
  if (!json.is_structured()) return json;
  Json made = json.is_array() ? Json::array() : Json::object();
  for (auto it = json.begin(); it != json.end(); ++it) {
    if (json.is_array()) {
      made.push_back(WithTexts(*it, made_of));
    } else {
      made[made_of(it.key())] = WithTexts(*it, made_of);
    }
  }
  return made;
}

constexpr int kMostLevels = 32;
constexpr size_t kMostMembers = 1024;

struct TooMuch {
  const char* what;
};

// Restores all texts in it, names of members included, to what they were before JsonText.
void RestoreBytes(nlohmann::ordered_json& json) {
  if (AnyText(json, IsEscaped)) json = WithTexts(json, BytesOfUtf8);
}

}  // namespace

std::string Utf8OfBytes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const size_t size = CharacterBytes(bytes);
    const std::string_view character = bytes.substr(0, std::max<size_t>(size, 1));
    if (size == 0 || StandsForAByte(character)) {
      for (const char c : character) AppendEscaped(static_cast<unsigned char>(c), text);
    } else {
      text += character;
    }
    bytes.remove_prefix(character.size());
  }
  return text;
}

std::string BytesOfUtf8(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    const std::string_view character = text.substr(0, std::max<size_t>(CharacterBytes(text), 1));
    if (StandsForAByte(character)) {
      bytes += ByteOf(character);
    } else {
      bytes += character;
    }
    text.remove_prefix(character.size());
  }
  return bytes;
}

template <class Json>
std::string JsonText(const Json& json, int indent, Letters letters) {
  const bool is_ascii = letters == Letters::kAscii;
  if (!AnyText(json, NeedsEscape)) return json.dump(indent, ' ', is_ascii);
  return WithTexts(json, Utf8OfBytes).dump(indent, ' ', is_ascii);
}

template std::string JsonText(const nlohmann::json&, int, Letters);
template std::string JsonText(const nlohmann::ordered_json&, int, Letters);

nlohmann::ordered_json ParseJsonText(std::string_view text) {
  auto json = nlohmann::ordered_json::parse(text);
  RestoreBytes(json);
  return json;
}

StatusOr<nlohmann::ordered_json> ParseBoundedJson(std::string_view text) {
  using Json = nlohmann::ordered_json;
  std::vector<size_t> members;  // For the objects that are open.
  const auto count = [&](int level, Json::parse_event_t event, Json&) {
    if (level > kMostLevels) throw TooMuch{"nested deeper than 32 levels"};
    if (event == Json::parse_event_t::object_start) members.push_back(0);
    if (event == Json::parse_event_t::object_end) members.pop_back();
    if (event == Json::parse_event_t::key && ++members.back() > kMostMembers) {
      throw TooMuch{"an object with more than 1024 members"};
    }
    return true;
  };
  try {
    Json json = Json::parse(text, count);
    RestoreBytes(json);
    return json;
  } catch (const TooMuch& refused) {
    return Status::Failed(refused.what);
  } catch (const Json::exception& error) {
    return Status::Failed(Printable(error.what()));
  }
}

}  // namespace levelfield
