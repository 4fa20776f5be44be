#include "report/flash_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::HasSubstr;

Result OfJob(const std::string& name, double seconds) {
  PhaseResult phase;
  phase.workload = "w";
  phase.outcome = Outcome::kOk;
  phase.durability = "process";
  LaneResult lane;
  lane.operations = 1000;
  phase.roles.push_back({.name = "r",
                         .threads = 1,
                         .batch = 1,
                         .seconds = seconds,
                         .thread_seconds = seconds,
                         .lanes = {lane}});
  RunResult run;
  run.engine = "rocksdb";
  run.label = "rocksdb 11.8.1";
  run.phases = {phase};
  Result result;
  result.name = name;
  result.started = "2026-01-31T12:00:00Z";
  result.settings = {
      {"report_row", "w"}, {"num", "1000"}, {"key_size", "20"}, {"value_size", "400"}};
  result.runs = {run};
  return result;
}

std::vector<Result> AllFive() {
  return {OfJob("bulkload", 1), OfJob("fillseq.wal_disabled.v400", 1), OfJob("overwrite.t1.s0", 1),
          OfJob("readrandom.t1", 0.1), OfJob("readwhilewriting.t32", 1)};
}

TEST(FlashPage, PutsOurFiguresBesideThePublished) {
  const StatusOr<std::string> page = RenderFlashPage(AllFive());
  ASSERT_TRUE(page.ok()) << page.status().message();
  // 10,000 a second of ours over 15,400.
  EXPECT_THAT(*page, HasSubstr("| 4: random read | 15400 | - | 10000 | 0.0 | 100.0 | 0.65 |"));
  EXPECT_THAT(*page, HasSubstr("uncapped"));
}

// Those of the reference: each follows from numbers on the published page itself.
TEST(FlashPage, ComputesWhereThePublishedPageContradictsItself) {
  const StatusOr<std::string> page = RenderFlashPage(AllFive());
  ASSERT_TRUE(page.ok());
  EXPECT_THAT(*page, HasSubstr("CACHE_SIZE=17179869184, 16 GiB"));
  EXPECT_THAT(*page, HasSubstr("take 151.0 minutes"));
  EXPECT_THAT(*page, HasSubstr("1.00e+09 operations, 0.50 of what is said"));
  EXPECT_THAT(*page, HasSubstr("815 bytes an operation"));
  EXPECT_THAT(*page, HasSubstr("185 GB of the 1483 GB"));
  EXPECT_THAT(*page, HasSubstr("32 times as many"));
  EXPECT_THAT(*page, HasSubstr("takes 45 us"));
}

TEST(FlashPage, IsNotMadeWithoutAllFive) {
  std::vector<Result> results = AllFive();
  results.pop_back();
  EXPECT_EQ(RenderFlashPage(results).status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(RenderFlashPage(results).status().message(), HasSubstr("readwhilewriting"));
  results = AllFive();
  results[0].runs[0].phases[0].outcome = Outcome::kWrong;
  EXPECT_FALSE(RenderFlashPage(results).ok());
}

}  // namespace
}  // namespace levelfield
