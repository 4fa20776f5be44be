#include "result/merge.h"

#include <fmt/format.h>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "result/rounds_for_test.h"

namespace levelfield::merge_test {

// A result of so many rounds of lmdb, of one machine.
PartOfMerge PartOf(const std::string& host, uint64_t gets, const std::string& vary = "",
                   uint64_t rounds = 2) {
  PartOfMerge part;
  part.path = "results/" + host + vary;
  part.host = host;
  part.result = RoundsOf(rounds, {{"lmdb", [gets](uint64_t) { return gets; }}});
  part.result.started = "2026-11-28T12:00:00Z";
  part.result.command = "levelfield run --vary=" + vary;
  part.result.fingerprint = "of " + host;
  part.result.cpu = "2 * CPU";
  part.result.kernel = "6.1";
  part.result.settings = {{"num", "1000"}, {"vary", vary}};
  part.result.workload_texts = {{"readrandom", "text"}};
  part.result.completion = {.planned_rounds = rounds, .most_rounds = rounds, .rounds = rounds};
  return part;
}

std::vector<std::string> NamesIn(const Result& result) {
  std::vector<std::string> names;
  for (const RunResult& run : result.runs) {
    names.push_back(fmt::format("{} [{}] {}", run.variant.name, run.variant.number, run.round));
  }
  return names;
}

std::string WhyNot(const std::vector<PartOfMerge>& parts) {
  const StatusOr<Merged> merged = Merge(parts);
  return merged.ok() ? "" : merged.status().message();
}

TEST(Merge, MakesAVariantOfEachHost) {
  const Merged merged = Must(Merge({PartOf("a", 100), PartOf("b", 200)}));
  EXPECT_THAT(NamesIn(merged.result),
              ElementsAre("host=a [1] 1", "host=a [1] 2", "host=b [2] 1", "host=b [2] 2"));
  EXPECT_EQ(merged.result.machines.size(), 2u);
  EXPECT_EQ(merged.result.machines[1].fingerprint, "of b");
  EXPECT_EQ(merged.result.cpu, "2 machines, each 2 * CPU");
  EXPECT_EQ(merged.planned_runs, 2u);
  EXPECT_FALSE(IsCutOff(merged.result));
  EXPECT_EQ(merged.from[3].part, 1u);
  EXPECT_EQ(merged.from[3].run, 1u);
}

TEST(Merge, MakesAVariantOfEachJobAndOfEachOfThemOnEachHost) {
  const Merged jobs = Must(Merge({PartOf("a", 1, "threads=1"), PartOf("a", 2, "threads=2")}));
  EXPECT_THAT(NamesIn(jobs.result), ElementsAre("threads=1 [1] 1", "threads=1 [1] 2",
                                                "threads=2 [2] 1", "threads=2 [2] 2"));
  EXPECT_EQ(jobs.result.machines.size(), 1u);
  const Merged both = Must(Merge({PartOf("a", 1, "threads=1", 1), PartOf("b", 2, "threads=2", 1)}));
  EXPECT_THAT(NamesIn(both.result),
              ElementsAre("threads=1 host=a [1] 1", "threads=2 host=b [2] 1"));
}

TEST(Merge, MakesMoreRoundsOfWhatRanTwiceOnOneHost) {
  PartOfMerge later = PartOf("a", 100);
  later.result.started = "2026-11-28T13:00:00Z";
  const Merged merged = Must(Merge({PartOf("a", 100), later}));
  EXPECT_THAT(NamesIn(merged.result), ElementsAre(" [0] 1", " [0] 2", " [0] 3", " [0] 4"));
  EXPECT_EQ(merged.result.completion.planned_rounds, 4u);
  EXPECT_FALSE(IsCutOff(merged.result));
}

TEST(Merge, KeepsOnlyTheConditionsThatAllMachinesHave) {
  PartOfMerge first = PartOf("a", 1);
  PartOfMerge second = PartOf("b", 1);
  first.result.conditions = {{"disk", "x"}, {"governor", "performance"}};
  second.result.conditions = {{"disk", "y"}, {"governor", "performance"}};
  second.result.kernel = "6.12";
  second.result.warnings = {"the disk is full"};
  const Result whole = Must(Merge({first, second})).result;
  EXPECT_THAT(whole.conditions, ElementsAre(Pair("governor", "performance")));
  EXPECT_EQ(whole.kernel, "several");
  EXPECT_THAT(whole.warnings, ElementsAre("b: the disk is full"));
}

TEST(Merge, SaysWhoseRoundsAreMissing) {
  PartOfMerge cut = PartOf("b", 1);
  cut.result.runs.pop_back();
  cut.result.completion = {
      .planned_rounds = 2, .most_rounds = 2, .rounds = 1, .end = Completion::End::kInterrupted};
  const Result whole = Must(Merge({PartOf("a", 1), cut})).result;
  EXPECT_EQ(CutOffWords(whole),
            "1 of 2 rounds; cut off: results/b: 1 of 2 rounds; cut off: interrupted");
}

TEST(Merge, RefusesPartsOfOtherPlansAndSaysInWhatTheyDiffer) {
  PartOfMerge other = PartOf("b", 1);
  other.result.settings[0].second = "2000";
  EXPECT_THAT(WhyNot({PartOf("a", 1), other}), HasSubstr("--num is \"1000\" here and \"2000\""));
  other = PartOf("b", 1);
  other.result.workload_texts[0].second = "another text";
  EXPECT_THAT(WhyNot({PartOf("a", 1), other}), HasSubstr("workload readrandom is another one"));
  EXPECT_THAT(WhyNot({PartOf("a", 1, "threads=1"), PartOf("b", 1)}),
              HasSubstr("vary different settings"));
}

TEST(Merge, RefusesWhatWouldCountTwiceOrIsOfNobodyKnowsWhich) {
  EXPECT_THAT(WhyNot({PartOf("a", 1), PartOf("a", 1)}), HasSubstr("would count twice"));
  EXPECT_THAT(WhyNot({PartOf("a", 1)}), HasSubstr("two results or more"));
  PartOfMerge unnamed = PartOf("a", 1);
  PartOfMerge other = PartOf("b", 1);
  unnamed.host = other.host = "";
  EXPECT_THAT(WhyNot({unnamed, other}), HasSubstr("NAME=RESULT"));
  unnamed.host = other.host = "c";
  EXPECT_THAT(WhyNot({unnamed, other}), HasSubstr("are both called \"c\""));
  PartOfMerge merged = PartOf("c", 1);
  merged.result = Must(Merge({PartOf("a", 1), PartOf("b", 1)})).result;
  EXPECT_THAT(WhyNot({merged, PartOf("d", 1)}), HasSubstr("is merged already"));
}

}  // namespace levelfield::merge_test
