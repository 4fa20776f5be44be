#include "operations/steps.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <vector>

#include "base/random.h"

namespace levelfield::steps_test {

constexpr uint64_t kKeys = 50;

// Puts, erases, gets and modifies of random keys; each write has the next version.
class AnySteps {
 public:
  AnySteps(uint64_t seed, uint32_t first_version) : draws_(seed), version_(first_version) {}

  Step Next() {
    constexpr StepKind kKinds[] = {StepKind::kPut, StepKind::kErase, StepKind::kGet,
                                   StepKind::kModify};
    Step step{.kind = kKinds[draws_.Below(4)], .key = draws_.Below(kKeys)};
    if (step.kind == StepKind::kErase)
      step.length = draws_.Below(std::min<uint64_t>(4, kKeys - step.key));
    if (step.kind != StepKind::kPut && step.kind != StepKind::kModify) return step;
    step.version = version_++;
    step.size = 20 + draws_.Below(30);
    return step;
  }

 private:
  Random draws_;
  uint32_t version_;
};

StepsDone Done(uint64_t seed, uint64_t operations, uint32_t first_version = 1) {
  auto steps = std::make_shared<AnySteps>(seed, first_version);
  return {[steps] { return steps->Next(); }, operations};
}

TEST(HistoryOfSteps, KnowsTheLastWriteOfEachKeyOfOneThread) {
  for (const uint64_t operations : {0, 1, 30, 1000}) {
    AnySteps steps(3, 1);
    std::map<uint64_t, Step> last;
    uint64_t versions = 0;
    for (uint64_t i = 0; i < operations; ++i) {
      const Step step = steps.Next();
      if (step.kind == StepKind::kGet) continue;
      for (uint64_t n = 0; n < std::max<uint64_t>(step.length, 1); ++n) last[step.key + n] = step;
      versions += step.version != 0 ? 1 : 0;
    }
    const auto history = HistoryOf({Done(3, operations)}, kKeys);
    EXPECT_EQ(history->range(), kKeys);
    EXPECT_EQ(history->versions(), versions);
    for (uint64_t key = 0; key < kKeys; ++key) {
      const std::optional<KeyHistory::Last> found = history->LastOf(key);
      ASSERT_EQ(found.has_value(), last.contains(key)) << key;
      if (!found) continue;
      EXPECT_EQ(found->erases, last[key].kind == StepKind::kErase);
      EXPECT_EQ(found->version, last[key].version);
      EXPECT_EQ(found->value_size, last[key].size);
      EXPECT_EQ(found->unknown_size, nullptr);
      if (!found->erases) {
        EXPECT_GE(found->value_size, history->smallest_value());
      }
    }
  }
}

StepsDone Puts(uint32_t first_version, uint64_t size) {
  auto next = std::make_shared<uint32_t>(0);
  return {[=] {
            const uint32_t i = (*next)++;
            return Step{
                .kind = StepKind::kPut, .version = first_version + i, .key = i % 10, .size = size};
          },
          1000};
}

TEST(HistoryOfSteps, DoesNotKnowWhichOfTwoThreadsCameLast) {
  const ValueSizes sizes = ValueSizes::Uniform(20, 40);
  const auto history = HistoryOf({Puts(1, 20), Puts(1001, 40)}, 10, &sizes);
  const auto of_one_size = HistoryOf({Puts(1, 30), Puts(1001, 30)}, 10);
  for (uint64_t key = 0; key < 10; ++key) {
    const std::optional<KeyHistory::Last> found = history->LastOf(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->version, 0u);
    ASSERT_NE(found->unknown_size, nullptr);
    EXPECT_EQ(found->unknown_size->most(), 40u);
    const std::optional<KeyHistory::Last> other = of_one_size->LastOf(key);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->version, 0u);
    EXPECT_EQ(other->value_size, 30u);
    EXPECT_EQ(other->unknown_size, nullptr);
  }
  EXPECT_EQ(history->versions(), 1000u);
}

TEST(HistoryOfSteps, HasTheLastVersionOfEachKeyWhereEachHasOneThread) {
  const auto odd_or_even = [](uint64_t thread) {
    auto next = std::make_shared<uint32_t>(0);
    return StepsDone{
        [=] {
          const uint32_t i = (*next)++;
          return Step{
              .kind = StepKind::kPut, .version = 5 + i, .key = 2 * (i % 5) + thread, .size = 100};
        },
        7};
  };
  const auto history = HistoryOf({odd_or_even(0), odd_or_even(1)}, 12);
  for (uint64_t key = 0; key < 10; ++key) {
    const std::optional<KeyHistory::Last> found = history->LastOf(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->version, key / 2 < 2 ? 10 + key / 2 : 5 + key / 2);
    EXPECT_EQ(found->value_size, 100u);
  }
  EXPECT_FALSE(history->LastOf(10));
}

TEST(ReplayOfSteps, KnowsWhatWasReadOfAStoreThatWasNotEmpty) {
  const ValueSource values(0x5a17, 100, 0.5);
  ExpectedState before;
  before.Add({.order = {.order = KeyOrder::kSequential, .range = kKeys / 2},
              .shares = {{0, kKeys / 2, kKeys / 2, 0}},
              .first_version = 7,
              .value_size = 33});
  std::map<uint64_t, std::vector<char>> store;
  const auto made = [&](uint64_t key, uint32_t version, uint64_t size) {
    std::vector<char> value(std::max<size_t>(size, ValueSource::kHeaderBytes));
    values.Make(key, version, size, value.data());
    value.resize(size);
    return value;
  };
  for (uint64_t key = 0; key < kKeys / 2; ++key) store[key] = made(key, 7, 33);
  std::array<OperationCounts, kStepKinds> all_counts;
  std::array<Digest, kStepKinds> digests;
  AnySteps steps(9, 100);
  for (int i = 0; i < 2000; ++i) {
    const Step step = steps.Next();
    const auto kind = static_cast<size_t>(step.kind);
    OperationCounts& counts = all_counts[kind];
    ++counts.operations;
    if (step.kind == StepKind::kGet || step.kind == StepKind::kModify) {
      const auto found = store.find(step.key);
      ++(found != store.end() ? counts.hits : counts.misses);
      if (found != store.end()) {
        counts.bytes += 16 + found->second.size();
        digests[kind].Add({found->second.data(), found->second.size()}, step.key);
      }
    } else {
      ++counts.hits;
    }
    if (step.kind == StepKind::kErase) {
      for (uint64_t n = 0; n < std::max<uint64_t>(step.length, 1); ++n) store.erase(step.key + n);
      counts.bytes += step.length == 0 ? 16 : 32;
    }
    if (step.version == 0) continue;
    store[step.key] = made(step.key, step.version, step.size);
    counts.bytes += 16 + step.size;
  }
  const ReplayedSteps replayed = ReplaySteps(Done(9, 2000, 100), kKeys, 16, before, values);
  EXPECT_TRUE(replayed.is_known);
  for (size_t i = 0; i < kStepKinds; ++i) {
    all_counts[i].digest = digests[i].Value();
    EXPECT_EQ(replayed.all_counts[i], all_counts[i]) << i;
  }
}

TEST(ReplayOfSteps, SaysThatAVersionIsNotKnown) {
  const ValueSource values(0x5a17, 100, 0.5);
  ExpectedState before;
  WriteLayer layer{.order = {.range = 10}, .shares = {}};
  layer.history = HistoryOf({Puts(1, 30), Puts(1001, 30)}, 10);
  before.Add(std::move(layer));
  const StepsDone gets = {[] { return Step{.kind = StepKind::kGet, .key = 3}; }, 2};
  const ReplayedSteps replayed = ReplaySteps(gets, 10, 16, before, values);
  EXPECT_FALSE(replayed.is_known);
  EXPECT_EQ(replayed.Of(StepKind::kGet).hits, 2u);
}

}  // namespace levelfield::steps_test
