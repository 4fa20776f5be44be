#include "report/first_screen.h"

#include <algorithm>

#include "analysis/standings.h"
#include "base/matchers_for_test.h"
#include "base/text.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"
#include "result/ticks_for_test.h"

namespace levelfield::first_screen_test {

// So many rounds of each engine, whose gets a second differ by a thousandth from round to round.
Result RoundsOf(const std::vector<std::pair<std::string, uint64_t>>& engines, uint64_t rounds) {
  Result result;
  result.name = "test";
  result.settings = {{"num", "1000"}, {"key_size", "16"}, {"value_size", "100"}, {"threads", "1"}};
  for (uint64_t round = 1; round <= rounds; ++round) {
    for (const auto& [engine, gets] : engines) {
      result.runs.push_back(RoundOf(engine, round, gets + round * gets / 1000, 1000));
    }
  }
  return result;
}

std::string Screen(const Result& result, const std::string& directory = "", size_t columns = 100) {
  return WriteTerminal(ScreenReport(result, {}, directory), columns);
}

TEST(FirstScreen, ShowsTheBestInFullAndTheOthersAsAShareOfIt) {
  const std::string text = Screen(RoundsOf({{"slow", 250'000}, {"fast", 1'000'000}}, 6));
  EXPECT_THAT(text, testing::ContainsRegex("readrandom +0.25x +1.00 M"));
  EXPECT_THAT(text, HasSubstr("fast leads readrandom"));
}

TEST(FirstScreen, NamesTheCommandOfVerdictsWhereThereAreAny) {
  const auto next = [](const std::string& fastest, uint64_t rounds) {
    return Screen(RoundsOf({{"slow", 250'000}, {fastest, 1'000'000}}, rounds), "results/x");
  };
  EXPECT_THAT(next("fast", 6), HasSubstr("levelfield compare --baseline=fast results/x"));
  EXPECT_THAT(next("fast; rm", 6), HasSubstr("levelfield compare --baseline='fast; rm' results/x"));
  EXPECT_THAT(next("fast", 1), Not(HasSubstr("levelfield compare")));
}

TEST(FirstScreen, NamesNoCommandOfVerdictsWhereNothingIsCompared) {
  Result result = RoundsOf({{"slow", 250'000}, {"fast", 1'000'000}}, 6);
  for (RunResult& run : result.runs) run.is_baseline_engine = true;
  EXPECT_THAT(Screen(result, "results/x"), Not(HasSubstr("levelfield compare")));
  EXPECT_THAT(Screen(result, "it's here"), HasSubstr("levelfield report -v 'it'\\''s here'"));
}

TEST(FirstScreen, SaysThatTwoAreNotToldApartAndNamesNoLeader) {
  Result result = RoundsOf({{"one", 1'000'000}, {"two", 990'000}}, 6);
  // In every other round the other one is ahead.
  for (size_t i = 0; i < result.runs.size(); i += 4) {
    std::swap(result.runs[i].phases, result.runs[i + 1].phases);
  }
  const Standings screen = StandingsOf(result, SeriesOf(result), {});
  EXPECT_FALSE(screen.workloads[0].leader);
  EXPECT_EQ(std::ranges::count(screen.workloads[0].figures, true, &StandingFigure::is_tied), 1);
  const std::string text = Screen(result);
  EXPECT_THAT(text, HasSubstr("x="));
  EXPECT_THAT(text, HasSubstr("=: its rate is not told apart from the fastest"));
  EXPECT_THAT(text, HasSubstr("No engine leads readrandom"));
}

// Not by the class that was asked for: an engine may keep less in it.
TEST(FirstScreen, SaysWhatEnginesPromiseByTheirLevels) {
  const auto screen = [](DurabilityLevel one, DurabilityLevel two) {
    Result result = RoundsOf({{"one", 1'000'000}, {"two", 990'000}}, 1);
    for (RunResult& run : result.runs) {
      PhaseResult& phase = run.phases[0];
      phase.durability = "process";
      phase.level = run.engine == "one" ? one : two;
      phase.roles[0].statistics[0].effects = kPuts;
    }
    return Screen(result);
  };
  using enum DurabilityLevel;
  EXPECT_THAT(screen(kD1, kD1), HasSubstr("claim: writes survive kill -9, not a power cut. "));
  EXPECT_THAT(screen(kD0, kD0), HasSubstr("claim: writes may be lost when the process is killed"));
  EXPECT_THAT(screen(kD0, kD1), HasSubstr("those of two survive kill -9"));
}

// Their rates were not compared, so nothing is said of a difference between them.
TEST(FirstScreen, DoesNotSayThatNoDifferenceWasFoundWhereAllocatorsDiffer) {
  Result result = RoundsOf({{"one", 1'000'000}, {"two", 500'000}}, 6);
  for (RunResult& run : result.runs) {
    run.allocator = run.engine == "one" ? "glibc 2.36" : "jemalloc 5.3.0";
  }
  EXPECT_THAT(Screen(result),
              AllOf(HasSubstr("ran with different allocators"), Not(HasSubstr("No engine leads")),
                    Not(HasSubstr("x=")), Not(HasSubstr("one leads"))));
}

// Makes these engines unable to run the workload.
void Refuse(const std::vector<std::string>& engines, Result& result) {
  for (RunResult& run : result.runs) {
    if (std::ranges::find(engines, run.engine) == engines.end()) continue;
    run.phases[0].outcome = Outcome::kUnsupported;
    run.phases[0].message = "no integer keys";
  }
}

TEST(FirstScreen, SaysThatNoEngineCouldRunAWorkloadAndNotThatTheyAreNotToldApart) {
  for (const uint64_t rounds : {1, 6}) {
    Result result = RoundsOf({{"one", 1'000'000}, {"two", 990'000}}, rounds);
    Refuse({"one", "two"}, result);
    EXPECT_THAT(Screen(result),
                AllOf(HasSubstr("could run readrandom."), Not(HasSubstr("told apart"))));
  }
}

TEST(FirstScreen, SaysWhichEngineAloneHasARate) {
  Result result = RoundsOf({{"one", 1'000'000}, {"two", 990'000}}, 6);
  Refuse({"one"}, result);
  EXPECT_THAT(Screen(result),
              AllOf(HasSubstr("Only two has a rate in readrandom."), Not(HasSubstr("told apart"))));
}

TEST(FirstScreen, SaysNothingOfALeadWhereAllFailed) {
  Result result = RoundsOf({{"one", 1'000'000}, {"two", 990'000}}, 6);
  for (RunResult& run : result.runs) run.phases[0].outcome = Outcome::kFailed;
  EXPECT_THAT(Screen(result), AllOf(Not(HasSubstr("told apart")), Not(HasSubstr("could run"))));
}

// By its median the one would be faster.
TEST(FirstScreen, TakesTheBestAndTheSharesFromTheRatesThatItShows) {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    result.runs.push_back(RoundOf("one", round, 1'000'000 + round, 1000));
    result.runs.push_back(RoundOf("two", round, round <= 4 ? 990'000 + round : 4'000'000, 1000));
  }
  const Standings screen = StandingsOf(result, SeriesOf(result), {});
  const std::vector<StandingFigure>& figures = screen.workloads[0].figures;
  EXPECT_TRUE(figures[1].is_best);
  EXPECT_NEAR(figures[0].share, 0.63, 0.01);
  EXPECT_DOUBLE_EQ(figures[0].share, *figures[0].rate / *figures[1].rate);
  const auto verdicts = CompareWithin(result, "two", {});
  EXPECT_NEAR(figures[0].share, verdicts->front().workloads.front().ratio.ratio, 1e-9);
}

TEST(FirstScreen, RanksNothingOfOneRound) {
  const Result result = RoundsOf({{"slow", 250'000}, {"fast", 1'000'000}}, 1);
  EXPECT_FALSE(StandingsOf(result, SeriesOf(result), {}).workloads[0].leader);
  const std::string text = Screen(result);
  EXPECT_THAT(text,
              HasSubstr("1 round of each engine is too few to rank them: use --repeat=6 or more"));
  EXPECT_THAT(text, HasSubstr("fast in\n  readrandom"));
  EXPECT_THAT(text, Not(HasSubstr("leads")));
  EXPECT_THAT(text, Not(HasSubstr("=:")));
}

TEST(FirstScreen, MarksWhatWasDisturbedAndSaysHowOften) {
  Result result = RoundsOf({{"one", 1000}, {"two", 2000}}, 1);
  result.runs[0].phases[0].conditions = Conditions{.seconds = 5, .others_share = 0.9};
  const std::string text = Screen(result);
  EXPECT_THAT(text, HasSubstr("0.50x!"));
  EXPECT_THAT(text, HasSubstr("! the machine was busy with other work in 1 of 2 figures"));
}

TEST(FirstScreen, MarksAMedianOfWhichHalfOfTheRoundsWereDisturbed) {
  Result result = RoundsOf({{"one", 1000}, {"two", 2000}}, 3);
  const Conditions disturbed{.seconds = 0.01, .others_share = 0.9};
  result.runs[0].phases[0].conditions = disturbed;
  EXPECT_EQ(StandingsOf(result, SeriesOf(result), {}).disturbed, 0u) << "one of three";
  result.runs[0].phases[0].conditions.reset();
  result.runs[2].phases[0].conditions = result.runs[4].phases[0].conditions = disturbed;
  EXPECT_EQ(StandingsOf(result, SeriesOf(result), {}).disturbed, 1u)
      << "two of three, and not the first";
}

TEST(FirstScreen, MarksAFigureOfWhichMoreThanAFifthIsTheHarness) {
  Result result = RoundsOf({{"slow", 1'000'000}, {"fast", 10'000'000}}, 6);
  for (RunResult& run : result.runs) {
    run.phases[0].level = DurabilityLevel::kD1;
    run.phases[0].roles[0].thread_seconds = 1;
  }
  result.overheads = {{.engine = "null", .keys = 1000, .workload_ns = {{"readrandom", 30}}}};
  const std::string text = Screen(result);
  EXPECT_THAT(text, testing::ContainsRegex("readrandom +0.10x +10.0 M\\^"));
  EXPECT_THAT(text, HasSubstr("more than a fifth of the time is the harness's own"));
  result.overheads[0].workload_ns[0].second = 10;
  EXPECT_THAT(Screen(result), Not(HasSubstr("^")));
}

TEST(FirstScreen, NamesStallsThatAreTooRareForTheInterval) {
  Result result = RoundsOf({{"slow", 250'000}, {"fast", 1'000'000}}, 6);
  for (RunResult& run : result.runs) {
    const bool stalls = run.engine == "fast" && run.round % 3 == 0;
    run.phases[0].ticks = TicksOf(30, [&](size_t i) { return stalls && i / 3 == 4 ? 0 : 1000; });
  }
  EXPECT_THAT(Screen(result),
              HasSubstr("Stalls of 0.2 s or more in 6 rounds: readrandom (fast 2)."));
}

TEST(FirstScreen, LeavesBaselineEnginesOutUnlessThereIsNothingElse) {
  Result result = RoundsOf({{"null", 9'000'000}, {"one", 1000}, {"two", 2000}}, 1);
  result.runs[0].is_baseline_engine = true;
  EXPECT_THAT(StandingsOf(result, SeriesOf(result), {}).engines, ElementsAre("one", "two"));
  result.runs.resize(1);
  EXPECT_THAT(StandingsOf(result, SeriesOf(result), {}).engines, ElementsAre("null"));
}

TEST(FirstScreen, HasALineWithAnIntervalForEachWorkloadOfOneEngine) {
  const std::string text = Screen(RoundsOf({{"one", 1'000'000}}, 6));
  EXPECT_THAT(text, testing::ContainsRegex("readrandom +1.00 M +1.00 M .. 1.01 M"));
  EXPECT_THAT(text, Not(HasSubstr("leads")));
}

TEST(FirstScreen, SaysWhatAnEngineFailedOf) {
  Result result = RoundsOf({{"one", 1000}, {"two", 2000}}, 1);
  PhaseResult& phase = result.runs[0].phases[0];
  phase.outcome = Outcome::kWrong;
  phase.message = "8 found instead of 9";
  const std::string text = Screen(result);
  EXPECT_THAT(text, HasSubstr("WRONG"));
  EXPECT_THAT(text, HasSubstr("one, readrandom: 8 found instead of 9"));
  EXPECT_THAT(text, Not(HasSubstr("checked and right")));
}

TEST(FirstScreen, SaysThatAWorkloadMetFewerKeysThanWereLoaded) {
  Result result = RoundsOf({{"one", 1000}, {"two", 2000}}, 1);
  result.settings[0].second = "50000";
  for (RunResult& run : result.runs) run.phases[0].held = Held{50, 50, true};  // Of a fillsync.
  EXPECT_THAT(Screen(result, "", 400), HasSubstr("readrandom (one 50 and two 50)"));
  for (RunResult& run : result.runs) run.phases[0].held = Held{50'000, 50'000, true};
  EXPECT_THAT(Screen(result), Not(HasSubstr("(one 50")));
}

TEST(FirstScreen, FitsFortyLinesOfEightyColumnsWithSixEnginesAndTenWorkloads) {
  Result result = RoundsOf({{"leveldb", 1000},
                            {"lmdb", 2000},
                            {"rocksdb", 3000},
                            {"berkeleydb", 4000},
                            {"sqlite3", 5000},
                            {"treedb", 6000}},
                           8);
  for (RunResult& run : result.runs) {
    std::vector<PhaseResult> phases;
    for (const char* const name :
         {"fillseq", "fillrandom", "overwrite", "fillsync", "readrandom", "readmissing", "readhot",
          "seekrandom", "readseq", "readrandomwriterandom"}) {
      phases.push_back(run.phases[0]);
      phases.back().workload = name;
      phases.back().live_bytes = phases.back().disk_bytes = 1000;
    }
    run.phases = SharedList(std::move(phases));
  }
  for (const size_t columns : {80, 100, 200}) {
    const std::string text = Screen(result, "results/20261122-213712-bench", columns);
    EXPECT_LE(std::ranges::count(text, '\n'), 40) << text;
    for (const std::string& line : LinesOf(text)) EXPECT_LE(line.size(), columns) << line;
  }
}

TEST(FirstScreen, HasColorsOnlyWhereTheyAreAskedFor) {
  const Report report = ScreenReport(RoundsOf({{"slow", 250'000}, {"fast", 1'000'000}}, 6), {}, "");
  EXPECT_THAT(WriteColoredTerminal(report, 100), HasSubstr("\033[1;32m1.00 M\033[0m"));
  EXPECT_THAT(WriteTerminal(report, 100), Not(HasSubstr("\033")));
}

TEST(FirstScreen, RanksNothingOverStoresThatDiffer) {
  for (const uint64_t rounds : {1, 6}) {
    Result result = RoundsOf({{"slow", 250'000}, {"fast", 1'000'000}}, rounds);
    for (RunResult& run : result.runs) {
      run.phases[0].held = Held{run.engine == "fast" ? 300u : 1000u, 1000u};
    }
    const Standings screen = StandingsOf(result, SeriesOf(result), {});
    EXPECT_FALSE(screen.workloads[0].leader);
    EXPECT_EQ(std::ranges::count(screen.workloads[0].figures, true, &StandingFigure::is_best), 0);
    const std::string text = Screen(result, "", 400);
    EXPECT_THAT(text, testing::ContainsRegex("readrandom# +25. k +1.00 M"));
    EXPECT_THAT(text, HasSubstr("# not ranked, all in full: readrandom: the stores differ: slow's "
                                "held 1000 of 1000 entries, fast's\n  held 300 of 1000 entries."));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("leads")), Not(HasSubstr("fast in")),
                            Not(HasSubstr("0.25x")), Not(HasSubstr("told apart"))));
  }
}

TEST(FirstScreen, NamesWhoseStoreHadFewKeysAlsoIfItIsNotTheFirst) {
  Result result = RoundsOf({{"one", 250'000}, {"two", 1'000'000}}, 1);
  for (RunResult& run : result.runs) run.phases[0].held = Held{300, 300, true};
  EXPECT_THAT(Screen(result, "", 400),
              HasSubstr("# made for a store of 1,000 keys, but found fewer: readrandom (one 300 "
                        "and two 300)."));
  result.runs[0].phases[0].held.reset();
  EXPECT_THAT(Screen(result, "", 400), HasSubstr("readrandom (two 300)"));
}

// Identical engines differed 2.4 to 3.3 times by their first rounds.
TEST(FirstScreen, ShowsTheMedianOfTheSpaceAndNotTheFirstRounds) {
  Result result = RoundsOf({{"one", 1000}, {"two", 2000}}, 6);
  for (RunResult& run : result.runs) {
    run.phases[0].live_bytes = 10 << 20;
    run.phases[0].disk_bytes = (run.round == 1 ? 30 : 10 + run.round) << 20;
  }
  const Standings screen = StandingsOf(result, SeriesOf(result), {});
  ASSERT_TRUE(screen.space[0]);
  EXPECT_NEAR(screen.space[0]->median, 1.45, 1e-9);
  ASSERT_TRUE(screen.space[0]->interval);
  EXPECT_NEAR(screen.space[0]->interval->high, 3, 1e-9);
  EXPECT_THAT(Screen(result), testing::ContainsRegex("disk/data +1.45 +1.45"));
}

TEST(FirstScreen, CallsAFigureRoughByItsRoundOfFewestOperations) {
  Result result = RoundsOf({{"one", 1000}, {"two", 2000}}, 3);
  result.runs[4].phases[0].roles[0].statistics[0].operations = 7;
  EXPECT_THAT(Screen(result), HasSubstr("Rough, of fewer than 100 operations: readrandom (7)"));
}

}  // namespace levelfield::first_screen_test
