#include "worker/interval_recorder.h"

#include "base/matchers_for_test.h"

namespace levelfield::interval_recorder_test {

constexpr uint64_t kBegin = 5'000'000'000;
constexpr uint64_t kMs = 1'000'000;

// A phase whose threads do what the test says, when it says so.
class IntervalRecorderTest : public ::testing::Test {
 protected:
  void Make(size_t roles, size_t threads_each, double interval_seconds,
            const RateCurve* curve = nullptr) {
    run_.controls = std::vector<ThreadControl>(roles * threads_each);
    run_.roles.resize(roles);
    workload_.roles.resize(roles);
    for (size_t r = 0; r < roles; ++r) {
      workload_.roles[r].name = "role" + std::to_string(r);
      run_.roles[r].tasks.resize(threads_each);
      run_.roles[r].results.resize(threads_each);
      for (size_t t = 0; t < threads_each; ++t) {
        ThreadControl& control = run_.controls[r * threads_each + t];
        run_.roles[r].tasks[t].control = &control;
        run_.roles[r].tasks[t].load_begin_ns = kBegin;
        run_.roles[r].results[t].statistics.resize(1);
        histograms_.push_back(&run_.roles[r].results[t].statistics[0].latency_ns);
        control.banks.Begin({histograms_.back(), 1});
      }
    }
    recorder_.emplace(workload_, run_, nullptr, interval_seconds, curve);
    recorder_->Begin(kBegin);
  }

  // As in the loop: the signal is checked before the operation is recorded.
  void Do(size_t thread, uint64_t operations, uint64_t latency_ns = 100) {
    ThreadControl& control = run_.controls[thread];
    for (uint64_t i = 0; i < operations; ++i) {
      if ((control.signals.load() & ThreadControl::kRotate) != 0) {
        control.signals.fetch_and(~ThreadControl::kRotate);
        control.banks.Rotate();
      }
      histograms_[thread]->Add(latency_ns);
      control.operations.fetch_add(1);
    }
  }

  // As in an open loop, when the operation had been due for `wait_ns` at its begin.
  void DoLate(size_t thread, uint64_t latency_ns, uint64_t wait_ns) {
    Do(thread, 1, latency_ns);
    OpenRecord& record = *run_.roles[0].results[thread].open;
    record.SetDue(kBegin);
    record.Add(0, kBegin + wait_ns, kBegin + wait_ns + latency_ns);
  }

  void LookAt(uint64_t ms) { recorder_->Look(kBegin + ms * kMs); }

  void EndAt(uint64_t ms) { recorder_->End(kBegin + ms * kMs); }

  std::vector<uint64_t> OperationsOfIntervals(size_t role = 0) const {
    std::vector<uint64_t> operations;
    for (const PhaseInterval& interval : run_.intervals) {
      operations.push_back(interval.roles[role].operations);
    }
    return operations;
  }
  std::vector<uint64_t> LatenciesOfIntervals(size_t role = 0) const {
    std::vector<uint64_t> latencies;
    for (const PhaseInterval& interval : run_.intervals) {
      latencies.push_back(interval.roles[role].statistics.at(0).latency_ns.Count());
    }
    return latencies;
  }

  Workload workload_;
  PhaseRun run_;
  std::vector<Histogram*> histograms_;
  std::optional<IntervalRecorder> recorder_;
};

TEST_F(IntervalRecorderTest, TicksAndIntervalsAreCutWhereTheyAreDue) {
  Make(1, 1, 0.2);
  Do(0, 10);
  LookAt(60);  // As if a thread had ended: no tick is due.
  Do(0, 10);
  LookAt(100);
  Do(0, 3);
  LookAt(201);
  Do(0, 5);
  LookAt(299);
  LookAt(330);
  Do(0, 7);
  EndAt(350);
  EXPECT_THAT(run_.ticks.end_ms, ElementsAre(100, 201, 330, 350));
  EXPECT_THAT(run_.ticks.operations, ElementsAre(ElementsAre(20, 3, 5, 7)));
  EXPECT_FALSE(run_.ticks.activities.has_value());
  EXPECT_THAT(OperationsOfIntervals(), ElementsAre(23, 12));
  EXPECT_THAT(LatenciesOfIntervals(), ElementsAre(23, 12));
  EXPECT_EQ(run_.intervals[0].end_ms, 201u);
  EXPECT_EQ(run_.intervals[1].begin_ms, 201u);
  EXPECT_EQ(run_.intervals[1].end_ms, 350u);
}

TEST_F(IntervalRecorderTest, AStallIsIntervalsOfNothingAndOneThatHasIt) {
  Make(1, 1, 0.1);
  Do(0, 10);
  LookAt(100);
  for (const uint64_t ms : {200, 300, 400}) LookAt(ms);
  Do(0, 1, 330 * kMs);  // It began before the first interval's end.
  LookAt(500);
  Do(0, 10);
  EndAt(600);
  EXPECT_THAT(OperationsOfIntervals(), ElementsAre(10, 0, 0, 0, 1, 10));
  EXPECT_THAT(LatenciesOfIntervals(), ElementsAre(10, 0, 0, 0, 1, 10));
  EXPECT_EQ(run_.intervals[0].roles[0].statistics[0].latency_ns.Max(), 100u);
  EXPECT_EQ(run_.intervals[4].roles[0].statistics[0].latency_ns.Max(), 330 * kMs);
  EXPECT_FALSE(run_.intervals[4].roles[0].statistics[0].response_ns) << "of a closed loop";
}

TEST_F(IntervalRecorderTest, PartsOfACurveHaveAllThatWasDoneInThemEachTimeRound) {
  const RateCurve curve = *RateCurve::Parse("100:0.25s,10:0.5s");
  Make(1, 2, 0.2, &curve);
  // An interval ends at 0.2 s and 0.25 s, again at 0.4, 0.6 and 0.75 s, and so on.
  uint64_t done = 0;
  for (uint64_t ms = 10; ms <= 2'000; ms += 10) {
    const bool is_first = (ms - 1) % 750 < 250;
    Do(0, is_first ? 3 : 1, is_first ? 300 : 100);
    Do(1, 1, is_first ? 300 : 100);
    done += is_first ? 4 : 2;
    LookAt(ms);
  }
  EndAt(2'003);
  ASSERT_EQ(run_.load_parts.size(), 2u);
  const LoadPart& first = run_.load_parts[0];
  const LoadPart& second = run_.load_parts[1];
  EXPECT_EQ(first.operations + second.operations, done);
  EXPECT_EQ(first.service_ns.Count() + second.service_ns.Count(), done);
  EXPECT_NEAR(first.seconds + second.seconds, 2.003, 1e-9);
  EXPECT_NEAR(first.seconds, 0.75, 0.04) << "three times 0.25 s, but for whoever looks late";
  EXPECT_EQ(first.operations, 300u) << "25 looks of 4, three times";
  // A thread hands its histograms over with the next operation.
  EXPECT_NEAR(static_cast<double>(first.service_ns.Sum()), 300.0 * 300, 6 * 300);
  EXPECT_EQ(run_.intervals[0].end_ms, 200u);
  EXPECT_EQ(run_.intervals[1].end_ms, 250u);
  EXPECT_EQ(run_.intervals[2].end_ms, 400u);
}

TEST_F(IntervalRecorderTest, RolesAndTheirThreadsAreAddedUp) {
  Make(2, 2, 0.1);
  for (uint64_t ms = 100; ms <= 1000; ms += 100) {
    for (size_t thread = 0; thread < 4; ++thread) Do(thread, ms + thread);
    LookAt(ms);
  }
  EndAt(1010);
  for (size_t role = 0; role < 2; ++role) {
    uint64_t operations = 0;
    for (size_t thread = 0; thread < 2; ++thread) {
      operations += run_.controls[2 * role + thread].operations.load();
    }
    Histogram intervals;
    for (const PhaseInterval& interval : run_.intervals) {
      intervals.Merge(interval.roles[role].statistics[0].latency_ns.Whole());
      operations -= interval.roles[role].operations;
    }
    EXPECT_EQ(operations, 0u);
    Histogram all = run_.roles[role].taken_ns.at(0);
    for (const ThreadResult& result : run_.roles[role].results)
      all.Merge(result.statistics[0].latency_ns);
    EXPECT_EQ(intervals.Count(), all.Count());
    EXPECT_EQ(intervals.Sum(), all.Sum());
    EXPECT_EQ(all.Count(), role == 0 ? 11'010 : 11'050);
  }
  EXPECT_EQ(run_.intervals[3].roles[1].operations, 805u);
}

TEST_F(IntervalRecorderTest, ResponseTimesOfAnOpenLoopGoWithTheServiceTimesOfTheSameCalls) {
  Make(1, 2, 0.1);
  for (size_t thread = 0; thread < 2; ++thread) {
    run_.roles[0].tasks[thread].load.emplace();
    OpenRecord& record =
        run_.roles[0].results[thread].open.emplace(kBegin, 10'000, uint64_t{1} << 32, 1);
    run_.controls[thread].banks.Begin({histograms_[thread], 1}, record.response_ns());
  }
  for (uint64_t ms = 100; ms <= 1000; ms += 100) {
    DoLate(0, 100, 1000 * ms);
    DoLate(1, 200, 0);
    LookAt(ms);
  }
  EndAt(1010);
  Histogram intervals;
  for (const PhaseInterval& interval : run_.intervals) {
    const StatisticsInterval& stats = interval.roles[0].statistics.at(0);
    ASSERT_TRUE(stats.response_ns.has_value());
    EXPECT_EQ(stats.response_ns->Count(), stats.latency_ns.Count());
    intervals.Merge(stats.response_ns->Whole());
  }
  EXPECT_EQ(run_.intervals[3].roles[0].statistics[0].latency_ns.Max(), 200u);
  EXPECT_EQ(run_.intervals[3].roles[0].statistics[0].response_ns->Max(), 400'100u);
  Histogram all = run_.roles[0].taken_response_ns.at(0);
  for (const ThreadResult& result : run_.roles[0].results) all.Merge(result.open->response_ns(0));
  EXPECT_EQ(all.Count(), 20u);
  EXPECT_EQ(intervals.Count(), all.Count());
  EXPECT_EQ(intervals.Sum(), all.Sum());
  EXPECT_EQ(all.Sum(), 10 * 100 + 10 * 200 + 1000u * 5500);
}

TEST_F(IntervalRecorderTest, WithoutIntervalsThereAreTicksAndNobodyIsAsked) {
  Make(1, 1, 0);
  for (uint64_t ms = 100; ms <= 1000; ms += 100) {
    Do(0, 10);
    LookAt(ms);
    EXPECT_EQ(run_.controls[0].signals.load(), 0u);
  }
  EndAt(1001);
  EXPECT_TRUE(run_.intervals.empty());
  EXPECT_EQ(run_.ticks.end_ms.size(), 11u);
  EXPECT_TRUE(run_.roles[0].taken_ns.empty());
}

TEST_F(IntervalRecorderTest, AThreadThatIsUntimedIsNotAsked) {
  Make(1, 1, 0.1);
  run_.roles[0].tasks[0].timed = false;
  Do(0, 10);
  LookAt(100);
  EXPECT_EQ(run_.controls[0].signals.load(), 0u);
  EndAt(150);
  EXPECT_THAT(OperationsOfIntervals(), ElementsAre(10, 0));
  EXPECT_TRUE(run_.intervals[0].roles[0].statistics.empty());
}

TEST_F(IntervalRecorderTest, OfALongPhaseNeighboursBecomeOneAndNothingIsLost) {
  Make(1, 1, 0.1);
  uint64_t done = 0;
  const uint64_t looks = 3 * IntervalRecorder::kMostTicks + 7;
  for (uint64_t i = 1; i <= looks; ++i) {
    Do(0, i % 3);
    done += i % 3;
    LookAt(100 * i);
  }
  EndAt(100 * looks + 1);
  EXPECT_LE(run_.ticks.end_ms.size(), IntervalRecorder::kMostTicks + 1);
  EXPECT_GE(run_.ticks.end_ms.size(), IntervalRecorder::kMostTicks / 2);
  EXPECT_LE(run_.intervals.size(), IntervalRecorder::kMostIntervals + 1);
  EXPECT_GE(run_.intervals.size(), IntervalRecorder::kMostIntervals / 2);
  uint64_t in_ticks = 0;
  for (const uint64_t operations : run_.ticks.operations[0]) in_ticks += operations;
  uint64_t in_intervals = 0;
  uint64_t latencies = 0;
  uint64_t end_ms = 0;
  for (const PhaseInterval& interval : run_.intervals) {
    EXPECT_EQ(interval.begin_ms, end_ms);
    end_ms = interval.end_ms;
    in_intervals += interval.roles[0].operations;
    latencies += interval.roles[0].statistics[0].latency_ns.Count();
  }
  EXPECT_EQ(in_ticks, done);
  EXPECT_EQ(in_intervals, done);
  EXPECT_EQ(latencies, done);
  EXPECT_TRUE(std::ranges::is_sorted(run_.ticks.end_ms));
}

}  // namespace levelfield::interval_recorder_test
