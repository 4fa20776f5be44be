// Ticks and intervals of real runs: they add up to the figures, exactly, and the reports made of
// them.

#include "end_to_end.h"
#include "result/time_series_json.h"

namespace levelfield {
namespace {

class OverTime : public EndToEnd {
 protected:
  // By the place of their phase; all of one run.
  std::vector<std::vector<PhaseInterval>> Intervals() const {
    std::vector<std::vector<PhaseInterval>> phases;
    bool torn = false;
    const Status status = ForEachInterval(ResultPath(), &torn, [&](const StoredInterval& stored) {
      EXPECT_EQ(stored.run, 0u);
      if (phases.size() <= stored.phase) phases.resize(stored.phase + 1);
      phases[stored.phase].push_back(stored.interval);
    });
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_FALSE(torn);
    return phases;
  }
};

void ExpectSame(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.Sum(), b.Sum());
  EXPECT_EQ(a.Min(), b.Min());
  EXPECT_EQ(a.Max(), b.Max());
  const auto of_a = a.NonEmpty();
  const auto of_b = b.NonEmpty();
  ASSERT_EQ(of_a.size(), of_b.size());
  for (size_t i = 0; i < of_a.size(); ++i) {
    EXPECT_EQ(of_a[i].bucket, of_b[i].bucket);
    EXPECT_EQ(of_a[i].count, of_b[i].count);
  }
}

// The intervals and the ticks of a phase against its figures.
void ExpectToAddUp(const PhaseResult& phase, const std::vector<PhaseInterval>& intervals) {
  ASSERT_TRUE(phase.ticks.has_value()) << phase.workload;
  ASSERT_EQ(phase.ticks->operations.size(), phase.roles.size());
  for (size_t r = 0; r < phase.roles.size(); ++r) {
    const RoleResult& role = phase.roles[r];
    uint64_t in_ticks = 0;
    for (const uint64_t operations : phase.ticks->operations[r]) in_ticks += operations;
    EXPECT_EQ(in_ticks, role.Operations()) << phase.workload << " " << role.name;
    uint64_t in_intervals = 0;
    std::vector<Histogram> latencies(role.lanes.size());
    std::vector<Histogram> responses(role.lanes.size());
    uint64_t end_ms = 0;
    for (const PhaseInterval& interval : intervals) {
      EXPECT_EQ(interval.begin_ms, end_ms);
      end_ms = interval.end_ms;
      ASSERT_EQ(interval.roles.size(), phase.roles.size());
      EXPECT_EQ(interval.roles[r].name, role.name);
      in_intervals += interval.roles[r].operations;
      ASSERT_EQ(interval.roles[r].lanes.size(), role.lanes.size());
      for (size_t i = 0; i < role.lanes.size(); ++i) {
        EXPECT_EQ(interval.roles[r].lanes[i].operation, role.lanes[i].operation);
        const LaneInterval& lane = interval.roles[r].lanes[i];
        latencies[i].Merge(lane.latency_ns.Whole());
        ASSERT_EQ(lane.response_ns.has_value(), role.lanes[i].response_ns.has_value());
        if (lane.response_ns) responses[i].Merge(lane.response_ns->Whole());
      }
    }
    EXPECT_EQ(in_intervals, role.Operations()) << phase.workload << " " << role.name;
    EXPECT_EQ(end_ms, phase.ticks->end_ms.back());
    for (size_t i = 0; i < role.lanes.size(); ++i) {
      ExpectSame(latencies[i], role.lanes[i].latency_ns.value().Whole());
      if (role.lanes[i].response_ns) ExpectSame(responses[i], role.lanes[i].response_ns->Whole());
    }
  }
}

TEST_F(OverTime, IntervalsAddUpToTheFiguresBitForBit) {
  const Ending ending = Run({"run", "--engine=memory", "--num=20000", "--threads=2", "--duration=1",
                             "--interval_seconds=0.1",
                             "--benchmarks=fillrandom,readrandomwriterandom,readwhilewriting"});
  ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  const Result result = ReadResult();
  const auto intervals = Intervals();
  ASSERT_EQ(intervals.size(), 3u);
  for (size_t i = 0; i < 3; ++i) ExpectToAddUp(result.runs[0].phases[i], intervals[i]);
  EXPECT_GE(intervals[1].size(), 3u) << "of a second";
  EXPECT_GE(intervals[2].size(), 3u);

  const Ending csv = Run({"report", "--format=intervals", ResultPath()});
  EXPECT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_THAT(csv.out, ::testing::StartsWith("run,round,engine,phase,benchmark,begin_seconds,"));
  EXPECT_THAT(csv.out, HasSubstr("\n0,1,memory,1,readrandomwriterandom,0.000,0."));

  const Ending logs = Run({"report", "--format=hlog", "--to=logs", ResultPath()});
  EXPECT_EQ(logs.exit_code, 0) << logs.err;
  EXPECT_THAT(logs.out, HasSubstr("logs/0-memory-1-readrandomwriterandom-"));
  for (const char* const name : {"-get.hlog\n", "-put.hlog\n", "-get.hgrm\n"}) {
    EXPECT_THAT(logs.out, HasSubstr(name));
  }
  const Ending again = Run({"report", "--format=hlog", "--to=logs", ResultPath()});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("--to=logs: is there already"));
}

TEST_F(OverTime, ResponseTimesOfIntervalsAddUpToTheFiguresBitForBit) {
  const Ending ending =
      Run({"run", "--engine=stub", "--stub.service_us=20", "--stub.stall_every_ms=500",
           "--stub.stall_ms=100", "--num=1000", "--threads=2", "--rate=5k", "--duration=1",
           "--interval_seconds=0.1", "--price=0", "--benchmarks=readrandomwriterandom,ycsb-e"});
  // 3: the machine had other things to do than to wake the generator up.
  ASSERT_THAT(ending.exit_code, ::testing::AnyOf(0, 3)) << ending.out << ending.err;
  const Result result = ReadResult();
  const auto intervals = Intervals();
  const SharedList<PhaseResult>& phases = result.runs[0].phases;
  ASSERT_EQ(intervals.size(), phases.size());
  size_t lanes = 0;
  for (size_t i = 0; i < phases.size(); ++i) {
    ExpectToAddUp(phases[i], intervals[i]);
    if (!phases[i].roles[0].load) continue;
    EXPECT_GE(intervals[i].size(), 5u) << phases[i].workload;
    for (const LaneResult& lane : phases[i].roles[0].lanes) {
      ASSERT_TRUE(lane.response_ns);
      EXPECT_EQ(lane.response_ns->Count(), lane.latency_ns->Count());
      ++lanes;
    }
  }
  EXPECT_GE(lanes, 4u) << "of a mix, and of one whose kinds are not all there";

  const Ending csv = Run({"report", "--format=intervals", ResultPath()});
  EXPECT_THAT(csv.out, HasSubstr(",responses,response_p50_ns,"));
  const Ending logs = Run({"report", "--format=hlog", "--to=logs", ResultPath()});
  EXPECT_EQ(logs.exit_code, 0) << logs.err;
  EXPECT_THAT(logs.out, AllOf(HasSubstr("-get.hlog\n"), HasSubstr("-get-response.hlog\n"),
                              HasSubstr("-put-response.hgrm\n")));
}

TEST_F(OverTime, WithoutAClockThereAreOperationsAndNoLatencies) {
  const Ending ending = Run({"run", "--engine=memory", "--num=1000", "--histogram=0",
                             "--benchmarks=fillseq", "--interval_seconds=0.1"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const auto intervals = Intervals();
  ASSERT_EQ(intervals.size(), 1u);
  ASSERT_EQ(intervals[0].size(), 1u) << "it takes no tenth of a second";
  EXPECT_EQ(intervals[0][0].roles.at(0).operations, 1000u);
  EXPECT_TRUE(intervals[0][0].roles[0].lanes.empty());
  EXPECT_EQ(Run({"report", "--format=hlog", "--to=logs", ResultPath()}).exit_code, 2);
}

TEST_F(OverTime, WithoutIntervalsThereIsNoFileOfThem) {
  const Ending ending =
      Run({"run", "--engine=memory", "--num=1000", "--benchmarks=fillseq", "--interval_seconds=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_FALSE(fs::exists(ResultPath() + "/intervals.jsonl"));
  EXPECT_TRUE(ReadResult().runs[0].phases[0].ticks.has_value());
  const Ending report = Run({"report", "--format=intervals", ResultPath()});
  EXPECT_EQ(report.exit_code, 2);
  EXPECT_THAT(report.err, HasSubstr("there are no intervals in it"));
}

TEST_F(OverTime, MistakesAreToldBeforeAnythingRuns) {
  const Ending brief = Run({"run", "--engine=memory", "--interval_seconds=0.01"});
  EXPECT_EQ(brief.exit_code, 2);
  EXPECT_THAT(brief.err, HasSubstr("0.1 s at the least"));
  const Ending nowhere = Run({"report", "--format=hlog", "results"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--to"));
  EXPECT_THAT(
      Run({"report", "--format=charts", "results"}).err,
      HasSubstr("intervals, corrected, google_benchmark, hlog, html or markdown is accepted"));
}

TEST_F(OverTime, LooksAtTheSpaceOfAStoreWhileItsThreadsRun) {
  const Ending ending = Run({"run", "--engine=leveldb,lmdb", "--num=20k", "--duration=2.6",
                             "--price=0", "--audit=0", "--benchmarks=fillseq,overwrite"});
  ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  for (const RunResult& run : ReadResult().runs) {
    const PhaseResult phase = PhaseOf(run, "overwrite");
    ASSERT_TRUE(phase.space) << run.engine;
    const SpaceSeries& space = *phase.space;
    ASSERT_EQ(space.at_ms.size(), space.allocated_bytes.size());
    EXPECT_GE(space.at_ms.size(), 1u);
    EXPECT_LE(space.at_ms.size(), 3u) << "no more often than once a second";
    EXPECT_LE(space.at_ms.back(), phase.ticks->end_ms.back() + 1000) << "not when it is checked";
    for (const uint64_t bytes : space.allocated_bytes) {
      EXPECT_GE(bytes, 20'000u * 116) << "what it holds";
      EXPECT_LE(bytes, phase.peak_disk_bytes);
    }
  }
}

// Of YCSB's five kinds of operations each workload has some: what was taken at an interval's end
// has to come back to the kind that it is of.
TEST_F(OverTime, KeepsTheKindsOfAMixApart) {
  const Ending ending = Run({"run", "--engine=memory", "--num=20k", "--benchmarks=ycsb-e",
                             "--duration=0.5", "--interval_seconds=0.1", "--price=0"});
  ASSERT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  const PhaseResult phase = PhaseOf(ReadResult().runs.front(), "ycsb-e");
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  for (const LaneResult& lane : phase.roles.at(0).lanes) {
    EXPECT_EQ(lane.latency_ns->Count(), lane.operations) << lane.operation;
  }
}

}  // namespace
}  // namespace levelfield
