// Whose data a running server holds. A store there has a random name. The server keeps it beside
// the data, and the store's directory in a file, with the server's address. Data are changed or
// removed only if both names are the same. Cold code, any thread.
#ifndef LEVELFIELD_ENGINES_ENDPOINT_OWNER_H_
#define LEVELFIELD_ENGINES_ENDPOINT_OWNER_H_

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "levelfield/engine.h"
#include "store_files.h"

namespace levelfield {

// How each such name begins.
inline constexpr std::string_view kOwnerPrefix = "levelfield:";

struct EndpointOwner {
  std::string name;  // Empty: there is none.
  std::string endpoint;

  static EndpointOwner Read(const std::string& file) {
    constexpr size_t kMostBytes = 4096;
    const std::string text = StartOfFile(file, kMostBytes);
    const size_t first = text.find('\n');
    if (first == text.npos || !text.starts_with(kOwnerPrefix)) return {};
    const size_t second = text.find('\n', first + 1);
    return {text.substr(0, first), text.substr(first + 1, second - first - 1)};
  }

  // The name of what several processes load together, which the harness gives to it.
  static std::string NameGiven(const EngineSettings& settings) {
    const std::string_view given = settings.Text("store_name", "");
    return given.empty() ? "" : std::string(kOwnerPrefix).append(given);
  }
  // Whether one of the others makes it.
  static bool Joins(const EngineSettings& settings) { return settings.Flag("joins_store", false); }

  // What is made at the endpoint gets that name, or a new one if it is empty, in the file.
  static lf_code Make(const std::string& file, const std::string& at, const std::string& name,
                      EndpointOwner* owner) {
    owner->endpoint = at;
    owner->name = name;
    if (name.empty()) {
      std::array<unsigned char, 16> random{};
      if (getentropy(random.data(), random.size()) != 0) return FailedTo("make a name for", file);
      owner->name = kOwnerPrefix;
      for (const unsigned char byte : random) {
        constexpr const char* kDigits = "0123456789abcdef";
        owner->name += {kDigits[byte >> 4], kDigits[byte & 15]};
      }
    }
    std::FILE* const out = std::fopen(file.c_str(), "we");
    const bool is_written =
        out != nullptr && std::fprintf(out, "%s\n%s\n", owner->name.c_str(), at.c_str()) > 0;
    if (out != nullptr && std::fclose(out) == 0 && is_written) return LF_OK;
    return FailedTo("write", file);
  }

 private:
  static lf_code FailedTo(const char* what, const std::string& file) {
    return Failed(std::string("cannot ") + what + " " + file + ": " + std::strerror(errno));
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ENDPOINT_OWNER_H_
