// What the marker of a store says at every moment of a run, and what a later run may say of it; and
// that nobody else can have an engine work somewhere else meanwhile.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "end_to_end.h"
#include "store/store_marker.h"

namespace levelfield {
namespace {

class StoreLife : public EndToEnd {
 protected:
  using Words = std::vector<std::string>;

  Words Filling(const std::string& engine, const std::string& durability, const std::string& num) {
    return {"run",
            "--engine=" + engine,
            "--durability=" + durability,
            "--benchmarks=fillseq",
            "--db=S",
            "--single_db",
            "--price=0",
            "--num=" + num,
            "--audit=0"};
  }

  Result RunOn(const std::string& engine, const std::string& workloads, const Words& more = {}) {
    fs::remove_all(path() + "/results");
    Words words = {"run",
                   "--engine=" + engine,
                   "--benchmarks=" + workloads,
                   "--use_existing_db",
                   "--db=S",
                   "--num=300",
                   "--price=0"};
    words.insert(words.end(), more.begin(), more.end());
    ending_ = Run(words);
    EXPECT_EQ(ending_.exit_code, 0) << ending_.err;
    return ReadResult();
  }

  std::optional<StoreMarker> Marker() const { return ParseMarker(ReadFile("S/LEVELFIELD")); }

  // Waits until the engine has so many bytes in the store.
  bool WaitForBytes(uint64_t bytes) const {
    for (int i = 0; i < 2000; ++i, usleep(10'000)) {
      uint64_t sum = 0;
      std::error_code gone;
      for (fs::directory_iterator it(path() + "/S/db", gone), end; !gone && it != end;
           it.increment(gone)) {
        std::error_code ignored;
        const uint64_t size = fs::file_size(it->path(), ignored);
        if (!ignored) sum += size;
      }
      if (sum >= bytes) return true;
    }
    return false;
  }

  Ending ending_;
};

TEST_F(StoreLife, is_dirty_while_a_worker_fills_it_and_after_its_driver_is_killed) {
  const auto process = Start(Filling("berkeleydb", "none", "5M"));
  ASSERT_TRUE(WaitForBytes(16 << 20));
  ASSERT_TRUE(Marker().has_value());
  EXPECT_EQ(Marker()->state, StoreState::kDirty) << "it was wiped, and is being filled";
  process->Signal(SIGKILL);
  EXPECT_EQ(process->Finish().signal, SIGKILL);
  ASSERT_TRUE(NobodyIsLeft(5));
  EXPECT_EQ(Marker()->state, StoreState::kDirty);
  EXPECT_THAT(
      InOneLine(Run({"verify", "store", "S"}).out),
      AllOf(HasSubstr("from a run that was cut off"), HasSubstr("filled with durability none"),
            HasSubstr("how many it has to hold is not known, because a run that wrote to "
                      "it was cut off"),
            HasSubstr("missing 0 between its scans and gets; nothing else can be known")));
  // The first run after it, and every other.
  for (int time = 0; time < 2; ++time) {
    const Result result = RunOn("berkeleydb", "readrandom,readseq");
    const RunResult& run = RunOf(result, "berkeleydb");
    for (const char* const workload : {"readrandom", "readseq"}) {
      const PhaseResult& phase = PhaseOf(run, workload);
      EXPECT_EQ(phase.level, "D0");
      EXPECT_EQ(phase.checked, "counted");
      EXPECT_THAT(phase.check_detail, HasSubstr("not closed in good order"));
    }
    EXPECT_THAT(InOneLine(ending_.err), HasSubstr("was not closed in good order by a run before"));
    EXPECT_THAT(InOneLine(ending_.out),
                AllOf(HasSubstr("unchecked"), HasSubstr("was not closed in good order"),
                      HasSubstr("filled with durability none")));
  }
}

TEST_F(StoreLife, is_dirty_where_the_worker_had_to_be_killed) {
  const auto process = Start(Filling("leveldb", "process", "20M"));
  ASSERT_TRUE(WaitForBytes(2 << 20));
  const std::string driver = std::to_string(process->pid());
  std::ifstream children("/proc/" + driver + "/task/" + driver + "/children");
  pid_t worker = 0;
  ASSERT_TRUE(children >> worker);
  ASSERT_EQ(kill(worker, SIGSTOP), 0);  // It hears of no interrupt, and closes nothing.
  process->Signal(SIGINT);
  usleep(100'000);
  process->Signal(SIGINT);
  EXPECT_EQ(process->Finish().exit_code, 130);
  EXPECT_EQ(Marker()->state, StoreState::kDirty);
}

TEST_F(StoreLife, is_clean_after_an_interrupt_that_the_engine_could_close_after) {
  const auto process = Start(Filling("leveldb", "process", "20M"));
  ASSERT_TRUE(WaitForBytes(2 << 20));
  process->Signal(SIGINT);
  EXPECT_EQ(process->Finish().exit_code, 130);
  EXPECT_EQ(Marker()->state, StoreState::kClean);
  EXPECT_EQ(Marker()->content.entries, 0u) << "nobody has counted them";
  EXPECT_EQ(Run({"verify", "store", "S"}).exit_code, 0);
}

TEST_F(StoreLife, no_later_row_says_more_than_the_class_it_was_filled_with) {
  ASSERT_EQ(Run(Filling("berkeleydb", "none", "300")).exit_code, 0);
  EXPECT_EQ(Marker()->state, StoreState::kClean);
  EXPECT_EQ(Marker()->content.durability, "none");
  EXPECT_EQ(Marker()->content.entries, 300u);
  for (const char* const durability : {"process", "synced"}) {
    const Result result =
        RunOn("berkeleydb", "readrandom,overwrite", {"--durability=" + std::string(durability)});
    for (const char* const workload : {"readrandom", "overwrite"}) {
      const PhaseResult& phase = PhaseOf(RunOf(result, "berkeleydb"), workload);
      EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
      EXPECT_EQ(phase.level, "D0") << durability;
      EXPECT_EQ(phase.store_level, "D0");
      EXPECT_EQ(phase.durability, durability) << "as it was asked for";
    }
    EXPECT_THAT(ending_.out, AllOf(Not(HasSubstr("D1")), Not(HasSubstr("D4"))));
    EXPECT_EQ(Marker()->content.durability, "none") << "what is there does not become better";
  }
}

TEST_F(StoreLife, writes_of_a_weaker_class_make_it_weaker) {
  ASSERT_EQ(Run(Filling("berkeleydb", "synced", "300")).exit_code, 0);
  EXPECT_EQ(Marker()->content.durability, "synced");
  Result result = RunOn("berkeleydb", "readrandom", {"--durability=none"});
  EXPECT_EQ(Marker()->content.durability, "synced") << "a read leaves it as it is";
  result = RunOn("berkeleydb", "overwrite", {"--durability=process"});
  EXPECT_EQ(Marker()->content.durability, "process");
  result = RunOn("berkeleydb", "overwrite", {"--durability=synced"});
  EXPECT_EQ(PhaseOf(RunOf(result, "berkeleydb"), "overwrite").level, "D1");
}

TEST_F(StoreLife, of_an_older_marker_the_class_is_not_known) {
  ASSERT_EQ(Run(Filling("leveldb", "process", "300")).exit_code, 0);
  std::string marker = ReadFile("S/LEVELFIELD");
  const std::string of_now = R"(,"durability":"process")";
  const size_t at = marker.find(of_now);
  ASSERT_NE(at, marker.npos);
  marker.erase(at, of_now.size());
  marker.resize(511, ' ');
  WriteFile("S/LEVELFIELD", marker + "\n");
  const Result result = RunOn("leveldb", "readrandom,overwrite", {"--durability=synced"});
  for (const char* const workload : {"readrandom", "overwrite"}) {
    EXPECT_EQ(PhaseOf(RunOf(result, "leveldb"), workload).level, "not known");
  }
  EXPECT_THAT(InOneLine(ending_.out), HasSubstr("in which durability it was filled is not known"));
  EXPECT_EQ(Marker()->content.durability, "");
}

TEST_F(StoreLife, of_a_kept_backup_and_what_is_restored_from_it_are_clean_when_it_is_done) {
  const std::vector<std::string> words = {
      "run",    "--engine=rocksdb", "--db=D",   "--benchmarks=fillseq,backup,restore",
      "--keep", "--num=1000",       "--price=0"};
  ASSERT_EQ(Run(words).exit_code, 0);
  for (const char* const name : {"rocksdb", "rocksdb.backup", "rocksdb.restored"}) {
    const auto marker = ParseMarker(ReadFile("D/" + std::string(name) + "/LEVELFIELD"));
    ASSERT_TRUE(marker.has_value()) << name;
    EXPECT_EQ(marker->state, StoreState::kClean) << name;
  }
  fs::remove_all(path() + "/D/rocksdb");
  const Ending again = Run(words);
  EXPECT_EQ(again.exit_code, 0) << again.out << again.err;
  EXPECT_THAT(again.out, Not(HasSubstr("unsupported"))) << "what was kept is made anew";
}

constexpr uid_t kStranger = 65534;

// As root, with a directory in it that is somebody else's, or anybody's.
class StrangersAbove : public StoreLife {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory to another user";
    fs::permissions(path(), fs::perms(0755));
    fs::create_directories(path() + "/precious/db");
    fs::permissions(path() + "/precious", fs::perms(0700));
    // LevelDB removes files of such names that it does not know from where it is.
    for (const char* const name : {"000001.log", "000002.ldb", "000003.sst", "MANIFEST-000001"}) {
      WriteFile("precious/db/" + std::string(name), "mine");
    }
    fs::create_directory(path() + "/theirs");
  }
  ~StrangersAbove() override {
    if (stranger_ <= 0) return;
    kill(stranger_, SIGKILL);
    waitpid(stranger_, nullptr, 0);
  }

  // Another user's process that keeps on moving each of these away and linking it to what is
  // precious. How often it came through is counted in a file of its own.
  void BeginToRedirect(const std::vector<std::string>& names) {
    WriteFile("theirs_count", "");
    fs::permissions(path() + "/theirs_count", fs::perms(0666));
    stranger_ = fork();
    if (stranger_ != 0) return;
    const std::string to = path() + "/precious";
    const int count = open((path() + "/theirs_count").c_str(), O_WRONLY | O_APPEND);
    if (setresgid(kStranger, kStranger, kStranger) != 0) _exit(1);
    if (setresuid(kStranger, kStranger, kStranger) != 0) _exit(1);
    while (true) {
      for (const std::string& name : names) {
        const std::string from = path() + "/" + name;
        struct stat status;
        if (lstat(from.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) continue;
        (void)!write(count, "t", 1);  // It tries.
        const std::string away = from + ".moved" + std::to_string(getpid());
        if (rename(from.c_str(), away.c_str()) != 0) continue;
        (void)!symlink(to.c_str(), from.c_str());
        (void)!write(count, "x", 1);
      }
      usleep(200);
    }
  }

  void ExpectNothingPreciousChanged() const {
    size_t files = 0;
    for (const auto& entry : fs::directory_iterator(path() + "/precious/db")) {
      ++files;
      const std::string name = entry.path().filename();
      EXPECT_TRUE(ReadFile("precious/db/" + name) == "mine") << "an engine has been at " << name;
    }
    EXPECT_EQ(files, 4u);
  }

  pid_t stranger_ = 0;
};

TEST_F(StrangersAbove, are_refused_with_who_could_do_what) {
  ASSERT_EQ(chown((path() + "/theirs").c_str(), kStranger, kStranger), 0);
  fs::create_directory(path() + "/theirs/ours");  // Ours, below theirs.
  BeginToRedirect({"theirs/S", "theirs/S/db", "theirs/ours/S"});
  for (const Words& more : {Words{"--db=theirs/S", "--single_db"},
                            {"--db=theirs/ours/S"},
                            {"--db=theirs/new"},
                            {"--db=D", "--results=theirs/results"}}) {
    Words words = {"run", "--engine=leveldb", "--benchmarks=fillseq,overwrite", "--num=2000",
                   "--price=0"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << more.front();
    EXPECT_THAT(InOneLine(ending.err),
                AllOf(HasSubstr("theirs belongs to "), HasSubstr("uid 65534"),
                      HasSubstr("could put something else in its place while it is in use"),
                      HasSubstr("run as that user, or name a directory below those")))
        << more.front();
  }
  EXPECT_FALSE(fs::exists(path() + "/theirs/S"));
  EXPECT_FALSE(fs::exists(path() + "/theirs/results"));
  ExpectNothingPreciousChanged();
}

TEST_F(StrangersAbove, are_refused_for_stores_that_are_there_and_for_copies_of_them) {
  ASSERT_EQ(Run(Filling("leveldb", "process", "300")).exit_code, 0);
  fs::rename(path() + "/S", path() + "/theirs/S");
  ASSERT_EQ(chown((path() + "/theirs").c_str(), kStranger, kStranger), 0);
  for (const Words& words :
       {Words{"run", "--engine=leveldb", "--benchmarks=readrandom", "--num=300",
              "--use_existing_db", "--db=theirs/S"},
        {"run", "--engine=leveldb", "--benchmarks=readrandom", "--num=300", "--use_existing_db",
         "--db=theirs/S/db"},
        {"verify", "durability", "--engine=leveldb", "--results=theirs/r", "--kills=1"}}) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << words.back();
    EXPECT_THAT(InOneLine(ending.err), HasSubstr("theirs belongs to ")) << words.back();
  }
  fs::rename(path() + "/theirs/S", path() + "/S");
  const Ending copy = Run({"verify", "store", "S", "--results=theirs/copies"});
  EXPECT_EQ(copy.exit_code, 2);
  EXPECT_THAT(InOneLine(copy.err), HasSubstr("theirs belongs to "));
}

TEST_F(StrangersAbove, come_to_nothing_below_a_sticky_directory_while_a_run_goes_on) {
  fs::permissions(path() + "/theirs", fs::perms(01777));
  BeginToRedirect({"theirs/S", "theirs/S/db", "theirs"});
  for (const char* const engine : {"leveldb", "sqlite3"}) {
    const Ending ending =
        Run({"run", "--engine=" + std::string(engine), "--benchmarks=fillseq,overwrite,readrandom",
             "--num=5000", "--price=0", "--db=theirs/S", "--single_db"});
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    fs::remove_all(path() + "/theirs/S");
  }
  const std::string tries = ReadFile("theirs_count");
  EXPECT_GT(tries.size(), 10u) << "the control: somebody did try";
  EXPECT_EQ(tries.find('x'), tries.npos) << "he came through";
  ExpectNothingPreciousChanged();
}

TEST_F(StrangersAbove, who_own_the_program_could_do_worse_and_are_not_refused) {
  ASSERT_EQ(chown((path() + "/theirs").c_str(), kStranger, kStranger), 0);
  fs::copy_file(LEVELFIELD_PROGRAM, path() + "/theirs/levelfield");
  ProcessOptions options = options_;
  options.shell = "shift; theirs/levelfield \"$@\"";
  const auto run = [&](const ProcessOptions& with) {
    return LevelfieldProcess({"run", "--engine=leveldb", "--benchmarks=fillseq", "--num=300",
                              "--price=0", "--db=theirs/S"},
                             with)
        .Finish();
  };
  EXPECT_EQ(run(options_).exit_code, 2);
  const Ending theirs = run(options);
  EXPECT_EQ(theirs.exit_code, 0) << theirs.err;
}

}  // namespace
}  // namespace levelfield
