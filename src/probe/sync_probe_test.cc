#include "probe/sync_probe.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files_for_test.h"

namespace levelfield {
namespace {

TEST(SyncProbe, TimesSyncsAndLeavesNothing) {
  const TemporaryDirectory directory;
  Ceilings ceilings;
  ASSERT_TRUE(ProbeSyncs(directory.path(), ceilings).ok());
  EXPECT_GE(ceilings.syncs, 1u);
  EXPECT_LE(ceilings.syncs, 100u);
  EXPECT_GT(ceilings.least_sync_seconds, 0);
  EXPECT_LE(ceilings.least_sync_seconds, ceilings.median_sync_seconds);
  EXPECT_LE(ceilings.median_sync_seconds, ceilings.most_sync_seconds);
  EXPECT_GE(ceilings.overwrites, 1u);
  EXPECT_LE(ceilings.overwrites, 100u);
  EXPECT_GT(ceilings.least_overwrite_seconds, 0);
  EXPECT_LE(ceilings.least_overwrite_seconds, ceilings.median_overwrite_seconds);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(SyncProbe, WhereNoFileCanBeMadeSaysSo) {
  Ceilings ceilings;
  const Status status = ProbeSyncs("/proc", ceilings);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("/proc/levelfield-sync"), std::string::npos);
  EXPECT_EQ(ceilings.syncs, 0u);
}

TEST(Copies, AreFasterThanAGigabyteASecond) {
  EXPECT_GT(MeasureCopies(), 1e9);
  EXPECT_LT(MeasureCopies(), 1e13);
}

}  // namespace
}  // namespace levelfield
