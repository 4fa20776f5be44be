// The command lines of the db_bench family as people's documents have them, run by a shell as they
// were written, but for their sizes and for /tmp, which is the test's own; and their output's
// shape.
#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "end_to_end.h"

namespace levelfield {
namespace {

class DbBench : public EndToEnd {
 protected:
  DbBench() {
    for (const char* const name : {"c_test", "db_bench", "db_bench_rocksdb", "db_bench_sqlite3",
                                   "db_bench_tree_db", "db_bench_mdb", "db_bench_bdb"}) {
      fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/" + name);
    }
    options_.environment["TEST_TMPDIR"] = path() + "/tmp";
  }

  Ending Shell(std::string command) {
    for (size_t at = 0; (at = command.find("/tmp/", at)) != std::string::npos;) {
      command.replace(at, 4, path() + "/tmp");
      at += path().size() + 4;
    }
    options_.shell = command;
    Ending ending = Run({});
    options_.shell.clear();
    return ending;
  }

  // The lines of a run that must succeed.
  std::vector<std::string> LinesOf(const std::string& command) {
    const Ending ending = Shell(command);
    EXPECT_EQ(ending.exit_code, 0) << command << "\n" << ending.out << ending.err;
    std::vector<std::string> lines;
    std::istringstream text(ending.out);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  // The names of the result lines, in order.
  static std::vector<std::string> Names(const std::vector<std::string>& lines) {
    static const std::regex kLine(
        R"(([a-zA-Z0-9]+) *: +[0-9]+\.[0-9]{3} micros/op)"
        R"(( [0-9]+ ops/sec( [0-9]+\.[0-9]{3} seconds [0-9]+ operations)?)?;)"
        R"(( +[0-9]+\.[0-9] MB/s)?( \(.*\))?)");
    std::vector<std::string> names;
    std::smatch match;
    for (const std::string& line : lines) {
      if (std::regex_match(line, match, kLine)) names.push_back(match[1]);
    }
    return names;
  }

  static std::vector<std::string> Split(const std::string& list) {
    std::vector<std::string> names;
    std::istringstream text(list);
    for (std::string name; std::getline(text, name, ',');) names.push_back(name);
    return names;
  }

  // The line of one benchmark of RocksDB's program, taken apart.
  struct RocksDbLine {
    double micros = 0;
    double rate = 0;
    double seconds = 0;
    uint64_t operations = 0;
    std::string message;
  };
  static RocksDbLine LineOf(const std::vector<std::string>& lines, const std::string& name) {
    static const std::regex kLine(
        R"((\S+) *: +([0-9.]+) micros/op ([0-9]+) ops/sec ([0-9.]+) seconds ([0-9]+) operations;)"
        R"((.*))");
    std::smatch match;
    for (const std::string& line : lines) {
      if (!std::regex_match(line, match, kLine) || match[1] != name) continue;
      return {std::stod(match[2]), std::stod(match[3]), std::stod(match[4]), std::stoull(match[5]),
              match[6]};
    }
    ADD_FAILURE() << "no line of " << name;
    return {};
  }

  void ExpectHeader(const std::vector<std::string>& lines, const std::string& values) {
    ASSERT_GE(lines.size(), 6u);
    EXPECT_EQ(lines[0], "Keys:       16 bytes each");
    EXPECT_EQ(lines[1], "Values:     " + values);
    EXPECT_TRUE(lines[2].starts_with("Entries:    ")) << lines[2];
    EXPECT_TRUE(lines[3].starts_with("RawSize:    ")) << lines[3];
    EXPECT_NE(std::ranges::find(lines, std::string(48, '-')), lines.end());
  }

  // Each of the names in the list has its line, in this order.
  void ExpectRuns(const std::string& command, const std::string& names) {
    EXPECT_EQ(Names(LinesOf(command)), Split(names)) << command;
  }
};

// The published runs: no flags at all, and --value_size=100000 --num=1000.

TEST_F(DbBench, LevelDbsDefaultListRuns) {
  const std::vector<std::string> lines = LinesOf("./db_bench --num=10000");
  ExpectHeader(lines, "100 bytes each (50 bytes after compression)");
  EXPECT_EQ(Names(lines),
            Split("fillseq,fillsync,fillrandom,overwrite,readrandom,readrandom,readseq,readreverse,"
                  "compact,readrandom,readseq,readreverse,fill100K,crc32c,snappycomp,snappyuncomp,"
                  "zstdcomp,zstduncomp"));
}

TEST_F(DbBench, LevelDbsDefaultListRunsWithLargeValues) {
  const std::vector<std::string> lines = LinesOf("./db_bench --value_size=100000 --num=300");
  ExpectHeader(lines, "100000 bytes each (50000 bytes after compression)");
  EXPECT_EQ(Names(lines).size(), 18u);
}

TEST_F(DbBench, SqlitesDefaultListRuns) {
  const std::vector<std::string> lines = LinesOf("./db_bench_sqlite3 --num=3000");
  ExpectHeader(lines, "100 bytes each");
  EXPECT_EQ(
      Names(lines),
      Split("fillseq,fillseqsync,fillseqbatch,fillrandom,fillrandsync,fillrandbatch,overwrite,"
            "overwritebatch,readrandom,readseq,fillrand100K,fillseq100K,readseq,readrand100K"));
}

TEST_F(DbBench, TreeDbsDefaultListRuns) {
  EXPECT_EQ(Names(LinesOf("./db_bench_tree_db --num=3000")),
            Split("fillseq,fillseqsync,fillrandsync,fillrandom,overwrite,readrandom,readseq,"
                  "fillrand100K,fillseq100K,readseq100K,readrand100K"));
}

TEST_F(DbBench, LmdbsDefaultListRunsAsPublished) {
  EXPECT_EQ(Names(LinesOf("./db_bench_mdb --num=5000")),
            Split("fillseq,fillseqsync,fillseqbatch,fillrandom,fillrandint,fillrandibatch,"
                  "fillrandsync,fillrandbatch,overwrite,overwritebatch,readrandom,readseq,"
                  "readreverse,fillrand100K,fillseq100K,readseq100K,readrand100K"));
}

TEST_F(DbBench, LmdbsDefaultListRunsWithLargeValues) {
  EXPECT_EQ(Names(LinesOf("./db_bench_mdb --value_size=100000 --num=300")).size(), 17u);
}

TEST_F(DbBench, BerkeleyDbsDefaultListRuns) {
  EXPECT_EQ(
      Names(LinesOf("./db_bench_bdb --num=3000")),
      Split("fillrandsync,fillrandom,fillrandbatch,fillseqsync,fillseq,fillseqbatch,overwrite,"
            "readrandom,readseq,readreverse"));
}

TEST_F(DbBench, EngineTurnsItIntoEachPort) {
  for (const std::string engine :
       {"leveldb", "sqlite3", "treedb", "lmdb", "berkeleydb", "rocksdb"}) {
    ExpectRuns("./db_bench --engine=" + engine + " --num=1000 --benchmarks=fillrandom,readrandom",
               "fillrandom,readrandom");
  }
}

// The "complete guide": its commands one by one.

TEST_F(DbBench, TheGuidesBasicCommandsRun) {
  ExpectRuns("./db_bench --benchmarks=fillseq --num=10000 --value_size=100", "fillseq");
  ExpectRuns("./db_bench --benchmarks=fillrandom --num=10000 --value_size=100", "fillrandom");
  ExpectRuns("./db_bench --benchmarks=readrandom --num=10000", "readrandom");
  ExpectRuns("./db_bench --benchmarks=readseq --num=10000", "readseq");
  ExpectRuns("./db_bench --benchmarks=overwrite --num=10000", "overwrite");
  ExpectRuns(
      "./db_bench --benchmarks=\"fillseq,readseq,fillrandom,readrandom\" \\\n"
      "           --num=10000 --value_size=100",
      "fillseq,readseq,fillrandom,readrandom");
}

TEST_F(DbBench, TheGuidesTableOfNamesRuns) {
  const std::string names =
      "fillseq,fillrandom,fill100K,overwrite,fillsync,fillbatch,readseq,readreverse,readrandom,"
      "readmissing,readhot,compact,crc32c,snappycomp,snappyuncomp";
  ExpectRuns("./db_bench --num=10000 --benchmarks=" + names, names);
  EXPECT_THAT(Names(LinesOf("./db_bench --num=10000 --benchmarks=fillrandom,readwhilewriting,"
                            "readwhilescanning")),
              testing::IsSupersetOf({"fillrandom", "readwhilewriting", "readwhilescanning"}));
  EXPECT_THAT(Shell("./db_bench --num=10000 --benchmarks=readrandomwriterandom").out,
              testing::ContainsRegex("readrandomwriterandom : .*micros/op; \\( reads:[0-9]+ "
                                     "writes:[0-9]+ total:[0-9]+ found:[0-9]+\\)"));
}

TEST_F(DbBench, TheGuidesTableOfFlagsIsTaken) {
  ExpectRuns(
      "./db_bench --benchmarks=fillseq --num=1000 --value_size=100 --key_size=16 "
      "--db=/tmp/leveldb_bench --cache_size=8388608 --bloom_bits=0 --write_buffer_size=4194304 "
      "--max_open_files=1000 --compression=1 --threads=1 --histogram=0 --sync=0",
      "fillseq");
}

TEST_F(DbBench, TheGuidesScenariosRun) {
  ExpectRuns(
      "./db_bench --benchmarks=fillseq --num=10000 \\\n"
      "           --value_size=100 --db=/tmp/bench_seq",
      "fillseq");
  ExpectRuns("./db_bench --benchmarks=fillrandom --num=10000 --value_size=100 --db=/tmp/bench_read",
             "fillrandom");
  for (const std::string words : {"--benchmarks=readseq", "--benchmarks=readrandom",
                                  "--benchmarks=readrandom --bloom_bits=10"}) {
    const std::vector<std::string> lines =
        LinesOf("./db_bench --num=10000 --db=/tmp/bench_read --use_existing_db=1 " + words);
    ASSERT_EQ(Names(lines).size(), 1u) << words;
    if (words.find("readrandom") == std::string::npos) continue;
    EXPECT_THAT(lines.back(), HasSubstr("(10000 of 10000 found)"));
  }
  ExpectRuns(
      "./db_bench --benchmarks=readrandom --num=10000 --cache_size=536870912 "
      "--db=/tmp/bench_largecache",
      "readrandom");
  ExpectRuns(
      "./db_bench --benchmarks=\"fillseq,readseq\" --num=10000 \\\n"
      "           --compression=0 --db=/tmp/bench_nocomp",
      "fillseq,readseq");
  ExpectRuns("./db_bench --benchmarks=\"fillseq,readseq\" --num=10000 --compression=1 --db=/tmp/s",
             "fillseq,readseq");
}

TEST_F(DbBench, TheGuidesHistogramHasItsPercentiles) {
  const Ending ending = Shell("./db_bench --benchmarks=readrandom --num=20000 --histogram=1");
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_THAT(ending.out,
              AllOf(HasSubstr("Microseconds per op:\n"), HasSubstr("Percentiles:\n"),
                    HasSubstr("  P50: "), HasSubstr("  P99: "), HasSubstr("  P99.9: ")));
}

TEST_F(DbBench, TheGuidesExperimentsRun) {
  const std::vector<std::string> write_buffers = LinesOf(
      "for size in 4194304 16777216 67108864 268435456; do\n"
      "    echo \"=== write_buffer_size = $size ===\"\n"
      "    ./db_bench --benchmarks=fillrandom --num=5000 \\\n"
      "               --write_buffer_size=$size --db=/tmp/bench_wb$size || exit 1\n"
      "done");
  EXPECT_EQ(Names(write_buffers).size(), 4u);
  const std::vector<std::string> blooms = LinesOf(
      "for bits in 0 10 14; do ./db_bench --benchmarks=readrandom --num=5000 "
      "--bloom_bits=$bits --db=/tmp/bench_bloom$bits || exit 1; done");
  EXPECT_EQ(Names(blooms).size(), 3u);
}

// The guide's second experiment reads stores that nothing has filled. LevelDB refuses them as well;
// what can be read once they are filled is read.
TEST_F(DbBench, TheGuidesCacheExperimentSaysThatItsStoresAreMissingUntilTheyAreFilled) {
  const std::string read =
      "./db_bench --benchmarks=readrandom --num=5000 --cache_size=8388608 --use_existing_db=1 "
      "--db=/tmp/bench_cache8388608";
  const Ending missing = Shell(read);
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, AllOf(HasSubstr("bench_cache8388608"), HasSubstr("no store")));
  EXPECT_FALSE(fs::exists(path() + "/tmp/bench_cache8388608"));
  ExpectRuns("./db_bench --benchmarks=fillrandom --num=5000 --db=/tmp/bench_cache8388608",
             "fillrandom");
  ExpectRuns(read, "readrandom");
}

// LevelDB's own list of names, and the commands of the wiki page, in the seed that quotes them.

TEST_F(DbBench, LevelDbsListOfNamesRuns) {
  const std::string names =
      "fillseq,fillrandom,overwrite,fillsync,fill100K,fillrandom,deleteseq,fillrandom,deleterandom,"
      "fillrandom,readseq,readreverse,readrandom,readmissing,readhot,seekrandom,open,crc32c,"
      "acquireload,compact";
  ExpectRuns("./db_bench --num=10000 --benchmarks=" + names, names);
}

TEST_F(DbBench, StatsAndSstablesTellWhatTheEngineHas) {
  for (const auto& [engine, text] : std::vector<std::pair<std::string, std::string>>{
           {"leveldb", "Compactions"}, {"rocksdb", "DB Stats"}, {"lmdb", "epth"}}) {
    const Ending ending =
        Shell("./db_bench --num=1000 --benchmarks=fillseq,stats,sstables --engine=" + engine);
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    EXPECT_THAT(ending.out, HasSubstr(text)) << engine;
  }
}

TEST_F(DbBench, ComparisonsAreCountedForEachBenchmark) {
  const Ending ending =
      Shell("./db_bench --num=1000 --benchmarks=fillrandom,readseq,readrandom --comparisons=1");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const std::regex line("Comparisons: ([0-9]+)\n");
  std::vector<uint64_t> counts;
  for (std::sregex_iterator it(ending.out.begin(), ending.out.end(), line), end; it != end; ++it) {
    counts.push_back(std::stoull((*it)[1]));
  }
  ASSERT_EQ(counts.size(), 3u) << ending.out;
  EXPECT_GT(counts[0], 1000u) << "a thousand keys are put in order";
  EXPECT_LT(counts[1], counts[2]) << "a scan compares less than a thousand searches";
}

TEST_F(DbBench, AHeapProfileNeedsAnAllocatorThatCanAndSaysWhich) {
  const Ending ending = Shell("./db_bench --num=1000 --benchmarks=fillseq,heapprofile");
  EXPECT_THAT(ending.out,
              AllOf(HasSubstr("heapprofile"), HasSubstr("unsupported"), HasSubstr("LD_PRELOAD")));
}

TEST_F(DbBench, TheWikisCommandsRun) {
  ExpectRuns("./db_bench --num=5000 --benchmarks=\"fillseq\"", "fillseq");
  ExpectRuns("./db_bench --num=5000 --benchmarks=\"readrandom\" --use_existing_db", "readrandom");
  ExpectRuns("./db_bench --num=5000 --benchmarks=\"fillseq,readrandom,readseq\"",
             "fillseq,readrandom,readseq");
}

// The programs of the seed with the run of 2016.

TEST_F(DbBench, CTestRunsAsPublished) {
  const std::vector<std::string> lines = LinesOf("./c_test");
  std::vector<std::string> tests;
  for (const std::string& line : lines) {
    if (line.starts_with("=== Test ")) tests.push_back(line.substr(9));
  }
  EXPECT_EQ(tests, Split("create_objects,destroy,open_error,leveldb_free,open,put,compactall,"
                         "compactrange,writebatch,iter,approximate_sizes,property,snapshot,repair,"
                         "filter,cleanup"));
  EXPECT_EQ(lines.back(), "PASS");
}

// The same commands in RocksDB's words, in which the seed's second half has them.

TEST_F(DbBench, RocksDbsDefaultListRunsToItsEnd) {
  const std::vector<std::string> lines = LinesOf("./db_bench --engine=rocksdb --num=5000");
  ASSERT_GE(lines.size(), 14u);
  EXPECT_EQ(lines[0], "Keys:       16 bytes each (+ 0 bytes user-defined timestamp)");
  EXPECT_EQ(lines[1], "Values:     100 bytes each (50 bytes after compression)");
  EXPECT_EQ(lines[3], "Prefix:    0 bytes");
  for (const char* const line : {"Write rate: 0 bytes/second", "Read rate: 0 ops/second",
                                 "Compression: Snappy", "Memtablerep: SkipListFactory"}) {
    EXPECT_NE(std::ranges::find(lines, line), lines.end()) << line;
  }
  EXPECT_EQ(Names(lines), Split("fillseq,readrandom,readseq,readreverse,overwrite"));
}

TEST_F(DbBench, RocksDbsCommandsOfTheWikiRun) {
  const std::string program = "./db_bench --engine=rocksdb --num=5000 ";
  ExpectRuns(program + "--benchmarks=\"fillseq\"", "fillseq");
  ExpectRuns(program + "--benchmarks=\"fillseq,readrandom,readseq\"", "fillseq,readrandom,readseq");
  const RocksDbLine line =
      LineOf(LinesOf(program + "--benchmarks=\"readrandom\" --use_existing_db"), "readrandom");
  EXPECT_EQ(line.operations, 5000u);
  EXPECT_THAT(line.message, HasSubstr("MB/s (5000 of 5000 found)"));
  const Ending statistics = Shell(program + "--benchmarks=\"fillseq,stats\" --statistics");
  EXPECT_EQ(statistics.exit_code, 0) << statistics.err;
  EXPECT_THAT(statistics.out, AllOf(HasSubstr("rocksdb.number.keys.written COUNT : 5000"),
                                    HasSubstr("** DB Stats **")));
  // Of each benchmark by itself: not of both since the store was opened.
  const Ending twice =
      Shell(program + "--benchmarks=readrandom,readrandom --use_existing_db --statistics");
  EXPECT_EQ(twice.exit_code, 0) << twice.err;
  const std::string once = "rocksdb.number.keys.read COUNT : 5000\n";
  EXPECT_THAT(twice.out, HasSubstr(once));
  EXPECT_NE(twice.out.find(once), twice.out.rfind(once)) << "the second is not 5000";
}

TEST_F(DbBench, RocksDbsListOfNamesRuns) {
  const std::string program = "./db_bench_rocksdb --num=5000 ";
  EXPECT_THAT(Names(LinesOf(program + "--threads=2 --benchmarks=fillseq,readwhilewriting")),
              testing::ElementsAre("fillseq", "readwhilewriting", "writer"));
  EXPECT_THAT(
      LineOf(LinesOf(program + "-benchmarks=readrandomwriterandom -threads=2 "
                               "-readwritepercent=50 -use_existing_db"),
             "readrandomwriterandom")
          .message,
      testing::ContainsRegex(
          "\\( reads:[45][0-9]+ writes:[45][0-9]+ total:10000 found:[45][0-9]+\\)"));
  const std::string names =
      "fillrandom,overwrite,fillsync,fill100K,fillrandom,deleteseq,fillrandom,deleterandom,"
      "fillrandom,readseq,readreverse,readrandom,readmissing,readhot,seekrandom,open,crc32c,"
      "acquireload,compact,fillbatch";
  ExpectRuns(program + "--benchmarks=" + names, names);
}

TEST_F(DbBench, RocksDbsLineIsConsistentWithItself) {
  const RocksDbLine line = LineOf(
      LinesOf("./db_bench --engine=rocksdb --num=200000 --threads=2 --benchmarks=fillrandom"),
      "fillrandom");
  EXPECT_EQ(line.operations, 400'000u) << "of each thread, as in the original";
  EXPECT_NEAR(line.rate * line.seconds, 400'000, 400'000 * 0.01);
  // Two threads' time over all operations is at most twice what passed.
  EXPECT_LE(line.micros * 400'000 * 1e-6, 2 * line.seconds * 1.01);
  EXPECT_GE(line.micros * 400'000 * 1e-6, line.seconds * 0.99);
}

TEST_F(DbBench, RocksDbsHistogramHasItsShape) {
  const Ending ending = Shell(
      "./db_bench --engine=rocksdb --num=20000 --histogram --benchmarks=fillseq,readrandom,"
      "seekrandom");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  for (const std::string what : {"write", "read", "seek"}) {
    EXPECT_THAT(ending.out, testing::ContainsRegex(
                                "Microseconds per " + what +
                                ":\nCount: 20000 Average: [0-9.]+  StdDev: [0-9.]+\nMin: [0-9.]+  "
                                "Median: [0-9.]+  Max: [0-9.]+\nPercentiles: P50: [0-9.]+ P75: "
                                "[0-9.]+ P99: [0-9.]+ P99.9: [0-9.]+ P99.99: n/a\n-+\n[[(] "));
  }
}

TEST_F(DbBench, RocksDbsOptionsAreTheEnginesAndWhatIsNoneIsRefused) {
  const std::string program = "./db_bench --engine=rocksdb --num=1000 --benchmarks=fillseq ";
  ExpectRuns(program +
                 "--max_background_jobs=4 -target_file_size_base 1048576 --nosync "
                 "--use_direct_reads=false --compression_type=none --subcompactions=2",
             "fillseq");
  for (const auto& [words, message] : std::vector<std::pair<std::string, std::string>>{
           {"--no_such_option=4", "no_such_option"},
           {"--max_background_jobs=four", "max_background_jobs=four"},
           {"--use_existing_keys", "--use_existing_keys=1: 0 is accepted"},
           {"--compat=exact", "no stream to repeat"},
           {"'--benchmarks=fillseq[X0]'", "name[X5-W1]"},
           {"--sync --disable_wal", "no log to sync"}}) {
    const Ending ending = Shell("./db_bench --engine=rocksdb --db=/tmp/refused " + words);
    EXPECT_EQ(ending.exit_code, 2) << words;
    EXPECT_THAT(ending.err, HasSubstr(message)) << words;
    EXPECT_FALSE(fs::exists(path() + "/tmp/refused")) << words;
  }
}

TEST_F(DbBench, RocksDbsHelpIsThatOfItsDialect) {
  EXPECT_THAT(Shell("./db_bench --engine=rocksdb --help").out,
              AllOf(HasSubstr("--compression_type"), HasSubstr("--benchmark_write_rate_limit")));
}

TEST_F(DbBench, StatisticsLinesComeAfterTheirTime) {
  const Ending ending = Shell(
      "./db_bench --engine=rocksdb --num=1000 --duration=1.5 --benchmarks=readrandom "
      "--stats_interval_seconds=0.5");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.err, testing::ContainsRegex("ops/second in \\(0\\.[5-9][0-9]+,"));
}

TEST_F(DbBench, TheIntervalReportHasEveryBenchmarkAndAllOfItsOperations) {
  const std::string command =
      "./db_bench --engine=rocksdb --num=100000 --benchmarks=fillseq,readrandom "
      "--report_file=/tmp/report.csv --report_interval_seconds=0.1";
  ASSERT_EQ(Shell("mkdir -p /tmp/ && " + command).exit_code, 0);
  std::ifstream file(path() + "/tmp/report.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "engine,benchmark,secs_elapsed,interval_seconds,operations,ops_per_second");
  std::map<std::string, double> operations;
  static const std::regex kLine("rocksdb,([a-z]+),[0-9.]+,([0-9.]+),([0-9]+),([0-9.]+)");
  for (std::smatch match; std::getline(file, line);) {
    ASSERT_TRUE(std::regex_match(line, match, kLine)) << line;
    operations[match[1]] += std::stod(match[3]);
    // The time is rounded to milliseconds.
    EXPECT_NEAR(std::stod(match[4]) * std::stod(match[2]), std::stod(match[3]),
                std::stod(match[4]) * 0.0006 + 1);
  }
  EXPECT_EQ(operations, (std::map<std::string, double>{{"fillseq", 1e5}, {"readrandom", 1e5}}));
  const Ending again = Shell(command);
  EXPECT_EQ(again.exit_code, 2) << "a report is not written over another";
  EXPECT_THAT(again.err, HasSubstr("report.csv"));
}

TEST_F(DbBench, RepetitionsAreIndependentAndToldTogether) {
  const std::vector<std::string> lines = LinesOf(
      "./db_bench --engine=rocksdb --num=5000 --seed=3 "
      "--benchmarks='fillrandom[X2],readrandom[X3-W1]'");
  EXPECT_EQ(Names(lines),
            Split("fillrandom,fillrandom,readrandom,readrandom,readrandom,readrandom"));
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  EXPECT_THAT(text, AllOf(HasSubstr("Warming up benchmark by running 1 times\nreadrandom"),
                          HasSubstr("found) (warm-up)\nRunning benchmark for 3 times\nreadrandom"),
                          testing::ContainsRegex("readrandom \\[AVG 2 runs\\] : [0-9]+ \\(.* [0-9]+"
                                                 "\\) ops/sec; +[0-9.]+ \\(.* [0-9.]+\\) MB/sec\n"),
                          HasSubstr("readrandom [AVG    3 runs] : "),
                          HasSubstr("readrandom [MEDIAN 3 runs] : ")));
  // Each has drawn keys of its own: the digests of what they read differ.
  std::ifstream file(ResultPath() + "/results.jsonl");
  std::set<std::string> digests;
  size_t reads = 0;
  static const std::regex kDigest("\"digest\":(\"?[0-9a-fx]+)");
  std::smatch match;
  for (std::string line; std::getline(file, line);) {
    if (line.find("\"workload\":\"readrandom\"") == std::string::npos) continue;
    ++reads;
    ASSERT_TRUE(std::regex_search(line, match, kDigest)) << line;
    digests.insert(match[1]);
  }
  EXPECT_EQ(reads, 4u);
  EXPECT_EQ(digests.size(), 4u);
}

// A store goes from Debian's own db_bench to ours and back; all of it is found each time.
class RocksDbExchange : public DbBench, public testing::WithParamInterface<int> {};

TEST_P(RocksDbExchange, TheirStoreReadsHereAndOursReadsThere) {
  const std::string shape = " --num=2000 --key_size=" + std::to_string(GetParam());
  const std::string all = "(2000 of 2000 found)";
  const std::string theirs = "/usr/bin/db_bench --db=/tmp/theirs" + shape;
  ASSERT_EQ(Shell("mkdir -p /tmp/ && " + theirs + " --benchmarks=fillseq").exit_code, 0);
  const std::string ours = "./db_bench --engine=rocksdb" + shape;
  const std::vector<std::string> read = LinesOf(
      ours + " --use_existing_db --db=/tmp/theirs --benchmarks=readrandom,readseq,readmissing");
  EXPECT_THAT(LineOf(read, "readrandom").message, HasSubstr(all));
  EXPECT_EQ(LineOf(read, "readseq").operations, 2000u);
  EXPECT_THAT(LineOf(read, "readmissing").message, HasSubstr("(0 of 2000 found)"));

  // Debian's 7.8.3 does not open what a later version has written.
  const std::string debians = "./db_bench --engine=rocksdb@system" + shape;
  ExpectRuns(debians + " --db=/tmp/ours --benchmarks=fillrandom", "fillrandom");
  const Ending there = Shell("/usr/bin/db_bench --use_existing_db --db=/tmp/ours/db" + shape +
                             " --benchmarks=readrandom,readseq");
  EXPECT_EQ(there.exit_code, 0) << there.err;
  EXPECT_THAT(there.out, AllOf(HasSubstr(all), HasSubstr(" 2000 operations")));
  EXPECT_THAT(LinesOf(debians + " --use_existing_db --db=/tmp/ours --benchmarks=readrandom").back(),
              HasSubstr(all));
}

INSTANTIATE_TEST_SUITE_P(KeySizes, RocksDbExchange, testing::Values(8, 16, 20),
                         [](const auto& test) { return std::to_string(test.param); });

// The ports' flags.

TEST_F(DbBench, ThePortsFlagsAreTaken) {
  const std::string runs = " --num=1000 --benchmarks=fillrandbatch,readrandom";
  for (const std::string command :
       {"./db_bench_sqlite3 --WAL_enabled=1 --num_pages=131072 --page_size=1024 --use_rowids=1",
        "./db_bench_sqlite3 --no_transaction",
        "./db_bench_mdb --metasync=1 --writemap=0 --readahead=0 --batch=100 --stats_interval=100",
        "./db_bench_mdb --intkey=1", "./db_bench_bdb --cache_size=134217728 --batch=10",
        "./db_bench_tree_db --compression=0 --cache_size=134217728 --page_size=1024"}) {
    EXPECT_EQ(Names(LinesOf(command + runs)), Split("fillrandbatch,readrandom")) << command;
  }
}

TEST_F(DbBench, TheWriterKeepsToItsRateAndHasALine) {
  const Ending ending = Shell(
      "./db_bench_mdb --num=1000 --reads=1000000 --duration=1 --writes_per_second=500 "
      "--benchmarks=fillseq,readwhilewriting");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_THAT(ending.out, testing::ContainsRegex("writer +: .*desired 500 ops/sec"));
}

// Bad input.

TEST_F(DbBench, MistakesAreToldBeforeAnythingIsMade) {
  for (const auto& [words, message] : std::vector<std::pair<std::string, std::string>>{
           {"--benchmarks=fillseq,fillsqe", "did you mean 'fillseq'?"},
           {"--nmu=5", "Invalid flag '--nmu=5'"},
           {"--num=0", "--num=0"},
           {"--threads=0", "--threads=0"},
           {"--num=-1", "--num=-1"},
           {"--num=12monkeys", "--num=12monkeys"},
           {"--engine=leveldbb", "did you mean 'leveldb'?"},
           {"--engine=leveldb,lmdb", "levelfield run"},
           {"--WAL_enabled=1", "db_bench_sqlite3"},
           {"fillseq", "Invalid flag 'fillseq'"},
           {"--compat=exactly", "exact"},
           {"--histogram=2", "--histogram"}}) {
    const Ending ending = Shell("./db_bench " + words);
    EXPECT_EQ(ending.exit_code, 2) << words;
    EXPECT_THAT(ending.err, AllOf(HasSubstr("db_bench: "), HasSubstr(message))) << words;
    EXPECT_EQ(ending.out, "") << words;
    EXPECT_THAT(Listing(), Not(testing::Contains(HasSubstr("results")))) << words;
    EXPECT_FALSE(fs::exists(path() + "/tmp")) << words;
  }
}

TEST_F(DbBench, HelpListsTheDialectsFlags) {
  EXPECT_THAT(Shell("./db_bench_mdb --help").out,
              AllOf(HasSubstr("--writemap"), HasSubstr("--num="), HasSubstr("fillrandibatch")));
}

TEST_F(DbBench, TheReportOfItsResultsIsTheSameText) {
  const Ending ending =
      Shell("./db_bench --num=2000 --benchmarks=fillseq,readrandom --histogram=1");
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  const Ending report = Run({"report", "--format=db_bench", ResultPath()});
  EXPECT_THAT(report.out, testing::EndsWith(ending.out));
}

}  // namespace
}  // namespace levelfield
