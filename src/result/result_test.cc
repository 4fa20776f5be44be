#include "result/result.h"

#include <gtest/gtest.h>

#include "result/rounds_for_test.h"

namespace levelfield::result_test {

std::vector<RunResult> Runs(std::initializer_list<std::pair<const char*, uint64_t>> runs) {
  std::vector<RunResult> all;
  for (const auto& [engine, round] : runs) all.push_back(RoundOf(engine, round, 1000));
  return all;
}

TEST(WholeRounds, AreThoseThatEveryEngineEnded) {
  EXPECT_EQ(WholeRounds({}, 2), 0u);
  EXPECT_EQ(WholeRounds(Runs({{"a", 1}}), 2), 0u);
  EXPECT_EQ(WholeRounds(Runs({{"a", 1}, {"b", 1}}), 2), 1u);
  EXPECT_EQ(WholeRounds(Runs({{"a", 1}, {"b", 1}, {"b", 2}}), 2), 1u);
  EXPECT_EQ(WholeRounds(Runs({{"a", 1}, {"b", 1}, {"b", 2}, {"a", 2}}), 2), 2u);
}

TEST(WholeRounds, DoNotWaitForAnEngineThatWasGivenUp) {
  std::vector<RunResult> runs = Runs({{"a", 1}, {"b", 1}, {"a", 2}, {"a", 3}});
  runs[1].outcome = Outcome::kFailed;
  EXPECT_EQ(WholeRounds(runs, 2), 3u);
}

TEST(WholeRounds, CountNoRoundOfWhichARunWasCutOff) {
  std::vector<RunResult> runs = Runs({{"a", 1}, {"a", 2}});
  runs[1].cut_off = true;
  EXPECT_EQ(WholeRounds(runs, 1), 1u);
}

Result ThatEnded(Completion::End end, uint64_t rounds = 3, uint64_t planned = 30) {
  Result result;
  result.completion = {.planned_rounds = planned,
                       .most_rounds = planned == 6 ? 40 : planned,
                       .rounds = rounds,
                       .end = end,
                       .message = end == Completion::End::kFailed ? "full" : ""};
  return result;
}

TEST(CutOffWords, SayHowManyRoundsThereAreAndWhy) {
  using End = Completion::End;
  EXPECT_EQ(CutOffWords(ThatEnded(End::kCutOff)),
            "3 of 30 rounds; cut off: the program ended before the rest");
  EXPECT_EQ(CutOffWords(ThatEnded(End::kInterrupted)), "3 of 30 rounds; cut off: interrupted");
  EXPECT_EQ(CutOffWords(ThatEnded(End::kFailed)), "3 of 30 rounds; cut off: full");
  EXPECT_EQ(CutOffWords(ThatEnded(End::kInterrupted, 0, 1)), "0 of 1 round; cut off: interrupted");
  EXPECT_EQ(CutOffWords(ThatEnded(End::kInterrupted, 12, 6)), "12 rounds; cut off: interrupted")
      << "with --precision there may be more than the least";
}

TEST(CutOffWords, CallNothingCutOffThatIsStillRunning) {
  Result result = ThatEnded(Completion::End::kCutOff);
  result.completion.message = "still running";
  EXPECT_EQ(CutOffWords(result), "3 of 30 rounds; still running");
}

TEST(CutOffWords, AreNoneOfWhatIsWhole) {
  EXPECT_EQ(CutOffWords(ThatEnded(Completion::End::kFinished, 30)), "");
  EXPECT_EQ(CutOffWords(ThatEnded(Completion::End::kFailed, 30)), "") << "nothing is missing";
}

}  // namespace levelfield::result_test
