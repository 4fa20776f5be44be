#include "workload/trace/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/clock.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

constexpr uint64_t kMostSeconds = 9'000'000'000;  // Their nanoseconds fit 63 bits.
constexpr uint64_t kMostNs = uint64_t{1} << 63;
constexpr uint64_t kMostTimes = 1'000'000;  // For one line.
constexpr uint64_t kMost32 = std::numeric_limits<uint32_t>::max();
constexpr uint64_t kMost16 = std::numeric_limits<uint16_t>::max();

using Mapping = std::pair<std::string_view, TraceOperation>;

// A recording does not say whether a conditional write took place, so all of them do. An operation
// that changes a value reads it and writes one of the recorded length.
constexpr Mapping kTwitter[] = {
    {"get", TraceOperation::kGet},       {"gets", TraceOperation::kGet},
    {"set", TraceOperation::kPut},       {"add", TraceOperation::kPut},
    {"replace", TraceOperation::kPut},   {"cas", TraceOperation::kPut},
    {"append", TraceOperation::kModify}, {"prepend", TraceOperation::kModify},
    {"incr", TraceOperation::kModify},   {"decr", TraceOperation::kModify},
    {"delete", TraceOperation::kErase}};

constexpr Mapping kMeta[] = {{"GET", TraceOperation::kGet},
                             {"GET_LEASE", TraceOperation::kGet},
                             {"SET", TraceOperation::kPut},
                             {"SET_LEASE", TraceOperation::kPut},
                             {"DELETE", TraceOperation::kErase}};

constexpr std::string_view kCsvMiss = "miss";  // A get that found nothing.
constexpr Mapping kCsv[] = {{"get", TraceOperation::kGet},
                            {kCsvMiss, TraceOperation::kGet},
                            {"put", TraceOperation::kPut},
                            {"erase", TraceOperation::kErase},
                            {"modify", TraceOperation::kModify}};

struct Source {
  std::string_view name;
  std::string_view text;
  std::string_view columns[9];  // In the order of TraceText::Column; "": it has no such column.
  std::span<const Mapping> operations;
};
// In the order of TraceSource.
constexpr Source kSources[] = {
    {"twitter",
     "Twitter's Twemcache",
     {"timestamp", "key", "key size", "operation", "", "value size", "", "TTL", "client id"},
     kTwitter},
    {"meta",
     "Meta's kvcache",
     {"op_time", "key", "key_size", "op", "op_count", "size", "cache_hits", "ttl", ""},
     kMeta},
    {"csv",
     "csv",
     {"time_ns", "key", "key_size", "op", "", "value_size", "", "ttl", "client"},
     kCsv},
    {.name = "rocksdb", .text = "RocksDB", .columns = {}, .operations = {}},
    {.name = "rocksdb-text",
     .text = "text of RocksDB's analyzers",
     .columns = {},
     .operations = {}},
    {.name = "oracle-general", .text = "oracleGeneral", .columns = {}, .operations = {}}};

const Source& RowOf(TraceSource source) { return kSources[static_cast<size_t>(source)]; }

}  // namespace

std::optional<TraceSource> TraceSourceOf(std::string_view name) {
  const auto* const source = std::ranges::find(kSources, name, &Source::name);
  if (source == std::end(kSources)) return std::nullopt;
  return static_cast<TraceSource>(source - kSources);
}

std::vector<std::string> TraceSourceNames() {
  std::vector<std::string> names;
  for (const Source& source : kSources) names.emplace_back(source.name);
  return names;
}

std::string_view TraceSourceText(TraceSource source) { return RowOf(source).text; }

std::string_view TraceText::NameOf(Column column) const { return RowOf(source_).columns[column]; }

std::string TraceText::Wrong(Column column, const std::string& what) const {
  return fmt::format("column {} ({}): {}", fields_[place_[column]].column, NameOf(column), what);
}

std::optional<TraceOperation> TraceText::ReadOperation() const {
  const std::span<const Mapping> known = RowOf(source_).operations;
  const auto it = std::ranges::find(known, TextOf(kOp), &Mapping::first);
  return it == known.end() ? std::nullopt : std::optional(it->second);
}

std::string TraceText::NoSuchOperation() const {
  std::string names;
  for (const auto& [name, operation] : RowOf(source_).operations) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return Wrong(kOp, fmt::format("{} is none of {}", Quote(TextOf(kOp)), names));
}

template <class Number>
std::string TraceText::ReadNumber(Column column, Number& out, uint64_t most,
                                  uint64_t absent) const {
  if (!Has(column)) {
    out = static_cast<Number>(absent);
    return "";
  }
  const std::optional<uint64_t> number = Digits(TextOf(column));
  if (!number || *number > most) {
    return Wrong(column,
                 fmt::format("{} is no whole number from 0 to {}", Quote(TextOf(column)), most));
  }
  out = static_cast<Number>(*number);
  return "";
}

std::string TraceText::Read(std::string_view line, TraceLine& out) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  fields_.clear();
  for (size_t begin = 0;;) {
    const size_t end = std::min(line.find(',', begin), line.size());
    fields_.push_back({line.substr(begin, end - begin), begin + 1});
    if (end == line.size()) break;
    begin = end + 1;
  }
  out.record = {};
  out.times = 1;
  out.misses = 0;
  out.left_out.clear();
  if (source_ == TraceSource::kTwitter) return ReadTwitter(out);
  if (!has_names_) {
    out.times = 0;
    return ReadNames();
  }
  if (fields_.size() != columns_) {
    return fmt::format("column {}: the line has {} fields, and the first one named {} columns",
                       fields_.back().column, fields_.size(), columns_);
  }
  if (TextOf(kKey).empty()) return Wrong(kKey, "is empty");
  return source_ == TraceSource::kMeta ? ReadMeta(out) : ReadCsv(out);
}

// Unknown columns may stand between the known ones.
std::string TraceText::ReadNames() {
  place_.fill(kNowhere);
  columns_ = fields_.size();
  for (size_t i = 0; i < fields_.size(); ++i) {
    for (size_t c = 0; c < kColumns; ++c) {
      const auto column = static_cast<Column>(c);
      if (NameOf(column).empty() || fields_[i].text != NameOf(column)) continue;
      if (Has(column)) {
        return fmt::format("column {}: `{}` is named a second time", fields_[i].column,
                           NameOf(column));
      }
      place_[c] = i;
    }
  }
  const bool is_meta = source_ == TraceSource::kMeta;
  for (const Column column : {kTime, kKey, kKeySize, kOp, kCount, kSize, kHits}) {
    const bool is_needed = is_meta ? column != kHits && column != kTime
                                   : column == kTime || column == kKey || column == kOp;
    if (!is_needed || Has(column)) continue;
    return fmt::format(
        "column 1: the first line has to name the columns, and names no `{}`; it begins with {}",
        NameOf(column), Quote(fields_.front().text, 40));
  }
  has_names_ = true;
  has_times_ = Has(kTime);
  return "";
}

// timestamp, key, key size, value size, client, operation, TTL. A key may contain commas.
std::string TraceText::ReadTwitter(TraceLine& out) {
  constexpr size_t kFields = 7;
  if (fields_.size() < kFields) {
    return fmt::format("column {}: the line has {} fields instead of {}", fields_.back().column,
                       fields_.size(), kFields);
  }
  const size_t last = fields_.size() - 1;
  place_ = {0, 1, last - 4, last - 1, kNowhere, last - 3, kNowhere, last, last - 2};
  const char* const key = fields_[1].text.data();
  const std::string_view last_part = fields_[last - 5].text;
  out.key = {key, static_cast<size_t>(last_part.data() + last_part.size() - key)};
  if (out.key.empty()) return Wrong(kKey, "is empty");
  uint64_t seconds = 0;
  std::string wrong;
  if (!(wrong = ReadNumber(kTime, seconds, kMostSeconds)).empty()) return wrong;
  if (!(wrong = ReadNumber(kKeySize, out.record.key_size, kMost16)).empty()) return wrong;
  if (!(wrong = ReadNumber(kSize, out.record.value_size, kMost32)).empty()) return wrong;
  if (!(wrong = ReadNumber(kClient, out.record.client, kMost32)).empty()) return wrong;
  if (!(wrong = ReadNumber(kTtl, out.record.ttl_seconds, kMost32)).empty()) return wrong;
  const std::optional<TraceOperation> operation = ReadOperation();
  if (!operation) return NoSuchOperation();
  out.record.time_ns = seconds * kSecondNs;
  out.record.operation = *operation;
  // A get that found something would have recorded a length.
  out.misses = *operation == TraceOperation::kGet && out.record.value_size == 0 ? 1 : 0;
  return "";
}

std::string TraceText::ReadMeta(TraceLine& out) {
  out.key = TextOf(kKey);
  uint64_t seconds = 0;
  uint64_t hits = 0;
  std::string wrong;
  if (!(wrong = ReadNumber(kTime, seconds, kMostSeconds)).empty()) return wrong;
  if (!(wrong = ReadNumber(kKeySize, out.record.key_size, kMost16)).empty()) return wrong;
  if (!(wrong = ReadNumber(kSize, out.record.value_size, kMost32)).empty()) return wrong;
  if (!(wrong = ReadNumber(kCount, out.times, kMostTimes)).empty()) return wrong;
  if (!(wrong = ReadNumber(kHits, hits, kMostTimes)).empty()) return wrong;
  if (!(wrong = ReadNumber(kTtl, out.record.ttl_seconds, kMost32)).empty()) return wrong;
  const std::optional<TraceOperation> operation = ReadOperation();
  if (!operation || out.times == 0) {
    out.left_out = operation ? std::string(TextOf(kOp)) + " of op_count 0" : Quote(TextOf(kOp), 40);
    out.times = 1;
    return "";
  }
  out.record.time_ns = seconds * kSecondNs;
  out.record.operation = *operation;
  if (*operation != TraceOperation::kGet) return "";
  const uint64_t found = out.record.value_size == 0 ? 0 : Has(kHits) ? hits : out.times;
  out.misses = out.times - std::min(found, out.times);
  return "";
}

std::string TraceText::ReadCsv(TraceLine& out) {
  out.key = TextOf(kKey);
  const uint64_t key_size = std::min<uint64_t>(out.key.size(), kMost16);
  std::string wrong;
  if (!(wrong = ReadNumber(kTime, out.record.time_ns, kMostNs)).empty()) return wrong;
  if (!(wrong = ReadNumber(kKeySize, out.record.key_size, kMost16, key_size)).empty()) return wrong;
  if (!(wrong = ReadNumber(kSize, out.record.value_size, kMost32)).empty()) return wrong;
  if (!(wrong = ReadNumber(kTtl, out.record.ttl_seconds, kMost32)).empty()) return wrong;
  if (!(wrong = ReadNumber(kClient, out.record.client, kMost32)).empty()) return wrong;
  const std::optional<TraceOperation> operation = ReadOperation();
  if (!operation) return NoSuchOperation();
  out.record.operation = *operation;
  out.misses = TextOf(kOp) == kCsvMiss ? 1 : 0;
  return "";
}

}  // namespace levelfield
