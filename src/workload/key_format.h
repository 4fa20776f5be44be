// Turns an index into the bytes of a key, in the forms that the db_bench family writes, so that
// programs can exchange stores:
//
//     decimal   digits padded with '0'; LevelDB has 16
//     hex       the same with the digits 0-9a-f; the LMDB and BerkeleyDB ports
//     integer   8 bytes in the machine's order, for engines that compare them as numbers
//     rocksdb   8 bytes, the highest first, and '0' behind them; RocksDB's db_bench
//
// The shape says how many bytes of 'a' come first. In all forms the order of the keys is that of
// the indexes. The digits take a few multiplications, not snprintf (2 ns against 98).
//
// Keys of decimal or hex digits may vary in length: '.' follows the digits, as many as the index
// says. All have the same number of digits, so the order does not change.
//
// A *missing* key has the same length, but no writer ever writes it. With digits it lies within the
// range of the keys. Its last digit is raised beyond all digits ('0'..'9' to ':'..'C', in hex
// '0'..'f' to 'g'..'v'). So it sorts after all keys that differ only in the last digit and before
// the next. There is no room between two integers, so a missing integer has the top bit set and
// lies behind all others. The same holds for a RocksDB key of 8 bytes or less. A longer one has
// room: '1' as its last byte puts it before the next.
#ifndef LEVELFIELD_WORKLOAD_KEY_FORMAT_H_
#define LEVELFIELD_WORKLOAD_KEY_FORMAT_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/enum_names.h"
#include "base/random.h"
#include "workload/decimal_digits.h"

namespace levelfield {

enum class KeyKind { kDecimal, kHex, kInteger, kRocksDb };
inline constexpr EnumName<KeyKind> kKeyKindNames[] = {{KeyKind::kDecimal, "decimal"},
                                                      {KeyKind::kHex, "hex"},
                                                      {KeyKind::kInteger, "integer"},
                                                      {KeyKind::kRocksDb, "rocksdb"}};
constexpr std::span<const EnumName<KeyKind>> NamesOf(KeyKind) { return kKeyKindNames; }

// What all keys of a store have in common.
struct KeyShape {
  // A size alone means that many decimal digits. `most_bytes` above `key_bytes`: sizes vary.
  KeyShape(size_t key_bytes = 16, KeyKind key_kind = KeyKind::kDecimal, size_t prefix_bytes = 0,
           size_t most_bytes = 0)
      : size(key_bytes),
        kind(key_kind),
        prefix(prefix_bytes),
        most(std::max(key_bytes, most_bytes)) {}

  size_t size;  // Bytes of the prefix and the number: the shortest key.
  KeyKind kind;
  size_t prefix;
  size_t most;  // Bytes of the longest key.

  bool vary() const { return most != size; }
  // The size of the key of `index`: each is equally likely. Stores keep it, so it may not change.
  size_t SizeOf(uint64_t index) const {
    return vary() ? size + static_cast<size_t>((Mix64(~index) >> 32) * (most - size + 1) >> 32)
                  : size;
  }
  double MeanSize() const { return static_cast<double>(size + most) / 2; }

  // Indexes below it have a key of this shape.
  uint64_t Limit() const;
  bool operator==(const KeyShape&) const = default;
};

class KeyFormat {
 public:
  static constexpr size_t kDigits = 16;
  static constexpr uint64_t kLimit = 10'000'000'000'000'000;  // Indexes are below 10^16.
  static constexpr char kFiller = '.';                        // Behind the digits of longer keys.

  // Writes keys four at a time. Returns how many of the `count` it wrote.
  using StoreFours = size_t (*)(const uint64_t* indexes, size_t count, const KeyShape& shape,
                                char* keys);

  // For indexes in [0, range); the range must not exceed the shape's limit.
  KeyFormat(const KeyShape& shape, uint64_t range, bool missing = false);

  const KeyShape& shape() const { return shape_; }
  // Bytes from a key in a buffer to the next one: room for the longest.
  size_t stride() const { return shape_.most; }
  size_t SizeOf(uint64_t index) const { return shape_.SizeOf(index); }

  // The contents of a buffer for `keys` keys before its first use by Format, which writes only the
  // bytes that the range can change. Each key has its filler behind it, up to the longest.
  std::string Blank(size_t keys = 1) const;

  // Writes the keys of `indexes`, stride() bytes apart. Their sizes are those of SizeOf.
  void Format(std::span<const uint64_t> indexes, char* keys) const;

  // The same for one index; returns the key's size.
  [[gnu::always_inline]] size_t FormatOne(uint64_t index, char* key) const {
    if (!has_eight_digits_) [[unlikely]] {
      return FormatAny(index, key);
    }
    const uint64_t last = digits::Make(index);
    std::memcpy(key + shape_.size - sizeof(last), &last, sizeof(last));
    return shape_.size;
  }

  // The index of this key; empty if it is no key (also for a missing key).
  [[gnu::always_inline]] std::optional<uint64_t> Parse(std::string_view key) const {
    if (!has_sixteen_digits_ || key.size() != kDigits) [[unlikely]] {
      return ParseAny(key);
    }
    return ParseSixteen(key.data());
  }

  // Of sixteen characters.
  [[gnu::always_inline]] static std::optional<uint64_t> ParseSixteen(const char* text) {
    const uint64_t high = digits::Load(text);
    const uint64_t low = digits::Load(text + 8);
    if ((digits::Others(high) | digits::Others(low)) != 0) return std::nullopt;
    return digits::NumberOf(high) * digits::kEightDigits + digits::NumberOf(low);
  }

  // The first index whose key lies behind the missing key of `index`.
  uint64_t FirstBehindMissing(uint64_t index) const;

 private:
  size_t FormatAny(uint64_t index, char* key) const;
  std::optional<uint64_t> ParseAny(std::string_view key) const;
  std::optional<uint64_t> ParseWithoutFiller(std::string_view key) const;
  void FormatOneByOne(std::span<const uint64_t> indexes, char* keys) const;
  void FormatDecimal(std::span<const uint64_t> indexes, char* keys) const;
  void FormatHex(std::span<const uint64_t> indexes, char* keys) const;
  void FormatNarrow(std::span<const uint64_t> indexes, char* keys) const;
  void FormatIntegers(std::span<const uint64_t> indexes, char* keys) const;
  void FormatRocksDb(std::span<const uint64_t> indexes, char* keys) const;
  void MakeMissing(size_t count, char* keys) const;
  std::optional<uint64_t> ParseRocksDb(std::string_view key) const;
  // Bytes of a RocksDB key's number; what follows is padding.
  size_t NumberBytes() const { return std::min(shape_.size - shape_.prefix, sizeof(uint64_t)); }
  bool HasPadding() const { return shape_.size - shape_.prefix > sizeof(uint64_t); }

  KeyShape shape_;
  bool has_high_digits_;  // More than the last eight digits change.
  bool is_narrow_;        // A key has fewer digits than are made at once.
  bool missing_;
  bool has_eight_digits_;    // Keys have one size and are decimal; the range can change the last
                             // eight digits.
  bool has_sixteen_digits_;  // A key is sixteen decimal digits and nothing else.
  StoreFours store_fours_;   // Null where keys are made one by one.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_KEY_FORMAT_H_
