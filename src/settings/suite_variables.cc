// What stands for the variables of a suite in its texts, and what follows from them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "settings/suite.h"

namespace levelfield {

StatusOr<std::string> Expanded(const std::string& text,
                               const std::function<const std::string*(const std::string&)>& find) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      result += text[i++];
      continue;
    }
    const bool braced = text.substr(i + 1).starts_with('{');
    const size_t begin = i + (braced ? 2 : 1);
    size_t end = begin;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
      ++end;
    }
    const std::string* const value = find(text.substr(begin, end - begin));
    if (value == nullptr || (braced && (end == text.size() || text[end] != '}'))) {
      return Status::Usage(fmt::format("{}: there is no variable of this name", text.substr(i)));
    }
    result += *value;
    i = end + (braced ? 1 : 0);
  }
  return result;
}

bool HasZero(const std::string& text, const SuiteVariables& variables) {
  bool has_zero = false;
  (void)Expanded(text, [&](const std::string& name) -> const std::string* {
    const auto it = variables.find(name);
    if (it == variables.end()) return nullptr;
    has_zero = has_zero || it->second == "0" || it->second.empty();
    return &it->second;
  });
  return has_zero;
}

Status Derive(SuiteVariables& variables) {
  const auto count = [&](const char* name) -> StatusOr<uint64_t> {
    const StatusOr<uint64_t> value = ParseBytes(variables[name]);
    if (value.ok()) return value;
    return Status::Usage(
        fmt::format("{}={}: {}", name, Printable(variables[name]), value.status().message()));
  };
  if (variables.contains("MB_WRITE_PER_SEC")) {
    const auto rate = count("MB_WRITE_PER_SEC");
    const auto key = count("KEY_SIZE");
    const auto value = count("VALUE_SIZE");
    for (const auto& each : {rate, key, value}) {
      if (!each.ok()) return each.status();
    }
    const uint64_t entry = std::max<uint64_t>(*key + *value, 1);
    variables["WRITES_PER_SECOND"] =
        *rate == 0 ? "0" : std::to_string(std::max<uint64_t>((*rate << 20) / entry, 1));
  }
  if (variables.contains("DB_BENCH_NO_SYNC")) {
    const std::string& no_sync = variables["DB_BENCH_NO_SYNC"];
    const bool is_synced = no_sync.empty() || no_sync == "0";
    variables["SYNC"] = is_synced ? "1" : "0";
    variables["DURABILITY"] = is_synced ? "synced" : "process";
  }
  if (variables.contains("BLOB_COMPRESSION_TYPE")) {
    const std::string& name = variables["BLOB_COMPRESSION_TYPE"];
    constexpr std::pair<std::string_view, std::string_view> kClasses[] = {
        {"none", "kNoCompression"}, {"snappy", "kSnappyCompression"}, {"zlib", "kZlibCompression"},
        {"lz4", "kLZ4Compression"}, {"lz4hc", "kLZ4HCCompression"},   {"zstd", "kZSTD"}};
    const auto it = std::ranges::find(kClasses, name, [](const auto& pair) { return pair.first; });
    if (it == std::end(kClasses)) {
      return Status::Usage(fmt::format(
          "BLOB_COMPRESSION_TYPE={}: none, snappy, zlib, lz4, lz4hc or zstd is accepted",
          Printable(name)));
    }
    variables["BLOB_COMPRESSION_CLASS"] = it->second;
  }
  return Status::Ok();
}

std::vector<std::pair<std::string, std::string>> MisspeltVariables(
    const Suite& suite, const std::vector<std::string>& known,
    const std::vector<std::string>& environment) {
  std::vector<std::string> names = known;
  for (const SuiteVariable& variable : suite.variables) names.push_back(variable.name);
  for (const SuiteVariable& variable : suite.refused) names.push_back(variable.name);
  std::vector<std::pair<std::string, std::string>> misspelt;
  for (const std::string& name : environment) {
    if (std::ranges::find(names, name) != names.end()) continue;
    std::string upper = name;
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const std::string nearest = NearestName(upper, names);
    // Stricter than elsewhere: an environment is full of names that were meant for others.
    const size_t allowed = std::max<size_t>(1, nearest.size() / 5);
    if (!nearest.empty() && EditDistance(upper, nearest) <= allowed) {
      misspelt.emplace_back(name, nearest);
    }
  }
  return misspelt;
}

}  // namespace levelfield
