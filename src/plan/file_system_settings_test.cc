#include "plan/file_system_settings.h"

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "plan/plan_for_test.h"

namespace levelfield::file_system_settings_test {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(MountOptions, AreOfAllKindsOrOfOneAlone) {
  const auto of = [](const char* kind, const char* text) {
    return MountOptionsOf(With({std::string("--fs=") + kind, std::string("--fs_mount=") + text}));
  };
  EXPECT_EQ(of("ext4", "noatime,data=journal"), "noatime,data=journal");
  EXPECT_EQ(of("ext4", "noatime;ext4:data=journal;xfs:allocsize=1m"), "noatime,data=journal");
  EXPECT_EQ(of("xfs", "noatime;ext4:data=journal;xfs:allocsize=1m"), "noatime,allocsize=1m");
  EXPECT_EQ(of("btrfs", "ext4:data=journal"), "");
  EXPECT_EQ(of("btrfs", "subvol=a:b"), "subvol=a:b") << "a colon behind an option's name";
  EXPECT_EQ(MountOptionsOf(With({"--fs=ext4"})), "");
}

TEST(JournalPlace, IsEmptyWhereTheJournalIsInTheFileSystem) {
  EXPECT_EQ(JournalPlaceOf(With({"--fs=ext4"})), "");
  EXPECT_EQ(JournalPlaceOf(With({"--fs=ext4", "--fs_journal=internal"})), "");
  EXPECT_EQ(JournalPlaceOf(With({"--fs=ext4", "--fs_journal=/dev/shm"})), "/dev/shm");
}

TEST(FileSystemSettings, MustHaveRoomForWhatTheWorkloadsNeed) {
  EXPECT_TRUE(CheckFileSystem(With({"--fs=xfs"}), 500 * kMiB).ok());
  EXPECT_TRUE(CheckFileSystem(With({"--fs=xfs", "--fs_size=600M"}), 500 * kMiB).ok());
  EXPECT_THAT(UsageErrorOf(CheckFileSystem(With({"--fs=xfs", "--fs_size=400M"}), 500 * kMiB)),
              HasSubstr("--fs_size="));
  const std::string guard = "--space_guard=stop";
  EXPECT_TRUE(CheckFileSystem(With({"--fs=xfs", "--fs_size=400M", guard}), 500 * kMiB).ok());
  EXPECT_FALSE(CheckFileSystem(With({"--fs=xfs", "--fs_size=100M", guard}), 500 * kMiB).ok())
      << "less than mkfs.xfs takes";
}

TEST(FileSystemSettings, NameAKind) {
  EXPECT_THAT(UsageErrorOf(CheckFileSystem(With({"--fs=ext4", "--fs_mount=ext5:noatime"}), 0)),
              HasSubstr("ext2, ext3, ext4, xfs, btrfs"));
  EXPECT_THAT(CheckFlags(With({"--fs_mount=noatime"})).message(),
              HasSubstr("--fs_mount: of which file system?"));
  EXPECT_TRUE(CheckFileSystem(Settings(), 0).ok());
}

TEST(FileSystemSettings, HaveReasonsForWhatNoMachineHasOrThisOneHasNot) {
  Facts facts;
  facts.checks = {
      {.check = MachineCheck::kFileSystem, .of = "ext2"},
      {.check = MachineCheck::kFileSystem, .of = "xfs", .found = Status::Usage("no mkfs.xfs")}};
  const auto why = [&](const Settings& settings) {
    std::vector<OpenQuestion> open;
    Known known(facts, open);
    return Must(WhyNoRunFileSystem(settings, known));
  };
  EXPECT_EQ(why(Settings()), "");
  EXPECT_TRUE(CheckFileSystem(With({"--fs=zfs"}), 0).ok());
  EXPECT_THAT(why(With({"--fs=zfs"})), HasSubstr("zpool"));
  EXPECT_THAT(why(With({"--fs=xfs"})), HasSubstr("no mkfs.xfs"));
  EXPECT_THAT(why(With({"--fs=ext2"})), IsEmpty());
  EXPECT_THAT(why(With({"--fs=ext2", "--fs_journal=/dev/shm"})), HasSubstr("ext2 has no journal"));
}

}  // namespace levelfield::file_system_settings_test
