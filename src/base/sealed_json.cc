#include "base/sealed_json.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "base/json_text.h"

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

// What is known about the lines so far.
class Seals {
 public:
  explicit Seals(const std::string& path) : path_(path) {}

  Status Check(const std::string& line, uint64_t number) {
    const Seal seal = SealOf(line);
    if (seal == Seal::kBroken) {
      return Status::Usage(fmt::format(
          "{}, line {}: does not fit its checksum (crc32): {}, or take that line out of it", path_,
          number, kAdvice));
    }
    any_sealed_ = any_sealed_ || seal == Seal::kWhole;
    if (seal == Seal::kNone && first_bare_ == 0) first_bare_ = number;
    if (!any_sealed_ || first_bare_ == 0) return Status::Ok();
    return Status::Usage(
        fmt::format("{}, line {}: has no checksum (crc32), and others of its lines have: {}, or "
                    "take that line out of it",
                    path_, first_bare_, kAdvice));
  }

 private:
  const std::string& path_;
  bool any_sealed_ = false;
  uint64_t first_bare_ = 0;  // From 1; 0: none.
};

std::string_view WithoutBlanks(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Removes `end` from the end of the text, if it is there.
bool TakeEnd(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

}  // namespace

std::string SealedText(const nlohmann::ordered_json& object, int indent) {
  const std::string text = JsonText(object, indent);
  std::string_view body = text;
  TakeEnd(body, "}");
  body = WithoutBlanks(body);
  if (indent < 0) return fmt::format("{},{}\"{}\"}}", body, kName, SumOf(body));
  return fmt::format("{},\n{:{}}{} \"{}\"\n}}\n", body, "", indent, kName, SumOf(body));
}

Seal SealOf(std::string_view text) {
  const size_t at = text.rfind(kName);
  if (at == std::string_view::npos) return Seal::kNone;
  // The sum and the end of the object follow the name, or the name is somebody else's.
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
  ASSIGN_OR_RETURN(const std::vector<std::string> lines, ReadLines(path, &torn));
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  if (SealOf(text) != Seal::kBroken) return text;
  return Status::Usage(fmt::format("{}: does not fit its checksum (crc32): {}", path, kAdvice));
}

StatusOr<std::vector<std::string>> ReadSealedLines(const std::string& path, bool* torn,
                                                   uint64_t max_bytes) {
  StatusOr<std::vector<std::string>> lines = ReadLines(path, torn, max_bytes);
  if (!lines.ok()) return lines;
  Seals seals(path);
  for (size_t i = 0; i < lines->size(); ++i) {
    RETURN_IF_ERROR(seals.Check((*lines)[i], i + 1));
  }
  return lines;
}

Status ForEachSealedLine(const std::string& path, bool* torn, uint64_t max_line_bytes,
                         const std::function<Status(const std::string&, uint64_t)>& take) {
  Seals seals(path);
  uint64_t number = 0;
  return ForEachLine(path, torn, max_line_bytes, [&](const std::string& line) {
    RETURN_IF_ERROR(seals.Check(line, ++number));
    return take(line, number);
  });
}

}  // namespace levelfield
