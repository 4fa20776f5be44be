#include "report/choice_report.h"

#include "base/matchers_for_test.h"
#include "report/terminal.h"
#include "result/fields_json.h"
#include "result/rounds_for_test.h"

namespace levelfield::choice_report_test {

// In lines that are not broken.
std::string AnswerTo(const Choice& choice, const std::string& asked, const std::string& objective) {
  std::string text = WriteTerminal(ChoiceReport(choice, asked, objective));
  for (size_t at = 0; (at = text.find("\n  ", at)) != text.npos;) text.replace(at, 3, " ");
  return text;
}
std::string WhatIfsTo(const Choice& stated, const std::vector<WhatIf>& what_ifs) {
  return WriteTerminal(WhatIfReport(stated, what_ifs));
}

Candidate Able(const std::string& engine, double rate, double ratio, Verdict verdict) {
  Candidate candidate;
  candidate.engine = engine;
  candidate.rate = rate;
  candidate.to_best.ratio = ratio;
  if (verdict != Verdict::kIndicative)
    candidate.to_best.interval = Interval{ratio * 0.9, ratio * 1.1};
  candidate.verdict = verdict;
  return candidate;
}

Choice Of(Verdict verdict, size_t rounds) {
  return {.candidates = {Able("lmdb", 2e5, 1, Verdict::kEquivalent),
                         Able("leveldb", 1e5, 0.5, verdict)},
          .rounds = rounds};
}

TEST(ChoiceText, SaysTheMarginWithItsInterval) {
  const std::string text = AnswerTo(Of(Verdict::kSlower, 6), "80% get", "");
  EXPECT_THAT(text, AllOf(HasSubstr("80% get"), HasSubstr("lmdb fits best: 2.00 times leveldb, the "
                                                          "next (1.82 to 2.22)")));
}

TEST(ChoiceText, ClaimsNothingOfWhatIsNotToldApart) {
  EXPECT_THAT(
      AnswerTo(Of(Verdict::kUnresolved, 6), "", ""),
      AllOf(HasSubstr("6 rounds do not separate lmdb and leveldb"), Not(HasSubstr("fits best"))));
  EXPECT_THAT(AnswerTo(Of(Verdict::kIndicative, 3), "", "p99<1ms"),
              AllOf(HasSubstr("3 rounds of 2 engines are too few to rank them: use --repeat=6"),
                    HasSubstr("keeps p99<1ms up to"), Not(HasSubstr("fits best"))));
}

// Among many rows a verdict can be open although the interval of its row excludes 1.
TEST(ChoiceText, SaysWhyAnIntervalBelowOneIsNoVerdict) {
  Choice choice = Of(Verdict::kUnresolved, 6);
  choice.candidates[1].to_best.interval = Interval{.low = 0.7, .high = 0.9};
  EXPECT_THAT(AnswerTo(choice, "", ""), HasSubstr("for its row alone"));
  choice.candidates[1].to_best.interval->high = 1.1;
  EXPECT_THAT(AnswerTo(choice, "", ""), Not(HasSubstr("for its row alone")));
}

TEST(ChoiceText, CallsNobodyAheadWhoseLeadIsNone) {
  for (const double ratio : {1.01, 1.0, 0.996}) {
    Choice choice = Of(Verdict::kIndicative, 2);
    choice.candidates[1].to_best.ratio = ratio;
    EXPECT_THAT(AnswerTo(choice, "", ""),
                AllOf(HasSubstr("lmdb and leveldb are level; 2 rounds"), Not(HasSubstr("ahead"))));
  }
  Choice choice = Of(Verdict::kIndicative, 2);
  choice.candidates.push_back(Able("sqlite3", 0.9e5, 0.98, Verdict::kIndicative));
  EXPECT_THAT(AnswerTo(choice, "", ""), HasSubstr("lmdb is ahead, 1.02 times sqlite3"))
      << "the nearest by the rounds' ratios";
}

TEST(ChoiceText, GivesTheReasonOfThoseThatCannotBeChosen) {
  Choice choice = Of(Verdict::kSlower, 6);
  choice.candidates[1].why_not = "keeps the objective at no rate that was tried";
  EXPECT_THAT(AnswerTo(choice, "", "p99<1ms"),
              AllOf(HasSubstr("leveldb: keeps the objective at no rate"),
                    HasSubstr("lmdb is the only one that keeps p99<1ms")));
  Choice unmeasured = choice;
  unmeasured.candidates[1].is_unknown = true;
  EXPECT_THAT(AnswerTo(unmeasured, "", "p99<1ms"),
              HasSubstr("lmdb keeps p99<1ms; leveldb could not be measured."));
  Choice alone = choice;
  alone.candidates.pop_back();
  EXPECT_THAT(AnswerTo(alone, "", "p99<1ms"), HasSubstr("lmdb was measured alone: --engine=all"));
  Choice unknown = alone;
  unknown.candidates[0].why_not = "p99<1ms: nothing can be said at 24 operations a second";
  unknown.candidates[0].is_unknown = true;
  EXPECT_THAT(AnswerTo(unknown, "", "p99<1ms"),
              AllOf(HasSubstr("No answer: it could not be measured."), HasSubstr("not measured"),
                    Not(HasSubstr("No engine"))));
  choice.candidates[0].why_not = "failed";
  EXPECT_THAT(AnswerTo(choice, "", ""), HasSubstr("No engine has a figure."));
  choice.is_cut_off = true;
  EXPECT_THAT(AnswerTo(choice, "", ""), HasSubstr("No answer: the run was ended"));
}

// Whose rounds were those: lmdb at twice leveldb, give or take a tenth.
Choice Stated(Verdict verdict, size_t rounds) {
  Choice choice = Of(verdict, rounds);
  for (size_t round = 0; round < rounds; ++round) {
    const double factor = round % 3 == 0 ? 1.1 : round % 3 == 1 ? 1 / 1.1 : 1;
    choice.candidates[0].figures.emplace_back(2e5 * factor);
    choice.candidates[1].figures.emplace_back(1e5);
  }
  return choice;
}

Choice OneRound(const std::string& first, double rate, const std::string& second, double other) {
  return {.candidates = {Able(first, rate, 1, Verdict::kIndicative),
                         Able(second, other, other / rate, Verdict::kIndicative)},
          .rounds = 1};
}

TEST(ChoiceText, SaysWhichRateIsOnlyABound) {
  Choice choice = Of(Verdict::kUnresolved, 8);
  choice.candidates[1].rate = 4e4;
  choice.candidates[1].is_at_least = true;
  EXPECT_THAT(AnswerTo(choice, "gets", "p99<1ms"),
              AllOf(HasSubstr("at least 40.0 k"), HasSubstr("higher rates could not be measured")));
}

// One round of a busy machine tells nothing.
TEST(ChoiceText, DoesNotSayThatADisturbedRoundChangesTheAnswer) {
  WhatIf what_if{.question = "four threads", .choice = OneRound("leveldb", 2e5, "lmdb", 1e5)};
  const Choice stated = Stated(Verdict::kSlower, 6);
  EXPECT_THAT(WhatIfsTo(stated, {what_if}), HasSubstr("* four threads"));
  what_if.choice.disturbed = 1;
  EXPECT_THAT(WhatIfsTo(stated, {what_if}),
              AllOf(HasSubstr("? four threads"), HasSubstr("the machine was busy in that round"),
                    Not(HasSubstr("In each that was tried"))));
  const AnsweredChange change = AnswerOf(stated, "", "", {what_if}).changes[0];
  EXPECT_TRUE(change.is_doubtful);
  EXPECT_FALSE(change.changes_answer);
}

TEST(ChoiceText, NamesTheWinnerOfEachWhatIf) {
  Choice none;
  none.candidates.emplace_back().engine = "lmdb";
  none.candidates.back().why_not = "keeps the objective at no rate";
  const std::string text =
      WhatIfsTo(Stated(Verdict::kSlower, 6),
                {{.question = "no writes", .choice = OneRound("lmdb", 2e5, "leveldb", 1e5)},
                 {.question = "four threads", .choice = OneRound("leveldb", 2e5, "lmdb", 1e5)},
                 {.question = "larger", .choice = OneRound("leveldb", 1.05e5, "lmdb", 1e5)},
                 {.question = "smaller", .choice = none},
                 {.question = "synced", .choice = {}, .why_not = "tmpfs"}});
  EXPECT_THAT(text, HasSubstr("    no writes     lmdb still, 2.00 times leveldb\n"));
  EXPECT_THAT(text, HasSubstr("  * four threads  leveldb, 2.00 times lmdb\n"));
  EXPECT_THAT(text, HasSubstr("    larger        leveldb and lmdb tie (leveldb 1.05 times lmdb)\n"))
      << "by no more than rounds of the question above differ";
  EXPECT_THAT(text,
              HasSubstr("  * smaller       no engine has a figure; lmdb: keeps the objective"));
  EXPECT_THAT(text, HasSubstr("    not tried (tmpfs): synced\n"));
  EXPECT_THAT(text, HasSubstr("* no engine that was best above is among the best here"));
}

TEST(ChoiceText, ChoosesNoneThatKeepsLessThanItClaims) {
  Choice choice = Of(Verdict::kUnresolved, 6);
  choice.candidates[1].deviation = "D0 after a kill";
  EXPECT_THAT(
      AnswerTo(choice, "", ""),
      HasSubstr("lmdb fits best. No difference between leveldb and it was found, but it keeps less "
                "than it claims."));
}

// If two were not told apart above and one of them is ahead now, it is not "still" the answer and
// is named alone. Both together are still the answer.
TEST(ChoiceText, SaysStillOnlyOfTheSameAnswer) {
  const Choice tied = Stated(Verdict::kUnresolved, 6);
  const std::string text =
      WhatIfsTo(tied, {{.question = "alone", .choice = OneRound("leveldb", 2e5, "lmdb", 1e5)},
                       {.question = "both", .choice = OneRound("leveldb", 1e5, "lmdb", 1e5)}});
  EXPECT_THAT(text, HasSubstr("    alone  leveldb, 2.00 times lmdb\n"));
  EXPECT_THAT(text, HasSubstr("    both   leveldb and lmdb tie still (leveldb 1.00 times lmdb)\n"));
  EXPECT_THAT(text, Not(HasSubstr("another answer")));
}

TEST(ChoiceText, ComparesWithWhoIsAheadWhereNothingIsRanked) {
  const std::string text =
      WhatIfsTo(Of(Verdict::kIndicative, 1),
                {{.question = "same", .choice = OneRound("lmdb", 1.01e5, "leveldb", 1e5)},
                 {.question = "other", .choice = OneRound("leveldb", 1.01e5, "lmdb", 1e5)}});
  EXPECT_THAT(text, HasSubstr("    same   lmdb still, 1.01 times leveldb\n"));
  EXPECT_THAT(text, HasSubstr("  * other  leveldb, 1.01 times lmdb\n"));
}

TEST(Answer, SaysOfEachEngineInALineWhyItWasChosenOrNot) {
  Choice choice = Stated(Verdict::kSlower, 6);
  choice.candidates.push_back(Able("treedb", 1.9e5, 0.95, Verdict::kUnresolved));
  choice.candidates.back().deviation = "D0 after a kill";
  choice.candidates.emplace_back().engine = "redis";
  choice.candidates.back().why_not = "12 times slower than lmdb in the first round";
  const ChoiceAnswer answer =
      AnswerOf(choice, "80% get", "",
               {{.question = "four threads", .choice = OneRound("leveldb", 2, "lmdb", 1)}});
  EXPECT_EQ(answer.asked, "80% get");
  ASSERT_EQ(answer.engines.size(), 4u);
  EXPECT_TRUE(answer.engines[0].is_chosen);
  EXPECT_EQ(answer.engines[0].why, "the best");
  EXPECT_EQ(answer.engines[1].why, "slower: 0.50 times lmdb (0.45 to 0.55)");
  EXPECT_EQ(answer.engines[1].rate, 1e5);
  EXPECT_FALSE(answer.engines[2].is_chosen);
  EXPECT_THAT(answer.engines[2].why, HasSubstr("it keeps less than it claims: D0 after a kill"));
  EXPECT_EQ(answer.engines[3].why,
            "cannot be chosen: 12 times slower than lmdb in the first round");
  EXPECT_FALSE(answer.engines[3].rate);
  ASSERT_EQ(answer.changes.size(), 1u);
  EXPECT_EQ(answer.changes[0].answer, "leveldb, 2.00 times lmdb");
  EXPECT_TRUE(answer.changes[0].is_tried && answer.changes[0].changes_answer);
}

TEST(Answer, IsTheOneThatIsAheadWhereNothingIsRanked) {
  const ChoiceAnswer answer = AnswerOf(Of(Verdict::kIndicative, 2), "", "p99<1ms", {});
  EXPECT_TRUE(answer.engines[0].is_chosen);
  EXPECT_FALSE(answer.engines[1].is_chosen);
  EXPECT_EQ(answer.engines[1].why, "0.50 times lmdb this time; 6 rounds or more rank engines");
  EXPECT_EQ(answer.figure, "ops/s that keep p99<1ms");
}

TEST(Answer, IsReadAsItWasWritten) {
  const ChoiceAnswer answer = AnswerOf(Of(Verdict::kSlower, 6), "80% get", "",
                                       {{.question = "synced", .choice = {}, .why_not = "tmpfs"}});
  ChoiceAnswer again;
  ASSERT_TRUE(Codec<ChoiceAnswer>::Read(Codec<ChoiceAnswer>::Write(answer), again).ok());
  EXPECT_EQ(again, answer);
}

}  // namespace levelfield::choice_report_test
