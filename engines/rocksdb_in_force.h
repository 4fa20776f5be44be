// What an open RocksDB store has in force, from what RocksDB itself writes of it: its OPTIONS file
// and, for what only that tells (the cache, a limiter), its LOG. RocksDB takes the name of a part
// that it does not know for none at all, replaces values when a store is opened, and reads a list
// only as far as it understands it, all without an error.
//
// Values are in RocksDB's words. Pure but for `Of`. Cold code, any thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_IN_FORCE_H_
#define LEVELFIELD_ENGINES_ROCKSDB_IN_FORCE_H_

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "rocksdb_meaning.h"
#include "store_files.h"

namespace levelfield {

// The text of the newest OPTIONS file in a database: every option in effect.
inline std::string RocksDbOptionsOf(const std::string& directory) {
  std::string newest;  // Their numbers have leading zeros.
  for (const std::string& name : NamesIn(directory)) {
    if (name.starts_with("OPTIONS-") && !name.ends_with(".dbtmp")) newest = name;
  }
  std::ifstream file(directory + "/" + newest);
  std::ostringstream text;  // Its iterators would throw on an error of the disk.
  text << file.rdbuf();
  return text.str();
}

class RocksDbInForce {
 public:
  // Of the store in that directory, which is open or was the last time that it was.
  static RocksDbInForce Of(const std::string& directory) {
    std::ifstream log(directory + "/LOG");
    return RocksDbInForce(RocksDbOptionsOf(directory), log);
  }

  RocksDbInForce(const std::string& options, std::istream& log) {
    std::istringstream lines(options);
    bool is_default = true;  // Persisted statistics have a column family of their own.
    for (std::string line; std::getline(lines, line);) {
      const std::string_view text = TrimmedRocksDbText(line);
      const size_t equals = text.find('=');
      if (text.starts_with('[')) {
        is_default = text.find('"') == text.npos || text.ends_with(" \"default\"]");
      }
      if (equals == text.npos || text.starts_with('#') || !is_default) continue;
      values_.emplace(text.substr(0, equals), UnescapedRocksDbText(text.substr(equals + 1)));
    }
    // The first dump, which is of this opening. A line is "Options.name: value", or "name: value".
    for (std::string line; std::getline(log, line);) {
      const std::string_view text = line;
      const size_t colon = text.find(": ");
      if (colon == text.npos) continue;
      const std::string_view before = TrimmedRocksDbText(text.substr(0, colon));
      logged_.emplace(before.substr(before.find_last_of(" .") + 1),
                      TrimmedRocksDbText(text.substr(colon + 2)));
    }
  }

  // Nothing: RocksDB tells of no such option.
  std::optional<std::string> ValueOf(std::string_view name) const {
    if (name == "block_cache") return BlockCache();
    if (name == "cache_type") return CacheType();
    if (name == "memtable") return ValueOf("memtable_factory");  // RocksDB's own other name.
    if (std::ranges::find(kOnlyLogged, name) != std::end(kOnlyLogged)) return Logged(name);
    if (const size_t dot = name.find('.'); dot != name.npos) {
      const auto whole = values_.find(name.substr(0, dot));
      if (whole == values_.end()) return std::nullopt;
      return RocksDbMembers(whole->second).Find(name.substr(dot + 1));
    }
    const auto it = values_.find(name);
    return it == values_.end() ? std::nullopt : std::optional(it->second);
  }

  // Whether it tells of all such options that it has. Nobody can say that of a LOG, which it may
  // have begun anew.
  bool TellsOf(std::string_view name) const {
    return name != "block_cache" && name != "cache_size" && name != "cache_type" &&
           std::ranges::find(kOnlyLogged, name) == std::end(kOnlyLogged) && !values_.empty();
  }

  // Whether that is in force. Nothing: RocksDB does not tell.
  std::optional<bool> Is(std::string_view name, std::string_view asked) const {
    if (name == "block_based_table_factory" || name == "plain_table_factory" ||
        (name == "table_factory" && asked.starts_with('{'))) {
      return IsTable(asked);
    }
    const std::optional<std::string> told = ValueOf(name);
    if (!told) return std::nullopt;
    if (*told == kSomething) return !asked.empty() && asked != "nullptr" && asked != "0";
    if (name == "block_cache") return IsBlockCache(asked, *told);
    return RocksDbMeaning::IsSame(asked, *told);
  }

  // Stands for an object of which RocksDB only tells that it is there.
  static constexpr std::string_view kSomething = "an object";

 private:
  static constexpr std::string_view kOnlyLogged[] = {
      "rate_limiter",    "rate_limiter_bytes_per_sec", "row_cache", "blob_cache",
      "block_cache_compressed", "persistent_cache"};

  std::optional<std::string> Logged(std::string_view name) const {
    const bool is_rate = name == "rate_limiter_bytes_per_sec";
    const auto it = logged_.find(is_rate ? "rate_limiter" : name);
    if (it == logged_.end()) return std::nullopt;
    const bool is_there = it->second != "(nil)" && it->second != "None" && it->second != "nullptr";
    if (is_there) return std::string(kSomething);
    return is_rate ? "0" : "nullptr";
  }

  // The LOG has its name.
  std::optional<std::string> CacheType() const {
    const auto name = logged_.find("block_cache_name");
    if (name == logged_.end()) return std::nullopt;
    if (name->second == "LRUCache") return "lru";
    return name->second.ends_with("HyperClockCache") ? "hyper_clock" : name->second;
  }

  // The LOG has the members one below the other.
  std::optional<std::string> BlockCache() const {
    const auto cache = logged_.find("block_cache");
    if (cache == logged_.end()) return std::nullopt;
    if (cache->second == "(nil)") return "none";
    std::string text = "{";
    for (const char* const name : {"capacity", "num_shard_bits", "strict_capacity_limit",
                                   "high_pri_pool_ratio", "low_pri_pool_ratio"}) {
      const auto member = logged_.find(name);
      if (member != logged_.end()) text.append(name).append("=").append(member->second).append(";");
    }
    return text == "{" ? std::nullopt : std::optional(text + "}");
  }

  // Asked for as its size, or as its members, of which -1 shards are as many as RocksDB likes.
  static bool IsBlockCache(std::string_view asked, const std::string& told) {
    if (!asked.starts_with('{')) {
      return RocksDbMeaning::IsSame(asked, RocksDbMembers(told).Find("capacity").value_or(told));
    }
    std::string wanted = "{";
    const RocksDbMembers members(asked);
    for (const auto& [name, value] : members.All()) {
      if (name != "num_shard_bits" || value != "-1") wanted += name + "=" + value + ";";
    }
    return wanted == "{" || RocksDbMeaning::IsSame(wanted + "}", told);
  }

  // A table's options are a section of their own.
  std::optional<bool> IsTable(std::string_view asked) const {
    std::optional<bool> is_all;
    const RocksDbMembers members(asked);
    for (const auto& [name, value] : members.All()) {
      const std::optional<bool> is_one = Is(name == "id" ? "table_factory" : name, value);
      if (is_one) is_all = is_all.value_or(true) && *is_one;
    }
    return is_all;
  }

  std::map<std::string, std::string, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> logged_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_IN_FORCE_H_
