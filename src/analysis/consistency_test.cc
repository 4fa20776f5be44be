#include "analysis/consistency.h"

#include <functional>

#include "analysis/validity.h"
#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::consistency_test {

// 30 puts of 116 bytes in calls of 4 by 2 threads, 20 and 10, so in 5 and 3 calls of 1000 ns each.
PhaseResult Sound() {
  PhaseResult phase;
  phase.workload = "fillbatch";
  phase.outcome = Outcome::kOk;
  phase.timed = true;
  phase.run_seconds = 0.5;
  OperationStatistics stats;
  stats.operation = "put";
  stats.effects = kPuts;
  stats.operations = 30;
  stats.hits = 30;
  stats.bytes = 3480;
  stats.entry_bytes = 116;
  stats.latency_ns.emplace();
  for (int i = 0; i < 8; ++i) stats.latency_ns->Add(1000);
  RoleResult role;
  role.name = "writer";
  role.threads = 2;
  role.batch = 4;
  role.seconds = 0.4;
  role.thread_seconds = 0.7;
  role.statistics = {stats};
  role.thread_operations = {20, 10};
  role.thread_calls = {5, 3};
  role.operations_per_second = 75;
  phase.roles = {role};
  return phase;
}

Histogram Restored(const std::vector<Histogram::Bucket>& buckets, uint64_t sum, uint64_t min,
                   uint64_t max) {
  return *Histogram::Restore(buckets, sum, min, max);
}

TEST(Consistency, AResultThatAddsUpStays) {
  PhaseResult phase = Sound();
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  EXPECT_FALSE(VoidIfUnsound(phase));
  EXPECT_EQ(phase.outcome, Outcome::kOk);
}

TEST(Consistency, WhatIsInTheDetailsIsNotMissed) {
  PhaseResult phase = Sound();
  phase.run_seconds = 0;
  RoleResult& role = phase.roles[0];
  role.thread_operations.clear();
  role.thread_calls.clear();
  role.operations_per_second.reset();
  role.statistics[0].entry_bytes = 0;
  role.statistics[0].bytes = 17;
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
}

TEST(Consistency, AnUntimedResultHasNoLatenciesToCount) {
  PhaseResult phase = Sound();
  phase.timed = false;
  phase.roles[0].statistics[0].latency_ns.reset();
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
}

TEST(Consistency, AThreadWithSeveralOperationsInFlightHasAsManyLatenciesAtATime) {
  PhaseResult phase = Sound();
  RoleResult& role = phase.roles[0];
  SparseHistogram& latency_ns = role.statistics[0].latency_ns.emplace();
  for (int i = 0; i < 8; ++i) latency_ns.Add(300'000'000);  // 2.4 s of 0.7.
  EXPECT_THAT(ContradictionIn(phase), HasSubstr("latencies of 2.4"));
  role.in_flight = 4;
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  role.in_flight = 3;
  EXPECT_THAT(ContradictionIn(phase), HasSubstr("latencies of 2.4"));
}

TEST(Consistency, OnlyFiguresThatCountAreVoided) {
  PhaseResult phase = Sound();
  phase.roles[0].statistics[0].hits = 29;
  phase.outcome = Outcome::kFailed;
  phase.message = "disk full";
  EXPECT_FALSE(VoidIfUnsound(phase));
  EXPECT_EQ(phase.message, "disk full");
}

TEST(Consistency, ResponseTimesAreAsManyAsServiceTimesAndNoShorter) {
  PhaseResult phase = Sound();
  OperationStatistics& stats = phase.roles[0].statistics[0];
  stats.response_ns = stats.latency_ns;
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  stats.response_ns->Add(5000);
  EXPECT_THAT(ContradictionIn(phase), AllOf(HasSubstr("8 service"), HasSubstr("9 response")));
  stats.response_ns.emplace();
  for (int i = 0; i < 8; ++i) stats.response_ns->Add(999);
  EXPECT_THAT(ContradictionIn(phase), AllOf(HasSubstr("8000 ns"), HasSubstr("7992 ns")));
}

struct Break {
  const char* name;
  std::function<void(PhaseResult&, RoleResult&, OperationStatistics&)> apply;
  std::vector<std::string> says;  // Both numbers.
};
void PrintTo(const Break& broken, std::ostream* out) { *out << broken.name; }

class ABrokenResult : public ::testing::TestWithParam<Break> {};

TEST_P(ABrokenResult, is_voided_with_both_numbers) {
  PhaseResult phase = Sound();
  GetParam().apply(phase, phase.roles[0], phase.roles[0].statistics[0]);
  EXPECT_TRUE(VoidIfUnsound(phase));
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message, HasSubstr("contradict each other: [writer]"));
  for (const std::string& number : GetParam().says) {
    EXPECT_THAT(phase.message, HasSubstr(number));
  }
}

// In the bucket of 1000 ns lie 1000 to 1003.
const uint64_t kBucket = Histogram::BucketOf(1000);

INSTANTIATE_TEST_SUITE_P(
    All, ABrokenResult,
    ::testing::Values(
        Break{"hits", [](auto&, auto&, auto& stats) { stats.hits = 29; }, {"29 hits", "30 oper"}},
        Break{
            "misses", [](auto&, auto&, auto& stats) { stats.misses = 2; }, {"2 misses", "30 oper"}},
        // 17,760 operations a second of 420 bytes are no 13.8 MiB.
        Break{"bytes", [](auto&, auto&, auto& stats) { stats.bytes = 3481; }, {"116 b", "3481 b"}},
        Break{"rate",
              [](auto&, auto& role, auto&) { role.operations_per_second = 76; },
              {"76.000", "75.000"}},
        Break{"rate_of_nothing",
              [](auto&, auto& role, auto&) {
                role.seconds = 0;
                role.thread_seconds = 1e-9;
                role.statistics[0].latency_ns.reset();
              },
              {"75.000", "0.000"}},
        Break{"latencies_of_batches",
              [](auto&, auto&, auto& stats) { stats.latency_ns->Add(1000); },
              {"8 calls", "9 lat"}},
        Break{"latencies_of_operations",
              [](auto&, auto& role, auto&) {
                role.batch = 1;
                role.thread_calls = {20, 10};
              },
              {"30 operations", "8 lat"}},
        Break{"calls_too_few",
              [](auto&, auto& role, auto&) {
                role.thread_calls = {4, 4};
              },
              {"thread 0", "20 oper", "4 calls"}},
        Break{"calls_too_many",
              [](auto&, auto& role, auto&) {
                role.thread_calls = {21, 3};
              },
              {"20 oper", "21 calls"}},
        Break{"threads_sum",
              [](auto&, auto& role, auto&) {
                role.thread_operations = {20, 11};
              },
              {"30 operations", "31 of its threads"}},
        Break{"threads_number",
              [](auto&, auto& role, auto&) { role.thread_operations = {30}; },
              {"2 threads", "counts of 1"}},
        Break{"largest",
              [](auto&, auto&, auto& stats) {
                stats.latency_ns = Restored({{kBucket, 8}}, 8000, 900, 900);
              },
              {"900 ns", "1000 ns"}},
        Break{"smallest",
              [](auto&, auto&, auto& stats) {
                stats.latency_ns = Restored({{kBucket, 8}}, 8000, 5, 1000);
              },
              {"5 ns", "1000 ns"}},
        Break{"mean",
              [](auto&, auto&, auto& stats) {
                stats.latency_ns = Restored({{kBucket, 8}}, 7999, 1000, 1000);
              },
              {"7999 ns", "8000"}},
        Break{"role_beyond_phase",
              [](auto& phase, auto&, auto&) { phase.run_seconds = 0.39; },
              {"0.400", "0.390"}},
        Break{"threads_beyond_role",
              [](auto&, auto& role, auto&) { role.thread_seconds = 0.81; },
              {"0.810", "0.400"}},
        Break{"latencies_beyond_threads",
              [](auto&, auto& role, auto&) {
                role.seconds = 4e-6;
                role.thread_seconds = 7e-6;
                role.operations_per_second = 30 / 4e-6;
              },
              {"0.000008", "0.000007"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Consistency, NobodyReadsFasterThanTheMachineMovesBytes) {
  PhaseResult phase = Sound();
  // A copy moves each byte twice: reads were seen at 2.004 times the copies.
  phase.limits = MachineLimits{.copy_bytes_per_second = 3480 / 0.7 / 2.1};
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  phase.limits->copy_bytes_per_second = 3480 / 0.7 / 4.1;
  EXPECT_THAT(ContradictionIn(phase), HasSubstr("GB/s"));
}

// A published page of 2012 read values of 100,016 bytes in 0.095 us each.
TEST(Consistency, ValuesThatNobodyTouchedAreFoundOut) {
  PhaseResult phase = Sound();
  phase.limits = MachineLimits{.copy_bytes_per_second = 100e9};
  phase.roles = RoundOf("any", 1, 1'000'000).phases[0].roles;
  RoleResult& role = phase.roles[0];
  role.seconds = role.thread_seconds = 0.095;
  role.statistics[0].bytes = 100'016ull * 1'000'000;
  role.statistics[0].latency_ns.reset();
  EXPECT_THAT(ContradictionIn(phase), HasSubstr("1052.8 GB/s"));
}

TEST(Consistency, NoThreadHasMoreWritesSyncedThanThereAreSyncs) {
  PhaseResult phase = Sound();  // 30 puts, 4 to a call, in 0.7 seconds of its threads.
  phase.level = DurabilityLevel::kD4;
  phase.limits = MachineLimits{.syncs = 200, .least_sync_seconds = 0.09};
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  phase.limits->least_sync_seconds = 0.2;
  EXPECT_THAT(ContradictionIn(phase), HasSubstr("cannot all have been synced"));
  phase.limits->overwrites = 100;  // A log that is recycled is written in place.
  phase.limits->least_overwrite_seconds = 0.09;
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  phase.limits->least_overwrite_seconds = 0.2;
  phase.level = DurabilityLevel::kD1;
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  phase.level = DurabilityLevel::kD4;
  phase.limits->syncs = 0;
  EXPECT_THAT(ContradictionIn(phase), IsEmpty()) << "not probed";
}

TEST(Consistency, TicksComeToWhatTheThreadsDid) {
  PhaseResult phase = Sound();
  phase.ticks = {.end_ms = {100, 200}, .operations = {{18, 12}}};
  EXPECT_THAT(ContradictionIn(phase), IsEmpty());
  phase.ticks->operations[0][1] = 13;
  EXPECT_THAT(ContradictionIn(phase), HasSubstr("30 operations of its threads, but 31 in the"));
  phase.ticks->operations.clear();
  EXPECT_THAT(ContradictionIn(phase), HasSubstr("no operations in the phase's ticks"));
}

}  // namespace levelfield::consistency_test
