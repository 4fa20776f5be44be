#include "report/choice_text.h"

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
  EXPECT_THAT(RenderChoice(Of(Verdict::kIndicative, 3), "", "p99<1ms"),
              AllOf(HasSubstr("3 rounds are indicative"), HasSubstr("keeps p99<1ms up to"),
                    Not(HasSubstr("fits best"))));
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

TEST(ChoiceText, MarksWhatChangesTheAnswer) {
  Choice other = Of(Verdict::kIndicative, 1);
  std::swap(other.candidates[0], other.candidates[1]);
  const std::string text = RenderWhatIfs(
      Of(Verdict::kSlower, 6), {{.question = "no writes", .choice = Of(Verdict::kIndicative, 1)},
                                {.question = "four threads", .choice = other},
                                {.question = "synced", .choice = {}, .why_not = "tmpfs"}});
  EXPECT_THAT(text, HasSubstr("    no writes     lmdb still, 2.00 times leveldb"));
  EXPECT_THAT(text, HasSubstr("  * four threads  leveldb, "));
  EXPECT_THAT(text, HasSubstr("    synced        not tried: tmpfs"));
}

}  // namespace
}  // namespace levelfield
