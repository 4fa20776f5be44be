#include "workload/expected_state.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "base/random.h"

namespace levelfield::expected_state_test {

// A role's layer with equal shares, of which each thread acknowledged `operations[thread]`.
WriteLayer Layer(const ExpectedState& state, KeyOrder order, uint64_t range, uint64_t seed,
                 const std::vector<uint64_t>& operations, bool erases = false,
                 uint64_t value_size = 100) {
  WriteLayer layer;
  layer.erases = erases;
  layer.order = {.order = order, .range = range, .order_seed = seed};
  const uint64_t threads = operations.size();
  for (uint64_t thread = 0; thread < threads; ++thread) {
    layer.shares.push_back(
        {range * thread / threads, range * (thread + 1) / threads, operations[thread]});
  }
  layer.first_version = state.NextVersion();
  layer.value_size = value_size;
  return layer;
}

using Entries = std::map<uint64_t, std::pair<uint32_t, uint64_t>>;

void ExpectEqual(const ExpectedState& state, const Entries& entries) {
  for (uint64_t index = 0; index < 64; ++index) {
    const auto found = state.Find(index);
    const auto it = entries.find(index);
    RC_ASSERT(found.has_value() == (it != entries.end()));
    if (!found) continue;
    RC_ASSERT(index < state.Range());
    RC_ASSERT(found->version == it->second.first);
    RC_ASSERT(found->value_size == it->second.second);
  }
}

// The lengths of values that each extend the one before.
uint64_t LengthOf(const WriteLayer& layer, const Entries& entries, uint64_t index) {
  const auto old = entries.find(index);
  const uint64_t size = old == entries.end() ? 0 : old->second.second;
  switch (layer.length) {
    case LengthRule::kKept:
      return old == entries.end() ? layer.value_size.most() : size;
    case LengthRule::kGrown:
      return size == 0 ? layer.value_size.most() : size + 1 + layer.value_size.most();
    case LengthRule::kOwn:
      break;
  }
  return layer.value_size.most();
}

// Does the same writes to a map, one by one, as the threads' sequences make them. Notes every
// version that a key was ever given in `versions`, where it must be new.
void Apply(const WriteLayer& layer, Entries& entries,
           std::set<std::pair<uint64_t, uint32_t>>& versions) {
  for (const WriteLayer::Share& share : layer.shares) {
    KeyPlan plan = layer.order;
    plan.first_position = share.first_position;
    plan.end_position = share.end_position;
    if (plan.share() == 0) continue;
    KeySequence sequence(plan);
    for (uint64_t done = 0; done < share.operations; ++done) {
      uint64_t index = 0;
      uint64_t round = 0;
      sequence.Fill(std::span(&index, 1), &round);
      if (layer.erases) {
        entries.erase(index);
        continue;
      }
      const auto version = layer.first_version + static_cast<uint32_t>(round);
      RC_ASSERT(versions.emplace(index, version).second);
      entries[index] = {version, LengthOf(layer, entries, index)};
    }
  }
}

RC_GTEST_PROP(ExpectedState, AgreesWithAMapThatSawEveryWrite, ()) {
  ExpectedState state;
  Entries entries;
  std::set<std::pair<uint64_t, uint32_t>> versions;
  const int layers = *rc::gen::inRange(1, 9);
  for (int i = 0; i < layers; ++i) {
    const auto range = *rc::gen::inRange<uint64_t>(1, 60);
    const auto threads = *rc::gen::inRange<size_t>(1, 5);
    // Covers nothing, a part, exactly all, and several rounds.
    const auto operations = *rc::gen::container<std::vector<uint64_t>>(
        threads, rc::gen::oneOf(rc::gen::just<uint64_t>(0), rc::gen::inRange<uint64_t>(0, 70),
                                rc::gen::just<uint64_t>(60), rc::gen::just<uint64_t>(120)));
    WriteLayer layer = Layer(state, *rc::gen::element(KeyOrder::kSequential, KeyOrder::kShuffled),
                             range, *rc::gen::arbitrary<uint64_t>(), operations,
                             *rc::gen::weightedElement<bool>({{3, false}, {1, true}}),
                             *rc::gen::inRange<uint64_t>(0, 1000));
    layer.length = *rc::gen::element(LengthRule::kOwn, LengthRule::kOwn, LengthRule::kKept,
                                     LengthRule::kGrown);
    Apply(layer, entries, versions);
    state.Add(layer);
    ExpectEqual(state, entries);
  }
}

// Compares layers of all kinds with a map that saw every write. If threads wrote a key with
// different versions, any of them may have come last.
RC_GTEST_PROP(ExpectedState, RemembersTheLastDrawnWriteOfEachKey, ()) {
  constexpr uint32_t kUnknown = ExpectedState::kUnknownVersion;
  ExpectedState state;
  Entries entries;
  const int layers = *rc::gen::inRange(1, 9);
  for (int i = 0; i < layers; ++i) {
    const auto range = *rc::gen::inRange<uint64_t>(1, 60);
    WriteLayer layer;
    layer.order = {.order = *rc::gen::element(KeyOrder::kUniform, KeyOrder::kSequential),
                   .range = range,
                   .end_position = range,
                   .source = DrawSource::kParkMiller};
    layer.erases = *rc::gen::weightedElement<bool>({{3, false}, {1, true}});
    layer.first_version = state.NextVersion();
    layer.value_size = *rc::gen::element<uint64_t>(10, 20);
    layer.repeats = true;
    if (!layer.erases && *rc::gen::arbitrary<bool>())
      layer.windows = {{95, layer.value_size.most(), 30}};
    std::map<uint64_t, std::set<uint32_t>> last;  // By thread.
    const auto threads = *rc::gen::inRange<uint64_t>(1, 4);
    for (uint64_t thread = 0; thread < threads; ++thread) {
      const auto operations = *rc::gen::inRange<uint64_t>(0, 90);
      const auto seed = *rc::gen::inRange<uint64_t>(1, 5);
      layer.shares.push_back({0, range, operations, seed});
      KeyPlan plan = layer.order;
      plan.draw_seed = seed;
      KeySequence sequence(plan);
      std::map<uint64_t, uint32_t> of_thread;
      for (uint64_t n = 0; n < operations; ++n) {
        uint64_t index = 0;
        uint64_t round = 0;
        sequence.Fill(std::span(&index, 1), &round);
        of_thread[index] =
            layer.windows
                ? static_cast<uint32_t>(layer.windows->OffsetOf(n)) + 1
                : layer.first_version +
                      static_cast<uint32_t>(layer.order.order == KeyOrder::kUniform ? n : round);
      }
      for (const auto& [index, version] : of_thread) last[index].insert(version);
    }
    for (const auto& [index, versions] : last) {
      if (layer.erases) {
        entries.erase(index);
      } else {
        entries[index] = {versions.size() == 1 ? *versions.begin() : kUnknown,
                          layer.value_size.most()};
      }
    }
    const uint32_t before = state.NextVersion();
    state.Add(layer);
    RC_ASSERT(state.NextVersion() > before);
    ExpectEqual(state, entries);
  }
}

TEST(ExpectedState, RememberedLayersOfOneSizeShareTheirMemory) {
  ExpectedState state;
  state.Add(Layer(state, KeyOrder::kShuffled, 1000, 5, {1000}));
  for (int i = 0; i < 10; ++i) state.Add(Layer(state, KeyOrder::kUniform, 1000, 0, {300}));
  EXPECT_EQ(state.LayerCount(), 2u);
  state.Add(Layer(state, KeyOrder::kUniform, 1000, 0, {300}, true));
  EXPECT_EQ(state.LayerCount(), 2u) << "an erase has no size";
  state.Add(Layer(state, KeyOrder::kUniform, 1000, 0, {300}, false, 7));
  EXPECT_EQ(state.LayerCount(), 3u);
}

TEST(ExpectedState, AnEmptyStoreHoldsNothing) {
  const ExpectedState state;
  EXPECT_TRUE(state.Empty());
  EXPECT_EQ(state.Range(), 0u);
  EXPECT_FALSE(state.Find(0).has_value());
}

TEST(ExpectedState, OfAnInterruptedFillTheFirstKeysOfTheOrderAreThere) {
  ExpectedState state;
  state.Add(Layer(state, KeyOrder::kShuffled, 1000, 5, {400}));
  const Permutation permutation(1000, 5);
  for (uint64_t position = 0; position < 1000; ++position) {
    EXPECT_EQ(state.Find(permutation.At(position)).has_value(), position < 400) << position;
  }
}

TEST(ExpectedState, LayersThatAreHiddenAreDropped) {
  ExpectedState state;
  for (int i = 0; i < 1000; ++i) {
    state.Add(Layer(state, KeyOrder::kShuffled, 1000, static_cast<uint64_t>(i), {300, 100}));
    state.Add(Layer(state, KeyOrder::kShuffled, 900, static_cast<uint64_t>(i), {450, 450}));
    state.Add(Layer(state, KeyOrder::kShuffled, 1000, static_cast<uint64_t>(i), {500, 900}));
    ASSERT_EQ(state.LayerCount(), 1u);
    state.Add(Layer(state, KeyOrder::kSequential, 100, 0, {100}));
    ASSERT_EQ(state.LayerCount(), 2u) << "a smaller range hides only a part";
  }
  EXPECT_EQ(state.Find(0)->version, state.NextVersion() - 1);
}

TEST(ExpectedState, ALayerWithoutWritesHidesNothing) {
  ExpectedState state;
  state.Add(Layer(state, KeyOrder::kSequential, 100, 0, {100}));
  state.Add(Layer(state, KeyOrder::kSequential, 100, 0, {0}));
  EXPECT_TRUE(state.Find(0).has_value());
  WriteLayer layer = Layer(state, KeyOrder::kSequential, 100, 0, {});
  state.Add(layer);
  EXPECT_TRUE(state.Find(0).has_value()) << "a role without threads";
  layer.shares = {{0, 50, 50}};
  state.Add(layer);
  EXPECT_TRUE(state.Find(70).has_value()) << "shares of half of the range";
}

TEST(ExpectedState, AFullEraseLeavesNothing) {
  ExpectedState state;
  state.Add(Layer(state, KeyOrder::kShuffled, 100, 1, {50, 50}));
  state.Add(Layer(state, KeyOrder::kShuffled, 100, 2, {50, 50}, true));
  for (uint64_t index = 0; index < 100; ++index) EXPECT_FALSE(state.Find(index).has_value());
  state.Add(Layer(state, KeyOrder::kShuffled, 100, 3, {10, 0}));
  uint64_t there = 0;
  for (uint64_t index = 0; index < 100; ++index) there += state.Find(index) ? 1 : 0;
  EXPECT_EQ(there, 10u);
}

TEST(ExpectedState, VersionsGoOnAfterAnErase) {
  ExpectedState state;
  state.Add(Layer(state, KeyOrder::kSequential, 10, 1, {25}));
  EXPECT_EQ(state.Find(4)->version, 3u);
  EXPECT_EQ(state.Find(5)->version, 2u);
  state.Add(Layer(state, KeyOrder::kSequential, 10, 1, {10}, true));
  state.Add(Layer(state, KeyOrder::kSequential, 10, 1, {10}));
  EXPECT_GT(state.Find(0)->version, 3u);
}

TEST(ExpectedState, ClearedItHoldsNothingAndRepeatsNoVersion) {
  ExpectedState state;
  state.Add(Layer(state, KeyOrder::kSequential, 10, 1, {30}));
  const uint32_t next = state.NextVersion();
  state.Clear();
  EXPECT_TRUE(state.Empty());
  EXPECT_EQ(state.NextVersion(), next);
}

TEST(ExpectedState, KnowsWhichKeysItTouched) {
  ExpectedState state;
  state.StartAt(70);
  EXPECT_EQ(state.NextVersion(), 70u);
  EXPECT_FALSE(state.IsTouched(0));
  state.Add(Layer(state, KeyOrder::kSequential, 10, 1, {4}));
  state.Add(Layer(state, KeyOrder::kSequential, 10, 1, {2}, true));
  for (uint64_t index = 0; index < 12; ++index) {
    EXPECT_EQ(state.IsTouched(index), index < 4) << index;
    EXPECT_EQ(state.Find(index).has_value(), index == 2 || index == 3) << index;
  }
  EXPECT_EQ(state.Find(3)->version, 70u);
}

TEST(ExpectedState, DoesNotKnowTheLengthOfWhatWasMadeOfUnknownValues) {
  ExpectedState state;
  state.StartAt(100);
  WriteLayer layer = Layer(state, KeyOrder::kSequential, 10, 0, {5});
  layer.length = LengthRule::kGrown;
  state.Add(layer);
  EXPECT_EQ(state.Find(3)->value_size, kUnknownLength);
  EXPECT_EQ(state.Find(3)->version, 100u);
  EXPECT_TRUE(state.Knows(3));
  EXPECT_FALSE(state.Knows(7));
  state.Add(Layer(state, KeyOrder::kSequential, 10, 0, {10}));
  layer.first_version = state.NextVersion();
  state.Add(layer);
  EXPECT_EQ(state.Find(3)->value_size, 201u) << "and knows it again of what was written since";
}

TEST(ExpectedState, CountsAFillAsAWalkThroughItsKeysDoes) {
  for (const KeyOrder order : {KeyOrder::kSequential, KeyOrder::kShuffled}) {
    ExpectedState state;
    state.Add(Layer(state, order, 1000, 5, {300, 0, 333}));
    EXPECT_TRUE(state.IsOneOrder());
    EXPECT_EQ(state.PresentCount(), 633u);
    uint64_t walked = 0;
    for (uint64_t at = state.NextPresent(0); at < state.Range(); at = state.NextPresent(at + 1)) {
      ++walked;
    }
    EXPECT_EQ(walked, 633u);
    state.Add(Layer(state, order, 1000, 5, {100}, true));
    EXPECT_FALSE(state.IsOneOrder());
    EXPECT_EQ(state.PresentCount(), 533u);
  }
}

}  // namespace levelfield::expected_state_test
