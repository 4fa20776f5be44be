#include "verbs/diagnose.h"

#include "base/matchers_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::diagnose_test {

Finding Example(const std::string& workload) {
  return {.rule = "no filter",
          .engine = "leveldb",
          .workload = workload,
          .symptom = "reads are slow",
          .cause = "there is no filter",
          .confidence = Confidence::kHigh,
          .evidence = {"9 of 10 gets found nothing"},
          .advice = "have one",
          .change = Change{"bloom_bits", "0", "10"}};
}

TEST(DiagnosisText, HasCauseEvidenceAdviceAndTheFlagToTry) {
  EXPECT_EQ(RenderFindings({Example("readmissing")}, {}),
            "leveldb, readmissing: reads are slow\n"
            "    cause:    there is no filter (confidence: high)\n"
            "    evidence: 9 of 10 gets found nothing\n"
            "    advice:   have one\n"
            "    try:      --bloom_bits=10 (now 0); `diagnose --try` does\n");
}

TEST(DiagnosisText, OfSeveralWorkloadsIsOneParagraph) {
  const std::string text =
      RenderFindings({Example("a"), Example("b"), Example("c"), Example("d")}, {});
  EXPECT_THAT(text, HasSubstr("leveldb, a, b, c, d: reads are slow\n"));
  EXPECT_THAT(text, HasSubstr("    evidence: c: 9 of 10 gets found nothing\n"));
  EXPECT_THAT(text, HasSubstr("    evidence: and of 1 others\n"));
}

TEST(DiagnosisText, OfARunWithoutAnyWorkloadNamesTheEngineAlone) {
  EXPECT_THAT(RenderFindings({Example("")}, {}), StartsWith("leveldb: reads are slow\n"));
}

// Six rounds of one change that made it a twentieth faster; alone it is told apart.
TriedChange AFaster() {
  TriedChange change{.what = "leveldb, a: --bloom_bits=10 instead of 0", .figures = "ops/s: 1, 2"};
  change.ratio = RatioAround(0.05, 0.015, 5);
  change.verdict = Judge(change.ratio, 0.02, 0);
  change.results = "results/1";
  return change;
}

TEST(TriedChanges, HoldTogether) {
  std::vector<TriedChange> tried = {AFaster()};
  std::vector<TriedChange*> all = {&tried[0]};
  JudgeTogether(all, 0.02);
  EXPECT_EQ(RenderTried(tried),
            "leveldb, a: --bloom_bits=10 instead of 0: it helped\n"
            "    ops/s: 1, 2\n"
            "    results: results/1\n");
  tried.assign(4, AFaster());
  all.clear();
  for (TriedChange& change : tried) all.push_back(&change);
  JudgeTogether(all, 0.02);
  EXPECT_THAT(RenderTried(tried), Not(HasSubstr("it helped"))) << "one of four may be so by chance";
  EXPECT_THAT(RenderTried(tried), HasSubstr("not resolved: more rounds"));
}

TEST(DiagnosisText, OfNothingSaysWhatWasLookedFor) {
  EXPECT_THAT(RenderFindings({}, {}),
              HasSubstr("Nothing found. Looked for: failure, other load, "));
}

TEST(DiagnosisText, OfARunThatWasCutOffSaysWhatItCouldLookAt) {
  Result result;
  result.completion = {
      .planned_rounds = 30, .most_rounds = 30, .end = Completion::End::kCutOff};
  EXPECT_THAT(RenderFindings({}, result), StartsWith("Nothing to diagnose: "));
  result.runs = {RoundOf("leveldb", 1, 1000)};
  EXPECT_THAT(RenderFindings({}, result),
              HasSubstr("Nothing found in what was measured before it was cut off. Looked for: "));
}

}  // namespace levelfield::diagnose_test
