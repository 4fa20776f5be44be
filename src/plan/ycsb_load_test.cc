// What loads the store for workloads of YCSB, in the plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/plan.h"
#include "plan/planned_names_for_test.h"

namespace levelfield {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Refusal(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status().message();
  const auto phases = PlanPhases(*settings);
  return phases.ok() ? "" : phases.status().message();
}

// D and E leave other records than they found.
TEST(YcsbLoad, ComesBeforeWhatDoesNotFindTheRecordsThatItAsksFor) {
  EXPECT_THAT(PlannedNames({"--benchmarks=ycsb-a,ycsb-b,ycsb-c,ycsb-f,ycsb-d,ycsb-e,ycsb-a"}),
              ElementsAre("ycsb-load (load)", "ycsb-a", "ycsb-b", "ycsb-c", "ycsb-f", "ycsb-d",
                          "ycsb-load (load)", "ycsb-e", "ycsb-load (load)", "ycsb-a"));
  EXPECT_THAT(
      PlannedNames({"--benchmarks=ycsb-load,readseq,ycsb-a,overwrite,ycsb-a"}),
      ElementsAre("ycsb-load", "readseq", "ycsb-a", "overwrite", "ycsb-load (load)", "ycsb-a"));
  EXPECT_THAT(PlannedNames({"--benchmarks=fillseq,ycsb-c"}),
              ElementsAre("fillseq", "ycsb-load (load)", "ycsb-c"));
  EXPECT_THAT(PlannedNames({"--benchmarks=ycsb-c", "--use_existing_db", "--db=/d"}),
              ElementsAre("ycsb-c"));
}

TEST(YcsbLoad, IsNotWhatAnExistingStoreWasFilledByAsFarAsInsertsCanKnow) {
  EXPECT_THAT(Refusal({"--benchmarks=ycsb-d", "--use_existing_db", "--db=/d"}),
              HasSubstr("ycsb-d inserts new records"));
}

TEST(YcsbScans, AreAsLongAsIsAskedFor) {
  const auto longest = [](std::vector<std::string> words) {
    words.emplace_back("--benchmarks=ycsb-e");
    return PlanPhases(*ParseSettings(words))->back().workload.roles.front().ycsb.most_scan;
  };
  EXPECT_EQ(longest({}), 100u) << "YCSB's maxscanlength";
  EXPECT_EQ(longest({"--ycsb_scan_length=7"}), 7u);
  EXPECT_FALSE(ParseSettings({"--ycsb_scan_length=0"}).ok());
}

}  // namespace
}  // namespace levelfield
