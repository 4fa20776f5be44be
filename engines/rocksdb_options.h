// RocksDB's options by name, through its own parser. So every option of the loaded version works
// without a list of ours, and unknown ones are refused in that version's words.
// https://github.com/facebook/rocksdb/wiki/Option-String-and-Option-Map
//
// An option belongs to the database, to the column family, or to its block-based tables. Cold code,
// for one thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_H_
#define LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_H_

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "levelfield/engine.h"
#include "rocksdb_in_force.h"
#include "rocksdb_library.h"
#include "rocksdb_meaning.h"
#include "rocksdb_options_file.h"
#include "rocksdb_reads.h"

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
                                        "check",
                                        "verify_checksums",
                                        "statistics",
                                        "perf_level",
                                        "options_file",
                                        "transactions",
                                        "transaction_lock_timeout",
                                        "transaction_set_snapshot",
                                        "cache_numshardbits",
                                        "cache_high_pri_pool_ratio",
                                        "cache_low_pri_pool_ratio",
                                        "keep_filter",
                                        "wal_dir",
                                        "blob_cache",
                                        "row_cache_size",
                                        "write_batch_protection_bytes_per_key",
                                        "stats_level",
                                        "num_high_pri_threads",
                                        "num_low_pri_threads",
                                        "num_bottom_pri_threads",
                                        "enable_io_prio",
                                        "enable_cpu_prio",
                                        "rate_limiter_refill_period_us",
                                        "rate_limiter_auto_tuned",
                                        "rate_limit_bg_reads",
                                        "rate_limit_user_ops",
                                        "rate_limit_auto_wal_flush",
                                        "cost_write_buffer_to_cache",
                                        "explicit_snapshot",
                                        "backup_rate_limit"};
  return std::ranges::find(kOurs, name) == std::end(kOurs) && !IsRocksDbReadOption(name);
}

// Names and values that all engines share, in RocksDB's own words and back.
class RocksDbWords {
 public:
  static std::pair<std::string, std::string> Own(std::string_view name, std::string_view text) {
    if (name == "cache_size") return {"block_cache", std::string(text)};
    if (name == "bloom_bits") {
      return {"filter_policy",
              text == "0" ? "nullptr" : "bloomfilter:" + std::string(text) + ":false"};
    }
    if (name == "merge_operator" && text == "none") return {std::string(name), "nullptr"};
    return {std::string(name), IsCompression(name) ? OwnCompressions(text) : std::string(text)};
  }

  // What RocksDB tells of the option of that name of ours.
  static std::string Ours(std::string_view name, const std::string& told) {
    if (name == "cache_size") {
      return told == "none" ? "0" : RocksDbMembers(told).Find("capacity").value_or(told);
    }
    if (name == "bloom_bits") return told == "nullptr" ? "0" : BitsOf(told).value_or(told);
    if (name == "max_open_files" && told == "-1") return "all";
    if (name == "merge_operator") return OfPairs(kMergeOperators, told);
    if (IsCompression(name)) return OfPairs(kCompressions, told);
    return told;
  }

  // The bits of "bloomfilter:10:false" or "ribbonfilter:10:0".
  static std::optional<std::string> BitsOf(std::string_view filter) {
    const size_t colon = filter.find(':');
    if (colon == filter.npos) return std::nullopt;
    const std::string_view bits = filter.substr(colon + 1);
    return std::string(bits.substr(0, bits.find(':')));
  }

 private:
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr Pair kCompressions[] = {
      {"none", "kNoCompression"}, {"snappy", "kSnappyCompression"}, {"zlib", "kZlibCompression"},
      {"lz4", "kLZ4Compression"}, {"lz4hc", "kLZ4HCCompression"},   {"zstd", "kZSTD"}};
  static constexpr Pair kMergeOperators[] = {
      {"none", "nullptr"},
      {"put", "PutOperator"},
      {"uint64add", "UInt64AddOperator"},
      {"stringappend", "{id=StringAppendOperator;delimiter=,;}"},
      {"max", "MaxOperator"}};

  static std::string OfPairs(std::span<const Pair> pairs, const std::string& told) {
    const auto known = std::ranges::find(pairs, told, &Pair::second);
    return known == pairs.end() ? told : std::string(known->first);
  }

  static bool IsCompression(std::string_view name) {
    return name.ends_with("compression") || name == "blob_compression_type" ||
           name == "compression_per_level";
  }

  // One, or those of the levels with colons between them.
  static std::string OwnCompressions(std::string_view text) {
    const std::string_view first = text.substr(0, text.find(':'));
    const auto known = std::ranges::find(kCompressions, first, &Pair::first);
    std::string own(known != std::end(kCompressions) ? known->second : first);
    if (first.size() == text.size()) return own;
    return own + ":" + OwnCompressions(text.substr(first.size() + 1));
  }
};

// The options of a database and those of its column family, which are the same object of RocksDB's
// unless a file states them.
class RocksDbOptions {
 public:
  using Options = RocksDbOptionsHandle;

  RocksDbOptions() = default;
  explicit RocksDbOptions(Options options) : database_(std::move(options)) {}

  rocksdb_options_t* database() const { return database_.get(); }
  rocksdb_options_t* family() const { return family_ != nullptr ? family_.get() : database_.get(); }
  const std::optional<RocksDbOptionsFile>& file() const { return file_; }
  // Acknowledged writes stay in the process.
  bool HoldsLogBack() const { return holds_log_back_; }

  lf_code Add(std::string_view name, std::string_view text) {
    if (const lf_code code = CheckRocksDbPlace("", name, text); code != LF_OK) return code;
    if (name == "table_cache_numshardbits" && !IsBelow(text, 20)) {
      return Unsupported("RocksDB: table_cache_numshardbits=" + std::string(text) +
                         ": it takes less than 20, and ends the process otherwise");
    }
    // Its parser still reads it, and does nothing with it.
    if (name == "block_cache_compressed" && RocksDbIsSince(8, 0)) {
      return Unsupported(
          "RocksDB: block_cache_compressed: RocksDB has no cache of compressed blocks since 8.0, "
          "and this is " +
          RocksDbVersion() + ": leave it out, or ask for an older one");
    }
    Note(name, text);
    // db_bench's word for no limiter. RocksDB's parser would make one and divide by it.
    if (name == "rate_limiter_bytes_per_sec" && text == "0") return LF_OK;
    const auto [own_name, value] = RocksDbWords::Own(name, text);
    std::string refusal = ParseAnywhere(own_name, value);
    if (refusal.empty()) return LF_OK;
    // People and gflags have more words for yes and no than RocksDB.
    if (const std::optional<bool> is_on = RocksDbMeaning::Switch(value)) {
      if (ParseAnywhere(own_name, *is_on ? "true" : "false").empty()) return LF_OK;
    }
    if (IsUnknown(refusal)) {
      refusal += "; if it is a flag of db_bench's own, it is not known here: leave it out";
    }
    return Unsupported("RocksDB: " + std::string(name) + "=" + std::string(text) + ": " + refusal);
  }

  // Begins with what a file states, for the library's defaults in place of those that were there.
  lf_code Begin(RocksDbOptionsFile file) {
    if (const lf_code code = file.Load(database_, family_); code != LF_OK) return code;
    ROCKSDB(options_set_create_if_missing, database(), 1);
    if (const std::optional<std::string> text = file.ValueOf("manual_wal_flush")) {
      Note("manual_wal_flush", *text);
    }
    file_ = std::move(file);
    return LF_OK;
  }

 private:
  void Note(std::string_view name, std::string_view text) {
    if (name == "manual_wal_flush") holds_log_back_ = RocksDbMeaning::Switch(text).value_or(false);
  }

  static bool IsBelow(std::string_view text, int most) {
    int number = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
    return number < most;
  }

  // As an option of the database, of the column family or of its tables. Empty, or why not.
  std::string ParseAnywhere(const std::string& name, const std::string& value) {
    const std::string option = name + "=" + Braced(value);
    std::string refusal = Parse(option);
    if (refusal.empty()) return refusal;
    std::string as_table = Parse("block_based_table_factory={" + option + "}");
    const bool is_of_table = IsUnknown(refusal) && !IsUnknown(as_table);
    return as_table.empty() || is_of_table ? as_table : refusal;
  }

  // Empty, or why RocksDB refuses it.
  std::string Parse(const std::string& text) {
    const std::string refusal = Parse(text, database_);
    return !refusal.empty() || family_ == nullptr ? refusal : Parse(text, family_);
  }

  static std::string Parse(const std::string& text, Options& options) {
    Options parsed(ROCKSDB(options_create));
    char* error = nullptr;
    ROCKSDB(get_options_from_string, options.get(), text.c_str(), parsed.get(), &error);
    if (error == nullptr) {
      options = std::move(parsed);
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

  // One value, whatever characters it has.
  static std::string Braced(std::string_view value) {
    const bool needs = value.find(';') != std::string_view::npos && !value.starts_with('{');
    return needs ? "{" + std::string(value) + "}" : std::string(value);
  }

  Options database_;
  Options family_;
  std::optional<RocksDbOptionsFile> file_;
  bool holds_log_back_ = false;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_H_
