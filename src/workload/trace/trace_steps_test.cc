#include <map>
#include <set>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/random.h"
#include "base/status_for_test.h"
#include "loop/load_model.h"
#include "workload/trace/trace_plan.h"
#include "workload/trace/trace_writer.h"

namespace levelfield::trace_steps_test {

constexpr uint64_t kKeys = 200;

class Steps : public ::testing::Test {
 protected:
  Steps() {
    Random random(3);
    for (uint64_t i = 0; i < 5'000; ++i) {
      records_.push_back({.time_ns = i * 1'000 + 17,
                          .key = random.Below(kKeys),
                          .value_size = static_cast<uint32_t>(random.Below(500) + 1),
                          .operation = static_cast<TraceOperation>(random.Below(4)),
                          .is_miss = false});
      TraceRecord& record = records_.back();
      record.is_miss = record.operation == TraceOperation::kGet && random.Below(4) == 0;
    }
    StatusOr<TraceWriter> writer = TraceWriter::Create(path_, false);
    for (const TraceRecord& record : records_) {
      (void)writer->Add(std::to_string(record.key), record);
    }
    EXPECT_TRUE(writer->Finish("a test", 0).ok());
    plan_.path = path_;
    Must(DescribeTrace(plan_));
  }

  TraceSteps Make(const TracePlan& plan, uint64_t threads) const {
    return Must(TraceSteps::Make(plan, threads, 9, 11));
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "a.trace";
  std::vector<TraceRecord> records_;
  TracePlan plan_;
};

TEST_F(Steps, OfOneThreadAreTheTraceInItsOrder) {
  const TraceSteps steps = Make(plan_, 1);
  const std::span<const TraceStep> of = steps.Of(0);
  ASSERT_EQ(of.size(), records_.size());
  std::map<uint64_t, uint64_t> key_of;  // By the source's key: always the same, and no two alike.
  std::set<uint64_t> keys;
  uint32_t version = 11;
  for (size_t i = 0; i < of.size(); ++i) {
    EXPECT_EQ(of[i].time_ns, i * 1'000);
    EXPECT_EQ(of[i].operation, records_[i].operation);
    EXPECT_EQ(key_of.try_emplace(records_[i].key, of[i].key).first->second, of[i].key);
    keys.insert(of[i].key);
    const bool writes =
        of[i].operation == TraceOperation::kPut || of[i].operation == TraceOperation::kModify;
    EXPECT_EQ(of[i].version, writes ? version++ : 0);
    if (writes) {
      EXPECT_EQ(of[i].value_size, records_[i].value_size);
    }
  }
  EXPECT_EQ(keys.size(), key_of.size());
  EXPECT_EQ(*keys.rbegin(), kKeys - 1);
}

TEST_F(Steps, OfSeveralThreadsAreThoseOfTheirKeysInTheirOrder) {
  const TraceSteps one = Make(plan_, 1);
  const TraceSteps three = Make(plan_, 3);
  std::vector<size_t> at(3, 0);
  std::map<uint64_t, uint64_t> thread_of;
  for (const TraceStep& step : one.Of(0)) {
    uint64_t thread = 0;
    while (thread < 3 && (at[thread] == three.Of(thread).size() ||
                          three.Of(thread)[at[thread]].time_ns != step.time_ns)) {
      ++thread;
    }
    ASSERT_LT(thread, 3u) << step.time_ns;
    EXPECT_EQ(three.Of(thread)[at[thread]].key, step.key);
    EXPECT_EQ(thread_of.try_emplace(step.key, thread).first->second, thread);
    ++at[thread];
  }
  for (uint64_t thread = 0; thread < 3; ++thread) {
    EXPECT_EQ(at[thread], three.Of(thread).size());
    EXPECT_GT(at[thread], 1'000u);
  }
}

TEST_F(Steps, ThatLoadPutEachKeyOnceThatIsReadFirst) {
  std::map<uint64_t, TraceRecord> first;
  for (const TraceRecord& record : records_) first.try_emplace(record.key, record);
  std::map<uint64_t, uint32_t> expected;  // The sizes by time.
  for (const auto& [key, record] : first) {
    if (IsLoaded(record)) expected[record.time_ns - 17] = record.value_size;
  }
  EXPECT_GT(expected.size(), 50u);
  EXPECT_LT(expected.size(), 150u);
  TracePlan loads = plan_;
  loads.loads = true;
  EXPECT_EQ(loads.loaded_keys, expected.size());
  const TraceSteps steps = Make(loads, 2);
  std::map<uint64_t, uint32_t> loaded;
  std::set<uint64_t> keys;
  for (uint64_t thread = 0; thread < 2; ++thread) {
    for (const TraceStep& step : steps.Of(thread)) {
      EXPECT_EQ(step.operation, TraceOperation::kPut);
      EXPECT_NE(step.version, 0u);
      loaded[step.time_ns] = step.value_size;
      keys.insert(step.key);
    }
  }
  EXPECT_EQ(loaded, expected);
  EXPECT_EQ(keys.size(), expected.size());
  loads.is_loaded = false;
  EXPECT_TRUE(Make(loads, 1).Of(0).empty());
}

TEST_F(Steps, OfPartOfATraceAreItsFirstOnes) {
  TracePlan part{.path = path_, .most_records = 100};
  ASSERT_TRUE(DescribeTrace(part).ok());
  EXPECT_EQ(part.records(), 100u);
  EXPECT_EQ(part.duration_ns, 99'000u);
  const TraceSteps steps = Make(part, 1);
  ASSERT_EQ(steps.Of(0).size(), 100u);
  for (const TraceStep& step : steps.Of(0)) EXPECT_LT(step.key, part.keys);
}

TEST_F(Steps, AreNotMadeOfAnotherTraceThanWasPlanned) {
  TracePlan plan = plan_;
  ++plan.header.checksum;
  EXPECT_THAT(TraceSteps::Make(plan, 1, 9, 11).status().message(), HasSubstr("is another one"));
}

TEST_F(Steps, PlanSaysWhatTheTraceHas) {
  std::array<uint64_t, kTraceOperations> operations = {};
  std::map<uint64_t, uint32_t> largest;
  std::set<uint64_t> seen;
  for (const TraceRecord& record : records_) {
    ++operations[static_cast<size_t>(record.operation)];
    const bool writes =
        record.operation == TraceOperation::kPut || record.operation == TraceOperation::kModify;
    const bool is_first = seen.insert(record.key).second;
    if (writes || (is_first && IsLoaded(record))) {
      largest[record.key] = std::max(largest[record.key], record.value_size);
    }
  }
  uint64_t live = 0;
  for (const auto& [key, size] : largest) live += size;
  EXPECT_EQ(plan_.operations, operations);
  EXPECT_EQ(plan_.keys, kKeys);
  EXPECT_EQ(plan_.live_bytes, live);
  EXPECT_EQ(plan_.largest_value, 500u);
  EXPECT_EQ(plan_.smallest_value, 1u);
  EXPECT_EQ(plan_.longest_gap_ns, 1'000u);
  EXPECT_EQ(plan_.duration_ns, 4'999'000u);
}

// Each operation is due when it was recorded, at K times the speed K times as early.
TEST_F(Steps, AreDueTwiceAsEarlyAtTwiceTheSpeed) {
  const TraceSteps steps = Make(plan_, 2);
  for (uint64_t thread = 0; thread < 2; ++thread) {
    const std::span<const TraceStep> of = steps.Of(thread);
    LoadModel original({.arrival = Arrival::kTrace, .pace = {}, .steps = of, .speed = 1});
    LoadModel twice({.arrival = Arrival::kTrace, .pace = {}, .steps = of, .speed = 2});
    LoadModel slow({.arrival = Arrival::kTrace, .pace = {}, .steps = of, .speed = 0.25});
    for (const TraceStep& step : of) {
      EXPECT_EQ(original.NextDueNs(), step.time_ns);
      EXPECT_EQ(twice.NextDueNs(), step.time_ns / 2);
      EXPECT_EQ(slow.NextDueNs(), step.time_ns * 4);
    }
  }
  TracePlan plan = plan_;
  plan.speed = 1;
  const uint64_t rate = plan.Rate();
  EXPECT_EQ(rate, 1'000'200u);  // 5,000 in 4.999 ms.
  plan.speed = 2;
  EXPECT_EQ(plan.Rate(), 2 * rate);
}

}  // namespace levelfield::trace_steps_test
