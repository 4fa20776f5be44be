#include "base/sealed_json.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace levelfield {
namespace {

constexpr std::string_view kName = "\"crc32\":";
constexpr std::string_view kBlanks = " \n";
constexpr std::string_view kAdvice =
    "the file was damaged, or changed by hand, since it was written; take a whole copy of it";

std::string SumOf(std::string_view bytes) {
  const auto* const data = reinterpret_cast<const Bytef*>(bytes.data());
  return fmt::format("{:08x}", crc32_z(0, data, bytes.size()));
}

std::string_view WithoutBlanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Takes `end` away from the end of the text, where it is there.
bool TakeEnd(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

}  // namespace

std::string SealedText(const nlohmann::ordered_json& object, int indent) {
  const std::string text =
      object.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string_view body = text;
  TakeEnd(body, "}");
  body = WithoutBlanks(body);
  if (indent < 0) return fmt::format("{},{}\"{}\"}}", body, kName, SumOf(body));
  return fmt::format("{},\n{:{}}{} \"{}\"\n}}\n", body, "", indent, kName, SumOf(body));
}

Seal SealOf(std::string_view text) {
  const size_t at = text.rfind(kName);
  if (at == std::string_view::npos) return Seal::kNone;
  // What follows the name is the sum and the end of the object, or the name is somebody else's.
  std::string_view rest = WithoutBlanks(text.substr(at + kName.size()));
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  if (!TakeEnd(rest, "}")) return Seal::kNone;
  rest = WithoutBlanks(rest);
  if (rest.size() != 10 || !rest.starts_with('"') || !rest.ends_with('"')) return Seal::kNone;
  std::string_view body = WithoutBlanks(text.substr(0, at));
  if (!TakeEnd(body, ",")) return Seal::kNone;
  return rest.substr(1, 8) == SumOf(body) ? Seal::kWhole : Seal::kBroken;
}

StatusOr<std::string> ReadSealedFile(const std::string& path) {
  bool torn = false;
  const StatusOr<std::vector<std::string>> lines = ReadLines(path, &torn);
  if (!lines.ok()) return lines.status();
  std::string text;
  for (const std::string& line : *lines) text += line + "\n";
  if (SealOf(text) != Seal::kBroken) return text;
  return Status::Usage(fmt::format("{}: does not fit its checksum (crc32): {}", path, kAdvice));
}

StatusOr<std::vector<std::string>> ReadSealedLines(const std::string& path, bool* torn,
                                                   uint64_t max_bytes) {
  StatusOr<std::vector<std::string>> lines = ReadLines(path, torn, max_bytes);
  if (!lines.ok()) return lines;
  bool any_sealed = false;
  size_t first_bare = 0;  // From 1; 0: none.
  for (size_t i = 0; i < lines->size(); ++i) {
    const Seal seal = SealOf((*lines)[i]);
    if (seal == Seal::kBroken) {
      return Status::Usage(fmt::format(
          "{}, line {}: does not fit its checksum (crc32): {}, or take that line out of it", path,
          i + 1, kAdvice));
    }
    if (seal == Seal::kNone && first_bare == 0) first_bare = i + 1;
    any_sealed = any_sealed || seal == Seal::kWhole;
  }
  if (!any_sealed || first_bare == 0) return lines;
  return Status::Usage(
      fmt::format("{}, line {}: has no checksum (crc32), and others of its lines have: {}, or take "
                  "that line out of it",
                  path, first_bare, kAdvice));
}

}  // namespace levelfield
