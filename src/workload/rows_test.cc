#include "workload/rows.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "workload/expected_state.h"

namespace levelfield::rows_test {

constexpr uint64_t kSeed = 11;
constexpr uint64_t kValueBytes = 100;

ExpectedState Loaded(uint64_t rows) {
  ExpectedState state;
  WriteLayer layer;
  layer.order = {.order = KeyOrder::kSequential, .range = rows, .end_position = rows};
  layer.shares = {{.end_position = rows, .operations = rows}};
  layer.value_size = kValueBytes;
  state.Add(layer);
  return state;
}

void Add(ExpectedState& state, std::shared_ptr<const KeyHistory> history) {
  WriteLayer layer;
  layer.history = std::move(history);
  state.Add(layer);
}

TEST(RowPlaces, GiveEachRowAPlaceOfItsOwnInEachIndex) {
  const RowPlaces places({.rows = 100, .indexes = 3}, kSeed);
  std::set<uint64_t> keys;
  for (uint64_t index = 0; index <= 3; ++index) {
    for (uint64_t row = 0; row < 100; ++row) {
      const uint64_t key = places.KeyOf(row, index);
      keys.insert(key);
      EXPECT_EQ(places.IndexOf(key), index);
      EXPECT_EQ(places.RowAt(key, 0), row);
    }
  }
  EXPECT_EQ(keys.size(), places.plan().range());
  EXPECT_EQ(*keys.rbegin(), places.plan().range() - 1);
}

TEST(RowPlaces, AreInOrderInThePrimaryIndexAndInDifferentOrdersInTheOthers) {
  const RowPlaces places({.rows = 100, .indexes = 2}, kSeed);
  uint64_t rising = 0;
  uint64_t same = 0;
  for (uint64_t row = 1; row < 100; ++row) {
    EXPECT_EQ(places.KeyOf(row, 0), row);
    rising += places.KeyOf(row, 1) > places.KeyOf(row - 1, 1) ? 1 : 0;
    same += places.KeyOf(row, 1) + 100 == places.KeyOf(row, 2) ? 1 : 0;
  }
  EXPECT_GT(rising, 25u);
  EXPECT_LT(rising, 75u);
  EXPECT_LT(same, 10u);
}

TEST(RowPlaces, ComeAgainAfterSoManyRows) {
  const RowPlaces places({.rows = 100, .indexes = 1}, kSeed);
  const uint64_t key = places.KeyOf(42, 1);
  EXPECT_EQ(places.KeyOf(142, 1), key);
  EXPECT_EQ(places.RowAt(key, 42), 42u);
  EXPECT_EQ(places.RowAt(key, 43), 142u);
  EXPECT_EQ(places.RowAt(key, 142), 142u);
}

// What a store holds by key: a version, after phases that load, index and insert, as a plain map.
class RowsInAStore : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RowsInAStore, AreThoseThatAPlainMapOfThemHas) {
  const RowsPlan plan = {.rows = 50, .indexes = 2, .deletes = GetParam()};
  const RowPlaces places(plan, kSeed);
  ExpectedState state = Loaded(20);
  EXPECT_EQ(RowsHeldBy(state, plan), (RowNumbers{0, 20}));
  std::map<uint64_t, uint32_t> present;
  for (uint64_t row = 0; row < 20; ++row) present[row] = 1;

  const uint32_t of_index = state.NextVersion();
  Add(state, std::make_shared<IndexHistory>(places, RowNumbers{0, 20}, 40, of_index));
  for (uint64_t row = 0; row < 20; ++row) {
    for (uint64_t index = 1; index <= 2; ++index) present[places.KeyOf(row, index)] = of_index;
  }
  RowNumbers held = {0, 20};
  for (const uint64_t inserted : {0, 1, 7, 15, 110, 3}) {
    if (plan.deletes == 0 && held.count() + inserted > plan.rows) continue;
    SCOPED_TRACE(inserted);
    const uint32_t version = state.NextVersion();
    for (uint64_t i = 0; i < inserted; ++i) {
      for (uint64_t index = 0; index <= 2; ++index) {
        if (plan.deletes != 0) present.erase(places.KeyOf(held.first + i, index));
        present[places.KeyOf(held.end + i, index)] = version + static_cast<uint32_t>(i / plan.rows);
      }
    }
    // As a phase finds them: with numbers that begin below `rows` again.
    const RowNumbers found = RowsHeldBy(state, plan);
    EXPECT_EQ(found.first, held.first % plan.rows);
    EXPECT_EQ(found.count(), held.count());
    Add(state, std::make_shared<RowHistory>(places, found, inserted, version, kValueBytes));
    held = {held.first + plan.deletes * inserted, held.end + inserted};
    std::map<uint64_t, uint32_t> expected;
    for (uint64_t key = 0; key < plan.range(); ++key) {
      const auto entry = state.Find(key);
      if (!entry) continue;
      expected[key] = entry->version;
      EXPECT_EQ(entry->value_size, key < plan.rows ? kValueBytes : RowsPlan::kEntryBytes);
    }
    EXPECT_EQ(expected, present);
    EXPECT_EQ(state.PresentCount(), 3 * held.count());
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutDeletes, RowsInAStore, ::testing::Values(0, 1));

TEST(RowsHeld, MayFillAllPlacesOrNone) {
  const RowsPlan plan = {.rows = 20, .indexes = 0};
  EXPECT_EQ(RowsHeldBy(ExpectedState(), plan), (RowNumbers{0, 0}));
  EXPECT_EQ(RowsHeldBy(Loaded(20), plan), (RowNumbers{0, 20}));
}

TEST(IndexWalk, IsEachEntryOfHeldRowsInTheOrderOfTheirKeys) {
  const RowPlaces places({.rows = 50, .indexes = 2}, kSeed);
  std::set<uint64_t> expected;
  for (uint64_t row = 30; row < 60; ++row) {
    for (uint64_t index = 1; index <= 2; ++index) expected.insert(places.KeyOf(row, index));
  }
  IndexWalk walk(places, {30, 60});
  ASSERT_EQ(walk.entries(), expected.size());
  for (const uint64_t key : expected) EXPECT_EQ(walk.Next(), key);
}

TEST(IndexHistory, OfAPhaseThatEndedEarlyHasTheFirstEntriesOnly) {
  const RowPlaces places({.rows = 50, .indexes = 2}, kSeed);
  const IndexHistory history(places, {0, 20}, 13, 4);
  IndexWalk walk(places, {0, 20});
  for (uint64_t i = 0; i < walk.entries(); ++i) {
    EXPECT_EQ(history.LastOf(walk.Next()).has_value(), i < 13) << i;
  }
  EXPECT_FALSE(history.LastOf(0)) << "the row's own entry is in no secondary index";
}

}  // namespace levelfield::rows_test
