#include <fmt/format.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/remarks_for_test.h"
#include "base/matchers_for_test.h"
#include "report/result_report.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"

namespace levelfield::findings_of_rounds_test {

using enum RemarkKind;

Result Rounds(const std::vector<uint64_t>& rates) {
  Result result;
  for (size_t i = 0; i < rates.size(); ++i) {
    result.runs.push_back(RoundOf("a", i + 1, rates[i]));
    result.runs.back().phases[0].family = "reads";
  }
  return result;
}

std::vector<std::string> SaidOfRounds(const Result& result) {
  return SaidOf(result,
                {kPrecisionReached, kRoundsUsedUp, kStoppedEarly, kMarkedRounds, kUnstable});
}

TEST(FindingsOfRounds, NameARoundThatWasTenTimesAsSlowAndTheTableKeepsIt) {
  const Result quiet = Rounds({1'000'000, 1'010'000, 990'000, 1'005'000, 995'000, 1'002'000});
  EXPECT_THAT(SaidOfRounds(quiet), IsEmpty());
  const Result one_bad = Rounds({1'000'000, 1'010'000, 990'000, 1'005'000, 99'500, 1'002'000});
  EXPECT_THAT(SaidOfRounds(one_bad),
              ElementsAre(AllOf(HasSubstr("marked: a, 1 round (readrandom)"),
                                HasSubstr("readrandom: round 5 (0.0994 times"),
                                HasSubstr("without marked rounds it is 1.00 M (of 5)"))));
  const std::string table = WriteTerminal(ResultReport(one_bad));
  EXPECT_THAT(table, testing::ContainsRegex("readrandom +1\\.00 M\n"));
  EXPECT_THAT(table, HasSubstr("99.5 k .. 1.01 M"));  // All six are in the interval.
  EXPECT_THAT(table, HasSubstr("readrandom: round 5 (0.0994 times"));
}

TEST(FindingsOfRounds, NameARoundThatOthersDisturbed) {
  Result result = Rounds({1'000'000, 1'010'000, 990'000, 1'005'000, 995'000, 1'002'000});
  result.runs[2].phases[0].conditions = Conditions{.seconds = 1, .others_share = 0.4};
  EXPECT_THAT(SaidOfRounds(result),
              ElementsAre(AllOf(HasSubstr("readrandom: round 3 (disturbed)"),
                                HasSubstr("without marked rounds it is 1.00 M"))));
}

TEST(FindingsOfRounds, CallAFigureUnstableWhereHalfOfTheRoundsAreFarAway) {
  EXPECT_THAT(
      SaidOfRounds(Rounds({900, 1100, 800, 1200, 950, 1050})),
      ElementsAre(HasSubstr("unstable: a: half of the rounds differ from the median by at least "
                            "this much: readrandom ")));
}

// On a busy machine they are of nearly every figure.
TEST(FindingsOfRounds, AreALineOfEachEngineHoweverManyFiguresAreMarked) {
  Result result = Rounds({1000, 1100, 800, 1200, 950, 1050});
  for (RunResult& run : result.runs) {
    for (int i = 0; i < 40; ++i) {
      run.phases.push_back(run.phases.front());
      run.phases.back().workload = "workload" + std::to_string(i);
    }
    if (run.round == 3) {
      for (PhaseResult& phase : run.phases) {
        phase.conditions = Conditions{.seconds = 1, .others_share = 0.4};
      }
      run.phases[7].roles[0].statistics[0].operations = 1;
    }
  }
  EXPECT_THAT(SaidOfRounds(result),
              ElementsAre(AllOf(HasSubstr("marked: a, 41 rounds (readrandom, workload0, "),
                                HasSubstr("The most for ")),
                          AllOf(HasSubstr("unstable: a: "), HasSubstr(", workload39 "))));
}

TEST(FindingsOfRounds, SayNothingOfFloors) {
  Result result = Rounds({900, 1100, 800, 1200, 950, 1050});
  for (RunResult& run : result.runs) run.is_baseline_engine = true;
  EXPECT_THAT(SaidOfRounds(result), IsEmpty());
}

TEST(FindingsOfRounds, SayNothingOfFewerThanSixRounds) {
  EXPECT_THAT(SaidOfRounds(Rounds({1'000'000, 1'010'000, 10, 500'000, 990'000})), IsEmpty());
}

TEST(FindingsOfRounds, SayWhyThereWereSoManyRounds) {
  Result result = Rounds(std::vector<uint64_t>(9, 1'000'000));
  result.settings = {{"precision", "0.02"}, {"repeat_most", "30"}};
  EXPECT_THAT(SaidOfRounds(result),
              ElementsAre("stopped after 9 rounds: every median is known to 2 %"));
  for (size_t i = 0; i < 9; ++i) {
    result.runs[i].phases[0].roles[0].statistics[0].operations += 20'000 * i;
  }
  EXPECT_THAT(SaidOfRounds(result),
              ElementsAre("stopped early, after 9 rounds: not every median is known to 2 %"));
  result.settings[1].second = "9";
  EXPECT_THAT(SaidOfRounds(result),
              ElementsAre("stopped at --repeat_most, after 9 rounds: not every median is known to "
                          "2 %"));
  result.settings[0].second = "0";
  EXPECT_THAT(SaidOfRounds(result), IsEmpty());
}

RunResult RunBeside(double others_share, bool floor = false) {
  RunResult run = RoundOf("lmdb", 1, 1000);
  run.is_baseline_engine = floor;
  run.phases[0].conditions = Conditions{.seconds = 1, .others_share = others_share};
  return run;
}

TEST(ConditionsText, SaysWhichMeasurementsWereDisturbedAndByWhat) {
  Result result;
  result.runs = {RunBeside(0.01), RunBeside(0.4)};
  result.runs[1].round = 2;
  EXPECT_THAT(SaidOf(result, {kDisturbedRounds}),
              ElementsAre(AllOf(HasSubstr("lmdb, 1 of 2 measurements (readrandom)"),
                                HasSubstr("other processes took 40 %"))));
}

// Audit 1.16: 20 to 50 bytes for each byte put, on a busy disk, without a word.
TEST(OthersWrote, IsSaidWhereMoreCameToTheDeviceThanTheEngineCanHaveWritten) {
  Result result;
  result.runs = {RoundOf("leveldb", 1, 1000)};
  PhaseResult& phase = result.runs[0].phases[0];
  phase.workload = "overwrite";
  phase.roles[0].statistics[0].effects = kPuts;
  phase.level = DurabilityLevel::kD1;
  Resources& used = phase.resources.emplace();
  used.io = Resources::Io();
  used.io->dirtied_bytes = 11 << 20;
  used.syncs = Resources::Syncs{.calls = 3'000, .waited_seconds = 1, .synced_files = 0};
  // Synced appends with nothing else on the disk: the file system's own blocks are most of it.
  used.synced_device = Resources::Device{.written_bytes = 49 << 20};
  EXPECT_THAT(SaidOf(result, {RemarkKind::kOthersWrote}), IsEmpty());
  used.synced_device->written_bytes = uint64_t{550} << 20;
  EXPECT_THAT(SaidOf(result, {RemarkKind::kOthersWrote}),
              ElementsAre(HasSubstr("overwrite (leveldb: 550 MiB, at most 220 MiB of them its")));
}

TEST(ConditionsText, NamesTheFirstOfManyWorkloads) {
  Result result;
  result.runs = {RunBeside(0.4)};
  const PhaseResult phase = result.runs[0].phases[0];
  result.runs[0].phases.clear();
  for (int i = 1; i <= 20; ++i) {
    result.runs[0].phases.push_back(phase);
    result.runs[0].phases.back().workload = fmt::format("w{}", i);
  }
  EXPECT_THAT(SaidOf(result, {kDisturbedRounds}),
              ElementsAre(HasSubstr("20 of 20 measurements (w1, w2, w3, w4, w5, w6, w7, w8, and 12 "
                                    "more); ")));
}

TEST(ConditionsText, SaysNothingOfAQuietMachineNorOfFloors) {
  Result result;
  result.runs = {RunBeside(0.01)};
  EXPECT_THAT(SaidOf(result, {kDisturbedRounds}), IsEmpty());
  result.runs = {RunBeside(0.9, true)};
  EXPECT_THAT(SaidOf(result, {kDisturbedRounds}), IsEmpty());
}

// 1,000,000 operations of so many nanoseconds.
RunResult Run(const char* engine, double ns) {
  RunResult run = RoundOf(engine, 1, 1'000'000);
  run.phases[0].level = DurabilityLevel::kD1;
  RoleResult& role = run.phases[0].roles[0];
  role.seconds = role.thread_seconds = ns * 1e-3;
  return run;
}

Result WithOverhead(double engine_ns) {
  Result result;
  result.runs = {Run("lmdb", engine_ns)};
  result.overheads = {
      {.engine = "null", .keys = 100'000, .clock_ns = 18, .workload_ns = {{"readrandom", 50}}}};
  return result;
}

TEST(PriceText, SaysWhatAnOperationOfNothingCosts) {
  EXPECT_THAT(
      SaidOf(WithOverhead(1000), {kOverhead}),
      ElementsAre("overhead of the harness per operation, by null (does nothing, 100,000 keys): "
                  "readrandom 50 ns; 18 ns of it reads the clock."));
  EXPECT_THAT(SaidOf({}, {kOverhead}), IsEmpty());
}

TEST(PriceText, NamesWhatIsLessThanFiveTimesThePrice) {
  EXPECT_THAT(SaidOf(WithOverhead(249), {kMuchHarness}),
              ElementsAre(HasSubstr("the harness's own: readrandom (lmdb 20 %).")));
  EXPECT_THAT(SaidOf(WithOverhead(251), {kMuchHarness}), IsEmpty());
}

// `seconds` of each engine's only workload, with --duration=1.
Result Lasting(const std::vector<std::pair<std::string, double>>& engines) {
  Result result;
  result.settings = {{"duration", "1"}};
  for (const auto& [engine, seconds] : engines) {
    result.runs.push_back(RoundOf(engine, 1, 1000));
    result.runs.back().phases[0].roles[0].seconds = seconds;
  }
  return result;
}

TEST(EndedEarly, IsSaidOfTheEnginesThatDid) {
  EXPECT_THAT(SaidOf(Lasting({{"a", 1}, {"b", 1}}), {kEndedEarly}), IsEmpty());
  EXPECT_THAT(SaidOf(Lasting({{"a", 0.1}, {"b", 0.2}}), {kEndedEarly}),
              ElementsAre("Finished all operations before --duration was over: readrandom."));
  EXPECT_THAT(
      SaidOf(Lasting({{"a", 0.1}, {"b", 1}, {"c", 0.2}}), {kEndedEarly}),
      ElementsAre("Finished all operations before --duration was over: readrandom (a and c)."));
}

TEST(EndedEarly, IsSaidOfAnEngineThatDidInEveryRound) {
  Result result = Lasting({{"a", 0.1}, {"b", 0.1}, {"a", 1}, {"b", 0.1}});
  result.runs[2].round = result.runs[3].round = 2;
  EXPECT_THAT(SaidOf(result, {kEndedEarly}),
              ElementsAre("Finished all operations before --duration was over: readrandom (b)."));
}

// Six rounds of a second each, in which an engine did so many gets in each tenth of it.
Result Ticking(const std::vector<uint64_t>& gets, double seconds = 1) {
  Result result;
  result.settings = {{"duration", "1"}};
  for (uint64_t round = 1; round <= 6; ++round) {
    result.runs.push_back(RoundOf("a", round, 1000));
    PhaseResult& phase = result.runs.back().phases[0];
    phase.roles[0].seconds = seconds;
    Ticks& ticks = phase.ticks.emplace();
    ticks.operations.emplace_back();
    for (const uint64_t count : gets) {
      ticks.end_ms.push_back(100 * (ticks.end_ms.size() + 1));
      ticks.operations[0].push_back(count + round % 2);
    }
  }
  return result;
}

TEST(StillChanging, IsSaidOfARateThatFellInEveryRound) {
  EXPECT_THAT(SaidOf(Ticking({120, 120, 120, 120, 120, 72, 72, 72, 72, 72}), {kStillChanging}),
              ElementsAre("Still changing when --duration ended, the rate of the second half as a "
                          "share of the first's: readrandom (a 60 %). A longer --duration shows "
                          "where it settles."));
  EXPECT_THAT(SaidOf(Ticking({500, 1000, 1000, 1000}), {kStillChanging}),
              ElementsAre(HasSubstr("(a 133 %)")));
}

TEST(StillChanging, IsNotSaidOfARateThatHoldsNorOfOneRoundNorOfWhatEndsByCount) {
  EXPECT_THAT(SaidOf(Ticking({100, 103, 97, 100, 95, 100}), {kStillChanging}), IsEmpty());
  Result fallen = Ticking({200, 200, 100, 100});
  fallen.runs.resize(2);
  EXPECT_THAT(SaidOf(fallen, {kStillChanging}), IsEmpty());
  EXPECT_THAT(SaidOf(Ticking({200, 200, 100, 100}, 0.5), {kStillChanging}), IsEmpty());
  fallen = Ticking({200, 200, 100, 100});
  fallen.settings[0].second = "0";
  EXPECT_THAT(SaidOf(fallen, {kStillChanging}), IsEmpty());
}

TEST(RestsOfFills, SayHowFarEachEngineCameAndHowLongTheRestTook) {
  Result result = Lasting({{"a", 1}, {"b", 1}, {"c", 0.1}});
  for (RunResult& run : result.runs) run.phases[0].workload = "fillrandom";
  result.runs[0].phases[0].rest = RestOfFill{"reader", 9000, 7.04};
  result.runs[1].phases[0].rest = RestOfFill{"reader", 1000, 0.5};
  EXPECT_THAT(SaidOf(result, {kFillCut}),
              ElementsAre("--duration ended fillrandom; the rest was written unmeasured, for the "
                          "workloads behind it: a after 10 %, 7.0 s; b after 50 %, 0.5 s."));
  EXPECT_THAT(SaidOf(Lasting({{"a", 1}}), {kFillCut}), IsEmpty());
}

}  // namespace levelfield::findings_of_rounds_test
