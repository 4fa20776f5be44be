// Places where every sync returns at once, or promptly, and nothing of what was synced is kept:
// none of them is called durable. Each is made for the test, in a mount namespace of its own.
#include <fmt/format.h>

#include <cstdlib>

#include "analysis/durability.h"
#include "end_to_end.h"
#include "probe/medium_probe.h"

namespace levelfield {
namespace {

class WhereNothingIsKept : public EndToEnd {
 protected:
  // Commands that leave a file system at $D/m, with $D the test's directory. What they mount is
  // gone with the program that runs behind them, and so are loop devices, which `loop` makes.
  void Make(const std::string& commands) {
    place_ =
        "set -e; cd " + path() +
        "; D=$PWD; mkdir -p m;"
        "image() { truncate -s 400M $1; };"
        // Others look for free devices too.
        "loop() { for i in 1 2 3 4 5 6 7 8 9; do losetup -f --show $1 && break; sleep 0.1; done; };"
        "overlay() { mkdir -p $1/l $1/u $1/w; mount -t overlay overlay"
        " -o lowerdir=$1/l,upperdir=$1/u,workdir=$1/w$3 $2; };" +
        commands;
    const std::string tried = "unshare -m sh -c '" + place_ + "' >" + path() + "/tried 2>&1";
    if (std::system(tried.c_str()) != 0) why_not_ = ReadFile("tried");
  }

  // A fill of so many puts of each engine, in that place.
  Ending Fill(const std::vector<std::string>& further = {}) {
    std::vector<std::string> words = {"run",
                                      "--engine=leveldb,lmdb,sqlite3",
                                      "--durability=synced",
                                      "--num=100",
                                      "--benchmarks=fillseq",
                                      "--price=0",
                                      "--db=" + path() + "/m/db"};
    words.insert(words.end(), further.begin(), further.end());
    fs::remove_all(path() + "/results");
    // What was left by the last commands is in the way of the next.
    options_.shell =
        "exec unshare -m sh -c 'rm -rf " + path() + "/?; " + place_ + "; exec \"$@\"' place \"$@\"";
    const Ending ending = Run(words);
    options_.shell.clear();
    return ending;
  }

  std::vector<PhaseResult> Phases() const {
    std::vector<PhaseResult> phases;
    for (const RunResult& run : ReadResult().runs) phases.push_back(PhaseOf(run, "fillseq"));
    return phases;
  }

  void ExpectRefused(const std::string& why) {
    if (!why_not_.empty()) GTEST_SKIP() << "cannot be made here: " << why_not_;
    const Ending refused = Fill();
    EXPECT_THAT(refused.out, Not(HasSubstr("D4, seen")));
    ASSERT_EQ(Phases().size(), 3u) << refused.out << refused.err;
    for (const PhaseResult& phase : Phases()) {
      EXPECT_EQ(phase.outcome, Outcome::kUnsupported) << phase.message;
      EXPECT_THAT(phase.message, AllOf(HasSubstr(why), HasSubstr("--allow_volatile")));
    }
    const Ending allowed = Fill({"--allow_volatile=1", "--audit=10"});
    EXPECT_EQ(allowed.exit_code, 0) << allowed.out << allowed.err;
    EXPECT_THAT(InOneLine(allowed.out), HasSubstr("durability D4, seen D1, volatile"));
    for (const PhaseResult& phase : Phases()) EXPECT_EQ(ObservedLevel(phase), "D1");
  }

  void ExpectFlushedAtBest(const std::string& why) {
    if (!why_not_.empty()) GTEST_SKIP() << "cannot be made here: " << why_not_;
    const Ending ending = Fill({"--audit=10"});
    EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
    EXPECT_THAT(InOneLine(ending.out),
                AllOf(HasSubstr("D4, flushed"), Not(HasSubstr("D4, seen")),
                      HasSubstr("durability of lmdb, synced: flushed, device unverifiable: "),
                      HasSubstr("seen flushed flushed flushed")));
    EXPECT_THAT(InOneLine(ending.out), HasSubstr(why));
  }

  std::string place_;
  std::string why_not_;
};

// The family is answered with 0 before it comes to the kernel, as sandboxes do.
TEST_F(WhereNothingIsKept, AsSyncsAreAnsweredByAFilter) {
  const Medium medium = MediumOf(path());
  if (!medium.volatile_because.empty() || !medium.unverifiable_because->empty()) {
    GTEST_SKIP() << "the tests' directory is on no device that can be asked: "
                 << medium.volatile_because << *medium.unverifiable_because;
  }
  for (const char* const audit : {"--audit=10", "--audit=0"}) {
    options_.shell = "exec " LEVELFIELD_WITH_ANSWERED_CALLS
                     " 0 fsync,fdatasync,msync,syncfs,sync,sync_file_range -- \"$@\"";
    const Ending ending = Run({"run", "--engine=leveldb,lmdb,sqlite3", "--durability=synced",
                               "--num=100", "--benchmarks=fillseq", "--price=0", audit});
    EXPECT_EQ(ending.exit_code, 3) << ending.out << ending.err;
    ASSERT_EQ(Phases().size(), 3u);
    for (const PhaseResult& phase : Phases()) {
      EXPECT_NE(ObservedLevel(phase), "D4");
      EXPECT_EQ(phase.outcome, Outcome::kInvalid);
      EXPECT_THAT(phase.message, testing::StartsWith("not durable: "));
      EXPECT_THAT(phase.message, HasSubstr(audit == std::string("--audit=0") ? " came to " : ""));
    }
    fs::remove_all(path() + "/results");
  }
}

// The other side: of such an overlay files have another device than their directories.
TEST_F(WhereNothingIsKept, IsNoOverlayOfTwoFileSystemsThatKeepsItsUpperDirectory) {
  Make(
      "mkdir -p t o/u o/w; mount -t tmpfs tmpfs t; mkdir t/l;"
      "mount -t overlay overlay -o lowerdir=t/l,upperdir=$D/o/u,workdir=$D/o/w m");
  if (!why_not_.empty()) GTEST_SKIP() << "cannot be made here: " << why_not_;
  const Ending ending = Fill();
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  ASSERT_EQ(Phases().size(), 3u);
  for (const PhaseResult& phase : Phases()) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
    EXPECT_GT(phase.disk_bytes, 0u);
  }
}

TEST_F(WhereNothingIsKept, AsAnOverlayIsVolatile) {
  Make("overlay $D m ,volatile");
  ExpectRefused("overlay mounted `volatile`");
}

TEST_F(WhereNothingIsKept, AsAnOverlayLiesOnAFileSystemWithoutBarriers) {
  Make("image i; mkfs.ext4 -q i; mkdir n; mount -o loop,nobarrier i n; overlay $D/n m");
  ExpectRefused("its upper directory is on ext4 mounted without barriers");
}

TEST_F(WhereNothingIsKept, AsAnOverlayLiesOnALoopDeviceInMemory) {
  Make(
      "mkdir t n; mount -t tmpfs t t; image t/i; mkfs.xfs -q t/i; mount -o loop t/i n; "
      "overlay $D/n m");
  ExpectRefused("its upper directory is on xfs, its image is on tmpfs");
}

TEST_F(WhereNothingIsKept, AsOneOfTwoDevicesIsInMemory) {
  Make(
      "mkdir t; mount -t tmpfs t t; image i; image t/i; a=$(loop i); b=$(loop t/i); "
      "trap \"losetup -d $a; losetup -d $b\" EXIT; "
      "mkfs.btrfs -q -f -m raid0 -d raid0 $a $b; mount $a m; losetup -d $a; losetup -d $b; "
      "trap - EXIT");
  ExpectRefused("its image is on tmpfs");
}

TEST_F(WhereNothingIsKept, AsALoopDeviceIsOnAVolatileOverlay) {
  Make("mkdir n; overlay $D n ,volatile; image n/i; mkfs.ext4 -q n/i; mount -o loop n/i m");
  ExpectRefused("its image is on overlay mounted `volatile`");
}

TEST_F(WhereNothingIsKept, AsTheLogOfTheFileSystemIsInMemory) {
  Make(
      "mkdir t; mount -t tmpfs t t; image i; image t/i; a=$(loop i); b=$(loop t/i); "
      "trap \"losetup -d $a; losetup -d $b\" EXIT; "
      "mkfs.xfs -q -l logdev=$b $a; mount -o logdev=$b $a m; losetup -d $a; losetup -d $b; "
      "trap - EXIT");
  ExpectRefused("its image is on tmpfs");
}

TEST_F(WhereNothingIsKept, AsItsJournalIsInMemory) {
  Make(
      "mkdir t; mount -t tmpfs t t; image i; image t/i; a=$(loop i); b=$(loop t/i); "
      "trap \"losetup -d $a; losetup -d $b\" EXIT; "
      "mkfs.ext4 -q -b 4096 -O journal_dev $b; mkfs.ext4 -q -b 4096 -J device=$b $a; mount $a m; "
      "losetup -d $a; losetup -d $b; trap - EXIT");
  ExpectRefused("its image is on tmpfs");
}

// As in a container: the overlay names a directory of whoever mounted it.
TEST_F(WhereNothingIsKept, OrNobodyCanTellAsTheUpperDirectoryIsHidden) {
  Make("mkdir l u w; mount -t overlay overlay -o lowerdir=l,upperdir=u,workdir=w m");
  ExpectFlushedAtBest("overlay: its upper directory u cannot be seen from here");
}

TEST_F(WhereNothingIsKept, OrNobodyCanTellAsTheImageIsHidden) {
  Make(
      "mkdir t e; mount -t tmpfs t t; image t/i; mkfs.ext4 -q t/i; mount -o loop t/i m; "
      "mount --bind e t");
  ExpectFlushedAtBest("cannot be seen from here");
}

}  // namespace
}  // namespace levelfield
