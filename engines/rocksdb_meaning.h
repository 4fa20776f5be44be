// What RocksDB's texts of options mean: `--rocksdb.memtable_factory=vector:100` is what it writes
// down as {id=VectorRepFactory;count=100;}.
// https://github.com/facebook/rocksdb/wiki/Option-String-and-Option-Map
//
// Pure. Cold code, any thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_MEANING_H_
#define LEVELFIELD_ENGINES_ROCKSDB_MEANING_H_

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace levelfield {

inline std::string_view TrimmedRocksDbText(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

// Of a value in an OPTIONS file, in which a backslash precedes some characters.
inline std::string UnescapedRocksDbText(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

// "{a=1;b={c=2};}" as names and values.
class RocksDbMembers {
 public:
  explicit RocksDbMembers(std::string_view text) {
    if (!text.starts_with('{') || !text.ends_with('}')) return;
    text = text.substr(1, text.size() - 2);
    for (size_t begin = 0, depth = 0, at = 0; at <= text.size(); ++at) {
      const char c = at < text.size() ? text[at] : ';';
      if (c == '{') ++depth;
      if (c == '}' && depth > 0) --depth;
      if (c != ';' || (depth > 0 && at < text.size())) continue;
      const std::string_view member = text.substr(begin, at - begin);
      begin = at + 1;
      const size_t equals = member.find('=');
      if (equals == member.npos) continue;
      all_.emplace_back(TrimmedRocksDbText(member.substr(0, equals)),
                        TrimmedRocksDbText(member.substr(equals + 1)));
    }
  }
  const std::vector<std::pair<std::string, std::string>>& All() const { return all_; }
  std::optional<std::string> Find(std::string_view name) const {
    const auto it = std::ranges::find(all_, name, &std::pair<std::string, std::string>::first);
    return it == all_.end() ? std::nullopt : std::optional(it->second);
  }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

// Whether two texts of one option mean the same: what was asked for, and what RocksDB has written.
class RocksDbMeaning {
 public:
  static bool IsSame(std::string_view asked, std::string_view told) {
    asked = TrimmedRocksDbText(asked);
    if (asked == told || IsSameNumber(asked, told) || IsSameSwitch(asked, told)) return true;
    // db_bench says none.
    if (told == "nullptr") return asked.empty() || asked == "{}" || asked == "none";
    if (told.starts_with('{')) return IsSameStructure(InMembers(asked, told), RocksDbMembers(told));
    if (asked.starts_with('{')) return IsPartOf(asked, told);
    return IsSamePart(asked, told) || IsSameList(asked, told);
  }

  // As gflags and people write it.
  static std::optional<bool> Switch(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    for (const char* const yes : {"1", "true", "t", "yes", "y", "on"}) {
      if (lower == yes) return true;
    }
    for (const char* const no : {"0", "false", "f", "no", "n", "off"}) {
      if (lower == no) return false;
    }
    return std::nullopt;
  }

 private:
  // RocksDB's own short names for its classes, and the member that what follows a colon is.
  struct Part {
    std::string_view alias, id, member;
  };
  static constexpr Part kParts[] = {
      {"skip_list", "SkipListFactory", "lookahead"},
      {"vector", "VectorRepFactory", "count"},
      {"prefix_hash", "HashSkipListRepFactory", "bucket_count"},
      {"hash_linkedlist", "HashLinkListRepFactory", "bucket_count"},
      {"put", "PutOperator", ""},
      {"uint64add", "UInt64AddOperator", ""},
      {"max", "MaxOperator", ""},
      {"stringappend", "StringAppendOperator", "delimiter"},
      {"BuiltinV2", "BuiltinCompressionManagerV2", ""},
      {"bytewise", "leveldb.BytewiseComparator", ""},
  };

  // RocksDB reads a number and then one letter of size.
  static std::optional<double> Number(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
    if (unit.empty()) return number;
    if (unit.ends_with('B') || unit.ends_with('b')) unit.remove_suffix(1);
    if (unit.size() != 1) return std::nullopt;
    constexpr std::string_view kUnits = "kmgt";
    const size_t power = kUnits.find(static_cast<char>(unit.front() | 0x20));
    if (power == kUnits.npos) return std::nullopt;
    return std::ldexp(number, 10 * static_cast<int>(power + 1));
  }

  static std::optional<uint64_t> Whole(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
  }

  static bool IsSameNumber(std::string_view asked, std::string_view told) {
    const std::optional<uint64_t> one = Whole(asked), other = Whole(told);
    if (one && other) return *one == *other;  // Beyond 2^53, too.
    const std::optional<double> number = Number(asked), number_told = Number(told);
    if (!number || !number_told) return false;
    // -1 of an unsigned option is its largest number.
    if (*number < 0 && other) {
      const auto whole = static_cast<int64_t>(*number);
      return *other == static_cast<uint64_t>(whole) || *other == static_cast<uint32_t>(whole);
    }
    // It rounds to the digits that it writes behind the point.
    const size_t point = std::min(told.find('.'), told.size() - 1);
    const double step = std::pow(10.0, -static_cast<double>(told.size() - 1 - point));
    return std::abs(*number - *number_told) <= 0.5000001 * step * (point + 1 < told.size() ? 1 : 0);
  }

  static bool IsSameSwitch(std::string_view asked, std::string_view told) {
    if (told != "true" && told != "false") return false;
    const std::optional<bool> is_on = Switch(asked);
    return is_on && *is_on == (told == "true");
  }

  // Older ways to write a structure: its members in this order, with colons between them, or the
  // first one alone.
  static RocksDbMembers InMembers(std::string_view asked, std::string_view told) {
    if (asked.starts_with('{')) return RocksDbMembers(asked);
    const RocksDbMembers of_told(told);
    std::string text = "{";
    if (const std::optional<std::string> id = of_told.Find("id")) {
      const size_t colon = asked.find(':');
      const std::string_view name = asked.substr(0, colon);
      const auto part = std::ranges::find(kParts, name, &Part::alias);
      text.append("id=").append(name);
      if (colon != asked.npos && part != std::end(kParts)) {
        text.append(";").append(part->member).append("=").append(asked.substr(colon + 1));
      } else if (colon != asked.npos) {
        text.append(asked.substr(colon));  // Nothing that RocksDB could mean.
      }
      return RocksDbMembers(text + "}");
    }
    constexpr std::string_view kOfCompression[] = {
        "window_bits",          "level",            "strategy", "max_dict_bytes",
        "zstd_max_train_bytes", "parallel_threads", "enabled",  "max_dict_buffer_bytes",
        "use_zstd_dict_trainer"};
    constexpr std::string_view kOfFifo[] = {"max_table_files_size"};
    const bool is_compression = of_told.Find("window_bits").has_value();
    const std::span<const std::string_view> order =
        is_compression ? std::span<const std::string_view>(kOfCompression) : kOfFifo;
    size_t at = 0;
    for (const std::string& value : Elements(asked)) {
      text.append(at < order.size() ? order[at] : "nothing").append("=").append(value).append(";");
      ++at;
    }
    return RocksDbMembers(text + "}");
  }

  static bool IsSameStructure(const RocksDbMembers& asked, const RocksDbMembers& told) {
    return !asked.All().empty() && std::ranges::all_of(asked.All(), [&](const auto& member) {
      const auto& [name, value] = member;
      const std::optional<std::string> in_force = told.Find(name);
      if (!in_force) return false;
      return IsSame(value, *in_force) || (name == "id" && IsSamePart(value, *in_force));
    });
  }

  // "{id=vector;}" of a class without members.
  static bool IsPartOf(std::string_view asked, std::string_view told) {
    const RocksDbMembers members(asked);
    const std::optional<std::string> id = members.Find("id");
    return id && members.All().size() == 1 && IsSamePart(*id, told);
  }

  // "fixed:8" is "rocksdb.FixedPrefix.8", and "bloomfilter:10" the beginning of
  // "bloomfilter:10:false".
  static bool IsSamePart(std::string_view asked, std::string_view told) {
    const size_t colon = asked.find(':');
    const std::string_view name = asked.substr(0, colon);
    const std::string arguments(colon == asked.npos ? "" : asked.substr(colon));
    const auto part = std::ranges::find(kParts, name, &Part::alias);
    std::string own = std::string(part != std::end(kParts) ? part->id : name) + arguments;
    if (name == "fixed" || name == "capped") {
      own = (name == "fixed" ? "rocksdb.FixedPrefix." : "rocksdb.CappedPrefix.") +
            arguments.substr(std::min<size_t>(1, arguments.size()));
    }
    if (own == told) return true;
    return !arguments.empty() && !Number(name) && told.starts_with(own + ":");  // No list.
  }

  static std::vector<std::string> Elements(std::string_view text) {
    std::vector<std::string> all;
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(':', begin), text.size());
      all.emplace_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return all;
  }

  static bool IsSameList(std::string_view asked, std::string_view told) {
    const std::vector<std::string> one = Elements(asked), other = Elements(told);
    if (one.size() < 2 || one.size() != other.size()) return false;
    return std::ranges::equal(
        one, other, [](const auto& a, const auto& b) { return a == b || IsSameNumber(a, b); });
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_MEANING_H_
