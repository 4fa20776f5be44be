#include "loop/loop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <thread>

#include "loop/open_loop.h"
#include "worker/roles_for_test.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LEVELFIELD_COUNTS_ALLOCATIONS
// Counts every allocation of the process, including the engine's and operator new's.
namespace {
thread_local uint64_t allocations = 0;
}  // namespace
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* malloc(size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) noexcept {
  ++allocations;
  return __libc_realloc(old, size);
}
}
#endif

namespace levelfield {
namespace {

using Asked = ThreadFixture::Asked;

Role Mix(KeyOrder order, uint64_t range, uint64_t percent = 90) {
  Role role = RoleOf("mix", order, range);
  role.get_percent = percent;
  return role;
}

Role Again(const char* operation) {
  Role role = RoleOf(operation, KeyOrder::kNone, 10'000);
  role.restarts = true;
  return role;
}

Role AtRate(Role role, uint64_t rate) {
  role.rate = rate;
  return role;
}

Role AtRate(const char* operation, uint64_t rate) {
  return AtRate(RoleOf(operation, KeyOrder::kShuffled, 10'000), rate);
}

// One of each kind of operation.
const std::vector<std::pair<const char*, Role>>& Roles() {
  static const std::vector<std::pair<const char*, Role>> roles = {
      {"get", RoleOf("get", KeyOrder::kUniform, 10'000)},
      {"seek", RoleOf("seek", KeyOrder::kUniform, 10'000)},
      {"next", RoleOf("next", KeyOrder::kNone, 10'000)},
      {"prev", RoleOf("prev", KeyOrder::kNone, 10'000)},
      {"put", RoleOf("put", KeyOrder::kShuffled, 10'000)},
      {"erase", RoleOf("erase", KeyOrder::kShuffled, 10'000)},
      {"batch", RoleOf("put", KeyOrder::kSequential, 10'000, 100, 100)},
      {"mix", Mix(KeyOrder::kShuffled, 10'000)},
      {"forward", RoleOf("seek", KeyOrder::kForward, 10'000)},
      {"again", Again("next")},
      {"paced put", AtRate("put", 1'000'000'000)},
      {"paced get", AtRate(RoleOf("get", KeyOrder::kUniform, 10'000), 1'000'000'000)},
      {"paced scan", AtRate(Again("next"), 1'000'000'000)},
      {"paced mix", AtRate(Mix(KeyOrder::kShuffled, 10'000), 1'000'000'000)},
      {"paced batch",
       AtRate(RoleOf("put", KeyOrder::kSequential, 10'000, 100, 100), 1'000'000'000)},
      {"paced erase", AtRate("erase", 1'000'000'000)},
      {"erased batch", RoleOf("erase", KeyOrder::kSequential, 10'000, 100, 100)}};
  return roles;
}

uint64_t Latencies(const ThreadResult& result) {
  uint64_t latencies = 0;
  for (const ThreadStatistics& stats : result.statistics) latencies += stats.latency_ns.Count();
  return latencies;
}

TEST(Loop, LimitsAreExact) {
  ThreadFixture fixture("null");
  for (const auto& [name, role] : Roles()) {
    for (const uint64_t operations : {0, 1, 127, 128, 129, 1000, 25'003}) {
      for (const Timing timing : kTimings) {
        for (const uint64_t threads : {1, 2}) {
          for (const ThreadResult& result : fixture.Run({.role = role,
                                            .threads = threads,
                                            .operations = operations,
                                            .timing = timing})) {
            EXPECT_EQ(result.Operations(), operations) << name;
            if (timing == Timing::kUntimed) {
              EXPECT_EQ(Latencies(result), 0u) << name;
            } else if (role.batch == 1) {
              EXPECT_EQ(Latencies(result), operations) << name;
            } else {
              // Shares of 10,000 and of 5,000 consist of whole batches.
              EXPECT_EQ(Latencies(result), (operations + 99) / 100) << name;
            }
          }
        }
      }
    }
  }
}

TEST(Loop, HowItIsTimedChangesNoAnswer) {
  for (const char* engine : {"null", "memory"}) {
    for (const auto& [name, role] : Roles()) {
      std::vector<OperationCounts> all_counts;
      for (const Timing timing : kTimings) {
        ThreadFixture fixture(engine);
        fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 10'000), .operations = 10'000});
        const auto results = fixture.Run({.role = role, .operations = 3000, .timing = timing});
        OperationCounts sum;
        for (const ThreadStatistics& stats : results.at(0).statistics) sum += stats.counts;
        all_counts.push_back(sum);
      }
      EXPECT_EQ(all_counts[0], all_counts[1]) << engine << ", " << name;
      EXPECT_EQ(all_counts[0], all_counts[2]) << engine << ", " << name;
    }
  }
}

TEST(Loop, LatenciesAreWithinTheTimeThatTheThreadTook) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 10'000), .operations = 10'000});
  const bool has_tsc = CalibratedClock().is_tsc();
  for (const auto& [name, role] : Roles()) {
    for (const Timing timing : {Timing::kTsc, Timing::kMonotonic}) {
      if (timing == Timing::kTsc && !has_tsc) continue;
      const ThreadResult result =
          fixture.Run({.role = role, .operations = 10'000, .timing = timing}).at(0);
      double sum = 0;
      for (const ThreadStatistics& stats : result.statistics) {
        sum += static_cast<double>(stats.latency_ns.Sum());
      }
      const auto elapsed = static_cast<double>(result.end_ns - result.start_ns);
      EXPECT_LT(sum, elapsed * 1.001) << name;
      EXPECT_GT(sum, elapsed * 0.01) << name << ": and they are not nothing";
    }
  }
}

// A thread of the loop that runs beside the test.
class Running {
 public:
  Running(ThreadFixture& fixture, Asked asked)
      : asked_(std::move(asked)), session_(fixture.Begin()), thread_([this, &fixture] {
          RunThread(fixture.Task(asked_, 0, session_.get(), control), result_);
          has_ended = true;
        }) {}
  ~Running() { control.Stop(); }

  void AwaitMoreThan(uint64_t operations) const {
    while (control.operations.load() <= operations) std::this_thread::yield();
  }
  const ThreadResult& End() {
    thread_.join();
    EXPECT_EQ(result_.code, LF_OK) << result_.error;
    return result_;
  }
  const ThreadResult& Stop() {
    control.Stop();
    return End();
  }

  ThreadControl control;
  std::atomic<bool> has_ended = false;

 private:
  Asked asked_;
  Session session_;
  ThreadResult result_;
  std::jthread thread_;
};

TEST(Loop, TheStopFlagStopsEveryOperation) {
  ThreadFixture fixture("null");
  for (const auto& [name, role] : Roles()) {
    for (const Timing timing : kTimings) {
      Running running(fixture, {.role = role, .operations = ~uint64_t{0}, .timing = timing});
      running.AwaitMoreThan(999);
      const ThreadResult& result = running.Stop();
      EXPECT_EQ(result.Operations(), running.control.operations.load()) << name;
      EXPECT_GE(result.Operations(), 1000u) << name;
    }
  }
}

// Takes a thread's histograms again and again until it ends, and counts their contents.
class Taker {
 public:
  explicit Taker(ThreadControl& control) : control_(control) {}

  // False: the thread ended before the rotation happened.
  bool Take(const std::atomic<bool>& has_ended) {
    const uint32_t before = control_.banks.rotations();
    control_.AskToRotate();
    while (control_.banks.rotations() == before) {
      if (has_ended && control_.banks.rotations() == before) return false;
      std::this_thread::yield();
    }
    for (const SparseHistogram& stats : control_.banks.Take().latency_ns) {
      latencies += stats.Count();
      sum_ns += stats.Whole().Sum();
    }
    return true;
  }

  uint64_t latencies = 0;
  uint64_t sum_ns = 0;

 private:
  ThreadControl& control_;
};

TEST(Loop, NoLatencyIsLostWhenItsHistogramsAreTakenMeanwhile) {
  ThreadFixture fixture("null");
  for (const auto& [name, role] : Roles()) {
    Running running(fixture, {.role = role, .operations = 200'000, .timing = Timing::kMonotonic});
    Taker taker(running.control);
    while (taker.Take(running.has_ended)) {
    }
    const ThreadResult& result = running.End();
    EXPECT_EQ(result.Operations(), 200'000u) << name;
    EXPECT_EQ(taker.latencies + Latencies(result), 200'000 / role.batch) << name;
    for (const ThreadStatistics& stats : result.statistics) taker.sum_ns += stats.latency_ns.Sum();
    EXPECT_LT(taker.sum_ns, result.end_ns - result.start_ns) << name;
    EXPECT_GT(running.control.banks.rotations(), 0u) << name;
  }
}

TEST(Loop, AnOperationThatWasWaitedForBelongsToTheTimeInWhichItEnded) {
  ThreadFixture fixture("null");
  Running running(fixture,
                  {.role = AtRate("put", 2), .operations = 1000, .timing = Timing::kMonotonic});
  running.AwaitMoreThan(0);
  Taker taker(running.control);
  ASSERT_TRUE(taker.Take(false)) << "asked for while it waits for the second";
  EXPECT_EQ(taker.latencies, 1u);
  running.AwaitMoreThan(1);
  const ThreadResult& result = running.Stop();
  EXPECT_EQ(taker.latencies + Latencies(result), result.Operations());
}

TEST(Loop, ARotationAsksNothingOfAThreadWithoutClock) {
  ThreadFixture fixture("null");
  const Asked asked = {.role = RoleOf("get", KeyOrder::kUniform, 10'000), .operations = 1000};
  Session session = fixture.Begin();
  ThreadControl control;
  control.AskToRotate();
  ThreadResult result;
  RunThread(fixture.Task(asked, 0, session.get(), control), result);
  EXPECT_EQ(result.Operations(), 1000u);
  EXPECT_EQ(control.signals.load(), 0u) << "else each operation would look at it again";
}

TEST(Loop, APacedOperationIsNeverAheadOfItsTime) {
  ThreadFixture fixture("null");
  const Asked asked = {.role = AtRate("put", 1000), .operations = 51};
  const ThreadResult result = fixture.Run(asked).at(0);
  EXPECT_EQ(result.Operations(), 51u);
  EXPECT_GE(result.end_ns - result.start_ns, 50'000'000u) << "50 steps of a millisecond";
}

TEST(Loop, ABatchCountsItsEntriesAgainstTheRate) {
  ThreadFixture fixture("null");
  const Role role = AtRate(RoleOf("put", KeyOrder::kSequential, 10'000, 100, 100), 1000);
  const ThreadResult result =
      fixture.Run({.role = role, .operations = 300, .timing = Timing::kMonotonic}).at(0);
  EXPECT_EQ(result.Operations(), 300u);
  EXPECT_EQ(Latencies(result), 3u);
  EXPECT_GE(result.end_ns - result.start_ns, 299'000'000u) << "the last entry is due at 299 ms";
  EXPECT_LT(result.statistics[0].latency_ns.Max(), 50'000'000u) << "the wait is in no latency";
}

TEST(Loop, AScanThatGaveUpWaitingHasNotFoundTheEnd) {
  ThreadFixture fixture("null");
  Running running(fixture,
                  {.role = AtRate(RoleOf("next", KeyOrder::kNone, 10'000), 1), .operations = 1000});
  running.AwaitMoreThan(0);
  EXPECT_FALSE(running.Stop().found_end);
}

TEST(Loop, APacedOperationThatWaitsIsStopped) {
  ThreadFixture fixture("null");
  Running running(fixture, {.role = AtRate("put", 1), .operations = 1000});
  running.AwaitMoreThan(0);
  const ThreadResult& result = running.Stop();
  EXPECT_EQ(result.Operations(), 1u) << "the second was not due for a second";
  EXPECT_LT(result.end_ns - result.start_ns, 900'000'000u);
}

TEST(Pace, ThreadsTakeTurnsOnOneSchedule) {
  const Pace first = {.rate = 4, .threads = 2, .thread = 0};
  const Pace second = {.rate = 4, .threads = 2, .thread = 1};
  EXPECT_EQ(first.DueNs(0), 0u);
  EXPECT_EQ(second.DueNs(0), 250'000'000u);
  EXPECT_EQ(first.DueNs(1), 500'000'000u);
  EXPECT_EQ(second.DueNs(1), 750'000'000u);
  const Pace batches = {.rate = 1000, .threads = 2, .thread = 1, .batch = 500};
  EXPECT_EQ(batches.DueNs(0, 500), 999'000'000u) << "after the first batch of the other thread";
  EXPECT_EQ(batches.DueNs(500, 500), 1'999'000'000u);
  EXPECT_EQ(batches.DueNs(500, 1), 1'500'000'000u) << "a short one at the end";
  EXPECT_EQ((Pace{.rate = 3}.DueNs(3'000'000'000)), 1'000'000'000'000'000'000u) << "and no drift";
}

TEST(Loop, StoppedBeforeItBeganItDoesNothing) {
  ThreadFixture fixture("null");
  for (const auto& [name, role] : Roles()) {
    Session session = fixture.Begin();
    ThreadControl control;
    control.Stop();
    ThreadResult result;
    const Asked asked = {.role = role, .operations = 1000};
    RunThread(fixture.Task(asked, 0, session.get(), control), result);
    EXPECT_EQ(result.Operations(), 0u) << name;
  }
}

TEST(Loop, AThreadWithoutKeysOfItsOwnEnds) {
  ThreadFixture fixture("memory");
  for (const auto& [name, role] : Roles()) {
    if (!role.operation->writes()) continue;
    Role two_keys = role;
    two_keys.range = 2;
    const auto results = fixture.Run({.role = two_keys, .threads = 3, .operations = 500});
    EXPECT_EQ(results[0].statistics.back().counts.operations, 0u)
        << name << ": of 2 keys in 3 shares";
    EXPECT_GT(results[1].statistics.back().counts.operations, 0u) << name;
  }
}

TEST(Loop, AScanEndsWithTheStore) {
  ThreadFixture fixture("memory");
  for (const char* operation : {"next", "prev"}) {
    const Role role = RoleOf(operation, KeyOrder::kNone, 100);
    const ThreadResult empty = fixture.Run({.role = role, .operations = 10}).at(0);
    EXPECT_EQ(empty.Operations(), 0u);
    EXPECT_EQ(Latencies(empty), 0u);
  }
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 300), .operations = 300});
  for (const char* operation : {"next", "prev"}) {
    const Role role = RoleOf(operation, KeyOrder::kNone, 100);
    for (const Timing timing : kTimings) {
      const ThreadResult all =
          fixture.Run({.role = role, .operations = 1'000'000, .timing = timing}).at(0);
      EXPECT_EQ(all.Operations(), 300u);
      EXPECT_EQ(all.statistics[0].counts.bytes, 300u * 116);
      EXPECT_EQ(Latencies(all), timing == Timing::kUntimed ? 0u : 300u);
      EXPECT_EQ(fixture.Run({.role = role, .operations = 128}).at(0).Operations(), 128u);
    }
  }
}

TEST(Loop, WhatIsWrittenIsCountedInEntriesAndBytes) {
  ThreadFixture fixture("memory");
  for (const char* name : {"put", "batch", "erase"}) {
    for (const auto& [role_name, role] : Roles()) {
      if (std::string_view(role_name) != name) continue;
      const OperationCounts counts =
          fixture.Run({.role = role, .operations = 12'345}).at(0).statistics.at(0).counts;
      const uint64_t entry = role.operation->name == "erase" ? 16 : 116;
      EXPECT_EQ(counts,
                (OperationCounts{.operations = 12'345, .hits = 12'345, .bytes = 12'345 * entry}));
    }
  }
}

TEST(Loop, AMixGetsItsPercent) {
  ThreadFixture fixture("memory");
  fixture.Run({.role = RoleOf("put", KeyOrder::kShuffled, 1000), .operations = 1000});
  for (const uint64_t percent : {0, 1, 50, 90, 99, 100}) {
    const Role role = Mix(KeyOrder::kShuffled, 1000, percent);
    for (const ThreadResult& result : fixture.Run({.role = role,
                                      .threads = 2,
                                      .operations = 100'000,
                                      .timing = Timing::kTsc,
                                      .seed = percent})) {
      ASSERT_EQ(result.statistics.size(), 2u);
      EXPECT_EQ(result.statistics[0].operation, "get");
      EXPECT_EQ(result.statistics[1].operation, "put");
      const auto gets = static_cast<double>(result.statistics[0].counts.operations);
      const double share = static_cast<double>(percent) / 100;
      EXPECT_NEAR(gets / 100'000, share, 4.5 * std::sqrt(share * (1 - share) / 100'000));
      EXPECT_EQ(result.statistics[0].counts.wrong, 0u);
      EXPECT_EQ(result.statistics[0].counts.misses, 0u);
      for (const ThreadStatistics& stats : result.statistics) {
        EXPECT_EQ(stats.latency_ns.Count(), stats.counts.operations);
      }
    }
  }
}

// The null engine's table, except that calls fail from the `fail_at`-th on.
thread_local uint64_t tries = 0;
thread_local uint64_t fail_at = 0;
lf_code Fails() { return ++tries >= fail_at ? LF_FAILED : LF_OK; }
const char* LastErrorOfTheTest() { return "disk full"; }

lf_engine FailingTable(const lf_engine& null_table) {
  lf_engine table = null_table;
  table.last_error = LastErrorOfTheTest;
  table.put = [](lf_session*, lf_bytes, lf_bytes) { return Fails(); };
  table.erase = [](lf_session*, lf_bytes) { return Fails(); };
  table.write = [](lf_session*, const lf_entry*, size_t) { return Fails(); };
  table.get = [](lf_session*, lf_bytes, lf_bytes* value) {
    *value = {nullptr, 0};
    return Fails();
  };
  table.seek = [](lf_session*, lf_seek, lf_bytes, lf_bytes* key, lf_bytes* value) {
    *key = *value = {nullptr, 0};
    return Fails();
  };
  table.next = table.prev = [](lf_session*, lf_bytes* key, lf_bytes* value) {
    *key = *value = {nullptr, 0};
    return Fails();
  };
  return table;
}

TEST(Loop, TheFirstFailureEndsItAndIsNotCounted) {
  ThreadFixture fixture("null");
  const lf_engine table = FailingTable(fixture.table());
  for (const auto& [name, role] : Roles()) {
    for (const uint64_t at : {1, 2, 200}) {
      Session session = fixture.Begin();
      ThreadControl control;
      const Asked asked = {.role = role, .operations = 100'000, .timing = Timing::kTsc};
      ThreadTask task = fixture.Task(asked, 0, session.get(), control);
      task.table = &table;
      ThreadResult result;
      tries = 0;
      fail_at = at;
      RunThread(task, result);
      EXPECT_EQ(tries, at) << name << ": nothing is tried again";
      EXPECT_EQ(result.code, LF_FAILED) << name;
      EXPECT_EQ(result.error, "disk full") << name;
      EXPECT_EQ(result.Operations(), (at - 1) * role.batch) << name;
      EXPECT_EQ(Latencies(result), at - 1) << name;
    }
  }
}

#if defined(LEVELFIELD_COUNTS_ALLOCATIONS)
TEST(Loop, NoOperationAllocates) {
  ThreadFixture fixture("null");
  for (const auto& [name, role] : Roles()) {
    for (const Timing timing : kTimings) {
      Session session = fixture.Begin();
      const auto allocated = [&](uint64_t operations) {
        const Asked asked = {.role = role, .operations = operations, .timing = timing};
        ThreadControl control;
        const ThreadTask task = fixture.Task(asked, 0, session.get(), control);
        ThreadResult result;
        const uint64_t before = allocations;
        RunThread(task, result);
        return allocations - before;
      };
      allocated(10);  // Allocated once for all.
      const uint64_t once = allocated(5'000);
      EXPECT_GT(once, 0u) << "the block of keys, at least: the count counts";
      EXPECT_EQ(allocated(10'000), once) << name;
      EXPECT_EQ(allocated(40'000), once) << name;
    }
  }
}
#endif

TEST(Loop, TheControlOfAThreadHasACacheLineToItself) {
  EXPECT_EQ(alignof(ThreadControl), 64u);
  EXPECT_EQ(sizeof(ThreadControl), 64u);
}

}  // namespace
}  // namespace levelfield
