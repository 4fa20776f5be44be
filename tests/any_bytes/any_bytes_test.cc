// Whatever bytes stand on the command line, in files, in the environment and in the name of the
// working directory: the program ends soon, with an exit code of its own, by no signal, and tells
// no terminal what to do. What it ran with is read back exactly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/result_files.h"
#include "base/quote.h"
#include "base/whole_file.h"
#include "drawn_bytes.h"
#include "levelfield_process.h"
#include "result/run_settings.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

const std::vector<std::string> kVerbsThatEndAtOnce = {
    "report", "compare", "history", "diagnose", "docs",     "completion",
    "help",   "suite",   "trace",   "plan",     "workloads"};
const std::vector<std::string> kEngines = {"stub", "null", "memory"};
const std::vector<std::string> kFormats = {"table", "db_bench",  "tsv",      "cost",
                                           "csv",   "intervals", "html",     "google_benchmark",
                                           "hlog",  "markdown",  "corrected"};
const std::vector<std::string> kVariables = {"HOME",
                                             "TMPDIR",
                                             "TERM",
                                             "COLUMNS",
                                             "LINES",
                                             "LANG",
                                             "LC_ALL",
                                             "PATH",
                                             "NO_COLOR",
                                             "SHELL",
                                             "LEVELFIELD_CACHE",
                                             "XDG_CACHE_HOME",
                                             "DB_DIR",
                                             "LEVELFIELD_ENGINES",
                                             "OUTPUT_DIR",
                                             "WAL_DIR",
                                             "LEVELFIELD_CACHES",
                                             "TEST_TMPDIR",
                                             "JOB_ID",
                                             "NUM_KEYS",
                                             "KEY_SIZE",
                                             "CACHE_SIZE"};

uint64_t NumberIn(const char* variable, uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

bool IsPlain(const std::string& text) { return PrintableLines(text) == text; }

class AnyBytes : public ::testing::Test {
 protected:
  AnyBytes() {
    std::string path = fs::temp_directory_path() / "levelfield_bytes_XXXXXX";
    if (mkdtemp(path.data()) == nullptr) std::abort();
    path_ = path;
    options_.directory = path;
  }
  ~AnyBytes() override {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  // So many cases, each with its own draws; LEVELFIELD_FUZZ_CASE is one of them.
  void ForEachCase(uint64_t cases, const std::function<void(DrawnBytes&)>& one) {
    const uint64_t seed = NumberIn("LEVELFIELD_FUZZ_SEED", 1);
    const uint64_t only = NumberIn("LEVELFIELD_FUZZ_CASE", UINT64_MAX);
    cases *= NumberIn("LEVELFIELD_FUZZ_TIMES", 1);
    for (uint64_t i = 0; i < cases && !HasFailure(); ++i) {
      if (only != UINT64_MAX && i != only) continue;
      SCOPED_TRACE(fmt::format("LEVELFIELD_FUZZ_SEED={} LEVELFIELD_FUZZ_CASE={}", seed, i));
      DrawnBytes draw(seed * 1'000'000'007 + i);
      one(draw);
    }
  }

  Ending Run(const Words& words) {
    Ending ending = LevelfieldProcess(words, options_).Finish(60);
    std::string typed;
    for (const std::string& word : words) typed += " $'" + Shown(word) + "'";
    for (const auto& [name, value] : options_.environment) {
      typed += " with " + name + "=$'" + Shown(value) + "'";
    }
    typed += " in $'" + Shown(options_.directory) + "'\n" + ending.err + ending.out.substr(0, 2000);
    static const std::set<int> kOurs = {0, 1, 2, 3, 130};
    EXPECT_TRUE(kOurs.contains(ending.exit_code))
        << "exit code " << ending.exit_code << ", signal " << ending.signal << typed;
    for (const std::string* const said : {&ending.out, &ending.err}) {
      EXPECT_TRUE(IsPlain(*said)) << "it commands the terminal" << typed;
      for (const char* const death :
           {"SIGABRT", "SIGSEGV", "terminate called", "mistake in the program"}) {
        EXPECT_EQ(said->find(death), std::string::npos) << death << typed;
      }
    }
    return ending;
  }

  std::string path() const { return path_; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  }
  // In a directory of its own each time, so that no case sees what another has left.
  void Enter(const std::string& name) {
    options_.directory = path_ + "/" + name;
    std::error_code error;
    fs::create_directories(options_.directory, error);
    ASSERT_FALSE(error) << error.message();
  }
  void Leave() {
    std::error_code ignored;
    fs::remove_all(options_.directory, ignored);
    options_.directory = path_;
  }

  ProcessOptions options_;

 private:
  std::string path_;
};

std::string AnyFlag(DrawnBytes& draw) {
  const auto flags = Flags();
  return std::string(flags[draw.Below(flags.size())].name);
}

Words AnyWords(DrawnBytes& draw) {
  Words words;
  const uint64_t kind = draw.Below(8);
  if (kind == 0) {
    words = {draw.Text()};
  } else if (kind < 4) {
    words = {draw.OneOf(kVerbsThatEndAtOnce)};
  } else {
    words = {"plan", "--engine=" + (kind == 4 ? draw.Text() : draw.OneOf(kEngines))};
  }
  for (uint64_t more = draw.Below(4); more != 0; --more) {
    switch (draw.Below(6)) {
      case 0:
        words.push_back(draw.Text());
        break;
      case 1:
        words.push_back("--" + draw.Text());
        break;
      case 2:
        words.push_back("--stub." + draw.Text(20) + "=" + draw.Text());
        break;
      case 3:
        words.push_back("--benchmarks=" + draw.Text() + ".workload");
        break;
      default:
        words.push_back("--" + AnyFlag(draw) + "=" + draw.Text(draw.Below(40) == 0 ? 20000 : 200));
    }
  }
  return words;
}

TEST_F(AnyBytes, OnTheCommandLineEndInAnExitCodeOfOurs) {
  ForEachCase(150, [&](DrawnBytes& draw) { (void)Run(AnyWords(draw)); });
}

TEST_F(AnyBytes, InTheEnvironmentEndInAnExitCodeOfOurs) {
  ForEachCase(60, [&](DrawnBytes& draw) {
    options_.environment.clear();
    for (uint64_t more = 1 + draw.Below(4); more != 0; --more) {
      options_.environment[draw.OneOf(kVariables)] = draw.Below(4) == 0 ? draw.Path() : draw.Text();
    }
    const std::vector<Words> all = {
        {"plan", "--engine=stub"},
        {"engines"},
        {"help"},
        {"benchmark.sh", "readrandom,nothing"},
        {"choose", "--mix=get:1", "--engine=stub,nothing"},
        {"run", "--engine=stub", "--num=10", "--benchmarks=fillseq", "--results=r", "--watch"}};
    (void)Run(draw.OneOf(all));
  });
}

TEST_F(AnyBytes, InTheNameOfTheWorkingDirectoryEndInAnExitCodeOfOurs) {
  ForEachCase(15, [&](DrawnBytes& draw) {
    Enter(draw.Name());
    const Ending ending = Run({"run", "--engine=" + draw.OneOf(kEngines), "--num=10",
                               "--benchmarks=fillseq,readrandom", "--db=s", "--results=r"});
    if (options_.directory.size() < 180) {  // Longer paths of stores are refused.
      EXPECT_EQ(ending.exit_code, 0) << ending.err << Shown(options_.directory);
    }
    (void)Run({"history", "r"});
    Leave();
  });
}

// Real runs, with bytes in every place that a result records.
TEST_F(AnyBytes, OfARunAreReadBackFromItsResultExactly) {
  uint64_t done = 0;
  ForEachCase(25, [&](DrawnBytes& draw) {
    Enter("run");
    std::string summary = draw.Text();
    std::erase_if(summary, [](char c) { return c == '\n'; });
    const std::string workload = draw.Name(200);
    const std::string text = "summary = " + summary +
                             "\nfamily = reads\nneeds = loaded store\n[reader]\nop = get\n"
                             "keys = uniform\nstop = after $reads operations\n";
    // A list of names is what --benchmarks takes.
    const bool has_workload = workload.find(',') == std::string::npos;
    if (has_workload) Write("run/" + workload + ".workload", text);
    std::string db = draw.Path();
    std::ranges::replace(db, ',', '\xfc');  // Which divides several that are varied.
    const std::string results = draw.Path();
    const Ending ending =
        Run({"run", "--engine=" + draw.OneOf(kEngines), "--num=10", "--db=" + db,
             "--results=" + results, draw.Below(3) == 0 ? "--keep" : "--seed=2",
             "--benchmarks=fillseq" + (has_workload ? "," + workload + ".workload" : "")});
    std::error_code error;
    for (fs::directory_iterator it(options_.directory + "/" + results, error), end; it != end;
         it.increment(error)) {
      const StatusOr<Result> result = ReadResultDirectory(it->path());
      EXPECT_TRUE(result.ok()) << result.status().message();
      if (!result.ok()) break;
      EXPECT_EQ(SettingOf(*result, "db"), db);
      EXPECT_EQ(SettingOf(*result, "results"), results);
      EXPECT_NE(result->command.find("--db=" + db + " --results=" + results), std::string::npos);
      if (has_workload && ending.exit_code == 0) {
        EXPECT_EQ(result->workload_texts.back(), std::pair(workload, text));
        EXPECT_EQ(result->runs.at(0).phases.back().workload, workload);
        ++done;
      }
      const std::string directory = results + "/" + it->path().filename().string();
      (void)Run({"report", "--format=" + draw.OneOf(kFormats), "--to=" + draw.Path(), directory});
      (void)Run({"report", "--format=" + draw.OneOf(kFormats), directory});
      (void)Run({draw.OneOf<std::string>({"compare", "diagnose", "history"}), directory});
    }
    Leave();
  });
  if (std::getenv("LEVELFIELD_FUZZ_CASE") == nullptr) {
    EXPECT_GE(done, 3u) << "hardly any workload ran";
  }
}

TEST_F(AnyBytes, InFlagsOfARunEndInAnExitCodeOfOurs) {
  const std::vector<std::string> flags = {
      "name",           "trace",      "report_file", "backup_dir", "restore_dir",
      "phase_property", "vary",       "durability",  "cache",      "compression",
      "key_format",     "benchmarks", "noise",       "baseline",   "against",
      "rate",           "slo",        "warmup",      "clock",      "key_distribution",
      "space_guard",    "cpus",       "settings",    "compat",     "dialect",
      "results",        "db",         "report_row",  "job_id",     "stub.put_ns"};
  ForEachCase(50, [&](DrawnBytes& draw) {
    Enter("run");
    Words words = {"run", "--num=10", "--engine=" + draw.OneOf(kEngines)};
    std::set<std::string> chosen;
    for (uint64_t more = 1 + draw.Below(3); more != 0; --more) chosen.insert(draw.OneOf(flags));
    for (const std::string& flag : chosen) words.push_back("--" + flag + "=" + draw.Path());
    if (!chosen.contains("benchmarks")) words.emplace_back("--benchmarks=fillseq,readrandom");
    (void)Run(words);
    Leave();
  });
}

TEST_F(AnyBytes, AsWordsOfTheOlderProgramsEndInAnExitCodeOfOurs) {
  // "$1" is this program, and those are beside it.
  constexpr const char* kAs = "program=$(dirname \"$1\")/{}; shift; exec \"$program\" \"$@\"";
  ForEachCase(40, [&](DrawnBytes& draw) {
    Enter("run");
    const std::string program = draw.OneOf<std::string>(
        {"db_bench", "db_bench_rocksdb", "db_bench_sqlite3", "db_bench_tree_db", "db_bench_mdb",
         "cache_bench", "c_test", "benchmark.sh"});
    options_.shell = fmt::format(kAs, program);
    Words words = {"--engine=stub", "--num=10", "--benchmarks=fillseq", "--db=" + draw.Path()};
    if (program == "c_test") words.resize(1);
    if (program == "cache_bench") words = {"--ops_per_thread=10", "--cache_size=1M"};
    if (program == "benchmark.sh") words = {"fillseq_disable_wal," + draw.Text(), "--engine=stub"};
    options_.environment = {{"DB_DIR", draw.Path()},     {"WAL_DIR", draw.Path()},
                            {"NUM_KEYS", "10"},          {"DURATION", "1"},
                            {"OUTPUT_DIR", draw.Path()}, {"JOB_ID", draw.Text()}};
    if (draw.Below(2) == 0) words.push_back("--results=" + draw.Path());
    if (draw.Below(2) == 0) words.push_back("--" + AnyFlag(draw) + "=" + draw.Text());
    (void)Run(words);
    options_.shell.clear();
    options_.environment.clear();
    Leave();
  });
}

std::string AnyOf(DrawnBytes& draw, const std::string& corpus) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(std::string(LEVELFIELD_CORPUS) + "/" + corpus)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return ReadAll(draw.OneOf(files));
}

TEST_F(AnyBytes, InFilesEndInAnExitCodeOfOurs) {
  ForEachCase(120, [&](DrawnBytes& draw) {
    Enter("files");
    const std::string at = "files/";
    const std::string name = draw.Name(200);
    switch (draw.Below(5)) {
      case 0:
        Write(at + name + ".workload", draw.Damaged(AnyOf(draw, "workload_files")));
        (void)Run({draw.Below(8) == 0 ? "run" : "plan", "--engine=null", "--num=10",
                   "--benchmarks=" + name + ".workload"});
        break;
      case 1:
        Write(at + name + ".suite", draw.Damaged(AnyOf(draw, "suite_files")));
        (void)Run({"suite", name + ".suite"});
        break;
      case 2:
        Write(at + name, draw.Damaged(AnyOf(draw, "traces")));
        (void)Run({"trace", "show", name});
        (void)Run({"trace", "convert", "--from=csv", name, draw.Path()});
        break;
      case 3:
        Enter(at + name + "/db");
        options_.directory = path() + "/files";
        Write(at + name + "/.levelfield", draw.Damaged(AnyOf(draw, "store_markers")));
        (void)Run({"verify", "store", name});
        break;
      default:
        Enter(at + name);
        options_.directory = path() + "/files";
        std::string bytes = draw.Damaged(AnyOf(draw, "result_files"));
        for (const char* const file : {"/manifest.json", "/results.jsonl", "/intervals.jsonl"}) {
          const size_t end = bytes.find("\n==\n");
          Write(at + name + file, bytes.substr(0, end) + "\n");
          bytes.erase(0, end == bytes.npos ? end : end + 4);
        }
        (void)Run({"report", "--format=" + draw.OneOf(kFormats), "--to=out", name});
        (void)Run({draw.OneOf<std::string>({"compare", "diagnose", "history"}), name});
    }
    Leave();
  });
}

}  // namespace
}  // namespace levelfield
