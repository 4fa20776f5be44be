#include "fleet/gate_keeper.h"

#include <gmock/gmock.h>

namespace levelfield {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr uint64_t kSecond = 1'000'000'000;

GateQuestion At(uint64_t run, std::string gate, std::string tells = "") {
  return {.run = run, .gate = std::move(gate), .tells = std::move(tells), .patience_seconds = 10};
}

TEST(GateKeeper, OpensAGateWhenAllHaveCome) {
  GateKeeper keeper(3);
  keeper.Come(2, At(1, "the begin", "c"), 0);
  keeper.Come(0, At(1, "the begin", "a"), 0);
  EXPECT_THAT(keeper.Decide(kSecond), IsEmpty());
  EXPECT_FALSE(keeper.IsComplete());
  keeper.Come(1, At(1, "the begin", "b"), kSecond);
  EXPECT_TRUE(keeper.IsComplete());
  const auto answers = keeper.Decide(kSecond);
  ASSERT_THAT(answers, SizeIs(3));
  for (const auto& [rank, answer] : answers) {
    EXPECT_EQ(answer.failure, "");
    EXPECT_THAT(answer.told, ElementsAre("a", "b", "c"));
  }
  EXPECT_THAT(keeper.Decide(kSecond), IsEmpty()) << "each is answered once";
}

TEST(GateKeeper, NamesTheRankThatDoesNotComeAndItsMachine) {
  GateKeeper keeper(3);
  keeper.Call(1, "node7");
  keeper.Come(0, At(1, "the end"), 0);
  keeper.Come(2, At(1, "the end"), 4 * kSecond);
  EXPECT_THAT(keeper.Decide(9 * kSecond), IsEmpty()) << "its time is not over";
  const auto answers = keeper.Decide(10 * kSecond);
  ASSERT_THAT(answers, SizeIs(2));
  for (const auto& [rank, answer] : answers) {
    EXPECT_EQ(answer.failure, "rank 1 of 3 (node7) did not come to 'the end' within 10 s");
  }
  // It was only slow: it hears that, and no other gate opens any more.
  keeper.Come(1, At(1, "the end"), 12 * kSecond);
  const auto late = keeper.Decide(12 * kSecond);
  ASSERT_THAT(late, SizeIs(1));
  EXPECT_THAT(late[0].second.failure, HasSubstr("the others have gone on without it"));
  keeper.Come(0, At(2, "the begin"), 13 * kSecond);
  keeper.Come(2, At(2, "the begin"), 13 * kSecond);
  for (const auto& [rank, answer] : keeper.Decide(13 * kSecond)) {
    EXPECT_THAT(answer.failure, HasSubstr("rank 1 of 3 (node7) did not come"));
  }
  keeper.Leave(0);
  keeper.Leave(2);
  EXPECT_TRUE(keeper.HaveAllLeft()) << "nobody waits for who is lost";
}

TEST(GateKeeper, TellsWhyARankHasLeftTheRunWhenNobodyElseCanCome) {
  GateKeeper keeper(3);
  GateQuestion next = At(2, "the begin of the next");
  next.left = "died by SIGKILL";
  keeper.Come(1, next, 0);
  keeper.Come(0, At(1, "the end"), kSecond);
  EXPECT_THAT(keeper.Decide(kSecond), IsEmpty()) << "rank 2 is under way";
  keeper.Come(2, At(1, "the end"), 2 * kSecond);
  const auto answers = keeper.Decide(2 * kSecond);
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0].second.failure, "rank 1 of 3: died by SIGKILL");
  // The next run is everybody's.
  keeper.Come(0, At(2, "the begin of the next"), 3 * kSecond);
  keeper.Come(2, At(2, "the begin of the next"), 3 * kSecond);
  for (const auto& [rank, answer] : keeper.Decide(3 * kSecond)) EXPECT_EQ(answer.failure, "");
}

TEST(GateKeeper, OpensNoGateForARankThatCannotGoOn) {
  GateKeeper keeper(2);
  GateQuestion refused = At(1, "the begin");
  refused.failure = "there is no such engine";
  keeper.Come(0, At(1, "the begin"), 0);
  keeper.Come(1, refused, 0);
  const auto answers = keeper.Decide(0);
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0].second.failure, "rank 1 of 2: there is no such engine");
}

TEST(GateKeeper, KnowsThatAllThatIsLeftIsToEnd) {
  GateKeeper keeper(2);
  keeper.Come(0, At(1, "the begin"), 0);
  keeper.Come(1, At(1, "the begin"), 0);
  EXPECT_THAT(keeper.Decide(0), SizeIs(2));
  EXPECT_FALSE(keeper.IsOver());
  keeper.Come(0, At(2, kLastGate), 0);
  keeper.Come(1, At(2, kLastGate), 0);
  EXPECT_THAT(keeper.Decide(0), SizeIs(2));
  EXPECT_TRUE(keeper.IsOver());
  EXPECT_FALSE(keeper.HasLeft(1));
}

TEST(GateKeeper, DoesNotWaitForWhoHasEnded) {
  GateKeeper keeper(2);
  keeper.Leave(1);
  keeper.Come(0, At(1, "the begin"), 0);
  const auto answers = keeper.Decide(0);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_EQ(answers[0].second.failure, "rank 1 of 2 has ended before");
  EXPECT_FALSE(keeper.HaveAllLeft());
  keeper.Leave(0);
  EXPECT_TRUE(keeper.HaveAllLeft());
}

// --vary=ranks=1,2: who has nothing to do waits at the next run's gate for as long as it takes.
TEST(GateKeeper, OpensAGateForTheRanksThatTakePart) {
  GateKeeper keeper(3);
  GateQuestion of_two = At(1, "the begin", "x");
  of_two.ranks = 2;
  GateQuestion idle = At(2, "the begin of the next");
  idle.patience_seconds = 1e9;
  keeper.Come(2, idle, 0);
  keeper.Come(0, of_two, 0);
  EXPECT_THAT(keeper.Decide(kSecond), IsEmpty());
  keeper.Come(1, of_two, kSecond);
  EXPECT_TRUE(keeper.IsComplete());
  const auto answers = keeper.Decide(kSecond);
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_THAT(answers[1].second.told, ElementsAre("x", "x"));
  EXPECT_THAT(keeper.Decide(1000 * kSecond), IsEmpty()) << "the two are under way";
  keeper.Come(0, At(2, "the begin of the next"), 1000 * kSecond);
  keeper.Come(1, At(2, "the begin of the next"), 1000 * kSecond);
  EXPECT_THAT(keeper.Decide(1000 * kSecond), SizeIs(3));
}

// Ranks of other builds, say.
TEST(GateKeeper, HoldsNoRankForEverThatIsAtAnotherGate) {
  GateKeeper keeper(2);
  keeper.Come(0, At(1, "the end of a"), 0);
  keeper.Come(1, At(1, "the end of b"), 0);
  const auto answers = keeper.Decide(0);
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].second.failure, HasSubstr("it is at 'the end of b' instead"));
}

TEST(Gate, QuestionsAndAnswersAreLines) {
  GateQuestion question = At(3, "the end of \"a\"\n", "[[1,2],[3]]");
  question.left = "why";
  question.compares_clocks = true;
  const std::string line = ToText(question);
  EXPECT_EQ(line.find('\n'), line.npos);
  const StatusOr<GateQuestion> read = GateQuestionFromText(line);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(ToText(*read), line);
  const GateAnswer answer{.failure = "f",
                          .told = {"a", "b"},
                          .place = {.id = "x", .rank = 1, .of = 2},
                          .begin_ns = 5,
                          .clock_offset_ns = -7,
                          .clock_error_ns = 1};
  const StatusOr<GateAnswer> answered = GateAnswerFromText(ToText(answer));
  ASSERT_TRUE(answered.ok());
  EXPECT_EQ(answered->clock_offset_ns, -7);
  EXPECT_EQ(ToText(*answered), ToText(answer));
  EXPECT_FALSE(GateAnswerFromText("{}").ok());
  EXPECT_FALSE(GateAnswerFromText("nothing").ok());
}

}  // namespace
}  // namespace levelfield
