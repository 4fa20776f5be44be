#include "result/load_verdict.h"

#include <cmath>

#include "base/matchers_for_test.h"
#include "base/random.h"

namespace levelfield::load_verdict_test {

constexpr uint64_t kMs = 1'000'000;

Histogram Of(uint64_t value, uint64_t count, uint64_t other = 0, uint64_t others = 0) {
  Histogram histogram;
  for (uint64_t i = 0; i < count; ++i) histogram.Add(value);
  for (uint64_t i = 0; i < others; ++i) histogram.Add(other);
  return histogram;
}

RoleResult Role(Histogram response_ns, Histogram lateness_ns,
                std::vector<uint64_t> backlog_ns = {}) {
  const uint64_t operations = response_ns.Count();
  RoleResult role{.name = "reader", .threads = 1, .seconds = 2, .statistics = {}, .rate = 50'000};
  role.statistics.push_back({.operation = "get",
                             .effects = Effect::kReads,
                             .operations = operations,
                             .hits = operations,
                             .latency_ns = Histogram(),
                             .response_ns = std::move(response_ns)});
  role.load = LoadResult{.arrival = "poisson",
                         .lateness_ns = std::move(lateness_ns),
                         .backlog_ns = std::move(backlog_ns),
                         .interval_seconds = 0.25};
  return role;
}

TEST(LoadVerdict, AGeneratorThatIsPunctualIsNoExcuse) {
  EXPECT_EQ(JudgeLoad(Role(Of(20'000, 10'000), Of(1'900, 10'000))).verdict, LoadOutcome::kOk);
}

TEST(LoadVerdict, AFewNanosecondsAreNoLateness) {
  // A get from memory: 31 ns late is more than a tenth of 250 ns.
  EXPECT_EQ(JudgeLoad(Role(Of(250, 10'000), Of(31, 10'000))).verdict, LoadOutcome::kOk);
  EXPECT_EQ(JudgeLoad(Role(Of(250, 10'000), Of(130, 10'000))).verdict, LoadOutcome::kLateGenerator);
}

// A phase that did what it was to do on this machine.
PhaseResult PhaseOf(RoleResult role) {
  PhaseResult phase;
  phase.outcome = Outcome::kOk;
  role.load->verdict = JudgeLoad(role).verdict;
  phase.roles.push_back(std::move(role));
  return phase;
}

TEST(LoadVerdict, ALateGeneratorsResponseTimesAreUpperBoundsAndThePhaseIsValid) {
  PhaseResult phase = PhaseOf(Role(Of(20'000, 10'000), Of(15'000, 10'000)));
  EXPECT_EQ(phase.outcome, Outcome::kOk);
  EXPECT_TRUE(HasUpperBounds(phase));
  EXPECT_THAT(WhyUpperBounds(phase), HasSubstr("at most what is shown"));
  EXPECT_THAT(WhyUpperBounds(phase), Not(HasSubstr("quieter")));
  PhaseResult punctual = PhaseOf(Role(Of(20'000, 10'000), Of(10, 10'000)));
  EXPECT_EQ(WhyUpperBounds(punctual), "");
}

// A round was late, and the histograms of all rounds together are not.
TEST(LoadVerdict, OneLateRoundMakesTheResponseTimesOfAllUpperBounds) {
  PhaseResult phase = PhaseOf(Role(Of(20'000, 10'000), Of(10, 10'000)));
  phase.roles[0].load->verdict = LoadOutcome::kLateGenerator;
  EXPECT_THAT(WhyUpperBounds(phase), HasSubstr("late in some rounds"));
  EXPECT_THAT(WhyUpperBounds(phase), HasSubstr("at most what is shown"));
}

TEST(LoadVerdict, AQuieterMachineIsAdvisedWhereThisOneWasBusy) {
  PhaseResult phase = PhaseOf(Role(Of(20'000, 10'000), Of(15'000, 10'000)));
  phase.conditions.emplace().others_share = 0.5;
  ASSERT_FALSE(DisturbancesOf(phase).empty());
  EXPECT_THAT(WhyUpperBounds(phase), HasSubstr("A quieter machine would be exact: "));
}

TEST(LoadVerdict, AGeneratorThatWasLateIsNamedWithItsLateness) {
  // SCHED_FIFO's throttling held a spinning generator back for 50 ms in each second: 2 % of its
  // operations.
  const LoadVerdict throttled =
      JudgeLoad(Role(Of(20'000, 9'800, 50 * kMs, 200), Of(20, 9'800, 50 * kMs, 200)));
  EXPECT_EQ(throttled.verdict, LoadOutcome::kLateGenerator);
  EXPECT_THAT(throttled.message, HasSubstr("late: p99 49.9 ms"));
  // An overloaded machine: the median was late by 1.9 ms.
  EXPECT_EQ(JudgeLoad(Role(Of(2 * kMs, 10'000), Of(1'900'000, 10'000))).verdict,
            LoadOutcome::kLateGenerator);
}

TEST(LoadVerdict, WithFewOperationsTheMedianJudgesTheGenerator) {
  const LoadVerdict verdict = JudgeLoad(Role(Of(20'000, 100), Of(3'000, 100)));
  EXPECT_EQ(verdict.verdict, LoadOutcome::kLateGenerator);
  EXPECT_THAT(verdict.message, HasSubstr("p50 3.0 us"));
  EXPECT_EQ(JudgeLoad(Role(Of(20'000, 9), Of(19'000, 9))).verdict, LoadOutcome::kOk)
      << "nothing is shown";
}

TEST(LoadVerdict, ABacklogThatGrowsIsNotSustainable) {
  const std::vector<uint64_t> grows = {20 * kMs,  60 * kMs,  100 * kMs, 140 * kMs,
                                       180 * kMs, 220 * kMs, 260 * kMs, 300 * kMs};
  const LoadVerdict verdict = JudgeLoad(Role(Of(100 * kMs, 80'000), Of(50, 80'000), grows));
  EXPECT_EQ(verdict.verdict, LoadOutcome::kNotSustainable);
  EXPECT_THAT(verdict.message, HasSubstr("of 50000 operations a second 40000 were done"));
  EXPECT_THAT(verdict.message, HasSubstr("grew to 300.0 ms"));
}

// A stub that needs 1 us, at 1,200,000 a second of 750,000 that a closed loop does: 250 ns between
// two calls are the generator's own, and make all that are due later.
TEST(LoadVerdict, ARateAboveTheClosedLoopsIsNotSustainableAlsoIfTheGeneratorIsLate) {
  const std::vector<uint64_t> grows = {20 * kMs,  60 * kMs,  100 * kMs, 140 * kMs,
                                       180 * kMs, 220 * kMs, 260 * kMs, 300 * kMs};
  RoleResult role = Role(Of(300 * kMs, 10'000), Of(80 * kMs, 10'000), grows);
  EXPECT_EQ(JudgeLoad(role).verdict, LoadOutcome::kLateGenerator)
      << "nothing is known of its calls";
  role.statistics[0].latency_ns = Of(150'000, 10'000);
  EXPECT_EQ(JudgeLoad(role).verdict, LoadOutcome::kNotSustainable) << "1.5 s of 2 s";
}

TEST(LoadVerdict, ABacklogThatGrowsInJumpsIsNotSustainableEither) {
  EXPECT_NE(BacklogGrowthNs(
                {0, 100 * kMs, 80 * kMs, 200 * kMs, 180 * kMs, 300 * kMs, 280 * kMs, 400 * kMs},
                0.25, 100'000),
            0u);
}

TEST(LoadVerdict, AStallThatIsWorkedOffAgainIsSustained) {
  EXPECT_EQ(BacklogGrowthNs({0, 50 * kMs, 200 * kMs, 400 * kMs, 300 * kMs, 100 * kMs, 0, 0}, 0.25,
                            100'000),
            0u);
  EXPECT_EQ(BacklogGrowthNs({0, 0, 0, 0, 0, 0, 0, 90 * kMs}, 0.25, 100'000), 0u)
      << "one interval is no growth over three";
}

TEST(LoadVerdict, ShortRunsOfAStableQueueAreNotTakenForGrowth) {
  EXPECT_EQ(
      BacklogGrowthNs({1'000, 2'000, 3'000, 4'000, 5'000, 6'000, 7'000, 8'000}, 0.25, 100'000), 0u)
      << "a microsecond in each quarter of a second is nothing";
  EXPECT_EQ(BacklogGrowthNs({}, 0, 100'000), 0u);
}

// One server, 20 us an operation, Poisson arrivals at this share of its capacity: the means of
// eighths of a run of so many operations.
std::vector<uint64_t> Simulated(double utilization, uint64_t operations, uint64_t seed) {
  constexpr double kServiceNs = 20'000;
  Random random(seed);
  double due = 0;
  double free = 0;
  std::vector<uint64_t> parts;
  double waiting = 0;
  for (uint64_t i = 1; i <= operations; ++i) {
    due -= std::log(static_cast<double>((random.Next() >> 11) + 1) * 0x1p-53) * kServiceNs /
           utilization;
    const double begin = std::max(due, free);
    waiting += begin - due;
    free = begin + kServiceNs;
    if (i % (operations / 8) != 0) continue;
    parts.push_back(static_cast<uint64_t>(waiting / (static_cast<double>(operations) / 8)));
    waiting = 0;
  }
  return parts;
}

uint64_t CountedAsGrowing(double utilization, uint64_t operations) {
  uint64_t growing = 0;
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const double seconds = static_cast<double>(operations) * 20e-6 / std::max(utilization, 1.0);
    growing +=
        BacklogGrowthNs(Simulated(utilization, operations, seed), seconds / 8, operations) != 0;
  }
  return growing;
}

TEST(LoadVerdict, TellsQueuesBelowTheirCapacityFromQueuesAboveIt) {
  for (const uint64_t operations : {1'000u, 10'000u, 100'000u}) {
    EXPECT_LE(CountedAsGrowing(0.8, operations), 1u) << operations;
    EXPECT_LE(CountedAsGrowing(0.95, operations), 2u) << operations;
    EXPECT_GE(CountedAsGrowing(2, operations), 49u) << operations;
  }
  EXPECT_GE(CountedAsGrowing(1.05, 100'000), 49u);
}

}  // namespace levelfield::load_verdict_test
