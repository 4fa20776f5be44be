#include <gtest/gtest.h>

#include "operations/thread_fixture_for_test.h"

namespace levelfield::series_test {

constexpr uint32_t kVersion = 5;
constexpr uint64_t kTimes = 500;

class Series : public ::testing::Test {
 protected:
  Series() : fixture_("memory"), session_(fixture_.Begin()) {
    clock_.plan = {.ids = 7, .time_bits = 10, .time_range = 50, .expires = false, .seed = 3};
  }

  ThreadResult Run(const char* operation, uint64_t operations) {
    Role role;
    role.operation = FindOperation(operation);
    role.value_size = 100;
    ThreadControl control;
    ThreadTask task =
        fixture_.Task({.role = role, .operations = operations}, 0, session_.get(), control);
    task.role = &role;
    task.first_version = kVersion;
    task.writer_clock = &clock_;
    ThreadResult result;
    RunThread(task, result);
    EXPECT_EQ(result.code, LF_OK) << result.error;
    return result;
  }

  void Write() {
    Run("series put", kTimes);
    ASSERT_EQ(clock_.now.load(), kTimes);
  }

  // In 200 scans every id occurs.
  OperationCounts Read() {
    const ThreadResult result = Run("series read", 200);
    entries_ = result.entries;
    return result.statistics.front().counts;
  }

  std::vector<uint64_t> Expire() {
    const ThreadResult result = Run("series expire", 200);
    EXPECT_EQ(result.statistics.front().counts.wrong, 0u);
    EXPECT_GT(result.entries, 400u);
    return result.erased_before;
  }

  std::string KeyAt(uint64_t time) const {
    return fixture_.Key(clock_.plan.IndexOf(clock_.plan.IdAt(time), time));
  }
  void Erase(const std::string& key) {
    ASSERT_EQ(fixture_.table().erase(session_.get(), {key.data(), key.size()}), LF_OK);
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_EQ(fixture_.table().put(session_.get(), {key.data(), key.size()},
                                   {value.data(), value.size()}),
              LF_OK);
  }

  ThreadFixture fixture_;
  Session session_;
  WriterClock clock_;
  uint64_t entries_ = 0;
};

TEST_F(Series, OfAnEmptyStoreHasNoEntries) {
  const OperationCounts counts = Read();
  EXPECT_EQ(counts.misses, 200u);
  EXPECT_EQ(counts.wrong, 0u);
}

TEST_F(Series, IsReadWholly) {
  Write();
  const OperationCounts counts = Read();
  EXPECT_EQ(counts.hits, 200u);
  EXPECT_EQ(counts.wrong, 0u);
  EXPECT_NEAR(static_cast<double>(entries_), 200.0 * kTimes / 7, 200);
  EXPECT_EQ(counts.bytes, entries_ * 116);
}

TEST_F(Series, AnEntryThatIsLostIsMissed) {
  for (const uint64_t time : {uint64_t{0}, uint64_t{200}, kTimes - 1}) {
    Write();
    EXPECT_EQ(Read().wrong, 0u);
    Erase(KeyAt(time));
    EXPECT_GT(Read().wrong, 10u) << time;
    clock_.plan.expires = true;
    // It may be missing if it has expired and somebody erases expired entries.
    EXPECT_EQ(Read().wrong == 0, time < kTimes - 50) << time;
    clock_.plan.expires = false;
    clock_.now = 0;
  }
}

TEST_F(Series, AnEntryOfSomebodyElseIsSeen) {
  Write();
  Put(KeyAt(100), "no value of ours, and it is long enough");
  EXPECT_GT(Read().wrong, 10u);
  Write();
  EXPECT_EQ(Read().wrong, 0u);
  Put(KeyAt(100) + "0", "a key between two");
  EXPECT_GT(Read().wrong, 10u);
}

TEST_F(Series, AnEntryOfAnotherIdsTimeIsSeen) {
  Write();
  uint64_t time = 100;
  while (clock_.plan.IdAt(time) == 3) ++time;
  const uint64_t index = clock_.plan.IndexOf(3, time);
  std::string value(100, '\0');
  fixture_.values().Make(index, kVersion, value.size(), value.data());
  Put(fixture_.Key(index), value);
  EXPECT_GT(Read().wrong, 10u);
}

TEST_F(Series, WhatHasExpiredIsGoneAndNothingElse) {
  Write();
  clock_.plan.expires = true;
  const std::vector<uint64_t> erased_before = Expire();
  const SeriesHistory history(clock_.plan, kTimes, erased_before, kVersion, 100);
  for (uint64_t time = 0; time < kTimes; ++time) {
    const std::string key = KeyAt(time);
    lf_bytes value;
    const lf_code code = fixture_.table().get(session_.get(), {key.data(), key.size()}, &value);
    const auto last = history.LastOf(clock_.plan.IndexOf(clock_.plan.IdAt(time), time));
    ASSERT_TRUE(last);
    EXPECT_EQ(code == LF_OK, !last->erases) << time;
    EXPECT_EQ(last->erases, time < kTimes - 50) << time;
  }
  EXPECT_EQ(Read().wrong, 0u);
  clock_.plan.expires = false;
  EXPECT_GT(Read().wrong, 100u) << "where nobody was to erase them";
}

}  // namespace levelfield::series_test
