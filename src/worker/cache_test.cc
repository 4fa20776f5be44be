#include "worker/cache.h"

#include <functional>

#include "base/matchers_for_test.h"
#include "result/result_json.h"

namespace levelfield::cache_test {

CacheBenchSettings Settings() {
  CacheBenchSettings settings;
  settings.ops_per_thread = 10'000;
  settings.percent = {0, 40, 0, 50, 10};
  return settings;
}

ThreadResult SoundThread() {
  ThreadResult thread;
  thread.cache.operations = {0, 4000, 0, 5000, 1000};
  constexpr OperationCounts kTallies[kCacheCallKinds] = {{.operations = 4000, .hits = 4000},
                                                         {.operations = 2000, .hits = 2000},
                                                         {.operations = 3000, .misses = 3000},
                                                         {.operations = 600, .hits = 600},
                                                         {.operations = 400, .misses = 400}};
  for (size_t i = 0; i < kCacheCallKinds; ++i) {
    thread.statistics.push_back(
        {.operation = kCacheCallNames[i], .counts = kTallies[i], .latency_ns = {}, .number = i});
  }
  thread.start_ns = 1'000'000'000;
  thread.end_ns = 3'000'000'000;
  thread.cache.let_go = 4000;
  return thread;
}

PhaseResult SumOf(std::vector<ThreadResult> threads, bool timed = false) {
  Workload workload;
  Role& role = workload.roles.emplace_back();
  role.threads = threads.size();
  PhaseRun run;
  run.controls = std::vector<ThreadControl>(threads.size());
  RoleRun& role_run = run.roles.emplace_back();
  for (ThreadControl& control : run.controls) {
    role_run.tasks.emplace_back().control = &control;
  }
  role_run.results = std::move(threads);
  PhaseResult result;
  result.outcome = Outcome::kOk;
  result.timed = timed;
  result.cache.emplace();
  SumUpCache(workload, run, result);
  VerifyCache(Settings(), result);
  return result;
}

std::string Problem(const ThreadResult& thread, bool timed = false) {
  const PhaseResult phase = SumOf({thread}, timed);
  return phase.outcome == Outcome::kOk ? phase.void_because : phase.message;
}

TEST(CachePhase, SumsUpWhatItsThreadsDid) {
  ThreadResult late = SoundThread();
  late.end_ns += 500'000'000;
  const PhaseResult phase = SumOf({SoundThread(), late});
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(phase.cache->operations[3], (std::pair<std::string, uint64_t>("lookup", 10'000)));
  EXPECT_EQ(phase.roles.front().Operations(), 20'000u);
  EXPECT_DOUBLE_EQ(phase.roles.front().seconds, 2.5);
  EXPECT_DOUBLE_EQ(phase.roles.front().thread_seconds, 4.5);
}

TEST(CachePhase, WhatDoesNotAddUpIsVoid) {
  const auto problem = [](const std::function<void(ThreadResult&)>& change) {
    ThreadResult thread = SoundThread();
    change(thread);
    return Problem(thread);
  };
  EXPECT_THAT(problem([](auto& of) { of.statistics[1].counts.wrong = 1; }),
              HasSubstr("1 of 2000 hits gave a value that was not inserted"));
  EXPECT_THAT(problem([](auto& of) { --of.cache.operations[3]; }),
              HasSubstr("9999 operations ran, 10000 were asked for"));
  EXPECT_THAT(problem([](auto& of) { ++of.statistics[1].counts.operations; }),
              HasSubstr("5000 lookups, but 5001 hits and misses"));
  EXPECT_THAT(problem([](auto& of) { --of.statistics[4].counts.operations; }),
              HasSubstr("1000 erases, but 999"));
  EXPECT_THAT(problem([](auto& of) { --of.cache.let_go; }),
              HasSubstr("4000 values went in, 3999 were let go"));
  EXPECT_THAT(problem([](auto& of) {
                --of.statistics[0].counts.hits;
                ++of.statistics[0].counts.misses;
                --of.cache.let_go;
              }),
              HasSubstr("1 of 4000 inserts failed"));
  EXPECT_THAT(Problem(SoundThread(), true), HasSubstr("4000 calls, but 0 latencies"));
}

// The original's flaw from 2014 to 2020.
TEST(CachePhase, AMixThatDidNotRunIsVoid) {
  ThreadResult thread = SoundThread();
  thread.cache.operations = {0, 4000, 0, 6000, 0};
  thread.statistics[2].counts.operations = 4000;
  thread.statistics[3].counts.operations = 0;
  thread.statistics[4].counts.operations = 0;
  EXPECT_THAT(Problem(thread), HasSubstr("erase: 10 % were asked for, 0 ran"));
}

TEST(CachePhase, ComesBackFromItsJson) {
  const PhaseResult phase = SumOf({SoundThread()});
  const auto json = ToJson(phase);
  const StatusOr<PhaseResult> again = FromJson<PhaseResult>(json);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ(ToJson(*again), json);
  EXPECT_EQ(again->cache->operations, phase.cache->operations);
}

}  // namespace levelfield::cache_test
