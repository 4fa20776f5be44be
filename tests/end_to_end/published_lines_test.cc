// The command lines of two documents that people copy from, one on db_bench and cache_bench and one
// on RocksDB's benchmark.sh, as they are written there but for smaller sizes behind them and for
// /raid, which is the test's own; on RocksDB, LevelDB and LMDB, with the shape of their output.
// What db_bench_test.cc and suite_jobs_test.cc run of them is not repeated.
#include <regex>

#include "suites.h"

namespace levelfield {
namespace {

class PublishedLines : public Suites {
 protected:
  PublishedLines() {
    for (const char* const name : {"db_bench", "cache_bench"}) {
      fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/" + name);
    }
    fs::create_directories(path() + "/tools");
    fs::create_directories(path() + "/raid");
    fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/tools/benchmark.sh");
    options_.environment["TEST_TMPDIR"] = path() + "/tmp";
  }

  Ending Shell(std::string commands) {
    for (size_t at = 0; (at = commands.find("/raid", at)) != std::string::npos;) {
      commands.insert(at, path());
      at += path().size() + 5;
    }
    options_.shell = "set -e\n" + commands;
    Ending ending = Run({});
    options_.shell.clear();
    return ending;
  }
};

constexpr const char* kRocksDb = "rocksdb";
// A line of LevelDB's program, of RocksDB's, and of LMDB's.
std::string LineOf(const std::string& engine, const std::string& name, const std::string& behind) {
  const std::string name_and_micros = "(^|\n)" + name + " *: +[0-9]+\\.[0-9]{3} micros/op";
  const std::string rate =
      engine == kRocksDb ? " [0-9]+ ops/sec [0-9]+\\.[0-9]{3} seconds [0-9]+ operations"
      : engine == "lmdb" ? " [0-9]+ ops/sec"
                         : "";
  return name_and_micros + rate + ";" + behind + "\n";
}

class DbBenchLines : public PublishedLines, public ::testing::WithParamInterface<const char*> {
 protected:
  std::string Options() const {
    return std::string(" --num=2000 --threads=2 --engine=") + GetParam();
  }
  bool IsRocksDb() const { return GetParam() == std::string(kRocksDb); }
  // The program's own lines of a run that must succeed.
  std::string Succeeds(const std::string& command) {
    const Ending ending = Shell("./db_bench " + command + Options());
    EXPECT_EQ(ending.exit_code, 0) << command << "\n" << ending.out << ending.err;
    return ending.out;
  }
  void ExpectLine(const std::string& out, const std::string& name, const std::string& behind) {
    EXPECT_TRUE(std::regex_search(out, std::regex(LineOf(GetParam(), name, behind)))) << out;
  }
};

TEST_P(DbBenchLines, of_the_basic_list_run) {
  const std::string rate = " +[0-9.]+ MB/s";
  ExpectLine(Succeeds("--benchmarks=\"fillseq\""), "fillseq", rate);
  ExpectLine(Succeeds("--benchmarks=\"readrandom\" --use_existing_db"), "readrandom",
             "[^\n]*\\(4000 of 4000 found\\)");
  const std::string list = Succeeds("--benchmarks=\"fillseq,readrandom,readseq\"");
  ExpectLine(list, "fillseq", rate);
  ExpectLine(list, "readseq", rate);
}

TEST_P(DbBenchLines, with_statistics_are_RocksDbs_and_the_others_say_so) {
  const std::string words = "--benchmarks=\"fillseq,stats\" --statistics";
  if (IsRocksDb()) {
    const std::string out = Succeeds(words);
    ExpectLine(out, "fillseq", " +[0-9.]+ MB/s");
    EXPECT_THAT(out, AllOf(HasSubstr("\nrocksdb.number.keys.written COUNT : 4000\n"),
                           HasSubstr("** Compaction Stats [default] **")));
    return;
  }
  const Ending ending = Shell("./db_bench " + words + Options());
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.out, IsEmpty());
  EXPECT_THAT(ending.err, HasSubstr("'--statistics': it belongs to db_bench_rocksdb"));
  ExpectLine(Succeeds("--benchmarks=\"fillseq,stats\""), "fillseq", " +[0-9.]+ MB/s");
}

TEST_P(DbBenchLines, of_the_list_of_RocksDb_run_or_say_what_the_engine_lacks) {
  (void)Succeeds("--benchmarks=fillseq");
  const std::string existing =
      std::string(" --use_existing_db") + (IsRocksDb() ? " --statistics" : "");
  const std::string writing = Succeeds("--benchmarks=readwhilewriting" + existing);
  ExpectLine(writing, "readwhilewriting", "[^\n]*\\(4000 of 4000 found\\)");
  ExpectLine(writing, "writer", "[^\n]*");
  const std::string mixed = Succeeds("--benchmarks=readrandomwriterandom" + existing);
  ExpectLine(mixed, "readrandomwriterandom",
             "[^\n]*\\( reads:3[0-9]+ writes:[0-9]+ total:4000 found:3[0-9]+\\)");
  const Ending ran = Shell("./db_bench --benchmarks=readwhilemerging" + existing + Options());
  EXPECT_EQ(ran.exit_code, IsRocksDb() ? 0 : 1) << ran.err;
  const std::string& merging = ran.out;
  if (IsRocksDb()) {
    ExpectLine(merging, "readwhilemerging", "[^\n]*\\(4000 of 4000 found\\)");
    EXPECT_TRUE(std::regex_search(
        merging, std::regex("\nrocksdb\\.number\\.keys\\.read COUNT : [1-9][0-9]*\n")));
  } else {
    EXPECT_THAT(merging, testing::ContainsRegex(
                             "readwhilemerging *: unsupported: .*has no merge operators"));
    EXPECT_THAT(merging, Not(testing::ContainsRegex("readwhilemerging *: .*micros/op")));
  }
}

TEST_P(DbBenchLines, of_the_list_of_LevelDb_run) {
  const std::string names =
      "fillseq,fillrandom,overwrite,fillsync,fill100K,deleteseq,fillrandom,deleterandom,fillrandom,"
      "readseq,readreverse,readrandom,readmissing,readhot,seekrandom,open,crc32c,acquireload,"
      "compact";
  const std::string out = Succeeds("--benchmarks=" + names);
  for (const std::string& name : Split(names, ',')) ExpectLine(out, name, "[^\n]*");
}

INSTANTIATE_TEST_SUITE_P(Engines, DbBenchLines, ::testing::Values(kRocksDb, "leveldb", "lmdb"),
                         [](const auto& test) { return std::string(test.param); });

// The document prints the help of 2014's program; a break of a line is where it likes.
TEST_F(PublishedLines, CacheBenchsHelpHasTheFlagsTypesAndDefaultsOfTheDocument) {
  const Ending help = Shell("./cache_bench --help");
  EXPECT_EQ(help.exit_code, 0);
  std::string text = std::regex_replace(help.out, std::regex("\\s+"), " ");
  text = text.substr(0, text.find("Flags of generation 2020"));
  for (const char* const flag :
       {"-cache_size .*? type: int64 default: 8388608 ",
        "-erase_percent \\(Ratio of erase to total workload \\(expressed as a percentage\\)\\) "
        "type: "
        "int32 default: 10 ",
        "-insert_percent \\(Ratio of insert to total workload \\(expressed as a percentage\\)\\) "
        "type: int32 default: 40 ",
        "-lookup_percent \\(Ratio of lookup to total workload \\(expressed as a percentage\\)\\) "
        "type: int32 default: 50 ",
        "-max_key [^-]*type: int64 default: 1073741824 ",
        "-num_shard_bits [^:]*: [^:]*type: int32 default: 4 ",
        "-ops_per_thread [^-]*type: uint64 default: 1200000 ",
        "-populate_cache [^-]*type: bool default: false ",
        "-threads \\(Number of concurrent threads to run.\\) type: int32 default: 16 ",
        "-use_clock_cache [^-]*type: bool default: false "}) {
    EXPECT_TRUE(std::regex_search(text, std::regex(flag))) << flag << "\n" << text;
  }
}

TEST_F(PublishedLines, CacheBenchPrintsItsEnvironmentAndCountsEveryOperation) {
  const Ending ending = Shell("./cache_bench -ops_per_thread=2000 -max_key=10000 -cache_size=5000");
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  for (const char* const line :
       {"Number of threads   : 16", "Ops per thread      : 2000", "Cache size          : 5000",
        "Max key             : 10000", "Populate cache      : 0", "Insert percentage   : 40 %",
        "Lookup percentage   : 50 %", "Erase percentage    : 10 %", "Num shard bits      : 4"}) {
    EXPECT_THAT(ending.out, HasSubstr(std::string("\n") + line));
  }
  const std::regex counts("\n  (insert|lookup|erase) +([0-9]+) +[0-9.]+ % of [0-9]+ % asked for");
  uint64_t operations = 0;
  size_t lines = 0;
  for (std::sregex_iterator it(ending.out.begin(), ending.out.end(), counts), end; it != end;
       ++it) {
    operations += std::stoull((*it)[2]);
    ++lines;
  }
  EXPECT_EQ(lines, 6u) << "with the payload, and the cache alone";
  EXPECT_EQ(operations, 2u * 16 * 2000);
}

// The five tests on flash, in their order, with the shell's lines between them.
TEST_F(PublishedLines, TheFiveTestsOnFlashRun) {
  const std::string exports =
      "export DB_DIR=/raid/db\nexport WAL_DIR=/raid/wal\nexport TEMP=/raid/tmp\n"
      "export OUTPUT_DIR=/raid/output\n";
  const std::string small = " --num=1000 --cache_size=1M --stats_interval_seconds=0";
  for (const auto& [name, commands, row] : std::vector<std::array<std::string, 3>>{
           {"1", "tools/benchmark.sh bulkload" + small + "\ndu -s -k /raid/db", "bulkload"},
           {"2", "tools/benchmark.sh fillseq_disable_wal" + small + "\ndu -s -k /raid/db",
            "fillseq.wal_disabled.v400"},
           {"3",
            "NUM_KEYS=2000000000 NUM_THREADS=1 tools/benchmark.sh overwrite --writes=20" + small,
            "overwrite.t1.s1"},
           {"4", "NUM_KEYS=1000000000 NUM_THREADS=1 tools/benchmark.sh readrandom" + small,
            "readrandom.t1"},
           {"5", "NUM_KEYS=100000000 NUM_THREADS=32 tools/benchmark.sh readwhilewriting" + small,
            "readwhilewriting.t32"}}) {
    const Ending ending = Shell(exports + commands);
    ASSERT_EQ(ending.exit_code, 0) << name << ending.err << ending.out;
    EXPECT_THAT(ending.err, Not(HasSubstr("did you mean"))) << "TEMP is no variable of the script";
    if (commands.find("du -s") != std::string::npos) {
      EXPECT_TRUE(std::regex_search(ending.out, std::regex("\n[1-9][0-9]*\t[^\n]*/raid/db\n$")))
          << ending.out;
    }
    const std::vector<std::string> rows = Split(ReadFile("raid/output/report.tsv"), '\n');
    ASSERT_EQ(rows.size(), 1 + std::stoul(name));
    const std::vector<std::string> cells = Split(rows.back(), '\t');
    EXPECT_NE(std::ranges::find(cells, row), cells.end()) << rows.back();
    EXPECT_GT(std::stod(cells[0]), 0) << rows.back();
  }
}

struct Edit {
  const char* name;
  const char* from;
  const char* to;
  const char* told;  // Both numbers.
};
void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

class AnEditedResult : public PublishedLines, public ::testing::WithParamInterface<Edit> {};

TEST_P(AnEditedResult, is_void_with_both_numbers_told) {
  ASSERT_EQ(
      Run({"run", "--num=1000", "--engine=memory", "--benchmarks=fillrandom,readrandom"}).exit_code,
      0);
  EXPECT_EQ(Run({"report", ResultPath()}).exit_code, 0);
  const std::string file =
      fs::path(ResultPath()).lexically_relative(path()).string() + "/results.jsonl";
  std::string lines = ReadFile(file);
  const size_t at = lines.find(GetParam().from, lines.find("\"readrandom\""));
  ASSERT_NE(at, std::string::npos) << lines;
  lines.replace(at, std::string(GetParam().from).size(), GetParam().to);
  // Who edits takes the checksums out, which would tell it before anything is looked at.
  WriteFile(file, std::regex_replace(lines, std::regex(",\"crc32\":\"[0-9a-f]{8}\""), ""));
  for (const char* const format : {"--format=table", "--format=db_bench", "--format=tsv"}) {
    const Ending report = Run({"report", format, ResultPath()});
    EXPECT_EQ(report.exit_code, 3) << format << report.out << report.err;
    if (std::string(format) == "--format=tsv") continue;  // The reason is beside it, in the notes.
    EXPECT_THAT(InOneLine(report.out), HasSubstr(GetParam().told)) << format;
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, AnEditedResult,
                         ::testing::Values(Edit{"hits", "\"hits\":1000", "\"hits\":999",
                                                "999 hits and 0 misses, but 1000 operations"},
                                           Edit{"misses", "\"misses\":0", "\"misses\":1",
                                                "1000 hits and 1 misses, but 1000 operations"},
                                           Edit{"operations", "\"operations\":1000",
                                                "\"operations\":2000",
                                                "1000 hits and 0 misses, but 2000 operations"}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace levelfield
