// What the program does not do, whatever happens to it: hold much, lose what had finished, or be
// taken along by a plug-in.
#include <sys/mount.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <random>
#include <regex>

#include "analysis/result_files.h"
#include "end_to_end.h"

namespace levelfield {
namespace {

class Safety : public EndToEnd {};

// Peak memory of a process that lives, which no child of it adds to.
uint64_t PeakBytesOf(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string name; status >> name;) {
    uint64_t kibibytes = 0;
    if (name == "VmHWM:" && status >> kibibytes) return kibibytes << 10;
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

// Of a process until it has ended.
uint64_t PeakUntilTheEndOf(const LevelfieldProcess& process) {
  uint64_t peak = 0;
  while (true) {
    const uint64_t now = PeakBytesOf(process.pid());
    if (now == 0) return peak;  // A process that has ended has no memory any more.
    peak = std::max(peak, now);
    usleep(20'000);
  }
}

constexpr uint64_t kLittle = uint64_t{64} << 20;

// Under a sanitizer it is that one's own memory, of which nothing is expected.
void ExpectLittle(uint64_t bytes, uint64_t for_keys = 0) {
  if (!LEVELFIELD_SANITIZED) {
    EXPECT_LE(bytes, kLittle + for_keys);
  }
}

TEST_F(Safety, the_driver_holds_little_whatever_the_workers_hold) {
  constexpr uint64_t kKeys = 500'000;
  const auto process =
      Start({"run", "--num=" + std::to_string(kKeys), "--engine=memory",
             "--benchmarks=fillrandom,readrandom", "--price=0", "--interval_seconds=0.1"});
  const uint64_t peak = PeakUntilTheEndOf(*process);
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_GT(peak, uint64_t{1} << 20);
  ExpectLittle(peak, 8 * kKeys);
  // The control: a worker does hold more, so a driver that did its work would not pass.
  EXPECT_GT(ending.most_rss_bytes, kLittle + 8 * kKeys);
}

// More workloads and rounds than most runs have. A report holds three histograms of 58 KiB for
// each.
TEST_F(Safety, the_driver_holds_little_however_much_there_is_to_keep) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--benchmarks=readrandom[X250]", "--interval_seconds=0.1"},
        {"--benchmarks=readrandom", "--repeat=40"}}) {
    fs::remove_all(path() + "/results");
    std::vector<std::string> all = {"run", "--engine=null", "--num=100", "--price=0"};
    all.insert(all.end(), words.begin(), words.end());
    const auto process = Start(all);
    SCOPED_TRACE(words.front());
    ExpectLittle(PeakUntilTheEndOf(*process));
    const Ending ending = process->Finish();
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
  }
}

// The intervals of an hour of all workloads of all engines are some hundred megabytes.
TEST_F(Safety, a_report_holds_little_however_many_intervals_there_are) {
  ASSERT_EQ(Run({"run", "--engine=memory", "--num=1000", "--price=0", "--duration=1",
                 "--benchmarks=readrandom", "--interval_seconds=0.1"})
                .exit_code,
            0);
  const std::string file = ResultPath() + "/intervals.jsonl";
  std::ifstream in(file);
  const std::string lines((std::istreambuf_iterator<char>(in)), {});
  ASSERT_GT(lines.size(), 1000u);
  std::ofstream out(file, std::ios::app);
  // Under a sanitizer, which reads so much in a quarter of an hour, of less.
  const uint64_t most = LEVELFIELD_SANITIZED ? kLittle / 8 : 3 * kLittle;
  for (size_t bytes = 0; bytes < most; bytes += lines.size()) out << lines;
  out.close();
  if (!LEVELFIELD_SANITIZED) {
    ASSERT_GT(fs::file_size(file), 2 * kLittle) << "the control: as a whole it does not fit";
  }
  for (const char* const format : {"table", "intervals"}) {
    options_.shell = "\"$@\" >rows.txt";
    const Ending ending = Run({"report", ResultPath(), "--format=" + std::string(format)});
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    SCOPED_TRACE(format);
    ExpectLittle(ending.most_rss_bytes);
  }
}

// In the nightly list; the hour can be made shorter: LEVELFIELD_HOUR_SECONDS=600.
TEST_F(Safety, an_hour_of_work_takes_little_memory) {
  const char* const seconds = std::getenv("LEVELFIELD_HOUR_SECONDS");
  const auto process = Start({"run", "--engine=leveldb", "--num=10000", "--price=0",
                              "--benchmarks=fillrandom,readwhilewriting", "--interval_seconds=0.5",
                              "--duration=" + std::string(seconds != nullptr ? seconds : "3600")});
  ExpectLittle(PeakUntilTheEndOf(*process));
  const Ending ending = process->Finish();
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const Ending report = Run({"report", ResultPath()});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  ExpectLittle(report.most_rss_bytes);
}

// So many times as LEVELFIELD_KILL_MOMENTS says; the nightly preset says more.
TEST_F(Safety, a_kill_at_any_moment_leaves_results_that_can_be_read) {
  const char* const asked = std::getenv("LEVELFIELD_KILL_MOMENTS");
  const int moments = asked != nullptr ? std::atoi(asked) : 10;
  std::mt19937 random(1);
  int cut_off = 0;
  for (int moment = 0; moment < moments; ++moment) {
    fs::remove_all(path() + "/results");
    const auto process = Start({"run", "--num=200", "--engine=memory,null", "--price=0",
                                "--benchmarks=fillseq,readseq,readrandom,overwrite"});
    usleep(static_cast<useconds_t>(20'000 + random() % 400'000));
    process->Signal(SIGKILL);
    cut_off += process->Finish().signal == SIGKILL ? 1 : 0;
    EXPECT_TRUE(NobodyIsLeft(1)) << "moment " << moment;
    if (!fs::exists(path() + "/results")) continue;
    for (const auto& entry : fs::directory_iterator(path() + "/results")) {
      // Killed before there was anything to tell, there is no manifest.
      if (!fs::exists(entry.path() / "manifest.json")) continue;
      const StatusOr<Result> result = ReadResultDirectory(entry.path());
      EXPECT_TRUE(result.ok()) << result.status().message();
    }
  }
  EXPECT_GT(cut_off, 0) << "none was killed while it ran";
}

#if defined(__SANITIZE_THREAD__)  // Which has something of its own to say of such an end.
constexpr const char* kEndedEarly = "its process ended by exit code 66";
#else
constexpr const char* kEndedEarly = "ended without an answer";
#endif

TEST_F(Safety, plug_ins_that_end_crash_or_hang_before_they_are_asked_are_rows) {
  for (const char* const broken : {"no_entry", "null_member", "wrong_size"}) {
    const std::string name = "/levelfield_" + std::string(broken) + ".so";
    fs::copy_file(LEVELFIELD_BROKEN_ENGINE_DIRECTORY + name, path() + "/engines" + name);
  }
  for (const char* const hostile : {"exits", "aborts", "hangs"}) {
    const std::string name = "/levelfield_" + std::string(hostile) + ".so";
    fs::copy_file(LEVELFIELD_HOSTILE_ENGINE_DIRECTORY + name, path() + "/engines" + name);
  }
  const Ending ending = Run({"run", "--num=100", "--benchmarks=fillseq", "--price=0",
                             "--engine=exits,aborts,hangs,no_entry,null_member,wrong_size,lmdb"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  const Result result = ReadResult();
  EXPECT_EQ(RunOf(result, "lmdb").outcome, Outcome::kOk);
  EXPECT_THAT(RunOf(result, "exits").message, HasSubstr(kEndedEarly));
  EXPECT_THAT(RunOf(result, "aborts").message, HasSubstr("SIGABRT"));
  EXPECT_THAT(RunOf(result, "hangs").message, HasSubstr("did not answer in 30 seconds"));
  EXPECT_THAT(RunOf(result, "no_entry").message, HasSubstr("levelfield_engine"));
  EXPECT_THAT(RunOf(result, "null_member").message, HasSubstr("is null"));
  EXPECT_THAT(RunOf(result, "wrong_size").message, HasSubstr("struct_bytes"));
  EXPECT_TRUE(NobodyIsLeft(1));
}

// Each report of results that somebody else wrote: it ends, soon, and holds nothing that a terminal
// would obey.
TEST_F(Safety, no_report_crashes_hangs_or_obeys_a_hostile_result) {
  const std::string manifest =
      R"({"schema":1,"name":"<script>\u001b[2J","started":"\u0007","command":"c","version":"v",)"
      R"("settings":{"num":"99999999999999999999","<b>":"\u001b]0;x\u0007"}})";
  const std::string role =
      R"({"name":"\u001b[31m","threads":18446744073709551615,"batch":0,"seconds":1e-320,)"
      R"("operations_per_second":1e308,"lanes":[{"operation":"<img>","operations":)"
      R"(18446744073709551615,"hits":18446744073709551615,"misses":18446744073709551615,)"
      R"("bytes":18446744073709551615,"digest":"ffffffffffffffff","wrong":0}]})";
  const auto phase = [&](const std::string& run, const std::string& rest) {
    return R"({"schema":1,"type":"phase","run":)" + run +
           R"(,"engine":"<i>\u009b","workload":"a\tb","family":"\u202e","outcome":"ok",)"
           R"("message":"\r","durability":"d","implicit":false,)" +
           rest + R"("roles":[)" + role + "]}\n";
  };
  const std::string repetition = R"("repetition":{"number":1000000000,"of":1000000000,)"
                                 R"("warm_up":false},)";
  const std::vector<std::string> all = {
      phase("0", ""),
      phase("0", repetition),
      phase("1000000000", ""),
      phase("-1", ""),
      phase("0", R"("disk_bytes":-5,)"),
      phase("0", R"("x":)" + std::string(100'000, '[') + std::string(100'000, ']') + ","),
      phase("0", R"("x":NaN,)"),
      phase("0", R"("x":1e999,)"),
      std::string(1 << 20, '{') + "\n",
      std::string(1 << 20, '\n'),
      std::string(1 << 20, '\0'),
  };
  fs::create_directory(path() + "/bad");
  size_t refused = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    WriteFile("bad/manifest.json", manifest);
    WriteFile("bad/results.jsonl", all[i]);
    WriteFile("bad/intervals.jsonl", all[i]);
    for (const char* const format : {"table", "db_bench", "tsv", "cost", "intervals", "hlog"}) {
      const std::string to = "logs" + std::to_string(i);
      const Ending ending = Run({"report", "bad", "--format=" + std::string(format), "--to=" + to});
      EXPECT_EQ(ending.signal, 0) << i << " as " << format;
      EXPECT_GE(ending.exit_code, 0) << i << " as " << format;
      EXPECT_LT(ending.seconds, 20) << i << " as " << format;
      EXPECT_LT(ending.most_rss_bytes, uint64_t{1} << 30) << i << " as " << format;
      for (const char c : ending.out + ending.err) {
        const auto byte = static_cast<unsigned char>(c);
        ASSERT_TRUE(byte >= 0x20 || c == '\n' || c == '\t')
            << i << " as " << format << ": " << byte;
      }
      refused += ending.exit_code != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST_F(Safety, a_damaged_result_is_told_by_its_file_and_line) {
  ASSERT_EQ(Run({"run", "--engine=memory", "--num=100", "--price=0", "--stats_interval_seconds=1",
                 "--benchmarks=fillseq,readseq,readrandom"})
                .exit_code,
            0);
  const std::string whole = ResultPath();
  // One bit of a line and one of the manifest.
  for (const auto& [name, from, said] :
       {std::tuple{"results.jsonl", "\"workload\":\"readseq\"", "bad/results.jsonl, line 2:"},
        std::tuple{"manifest.json", "\"num\": \"100\"", "bad/manifest.json: does not fit"}}) {
    fs::remove_all(path() + "/bad");
    fs::copy(whole, path() + "/bad", fs::copy_options::recursive);
    std::string text = ReadFile("bad/" + std::string(name));
    const size_t at = text.find(from);
    ASSERT_NE(at, text.npos) << name;
    text[at + std::string(from).size() - 2] ^= 1;
    WriteFile("bad/" + std::string(name), text);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"report", "bad"}, {"compare", whole, "bad"}}) {
      const Ending ending = Run(words);
      EXPECT_EQ(ending.exit_code, 2) << words.front();
      EXPECT_THAT(InOneLine(ending.err), HasSubstr(said)) << words.front();
    }
    // It has others to look at, and says what it has left out.
    fs::remove_all(path() + "/results/bad");
    fs::copy(path() + "/bad", path() + "/results/bad", fs::copy_options::recursive);
    const Ending history = Run({"history", "results"});
    EXPECT_THAT(InOneLine(history.out), AllOf(HasSubstr("left out: "), HasSubstr(said)));
    fs::remove_all(path() + "/results/bad");
  }
  // What older programs have written, which is the same without the checksums, is read.
  fs::remove_all(path() + "/bad");
  fs::copy(whole, path() + "/bad", fs::copy_options::recursive);
  for (const char* const name : {"bad/results.jsonl", "bad/manifest.json"}) {
    const std::regex seal(",\\s*\"crc32\": ?\"[0-9a-f]{8}\"");
    const std::string text = ReadFile(name);
    const std::string bare = std::regex_replace(text, seal, "");
    ASSERT_LT(bare.size(), text.size());
    WriteFile(name, bare);
  }
  EXPECT_EQ(Run({"report", "bad"}).exit_code, 0);
}

TEST_F(Safety, too_few_open_files_for_a_run_are_told_before_it) {
  options_.shell = "ulimit -n 256; exec \"$@\"";
  // Some thousand tables, of which LevelDB keeps a thousand open.
  const Ending refused =
      Run({"run", "--engine=leveldb", "--num=4M", "--value_size=1000", "--benchmarks=fillrandom"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(InOneLine(refused.err),
              AllOf(HasSubstr("not enough open files for leveldb"), HasSubstr("`ulimit -n 1016`")));
  EXPECT_THAT(Listing(), IsEmpty());
  // The control: a store that has not so many tables, under the same limit.
  EXPECT_EQ(Run({"run", "--engine=leveldb", "--num=200", "--price=0", "--benchmarks=fillrandom"})
                .exit_code,
            0);
}

TEST_F(Safety, too_few_open_files_for_a_worker_are_told_at_once) {
  for (const std::string limit : {"6", "9", "12"}) {
    options_.shell = "ulimit -n " + limit + "; exec \"$@\"";
    const Ending ending =
        Run({"run", "--engine=memory", "--num=200", "--price=0", "--benchmarks=fillrandom"});
    EXPECT_TRUE(ending.exit_code == 1 || ending.exit_code == 2) << limit << ending.out;
    EXPECT_LT(ending.seconds, 20) << "30 s would be how long an engine may take to answer";
    EXPECT_THAT(InOneLine(ending.err), HasSubstr("ulimit -n")) << limit;
    EXPECT_THAT(Listing(), IsEmpty()) << limit;
  }
}

TEST_F(Safety, a_run_in_which_no_engine_could_do_anything_is_no_success) {
  if (!fs::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  const std::string db = "--db=/dev/shm/levelfield-nothing-" + std::to_string(getpid());
  const std::vector<std::string> words = {"run",       "--durability=synced",  "--num=200",
                                          "--price=0", "--benchmarks=fillseq", db};
  const auto with = [&](const std::string& engines) {
    fs::remove_all(path() + "/results");
    std::vector<std::string> all = words;
    all.push_back("--engine=" + engines);
    return Run(all);
  };
  const Ending refused = with("leveldb,sqlite3");
  EXPECT_EQ(refused.exit_code, 1) << refused.out;
  EXPECT_THAT(
      InOneLine(refused.err),
      AllOf(HasSubstr("no engine could do what was asked: leveldb: fillseq:"), HasSubstr("tmpfs")));
  EXPECT_EQ(with("leveldb,null").exit_code, 0) << "a row with its reason, beside a figure";
}

// The first engine fails on a full disk; the second one has to find room.
TEST_F(Safety, a_store_that_has_filled_the_disk_makes_room_for_the_next_engine) {
  const std::string disk = path() + "/disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=48m") != 0) {
    GTEST_SKIP() << "a small tmpfs needs root";
  }
  // LevelDB writes its log and tables; LMDB keeps less than the disk has.
  const Ending ending = Run({"run", "--engine=berkeleydb,lmdb", "--num=150k", "--value_size=100",
                             "--price=0", "--benchmarks=fillseq", "--space_guard=off",
                             "--allow_volatile", "--audit=0", "--db=disk/stores"});
  const Result result = ReadResult();
  umount(disk.c_str());
  EXPECT_EQ(ending.exit_code, 1) << ending.out;
  EXPECT_EQ(RunOf(result, "berkeleydb").outcome, Outcome::kFailed);
  EXPECT_EQ(RunOf(result, "lmdb").outcome, Outcome::kOk) << RunOf(result, "lmdb").message;
  EXPECT_THAT(InOneLine(ending.err), HasSubstr("its store is removed, to give its room back"));
}

TEST_F(Safety, too_few_inodes_for_a_store_are_told_before_it) {
  const std::string disk = path() + "/disk";
  fs::create_directory(disk);
  const auto mount_with = [&](const std::string& inodes) {
    return mount("tmpfs", disk.c_str(), "tmpfs", 0, ("size=2g,nr_inodes=" + inodes).c_str()) == 0;
  };
  if (!mount_with("60")) GTEST_SKIP() << "a tmpfs with few inodes needs root";
  const std::vector<std::string> words = {
      "run",       "--engine=leveldb", "--benchmarks=fillrandom", "--num=200",
      "--price=0", "--allow_volatile", "--db=disk/stores"};
  const Ending refused = Run(words);
  EXPECT_TRUE(fs::is_empty(disk));
  EXPECT_EQ(umount(disk.c_str()), 0);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(InOneLine(refused.err), HasSubstr("not enough inodes at"));
  ASSERT_TRUE(mount_with("4000"));
  const Ending control = Run(words);
  EXPECT_EQ(umount(disk.c_str()), 0);
  EXPECT_EQ(control.exit_code, 0) << control.err;
}

TEST_F(Safety, a_result_file_that_is_too_large_is_refused_with_its_limit) {
  fs::create_directory(path() + "/bad");
  WriteFile("bad/manifest.json", "");
  fs::resize_file(path() + "/bad/manifest.json", uint64_t{1} << 40);  // Of nothing: sparse.
  const Ending ending = Run({"report", "bad"});
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.err, HasSubstr("are more than the 16777216 allowed for it"));
  ExpectLittle(ending.most_rss_bytes);
}

}  // namespace
}  // namespace levelfield
