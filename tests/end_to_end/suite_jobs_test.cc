// Every job of benchmark.sh once, by its name; what other engines lack is a row with the reason;
// and a job that fails leaves a row for each one behind it.
#include "suites.h"

namespace levelfield {
namespace {

struct Job {
  const char* name;
  const char* before;   // Jobs that come first, whose rows are before its own.
  const char* test;     // What its last row is called.
  const char* lacking;  // Engines that cannot do it, of leveldb, lmdb and sqlite3.
};
void PrintTo(const Job& job, std::ostream* out) { *out << job.name; }

constexpr const char* kFill = "fillseq_enable_wal";
constexpr const char* kAll = "leveldb lmdb sqlite3";
constexpr Job kJobs[] = {
    {"bulkload", "", "bulkload", ""},
    {"fillseq_disable_wal", "", "fillseq.wal_disabled.v400", ""},
    {"fillseq_enable_wal", "", "fillseq.wal_enabled.v400", ""},
    {"filluniquerandom", "", "filluniquerandom", ""},
    {"overwrite", kFill, "overwrite.t2.s0", ""},
    {"overwritesome", kFill, "overwritesome.t2.s0", ""},
    {"overwriteandwait", kFill, "overwriteandwait.t2.s0", ""},
    {"updaterandom", kFill, "updaterandom.t2.s0", ""},
    {"mergerandom", kFill, "mergerandom.t2.s0", kAll},
    {"readrandom", kFill, "readrandom.t2", ""},
    {"multireadrandom", kFill, "multireadrandom.t2", kAll},
    {"fwdrange", kFill, "fwdrange.t2", ""},
    {"revrange", kFill, "revrange.t2", ""},
    {"readwhilewriting", kFill, "readwhilewriting.t2", ""},
    {"readwhilemerging", kFill, "readwhilemerging.t2", kAll},
    {"fwdrangewhilewriting", kFill, "fwdrangewhilewriting.t2", ""},
    {"revrangewhilewriting", kFill, "revrangewhilewriting.t2", ""},
    {"fwdrangewhilemerging", kFill, "fwdrangewhilemerging.t2", kAll},
    {"revrangewhilemerging", kFill, "revrangewhilemerging.t2", kAll},
    {"randomtransaction", kFill, "randomtransaction.t5", "leveldb"},
    {"waitforcompaction", kFill, "waitforcompaction.t1", kAll},
    {"flush_mt_l0", kFill, "flush_mt_l0.t1", "leveldb"},
    {"universal_compaction", "", "universal_compaction.s16", kAll},
    {"readrandom", "debug,fillseq_enable_wal", "readrandom.t2", ""},
};

std::string ListOf(const Job& job) {
  return std::string(job.before) + (*job.before == '\0' ? "" : ",") + job.name;
}
std::string NameOf(const ::testing::TestParamInfo<Job>& info) {
  return (std::string(info.param.before).starts_with("debug") ? "debug_" : "") +
         std::string(info.param.name);
}

class EveryJob : public Suites, public ::testing::WithParamInterface<Job> {};

TEST_P(EveryJob, of_the_script_runs_on_RocksDB) {
  options_.environment = {{"DB_DIR", path() + "/db"},    {"WAL_DIR", path() + "/db"},
                          {"OUTPUT_DIR", "results"},     {"NUM_KEYS", "500"},
                          {"NUM_THREADS", "2"},          {"CACHE_SIZE", "8388608"},
                          {"WRITE_BUFFER_SIZE_MB", "1"}, {"STATS_INTERVAL_SECONDS", "0"},
                          {"DB_BENCH_NO_SYNC", "1"}};
  const Ending ending = RunScript(ListOf(GetParam()));
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  EXPECT_THAT(ending.err, Not(HasSubstr("unsupported")));
  EXPECT_THAT(ending.err, Not(HasSubstr("did you mean"))) << "every variable is one";
  ASSERT_GE(Rows().size(), 2u);
  const size_t last = Rows().size() - 1;
  EXPECT_EQ(Cell(last, "test"), GetParam().test);
  for (size_t row = 1; row <= last; ++row) {
    const std::string rate = Cell(row, "ops_sec");
    ASSERT_THAT(rate, testing::MatchesRegex("[0-9]+")) << Cell(row, "test");
    EXPECT_GT(std::stod(rate), 0) << Cell(row, "test");
  }
  if (std::string(GetParam().name) == "flush_mt_l0") {
    EXPECT_THAT(ending.out, HasSubstr("without the original's compact0, which moves"));
  }
}

TEST_P(EveryJob, runs_on_other_engines_or_says_what_they_lack) {
  const std::string engines = "leveldb,lmdb,sqlite3";
  const Ending ending =
      RunSuite(ListOf(GetParam()),
               {"--num=500", "--threads=2", "--engine=" + engines, "--durability=process"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err << ending.out;
  const std::string notes = ReadFile("results/report_notes.tsv");
  ASSERT_GE(Rows().size(), 4u);
  const std::string job = Cell(Rows().size() - 1, "test");
  for (size_t row = Rows().size() - 3; row < Rows().size(); ++row) {
    const std::string engine = Cell(row, "engine");
    EXPECT_EQ(Cell(row, "test"), job) << "of each engine one";
    const bool lacks = std::string(GetParam().lacking).find(engine) != std::string::npos;
    const bool is_number =
        Cell(row, "ops_sec").find_first_not_of("0123456789") == std::string::npos;
    EXPECT_EQ(is_number, !lacks) << engine << Cell(row, "ops_sec");
    if (!lacks) continue;
    const std::string note = job + "\t" + engine + "\tall\tunsupported: ";
    EXPECT_THAT(notes, testing::ContainsRegex(note + ".{20,}")) << engine;
  }
}

INSTANTIATE_TEST_SUITE_P(OfTheScript, EveryJob, ::testing::ValuesIn(kJobs), NameOf);

TEST_F(Suites, OfRocksDbAloneLeaveTheOthersARow) {
  const Ending ending =
      RunSuite("universal_compaction", {"--num=300", "--engine", "lmdb,rocksdb", "--job_id=j"});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  ASSERT_EQ(Rows().size(), 11u) << "five of each";
  EXPECT_EQ(Cell(1, "engine"), "rocksdb");
  EXPECT_GT(std::stod(Cell(1, "ops_sec")), 0);
  EXPECT_EQ(Cell(2, "engine"), "lmdb");
  EXPECT_EQ(Cell(2, "test"), Cell(1, "test"));
  EXPECT_EQ(Cell(2, "ops_sec"), "-");
  EXPECT_EQ(Cell(2, "githash"), "-");
  EXPECT_EQ(Cell(2, "job_id"), "j");
  EXPECT_THAT(ending.out,
              HasSubstr("job universal_compaction: lmdb: unsupported: no other engine"));
}

// The first leaves a store of 40 levels, which no other style of compaction opens.
TEST_F(Suites, AJobThatFailsLeavesARowForThoseBehindIt) {
  const Ending ending = RunSuite("universal_compaction,readrandom,overwrite,fwdrange",
                                 {"--num=300", "--threads=2", "--durability=process"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  ASSERT_EQ(Rows().size(), 9u);
  EXPECT_EQ(Cell(6, "test"), "readrandom.t2");
  EXPECT_EQ(Cell(6, "ops_sec"), "NA");
  const size_t columns = Split(Rows()[0], '\t').size();
  for (const auto& [row, test] :
       std::vector<std::pair<size_t, std::string>>{{7, "overwrite.t2.s1"}, {8, "fwdrange.t2"}}) {
    EXPECT_EQ(Cell(row, "test"), test);
    EXPECT_EQ(Cell(row, "engine"), "rocksdb");
    EXPECT_EQ(Split(Rows()[row], '\t').size(), columns);
    EXPECT_EQ(Cell(row, "ops_sec"), "-");
    EXPECT_EQ(Cell(row, "rss"), "-");
    const std::string why = test + "\trocksdb\tall\tnot run: job readrandom failed";
    EXPECT_THAT(ReadFile("results/report_notes.tsv"), HasSubstr(why));
    EXPECT_THAT(ending.out, HasSubstr(test + ": not run: job readrandom failed"));
  }
}

// The first is not for the engine, so that there is no store for those behind it.
TEST_F(Suites, AJobThatCannotBeginLeavesARowAsWell) {
  const Ending ending =
      RunSuite("universal_compaction,readrandom,fwdrange", {"--engine=lmdb", "--threads=2"});
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(InOneLine(ending.err), HasSubstr("job readrandom: "));
  ASSERT_EQ(Rows().size(), 8u);
  for (size_t row = 1; row <= 7; ++row) EXPECT_EQ(Cell(row, "ops_sec"), "-");
  EXPECT_EQ(Cell(6, "test"), "readrandom.t2");
  EXPECT_EQ(Cell(7, "test"), "fwdrange.t2");
  EXPECT_THAT(ReadFile("results/report_notes.tsv"),
              HasSubstr("fwdrange.t2\tlmdb\tall\tnot run: job readrandom: "));
}

TEST_F(Suites, AMisspeltVariableIsToldWithTheOneThatWasMeant) {
  options_.environment = {
      {"DB_DIR", "db"},          {"WAL_DIR", "db"},      {"NUM_KEYS", "200"},
      {"NUM_THREAD", "1"},       {"cache_size", "1000"}, {"COMPRESION_TYPE", "none"},
      {"CACHE_SIZE", "1048576"}, {"WINDOW_SIZE", "9"},   {"THREADS", "9"}};
  const Ending ending = RunScript("fillseq_enable_wal");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  for (const auto& [name, meant] :
       std::vector<std::pair<std::string, std::string>>{{"NUM_THREAD", "NUM_THREADS"},
                                                        {"cache_size", "CACHE_SIZE"},
                                                        {"COMPRESION_TYPE", "COMPRESSION_TYPE"}}) {
    EXPECT_THAT(ending.err, HasSubstr(name +
                                      " in the environment is no variable of the script and "
                                      "does nothing; did you mean " +
                                      meant + "?\n"));
  }
  EXPECT_THAT(ending.err, Not(HasSubstr("WINDOW_SIZE"))) << "somebody else's";
  EXPECT_THAT(ending.err, Not(HasSubstr("PATH")));
}

}  // namespace
}  // namespace levelfield
