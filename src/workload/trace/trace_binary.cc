#include "workload/trace/trace_binary.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <span>

#include "base/clock.h"
#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

constexpr size_t kTraceBufferBytes = size_t{1} << 20;
constexpr size_t kMostPayloadBytes = size_t{256} << 20;
constexpr std::string_view kRocksDbMagic = "feedcafedeadbeef";
constexpr uint64_t kMicrosecondNs = 1000;
constexpr uint64_t kMostMicros = std::numeric_limits<uint64_t>::max() / 2 / kMicrosecondNs;

// TraceType of rocksdb/trace_record.h.
constexpr uint8_t kBegin = 1;
constexpr uint8_t kEnd = 2;
constexpr uint8_t kWrite = 3;
constexpr uint8_t kGet = 4;
constexpr uint8_t kSeek = 5;
constexpr uint8_t kSeekForPrev = 6;
constexpr uint8_t kFirstBlock = 7;
constexpr uint8_t kLastBlock = 11;
constexpr uint8_t kMultiGet = 13;

// Takes numbers and texts from the front, as RocksDB packs them. After a failure all is empty.
class Packed {
 public:
  explicit Packed(std::string_view bytes) : left_(bytes) {}

  bool failed() const { return failed_; }
  bool empty() const { return left_.empty(); }

  template <class Number>
  Number Fixed() {
    const std::string_view bytes = Bytes(sizeof(Number));
    Number number = 0;
    if (!failed_) std::memcpy(&number, bytes.data(), sizeof(number));
    return number;
  }
  uint32_t Varint32() {
    uint64_t number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const auto byte = Fixed<uint8_t>();
      number |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (failed_ || byte < 0x80) break;
      failed_ = shift == 28;
    }
    failed_ = failed_ || number > std::numeric_limits<uint32_t>::max();
    return static_cast<uint32_t>(number);
  }
  std::string_view Bytes(size_t size) {
    failed_ = failed_ || size > left_.size();
    if (failed_) return {};
    const std::string_view bytes = left_.substr(0, size);
    left_.remove_prefix(size);
    return bytes;
  }
  std::string_view Prefixed() { return Bytes(Varint32()); }

 private:
  std::string_view left_;
  bool failed_ = false;
};

// Keys of different column families are different keys. The default one's are as they are.
std::string KeyIn(uint32_t family, std::string_view key) {
  return family == 0 ? std::string(key) : fmt::format("{}\x1f{}", family, key);
}

TraceEntry Entry(uint64_t time_ns, uint32_t family, std::string_view key, TraceOperation operation,
                 uint64_t value_size) {
  constexpr uint64_t kMost32 = std::numeric_limits<uint32_t>::max();
  constexpr uint64_t kMost16 = std::numeric_limits<uint16_t>::max();
  return {.key = KeyIn(family, key),
          .record = {.time_ns = time_ns,
                     .value_size = static_cast<uint32_t>(std::min(value_size, kMost32)),
                     .key_size = static_cast<uint16_t>(std::min<uint64_t>(key.size(), kMost16)),
                     .operation = operation},
          .left_out = ""};
}

TraceEntry LeftOut(std::string_view name) {
  TraceEntry entry;
  entry.left_out = name;
  return entry;
}

// A kind of record in a batch (ValueType of RocksDB's dbformat.h), in the default column family and
// in another.
struct BatchTag {
  uint8_t tag;
  uint8_t in_family;
  enum class Does { kWrites, kErases, kModifies, kRange, kMark, kMarkWithText } does;
  std::string_view name = "";
};
using Does = BatchTag::Does;
constexpr uint8_t kNoTag = 0xff;
constexpr BatchTag kBatchTags[] = {{0x0, 0x4, Does::kErases},
                                   {0x1, 0x5, Does::kWrites},
                                   {0x2, 0x6, Does::kModifies},
                                   {0x7, 0x8, Does::kErases},
                                   {0xf, 0xe, Does::kRange, "DELETE_RANGE"},
                                   {0x11, 0x10, Does::kWrites},
                                   {0x16, 0x17, Does::kWrites},
                                   {0x3, kNoTag, Does::kMarkWithText},
                                   {0x9, kNoTag, Does::kMark},
                                   {0xa, kNoTag, Does::kMarkWithText},
                                   {0xb, kNoTag, Does::kMarkWithText},
                                   {0xc, kNoTag, Does::kMarkWithText},
                                   {0xd, kNoTag, Does::kMark},
                                   {0x12, kNoTag, Does::kMark},
                                   {0x13, kNoTag, Does::kMark}};

// The records of a WriteBatch. Returns nothing, or what is wrong.
std::string ReadBatch(std::string_view batch, uint64_t time_ns, std::vector<TraceEntry>& entries) {
  Packed in(batch);
  (void)in.Fixed<uint64_t>();  // Sequence number.
  const auto count = in.Fixed<uint32_t>();
  uint32_t found = 0;
  while (!in.failed() && !in.empty()) {
    const auto tag = in.Fixed<uint8_t>();
    const auto* const row = std::ranges::find_if(
        kBatchTags, [&](const BatchTag& one) { return one.tag == tag || one.in_family == tag; });
    if (row == std::end(kBatchTags)) {
      return fmt::format("a batch has a record of kind {}, which is not known here", tag);
    }
    if (row->does == Does::kMark) continue;
    const uint32_t family = tag == row->in_family ? in.Varint32() : 0;
    const std::string_view key = in.Prefixed();
    if (row->does == Does::kMarkWithText) continue;
    ++found;
    if (row->does == Does::kErases) {
      entries.push_back(Entry(time_ns, family, key, TraceOperation::kErase, 0));
      continue;
    }
    const std::string_view value = in.Prefixed();
    if (row->does == Does::kRange) {
      entries.push_back(LeftOut(row->name));
    } else {
      entries.push_back(
          Entry(time_ns, family, key,
                row->does == Does::kModifies ? TraceOperation::kModify : TraceOperation::kPut,
                value.size()));
    }
  }
  if (in.failed()) return "a batch ends within a record";
  if (found != count) return fmt::format("a batch says {} records, and has {}", count, found);
  return "";
}

// What a query's record holds, by the bits in front of it.
struct Query {
  std::string_view batch;
  uint32_t family = 0;
  std::string_view key;
  uint32_t keys = 0;
  std::string_view families;  // Of several keys.
  std::string_view several;
};

// TracePayloadType of RocksDB's trace_replay.h.
std::string ReadQuery(std::string_view payload, Query& query) {
  Packed in(payload);
  for (auto map = in.Fixed<uint64_t>(); map != 0; map &= map - 1) {
    switch (std::countr_zero(map)) {
      case 1:
        query.batch = in.Prefixed();
        break;
      case 2:
      case 4:
        query.family = in.Fixed<uint32_t>();
        break;
      case 3:
      case 5:
        query.key = in.Prefixed();
        break;
      case 6:
      case 7:
        (void)in.Prefixed();  // A bound of an iterator.
        break;
      case 8:
        query.keys = in.Fixed<uint32_t>();
        break;
      case 9:
        query.families = in.Prefixed();
        break;
      case 10:
        query.several = in.Prefixed();
        break;
      default:
        return fmt::format("has a part of kind {}, which is not known here", std::countr_zero(map));
    }
  }
  return in.failed() ? "ends within one of its parts" : "";
}

std::string AddQuery(uint8_t type, uint64_t time_ns, std::string_view payload,
                     std::vector<TraceEntry>& entries) {
  if (type == kSeekForPrev) {
    entries.push_back(LeftOut("ITERATOR_SEEK_FOR_PREV"));
    return "";
  }
  if (type != kWrite && type != kGet && type != kMultiGet && type != kSeek) {
    return fmt::format("is of type {}, which no query trace has", type);
  }
  Query query;
  if (std::string wrong = ReadQuery(payload, query); !wrong.empty()) return wrong;
  if (type == kWrite) return ReadBatch(query.batch, time_ns, entries);
  if (type != kMultiGet) {
    const bool seeks = type == kSeek;
    entries.push_back(Entry(time_ns, query.family, query.key,
                            seeks ? TraceOperation::kSeek : TraceOperation::kGet, 0));
    entries.back().record.entries = seeks ? 1 : 0;
    return "";
  }
  Packed families(query.families);
  Packed keys(query.several);
  for (uint32_t i = 0; i < query.keys && !keys.failed() && !families.failed(); ++i) {
    const auto family = families.Fixed<uint32_t>();
    entries.push_back(Entry(time_ns, family, keys.Prefixed(), TraceOperation::kGet, 0));
  }
  return keys.failed() || families.failed() ? "has fewer keys than it says" : "";
}

std::string AddBlock(uint8_t type, uint64_t time_ns, std::string_view payload,
                     std::vector<TraceEntry>& entries) {
  if (type < kFirstBlock || type > kLastBlock) {
    return fmt::format("is of type {}, which no block cache trace has", type);
  }
  Packed in(payload);
  const std::string_view key = in.Prefixed();
  const auto size = in.Fixed<uint64_t>();
  if (in.failed() || key.empty()) return "ends within its block's key or size";
  entries.push_back(Entry(time_ns, 0, key, TraceOperation::kGet, size));
  return "";
}

}  // namespace

void TraceBytes::Fill(size_t size) {
  // Nothing is left of an empty buffer, which has no address to move from.
  if (end_ > at_) std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  buffer_.resize(std::max(size, kTraceBufferBytes));
  while (end_ < size) {
    const ssize_t n = read(fd_.get(), buffer_.data() + end_, buffer_.size() - end_);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    end_ += static_cast<size_t>(n);
  }
}

std::optional<std::string_view> TraceBytes::Take(size_t size) {
  if (end_ - at_ < size) Fill(size);
  if (end_ - at_ < size) return std::nullopt;
  const std::string_view bytes(buffer_.data() + at_, size);
  at_ += size;
  offset_ += size;
  return bytes;
}

bool TraceBytes::IsOver() {
  if (end_ == at_) Fill(1);
  return end_ == at_;
}

std::string BinaryTrace::Wrong(uint64_t offset, std::string_view what) const {
  return fmt::format("byte {}: {}", offset, what);
}

std::string BinaryTrace::Read(std::vector<TraceEntry>& entries) {
  entries.clear();
  is_over_ = bytes_.IsOver();
  if (is_over_) return "";
  return source_ == TraceSource::kOracleGeneral ? ReadOracle(entries) : ReadRocksDb(entries);
}

// u32 seconds, u64 object, u32 its bytes, i64 the place of the next request for it.
std::string BinaryTrace::ReadOracle(std::vector<TraceEntry>& entries) {
  constexpr size_t kRecordBytes = 24;
  const uint64_t offset = bytes_.offset();
  const std::optional<std::string_view> bytes = bytes_.Take(kRecordBytes);
  if (!bytes) return Wrong(offset, "the file ends within a record of 24 bytes");
  Packed in(*bytes);
  const auto seconds = in.Fixed<uint32_t>();
  const std::string_view object = in.Bytes(sizeof(uint64_t));
  const auto size = in.Fixed<uint32_t>();
  entries.push_back(Entry(seconds * kSecondNs, 0, object, TraceOperation::kGet, size));
  return "";
}

// u64 microseconds, u8 type, u32 bytes of the payload.
std::string BinaryTrace::ReadRocksDb(std::vector<TraceEntry>& entries) {
  constexpr size_t kHeadBytes = 13;
  const uint64_t offset = bytes_.offset();
  const std::optional<std::string_view> head = bytes_.Take(kHeadBytes);
  if (!head) return Wrong(offset, "the file ends within a record");
  Packed in(*head);
  const auto micros = in.Fixed<uint64_t>();
  const auto type = in.Fixed<uint8_t>();
  const auto size = in.Fixed<uint32_t>();
  if (!has_head_ && type != kBegin) {
    return Wrong(offset, "is no trace of RocksDB's: it does not begin with a header");
  }
  if (size > kMostPayloadBytes || micros > kMostMicros) {
    return Wrong(offset, "is no record of RocksDB's: its time or size is beyond all measure");
  }
  const std::optional<std::string_view> payload = bytes_.Take(size);
  if (!payload) return Wrong(offset, "the file ends within a record");
  if (!has_head_) {
    has_head_ = true;
    const std::string wrong = ReadHead(*payload);
    return wrong.empty() ? "" : Wrong(offset, wrong);
  }
  if (type == kEnd) return "";
  const uint64_t time_ns = micros * kMicrosecondNs;
  const std::string wrong = is_block_cache_ ? AddBlock(type, time_ns, *payload, entries)
                                            : AddQuery(type, time_ns, *payload, entries);
  return wrong.empty() ? "" : Wrong(offset, "the record " + wrong);
}

std::string BinaryTrace::ReadHead(std::string_view payload) {
  Packed in(payload);
  if (in.Prefixed() == kRocksDbMagic && !in.failed()) {
    is_block_cache_ = true;
    kind_ = "RocksDB's block cache";
    return "";
  }
  if (!payload.starts_with(kRocksDbMagic)) return "is no trace of RocksDB's: its header is another";
  constexpr std::string_view kVersion = "Trace Version: ";
  const size_t at = payload.find(kVersion);
  const std::string_view version =
      at == payload.npos ? "none" : payload.substr(at + kVersion.size(), 3);
  if (version != "0.2") {
    return fmt::format("is a query trace of version {}, and 0.2 can be read", Quote(version));
  }
  kind_ = "RocksDB's queries";
  return "";
}

namespace {

struct Part {
  std::string_view text;
  size_t column = 0;  // From 1 on.
};

std::vector<Part> PartsOf(std::string_view line, char separator) {
  std::vector<Part> parts;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(separator, begin), line.size());
    parts.push_back({line.substr(begin, end - begin), begin + 1});
    begin = end + 1;
  }
  return parts;
}

// Returns nothing, or what is wrong.
std::string NumberIn(const Part& part, std::string_view name, uint64_t most, uint64_t& number) {
  const std::optional<uint64_t> digits = Digits(part.text);
  if (!digits || *digits > most) {
    return fmt::format("column {} ({}): {} is no whole number from 0 to {}", part.column, name,
                       Quote(part.text), most);
  }
  number = *digits;
  return "";
}

// Block's time, number, type, size and 17 more.
std::string ReadBlockLine(const std::vector<Part>& parts, TraceEntry& entry) {
  constexpr size_t kFields = 21;
  if (parts.size() != kFields) {
    return fmt::format("column {}: the line has {} fields instead of {}", parts.back().column,
                       parts.size(), kFields);
  }
  uint64_t micros = 0;
  uint64_t block = 0;
  uint64_t size = 0;
  uint64_t key_bytes = 0;
  std::string wrong = NumberIn(parts[0], "access timestamp", kMostMicros, micros);
  if (wrong.empty()) wrong = NumberIn(parts[1], "block id", ~uint64_t{0}, block);
  if (wrong.empty()) wrong = NumberIn(parts[3], "block size", ~uint64_t{0}, size);
  if (wrong.empty()) wrong = NumberIn(parts[18], "block key size", 65535, key_bytes);
  if (!wrong.empty()) return wrong;
  entry = Entry(micros * kMicrosecondNs, 0, parts[1].text, TraceOperation::kGet, size);
  entry.record.key_size = static_cast<uint16_t>(key_bytes);
  return "";
}

// TraceOperationType of RocksDB's trace_analyzer_tool.h, in its order.
struct QueryName {
  std::optional<TraceOperation> operation;
  std::string_view left_out = "";
};
constexpr QueryName kQueries[] = {
    {TraceOperation::kGet},         {TraceOperation::kPut},
    {TraceOperation::kErase},       {TraceOperation::kErase},
    {std::nullopt, "DELETE_RANGE"}, {TraceOperation::kModify},
    {TraceOperation::kSeek},        {std::nullopt, "ITERATOR_SEEK_FOR_PREV"},
    {TraceOperation::kGet},         {TraceOperation::kPut}};

// The key in hexadecimal, type, column family, bytes of the value and microseconds; a range has two
// keys.
std::string ReadQueryLine(std::vector<Part> parts, TraceEntry& entry) {
  if (parts.size() == 6) parts.erase(parts.begin() + 1);
  if (parts.size() == 4) {
    return "column 1: the line has no key: trace_analyzer leaves it out with --no_key";
  }
  if (parts.size() != 5) {
    return fmt::format("column {}: the line has {} fields instead of 5", parts.back().column,
                       parts.size());
  }
  uint64_t type = 0;
  uint64_t family = 0;
  uint64_t size = 0;
  uint64_t micros = 0;
  std::string wrong = NumberIn(parts[1], "type", std::size(kQueries) - 1, type);
  if (wrong.empty()) wrong = NumberIn(parts[2], "column family", ~uint32_t{0}, family);
  if (wrong.empty()) wrong = NumberIn(parts[3], "value size", ~uint32_t{0}, size);
  if (wrong.empty()) wrong = NumberIn(parts[4], "time", kMostMicros, micros);
  if (!wrong.empty()) return wrong;
  if (!kQueries[type].operation) {
    entry = LeftOut(kQueries[type].left_out);
    return "";
  }
  std::string_view hex = parts[0].text;
  if (hex.starts_with("0x")) hex.remove_prefix(2);
  if (hex.empty() || hex.find_first_not_of("0123456789ABCDEFabcdef") != hex.npos) {
    return fmt::format("column 1 (key): {} is not hexadecimal", Quote(parts[0].text));
  }
  const TraceOperation operation = *kQueries[type].operation;
  entry = Entry(micros * kMicrosecondNs, static_cast<uint32_t>(family), hex, operation,
                operation == TraceOperation::kErase ? 0 : size);
  entry.record.key_size /= 2;
  entry.record.entries = operation == TraceOperation::kSeek ? 1 : 0;
  return "";
}

}  // namespace

std::string ReadRocksDbLine(std::string_view line, TraceEntry& entry) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find(',') != line.npos) return ReadBlockLine(PartsOf(line, ','), entry);
  return ReadQueryLine(PartsOf(line, ' '), entry);
}

}  // namespace levelfield
