#include "workload/key_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"

namespace levelfield::key_format_test {

constexpr uint64_t kPaddedRange = 100'000'000;  // Up to here the high digits are padding.

std::string Printed(uint64_t index, size_t key_size) {
  char text[200];
  snprintf(text, sizeof(text), "%0*llu", static_cast<int>(key_size),
           static_cast<unsigned long long>(index));
  return text;
}

std::vector<std::string> Keys(const KeyFormat& format, const std::vector<uint64_t>& indexes) {
  const size_t size = format.stride();
  std::string bytes = format.Blank(indexes.size());
  format.Format(indexes, bytes.data());
  std::vector<std::string> keys;
  for (size_t i = 0; i < indexes.size(); ++i) keys.push_back(bytes.substr(i * size, size));
  return keys;
}

void ExpectPrinted(const KeyFormat& format, const std::vector<uint64_t>& indexes) {
  const std::vector<std::string> keys = Keys(format, indexes);
  for (size_t i = 0; i < indexes.size(); ++i) {
    ASSERT_EQ(keys[i], Printed(indexes[i], format.stride()));
  }
}

std::vector<uint64_t> FirstIndexes(uint64_t count) {
  std::vector<uint64_t> indexes(count);
  for (uint64_t i = 0; i < count; ++i) indexes[i] = i;
  return indexes;
}

std::vector<uint64_t> IndexesAroundPowersOfTen(uint64_t range) {
  std::vector<uint64_t> indexes;
  for (uint64_t power = 1; power < range; power *= 10) {
    for (const uint64_t index : {power - 1, power, power + 1}) {
      if (index < range) indexes.push_back(index);
    }
  }
  indexes.push_back(range - 1);
  return indexes;
}

std::vector<uint64_t> RandomIndexes(uint64_t range, size_t count) {
  Random random(range + 1);
  std::vector<uint64_t> indexes(count);
  for (uint64_t& index : indexes) index = random.Below(range);
  return indexes;
}

// A key size takes the path for whole registers (16, up to 10^8) or the general one.
class KeyFormatOfSize : public ::testing::TestWithParam<size_t> {};

TEST_P(KeyFormatOfSize, IsWhatPrintfPrints) {
  for (const uint64_t range : {kPaddedRange, kPaddedRange + 1, KeyFormat::kLimit}) {
    const KeyFormat format(GetParam(), range);
    ExpectPrinted(format, FirstIndexes(100'001));
    ExpectPrinted(format, IndexesAroundPowersOfTen(range));
    ExpectPrinted(format, RandomIndexes(range, 100'000));
  }
}

TEST_P(KeyFormatOfSize, IsWhatPrintfPrintsForBlocksOfAnyLength) {
  for (const uint64_t range : {kPaddedRange, KeyFormat::kLimit}) {
    const KeyFormat format(GetParam(), range);
    for (size_t length = 0; length <= 130; ++length) {
      ExpectPrinted(format, RandomIndexes(range - length, length));
    }
  }
}

TEST_P(KeyFormatOfSize, ABlockIsWrittenOverTheLastOne) {
  for (const bool missing : {false, true}) {
    const KeyFormat format(GetParam(), kPaddedRange, missing);
    std::string bytes(5 * GetParam(), '0');
    format.Format(std::vector<uint64_t>(5, 99'999'999), bytes.data());
    format.Format(std::vector<uint64_t>(5, 7), bytes.data());
    std::string key = Printed(7, GetParam());
    if (missing) key.back() = 'A';
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(bytes.substr(i * GetParam(), GetParam()), key);
  }
}

TEST_P(KeyFormatOfSize, AMissingKeyIsNoKeyOfTheSameLengthWithinTheRange) {
  for (const uint64_t range :
       {uint64_t{11}, uint64_t{1000}, uint64_t{1003}, kPaddedRange, KeyFormat::kLimit}) {
    const KeyFormat format(GetParam(), range);
    const KeyFormat missing(GetParam(), range, true);
    const std::string first = Printed(0, GetParam());
    const std::string last = Printed(range - 1, GetParam());
    std::vector<uint64_t> indexes = RandomIndexes(range - 10, 2000);
    for (uint64_t i = 0; i < std::min<uint64_t>(range - 10, 100); ++i) {
      indexes.push_back(i);
      indexes.push_back(range - 11 - i);
    }
    const std::vector<std::string> keys = Keys(missing, indexes);
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(keys[i].size(), GetParam());
      ASSERT_FALSE(format.Parse(keys[i]).has_value()) << keys[i];
      ASSERT_FALSE(missing.Parse(keys[i]).has_value()) << keys[i];
      ASSERT_LT(first, keys[i]);
      ASSERT_LT(keys[i], last) << "index " << indexes[i] << " of " << range;
      // After all of its ten and before the next ten.
      ASSERT_GT(keys[i], Printed(indexes[i] / 10 * 10 + 9, GetParam()));
      ASSERT_LT(keys[i], Printed(indexes[i] / 10 * 10 + 10, GetParam()));
    }
  }
}

TEST(KeyFormat, IndexesAreBelow10ToThe16) {
  EXPECT_TRUE(KeyFormat(16, kPaddedRange).Parse(std::string(16, '9')).has_value());
  EXPECT_FALSE(KeyFormat(17, kPaddedRange).Parse(std::string(17, '9')).has_value());
}

INSTANTIATE_TEST_SUITE_P(KeySizes, KeyFormatOfSize, ::testing::Values(16, 17, 24, 100));

TEST(KeyFormat, MissingKeysDifferFromEachOther) {
  const std::vector<std::string> keys = Keys(KeyFormat(16, 10'000, true), FirstIndexes(10'000));
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 10'000u);
}

TEST(KeyFormat, BothPathsWriteTheSameBytesForEveryEightDigits) {
  // 16 digits up to 10^8 go through registers, 17 digits one by one. Every 37th of 10^8 covers all
  // residues of the reciprocals' lanes.
  const KeyFormat registers(16, kPaddedRange);
  const KeyFormat general(17, kPaddedRange);
  constexpr size_t kBlock = 128;
  std::vector<uint64_t> indexes(kBlock);
  std::string padded(kBlock * 16, '0');
  std::string one_by_one(kBlock * 17, '0');
  for (uint64_t first = 0; first + kBlock * 37 < kPaddedRange; first += kBlock * 37) {
    for (size_t i = 0; i < kBlock; ++i) indexes[i] = first + i * 37;
    registers.Format(indexes, padded.data());
    general.Format(indexes, one_by_one.data());
    for (size_t i = 0; i < kBlock; ++i) {
      ASSERT_EQ(memcmp(&padded[i * 16], &one_by_one[i * 17 + 1], 16), 0) << indexes[i];
    }
  }
}

// Shapes other than plain digits of 16 bytes and more, as printf or the machine writes them.
struct Shaped {
  const char* name;
  KeyShape shape;
};
void PrintTo(const Shaped& shaped, std::ostream* out) { *out << shaped.name; }

class KeyFormatOfShape : public ::testing::TestWithParam<Shaped> {
 protected:
  const KeyShape& shape() const { return GetParam().shape; }

  std::string Expected(uint64_t index) const {
    if (shape().kind == KeyKind::kInteger) {
      return {reinterpret_cast<const char*>(&index), sizeof(index)};
    }
    if (shape().kind == KeyKind::kRocksDb) {
      // As RocksDB's db_bench makes it: below 8 bytes only the low ones.
      const size_t size = shape().size - shape().prefix;
      std::string key(size, '0');
      const size_t bytes = std::min<size_t>(size, 8);
      for (size_t i = 0; i < bytes; ++i) {
        key[i] = static_cast<char>(index >> ((bytes - i - 1) << 3));
      }
      return std::string(shape().prefix, 'a') + key;
    }
    char text[200];
    snprintf(text, sizeof(text), shape().kind == KeyKind::kHex ? "%0*lx" : "%0*lu",
             static_cast<int>(shape().size - shape().prefix), static_cast<unsigned long>(index));
    return std::string(shape().prefix, 'a') + text;
  }

  // Numbers at which another digit begins to count, up to the shape's limit.
  std::vector<uint64_t> Indexes(uint64_t range) const {
    std::vector<uint64_t> indexes = RandomIndexes(range, 1000);
    for (const uint64_t base : {uint64_t{10}, uint64_t{16}}) {
      for (uint64_t power = 1; power < range && power < KeyFormat::kLimit; power *= base) {
        indexes.push_back(power - 1);
        indexes.push_back(power);
      }
    }
    indexes.push_back(range - 1);
    return indexes;
  }

  std::vector<uint64_t> Ranges() const {
    std::vector<uint64_t> ranges = {shape().Limit()};
    for (const uint64_t range :
         {uint64_t{7}, uint64_t{1000}, kPaddedRange, kPaddedRange + 1, (uint64_t{1} << 32) + 1}) {
      if (range < shape().Limit()) ranges.push_back(range);
    }
    return ranges;
  }
};

TEST_P(KeyFormatOfShape, IsWhatThePortsOfDbBenchWrite) {
  for (const uint64_t range : Ranges()) {
    const KeyFormat format(shape(), range);
    const std::vector<uint64_t> indexes = Indexes(range);
    const std::vector<std::string> keys = Keys(format, indexes);
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(keys[i], Expected(indexes[i])) << indexes[i] << " of " << range;
      ASSERT_EQ(format.Parse(keys[i]), indexes[i]);
    }
  }
}

TEST_P(KeyFormatOfShape, ABlockIsWrittenToItsEndAndNotBeyond) {
  const std::string margin(64, '#');
  for (const uint64_t range : Ranges()) {
    const KeyFormat format(shape(), range);
    const uint64_t index = std::min<uint64_t>(range - 1, 12'345'678);
    for (size_t length = 1; length <= 40; ++length) {
      std::string bytes = margin + format.Blank(length) + margin;
      format.Format(std::vector<uint64_t>(length, index), bytes.data() + margin.size());
      ASSERT_TRUE(bytes.starts_with(margin) && bytes.ends_with(Expected(index) + margin)) << length;
    }
  }
}

TEST_P(KeyFormatOfShape, AMissingKeyIsNobodysAndLiesWhereItSays) {
  const uint64_t range = std::min<uint64_t>(shape().Limit(), 1000);
  const KeyFormat format(shape(), range);
  const KeyFormat missing(shape(), range, true);
  const std::vector<uint64_t> indexes = FirstIndexes(range);
  const std::vector<std::string> keys = Keys(missing, indexes);
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), keys.size());
  const auto less = [&](const std::string& a, const std::string& b) {
    if (shape().kind != KeyKind::kInteger) return a < b;
    uint64_t left = 0, right = 0;
    memcpy(&left, a.data(), 8);
    memcpy(&right, b.data(), 8);
    return left < right;
  };
  for (const uint64_t index : indexes) {
    const std::string& key = keys[index];
    ASSERT_EQ(key.size(), shape().size);
    ASSERT_FALSE(format.Parse(key).has_value()) << key;
    const uint64_t next = missing.FirstBehindMissing(index);
    ASSERT_GT(next, index);
    ASSERT_TRUE(less(Expected(std::min(next - 1, range - 1)), key));
    if (next < range) {
      ASSERT_TRUE(less(key, Expected(next)));
    }
  }
}

TEST_P(KeyFormatOfShape, RefusesWhatIsNoKey) {
  const KeyFormat format(shape(), shape().Limit());
  const std::string key = Expected(6);
  EXPECT_EQ(format.Parse(key), 6u);
  EXPECT_FALSE(format.Parse("").has_value());
  EXPECT_FALSE(format.Parse(key + "0").has_value());
  EXPECT_FALSE(format.Parse("0" + key).has_value());
  EXPECT_FALSE(format.Parse(key.substr(1)).has_value());
  const bool is_binary = shape().kind == KeyKind::kInteger || shape().kind == KeyKind::kRocksDb;
  for (size_t i = 0; i < key.size() && !is_binary; ++i) {
    for (const char c : {'-', '+', ' ', '/', ':', 'A', 'C', 'F', 'g', 'x', '\0', '\xff'}) {
      std::string broken = key;
      broken[i] = c;
      EXPECT_FALSE(format.Parse(broken).has_value()) << broken;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, KeyFormatOfShape,
    ::testing::Values(
        Shaped{"hex", {16, KeyKind::kHex}}, Shaped{"hex_8", {8, KeyKind::kHex}},
        Shaped{"hex_5", {5, KeyKind::kHex}}, Shaped{"hex_1", {1, KeyKind::kHex}},
        Shaped{"hex_24", {24, KeyKind::kHex}},
        Shaped{"hex_behind_a_prefix", {20, KeyKind::kHex, 4}}, Shaped{"decimal_16", {16}},
        Shaped{"decimal_17", {17}}, Shaped{"decimal_24", {24}}, Shaped{"decimal_100", {100}},
        Shaped{"decimal_8", {8}}, Shaped{"decimal_9", {9}}, Shaped{"decimal_1", {1}},
        Shaped{"decimal_behind_a_prefix", {32, KeyKind::kDecimal, 16}},
        Shaped{"prefix_longer_than_the_digits", {16, KeyKind::kDecimal, 13}},
        Shaped{"integer", {8, KeyKind::kInteger}}, Shaped{"rocksdb", {16, KeyKind::kRocksDb}},
        Shaped{"rocksdb_20", {20, KeyKind::kRocksDb}}, Shaped{"rocksdb_9", {9, KeyKind::kRocksDb}},
        Shaped{"rocksdb_8", {8, KeyKind::kRocksDb}}, Shaped{"rocksdb_7", {7, KeyKind::kRocksDb}},
        Shaped{"rocksdb_2", {2, KeyKind::kRocksDb}},
        Shaped{"rocksdb_behind_a_prefix", {20, KeyKind::kRocksDb, 4}}),
    [](const auto& test) { return test.param.name; });

TEST(KeyFormat, ARocksDbKeyWithAnythingElseInItsPaddingIsNone) {
  const KeyFormat format(KeyShape(18, KeyKind::kRocksDb, 2), 1000);
  const std::string key = std::string("aa") + std::string(7, '\0') + "\x05" + "00000000";
  EXPECT_EQ(format.Parse(key), 5u);
  for (size_t i = 10; i < key.size(); ++i) {
    std::string broken = key;
    broken[i] = '1';
    EXPECT_FALSE(format.Parse(broken).has_value()) << i;
  }
  std::string other_prefix = key;
  other_prefix[1] = 'b';
  EXPECT_FALSE(format.Parse(other_prefix).has_value());
  std::string too_large = key;
  too_large[2] = '\x01';
  EXPECT_FALSE(format.Parse(too_large).has_value()) << "2^56 is beyond all indexes";
}

TEST(KeyShape, SaysHowManyNumbersItCanHold) {
  EXPECT_EQ(KeyShape(1).Limit(), 10u);
  EXPECT_EQ(KeyShape(8).Limit(), 100'000'000u);
  EXPECT_EQ(KeyShape(16).Limit(), KeyFormat::kLimit);
  EXPECT_EQ(KeyShape(1024).Limit(), KeyFormat::kLimit);
  EXPECT_EQ(KeyShape(8, KeyKind::kHex).Limit(), uint64_t{1} << 32);
  EXPECT_EQ(KeyShape(16, KeyKind::kHex).Limit(), KeyFormat::kLimit);
  EXPECT_EQ(KeyShape(8, KeyKind::kDecimal, 6).Limit(), 100u);
  EXPECT_EQ(KeyShape(8, KeyKind::kInteger).Limit(), KeyFormat::kLimit);
  EXPECT_EQ(KeyShape(16, KeyKind::kRocksDb).Limit(), KeyFormat::kLimit);
  EXPECT_EQ(KeyShape(2, KeyKind::kRocksDb).Limit(), uint64_t{1} << 15);
  EXPECT_EQ(KeyShape(4, KeyKind::kInteger).Limit(), 0u) << "integers have 8 bytes";
}

TEST(KeyKind, HasTheNamesOfTheFlag) {
  for (const KeyKind kind :
       {KeyKind::kDecimal, KeyKind::kHex, KeyKind::kInteger, KeyKind::kRocksDb}) {
    EXPECT_EQ(FromName<KeyKind>(NameOf(kind)), kind);
  }
  EXPECT_FALSE(FromName<KeyKind>("octal").has_value());
  EXPECT_FALSE(FromName<KeyKind>("").has_value());
}

}  // namespace levelfield::key_format_test
