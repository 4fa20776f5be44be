#include "report/choice_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Candidate Able(const std::string& engine, double median, double ratio, Verdict verdict) {
  Candidate candidate;
  candidate.engine = engine;
  candidate.median = median;
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
  const std::string text = RenderChoice(Of(Verdict::kSlower, 6), "80% get", "");
  EXPECT_THAT(text, AllOf(HasSubstr("80% get"), HasSubstr("lmdb fits best: 2.00 times leveldb, the "
                                                          "next (1.82 to 2.22)")));
}

TEST(ChoiceText, ClaimsNothingOfWhatIsNotToldApart) {
  EXPECT_THAT(RenderChoice(Of(Verdict::kUnresolved, 6), "", ""),
              AllOf(HasSubstr("lmdb and leveldb are not told apart by 6 rounds"),
                    Not(HasSubstr("fits best"))));
  EXPECT_THAT(
      RenderChoice(Of(Verdict::kIndicative, 3), "", "p99<1ms"),
      AllOf(HasSubstr("3 rounds of 2 engines are indicative and rank nothing: --repeat=6 does"),
            HasSubstr("keeps p99<1ms up to"), Not(HasSubstr("fits best"))));
}

TEST(ChoiceText, GivesTheReasonOfThoseThatCannotBeChosen) {
  Choice choice = Of(Verdict::kSlower, 6);
  choice.candidates[1].why_not = "keeps the objective at no rate that was tried";
  EXPECT_THAT(RenderChoice(choice, "", "p99<1ms"),
              AllOf(HasSubstr("leveldb: keeps the objective at no rate"),
                    HasSubstr("lmdb is the only one that does it")));
  choice.candidates[0].why_not = "failed";
  EXPECT_THAT(RenderChoice(choice, "", ""), HasSubstr("No engine does it."));
}

TEST(ChoiceText, AsksForTheRoundsThatThisManyEnginesNeed) {
  Choice choice = Of(Verdict::kIndicative, 6);
  choice.candidates.push_back(Able("sqlite3", 1e4, 0.05, Verdict::kIndicative));
  choice.needed_rounds = 7;
  EXPECT_THAT(RenderChoice(choice, "", ""),
              HasSubstr("6 rounds of 3 engines are indicative and rank nothing: --repeat=7 does"));
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

TEST(ChoiceText, NamesTheWinnerOfEachWhatIf) {
  Choice none;
  none.candidates.emplace_back().engine = "lmdb";
  none.candidates.back().why_not = "keeps the objective at no rate";
  const std::string text =
      RenderWhatIfs(Stated(Verdict::kSlower, 6),
                    {{.question = "no writes", .choice = OneRound("lmdb", 2e5, "leveldb", 1e5)},
                     {.question = "four threads", .choice = OneRound("leveldb", 2e5, "lmdb", 1e5)},
                     {.question = "larger", .choice = OneRound("leveldb", 1.05e5, "lmdb", 1e5)},
                     {.question = "smaller", .choice = none},
                     {.question = "synced", .choice = {}, .why_not = "tmpfs"}});
  EXPECT_THAT(text, HasSubstr("    no writes     lmdb still, 2.00 times leveldb\n"));
  EXPECT_THAT(text, HasSubstr("  * four threads  leveldb, 2.00 times lmdb\n"));
  EXPECT_THAT(text, HasSubstr("    larger        leveldb and lmdb tie (leveldb 1.05 times lmdb)\n"))
      << "by no more than rounds of the question above differ";
  EXPECT_THAT(text, HasSubstr("  * smaller       no engine does it; lmdb: keeps the objective"));
  EXPECT_THAT(text, HasSubstr("    synced        not tried: tmpfs\n"));
  EXPECT_THAT(text, HasSubstr("* another answer than the one above"));
}

// Of two that were not told apart above, one that is ahead now is not "still" the answer: it is
// named alone. Both together are.
TEST(ChoiceText, SaysStillOnlyOfTheSameAnswer) {
  const Choice tied = Stated(Verdict::kUnresolved, 6);
  const std::string text =
      RenderWhatIfs(tied, {{.question = "alone", .choice = OneRound("leveldb", 2e5, "lmdb", 1e5)},
                           {.question = "both", .choice = OneRound("leveldb", 1e5, "lmdb", 1e5)}});
  EXPECT_THAT(text, HasSubstr("    alone  leveldb, 2.00 times lmdb\n"));
  EXPECT_THAT(text, HasSubstr("    both   leveldb and lmdb tie still (leveldb 1.00 times lmdb)\n"));
  EXPECT_THAT(text, Not(HasSubstr("another answer")));
}

TEST(ChoiceText, ComparesWithWhoIsAheadWhereNothingIsRanked) {
  const std::string text =
      RenderWhatIfs(Of(Verdict::kIndicative, 1),
                    {{.question = "same", .choice = OneRound("lmdb", 1.01e5, "leveldb", 1e5)},
                     {.question = "other", .choice = OneRound("leveldb", 1.01e5, "lmdb", 1e5)}});
  EXPECT_THAT(text, HasSubstr("    same   lmdb still, 1.01 times leveldb\n"));
  EXPECT_THAT(text, HasSubstr("  * other  leveldb, 1.01 times lmdb\n"));
}

}  // namespace
}  // namespace levelfield
