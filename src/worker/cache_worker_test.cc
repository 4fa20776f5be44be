#include "worker/cache_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "result/cache_result.h"

namespace levelfield {
namespace {

using ::testing::HasSubstr;

CacheBenchSettings Settings() {
  CacheBenchSettings settings;
  settings.threads = 1;
  settings.ops_per_thread = 10'000;
  settings.percent = {0, 40, 0, 50, 10};
  settings.histograms = false;
  settings.charge = 1;
  settings.entry_charge = 1;
  settings.cache_size = 1000;
  settings.max_key = 1'000'000;
  settings.value_bytes = 10;
  return settings;
}

ThreadResult SoundThread() {
  ThreadResult thread;
  thread.cache.operations = {0, 4000, 0, 5000, 1000};
  constexpr uint64_t kCalls[kCacheCallKinds] = {4000, 2000, 3000, 600, 400};
  for (size_t i = 0; i < kCacheCallKinds; ++i) {
    thread.lanes.push_back({.operation = kCacheCallNames[i],
                            .tally = {.operations = kCalls[i]},
                            .latency_ns = {},
                            .number = i});
  }
  thread.start_ns = 1'000'000'000;
  thread.end_ns = 3'000'000'000;
  thread.cache.let_go = 4000;
  return thread;
}

std::string Problem(const ThreadResult& thread, const CacheBenchSettings& settings = Settings()) {
  return ProblemOf(settings, SumUp(settings, {thread}));
}

TEST(CachePhase, SumsUpWhatItsThreadsDid) {
  CacheBenchSettings settings = Settings();
  ThreadResult late = SoundThread();
  late.end_ns += 500'000'000;
  const CachePhase phase = SumUp(settings, {SoundThread(), late});
  EXPECT_EQ(phase.Operations(), 20'000u);
  EXPECT_EQ(phase.Lookups(), 10'000u);
  EXPECT_DOUBLE_EQ(phase.seconds, 2.5);
  EXPECT_DOUBLE_EQ(phase.thread_seconds, 4.5);
  EXPECT_EQ(ProblemOf(settings, phase), "");
}

TEST(CachePhase, WhatDoesNotAddUpIsVoid) {
  ThreadResult thread = SoundThread();
  thread.cache.wrong = 1;
  EXPECT_THAT(Problem(thread), HasSubstr("1 of 2000 hits gave a value that was not inserted"));

  thread = SoundThread();
  --thread.cache.operations[3];
  EXPECT_THAT(Problem(thread), HasSubstr("another number of operations"));

  thread = SoundThread();
  ++thread.lanes[1].tally.operations;
  EXPECT_THAT(Problem(thread), HasSubstr("5000 lookups, but 5001 hits and misses"));

  thread = SoundThread();
  --thread.lanes[4].tally.operations;
  EXPECT_THAT(Problem(thread), HasSubstr("1000 erases, but 999"));

  thread = SoundThread();
  --thread.cache.let_go;
  EXPECT_THAT(Problem(thread), HasSubstr("4000 values went in, 3999 were let go"));

  thread = SoundThread();
  thread.cache.failed = 1;
  --thread.cache.let_go;
  EXPECT_THAT(Problem(thread), HasSubstr("1 of 4000 inserts failed"));

  CacheBenchSettings timed = Settings();
  timed.histograms = true;
  EXPECT_THAT(Problem(SoundThread(), timed), HasSubstr("4000 calls, but 0 latencies"));
}

// The flaw of the original from 2014 to 2020.
TEST(CachePhase, AMixThatDidNotRunIsVoid) {
  ThreadResult thread = SoundThread();
  thread.cache.operations = {0, 4000, 0, 6000, 0};
  thread.lanes[2].tally.operations = 4000;
  thread.lanes[3].tally.operations = 0;
  thread.lanes[4].tally.operations = 0;
  EXPECT_THAT(Problem(thread), HasSubstr("erase: 10 % were asked for, 0 ran"));
}

TEST(CachePhase, ComesBackFromItsJson) {
  ThreadResult thread = SoundThread();
  thread.lanes[1].latency_ns.Add(77);
  CachePhase phase = SumUp(Settings(), {thread});
  phase.payload = true;
  phase.counters = {{"entries", 5}};
  const std::string text = ToJson(phase).dump();
  const StatusOr<CachePhase> again = CachePhaseFromJson(nlohmann::ordered_json::parse(text));
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ(ToJson(*again).dump(), text);
  EXPECT_EQ(again->latency_ns[1].Count(), 1u);
  EXPECT_FALSE(CachePhaseFromJson({{"payload", true}}).ok());
}

}  // namespace
}  // namespace levelfield
