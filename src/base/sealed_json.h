// JSON with a checksum of itself: a result that was damaged after it was written is reported by
// file and line, and is never read as another number. The seal is the last member of the object,
// "crc32": the CRC-32 (zlib's) of all bytes before it, as eight hexadecimal digits. Who
// edits a result by hand takes it out: texts without one are read as they are. It finds damage, but
// no forgery. Values in, values out; any thread may call.
#ifndef LEVELFIELD_BASE_SEALED_JSON_H_
#define LEVELFIELD_BASE_SEALED_JSON_H_

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/atomic_file.h"
#include "base/status.h"

namespace levelfield {

// An object with members, on one line, or indented by so many blanks and with a newline at its end.
// Texts may be any bytes (base/json_text.h).
std::string SealedText(const nlohmann::ordered_json& object, int indent = -1);

enum class Seal { kNone, kWhole, kBroken };
Seal SealOf(std::string_view text);

// Reads a file of one object; kUsage names the file if its seal is broken.
StatusOr<std::string> ReadSealedFile(const std::string& path);

// Like ReadLines, for objects. kUsage names the file and the line if a seal is broken, or missing
// although another line of the file has one.
StatusOr<std::vector<std::string>> ReadSealedLines(const std::string& path, bool* torn,
                                                   uint64_t max_bytes = kMaxFileBytes);

// The same, one line after another with its number from 1. It holds only one line at a time, of at
// most `max_line_bytes`. The first status that is not ok ends it.
Status ForEachSealedLine(const std::string& path, bool* torn, uint64_t max_line_bytes,
                         const std::function<Status(const std::string&, uint64_t)>& take);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_SEALED_JSON_H_
