#include "workload/timeseries.h"

#include <gtest/gtest.h>

#include <set>

#include "workload/expected_state.h"

namespace levelfield::series_test {

SeriesPlan Plan(uint64_t ids, uint64_t times) {
  return {.ids = ids, .time_bits = SeriesPlan::BitsFor(times), .time_range = 20, .seed = 5};
}

TEST(SeriesPlan, GivesEachIdOneTimeOfEveryRound) {
  const SeriesPlan plan = Plan(13, 1000);
  std::set<std::vector<uint64_t>> orders;
  for (uint64_t round = 0; round < 50; ++round) {
    std::vector<uint64_t> order;
    for (uint64_t place = 0; place < 13; ++place) {
      const uint64_t time = round * 13 + place;
      const uint64_t id = plan.IdAt(time);
      order.push_back(id);
      EXPECT_EQ(plan.TimeIn(round, id), time);
      EXPECT_EQ(plan.IdOf(plan.IndexOf(id, time)), id);
      EXPECT_EQ(plan.TimeOf(plan.IndexOf(id, time)), time);
    }
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), 13u);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 45u) << "and another order in each";
}

TEST(SeriesPlan, FindsTheRoundOfATime) {
  const SeriesPlan plan = Plan(13, 1000);
  for (uint64_t id = 0; id < 13; ++id) {
    for (uint64_t time = 0; time < 200; ++time) {
      uint64_t first = time;
      while (plan.IdAt(first) != id) ++first;
      EXPECT_EQ(plan.RoundFrom(time, id), first / 13);
    }
  }
}

// Compares what the model finds in a few steps with a list of all entries.
TEST(SeriesHistory, AgreesWithAMapThatSawEveryEntry) {
  for (const auto& [ids, times] : std::vector<std::pair<uint64_t, uint64_t>>{
           {7, 100}, {100, 30}, {1, 17}, {16, 64}, {5, 1}, {3, 0}}) {
    const SeriesPlan plan = Plan(ids, 128);
    std::vector<uint64_t> erased_before(ids);
    for (uint64_t id = 0; id < ids; id += 2) erased_before[id] = 5 * id;
    ExpectedState state;
    WriteLayer layer;
    layer.history = std::make_shared<SeriesHistory>(plan, times, erased_before, 9, 100);
    state.Add(layer);
    std::set<uint64_t> present;
    for (uint64_t time = 0; time < times; ++time) {
      const uint64_t id = plan.IdAt(time);
      if (time >= erased_before[id]) present.insert(plan.IndexOf(id, time));
    }
    EXPECT_TRUE(state.IsSparse());
    EXPECT_EQ(state.Candidates(), times);
    const uint64_t range = state.Range();
    ASSERT_EQ(range, ids * 128);
    for (uint64_t index = 0; index <= range; ++index) {
      if (index < range) {
        ASSERT_EQ(state.Find(index).has_value(), present.contains(index));
      }
      const auto next = present.lower_bound(index);
      ASSERT_EQ(state.NextPresent(index), next == present.end() ? range : *next) << index;
      ASSERT_EQ(state.PresentBefore(index), next == present.begin() ? range : *std::prev(next))
          << index;
    }
    std::set<uint64_t> candidates;
    for (uint64_t n = 0; n < times; ++n) candidates.insert(state.Candidate(n));
    EXPECT_EQ(candidates.size(), times);
    EXPECT_TRUE(std::ranges::includes(candidates, present));
  }
}

TEST(SeriesHistory, IsOneLayerAmongOthers) {
  const SeriesPlan plan = Plan(10, 64);
  ExpectedState state;
  WriteLayer series;
  series.history = std::make_shared<SeriesHistory>(plan, 40, std::vector<uint64_t>(), 1, 100);
  state.Add(series);
  WriteLayer dense;
  dense.order = {.order = KeyOrder::kSequential, .range = 20};
  dense.shares = {{0, 20, 20}};
  dense.erases = true;
  state.Add(dense);
  std::set<uint64_t> present;
  for (uint64_t time = 0; time < 40; ++time) {
    const uint64_t index = plan.IndexOf(plan.IdAt(time), time);
    if (index >= 20) present.insert(index);
  }
  std::set<uint64_t> forwards;
  for (uint64_t i = state.NextPresent(0); i < state.Range(); i = state.NextPresent(i + 1)) {
    forwards.insert(i);
  }
  EXPECT_EQ(forwards, present);
  std::set<uint64_t> backwards;
  for (uint64_t i = state.PresentBefore(state.Range()); i < state.Range();
       i = state.PresentBefore(i)) {
    backwards.insert(i);
  }
  EXPECT_EQ(backwards, present);
}

}  // namespace levelfield::series_test
