// That what claims to be durable is flushed before it is acknowledged, counted for each engine; and
// that who does not flush is found.
#include "analysis/durability.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "end_to_end.h"
#include "probe/medium_probe.h"

namespace levelfield {
namespace {

constexpr uint64_t kPuts = 200;

class DurabilityOf : public EndToEnd {
 protected:
  // One fill of so many puts; its phase is that of the last round.
  PhaseResult Fill(const std::string& engine, const std::string& durability,
                   const std::vector<std::string>& further = {},
                   const std::string& results = "results") {
    std::vector<std::string> words = {"run",
                                      "--engine=" + engine,
                                      "--durability=" + durability,
                                      "--num=" + std::to_string(kPuts),
                                      "--benchmarks=fillseq",
                                      "--price=0",
                                      "--results=" + results};
    words.insert(words.end(), further.begin(), further.end());
    ending_ = Run(words);
    if (results != "results") {
      fs::remove_all(path() + "/results");
      fs::rename(path() + "/" + results, path() + "/results");
    }
    const Result result = ReadResult();
    PhaseResult phase = PhaseOf(result.runs.front(), "fillseq");
    fs::remove_all(path() + "/results");
    return phase;
  }

  static uint64_t CountOf(const PhaseResult& phase, const std::string& kind) {
    for (const auto& [name, count] : *phase.resources->syncs->kinds) {
      if (name == kind) return count;
    }
    return 0;
  }

  bool IsInMemory() const {
    struct statfs here {};
    return statfs(path().c_str(), &here) == 0 && here.f_type == TMPFS_MAGIC;
  }

  // Why a flush cannot be followed down to a device below the tests' directory; empty: it can.
  std::string WhyUnverifiable() const {
    const Medium medium = MediumOf(path());
    return medium.volatile_because + medium.unverifiable_because.value_or("");
  }

  Ending ending_;
};

// What each setting calls for a put, counted by hand once with an interposer of its own; a few
// calls may come besides, where a file is begun or a checkpoint made.
TEST_F(DurabilityOf, EachSettingIsTheCallsThatItIsKnownToMakeForAPut) {
  if (IsInMemory()) GTEST_SKIP() << "the tests' directory is in memory: nothing there is synced";
  struct Row {
    const char* engine;
    const char* durability;
    std::vector<std::string> options;
    std::vector<std::pair<std::string, uint64_t>> calls_per_put;
  };
  const Row kRows[] = {
      {"leveldb", "synced", {}, {{"fdatasync", 1}}},
      {"leveldb", "process", {}, {}},
      {"rocksdb", "synced", {}, {{"fdatasync", 1}}},
      {"rocksdb", "process", {}, {}},
      {"rocksdb", "none", {}, {}},
      {"sqlite3", "synced", {}, {{"fdatasync", 1}}},
      {"sqlite3", "process", {}, {}},
      {"sqlite3", "process", {"--sqlite3.synchronous=normal"}, {}},
      {"sqlite3", "synced", {"--sqlite3.journal_mode=delete"}, {{"fdatasync", 5}}},
      {"sqlite3",
       "process",
       {"--sqlite3.journal_mode=delete", "--sqlite3.synchronous=full"},
       {{"fdatasync", 4}}},
      {"sqlite3",
       "process",
       {"--sqlite3.journal_mode=delete", "--sqlite3.synchronous=normal"},
       {{"fdatasync", 3}}},
      {"lmdb", "synced", {}, {{"fdatasync", 1}, {"synced_write", 1}}},
      {"lmdb", "synced", {"--lmdb.writemap=1"}, {{"msync", 2}}},
      {"lmdb", "process", {}, {}},
      {"berkeleydb", "synced", {}, {{"fdatasync", 1}}},
      {"berkeleydb", "process", {}, {}},
      {"berkeleydb", "none", {}, {}},
      {"treedb", "process", {}, {}},
      {"treedb", "none", {}, {}},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(fmt::format("{} {} {}", row.engine, row.durability,
                             row.options.empty() ? "" : row.options.front()));
    const PhaseResult phase = Fill(row.engine, row.durability, row.options);
    ASSERT_EQ(phase.outcome, Outcome::kOk) << phase.message << ending_.err;
    uint64_t durable = 0;
    for (const auto& [kind, per_put] : row.calls_per_put) {
      EXPECT_GE(CountOf(phase, kind), per_put * kPuts) << kind;
      EXPECT_LE(CountOf(phase, kind), per_put * kPuts + 12) << kind;
      durable += per_put * kPuts;
    }
    const uint64_t all = DurableFlushes(phase).value_or(0);
    EXPECT_GE(all, durable);
    EXPECT_LE(all, durable + 12);
    ASSERT_TRUE(phase.audit.has_value());
    EXPECT_EQ(phase.audit->reason, "");
    EXPECT_EQ(phase.audit->commits, 50u);
    EXPECT_EQ(phase.audit->without_flush == 0, durable != 0);
  }
}

TEST_F(DurabilityOf, TreeDbIsThreeFlushesOrMoreForAPut) {
  if (IsInMemory()) GTEST_SKIP() << "the tests' directory is in memory: nothing there is synced";
  const PhaseResult phase = Fill("treedb", "synced");
  ASSERT_EQ(phase.outcome, Outcome::kOk) << phase.message << ending_.err;
  EXPECT_GE(CountOf(phase, "fsync"), 3 * kPuts);
  EXPECT_LE(CountOf(phase, "fsync"), 6 * kPuts);
  EXPECT_GE(CountOf(phase, "msync"), kPuts);
  EXPECT_EQ(phase.audit->without_flush, 0u);
}

// What its plug-in declares stands below every table that has the class, with or without an audit.
TEST_F(DurabilityOf, AClassThatIsKnownToDeviateIsShownWithThat) {
  if (IsInMemory()) GTEST_SKIP() << "the tests' directory is in memory: nothing there is synced";
  const std::string known = "durability of treedb, synced: known deviation: D2: ";
  Fill("treedb", "synced");
  EXPECT_THAT(InOneLine(ending_.out), AllOf(HasSubstr(known), HasSubstr("docs/durability.md#")));
  Fill("treedb", "synced", {"--audit=0"}, "unaudited");
  EXPECT_THAT(InOneLine(ending_.out), HasSubstr(known));
  Fill("treedb", "process", {}, "process");
  EXPECT_THAT(InOneLine(ending_.out), AllOf(HasSubstr("treedb, process: known deviation: D0: "),
                                            Not(HasSubstr("known deviation: D2"))));
  Fill("leveldb", "synced", {}, "leveldb");
  EXPECT_THAT(ending_.out, Not(HasSubstr("known deviation")));
}

// The pages of an engine's side files are its own: locks and shared memory are made anew, and what
// it has to tell in its LOG is for people.
TEST_F(DurabilityOf, SyncedStoresLeaveNoDirtyPageOfTheirData) {
  if (IsInMemory()) GTEST_SKIP() << "the tests' directory is in memory: all its pages are dirty";
  for (const char* const engine : {"leveldb", "rocksdb", "sqlite3", "lmdb", "berkeleydb"}) {
    SCOPED_TRACE(engine);
    const PhaseResult synced = Fill(engine, "synced");
    ASSERT_TRUE(synced.audit.has_value());
    if (!synced.audit->dirty_pages) GTEST_SKIP() << "no cachestat here: it came with Linux 6.5";
    for (const auto& [file, pages] : synced.audit->dirty_files) {
      EXPECT_TRUE(file.ends_with("-shm") || file == "lock.mdb" || file.starts_with("__db.") ||
                  file == "LOG")
          << file << ": " << pages;
    }
    const PhaseResult process = Fill(engine, "process");  // The control: it is seen at all.
    EXPECT_GT(process.audit->dirty_pages.value_or(0), synced.audit->dirty_pages.value_or(0));
  }
}

TEST_F(DurabilityOf, TheTableIsClaimAndEvidence) {
  if (const std::string why = WhyUnverifiable(); !why.empty()) GTEST_SKIP() << why;
  const PhaseResult phase = Fill("leveldb", "synced");
  EXPECT_THAT(CellsOf(ending_.out, "durability"), ElementsAre("D4,", "seen"));
  EXPECT_THAT(InOneLine(ending_.out),
              AllOf(HasSubstr("durability: synced leveldb "), HasSubstr("claimed D4 seen D4 "),
                    HasSubstr("flushes a commit 1.0"),
                    HasSubstr("commits without a flush 0 of 50 pages left dirty by one 1 ")));
  EXPECT_THAT(DurabilityWords(phase), HasSubstr("0 of 50 commits without, 1 dirty page (LOG)"));
  EXPECT_EQ(ending_.exit_code, 0);
  ASSERT_TRUE(phase.medium.has_value());
  EXPECT_FALSE(phase.medium->filesystem.empty());
  EXPECT_GT(phase.ceilings->overwrites, 0u);
}

TEST_F(DurabilityOf, WhoFlushesWithoutHavingClaimedItIsShownToo) {
  if (const std::string why = WhyUnverifiable(); !why.empty()) GTEST_SKIP() << why;
  const PhaseResult phase =
      Fill("sqlite3", "process", {"--sqlite3.journal_mode=delete", "--sqlite3.synchronous=extra"});
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(phase.level, "D1");
  EXPECT_EQ(ObservedLevel(phase), "D4");
  EXPECT_THAT(InOneLine(ending_.out), HasSubstr("claimed D1 seen D4 "));
}

TEST_F(DurabilityOf, SeveralWritersMayShareAFlush) {
  if (IsInMemory()) GTEST_SKIP() << "the tests' directory is in memory: nothing there is synced";
  const PhaseResult phase = Fill("rocksdb", "synced", {"--threads=4"});
  EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
  EXPECT_EQ(CommitsOf(phase).writers, 4u);
  EXPECT_EQ(CommitsOf(phase).count, kPuts);
  EXPECT_GE(*DurableFlushes(phase) * 4, kPuts);
}

TEST_F(DurabilityOf, AStoreThatErasesWhatIsNotThereNeedsNoFlush) {
  if (IsInMemory()) GTEST_SKIP() << "the tests' directory is in memory: nothing there is synced";
  for (const char* const engine :
       {"leveldb", "rocksdb", "sqlite3", "lmdb", "berkeleydb", "treedb"}) {
    const Ending ending =
        Run({"run", std::string("--engine=") + engine, "--durability=synced", "--num=100",
             "--benchmarks=fillseq,deleteseq,deleteseq", "--price=0"});
    EXPECT_EQ(ending.exit_code, 0) << engine << ending.out;
    fs::remove_all(path() + "/results");
  }
}

TEST_F(DurabilityOf, AStubThatNeverSyncsIsNone) {
  const PhaseResult phase = Fill("stub", "synced", {"--stub.no_sync=1"});
  EXPECT_EQ(ending_.exit_code, 3);
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message, AllOf(HasSubstr("not durable: "), HasSubstr("called neither fsync")));
}

TEST_F(DurabilityOf, AStubThatSyncsEverySecondCommitIsNone) {
  const PhaseResult phase = Fill("stub", "synced", {"--stub.sync_every=2"});
  EXPECT_EQ(ending_.exit_code, 3);
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message,
              HasSubstr("200 commits of 1 thread were acknowledged, but only 100 durable flushes"));
  EXPECT_EQ(phase.audit->without_flush, 25u);
}

// Of four threads each flush could be for one commit of each: only one by one it shows.
TEST_F(DurabilityOf, AStubThatHidesBehindItsThreadsIsFoundOneByOne) {
  const PhaseResult hidden =
      Fill("stub", "synced", {"--stub.sync_every=2", "--threads=4", "--audit=0"});
  EXPECT_EQ(hidden.outcome, Outcome::kOk) << "the sums allow it: " << hidden.message;
  const PhaseResult seen = Fill("stub", "synced", {"--stub.sync_every=2", "--threads=4"}, "again");
  EXPECT_EQ(ending_.exit_code, 3);
  EXPECT_THAT(seen.message, HasSubstr("of 50 commits that were looked at one by one, 25 had no"));
}

TEST_F(DurabilityOf, AnHonestStubIsWhatItClaims) {
  if (const std::string why = WhyUnverifiable(); !why.empty()) GTEST_SKIP() << why;
  const PhaseResult phase = Fill("stub", "synced");
  EXPECT_EQ(ending_.exit_code, 0) << phase.message;
  EXPECT_EQ(CountOf(phase, "fdatasync"), kPuts);
  EXPECT_EQ(phase.audit->without_flush, 0u);
  EXPECT_EQ(ObservedLevel(phase), "D4");
  EXPECT_EQ(ObservedLevel(Fill("stub", "process")), "D1");
  EXPECT_EQ(ObservedLevel(Fill("stub", "none")), "D0");
}

TEST_F(DurabilityOf, WhereSyncsAreEatenIsNone) {
  const std::string library = "/usr/lib/x86_64-linux-gnu/libeatmydata.so";
  if (!fs::exists(library)) GTEST_SKIP() << "no libeatmydata here (package libeatmydata1)";
  options_.environment["LD_PRELOAD"] = library;
  const PhaseResult phase = Fill("leveldb", "synced");
  EXPECT_EQ(ending_.exit_code, 3);
  EXPECT_EQ(phase.outcome, Outcome::kInvalid);
  EXPECT_THAT(phase.message, AllOf(HasSubstr("not durable"), HasSubstr("libeatmydata")));
  EXPECT_EQ(Fill("leveldb", "process").outcome, Outcome::kOk) << "it claims nothing";
}

TEST_F(DurabilityOf, AFileSystemInMemoryIsRefusedOrLabelled) {
  if (!fs::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  const std::string db = "/dev/shm/levelfield-durability-" + std::to_string(getpid());
  const PhaseResult refused = Fill("leveldb", "synced", {"--db=" + db});
  EXPECT_EQ(refused.outcome, Outcome::kUnsupported);
  EXPECT_THAT(refused.message, AllOf(HasSubstr("tmpfs"), HasSubstr("--allow_volatile")));
  const std::vector<std::string> words = {
      "run",       "--engine=leveldb",   "--durability=synced", "--num=200", "--benchmarks=fillseq",
      "--price=0", "--allow_volatile=1", "--db=" + db};
  const Ending ending = Run(words);
  EXPECT_EQ(ending.exit_code, 0) << ending.out;
  EXPECT_EQ(CellsOf(ending.out, "fillseq").back(), "volatile");
  EXPECT_THAT(ending.out, HasSubstr("*** VOLATILE"));
  for (const char* const format : {"table", "db_bench", "tsv", "cost"}) {
    const Ending report = Run({"report", std::string("--format=") + format, ResultPath()});
    EXPECT_THAT(report.out + report.err, HasSubstr("VOLATILE")) << format;
  }
  fs::remove_all(db);
}

// The third witness: without barriers each put is flushed to the device's cache, and no flush
// reaches the device; with them, the control, each does.
TEST_F(DurabilityOf, WithoutBarriersIsRefusedOrSeenNeverToFlushTheDevice) {
  if (const std::string why = WhyUnverifiable(); !why.empty()) GTEST_SKIP() << why;
  const std::string mount = path() + "/mount";
  fs::create_directory(mount);
  const auto run = [](const std::string& command) {
    return std::system(("(" + command + ") >/dev/null 2>&1").c_str()) == 0;
  };
  for (const std::string kind : {"ext4", "btrfs"}) {
    const std::string make = kind == "ext4" ? "mkfs.ext4 -q -F " : "mkfs.btrfs -q -f ";
    for (const bool has_barriers : {false, true}) {
      const std::string option = has_barriers ? "barrier" : "nobarrier";
      // One mounted twice keeps its options.
      const std::string image = path() + "/image-" + kind + "-" + option;
      if (!run("truncate -s 600M " + image + " && " + make + image)) {
        GTEST_SKIP() << "no mkfs." << kind << " here";
      }
      if (!run("mount -o loop," + option + " " + image + " " + mount)) {
        GTEST_SKIP() << "no " << kind << " can be mounted here: that takes root and a loop device";
      }
      const std::string db = "--db=" + mount + "/db";
      const PhaseResult strict = Fill("leveldb", "synced", {db});
      const PhaseResult lax = Fill("leveldb", "synced", {db, "--allow_volatile=1"});
      EXPECT_TRUE(run("umount " + mount + " || (sleep 2; umount " + mount + ")"));
      EXPECT_EQ(strict.outcome, has_barriers ? Outcome::kOk : Outcome::kUnsupported) << kind;
      ASSERT_EQ(lax.outcome, Outcome::kOk) << lax.message;
      EXPECT_EQ(ObservedLevel(lax), has_barriers ? "D4" : "D1") << kind;
      EXPECT_EQ(IsVolatile(lax), !has_barriers) << kind;
      const auto flushes = lax.resources->device ? lax.resources->device->flushes : std::nullopt;
      if (!flushes) continue;  // The kernel does not count them.
      EXPECT_EQ(*flushes >= kPuts, has_barriers) << kind << ": " << *flushes;
    }
  }
}

TEST_F(DurabilityOf, TwoLevelsBesideEachOtherAreTold) {
  if (IsInMemory()) GTEST_SKIP() << "the tests' directory is in memory: nothing there is synced";
  std::vector<std::string> paths;
  for (const char* const durability : {"process", "synced"}) {
    const Ending ending =
        Run({"run", "--engine=leveldb", "--num=200", "--benchmarks=fillseq", "--price=0",
             std::string("--durability=") + durability, std::string("--results=") + durability});
    ASSERT_EQ(ending.exit_code, 0) << ending.out;
    EXPECT_THAT(ending.out, Not(HasSubstr("DIFFERENT PROMISES")));
    for (const auto& entry : fs::directory_iterator(path() + "/" + durability)) {
      paths.push_back(entry.path().string());
    }
  }
  ASSERT_EQ(paths.size(), 2u);
  const Ending compared = Run({"compare", paths[0], paths[1]});
  EXPECT_THAT(compared.out, HasSubstr("*** DIFFERENT PROMISES, NOT TO BE COMPARED: leveldb D1, "
                                      "leveldb D4 ***"));
}

}  // namespace
}  // namespace levelfield
