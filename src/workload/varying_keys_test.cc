// Keys whose sizes vary: what holds for all of them, whatever their number.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "loop/key_block.h"
#include "workload/key_format.h"

namespace levelfield::varying_keys_test {

std::vector<std::string> Keys(const KeyFormat& format, const std::vector<uint64_t>& indexes) {
  std::string bytes = format.Blank(indexes.size());
  format.Format(indexes, bytes.data());
  std::vector<std::string> keys;
  for (size_t i = 0; i < indexes.size(); ++i) {
    keys.push_back(bytes.substr(i * format.stride(), format.SizeOf(indexes[i])));
  }
  return keys;
}

std::vector<uint64_t> Numbers(uint64_t first, uint64_t count) {
  std::vector<uint64_t> indexes(count);
  for (uint64_t i = 0; i < count; ++i) indexes[i] = first + i;
  return indexes;
}

struct Shaped {
  const char* name;
  KeyShape shape;
};
void PrintTo(const Shaped& shaped, std::ostream* out) { *out << shaped.name; }

class VaryingKeys : public ::testing::TestWithParam<Shaped> {
 protected:
  const KeyShape& shape() const { return GetParam().shape; }

  // Around all the places where another digit begins to count, and drawn ones.
  std::vector<uint64_t> Indexes(uint64_t range) const {
    std::set<uint64_t> indexes = {range - 1};
    for (const uint64_t base : {uint64_t{10}, uint64_t{16}}) {
      for (uint64_t power = 1; power < range; power *= base) {
        for (const uint64_t index : {power - 1, power, power + 1}) {
          if (index < range) indexes.insert(index);
        }
      }
    }
    Random random(range);
    for (int i = 0; i < 2000; ++i) indexes.insert(random.Below(range));
    return {indexes.begin(), indexes.end()};
  }
  std::vector<uint64_t> Ranges() const {
    std::vector<uint64_t> ranges = {shape().Limit()};
    for (const uint64_t range : {uint64_t{1000}, uint64_t{100'000'000}, uint64_t{100'000'001}}) {
      if (range < shape().Limit()) ranges.push_back(range);
    }
    return ranges;
  }
};

TEST_P(VaryingKeys, TheirOrderIsThatOfTheirNumbers) {
  for (const uint64_t range : Ranges()) {
    const std::vector<uint64_t> indexes = Indexes(range);
    const std::vector<std::string> keys = Keys(KeyFormat(shape(), range), indexes);
    for (size_t i = 1; i < keys.size(); ++i) ASSERT_LT(keys[i - 1], keys[i]) << indexes[i];
  }
}

TEST_P(VaryingKeys, AKeyTellsItsNumber) {
  for (const uint64_t range : Ranges()) {
    const KeyFormat format(shape(), range);
    const std::vector<uint64_t> indexes = Indexes(range);
    const std::vector<std::string> keys = Keys(format, indexes);
    for (size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(format.Parse(keys[i]), indexes[i]);
  }
}

TEST_P(VaryingKeys, OneByOneTheyAreTheSame) {
  for (const uint64_t range : Ranges()) {
    for (const bool missing : {false, true}) {
      const KeyFormat format(shape(), range, missing);
      const std::vector<uint64_t> indexes = Indexes(range);
      const std::vector<std::string> keys = Keys(format, indexes);
      std::string bytes = format.Blank();
      for (size_t i = 0; i < keys.size(); ++i) {
        const size_t size = format.FormatOne(indexes[i], bytes.data());
        ASSERT_EQ(bytes.substr(0, size), keys[i]);
      }
    }
  }
}

TEST_P(VaryingKeys, AKeyIsItsNumberAndDots) {
  KeyShape plain(shape().size, shape().kind, shape().prefix);
  const std::vector<uint64_t> indexes = Indexes(shape().Limit());
  const std::vector<std::string> keys = Keys(KeyFormat(shape(), shape().Limit()), indexes);
  const std::vector<std::string> numbers = Keys(KeyFormat(plain, shape().Limit()), indexes);
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(keys[i], numbers[i] + std::string(keys[i].size() - numbers[i].size(), '.'));
  }
}

// Chi-square of the sizes of the first numbers and of far ones, against all being equally likely.
TEST_P(VaryingKeys, EachSizeIsEquallyLikely) {
  const uint64_t count = std::min<uint64_t>(shape().Limit(), 100'000);
  for (const uint64_t first : {uint64_t{0}, shape().Limit() - count}) {
    std::vector<double> seen(shape().most - shape().size + 1);
    for (uint64_t i = 0; i < count; ++i) {
      const size_t size = shape().SizeOf(first + i);
      ASSERT_GE(size, shape().size);
      ASSERT_LE(size, shape().most);
      ++seen[size - shape().size];
    }
    const double expected = static_cast<double>(count) / static_cast<double>(seen.size());
    double chi_square = 0;
    for (const double times : seen)
      chi_square += (times - expected) * (times - expected) / expected;
    const auto freedom = static_cast<double>(seen.size() - 1);
    EXPECT_LT(chi_square, freedom + 4 * std::sqrt(2 * freedom) + 4);
  }
}

TEST_P(VaryingKeys, AMissingKeyIsNobodysAndLiesBetween) {
  const uint64_t range = std::min<uint64_t>(shape().Limit(), 3200);
  const KeyFormat format(shape(), range);
  const KeyFormat missing(shape(), range, true);
  const std::vector<std::string> keys = Keys(format, Numbers(0, range));
  const std::vector<std::string> absent = Keys(missing, Numbers(0, range));
  EXPECT_EQ(std::set<std::string>(absent.begin(), absent.end()).size(), absent.size());
  for (uint64_t i = 0; i < range; ++i) {
    ASSERT_FALSE(format.Parse(absent[i]).has_value()) << absent[i];
    ASSERT_FALSE(std::ranges::binary_search(keys, absent[i])) << absent[i];
    ASSERT_EQ(absent[i].size(), keys[i].size());
    const uint64_t next = missing.FirstBehindMissing(i);
    ASSERT_LT(keys[std::min(next, range) - 1], absent[i]);
    if (next < range) {
      ASSERT_LT(absent[i], keys[next]);
    }
  }
}

TEST_P(VaryingKeys, NothingElseIsAKey) {
  const KeyFormat format(shape(), shape().Limit());
  for (const uint64_t index : {uint64_t{0}, uint64_t{6}, uint64_t{9}, uint64_t{42}}) {
    const std::string key = Keys(format, {index}).front();
    EXPECT_FALSE(format.Parse("").has_value());
    EXPECT_FALSE(format.Parse(key + ".").has_value()) << key;
    EXPECT_FALSE(format.Parse(key.substr(0, key.size() - 1)).has_value()) << "a cut key";
    EXPECT_FALSE(format.Parse("0" + key).has_value());
    for (size_t i = 0; i < key.size(); ++i) {
      for (const char c : {'-', ' ', '/', ':', 'A', 'g', '\0', '\xff'}) {
        std::string broken = key;
        broken[i] = c;
        EXPECT_FALSE(format.Parse(broken).has_value()) << broken;
      }
    }
    for (size_t i = shape().size; i < key.size(); ++i) {
      std::string broken = key;
      broken[i] = '0';
      EXPECT_FALSE(format.Parse(broken).has_value()) << broken;
    }
  }
}

// Blocks are what the loop hands to the engine.
TEST_P(VaryingKeys, ABlockHasThemWithTheirSizesAndCountsTheirBytes) {
  const uint64_t range = std::min<uint64_t>(shape().Limit(), 5000);
  for (const bool cut : {false, true}) {
    const KeyPlan plan{.order = KeyOrder::kUniform, .range = range, .draw_seed = 3};
    KeyBlock made(plan, KeyFormat(shape(), range), 100, cut);
    KeyBlock block = std::move(made);
    uint64_t count = 0;
    uint64_t bytes = 0;
    for (const uint64_t most : {100, 1, 100, 37}) {
      block.Fill(most);
      ASSERT_EQ(block.count(), most);
      for (size_t i = 0; i < most; ++i) {
        const lf_bytes key = block.at(i).key;
        std::string expected = Keys(KeyFormat(shape(), range), {block.indexes()[i]}).front();
        if (cut) expected.pop_back();
        ASSERT_EQ(std::string(key.data, key.size), expected);
        bytes += key.size;
        ASSERT_EQ(block.KeyBytes(++count), bytes);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, VaryingKeys,
    ::testing::Values(Shaped{"decimal", {16, KeyKind::kDecimal, 0, 64}},
                      Shaped{"one_more", {16, KeyKind::kDecimal, 0, 17}},
                      Shaped{"eight_digits", {8, KeyKind::kDecimal, 0, 16}},
                      Shaped{"few_digits", {5, KeyKind::kDecimal, 0, 9}},
                      Shaped{"long", {24, KeyKind::kDecimal, 0, 1024}},
                      Shaped{"behind_a_prefix", {20, KeyKind::kDecimal, 4, 36}},
                      Shaped{"hex", {16, KeyKind::kHex, 0, 48}},
                      Shaped{"few_hex_digits", {6, KeyKind::kHex, 0, 20}},
                      Shaped{"hex_behind_a_prefix", {24, KeyKind::kHex, 8, 33}}),
    [](const auto& test) { return test.param.name; });

TEST(KeyShape, StoresKeepTheSizesSoTheyNeverChange) {
  const KeyShape shape(16, KeyKind::kDecimal, 0, 64);
  std::vector<size_t> sizes;
  for (uint64_t i = 0; i < 8; ++i) sizes.push_back(shape.SizeOf(i));
  EXPECT_EQ(sizes, (std::vector<size_t>{50, 57, 20, 36, 29, 44, 58, 41}));
  EXPECT_EQ(KeyShape(20, KeyKind::kHex, 4, 68).SizeOf(5), sizes[5] + 4) << "only the number counts";
}

TEST(KeyShape, ALargestSizeThatIsNotLargerMakesOneSize) {
  EXPECT_FALSE(KeyShape(16).vary());
  EXPECT_FALSE(KeyShape(16, KeyKind::kDecimal, 0, 16).vary());
  EXPECT_FALSE(KeyShape(16, KeyKind::kDecimal, 0, 8).vary());
  EXPECT_EQ(KeyShape(16, KeyKind::kDecimal, 0, 8).SizeOf(3), 16u);
  EXPECT_EQ(KeyShape(8, KeyKind::kDecimal, 0, 64).Limit(), 100'000'000u) << "digits alone count";
}

}  // namespace levelfield::varying_keys_test
