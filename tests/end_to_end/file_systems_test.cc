// A file system for each run (--fs): real ones, on loop devices, with what was asked for in force;
// and nothing of them left, whatever way the program ends.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/durability.h"
#include "analysis/variants.h"
#include "end_to_end.h"
#include "file_system/left_overs_for_test.h"

namespace levelfield {
namespace {

class FileSystems : public EndToEnd {
 protected:
  // What this machine lacks for it is why a test of it is skipped.
  std::string WhyNot(const std::string& kind) {
    const Ending ending = Run({"plan", "--fs=" + kind, "--engine=lmdb", "--benchmarks=fillseq"});
    return ending.exit_code == 0 ? "" : ending.err;
  }

  Ending RunSmall(std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--num=500", "--price=0"});
    return Run(words);
  }

  // But the directories that were mounted on, which the kernel leaves after a kill -9.
  std::set<std::string> Left() const {
    std::set<std::string> left;
    for (int i = 0; i < 500; ++i) {
      left = WhatIsThereOf(path());
      std::erase_if(left, [](const std::string& each) {
        return each.starts_with("/tmp") && !each.ends_with(" is mounted");
      });
      if (left.empty()) break;
      usleep(10'000);
    }
    return left;
  }

  // In the middle of a workload of three thousand puts of a millisecond each.
  std::unique_ptr<LevelfieldProcess> StartSlowly(const std::string& kind) {
    auto process = Start({"run", "--fs=" + kind, "--num=3000", "--price=0", "--audit=0",
                          "--engine=lmdb,misbehaving@slow_put", "--benchmarks=fillseq"});
    EXPECT_TRUE(process->SaysOnError("1/2", 60));
    usleep(500'000);
    return process;
  }
  bool HasDevice() const {
    const std::set<std::string> there = WhatIsThereOf(path());
    return std::ranges::any_of(
        there, [](const std::string& each) { return each.starts_with("/dev/loop"); });
  }
};

using Nothing = std::set<std::string>;

TEST_F(FileSystems, OfFiveKindsAreMadeForEachRunOfEachEngine) {
  for (const char* const kind : {"ext2", "ext3", "ext4", "xfs", "btrfs"}) {
    if (const std::string why = WhyNot(kind); !why.empty()) GTEST_SKIP() << why;
  }
  const Ending ending = RunSmall({"--fs=ext2,ext3,ext4,xfs,btrfs", "--engine=leveldb,sqlite3",
                                  "--benchmarks=fillseq,readrandom", "--repeat=2"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  std::map<std::string, int> times;
  for (const RunResult& run : ReadResult().runs) {
    ++times[RunName(run.engine, run.variant)];
    ASSERT_TRUE(run.file_system);
    EXPECT_EQ(run.outcome, Outcome::kOk) << run.message;
    EXPECT_EQ("fs=" + run.file_system->kind, run.variant.name);
    EXPECT_EQ(run.file_system->mounted_as, run.file_system->kind);
    EXPECT_EQ(run.file_system->medium.filesystem, run.file_system->kind);
    EXPECT_TRUE(run.file_system->mount_options.starts_with("rw,"));
    EXPECT_TRUE(run.file_system->mkfs.starts_with("mkfs." + run.file_system->kind));
    EXPECT_TRUE(run.file_system->mkfs.ends_with("DEVICE"));
    for (const PhaseResult& phase : run.phases) {
      EXPECT_TRUE(IsChecked(phase)) << run.engine << " " << phase.workload;
      // By the loop device alone, so that it is of this run and no other.
      ASSERT_TRUE(phase.resources && phase.resources->device) << run.file_system->kind;
    }
    const PhaseResult& fill = PhaseOf(run, "fillseq");
    ASSERT_TRUE(fill.resources->synced_device) << run.file_system->kind;
    EXPECT_GT(fill.resources->synced_device->written_bytes, 500u * 116);
  }
  EXPECT_EQ(times.size(), 10u);
  for (const auto& [name, count] : times) EXPECT_EQ(count, 2) << name;
  EXPECT_EQ(Left(), Nothing());
  EXPECT_FALSE(std::filesystem::exists(ResultPath() + "/stores"));
  const Ending report = Run({"report", ResultPath()});
  EXPECT_THAT(InOneLine(report.out), AllOf(HasSubstr("a fresh file system for each run of "),
                                           HasSubstr("fs=btrfs: btrfs of ")));
}

TEST_F(FileSystems, AreMountedWithWhatWasAskedOfTheirKind) {
  if (const std::string why = WhyNot("xfs"); !why.empty()) GTEST_SKIP() << why;
  ASSERT_EQ(RunSmall({"--fs=ext4,xfs", "--fs_mount=noatime;ext4:data=journal", "--fs_size=700M",
                      "--engine=lmdb", "--benchmarks=fillseq"})
                .exit_code,
            0);
  for (const RunResult& run : ReadResult().runs) {
    const FileSystem& made = *run.file_system;
    EXPECT_EQ(made.bytes, 700u << 20);
    EXPECT_THAT(made.mount_options, HasSubstr("noatime"));
    EXPECT_EQ(made.mount_options.find("data=journal") != std::string::npos, made.kind == "ext4")
        << made.mount_options;
  }
}

// A wrong option is a run that failed, with what mount says, and not one with other options.
TEST_F(FileSystems, ThatCannotBeMountedSoFailWithWhatMountSays) {
  if (const std::string why = WhyNot("ext4"); !why.empty()) GTEST_SKIP() << why;
  const Ending ending =
      RunSmall({"--fs=ext4", "--fs_mount=nonsense", "--engine=lmdb", "--benchmarks=fillseq"});
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ReadResult().runs.front().message, HasSubstr("mount -t ext4"));
  EXPECT_EQ(Left(), Nothing());
}

TEST_F(FileSystems, HaveTheirJournalElsewhereWhereThatIsAskedFor) {
  if (const std::string why = WhyNot("xfs"); !why.empty()) GTEST_SKIP() << why;
  const Ending ending =
      RunSmall({"--fs=ext2,ext4,xfs", "--vary=fs_journal=internal,/dev/shm", "--engine=leveldb",
                "--benchmarks=fillseq,fillsync", "--allow_volatile"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  EXPECT_EQ(result.runs.size(), 6u);
  for (const RunResult& run : result.runs) {
    const bool is_elsewhere = run.variant.name.ends_with("/dev/shm");
    if (run.variant.name == "fs=ext2 fs_journal=/dev/shm") {
      EXPECT_EQ(run.outcome, Outcome::kUnsupported);
      EXPECT_THAT(run.message, HasSubstr("ext2 has no journal"));
      continue;
    }
    ASSERT_TRUE(run.file_system) << run.variant.name << ": " << run.message;
    EXPECT_EQ(run.outcome, Outcome::kOk) << run.message;
    EXPECT_EQ(run.file_system->journal, is_elsewhere
                                            ? "external: 64 MiB, in a directory on tmpfs /dev/shm"
                                        : run.file_system->kind == "ext2" ? "none"
                                                                          : "internal");
    EXPECT_EQ(run.file_system->mkfs.find("JOURNAL") != std::string::npos, is_elsewhere);
    if (run.file_system->kind == "xfs") {
      EXPECT_EQ(run.file_system->mount_options.find("logdev=JOURNAL") != std::string::npos,
                is_elsewhere)
          << run.file_system->mount_options;
    }
    // A journal that forgets takes what was synced with it.
    const PhaseResult& sync = PhaseOf(run, "fillsync");
    EXPECT_EQ(IsVolatile(sync), is_elsewhere) << run.variant.name;
    if (is_elsewhere) {
      EXPECT_THAT(sync.medium->volatile_because, HasSubstr("its journal is on tmpfs"));
    }
  }
  EXPECT_EQ(Left(), Nothing());
}

TEST_F(FileSystems, WhoseJournalForgetsKeepNothingDurable) {
  if (const std::string why = WhyNot("ext4"); !why.empty()) GTEST_SKIP() << why;
  ASSERT_EQ(
      RunSmall({"--fs=ext4", "--fs_journal=/dev/shm", "--engine=leveldb", "--benchmarks=fillsync"})
          .exit_code,
      1);
  const Result result = ReadResult();
  const PhaseResult& sync = PhaseOf(result.runs.front(), "fillsync");
  EXPECT_EQ(sync.outcome, Outcome::kUnsupported);
  EXPECT_THAT(sync.message, HasSubstr("its journal is on tmpfs"));
}

// What their image is on counts as well: a sync of a loop device goes down to its file.
TEST_F(FileSystems, InMemoryKeepNothingDurableEither) {
  if (const std::string why = WhyNot("ext4"); !why.empty()) GTEST_SKIP() << why;
  const std::string place = "/dev/shm/levelfield_" + std::to_string(getpid());
  ASSERT_EQ(RunSmall({"--fs=ext4", "--db=" + place, "--engine=leveldb", "--benchmarks=fillsync"})
                .exit_code,
            1);
  const Result result = ReadResult();
  EXPECT_EQ(result.runs.front().file_system->image_on, "tmpfs");
  EXPECT_THAT(PhaseOf(result.runs.front(), "fillsync").message,
              HasSubstr("its image is on tmpfs, which forgets everything"));
  EXPECT_TRUE(std::filesystem::remove(place)) << "something is left in it";
}

TEST_F(FileSystems, ServedByAProcessRunWhereItIsInstalled) {
  int kinds = 0;
  for (const char* const kind : {"fuse2fs", "ntfs", "exfat"}) {
    if (!WhyNot(kind).empty()) continue;
    ++kinds;
    const std::string name = std::string("--name=of_") + kind;
    const Ending ending =
        RunSmall({name, "--results=" + path() + "/" + kind, std::string("--fs=") + kind,
                  "--engine=leveldb", "--benchmarks=fillseq,readrandom"});
    EXPECT_EQ(ending.exit_code, 0) << kind << ": " << ending.err << ending.out;
    EXPECT_EQ(Left(), Nothing()) << kind;
  }
  if (kinds == 0) GTEST_SKIP() << "neither fuse2fs nor ntfs-3g nor exfat-fuse is installed";
}

TEST_F(FileSystems, ThatTheMachineLacksAreRowsWithTheReason) {
  if (const std::string why = WhyNot("ext4"); !why.empty()) GTEST_SKIP() << why;
  if (WhyNot("jfs").empty()) GTEST_SKIP() << "this machine has jfs";
  const Ending ending = RunSmall({"--fs=ext4,jfs,zfs", "--engine=leveldb", "--benchmarks=fillseq"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const Result result = ReadResult();
  ASSERT_EQ(result.runs.size(), 3u);
  for (const RunResult& run : result.runs) {
    const bool is_there = run.variant.name == "fs=ext4";
    EXPECT_EQ(run.outcome, is_there ? Outcome::kOk : Outcome::kUnsupported) << run.variant.name;
    if (is_there) continue;
    EXPECT_THAT(run.message,
                HasSubstr(run.variant.name == "fs=jfs" ? "kernel has no jfs" : "made by zpool"));
  }
  const Ending alone = RunSmall({"--fs=jfs", "--engine=leveldb", "--benchmarks=fillseq"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("kernel has no jfs"));
}

TEST_F(FileSystems, NeedRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give its rights away";
  options_.shell = "exec setpriv --bounding-set=-sys_admin -- \"$@\"";
  const Ending ending = RunSmall({"--fs=ext4", "--engine=leveldb", "--benchmarks=fillseq"});
  EXPECT_EQ(ending.exit_code, 2) << ending.err;
  EXPECT_THAT(InOneLine(ending.err), HasSubstr("may not mount: run as root"));
  EXPECT_THAT(Listing(), IsEmpty());
}

TEST_F(FileSystems, ThatMakeNoSenseAreRefusedBeforeAnythingIsMade) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
      {{"--fs=ext5"}, "ext5"},
      {{"--fs_size=1G"}, "of which file system"},
      {{"--fs=ext4", "--fs_mount=ext5:noatime"}, "no kind of file system"},
      {{"--fs=ext4", "--fs_size=64M"}, "take 2"},
      {{"--fs=ext4", "--keep"}, "--keep with --fs"},
      {{"--fs=ext4", "--use_existing_db", "--db=x"}, "--use_existing_db with --fs"},
  };
  for (const auto& [words, message] : mistakes) {
    const Ending ending = RunSmall(words);
    EXPECT_EQ(ending.exit_code, 2) << words.back();
    EXPECT_THAT(InOneLine(ending.err), HasSubstr(message));
  }
  EXPECT_THAT(Listing(), IsEmpty());
}

TEST_F(FileSystems, LeaveNothingAfterCtrlC) {
  if (const std::string why = WhyNot("ext4"); !why.empty()) GTEST_SKIP() << why;
  const auto process = StartSlowly("ext4");
  EXPECT_TRUE(HasDevice());
  process->Signal(SIGINT);
  EXPECT_EQ(process->Finish().exit_code, 130);
  EXPECT_EQ(Left(), Nothing());
  EXPECT_FALSE(std::filesystem::exists(ResultPath() + "/stores"));
}

TEST_F(FileSystems, LeaveNothingAfterAKillOfTheProgram) {
  int kinds = 0;
  for (const char* const kind : {"ext4", "xfs", "btrfs", "fuse2fs", "ntfs"}) {
    if (!WhyNot(kind).empty()) continue;
    ++kinds;
    const auto process = StartSlowly(kind);
    EXPECT_TRUE(HasDevice()) << kind;
    process->Signal(SIGKILL);
    process->Finish();
    EXPECT_EQ(Left(), Nothing()) << kind;
    EXPECT_TRUE(NobodyIsLeft(5)) << kind;
  }
  if (kinds == 0) GTEST_SKIP() << WhyNot("ext4");
}

// The image of a store that is evidence stays, and can be mounted.
TEST_F(FileSystems, OnWhichAnEngineFailedAreKept) {
  if (const std::string why = WhyNot("ext4"); !why.empty()) GTEST_SKIP() << why;
  const Ending ending = RunSmall(
      {"--fs=ext4", "--audit=0", "--engine=misbehaving@abort_in_put", "--benchmarks=fillseq"});
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(InOneLine(ending.err), HasSubstr("its file system is kept: "));
  const std::string image = ResultPath() + "/stores/misbehaving@abort_in_put.ext4";
  struct stat status {};
  ASSERT_EQ(stat(image.c_str(), &status), 0) << ::testing::PrintToString(Listing());
  EXPECT_EQ(static_cast<uint64_t>(status.st_size), ReadResult().runs.front().file_system->bytes);
  EXPECT_EQ(Left(), Nothing());
}

}  // namespace
}  // namespace levelfield
