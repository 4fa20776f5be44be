#include "run/medium_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace levelfield {
namespace {

using testing::HasSubstr;

Medium Judged(const std::string& mounts, const std::string& path = "/data/db") {
  return JudgeMedium(ParseMounts("21 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + mounts), path, "");
}

TEST(Medium, OfADiskMayKeepWhatIsSynced) {
  const Medium medium = Judged("22 21 8:2 / /data rw - xfs /dev/sda2 rw,attr2\n");
  EXPECT_EQ(medium.filesystem, "xfs");
  EXPECT_EQ(medium.volatile_because, "");
  EXPECT_EQ(medium.doubt, "");
}

TEST(Medium, ThatLivesInMemoryKeepsNothing) {
  EXPECT_THAT(Judged("22 21 0:5 / /data rw - tmpfs none rw\n").volatile_because,
              HasSubstr("tmpfs"));
  EXPECT_THAT(Judged("22 21 0:5 / /data rw - ramfs none rw\n").volatile_because,
              HasSubstr("ramfs"));
  const Medium overlay = Judged(
      "22 21 0:5 / /upper rw - tmpfs none rw\n"
      "23 21 0:6 / /data rw - overlay overlay rw,lowerdir=/,upperdir=/upper/u,workdir=/w\n");
  EXPECT_EQ(overlay.filesystem, "overlay on tmpfs");
  EXPECT_THAT(overlay.volatile_because, HasSubstr("forgets everything"));
  EXPECT_EQ(Judged("23 21 0:6 / /data rw - overlay overlay rw,lowerdir=/,upperdir=/u,workdir=/w\n")
                .volatile_because,
            "");
}

TEST(Medium, WithoutBarriersFlushesNoDevice) {
  for (const char* const option : {"nobarrier", "barrier=0"}) {
    const Medium medium =
        Judged(std::string("22 21 8:2 / /data rw - ext4 /dev/sda2 rw,") + option + "\n");
    EXPECT_THAT(medium.volatile_because, HasSubstr("without barriers")) << option;
  }
  EXPECT_EQ(Judged("22 21 8:2 / /data rw - ext4 /dev/sda2 rw,barrier=1\n").volatile_because, "");
}

TEST(Medium, OfOthersAndOfWritebackJournalsIsDoubted) {
  for (const char* const type : {"9p", "nfs4", "fuse.sshfs"}) {
    const Medium medium = Judged(std::string("22 21 0:9 / /data rw - ") + type + " host:/x rw\n");
    EXPECT_THAT(medium.doubt, HasSubstr("up to whoever serves it")) << type;
    EXPECT_EQ(medium.volatile_because, "");
  }
  EXPECT_THAT(Judged("22 21 8:2 / /data rw - ext4 /dev/sda2 rw,data=writeback\n").doubt,
              HasSubstr("data=writeback"));
}

TEST(Medium, WithoutAJournalIsDoubted) {
  EXPECT_THAT(Judged("22 21 8:2 / /data rw - ext2 /dev/sda2 rw\n").doubt,
              HasSubstr("ext2 has no journal"));
  EXPECT_EQ(Judged("22 21 8:2 / /data rw - ext3 /dev/sda2 rw\n").doubt, "");
}

TEST(Medium, IsFoundForAPathOfThisMachine) {
  EXPECT_FALSE(MediumOf("/").filesystem.empty());
  if (!std::filesystem::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  EXPECT_THAT(MediumOf("/dev/shm").volatile_because, HasSubstr("tmpfs"));
}

TEST(Medium, IsWorthNoMoreThanWhatItsJournalIsOn) {
  if (!std::filesystem::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  EXPECT_THAT(MediumOf("/", "/dev/shm").volatile_because, HasSubstr("its journal is on tmpfs"));
  EXPECT_EQ(MediumOf("/", "/"), MediumOf("/"));
}

TEST(SyncEater, IsKnownByItsName) {
  EXPECT_EQ(SyncEaterIn("7f00-7f01 r-xp 0 8:1 12   /usr/lib/libc.so.6\n"), "");
  EXPECT_EQ(SyncEaterIn("7f00-7f01 r-xp 0 8:1 12   /usr/lib/libc.so.6\n"
                        "7f02-7f03 r-xp 0 8:1 13   /usr/lib/x/libeatmydata.so.1.3.0\n"),
            "/usr/lib/x/libeatmydata.so.1.3.0");
}

}  // namespace
}  // namespace levelfield
