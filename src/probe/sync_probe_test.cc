#include "probe/sync_probe.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files_for_test.h"

namespace levelfield::sync_probe_test {

TEST(SyncProbe, TimesSyncsAndLeavesNothing) {
  const TemporaryDirectory directory;
  MachineLimits limits;
  ASSERT_TRUE(ProbeSyncs(directory.path(), limits).ok());
  EXPECT_GE(limits.syncs, 1u);
  EXPECT_LE(limits.syncs, 100u);
  EXPECT_GT(limits.least_sync_seconds, 0);
  EXPECT_LE(limits.least_sync_seconds, limits.median_sync_seconds);
  EXPECT_LE(limits.median_sync_seconds, limits.most_sync_seconds);
  EXPECT_GE(limits.overwrites, 1u);
  EXPECT_LE(limits.overwrites, 100u);
  EXPECT_GT(limits.least_overwrite_seconds, 0);
  EXPECT_LE(limits.least_overwrite_seconds, limits.median_overwrite_seconds);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(SyncProbe, WhereNoFileCanBeMadeSaysSo) {
  MachineLimits limits;
  const Status status = ProbeSyncs("/proc", limits);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("/proc/levelfield-sync"), std::string::npos);
  EXPECT_EQ(limits.syncs, 0u);
}

TEST(Copies, AreFasterThanFourGigabytesASecond) {
  EXPECT_GT(MeasureCopies(), 4e9);
  EXPECT_LT(MeasureCopies(), 1e13);
}

}  // namespace levelfield::sync_probe_test
