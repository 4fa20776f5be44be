// The flags of RocksDB's db_bench that somebody has typed, by name, as their derivations read them.
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_GIVEN_H_
#define LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_GIVEN_H_

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "base/status.h"
#include "base/text.h"
#include "base/units.h"
#include "settings/dialects/dialect.h"

namespace levelfield {

using RocksDbGiven = std::map<std::string, std::string>;

inline bool IsOn(const RocksDbGiven& given, const std::string& name) {
  const auto it = given.find(name);
  if (it == given.end()) return false;
  const StatusOr<bool> value = ParseFlag(it->second);
  return value.ok() && *value;
}

inline std::string ValueOr(const RocksDbGiven& given, const std::string& name,
                           std::string otherwise) {
  const auto it = given.find(name);
  return it == given.end() ? otherwise : it->second;
}

// The names in --benchmarks that start with one of `beginnings`.
inline std::string NamesLike(const RocksDbGiven& given,
                             std::span<const std::string_view> beginnings) {
  const auto it = given.find("benchmarks");
  std::vector<std::string> names =
      Split(it == given.end() ? kRocksDbDialect.benchmarks : it->second, ',');
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::none_of(
        beginnings, [&](std::string_view beginning) { return name.starts_with(beginning); });
  });
  return fmt::format("{}", fmt::join(names, ", "));
}

inline StatusOr<uint64_t> BytesOf(const RocksDbGiven& given, const std::string& name,
                                  uint64_t otherwise) {
  const auto it = given.find(name);
  if (it == given.end()) return otherwise;
  const StatusOr<uint64_t> bytes = ParseBytes(it->second);
  if (bytes.ok()) return bytes;
  return Status::Usage(
      fmt::format("--{}={}: {}", name, Printable(it->second), bytes.status().message()));
}

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_GIVEN_H_
