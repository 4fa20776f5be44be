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
constexpr size_t kMarkerBytes = 512;

// Keeps this order in the file: the state is what people look for.
constexpr std::array<const char*, 3> kStateNames = {"clean", "dirty", "tainted"};

// Cut so that the marker fits its sector; letters that JSON would have to write with others are
// replaced.
std::string Bounded(std::string_view text, size_t most) {
  std::string bounded;
  for (const char c : text.substr(0, most)) {
    bounded += c > ' ' && c <= '~' && c != '"' && c != '\\' ? c : '?';
  }
  return bounded;
}

StatusOr<std::string> RandomId() {
  std::array<uint64_t, 2> random;
  if (getrandom(random.data(), sizeof random, 0) != sizeof random) {
    return Status::Failed(fmt::format("cannot get a random number: {}", std::strerror(errno)));
  }
  return fmt::format("{:016x}{:016x}", random[0], random[1]);
}

std::string Format(const StoreMarker& marker) {
  nlohmann::ordered_json json;
  json["levelfield_store"] = kFormat;
  json["about"] = "Levelfield may delete all in db/";
  json["state"] = kStateNames[static_cast<size_t>(marker.state)];
  json["pid"] = marker.pid;
  json["id"] = marker.id;
  json["created"] = marker.created;
  json["harness"] = marker.harness;
  // As text, because many readers of JSON keep only 53 bits of a number.
  json["salt"] = fmt::format("{:016x}", marker.salt);
  json["made_directory"] = marker.made_directory;
  AddContent(marker.content, json);
  std::string text = JsonText(json);
  text.resize(kMarkerBytes - 1, ' ');
  return text + "\n";
}

}  // namespace

std::optional<StoreMarker> ParseMarker(std::string_view text) {
  // The JSON reader takes a NUL for the end; here it is the mark of a sector that was never
  // written.
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

std::string MarkerText(int fd) {
  std::string text(kMarkerBytes + 1, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return text;
}

std::optional<StoreMarker> ReadMarker(int fd) { return ParseMarker(MarkerText(fd)); }

int64_t HolderOf(int fd) {
  const std::optional<StoreMarker> marker = ReadMarker(fd);
  return marker ? marker->pid : 0;
}

Status WriteMarker(int fd, const StoreMarker& marker) {
  const std::string text = Format(marker);
  const ssize_t written = pwrite(fd, text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size())) {
    return Status::Failed(
        fmt::format("writing its marker: {}", std::strerror(written < 0 ? errno : ENOSPC)));
  }
  if (fsync(fd) == 0) return Status::Ok();
  return Status::Failed(fmt::format("fsync of its marker: {}", std::strerror(errno)));
}

StatusOr<StoreMarker> NewStoreMarker(uint64_t salt, std::string_view harness, bool made_directory,
                                     const StoreContent& content) {
  const StatusOr<std::string> id = RandomId();
  if (!id.ok()) return id.status();
  StoreMarker marker{.id = *id,
                     .created = UtcNow(),
                     .harness = Bounded(harness, 20),
                     .salt = salt,
                     .pid = getpid(),
                     .made_directory = made_directory,
                     .content = content};
  marker.content.engine = Bounded(content.engine, 24);
  marker.content.durability = Bounded(content.durability, 16);
  return marker;
}

}  // namespace levelfield
