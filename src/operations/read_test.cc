#include "operations/read.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace levelfield::read_test {

lf_bytes Bytes(const std::string& text) { return {text.data(), text.size()}; }

std::string Integer(uint64_t integer) {
  return {reinterpret_cast<const char*>(&integer), sizeof(integer)};
}

// How many steps of a scan over these keys come in the wrong order.
uint64_t Wrong(OrderCheck check, const std::vector<std::string>& keys) {
  uint64_t wrong = 0;
  for (const std::string& key : keys) wrong += check.WrongStep(Bytes(key), {});
  return wrong;
}

TEST(OrderCheck, KeysComeInTheOrderOfTheirBytes) {
  EXPECT_EQ(Wrong({true, false}, {}), 0u);
  EXPECT_EQ(Wrong({true, false}, {"", "a", "aa", "ab", "b", "\xff"}), 0u);
  EXPECT_EQ(Wrong({false, false}, {"\xff", "b", "ab", "aa", "a", ""}), 0u);
  EXPECT_EQ(Wrong({true, false}, {"a", "b", "a", "c"}), 1u);
  EXPECT_EQ(Wrong({true, false}, {"a", "a"}), 1u) << "each key once";
  EXPECT_EQ(Wrong({true, false}, {"b", "a", "c"}), 1u);
  EXPECT_EQ(Wrong({false, false}, {"a", "b"}), 1u);
}

TEST(OrderCheck, IntegersComeInTheirOwnOrder) {
  const std::vector<std::string> keys = {Integer(1), Integer(255), Integer(256), Integer(65536)};
  EXPECT_EQ(Wrong({true, true}, keys), 0u);
  EXPECT_GT(Wrong({true, false}, keys), 0u);
}

TEST(OrderCheck, WhatIsFoundIsNotBeforeWhatWasSought) {
  const OrderCheck check(true, false);
  EXPECT_EQ(check.WrongFound(Bytes("b"), Bytes("b"), {}), 0u);
  EXPECT_EQ(check.WrongFound(Bytes("b"), Bytes("ba"), {}), 0u);
  EXPECT_EQ(check.WrongFound(Bytes("b"), Bytes("a"), {}), 1u);
}

TEST(EntryCheck, AnEntryIsOneOfOursWithItsOwnValue) {
  const ValueSource values(7, 100, 0.5);
  const ValueSource others(8, 100, 0.5);
  const KeyFormat format(KeyShape(8, KeyKind::kHex), 1000);
  const auto entry = [&](uint64_t index, const ValueSource& source, uint64_t of) {
    std::pair<std::string, std::string> made{format.Blank(), std::string(40, '\0')};
    format.Format(std::span(&index, 1), made.first.data());
    source.Make(of, 3, 40, made.second.data());
    return made;
  };
  const auto wrong = [&](const std::pair<std::string, std::string>& made) {
    EntryCheck check(OrderCheck(true, false), format, values);
    return check.WrongStep(Bytes(made.first), Bytes(made.second));
  };
  EXPECT_EQ(wrong(entry(10, values, 10)), 0u);
  EXPECT_EQ(wrong(entry(10, values, 11)), 1u) << "another key's value";
  EXPECT_EQ(wrong(entry(10, others, 10)), 1u) << "another store's value";
  EXPECT_EQ(wrong({"0000000A", entry(10, values, 10).second}), 1u) << "no key of ours";
  EXPECT_EQ(wrong({entry(10, values, 10).first, ""}), 1u) << "no value";
  // An entry that is wrong in two ways counts once.
  EntryCheck check(OrderCheck(true, false), format, values);
  EXPECT_EQ(
      check.WrongStep(Bytes(entry(10, values, 10).first), Bytes(entry(10, values, 10).second)), 0u);
  EXPECT_EQ(check.WrongStep(Bytes("0"), Bytes("")), 1u);
}

}  // namespace levelfield::read_test
