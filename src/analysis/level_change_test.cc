#include "analysis/level_change.h"

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::level_change_test {

constexpr uint64_t kFixed = 1'000'000;

// A session of six rounds of a second: what the engine did in each of them beside the yardstick,
// and the seconds of processor time that it took.
Result Session(uint64_t gets, double cpu_seconds, uint64_t latency_ns) {
  Result result;
  result.settings = {{"yardstick", "a@fixed"}};
  for (uint64_t round = 1; round <= 6; ++round) {
    for (const bool is_fixed : {false, true}) {
      const uint64_t operations = (is_fixed ? kFixed : gets) + round * 10;
      RunResult run = SlicedRoundOf(is_fixed ? "a@fixed" : "a", round, operations);
      run.is_baseline_engine = is_fixed;
      PhaseResult& phase = run.phases[0];
      Resources& used = phase.resources.emplace();
      used.foreground_seconds = is_fixed ? 1 : cpu_seconds;
      used.memory.emplace().anonymous_bytes = 1 << 20;
      SparseHistogram& latencies = *phase.roles[0].statistics[0].latency_ns;
      latencies = {};
      for (int i = 0; i < 10'000; ++i) latencies.Add(latency_ns);
      result.runs.push_back(std::move(run));
    }
  }
  return result;
}

StatusOr<LevelChanges> Changes(const Result& before, const Result& after) {
  return ChangesBetween(before, {}, after, {}, 0.02);
}

std::vector<std::string> NamesOf(const std::vector<FigureOfBoth>& figures) {
  std::vector<std::string> names;
  for (const FigureOfBoth& figure : figures) names.emplace_back(figure.name);
  return names;
}

TEST(LevelChange, OfMoreWorkIsProcessorTime) {
  const auto changes = Changes(Session(1'000'000, 1, 900), Session(500'000, 1, 1900));
  ASSERT_TRUE(changes.ok()) << changes.status().message();
  ASSERT_THAT(changes->changed, SizeIs(1));
  const LevelChange& change = changes->changed.front();
  EXPECT_EQ(change.compared.workload, "readrandom");
  EXPECT_EQ(change.compared.verdict, Verdict::kSlower);
  EXPECT_NEAR(change.compared.ratio.ratio, 0.5, 0.01);
  ASSERT_TRUE(change.time.has_value());
  EXPECT_NEAR(change.time->before, 1, 0.01);
  EXPECT_NEAR(change.time->after, 2, 0.01);
  EXPECT_NEAR(change.time->ShareOfCpu(), 1, 0.05);
  EXPECT_THAT(NamesOf(change.moved), ElementsAre("p50", "p99", "p99.9", "CPU/op"));
  EXPECT_THAT(NamesOf(change.as_before), Contains("memory of its own"));
  EXPECT_THAT(changes->others, IsEmpty());
}

// The processor time of an operation stays what it was.
TEST(LevelChange, OfLongerWaitsIsNoProcessorTime) {
  const auto changes = Changes(Session(1'000'000, 1, 900), Session(500'000, 0.5, 1900));
  ASSERT_THAT(changes->changed, SizeIs(1));
  EXPECT_NEAR(changes->changed.front().time->ShareOfCpu(), 0, 0.05);
  EXPECT_THAT(NamesOf(changes->changed.front().as_before), Contains("CPU/op"));
}

TEST(LevelChange, IsNoneWhereRoundsDoNotTellItApart) {
  const auto changes = Changes(Session(1'000'000, 1, 900), Session(1'001'000, 1, 900));
  EXPECT_THAT(changes->changed, IsEmpty());
  EXPECT_THAT(changes->others, ElementsAre("a, readrandom"));
}

// Nobody knows then whether the machine did it, but the rates are shown.
TEST(LevelChange, WithoutAYardstickIsWhatIsFar) {
  Result before = Session(1'000'000, 1, 900);
  Result after = Session(900'000, 1, 900);
  before.settings = after.settings = {};
  for (Result* const result : {&before, &after}) {
    std::erase_if(result->runs, [](const RunResult& run) { return run.engine == "a@fixed"; });
  }
  const auto changes = Changes(before, after);
  ASSERT_THAT(changes->changed, SizeIs(1));
  EXPECT_EQ(changes->changed.front().compared.not_comparable, "no yardstick");
  EXPECT_THAT(Changes(before, before)->changed, IsEmpty());
}

TEST(LevelChange, HasTheFindingsOfOneResultAlone) {
  const Result before = Session(1'000'000, 1, 900);
  Result after = before;
  for (RunResult& run : after.runs) {
    if (run.engine != "a") continue;
    run.outcome = run.phases[0].outcome = Outcome::kFailed;
    run.message = run.phases[0].message = "no space left on device";
  }
  const auto changes = Changes(before, after);
  ASSERT_TRUE(changes.ok()) << changes.status().message();
  ASSERT_THAT(changes->appeared, SizeIs(1));
  EXPECT_EQ(changes->appeared.front().rule, "failure");
  EXPECT_THAT(changes->gone, IsEmpty());
  EXPECT_THAT(Changes(after, before)->gone, SizeIs(1));
}

TEST(LevelChange, IsRefusedBetweenMachines) {
  Result after = Session(1'000'000, 1, 900);
  after.cpu = "another";
  EXPECT_THAT(Changes(Session(1'000'000, 1, 900), after).status().message(),
              HasSubstr("different machines"));
}

}  // namespace levelfield::level_change_test
