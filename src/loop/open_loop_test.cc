// The measured loop as an open one. Some tests run in simulated time, in which a stall takes
// exactly as long as it says and nothing is late by accident; others run on engines of the build.
#include "loop/open_loop.h"

#include "base/matchers_for_test.h"
#include "result/load_verdict.h"
#include "worker/roles_for_test.h"

namespace levelfield::open_loop_test {

using ::testing::Each;

constexpr uint64_t kOneToOne = uint64_t{1} << 32;  // A tick is a nanosecond.
constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kRange = 10'000;  // Keys.

// Passes when somebody looks at it, sleeps, or does an operation.
struct SimulatedTime {
  static inline uint64_t now = 0;
  static inline uint64_t oversleeps = 0;  // How much longer each sleep takes, in ns.
  static constexpr uint64_t kReading = 40;

  static uint64_t Now() { return now += kReading; }
  static void Sleep(uint64_t ns) { now += ns + oversleeps; }
};

// An engine that needs 20 us a call, and stalls for 100 ms once in each period.
struct StallingOperation {
  static constexpr bool kWholeBlock = false;
  uint64_t service = 20'000;
  uint64_t stall_every = 0;  // 0: never.
  uint64_t stall = 100 * kMs;
  uint64_t next_stall = 0;

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  lf_code Call(const NumberedKey&) {
    SimulatedTime::now += service;
    if (stall_every != 0 && SimulatedTime::now >= next_stall) {
      SimulatedTime::now += stall;
      next_stall += stall_every;
    }
    return LF_OK;
  }
  size_t Statistics() const { return 0; }
};

struct Simulated {
  Histogram service_ns;
  Histogram response_ns;
  RoleResult role;
  double seconds = 0;
};

Simulated Simulate(StallingOperation engine, uint64_t rate, uint64_t operations,
                   Arrival arrival = Arrival::kPoisson) {
  SimulatedTime::now = 5'000;
  const uint64_t begin = SimulatedTime::now;
  engine.next_stall = begin + engine.stall_every / 2;
  ThreadControl control;
  KeyBlock block({.order = KeyOrder::kUniform, .range = 1000, .draw_seed = 3},
                 KeyFormat(kKeySize, 1000));
  Simulated simulated;
  OpenRecord record(begin, 10'000, kOneToOne, 1);
  const LoadPlan plan{.arrival = arrival, .pace = {.rate = rate}, .seed = 5};
  Scheduled open(engine, OpenSchedule<SimulatedTime>(plan, begin, kOneToOne,
                                                     WakeUps::Of(plan.pace, 1), record, control));
  EXPECT_EQ(RunLoop(open, TimedOpen<SimulatedTime>{kOneToOne, &simulated.service_ns, &record},
                    block, operations, control),
            LF_OK);
  simulated.seconds = static_cast<double>(SimulatedTime::now - begin) * 1e-9;
  simulated.response_ns = record.response_ns(0);
  simulated.role = {
      .name = "r", .threads = 1, .seconds = simulated.seconds, .statistics = {}, .rate = rate};
  simulated.role.statistics.push_back({.operation = "get",
                                       .effects = Effect::kReads,
                                       .operations = operations,
                                       .latency_ns = simulated.service_ns,
                                       .response_ns = simulated.response_ns});
  simulated.role.load = LoadResult{.arrival = "poisson",
                                   .lateness_ns = record.lateness_ns(),
                                   .backlog_ns = record.BacklogNs(),
                                   .interval_seconds = record.BacklogSeconds()};
  return simulated;
}

TEST(OpenLoop, AStallIsInTheResponseTimesAndHardlyInTheServiceTimes) {
  SimulatedTime::oversleeps = 0;
  const Simulated run = Simulate({.stall_every = 10'000 * kMs}, 10'000, 100'000);
  EXPECT_NEAR(run.seconds, 10, 0.05);
  EXPECT_LT(*run.service_ns.Percentile(0.999), kMs / 10);
  EXPECT_NEAR(static_cast<double>(*run.service_ns.Percentile(0.9999)), 20'000, 400)
      << "one bad sample in 100,000";
  EXPECT_GT(*run.response_ns.Percentile(0.999), 80 * kMs);
  EXPECT_GT(*run.response_ns.Percentile(0.995), 40 * kMs);
  EXPECT_GT(*run.response_ns.Percentile(0.99), kMs);
  EXPECT_LT(*run.response_ns.Percentile(0.5), kMs / 10);
  EXPECT_EQ(JudgeLoad(run.role).verdict, LoadOutcome::kOk) << JudgeLoad(run.role).message;
}

TEST(OpenLoop, EachOperationIsOnceInEachHistogram) {
  SimulatedTime::oversleeps = 0;
  const Simulated run = Simulate({}, 10'000, 5'003);
  EXPECT_EQ(run.service_ns.Count(), 5'003u);
  EXPECT_EQ(run.response_ns.Count(), 5'003u);
  EXPECT_EQ(run.role.load->lateness_ns.Count(), 5'003u);
}

TEST(OpenLoop, AfterADelayOperationsBeginAtOnceAndKeepTheirTimes) {
  SimulatedTime::oversleeps = 0;
  // One stall of 100 ms at 500 ms; 10,000 operations a second are due meanwhile, in turn.
  const Simulated run = Simulate({.stall_every = 1'000 * kMs}, 10'000, 10'000, Arrival::kConstant);
  EXPECT_NEAR(run.seconds, 1, 0.001) << "the delay is caught up with, the schedule is not moved";
  // With a stall s, gaps g and a service time d, n = s / (g - d) operations wait; the k-th of them
  // waits s - k * (g - d). The sum is that of a triangle.
  const double waiting_ns = 1250.0 * 100e6 / 2;
  EXPECT_NEAR(static_cast<double>(run.response_ns.Sum()), waiting_ns + 10'000 * 20'000,
              0.01 * waiting_ns);
  EXPECT_NEAR(static_cast<double>(run.response_ns.Max()), 100e6, 1e6);
}

TEST(OpenLoop, AWaitForTheOperationBeforeIsNoLatenessOfTheGenerator) {
  SimulatedTime::oversleeps = 0;
  const Simulated run = Simulate({.stall_every = 100 * kMs, .stall = 50 * kMs}, 10'000, 10'000);
  EXPECT_GT(*run.response_ns.Percentile(0.5), kMs);
  // Clock readings add up while operations follow each other.
  EXPECT_LT(*run.role.load->lateness_ns.Percentile(0.99), *run.response_ns.Percentile(0.99) / 100);
  EXPECT_EQ(JudgeLoad(run.role).verdict, LoadOutcome::kOk) << JudgeLoad(run.role).message;
}

TEST(OpenLoop, ADelayOfTheGeneratorIsItsOwnForAllThatWereDueMeanwhile) {
  // Taken off its processor for 30 ms between two clock readings: one operation is late by that
  // much, and three hundred that were due meanwhile wait for each other.
  OpenRecord record(0, 10'000, kOneToOne, 1);
  uint64_t free = 0;
  for (uint64_t i = 0; i < 10'000; ++i) {
    const uint64_t due = i * 100'000;
    uint64_t start = std::max(due, free);
    if (i == 5'000) start += 30 * kMs;
    record.SetDue(due);
    record.Add(0, start, start + 1'000);
    free = start + 1'000;
  }
  EXPECT_GT(*record.response_ns(0).Percentile(0.99), 15 * kMs);
  EXPECT_GT(*record.lateness_ns().Percentile(0.99), 15 * kMs);
  EXPECT_EQ(*record.lateness_ns().Percentile(0.9), 0u);
}

TEST(OpenLoop, AGeneratorThatSleepsTooLongIsFoundOut) {
  // Sleeps take 1.9 ms too long, as on an overloaded machine.
  SimulatedTime::oversleeps = 2'500'000;  // Longer than it reads the clock ahead.
  const Simulated run = Simulate({}, 200, 2'000);
  SimulatedTime::oversleeps = 0;
  EXPECT_GT(*run.role.load->lateness_ns.Percentile(0.5), kMs);
  EXPECT_EQ(JudgeLoad(run.role).verdict, LoadOutcome::kLateGenerator);
}

// On a virtual machine sleeps are longer by 54 us in the median and 150 us in one of a hundred.
TEST(OpenLoop, ASleepThatIsAlwaysTooLongMakesNothingLateOnceItIsKnown) {
  SimulatedTime::oversleeps = 300'000;
  const Simulated run = Simulate({}, 500, 2'000);
  SimulatedTime::oversleeps = 0;
  EXPECT_LT(*run.role.load->lateness_ns.Percentile(0.99), 200u) << "some readings of the clock";
  EXPECT_EQ(JudgeLoad(run.role).verdict, LoadOutcome::kOk) << JudgeLoad(run.role).message;
}

TEST(WakeUps, ThreadsThatAreMoreThanProcessorsDoNotReadTheClockAllTheTime) {
  const auto most_ns = [](uint64_t threads) {
    WakeUps wake_ups = WakeUps::Of({.rate = 25'000, .threads = threads}, 2);
    wake_ups.Woke(10 * kMs);
    return wake_ups.lead_ns();
  };
  EXPECT_EQ(most_ns(2), kMs);
  EXPECT_EQ(most_ns(8), 40'000u) << "25,000 times so long is half of two processors";
}

TEST(OpenLoop, ARateBeyondTheCapacityIsNotSustainable) {
  SimulatedTime::oversleeps = 0;
  for (const uint64_t rate : {55'000u, 100'000u, 100'000'000u}) {
    const Simulated run = Simulate({}, rate, 50'000);
    EXPECT_EQ(JudgeLoad(run.role).verdict, LoadOutcome::kNotSustainable) << rate;
  }
  const Simulated run = Simulate({}, 40'000, 50'000);
  EXPECT_EQ(JudgeLoad(run.role).verdict, LoadOutcome::kOk) << JudgeLoad(run.role).message;
  EXPECT_NEAR(50'000 / run.seconds, 40'000, 600) << "three standard deviations of so many";
}

TEST(OpenLoop, IsToldToStopWhileItWaits) {
  SimulatedTime::now = 0;
  ThreadControl control;
  control.Stop();
  WakeUps wake_ups = WakeUps::Of({}, 1);
  EXPECT_FALSE(WaitUntil<SimulatedTime>(1'000 * kMs, kOneToOne, control, wake_ups));
  EXPECT_LT(SimulatedTime::now, kMs);
}

// As the fixture runs them, but in an open loop: nothing here depends on the machine's speed.
ThreadResult RunOpen(ThreadFixture& fixture, const Role& role, uint64_t rate, uint64_t operations,
                     Timing timing) {
  const ThreadFixture::Asked asked = {.role = role, .operations = operations, .timing = timing};
  ThreadControl control;
  Session session = fixture.Begin();
  ThreadTask task = fixture.Task(asked, 0, session.get(), control);
  task.load = {.pace = {.rate = rate, .batch = role.batch}, .seed = 9};
  ThreadResult result;
  RunThread(task, result);
  EXPECT_EQ(result.code, LF_OK) << result.error;
  return result;
}

TEST(OpenLoop, CountsTheSameOperationsAsAClosedOne) {
  ThreadFixture fixture("null");
  Role roles[] = {RoleOf("get", KeyOrder::kUniform, kRange),
                  RoleOf("put", KeyOrder::kShuffled, kRange),
                  RoleOf("put", KeyOrder::kSequential, kRange, 100, 100),
                  RoleOf("mix", KeyOrder::kShuffled, kRange)};
  roles[3].get_percent = 50;
  for (const Role& role : roles) {
    for (const Timing timing : {Timing::kTsc, Timing::kMonotonic}) {
      const ThreadResult result = RunOpen(fixture, role, 10'000'000, 10'050, timing);
      EXPECT_EQ(result.Operations(), 10'050u);
      ASSERT_TRUE(result.open);
      uint64_t calls = 0;
      for (size_t i = 0; i < result.statistics.size(); ++i) {
        EXPECT_EQ(result.open->response_ns(i).Count(), result.statistics[i].latency_ns.Count());
        EXPECT_GE(result.open->response_ns(i).Sum(), result.statistics[i].latency_ns.Sum());
        calls += result.statistics[i].latency_ns.Count();
      }
      EXPECT_EQ(calls, (10'050 + role.batch - 1) / role.batch);
      EXPECT_EQ(result.open->lateness_ns().Count(), calls);
    }
  }
}

TEST(OpenLoop, IsNeverAheadOfItsSchedule) {
  ThreadFixture fixture("memory");
  const Role role = RoleOf("put", KeyOrder::kShuffled, kRange);
  const uint64_t before_ns = MonotonicNs();  // The schedule cannot begin earlier.
  const ThreadResult result = RunOpen(fixture, role, 20'000, 1'000, Timing::kMonotonic);
  LoadModel model({.pace = {.rate = 20'000}, .seed = 9});
  uint64_t due_ns = 0;
  for (int i = 0; i < 1'000; ++i) due_ns = model.NextDueNs();
  EXPECT_GE(result.end_ns - before_ns, due_ns);
}

TEST(BacklogSeries, IsEmptyWhereNobodyWaits) {
  BacklogSeries series(1000, 10);
  for (uint64_t due = 1000; due < 3000; due += 7) series.Done(due, due);
  EXPECT_EQ(series.Parts().size(), BacklogSeries::kParts);
  EXPECT_THAT(series.Parts(), Each(0u));
}

TEST(BacklogSeries, GrowsWithTheDelayOfAnEngineThatIsTooSlow) {
  BacklogSeries series(0, 10);
  for (uint64_t i = 0; i < 8000; ++i) series.Done(i, 2 * i);  // Twice as slow as required.
  const std::vector<uint64_t> parts = series.Parts();
  ASSERT_EQ(parts.size(), 8u);
  for (uint64_t part = 0; part < 8; ++part) {
    // In the middle of the part it is behind by half of the time that has passed.
    EXPECT_NEAR(static_cast<double>(parts[part]), (static_cast<double>(part) + 0.5) * 1000, 20);
  }
}

TEST(BacklogSeries, SeesAStallWhileItLasts) {
  BacklogSeries series(0, 100);
  series.Done(0, 10);
  series.Done(20, 8000);  // One operation spans all eight parts of the run.
  EXPECT_THAT(series.Parts(), ElementsAre(530, 1530, 2530, 3530, 4530, 5530, 6530, 7530));
}

TEST(BacklogSeries, KeepsAFewHundredIntervalsHoweverLongItRuns) {
  for (const uint64_t length : {20'000u, 1'000'000u, 77'777'777u}) {
    BacklogSeries series(5, 10);
    for (uint64_t i = 1; i <= 1000; ++i) {
      const uint64_t end = 5 + length * i / 1000;
      series.Done(end - length / 2000, end);
    }
    const double parts_ticks = 8 * static_cast<double>(series.PartTicks());
    EXPECT_NEAR(parts_ticks / static_cast<double>(length), 1, 0.01) << length;
  }
}

TEST(BacklogSeries, SaysNothingOfARunThatWasOverTooSoon) {
  BacklogSeries series(0, 10);
  series.Done(0, 70);
  EXPECT_TRUE(series.Parts().empty());
}

}  // namespace levelfield::open_loop_test
