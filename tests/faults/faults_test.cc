// The matrix of engine x fault: what people see when the machine fails below an engine. In every
// cell the program itself neither crashes nor hangs, workloads that had ended keep their results,
// the engine after it runs, and the exit code is 0 exactly where every answer was right. What else
// may come of a fault is in outcome.cc.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "base/unique_fd.h"
#include "end_to_end.h"
#include "file_system/file_system_kind.h"
#include "file_system/loop_file_system.h"
#include "outcome.h"
#include "probe/memory_group.h"

namespace levelfield {
namespace {

using Words = std::vector<std::string>;

// The words with those of `more` behind them, which take the place of the same flags.
Words With(Words words, const Words& more) {
  for (const std::string& word : more) {
    const std::string name = word.substr(0, word.find('='));
    std::erase_if(words,
                  [&](const std::string& old) { return old.substr(0, old.find('=')) == name; });
    words.push_back(word);
  }
  return words;
}

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

bool IsNightly() { return std::getenv("LEVELFIELD_NIGHTLY") != nullptr; }

class Faults : public EndToEnd, public ::testing::WithParamInterface<const char*> {
 protected:
  std::string engine() const { return GetParam(); }
  std::string database() const { return path() + "/D/" + engine() + "/db"; }

  // Two workloads that write; the fault comes when the first has ended. `memory` comes after it.
  Ending RunTwo(const Words& more = {}) {
    fs::remove_all(path() + "/results");
    return Run(With({"run", "--engine=" + engine() + ",memory", "--benchmarks=fillrandom,overwrite",
                     "--num=500", "--value_size=1000", "--stall=3", "--price=0"},
                    more));
  }

  // A store that is kept, of so many keys.
  void Fill(const Words& more = {}) {
    const Ending ending = Run(With({"run", "--engine=" + engine(), "--benchmarks=fillrandom",
                                    "--num=2000", "--db=D", "--keep", "--price=0"},
                                   more));
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
  }
  Ending Reopen(const std::string& names = "readrandom,readseq", const Words& more = {}) {
    fs::remove_all(path() + "/results");
    return Run(With({"run", "--engine=" + engine(), "--benchmarks=" + names, "--num=2000", "--db=D",
                     "--use_existing_db", "--stall=1", "--price=0"},
                    more));
  }

  // From now on calls of workers fail: call:nth:what:once|sticky:phases:part of the path.
  void Arm(const std::string& spec) {
    fs::remove(path() + "/fault.log");
    options_.environment["LD_PRELOAD"] = LEVELFIELD_FAILING_CALLS;
    options_.environment["LEVELFIELD_FAULT"] = spec;
    options_.environment["LEVELFIELD_FAULT_LOG"] = path() + "/fault.log";
  }
  void Disarm() {
    options_.environment.erase("LD_PRELOAD");
    options_.environment.erase("LEVELFIELD_FAULT");
  }
  bool HasStruck() const { return fs::exists(path() + "/fault.log"); }

  // The run of the engine under the fault, looked at from all sides.
  Word See(const std::string& fault, const Ending& ending, bool has_struck = true) {
    EXPECT_EQ(ending.signal, 0) << "the program itself died: " << ending.err;
    EXPECT_TRUE(NobodyIsLeft(1));
    const Result result = ReadResult();
    const RunResult& run = RunOf(result, engine());
    Word word = WordOf(run);
    const bool is_damage =
        fault == "flipped_byte" || fault == "flipped_log" || fault == "truncated";
    if (is_damage && word == "ERR") word = "DET";
    if (!has_struck && word == "OK") word = "NONE";
    const bool is_right = word == "OK" || word == "NONE";
    EXPECT_EQ(ending.exit_code, is_right ? 0 : 1) << word << ": " << ending.err;
    for (const RunResult& other : result.runs) {
      if (other.engine == engine()) continue;
      EXPECT_EQ(other.outcome, Outcome::kOk) << other.engine << ": " << other.message;
    }
    const std::string message = MessageOf(run);
    if (!is_right) {
      EXPECT_FALSE(message.empty()) << "nothing says why";
    }
    Judge(fault, word, ending.exit_code, message);
    return word;
  }

  void Judge(const std::string& fault, const Word& word, int exit_code,
             const std::string& message) {
    const Allowed allowed = AllowedOf(fault, engine());
    EXPECT_THAT(allowed.words, ::testing::Contains(word)) << fault << ": " << message;
    std::cout << fault << " of " << engine() << ": " << word << ", exit code " << exit_code << ": "
              << message << "\n";
    if (const char* const record = std::getenv("LEVELFIELD_FAULT_RECORD"); record != nullptr) {
      std::string line = InOneLine(message);
      for (size_t at; (at = line.find(path())) != line.npos;) line.erase(at, path().size());
      std::ofstream(record, std::ios::app)
          << fault << "\t" << engine() << "\t" << word << "\t" << exit_code << "\t" << line << "\n";
    }
  }

  static std::string MessageOf(const RunResult& run) {
    if (!run.message.empty()) return run.message;
    for (const PhaseResult& phase : run.phases) {
      if (phase.outcome != Outcome::kOk && !phase.message.empty()) return phase.message;
    }
    return "";
  }

  // What had ended before the fault is in the results, with its numbers, and so is a row for what
  // did not.
  void ExpectFirstKept(const std::string& workload = "fillrandom", size_t phases = 2) {
    const RunResult run = RunOf(ReadResult(), engine());
    const PhaseResult& first = PhaseOf(run, workload);
    EXPECT_EQ(first.outcome, Outcome::kOk) << first.message;
    EXPECT_FALSE(first.roles.empty());
    EXPECT_EQ(run.phases.size(), phases);
  }

  // One kind of call fails in the second workload, the nth of them.
  void Fail(const std::string& fault, const std::string& spec, const Words& more = {}) {
    Arm(spec);
    const Ending ending = RunTwo(more);
    See(fault, ending, HasStruck());
    ExpectFirstKept();
    Disarm();
  }

  // The files of the store of a kind, by a part of their names; the largest comes first.
  std::vector<std::string> FilesOf(const std::vector<std::string>& parts) const {
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(database())) {
      const std::string name = entry.path().filename();
      const bool is_kind = std::ranges::any_of(
          parts, [&](const std::string& part) { return name.find(part) != name.npos; });
      if (is_kind && entry.is_regular_file() && entry.file_size() > 0)
        files.push_back(entry.path());
    }
    std::ranges::sort(files, std::greater(), [](const std::string& f) { return fs::file_size(f); });
    return files;
  }

  // Turns one bit there, and says whether the file is another one now.
  static bool Flip(const std::string& file, uint64_t offset) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    const int before = stream.get();
    stream.seekp(static_cast<std::streamoff>(offset));
    stream.put(static_cast<char>(before ^ 0x10));
    stream.flush();
    stream.seekg(static_cast<std::streamoff>(offset));
    return stream.get() == (before ^ 0x10);
  }
};

// ------------------------------------------------------------------------------- calls that fail

TEST_P(Faults, none) {
  Arm("write:1000000:EIO:once:1:/db/");
  const Ending ending = RunTwo();
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_FALSE(HasStruck());
  EXPECT_EQ(WordOf(RunOf(ReadResult(), engine())), "OK");
}

TEST_P(Faults, sync_fails) {
  Fail("sync_fails", "sync:1:EIO:once:1:/db", {"--durability=synced", "--num=50"});
  EXPECT_TRUE(HasStruck());
}

TEST_P(Faults, write_fails) { Fail("write_fails", "write:3:EIO:once:1:/db/"); }
TEST_P(Faults, write_short) { Fail("write_short", "write:3:short:once:1:/db/"); }
TEST_P(Faults, no_space_left) { Fail("no_space_left", "write:3:ENOSPC:sticky:1:/db/"); }
TEST_P(Faults, resize_fails) { Fail("resize_fails", "resize:1:ENOSPC:sticky:1:/db/"); }
TEST_P(Faults, no_descriptor) { Fail("no_descriptor", "open:1:EMFILE:sticky:1:/db/"); }
TEST_P(Faults, malloc_fails) {
  for (const char* const nth : {"20", "100"}) {
    Fail("malloc_fails", "malloc:" + std::string(nth) + ":ENOMEM:once:1:");
  }
}

TEST_P(Faults, read_fails) {
  Fill();
  for (const char* const nth : {"2", "20"}) {
    Arm("read:" + std::string(nth) + ":EIO:once:0:/db/");
    const Ending ending = Reopen();
    See("read_fails", ending, HasStruck());
  }
  Disarm();
}

TEST_P(Faults, few_descriptors) {
  options_.shell = "ulimit -n 20; exec \"$@\"";
  See("few_descriptors", RunTwo());
}

TEST_P(Faults, clock_steps) {
  Fail("clock_steps", "clock:1:86400:sticky:0:");
  EXPECT_TRUE(HasStruck());
  const Result result = ReadResult();
  for (const PhaseResult& phase : RunOf(result, engine()).phases) {
    EXPECT_LT(phase.run_seconds, 1000) << "a rate by a clock that somebody may set";
    for (const auto& [name, count] : phase.counters) {
      EXPECT_LT(count, uint64_t{1} << 40) << name << ": a number below zero, counted";
    }
  }
}

TEST_P(Faults, every_call_in_turn) {
  struct Kind {
    const char* fault;
    const char* before;
    const char* after;
    Words more;
  };
  for (const Kind& kind :
       {Kind{"each_write_fails", "write:", ":EIO:once:1:/db/", {}},
        Kind{"each_write_short", "write:", ":short:once:1:/db/", {}},
        Kind{"each_sync_fails", "sync:", ":EIO:once:1:/db", {"--durability=synced"}},
        Kind{"each_malloc_fails", "malloc:", ":ENOMEM:once:1:", {}}}) {
    for (int nth = 1; nth <= 300; ++nth) {
      Arm(kind.before + std::to_string(nth) + kind.after);
      const Ending ending = RunTwo(With({"--num=30"}, kind.more));
      if (!HasStruck()) break;  // There are no more such calls.
      SCOPED_TRACE(std::string(kind.fault) + " " + std::to_string(nth));
      See(kind.fault, ending);
      if (HasFailure()) return;
    }
  }
}

// ------------------------------------------------------------------------ a process that is ended

TEST_P(Faults, out_of_memory) {
  if (const Status status = CheckMemoryGroups(); !status.ok()) GTEST_SKIP() << status.message();
  // A sanitizer's own memory is counted as well.
  const std::string limit = LEVELFIELD_SANITIZED ? "--memory=1G" : "--memory=64M";
  Arm("event:4:hog:once:1:");
  const Ending ending = RunTwo({limit, "--stall=30"});
  EXPECT_TRUE(HasStruck());
  See("out_of_memory", ending);
  ExpectFirstKept();
  EXPECT_THAT(MessageOf(RunOf(ReadResult(), engine())),
              AllOf(HasSubstr("out of memory: its limit is "), HasSubstr("overwrite")));
  Disarm();
  EXPECT_EQ(RunTwo({limit}).exit_code, 0) << "that much is enough without the fault";
}

TEST_P(Faults, stopped_process) {
  Arm("event:4:stop:once:1:");
  const Ending ending = RunTwo({"--stall=0.3"});
  EXPECT_TRUE(HasStruck());
  See("stopped_process", ending);
  ExpectFirstKept();
  EXPECT_THAT(MessageOf(RunOf(ReadResult(), engine())), HasSubstr("stopped by a signal"));
}

// ------------------------------------------------------------------------------------- the disk

class OnADisk : public Faults {
 protected:
  void SetUp() override {
    if (const std::string why = WhyNoFileSystem("ext4"); !why.empty()) GTEST_SKIP() << why;
    fs::create_directory(path() + "/scratch");
    StatusOr<std::unique_ptr<LoopFileSystem>> made =
        LoopFileSystem::Make({.file_system = "ext4",
                              .mount_options = "",
                              .bytes = 64 << 20,
                              .scratch = path() + "/scratch"});
    ASSERT_TRUE(made.ok()) << made.status().message();
    disk_ = std::move(*made);
    WriteFile("grow.workload",
              "summary = makes every value as large as a disk cannot hold\nfamily = writes\n"
              "needs = loaded store\n[writer]\nop = put\nkeys = shuffled\nvalue_size = 40000\n"
              "rate = 1000\nstop = after 3000 operations\n");
  }

  // Some 120 MB, where 64 MiB are.
  Ending Overfill(const std::string& guard) {
    fs::remove_all(path() + "/results");
    return Run({"run", "--engine=" + engine(), "--benchmarks=fillrandom,./grow.workload",
                "--num=3000", "--stall=10", "--price=0", "--write_buffer_size=4M",
                "--cache_size=4M", "--compression_ratio=1", "--keep", "--space_guard=" + guard,
                "--db=" + disk_->directory() + "/D"});
  }
  Ending ReadBack() {
    fs::remove_all(path() + "/results");
    return Run({"run", "--engine=" + engine(), "--benchmarks=readrandom,readseq", "--num=3000",
                "--stall=2", "--price=0", "--write_buffer_size=4M", "--cache_size=4M",
                "--use_existing_db", "--space_guard=off", "--db=" + disk_->directory() + "/D"});
  }
  double FreeShare() const {
    const fs::space_info space = fs::space(disk_->directory());
    return static_cast<double>(space.available) / static_cast<double>(space.capacity);
  }

  std::unique_ptr<LoopFileSystem> disk_;
};

TEST_P(OnADisk, disk_full) {
  const Ending ending = Overfill("off");
  const Word word = See("disk_full", ending);
  ExpectFirstKept();
  const std::string message = MessageOf(RunOf(ReadResult(), engine()));
  // An engine may have given some back on its way out.
  EXPECT_TRUE(FreeShare() < 0.2 || message.find("No space left") != message.npos) << FreeShare();
  if (word == "SIG") {
    EXPECT_THAT(message, HasSubstr("free on the disk"));
  }
}

TEST_P(OnADisk, space_guard) {
  const Ending ending = Overfill("stop");
  See("space_guard", ending);
  ExpectFirstKept();
  EXPECT_THAT(MessageOf(RunOf(ReadResult(), engine())), HasSubstr("stopped: low space"));
  EXPECT_GT(FreeShare(), 0.001) << "it was stopped too late";
  const Ending back = ReadBack();
  EXPECT_EQ(back.exit_code, 0) << back.err << back.out;
  EXPECT_EQ(WordOf(RunOf(ReadResult(), engine())), "OK") << "the store is whole";
}

TEST_P(OnADisk, full_disk_reopened) {
  fs::remove_all(path() + "/results");
  const Words words = {"run",
                       "--engine=" + engine(),
                       "--benchmarks=fillrandom",
                       "--num=3000",
                       "--price=0",
                       "--write_buffer_size=4M",
                       "--keep",
                       "--space_guard=off",
                       "--db=" + disk_->directory() + "/D"};
  const Ending filled = Run(words);
  ASSERT_EQ(filled.exit_code, 0) << filled.err;
  const std::string ballast = disk_->directory() + "/ballast";
  const int fd = open(ballast.c_str(), O_CREAT | O_WRONLY, 0600);
  for (size_t size = 1 << 20; size >= 512; size /= 2) {
    const std::string block(size, 'x');
    while (write(fd, block.data(), block.size()) > 0) {
    }
  }
  fsync(fd);
  close(fd);
  EXPECT_LT(FreeShare(), 0.001) << "the disk is not full";
  See("full_disk_reopened", ReadBack());
  fs::remove(ballast);
  See("room_again", ReadBack());
}

TEST_P(OnADisk, read_only) {
  fs::remove_all(path() + "/results");
  ASSERT_EQ(Run({"run", "--engine=" + engine(), "--benchmarks=fillrandom", "--num=3000",
                 "--price=0", "--keep", "--write_buffer_size=4M", "--space_guard=stop",
                 "--db=" + disk_->directory() + "/D"})
                .exit_code,
            0);
  ASSERT_TRUE(disk_->Remount("ro").ok());
  const Ending ending = ReadBack();
  EXPECT_THAT(ending.err,
              AllOf(HasSubstr("Read-only file system"), HasSubstr("stays byte for byte")));
  Judge("read_only", ending.exit_code == 0 ? "OK" : "NO", ending.exit_code, ending.err);
  const Ending fresh =
      Run({"run", "--engine=" + engine(), "--benchmarks=fillrandom", "--num=3000", "--price=0",
           "--space_guard=stop", "--db=" + disk_->directory() + "/N"});
  EXPECT_NE(fresh.exit_code, 0);
  EXPECT_THAT(fresh.out + fresh.err, HasSubstr("Read-only file system"));
  ASSERT_TRUE(disk_->Remount("rw").ok());
  const Ending back = ReadBack();
  EXPECT_EQ(back.exit_code, 0) << back.err;
}

// ------------------------------------------------------------------------------------- the files

TEST_P(Faults, locked) {
  Fill();
  auto first = Start({"run", "--engine=" + engine(), "--benchmarks=readrandom", "--num=2000",
                      "--db=D", "--use_existing_db", "--duration=60", "--price=0"});
  for (int i = 0;
       i < 500 && ReadFile("D/" + engine() + "/LEVELFIELD").find("dirty") == std::string::npos;
       ++i) {
    usleep(20'000);
  }
  const Ending second = Run({"run", "--engine=" + engine(), "--benchmarks=readrandom", "--num=2000",
                             "--db=D", "--use_existing_db", "--price=0", "--results=results2"});
  EXPECT_NE(second.exit_code, 0);
  EXPECT_THAT(InOneLine(second.out + second.err),
              HasSubstr("process " + std::to_string(first->pid()) + " is using it"));
  Judge("locked", second.exit_code == 0 ? "OK" : "NO", second.exit_code,
        "process N is using it; wait until that has ended, or name another directory");
  first->Signal(SIGINT);
  EXPECT_EQ(first->Finish().exit_code, 130);
  EXPECT_EQ(Reopen().exit_code, 0) << "the one that had it is none the worse";
}

// Another program that has the store open by the engine's own library, and knows no lock of ours.
TEST_P(Faults, held_elsewhere) {
  Fill();
  int asked = 0;
  std::map<std::string, UniqueFd> pipes;  // Open for reading as well, so that no write waits.
  const auto hold = [&](const std::string& pipe) {
    const std::string file = path() + "/" + pipe;
    EXPECT_EQ(mkfifo(file.c_str(), 0600), 0);
    pipes[pipe] = UniqueFd(open(file.c_str(), O_RDWR | O_CLOEXEC));
    options_.shell =
        "exec " LEVELFIELD_HOLD_STORE " " + engine() + " D/" + engine() + "/db " + pipe;
    auto holder = Start({});
    options_.shell = "";
    return holder;
  };
  const auto say = [&](const std::string& pipe, const std::string& line) {
    EXPECT_GT(write(pipes[pipe].get(), (line + "\n").data(), line.size() + 1), 0);
  };
  const auto expect_unharmed = [&](LevelfieldProcess& holder) {
    ++asked;
    say("first", "read");
    EXPECT_TRUE(holder.SaysOnError(Repeated("2000 entries\n", asked), 20)) << "it reads on";
  };
  const auto first = hold("first");
  ASSERT_TRUE(first->SaysOnError("open\n", 20));
  const Ending ending = Reopen();
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_FALSE(fs::exists(path() + "/results")) << "refused before anything is made";
  std::string message = InOneLine(ending.err);
  const std::string pid = std::to_string(first->pid());
  EXPECT_THAT(message, AllOf(HasSubstr("process " + pid + " (hold_store) has"), HasSubstr("open")));
  if (const size_t at = message.find(pid); at != message.npos) message.replace(at, pid.size(), "N");
  Judge("held_elsewhere", ending.exit_code == 0 ? "OK" : "NO", ending.exit_code, message);
  expect_unharmed(*first);
  const Ending verified = Run({"verify", "store", "D/" + engine()});
  EXPECT_EQ(verified.exit_code, 2) << "a copy of what somebody writes to says nothing";
  expect_unharmed(*first);

  // What the engine itself does about a second process.
  const auto second = hold("second");
  say("second", "close");
  const Ending alone = second->Finish(20);
  const Word word = alone.exit_code == 0 ? "OPEN" : "ERR";
  Judge("held_engine", word, alone.exit_code,
        word == "OPEN" ? AllowedOf("held_engine", engine()).why : InOneLine(alone.err));
  say("first", "close");
  EXPECT_EQ(first->Finish(20).exit_code, 0);
  if (engine() != "berkeleydb") {  // It says itself that it may be broken now.
    EXPECT_EQ(Reopen().exit_code, 0) << "the control: nobody has it any more";
  }
}

struct KindOfFile {
  const char* engine;
  const char* name;
  std::vector<std::string> parts;
  bool is_log;
};
const std::vector<KindOfFile>& Kinds() {
  static const std::vector<KindOfFile> kinds = {
      {"leveldb", "table", {".ldb", ".sst"}, false},
      {"leveldb", "manifest", {"MANIFEST"}, false},
      {"leveldb", "log", {".log"}, true},
      {"rocksdb", "table", {".sst"}, false},
      {"rocksdb", "manifest", {"MANIFEST"}, false},
      {"rocksdb", "log", {".log"}, true},
      {"sqlite3", "database", {".db", "sqlite"}, false},
      {"sqlite3", "log", {"-wal"}, true},
      {"lmdb", "database", {"data.mdb"}, false},
      {"berkeleydb", "database", {".db"}, false},
      {"berkeleydb", "log", {"log."}, true},
      {"treedb", "database", {".kct"}, false},
  };
  return kinds;
}

class Damage : public Faults {
 protected:
  // The store is put back as it was after each.
  void Save() {
    fs::remove_all(path() + "/saved");
    fs::copy(path() + "/D", path() + "/saved", fs::copy_options::recursive);
  }
  void Restore() {
    fs::remove_all(path() + "/D");
    fs::copy(path() + "/saved", path() + "/D", fs::copy_options::recursive);
  }

  // A damaged file is found by somebody, or does not matter: what a run without complaint has read
  // is all there.
  void ExpectNoSilentLoss() {
    const RunResult run = RunOf(ReadResult(), engine());
    if (run.outcome != Outcome::kOk) return;
    for (const PhaseResult& phase : run.phases) {
      EXPECT_THAT(phase.check_detail, HasSubstr("2000 found, 0 not found"));
    }
  }
};

TEST_P(Damage, flipped_byte) {
  Fill();
  EXPECT_EQ(Reopen().exit_code, 0);
  Save();
  uint64_t random = 12345;
  int flipped = 0;
  for (const KindOfFile& kind : Kinds()) {
    if (engine() != kind.engine || kind.is_log) continue;
    Restore();
    ASSERT_FALSE(FilesOf(kind.parts).empty()) << kind.name;
    for (int i = 0; i < (IsNightly() ? 50 : 5); ++i) {
      Restore();
      const std::string file = FilesOf(kind.parts).front();
      random = random * 6364136223846793005u + 1442695040888963407u;
      const uint64_t offset = (random >> 20) % fs::file_size(file);
      ASSERT_TRUE(Flip(file, offset));
      SCOPED_TRACE(std::string(kind.name) + " at " + std::to_string(offset));
      ++flipped;
      See("flipped_byte", Reopen());
      ExpectNoSilentLoss();
    }
  }
  EXPECT_GT(flipped, 0);
}

TEST_P(Damage, truncated) {
  Fill();
  Save();
  for (const KindOfFile& kind : Kinds()) {
    if (engine() != kind.engine || kind.is_log) continue;
    Restore();
    const std::string file = FilesOf(kind.parts).front();
    const uint64_t before = fs::file_size(file);
    fs::resize_file(file, before / 2);
    SCOPED_TRACE(kind.name);
    See("truncated", Reopen());
    ExpectNoSilentLoss();
  }
}

class DamagedLog : public Damage {};  // Of engines that have one.

// Of a store whose run was killed while it wrote: what it has to hold is not known, so only what is
// there can be wrong.
TEST_P(DamagedLog, flipped_log) {
  const auto has_log = [&](const KindOfFile& kind) {
    return engine() == kind.engine && kind.is_log;
  };
  const auto kind = std::ranges::find_if(Kinds(), has_log);
  ASSERT_NE(kind, Kinds().end());
  Arm("write:500:orphan:once:1:/db/");
  const Ending killed = RunTwo({"--db=D", "--num=2000", "--value_size=100", "--keep"});
  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_TRUE(HasStruck());
  Disarm();
  EXPECT_TRUE(NobodyIsLeft(5));
  fs::remove_all(path() + "/D/memory");
  Save();
  EXPECT_EQ(Reopen().exit_code, 0) << "without damage";
  for (int i = 0; i < (IsNightly() ? 50 : 3); ++i) {
    Restore();
    ASSERT_FALSE(FilesOf(kind->parts).empty());
    const std::string file = FilesOf(kind->parts).front();
    const uint64_t offset = 3000 * static_cast<uint64_t>(i + 1);
    ASSERT_LT(offset, fs::file_size(file));
    ASSERT_TRUE(Flip(file, offset));
    SCOPED_TRACE(std::to_string(offset));
    See("flipped_log", Reopen());
  }
}

constexpr const char* kEngines[] = {"leveldb", "rocksdb",    "sqlite3",
                                    "lmdb",    "berkeleydb", "treedb"};
std::string NameOf(const ::testing::TestParamInfo<const char*>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(Engines, Faults, ::testing::ValuesIn(kEngines), NameOf);
INSTANTIATE_TEST_SUITE_P(Engines, OnADisk, ::testing::ValuesIn(kEngines), NameOf);
INSTANTIATE_TEST_SUITE_P(Engines, Damage, ::testing::ValuesIn(kEngines), NameOf);
INSTANTIATE_TEST_SUITE_P(Engines, DamagedLog,
                         ::testing::Values("leveldb", "rocksdb", "sqlite3", "berkeleydb"), NameOf);

TEST(OutcomeTable, HasARowForEachCell) {
  for (const char* const fault : {"sync_fails",     "write_fails",        "write_short",
                                  "no_space_left",  "resize_fails",       "read_fails",
                                  "no_descriptor",  "few_descriptors",    "malloc_fails",
                                  "out_of_memory",  "stopped_process",    "clock_steps",
                                  "disk_full",      "full_disk_reopened", "room_again",
                                  "space_guard",    "read_only",          "locked",
                                  "held_elsewhere", "held_engine",        "flipped_byte",
                                  "flipped_log",    "truncated"}) {
    for (const char* const engine : kEngines) {
      EXPECT_FALSE(AllowedOf(fault, engine).words.empty()) << fault << " of " << engine;
    }
  }
  EXPECT_TRUE(AllowedOf("meteor", "leveldb").words.empty());
}

}  // namespace
}  // namespace levelfield
