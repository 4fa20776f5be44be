#include "report/diagnosis_report.h"

#include "base/matchers_for_test.h"
#include "report/terminal.h"
#include "result/rounds_for_test.h"
#include "settings/report_formats.h"

namespace levelfield::diagnosis_report_test {

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

std::string Text(const std::vector<Finding>& findings, const Result& of) {
  return WriteTerminal(DiagnosisReport(findings, of));
}

TEST(DiagnosisText, HasCauseEvidenceAdviceAndTheFlagToTry) {
  EXPECT_EQ(Text({Example("readmissing")}, {}),
            "leveldb, readmissing: reads are slow\n"
            "    cause:    there is no filter (confidence: high)\n"
            "    evidence: 9 of 10 gets found nothing\n"
            "    advice:   have one\n"
            "    try:      --bloom_bits=10 (now 0); `diagnose --try` does\n");
}

TEST(DiagnosisText, OfSeveralWorkloadsIsOneParagraph) {
  const std::string text =
      Text({Example("a"), Example("b"), Example("c"), Example("d")}, {});
  EXPECT_THAT(text, HasSubstr("leveldb, a, b, c and d: reads are slow\n"));
  EXPECT_THAT(text, HasSubstr("    evidence: c: 9 of 10 gets found nothing\n"));
  EXPECT_THAT(text, HasSubstr("    evidence: and of 1 more figures\n"));
}

TEST(DiagnosisText, OfARunWithoutAnyWorkloadNamesTheEngineAlone) {
  EXPECT_THAT(Text({Example("")}, {}), StartsWith("leveldb: reads are slow\n"));
}

TEST(DiagnosisText, OfNothingSaysWhatWasLookedFor) {
  EXPECT_THAT(Text({}, {}),
              HasSubstr("Nothing found. Looked for: failure, other load, "));
}

TEST(DiagnosisText, OfARunThatWasCutOffSaysWhatItCouldLookAt) {
  Result result;
  result.completion = {
      .planned_rounds = 30, .most_rounds = 30, .end = Completion::End::kCutOff};
  EXPECT_THAT(Text({}, result), StartsWith("Nothing to diagnose: "));
  result.runs = {RoundOf("leveldb", 1, 1000)};
  EXPECT_THAT(Text({}, result),
              HasSubstr("Nothing found in what was measured before it was cut off. Looked for: "));
}

TEST(DiagnosisText, SaysACommonCauseOnce) {
  Finding of_another = Example("a");
  of_another.engine = "rocksdb";
  of_another.change->after = "12";
  const std::vector<Finding> both = {Example("a"), of_another};
  const std::string text = Text(both, {});
  EXPECT_THAT(text, AllOf(StartsWith("leveldb and rocksdb, a: reads are slow\n"),
                          HasSubstr("evidence: rocksdb: 9 of 10"),
                          HasSubstr("try:      leveldb: --bloom_bits=10"),
                          HasSubstr("try:      rocksdb: --bloom_bits=12")));
  EXPECT_EQ(text.find("cause:"), text.rfind("cause:"));
  EXPECT_THAT(WriteJson(DiagnosisReport(both, {}), 0),
              AllOf(HasSubstr(R"("finding":"no filter","engines":["leveldb","rocksdb"])"),
                    HasSubstr(R"("advice":["have one"])")));
  EXPECT_THAT(WriteMarkdown(DiagnosisReport(both, {}), 0), HasSubstr("- advice: have one"));
}

}  // namespace levelfield::diagnosis_report_test
