#include "analysis/choice.h"

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::choice_test {

// Rounds of each engine at its rate. The rates of all engines change together.
Result Rounds(const std::vector<std::pair<std::string, double>>& engines, size_t rounds) {
  Result result;
  double wander = 1;
  for (uint64_t round = 1; round <= rounds; ++round) {
    for (const auto& [engine, rate] : engines) {
      result.runs.push_back(RoundOf(engine, round, static_cast<uint64_t>(rate * wander)));
    }
    wander *= round % 2 == 0 ? 0.5 : 1.9;
  }
  return result;
}

TEST(Choose, NamesTheFastestAndByHowMuch) {
  const Choice choice = Choose(Rounds({{"a", 1e5}, {"b", 2e5}, {"c", 5e4}}, 8), "readrandom", 0.02);
  ASSERT_EQ(choice.candidates.size(), 3u);
  EXPECT_EQ(choice.candidates[0].engine, "b");
  EXPECT_EQ(choice.candidates[1].engine, "a");
  EXPECT_NEAR(choice.candidates[1].to_best.ratio, 0.5, 1e-3);
  EXPECT_EQ(choice.candidates[1].verdict, Verdict::kSlower);
  EXPECT_THAT(choice.Best(), ElementsAre("b"));
}

TEST(Choose, SaysWhoCannotBeToldApart) {
  const Choice choice = Choose(Rounds({{"a", 1e5}, {"b", 1.001e5}}, 8), "readrandom", 0.02);
  EXPECT_THAT(choice.Best(), ElementsAre("b", "a"));
  const Choice few = Choose(Rounds({{"a", 1e5}, {"b", 2e5}}, 3), "readrandom", 0.02);
  EXPECT_EQ(few.candidates[1].verdict, Verdict::kIndicative);
  EXPECT_THAT(few.Best(), ElementsAre("b", "a")) << "three rounds rank nothing";
}

TEST(Choose, KnowsHowManyRoundsItsVerdictsNeed) {
  const auto of = [](size_t rounds) {
    return Choose(Rounds({{"a", 1e5}, {"b", 2e5}, {"c", 5e4}}, rounds), "readrandom", 0.02);
  };
  EXPECT_FALSE(of(5).is_ranked());
  EXPECT_EQ(of(5).candidates[1].verdict, Verdict::kIndicative);
  EXPECT_TRUE(of(6).is_ranked());
  EXPECT_EQ(of(6).candidates[1].verdict, Verdict::kSlower);
}

// In rounds of the question, a was between 0.8 and 1.25 times b.
Choice Stated() {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    const double factor = round % 3 == 0 ? 0.8 : round % 3 == 1 ? 1.25 : 1;
    result.runs.push_back(RoundOf("a", round, static_cast<uint64_t>(2e5 * factor)));
    result.runs.push_back(RoundOf("b", round, 100'000));
  }
  return Choose(result, "readrandom", 0.02);
}

Choice OneRound(const std::vector<std::pair<std::string, double>>& engines) {
  return Choose(Rounds(engines, 1), "readrandom", 0.02);
}

TEST(Leaders, AreWhoIsAheadByMoreThanRoundsDiffer) {
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"b", 2e5}}), Stated()), ElementsAre("b"));
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"b", 7e4}}), Stated()), ElementsAre("a"));
}

TEST(Leaders, AreBothWhereOneRoundCannotTell) {
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"b", 1.2e5}}), Stated()), ElementsAre("b", "a"));
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"b", 9e4}}), Stated()), ElementsAre("a", "b"));
  // One that was not among them is held against the widest that is known.
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"c", 1.2e5}}), Stated()), ElementsAre("c", "a"));
}

TEST(Leaders, AreAlsoThoseAheadOfOneThatTies) {
  Result result;
  for (uint64_t round = 1; round <= 6; ++round) {
    const double factor = round % 3 == 0 ? 0.8 : round % 3 == 1 ? 1.25 : 1;
    result.runs.push_back(RoundOf("a", round, 200'000));
    result.runs.push_back(RoundOf("b", round, 100'000));
    result.runs.push_back(RoundOf("c", round, static_cast<uint64_t>(1e5 * factor)));
  }
  const Choice stated = Choose(result, "readrandom", 0.02);
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"b", 9e4}}), stated), ElementsAre("a"));
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"b", 9e4}, {"c", 8.9e4}}), stated),
              ElementsAre("a", "b", "c"));
}

TEST(Leaders, OfNoAnswerAreNoneAndOfOneRoundWhoIsAhead) {
  EXPECT_TRUE(Leaders(OneRound({}), Stated()).empty());
  EXPECT_THAT(Leaders(OneRound({{"a", 1e5}, {"b", 1.01e5}}), OneRound({{"a", 2e5}, {"b", 1e5}})),
              ElementsAre("b"));
}

TEST(Choose, TakesTheHighestRateThatKeepsTheObjectiveWhereThereIsOne) {
  Result result = Rounds({{"fast but late", 2e5}, {"steady", 1e5}}, 8);
  for (RunResult& run : result.runs) {
    run.phases[0].slo =
        SloResult{.objective = "p99<1ms", .rate = run.engine == "steady" ? 90'000u : 40'000u};
  }
  EXPECT_EQ(Choose(result, "readrandom", 0.02).candidates.front().engine, "steady");
}

TEST(Choose, RanksNobodyBehindTheBestWhoseRateIsOnlyABound) {
  Result result = Rounds({{"a", 1e5}, {"bound", 1e5}, {"slow", 1e5}}, 8);
  for (RunResult& run : result.runs) {
    const uint64_t rate = run.engine == "a" ? 90'000 : run.engine == "slow" ? 20'000 : 40'000;
    run.phases[0].slo =
        SloResult{.objective = "p99<1ms", .rate = rate, .is_at_least = run.engine == "bound"};
  }
  const Choice choice = Choose(result, "readrandom", 0.02);
  EXPECT_THAT(choice.Best(), ElementsAre("a", "bound"));
  const auto bound = std::ranges::find(choice.candidates, "bound", &Candidate::engine);
  ASSERT_NE(bound, choice.candidates.end());
  EXPECT_TRUE(bound->is_at_least);
  EXPECT_EQ(bound->rate, 40'000);
}

TEST(Choose, LeavesOutWhoKeepsItAtNoRateOrFailed) {
  Result result = Rounds({{"a", 1e5}, {"late", 2e5}, {"broken", 3e5}}, 8);
  for (RunResult& run : result.runs) {
    run.phases[0].slo = SloResult{.objective = "p99<1ms", .rate = run.engine == "late" ? 0u : 10u};
    if (run.engine != "broken" || run.round != 3) continue;
    run.phases[0].outcome = Outcome::kWrong;
    run.phases[0].message = "a value of another key";
  }
  const Choice choice = Choose(result, "readrandom", 0.02);
  EXPECT_EQ(choice.candidates.front().engine, "a");
  EXPECT_THAT(choice.Best(), ElementsAre("a"));
  for (const Candidate& candidate : choice.candidates) {
    if (candidate.engine == "late") {
      EXPECT_THAT(candidate.why_not, HasSubstr("no rate"));
    } else if (candidate.engine == "broken") {
      EXPECT_EQ(candidate.why_not, "a value of another key");
    }
  }
}

TEST(Choose, OfFloorsAndOfNothingHasNoAnswer) {
  Result result = Rounds({{"null", 1e5}}, 8);
  for (RunResult& run : result.runs) run.is_baseline_engine = true;
  EXPECT_FALSE(Choose(result, "readrandom", 0.02).has_answer());
  EXPECT_FALSE(Choose(Rounds({{"a", 1e5}}, 8), "another", 0.02).has_answer());
}

TEST(Choose, AnswersNothingOverStoresThatDiffer) {
  Result result = Rounds({{"a", 1e5}, {"b", 2e5}}, 8);
  EXPECT_TRUE(Choose(result, "readrandom", 0.02).has_answer());
  for (RunResult& run : result.runs) {
    run.phases[0].held = Held{run.engine == "a" ? 1000u : 500u, 1000u};
  }
  const Choice choice = Choose(result, "readrandom", 0.02);
  EXPECT_FALSE(choice.has_answer());
  EXPECT_THAT(choice.candidates.front().why_not, HasSubstr("not ranked: the stores differ: a's"));
}

}  // namespace levelfield::choice_test
