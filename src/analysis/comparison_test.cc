#include "analysis/comparison.h"

#include <cmath>
#include <numeric>
#include <random>

#include "analysis/findings/remarks_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "result/rounds_for_test.h"
#include "result/ticks_for_test.h"

namespace levelfield::comparison_test {

// Rounds of "a" at a rate that wanders, and of "b" at `ratio` of it.
Result Rounds(size_t count, double ratio) {
  Result result;
  result.cpu = "2 * a cpu";
  result.cpu_cache = "1 KB";
  double rate = 1e6;
  for (uint64_t round = 1; round <= count; ++round) {
    result.runs.push_back(RoundOf("a", round, static_cast<uint64_t>(rate)));
    result.runs.push_back(RoundOf("b", round, static_cast<uint64_t>(rate * ratio)));
    rate *= round % 2 == 0 ? 0.4 : 2.2;
  }
  return result;
}

ComparedWorkload OnlyWorkload(const StatusOr<std::vector<Comparison>>& comparisons) {
  EXPECT_TRUE(comparisons.ok());
  if (!comparisons.ok() || comparisons->size() != 1) return {};
  return comparisons->front().workloads.front();
}

// 1 where any of them is told apart from the other, which it is not.
int AlarmIn(const std::vector<Comparison>& comparisons) {
  return std::ranges::any_of(comparisons, [](const Comparison& each) {
    const Verdict verdict = each.workloads.front().verdict;
    return verdict == Verdict::kFaster || verdict == Verdict::kSlower;
  });
}

// "a", "b" and so on, whose rates scatter alike.
std::vector<EngineRates> EqualEngines(int count, std::mt19937_64& random) {
  std::vector<EngineRates> engines;
  for (int i = 0; i < count; ++i) {
    engines.emplace_back(std::string(1, static_cast<char>('a' + i)), [&random](uint64_t) {
      return static_cast<uint64_t>(1e6 * std::lognormal_distribution<double>(0, 0.05)(random));
    });
  }
  return engines;
}

TEST(CompareWithin, FindsAPairedDifferenceThatTheMachineDrownsOtherwise) {
  const auto comparisons = CompareWithin(Rounds(8, 0.9), "", {});
  const ComparedWorkload workload = OnlyWorkload(comparisons);
  EXPECT_EQ(workload.verdict, Verdict::kSlower);
  EXPECT_NEAR(workload.ratio.ratio, 0.9, 1e-3);
  EXPECT_EQ(workload.rounds, 8);
  EXPECT_EQ(ExitCodeOf(*comparisons), 1);
}

TEST(CompareWithin, TakesTheBaselineThatIsNamed) {
  const auto comparisons = CompareWithin(Rounds(8, 0.9), "b", {});
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kFaster);
  EXPECT_EQ(ExitCodeOf(*comparisons), 0);
  EXPECT_THAT(ErrorOf(CompareWithin(Rounds(8, 0.9), "c", {})),
              HasSubstr("no engine of this result is called"));
}

TEST(CompareWithin, SaysThatARunWasCutOffBeforeItsOtherEngines) {
  Result result = Rounds(1, 0.9);
  result.runs.pop_back();
  result.completion = {
      .planned_rounds = 30, .most_rounds = 30, .end = Completion::End::kCutOff};
  EXPECT_THAT(UsageErrorOf(CompareWithin(result, "", {})),
              AllOf(HasSubstr("0 of 30 rounds; cut off: "),
                    HasSubstr("there is one engine in this result")));
  result.runs.clear();
  EXPECT_THAT(UsageErrorOf(CompareWithin(result, "", {})),
              HasSubstr("there is no engine in this result"));
}

TEST(CompareWithin, NotesThatDifferentClocksTimedThem) {
  Result result = Rounds(8, 0.5);
  for (RunResult& run : result.runs) {
    run.clock_kind = ClockKind::kTsc;
    run.clock = "tsc, 2.596 GHz";
    for (PhaseResult& phase : run.phases) phase.timed = true;
  }
  EXPECT_THAT(Must(CompareWithin(result, "", {})).front().remarks, IsEmpty());
  // One round of one engine is enough.
  result.runs[3].clock_kind = ClockKind::kMonotonic;
  result.runs[3].clock = "CLOCK_MONOTONIC: the machine was too busy";
  const auto comparisons = CompareWithin(result, "", {});
  EXPECT_THAT(SaidBeside(comparisons->front()),
              ElementsAre(HasSubstr("a was timed by tsc, 2.596 GHz, b by CLOCK_MONOTONIC: the "
                                    "machine was too busy and tsc, 2.596 GHz")));
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kSlower);
}

TEST(CompareWithin, RanksNothingThatRanUnderDifferentAllocators) {
  Result result = Rounds(8, 0.5);
  for (RunResult& run : result.runs) run.allocator = "glibc 2.36";
  EXPECT_EQ(OnlyWorkload(CompareWithin(result, "", {})).verdict, Verdict::kSlower);
  // One round of one engine is enough.
  result.runs[3].allocator = "jemalloc 5.3.0";
  const auto comparisons = CompareWithin(result, "", {});
  const ComparedWorkload workload = OnlyWorkload(comparisons);
  EXPECT_EQ(workload.verdict, Verdict::kNotRanked);
  EXPECT_NEAR(workload.ratio.ratio, 0.5, 1e-3);  // The figures stay.
  EXPECT_THAT(
      ReportWords(comparisons->front().not_ranked.value()),
      HasSubstr("a ran with the allocator glibc 2.36, b with glibc 2.36 and jemalloc 5.3.0"));
  EXPECT_EQ(ExitCodeOf(*comparisons), 3);
  // Runs that never began do not tell theirs.
  for (RunResult& run : result.runs) {
    if (run.engine == "b") run.allocator = "";
  }
  EXPECT_EQ(OnlyWorkload(CompareWithin(result, "", {})).verdict, Verdict::kSlower);
}

TEST(CompareWithin, SaysWhatIsWrongWithOneBuildAlone) {
  Result result = Rounds(6, 0.5);
  EXPECT_THAT(CompareWithin(result, "", {})->front().remarks, IsEmpty());
  for (RunResult& run : result.runs) {
    if (run.engine == "b") run.warning = "compiled with assertions";
  }
  EXPECT_THAT(SaidBeside(CompareWithin(result, "", {})->front()),
              ElementsAre("b: compiled with assertions"));
  for (RunResult& run : result.runs) run.warning = "compiled with assertions";
  EXPECT_THAT(CompareWithin(result, "", {})->front().remarks, IsEmpty());
}

TEST(CompareAcross, OfOneEngineAnotherAllocatorIsWhatIsCompared) {
  Result before = RoundsOf(8, {{"a", [](uint64_t) { return 1'000; }}});
  for (RunResult& run : before.runs) run.allocator = "glibc 2.36";
  Result after = before;
  for (RunResult& run : after.runs) run.allocator = "jemalloc 5.3.0";
  const auto comparisons = CompareAcross(before, after, {});
  EXPECT_NE(OnlyWorkload(comparisons).verdict, Verdict::kNotRanked);
  EXPECT_THAT(SaidBeside(comparisons->front()), ElementsAre(HasSubstr("jemalloc 5.3.0")));
  for (RunResult& run : after.runs) run.engine = "b";
  EXPECT_EQ(OnlyWorkload(CompareAcross(before, after, {})).verdict, Verdict::kNotRanked);
}

TEST(CompareWithin, RanksNothingOnFiveRounds) {
  const auto comparisons = CompareWithin(Rounds(5, 0.5), "", {});
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kIndicative);
  EXPECT_EQ(ExitCodeOf(*comparisons), 0);
  EXPECT_EQ(ExitCodeOf(*comparisons, true), 1);
}

TEST(CompareWithin, CallsEquivalentWhatIsWithinTheMargin) {
  const auto comparisons = CompareWithin(Rounds(8, 1.005), "", {});
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kEquivalent);
  EXPECT_EQ(ExitCodeOf(*comparisons), 0);
}

TEST(CompareWithin, ClaimsNothingBelowTheNoise) {
  const ComparisonRules rules{.margin = 0.02, .noise = {{"readrandom", 0.2}}};
  EXPECT_EQ(OnlyWorkload(CompareWithin(Rounds(8, 0.9), "", rules)).verdict, Verdict::kUnresolved);
}

TEST(CompareWithin, HasNothingToSayOfAnEngineThatFailed) {
  Result result = Rounds(8, 1);
  result.runs[3].outcome = result.runs[3].phases[0].outcome = Outcome::kFailed;
  result.runs[3].phases[0].message = "disk full";
  const auto comparisons = CompareWithin(result, "", {});
  EXPECT_EQ(OnlyWorkload(comparisons).invalid, "b: disk full");
  EXPECT_EQ(ExitCodeOf(*comparisons), 3);
}

TEST(CompareWithin, OfARefusalSaysSoAndLetsTheOtherRowsDecide) {
  const auto of = [](double ratio, Outcome outcome) {
    Result result = Rounds(8, ratio);
    for (RunResult& run : result.runs) {
      std::vector<PhaseResult> phases = {run.phases[0], run.phases[0]};
      phases[1].workload = "deleteseq";
      if (run.engine == "b") {
        phases[1].outcome = outcome;
        phases[1].message = "it says why";
      }
      run.phases = SharedList(std::move(phases));
    }
    return *CompareWithin(result, "", {});
  };
  const std::vector<Comparison> refused = of(0.5, Outcome::kUnsupported);
  EXPECT_TRUE(refused[0].workloads[1].is_unsupported);
  EXPECT_EQ(refused[0].workloads[1].invalid, "b: it says why");
  EXPECT_EQ(ExitCodeOf(refused), 1);
  EXPECT_EQ(ExitCodeOf(of(1, Outcome::kUnsupported), true), 0);
  EXPECT_EQ(ExitCodeOf(of(1, Outcome::kNotRun)), 3);
  EXPECT_EQ(ExitCodeOf(of(1, Outcome::kFailed)), 3);
  EXPECT_EQ(ExitCodeOf(of(0.5, Outcome::kFailed)), 1) << "a regression is hidden";
}

TEST(CompareWithin, WhatARefusalLeavesWithoutAStoreIsRefusedToo) {
  Result result = Rounds(8, 1);
  for (RunResult& run : result.runs) {
    std::vector<PhaseResult> phases = {run.phases[0], run.phases[0], run.phases[0]};
    for (PhaseResult& phase : phases) phase.workload += std::to_string(&phase - phases.data());
    phases[1].outcome = Outcome::kUnsupported;
    phases[2].outcome = Outcome::kNotRun;
    run.phases = SharedList(std::move(phases));
  }
  const auto comparisons = CompareWithin(result, "", {});
  EXPECT_TRUE(comparisons->front().workloads[2].is_unsupported);
  EXPECT_EQ(ExitCodeOf(*comparisons), 0);
}

TEST(CompareWithin, OfARefusalAndAFailureSaysTheFailure) {
  Result result = Rounds(8, 1);
  for (RunResult& run : result.runs) {
    run.phases[0].outcome = run.engine == "a" ? Outcome::kUnsupported : Outcome::kFailed;
  }
  const auto comparisons = CompareWithin(result, "", {});
  EXPECT_FALSE(OnlyWorkload(comparisons).is_unsupported);
  EXPECT_THAT(OnlyWorkload(comparisons).invalid, StartsWith("b"));
  EXPECT_EQ(ExitCodeOf(*comparisons), 3);
}

TEST(CompareWithin, OfRefusalsAloneHasNothingToCompare) {
  Result result = Rounds(8, 1);
  for (RunResult& run : result.runs) run.phases[0].outcome = Outcome::kUnsupported;
  EXPECT_EQ(ExitCodeOf(*CompareWithin(result, "", {})), 3);
}

TEST(CompareWithin, NeedsTwoEngines) {
  Result result = Rounds(6, 1);
  std::erase_if(result.runs, [](const RunResult& run) { return run.engine == "b"; });
  const auto comparisons = CompareWithin(result, "", {});
  ASSERT_FALSE(comparisons.ok());
  EXPECT_EQ(comparisons.status().kind(), ErrorKind::kUsage);
}

Result Only(Result result, const std::string& engine) {
  std::erase_if(result.runs, [&](const RunResult& run) { return run.engine != engine; });
  return result;
}

// One pair of rounds of two builds that took turns: `operations` in slices of `ns` each.
Result Pair(const std::vector<uint64_t>& before, const std::vector<uint64_t>& after,
            uint64_t ns = 10'000'000) {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    for (const auto& [engine, operations] : {std::pair("a", &before), std::pair("b", &after)}) {
      const uint64_t all = std::accumulate(operations->begin(), operations->end(), uint64_t{0});
      RunResult run = RoundOf(engine, round, all);
      PhaseResult& phase = run.phases[0];
      const std::vector<uint64_t> times(operations->size(), ns);
      phase.roles[0].seconds = static_cast<double>(ns * times.size()) * 1e-9;
      phase.slices = Slices{.seconds = static_cast<double>(ns) * 1e-9,
                            .operations = *operations,
                            .active_ns = times,
                            .cpu_ns = times,
                            .kept_ns = std::vector<uint64_t>(times.size(), 0)};
      result.runs.push_back(std::move(run));
    }
  }
  return result;
}

double RatioOf(const Result& result) {
  return OnlyWorkload(CompareWithin(result, "", {})).ratio.ratio;
}

TEST(InSlices, AStallCountsAsTheTimeThatItTook) {
  const std::vector<uint64_t> steady(100, 1000);
  std::vector<uint64_t> stalling(100, 1100);
  for (size_t i = 0; i < stalling.size(); i += 7) stalling[i] = 0;  // 15 of 100.
  EXPECT_NEAR(RatioOf(Pair(steady, stalling)), 0.85 * 1.1, 1e-9);
}

// One stall in three rounds may be in no round of the next session.
TEST(CompareWithin, CountsStallsThatAreTooRareForTheInterval) {
  Result result = Rounds(6, 1);
  for (RunResult& run : result.runs) {
    const bool stalls = run.engine == "b" && run.round % 3 == 0;
    run.phases[0].ticks = TicksOf(30, [&](size_t i) { return stalls && i / 3 == 4 ? 0 : 1000; });
  }
  const ComparedWorkload row = OnlyWorkload(CompareWithin(result, "a", {}));
  EXPECT_EQ(row.baseline_stalls, 0u);
  EXPECT_EQ(row.candidate_stalls, 2u);
  for (RunResult& run : result.runs) {  // Twelve in each round: every interval has its share.
    run.phases[0].ticks = TicksOf(60, [&](size_t i) { return i % 5 < 2 ? 0 : 1000; });
  }
  EXPECT_EQ(OnlyWorkload(CompareWithin(result, "a", {})).candidate_stalls, 0u);
}

// A fill ends by count, and the slower one has more slices.
TEST(InSlices, AllSlicesOfBothCountWhoeverHasMore) {
  std::vector<uint64_t> fast(54, 1000);
  std::vector<uint64_t> slow(261, 54'000 / 261);
  for (size_t i = 0; i < 54; ++i) slow[i] *= 2;  // It begins in an empty store.
  const Result result = Pair(fast, slow);
  const ComparedWorkload workload = OnlyWorkload(CompareWithin(result, "", {}));
  EXPECT_TRUE(workload.in_slices);
  EXPECT_NEAR(workload.ratio.ratio, workload.candidate / workload.baseline, 1e-12);
  const auto sum = static_cast<double>(std::accumulate(slow.begin(), slow.end(), uint64_t{0}));
  EXPECT_NEAR(workload.ratio.ratio, sum / 261 / 1000, 1e-9);
}

// Slices sum the time of their threads: two threads that do 1.17 times the work are faster.
TEST(InSlices, TheTimeIsTheRolesAndNotItsThreads) {
  Result result = Pair(std::vector<uint64_t>(20, 1000), std::vector<uint64_t>(20, 1170));
  for (RunResult& run : result.runs) {
    if (run.engine == "a") continue;
    run.phases[0].roles[0].threads = 2;
    for (uint64_t& active_ns : run.phases[0].slices->active_ns) active_ns *= 2;
  }
  EXPECT_NEAR(RatioOf(result), 1.17, 1e-9);
}

TEST(InSlices, WhatOthersTookOfTheProcessorsIsNotTheEngines) {
  Result result = Pair(std::vector<uint64_t>(20, 1000), std::vector<uint64_t>(20, 950));
  const auto keep = [&](const std::string& engine, uint64_t kept_ns) {
    for (RunResult& run : result.runs) {
      if (run.engine == engine) run.phases[0].slices->kept_ns.assign(20, kept_ns);
    }
    return OnlyWorkload(CompareWithin(result, "", {}));
  };
  keep("a", 400'000);
  const ComparedWorkload alike = keep("b", 500'000);
  EXPECT_NEAR(alike.ratio.ratio, 0.95 / 0.95 * 0.96, 1e-9);
  EXPECT_EQ(alike.verdict, Verdict::kSlower);
  EXPECT_FALSE(alike.is_much_kept);
  // 4 % and 7 %: the difference may be the machine's.
  const ComparedWorkload apart = keep("b", 700'000);
  EXPECT_TRUE(apart.is_much_kept);
  EXPECT_EQ(apart.verdict, Verdict::kUnresolved);
  keep("a", 1'100'000);
  EXPECT_EQ(keep("b", 1'200'000).verdict, Verdict::kUnresolved) << "above 10 %";
}

TEST(InSlices, ADifferenceBeyondAllThatOthersTookIsResolved) {
  Result result = Pair(std::vector<uint64_t>(20, 1000), std::vector<uint64_t>(20, 500));
  for (RunResult& run : result.runs) run.phases[0].slices->kept_ns.assign(20, 2'000'000);
  const ComparedWorkload compared = OnlyWorkload(CompareWithin(result, "", {}));
  EXPECT_EQ(compared.verdict, Verdict::kSlower);
  EXPECT_FALSE(compared.is_much_kept);
}

TEST(CompareAcross, ResolvesNothingWithoutAYardstick) {
  const Result before = Only(Rounds(8, 1), "a");
  Result after = before;
  for (RunResult& run : after.runs) run.phases[0].roles[0].seconds = 2;
  const auto comparisons = CompareAcross(before, after, {});
  const ComparedWorkload workload = OnlyWorkload(comparisons);
  EXPECT_EQ(workload.verdict, Verdict::kUnresolved);
  EXPECT_EQ(workload.not_comparable, "no yardstick");
  EXPECT_NEAR(workload.ratio.ratio, 0.5, 1e-9);  // What was observed.
  EXPECT_FALSE(workload.ratio.interval);
  EXPECT_FALSE(comparisons->front().paired);
  EXPECT_EQ(ExitCodeOf(*comparisons), 0);
  EXPECT_EQ(ExitCodeOf(*comparisons, true), 1);
}

// A session in which the machine has that speed, and "a" is at `ratio` of the yardstick.
Result Session(double speed, double ratio, std::mt19937_64& random, uint64_t rounds = 6) {
  Result result;
  result.settings = {{"yardstick", "a@fixed"}, {"slices", "on"}};
  for (uint64_t round = 1; round <= rounds; ++round) {
    const double fixed = 1e6 * speed * std::lognormal_distribution<double>(0, 0.1)(random);
    const double rate = fixed * ratio * std::lognormal_distribution<double>(0, 0.01)(random);
    result.runs.push_back(SlicedRoundOf("a", round, static_cast<uint64_t>(rate)));
    result.runs.push_back(SlicedRoundOf("a@fixed", round, static_cast<uint64_t>(fixed)));
    result.runs.back().library_sha256 = "5eed";
    result.runs.back().is_baseline_engine = true;
  }
  return result;
}

TEST(CompareAcross, OfAYardstickFindsWhatAnotherSpeedOfTheMachineHides) {
  std::mt19937_64 random(1);
  // The machine is faster by half; what is measured on it is not.
  const auto comparisons =
      CompareAcross(Session(1, 1.5, random), Session(1.5, 1.5 * 0.92, random), {});
  const ComparedWorkload workload = OnlyWorkload(comparisons);
  EXPECT_EQ(workload.verdict, Verdict::kSlower);
  EXPECT_GT(workload.candidate, workload.baseline);
  EXPECT_NEAR(workload.ratio.ratio, 0.92, 0.02);
  EXPECT_EQ(ExitCodeOf(*comparisons), 1);
}

TEST(CompareAcross, OfAYardstickCallsAThingDifferentFromItselfInSixOf100SessionsAtMost) {
  std::mt19937_64 random(29);
  std::lognormal_distribution<double> speed(0, 0.1);
  int alarms = 0;
  for (int i = 0; i < 200; ++i) {
    alarms += AlarmIn(
        Must(CompareAcross(Session(speed(random), 0.7, random), Session(speed(random), 0.7, random),
                           {.margin = 0, .noise = {}})));
  }
  EXPECT_LE(alarms, 12);
}

TEST(CompareAcross, OfYardsticksThatDifferResolvesNothingAndSaysWhy) {
  std::mt19937_64 random(2);
  const Result before = Session(1, 1, random);
  const auto why_not = [&](const Result& after) {
    const ComparedWorkload workload = OnlyWorkload(CompareAcross(before, after, {}));
    EXPECT_EQ(workload.verdict == Verdict::kUnresolved, !workload.not_comparable.empty());
    return workload.not_comparable;
  };
  const Result same = Session(1, 0.5, random);
  EXPECT_EQ(why_not(same), "");
  Result other = before;
  for (RunResult& run : other.runs) {
    if (run.engine == "a") run.engine = "b";
  }
  EXPECT_EQ(OnlyWorkload(CompareAcross(other, other, {})).not_comparable,
            "the yardstick is another engine");
  Result after = same;
  for (RunResult& run : after.runs) run.library_sha256 += "other";
  EXPECT_EQ(why_not(after), "another yardstick");
  after = same;
  for (RunResult& run : after.runs) {
    if (run.is_baseline_engine) run.settings = {{"cache_size", "1M"}};
  }
  EXPECT_EQ(why_not(after), "another yardstick") << "an option of it";
  after = same;
  after.settings[1].second = "off";
  EXPECT_EQ(why_not(after), "other settings");
  after = same;
  after.workload_texts = {{"readrandom", "op = seek"}};
  EXPECT_EQ(why_not(after), "another workload, or others before it");
  after = same;
  for (RunResult& run : after.runs) run.phases[0].slices.reset();
  EXPECT_EQ(why_not(after), "not in slices beside the yardstick");
}

TEST(CompareAcross, OfAYardstickRanksNothingOnTwoRounds) {
  std::mt19937_64 random(3);
  const auto comparisons = CompareAcross(Session(1, 1, random), Session(1, 0.5, random, 2), {});
  EXPECT_EQ(OnlyWorkload(comparisons).verdict, Verdict::kIndicative);
}

TEST(CompareAcross, RefusesResultsOfDifferentMachines) {
  Result other = Rounds(8, 1);
  other.cpu = "64 * another cpu";
  EXPECT_THAT(ErrorOf(CompareAcross(Rounds(8, 1), other, {})), HasSubstr("different machines"));
}

TEST(CompareAcross, SaysWhichSettingsDiffer) {
  Result before = Rounds(6, 1);
  Result after = Rounds(6, 1);
  before.settings = {{"num", "1000"}, {"name", "x"}};
  after.settings = {{"num", "2000"}, {"name", "y"}};
  const auto comparisons = Must(CompareAcross(before, after, {}));
  EXPECT_EQ(comparisons.size(), 2);
  EXPECT_THAT(SaidBeside(comparisons.front()), ElementsAre(HasSubstr("--num")));
}

TEST(CompareAcross, RefusesEnginesDefaultsBesideEqualSettings) {
  Result before = Rounds(6, 1);
  Result after = Rounds(6, 1);
  after.settings = {{"settings", "default"}};
  EXPECT_THAT(UsageErrorOf(CompareAcross(before, after, {})),
              HasSubstr("--settings=equal and --settings=default"));
  before.settings = after.settings;
  EXPECT_TRUE(CompareAcross(before, after, {}).ok());
  before.settings.clear();
  after.settings = {{"settings", "equal"}};
  EXPECT_TRUE(CompareAcross(before, after, {}).ok()) << "caches have no such setting";
}

TEST(CompareAcross, SaysWhichConditionsDiffer) {
  Result before = Rounds(6, 1);
  Result after = Rounds(6, 1);
  before.conditions = {{"block_model", "a disk"}, {"block_vendor", "same"}};
  after.conditions = {{"block_model", "another disk"}, {"block_vendor", "same"}};
  before.fingerprint = "one";
  after.fingerprint = "other";
  before.kernel = "6.1";
  after.kernel = "6.2";
  const auto comparisons = Must(CompareAcross(before, after, {}));
  EXPECT_THAT(SaidBeside(comparisons.front()),
              ElementsAre(HasSubstr("block_model"), HasSubstr("6.2")));
}

// Sessions in which a thing is measured against itself on a machine whose speed wanders: a load
// that comes and goes for some runs at a time.
TEST(CompareWithin, CallsAThingFasterOrSlowerThanItselfInSixOf100SessionsAtMost) {
  constexpr uint64_t kRounds = 10;
  constexpr int kSessions = 200;
  std::mt19937_64 random(19);
  int alarms = 0;
  for (int session = 0; session < kSessions; ++session) {
    std::vector<double> speed;  // The machine's, run by run.
    double wander = 0;
    for (uint64_t i = 0; i < 2 * kRounds; ++i) {
      wander = 0.9 * wander + std::normal_distribution<double>(0, 0.1)(random);
      speed.push_back(std::exp(wander));
    }
    Result result;
    for (uint64_t run = 0; run < 2 * kRounds; ++run) {
      const double rate = 1e6 * speed[run] * std::lognormal_distribution<double>(0, 0.05)(random);
      result.runs.push_back(
          RoundOf(run % 2 == 0 ? "a" : "b", run / 2 + 1, static_cast<uint64_t>(rate)));
    }
    alarms += AlarmIn(Must(CompareWithin(result, "a", {})));
  }
  EXPECT_LE(alarms, 12);
}

// What holds alone does not always hold among many others.
TEST(CompareWithin, SharesItsErrorAmongSeveralEngines) {
  const auto verdict_beside = [](int others) {
    std::mt19937_64 random(3);
    std::vector<EngineRates> engines = EqualEngines(2 + others, random);
    engines[0].second = [](uint64_t) { return 1'000'000; };
    engines[1].second = [](uint64_t round) { return round % 2 == 0 ? 880'000 : 960'000; };
    const Result result = RoundsOf(6, engines);
    return Must(CompareWithin(result, "a", {})).front().workloads.front();
  };
  EXPECT_EQ(verdict_beside(0).verdict, Verdict::kSlower);
  EXPECT_EQ(verdict_beside(15).verdict, Verdict::kUnresolved);
  EXPECT_EQ(verdict_beside(0).ratio.interval->low, verdict_beside(15).ratio.interval->low)
      << "the interval stays that of the row";
}

TEST(CompareAllPairs, AreTheSameFromBothSides) {
  const Result result = Rounds(8, 0.9);
  const std::vector<Series> all = SeriesOf(result);
  const std::vector<Comparison> pairs = CompareAllPairs(StoresOf(all), {});
  ASSERT_EQ(pairs.size(), 2);
  EXPECT_EQ(pairs[0].baseline, "a");
  EXPECT_EQ(pairs[1].baseline, "b");
  EXPECT_EQ(pairs[0].workloads[0].verdict, Verdict::kSlower);
  EXPECT_EQ(pairs[1].workloads[0].verdict, Verdict::kFaster);
  EXPECT_EQ(pairs[1].workloads[0].candidate, pairs[0].workloads[0].baseline);
  EXPECT_NEAR(pairs[0].workloads[0].ratio.ratio * pairs[1].workloads[0].ratio.ratio, 1, 1e-9);
  EXPECT_LT(pairs[1].workloads[0].ratio.interval->low, pairs[1].workloads[0].ratio.interval->high);
}

// The best of them is named because it is the best: among six equal ones there are fifteen pairs.
TEST(CompareAllPairs, OfEqualEnginesTellNoneApartIn95Of100Runs) {
  std::mt19937_64 random(29);
  int alarms = 0;
  constexpr int kRuns = 100;
  for (int run = 0; run < kRuns; ++run) {
    const Result result = RoundsOf(8, EqualEngines(6, random));
    const std::vector<Series> all = SeriesOf(result);
    const std::vector<Comparison> pairs = CompareAllPairs(StoresOf(all), {});
    EXPECT_EQ(pairs.size(), 30);
    alarms += AlarmIn(pairs);
  }
  EXPECT_LE(alarms, 5);
}

// p50 and p99 of the rounds, of which two of eight have a p99 a hundred times as high.
TEST(CompareWithin, JudgesLatenciesByTheRoundsAndNotByAllOfThemTogether) {
  const auto round_of = [](const char* engine, uint64_t round, uint64_t p50_ns, uint64_t p99_ns) {
    RunResult run = RoundOf(engine, round, 1'000'000);
    SparseHistogram& latencies = run.phases[0].roles[0].statistics[0].latency_ns.emplace();
    for (int i = 0; i < 2000; ++i) latencies.Add(i < 1900 ? p50_ns : p99_ns);
    return run;
  };
  Result result;
  for (uint64_t round = 1; round <= 8; ++round) {
    const uint64_t stalls = round % 4 == 0 ? 100 : 1;
    result.runs.push_back(round_of("a", round, 1000 + round, 10'000 * stalls));
    result.runs.push_back(round_of("b", round, 1200 + round, 10'100 * stalls));
  }
  const ComparedWorkload row = OnlyWorkload(CompareWithin(result, "a", {.latencies = true}));
  ASSERT_EQ(row.percentiles.size(), 2) << "2000 operations have no p99.9";
  EXPECT_STREQ(row.percentiles[0].name, "p50");
  EXPECT_EQ(row.percentiles[0].verdict, Verdict::kSlower);
  EXPECT_NEAR(row.percentiles[0].ratio.ratio, 1.0 / 1.2, 0.01);
  EXPECT_STREQ(row.percentiles[1].name, "p99");
  EXPECT_EQ(row.percentiles[1].verdict, Verdict::kEquivalent);
  EXPECT_NEAR(row.percentiles[1].baseline_ns, 10'000, 100);
  EXPECT_TRUE(OnlyWorkload(CompareWithin(result, "a", {})).percentiles.empty());
}

// 40 us of b's are its generator's lateness, or the engine's own: nobody knows.
TEST(CompareWithin, DoesNotRankResponseTimesThatAreUpperBounds) {
  Result result;
  for (uint64_t round = 1; round <= 8; ++round) {
    for (const char* const engine : {"a", "b"}) {
      RunResult run = RoundOf(engine, round, 50'000);
      RoleResult& role = run.phases[0].roles[0];
      SparseHistogram& response_ns = role.statistics[0].response_ns.emplace();
      const bool is_late = engine[0] == 'b';
      for (int i = 0; i < 2000; ++i) response_ns.Add(is_late ? 60'000 : 20'000);
      role.load.emplace().verdict = is_late ? LoadOutcome::kLateGenerator : LoadOutcome::kOk;
      result.runs.push_back(std::move(run));
    }
  }
  const ComparedWorkload row = OnlyWorkload(CompareWithin(result, "a", {.latencies = true}));
  ASSERT_FALSE(row.percentiles.empty());
  EXPECT_TRUE(row.percentiles[0].is_of_upper_bounds);
  EXPECT_EQ(row.percentiles[0].verdict, Verdict::kUnresolved);
}

// Nineteen engines that are all the same: one of them alone would be called different in one of 20
// sessions, and so nearly each session would have one.
TEST(CompareWithin, FindsNoDifferenceAmongManyEqualEnginesInSixOf100SessionsAtMost) {
  std::mt19937_64 random(23);
  int alarms = 0;
  constexpr int kSessions = 400;
  for (int session = 0; session < kSessions; ++session) {
    const Result result = RoundsOf(12, EqualEngines(20, random));
    alarms += AlarmIn(Must(CompareWithin(result, "a", {})));
  }
  EXPECT_LE(alarms, 6 * kSessions / 100);
}

TEST(NoiseOf, IsHowFarTheIntervalOfAThingAgainstItselfReaches) {
  const Result result =
      RoundsOf(6, {{"a", [](uint64_t) { return 1'000'000; }},
                   {"a", [](uint64_t round) { return round % 2 == 0 ? 1'100'000 : 950'000; }}});
  const auto noise = Must(NoiseOf(result));
  // Student's interval of 95 % around the mean of three rounds at 1.1 and three at 0.95.
  EXPECT_NEAR(noise.front().second, 0.1121, 1e-3);
  EXPECT_FALSE(NoiseOf(Rounds(6, 1)).ok());
}

// What the rate does not show on a busy machine, the processor time does.
TEST(CompareWithin, JudgesProcessorTimeBesideTheRate) {
  Result result;
  for (uint64_t round = 1; round <= 8; ++round) {
    for (const auto& [engine, cpu_us] : {std::pair("a", 0.75), std::pair("b", 3.22)}) {
      // Rates that change from run to run: no verdict on them.
      RunResult run = RoundOf(engine, round, (round + *engine) % 2 == 0 ? 1000 : 3000);
      PhaseResult& phase = run.phases[0];
      phase.resources = Resources();
      phase.resources->foreground_seconds =
          cpu_us * 1e-6 * static_cast<double>(phase.roles[0].Operations());
      result.runs.push_back(std::move(run));
    }
  }
  const auto comparisons = CompareWithin(result, "a", {});
  const ComparedWorkload workload = OnlyWorkload(comparisons);
  EXPECT_EQ(workload.verdict, Verdict::kUnresolved);
  EXPECT_EQ(workload.cpu_verdict, Verdict::kSlower);
  EXPECT_NEAR(workload.candidate_cpu_us, 3.22, 0.01);
  EXPECT_EQ(ExitCodeOf(*comparisons), 1);
}

}  // namespace levelfield::comparison_test
