#include "workload/file/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/text.h"
#include "workload/key_format.h"

namespace levelfield {
bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::vector<std::string> WordsIn(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || c == '_' || c == '$';
    if (is_letter && !in_word) words.emplace_back();
    if (is_letter) words.back() += c;
    in_word = is_letter;
  }
  return words;
}

std::string DidYouMeanAWord(std::string_view text, std::span<const std::string> known) {
  for (const std::string& word : WordsIn(text)) {
    if (std::ranges::find(known, word) != known.end()) continue;
    const std::string nearest = NearestName(word, known);
    if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  }
  return "";
}

namespace {

// What a flag stands for in a file, of those that stand for one: `$num`.
template <class Value>
std::map<std::string, Value> Named(const Settings& settings) {
  std::map<std::string, Value> named;
  for (const Flag& flag : Flags()) {
    const auto* const field = std::get_if<Value Settings::*>(&flag.field);
    if (!flag.variable || field == nullptr) continue;
    const Value value = settings.**field;
    named[fmt::format("${}", flag.name)] =
        value == 0 && flag.or_num ? static_cast<Value>(settings.num) : value;
  }
  return named;
}

}  // namespace

FileNumbers::FileNumbers(const Settings& settings)
    : settings_(settings), counts_(Named<uint64_t>(settings)), ratios_(Named<double>(settings)) {
  counts_["$reads_or_writes"] = settings.reads == 0 && settings.writes == 0
                                    ? settings.num
                                    : std::max(settings.reads, settings.writes);
  // RocksDB's db_bench has one flag for the entries of a write and the keys of a call.
  counts_["$batch_size"] = std::max<uint64_t>(settings.batch_size, 1);
  counts_["$keys_per_call"] = settings.batch_size == 0 ? 10 : settings.batch_size;
  counts_["$expiring_threads"] =
      settings.expire_style == "delete" ? settings.num_deletion_threads : 0;
}

std::optional<uint64_t> FileNumbers::Evaluate(std::string_view text) const {
  const size_t open = text.find('(');
  if (open == std::string_view::npos) {
    bool was_zero = false;
    const std::optional<uint64_t> value = Quotient(text, &was_zero);
    return value && !was_zero ? std::max<uint64_t>(*value, 1) : value;
  }
  const size_t comma = text.find(',');
  const std::string_view name = Trim(text.substr(0, open));
  if (name == "power_of_two" && text.ends_with(')')) {
    const auto number = Quotient(Trim(text.substr(open + 1, text.size() - open - 2)));
    if (!number || *number > KeyFormat::kLimit) return std::nullopt;
    return std::bit_ceil(*number);
  }
  if (comma == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  const auto first = Quotient(Trim(text.substr(open + 1, comma - open - 1)));
  const auto second = Quotient(Trim(text.substr(comma + 1, text.size() - comma - 2)));
  if (!first || !second) return std::nullopt;
  if (name == "max") return std::max(*first, *second);
  if (*second == 0) return std::nullopt;
  if (name == "down") return *first / *second * *second;
  if (name == "up") return (*first / *second + (*first % *second != 0)) * *second;
  return std::nullopt;
}

std::optional<uint64_t> FileNumbers::Quotient(std::string_view text, bool* was_zero) const {
  uint64_t factor = 1;
  uint64_t divisor = 1;
  if (const size_t sign = text.find_first_of("/*"); sign != std::string_view::npos) {
    const std::optional<uint64_t> number = Digits(Trim(text.substr(sign + 1)));
    if (!number || *number == 0) return std::nullopt;
    (text[sign] == '/' ? divisor : factor) = *number;
    text = Trim(text.substr(0, sign));
  }
  const auto it = counts_.find(std::string(text));
  const std::optional<uint64_t> value = it != counts_.end() ? it->second : Digits(text);
  if (!value) return std::nullopt;
  if (was_zero != nullptr) *was_zero = *value == 0;
  const unsigned __int128 result = static_cast<unsigned __int128>(*value) * factor / divisor;
  return result > kNoLimit ? kNoLimit : static_cast<uint64_t>(result);
}

std::string FileNumbers::SetCount(std::string_view text, uint64_t& field, uint64_t most,
                                  uint64_t least) const {
  const std::optional<uint64_t> value = Evaluate(text);
  if (!value) {
    std::string names = "$num, $reads, $writes, $threads, $value_size, $batch";
    std::vector<std::string> all;
    for (const auto& [name, number] : counts_) all.emplace_back(name);
    for (const std::string& word : WordsIn(text)) {
      const std::string nearest = NearestName(word, all);
      const bool is_named = names.find(nearest) != std::string::npos;
      if (!nearest.empty() && !is_named) names += ", " + nearest;
    }
    return fmt::format(
        "a number, {} or another name of docs/adding_a_workload.md, and perhaps / or * and a "
        "number above 0; or max, up or down of two of those, or power_of_two of one",
        names);
  }
  if (*value > most) return fmt::format("at most {}", most);
  if (*value < least) return fmt::format("at least {}", least);
  field = *value;
  return "";
}

std::string FileNumbers::SetRatio(std::string_view text, double& field, double most) const {
  const auto named = ratios_.find(std::string(text));
  if (named != ratios_.end() && named->second <= most) {
    field = named->second;
    return "";
  }
  const std::optional<double> value = WholeNumber<double>(text);
  if (!value || !(*value >= 0 && *value <= most)) {
    return fmt::format("a number from 0 to {}, $zipf_exponent, $hot_keys or $hot_requests", most);
  }
  field = *value;
  return "";
}

}  // namespace levelfield
