// RocksDB's options by name, through its own parser. So every option of the loaded version works
// without a list of ours, and unknown ones are refused in that version's words.
// https://github.com/facebook/rocksdb/wiki/Option-String-and-Option-Map
//
// An option belongs to the database, to the column family, or to its block-based tables. Cold code,
// for one thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_H_
#define LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_H_

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "levelfield/engine.h"
#include "rocksdb_library.h"
#include "store_files.h"

namespace levelfield {

// Whether a setting is an option of the library, and not of this engine or of the harness.
inline bool IsRocksDbs(std::string_view name) {
  constexpr std::string_view kOurs[] = {"durability",
                                        "defaults",
                                        "expected_keys",
                                        "expected_value_bytes",
                                        "expected_sessions",
                                        "integer_keys",
                                        "read_only",
                                        "verify_checksums",
                                        "statistics",
                                        "perf_level",
                                        "options_file",
                                        "transactions",
                                        "transaction_lock_timeout",
                                        "transaction_set_snapshot"};
  return std::ranges::find(kOurs, name) == std::end(kOurs);
}

class RocksDbOptions {
 public:
  using Options = RocksDbOwned<rocksdb_options_t, "rocksdb_options_destroy">;

  explicit RocksDbOptions(Options options) : options_(std::move(options)) {}

  rocksdb_options_t* get() { return options_.get(); }
  Options Take() { return std::move(options_); }

  // Whether that is the text last given for it.
  bool Holds(const std::string& name, std::string_view text) const {
    const auto it = given_.find(name);
    return it != given_.end() && it->second == text;
  }

  // The file's value for a setting of ours. Empty: it has none.
  std::string InFile(std::string_view name) const {
    const auto it = of_file_.find(InItsWords(name, "").first);
    return it != of_file_.end() ? it->second : "";
  }
  // Whether both texts mean the same value.
  static bool IsSame(std::string_view name, std::string_view text, std::string_view in_file) {
    const std::string own = InItsWords(name, text).second;
    return own == in_file || (own == "1" && in_file == "true") ||
           (own == "0" && in_file == "false");
  }

  // RocksDB writes a filter's name without its bits, and makes no filter when it reads that.
  bool NamesFilterWithoutBits() const { return names_filter_; }

  lf_code Add(std::string_view name, std::string_view text) {
    if (const lf_code code = CheckPlace(name, text); code != LF_OK) return code;
    if (std::ranges::find(kGone, name) != std::end(kGone)) {
      return Unsupported("RocksDB: " + std::string(name) + "=" + std::string(text) +
                         ": RocksDB reads it and does nothing any more: leave it out");
    }
    given_[std::string(name)] = text == "1" ? "true" : text;
    // db_bench's word for no limiter. RocksDB's parser would make one and divide by it.
    if (name == "rate_limiter_bytes_per_sec" && text == "0") return LF_OK;
    const auto [own_name, value] = InItsWords(name, text);
    const std::string option = own_name + "=" + Braced(value);
    const std::string refusal = Parse(option);
    if (refusal.empty()) return LF_OK;
    const std::string as_table = Parse("block_based_table_factory={" + option + "}");
    if (as_table.empty()) return LF_OK;
    if (IsUnknown(refusal) && IsUnknown(as_table)) {
      return Unsupported("RocksDB: " + std::string(name) + "=" + std::string(text) + ": " +
                         refusal +
                         "; if it is a flag of db_bench's own, it is not known here: leave it out");
    }
    const bool is_of_table = IsUnknown(refusal);
    return Unsupported("RocksDB: " + std::string(name) + "=" + std::string(text) + ": " +
                       (is_of_table ? as_table : refusal));
  }

  // Adds the options of an OPTIONS file, which RocksDB writes into each database: those of its one
  // column family and of that family's tables.
  lf_code AddFile(const std::string& path) {
    if (!IsFile(path) || access(path.c_str(), R_OK) != 0) {
      return Unsupported("RocksDB: options_file=" + path + " cannot be read");
    }
    std::string options;
    std::string of_tables;
    for (const auto& [section, name, value] : LinesOf(path)) {
      if (section.starts_with("[CFOptions") && section != "[CFOptions \"default\"]") {
        return Unsupported("RocksDB: options_file=" + path + " has " + section +
                           ", and a store here has the column family \"default\" only");
      }
      // A null pointer is already the default.
      if (value == "nullptr" || IsOfAnotherStore(name, value, path)) continue;
      if (name == "filter_policy" && value.find(':') == std::string::npos) {
        names_filter_ = true;
        continue;
      }
      if (const lf_code code = CheckPlace(name, value); code != LF_OK) return code;
      given_[name] = of_file_[name] = value;
      const bool is_of_tables = section.starts_with("[TableOptions/BlockBasedTable");
      (is_of_tables ? of_tables : options) += name + "=" + Braced(value) + ";";
    }
    if (options.empty()) {
      return Unsupported("RocksDB: options_file=" + path +
                         " has no [DBOptions]: it is no OPTIONS file");
    }
    std::string refusal = Parse(options);
    if (refusal.empty() && !of_tables.empty()) {
      refusal = Parse("block_based_table_factory={" + of_tables + "}");
    }
    if (refusal.empty()) return LF_OK;
    return Unsupported("RocksDB: options_file=" + path + ": " + refusal);
  }

 private:
  struct Line {
    std::string section;  // "[DBOptions]"
    std::string name;
    std::string value;
  };
  static std::vector<Line> LinesOf(const std::string& path) {
    std::vector<Line> all;
    std::ifstream file(path);
    std::string section;
    for (std::string line; std::getline(file, line);) {
      const std::string_view text = Trim(line);
      const size_t equals = text.find('=');
      if (text.starts_with('[')) {
        section = text;
      } else if (equals != text.npos && !text.starts_with('#') && section != "[Version]") {
        all.push_back({section, std::string(Trim(text.substr(0, equals))),
                       std::string(Trim(text.substr(equals + 1)))});
      }
    }
    return all;
  }

  // Empty, or why RocksDB refuses it.
  std::string Parse(const std::string& text) {
    Options parsed(ROCKSDB(options_create));
    char* error = nullptr;
    ROCKSDB(get_options_from_string, options_.get(), text.c_str(), parsed.get(), &error);
    if (error == nullptr) {
      options_ = std::move(parsed);
      return "";
    }
    const std::string refusal = error;
    ROCKSDB(free, error);
    return refusal;
  }

  static bool IsUnknown(std::string_view refusal) {
    return refusal.find("Could not find option") != std::string_view::npos ||
           refusal.find("Extra option not recognized") != std::string_view::npos;
  }

  // Names that all engines share, in RocksDB's own words.
  static std::pair<std::string, std::string> InItsWords(std::string_view name,
                                                        std::string_view text) {
    if (name == "cache_size") return {"block_cache", std::string(text)};
    if (name == "bloom_bits") {
      return {"filter_policy",
              text == "0" ? "nullptr" : "bloomfilter:" + std::string(text) + ":false"};
    }
    const bool is_compression = name.ends_with("compression") || name == "blob_compression_type" ||
                                name == "compression_per_level";
    return {std::string(name), is_compression ? CompressionInItsWords(text) : std::string(text)};
  }

  // One, or those of the levels with colons between them.
  static std::string CompressionInItsWords(std::string_view text) {
    constexpr std::pair<std::string_view, std::string_view> kCompressions[] = {
        {"none", "kNoCompression"}, {"snappy", "kSnappyCompression"}, {"zlib", "kZlibCompression"},
        {"lz4", "kLZ4Compression"}, {"lz4hc", "kLZ4HCCompression"},   {"zstd", "kZSTD"}};
    const std::string_view first = text.substr(0, text.find(':'));
    const auto known = std::ranges::find(kCompressions, first,
                                         &std::pair<std::string_view, std::string_view>::first);
    std::string own(known != std::end(kCompressions) ? known->second : first);
    if (first.size() == text.size()) return own;
    return own + ":" + CompressionInItsWords(text.substr(first.size() + 1));
  }

  // OptionVerificationType::kDeprecated in RocksDB's options/db_options.cc and cf_options.cc, of
  // those that once meant something. An OPTIONS file may have them.
  static constexpr std::string_view kGone[] = {"access_hint_on_compaction_start",
                                               "base_background_compactions",
                                               "disable_data_sync",
                                               "expanded_compaction_factor",
                                               "filter_deletes",
                                               "hard_rate_limit",
                                               "max_grandparent_overlap_factor",
                                               "max_mem_compaction_level",
                                               "memtable_prefix_bloom_bits",
                                               "memtable_prefix_bloom_probes",
                                               "min_partial_merge_operands",
                                               "purge_redundant_kvs_while_flush",
                                               "random_access_max_buffer_size",
                                               "rate_limit_delay_max_milliseconds",
                                               "soft_rate_limit",
                                               "source_compaction_factor",
                                               "verify_checksums_in_compaction"};

  // One value, whatever characters it has.
  static std::string Braced(std::string_view value) {
    const bool needs = value.find(';') != std::string_view::npos && !value.starts_with('{');
    return needs ? "{" + std::string(value) + "}" : std::string(value);
  }

  static std::string_view Trim(std::string_view text) {
    constexpr std::string_view kSpace = " \t\n\v\f\r";
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    return text.substr(0, text.find_last_not_of(kSpace) + 1);
  }

  // RocksDB records the place of the logs of the file's database: in its own directory.
  static bool IsOfAnotherStore(std::string_view name, std::string_view value,
                               const std::string& path) {
    if (name == "table_factory") return value == "BlockBasedTable";  // Already the default.
    if (name != "wal_dir") return false;
    std::error_code error;
    return std::filesystem::weakly_canonical(std::string(value), error) ==
           std::filesystem::weakly_canonical(path, error).parent_path();
  }

  // A store must be in one directory, which is emptied and measured as a whole.
  static lf_code CheckPlace(std::string_view name, std::string_view text) {
    const bool is_place = name == "wal_dir" || name == "db_paths" || name == "cf_paths";
    if (!is_place || text.empty() || text == "{}") return LF_OK;
    return Unsupported("RocksDB: " + std::string(name) + "=" + std::string(text) +
                       ": files of the store would lie outside of its directory, where they are "
                       "neither emptied nor measured");
  }

  Options options_;
  bool names_filter_ = false;
  std::map<std::string, std::string, std::less<>> given_;
  std::map<std::string, std::string, std::less<>> of_file_;
};

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

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_H_
