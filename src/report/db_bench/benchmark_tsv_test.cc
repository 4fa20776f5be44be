#include "report/db_bench/benchmark_tsv.h"

#include <algorithm>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/text.h"

namespace levelfield::benchmark_tsv_test {

// A phase of 1000 operations in two seconds, of which RocksDB counted 3 GiB of writes.
PhaseResult Phase() {
  PhaseResult phase;
  phase.workload = "overwrite";
  phase.outcome = Outcome::kOk;
  RoleResult role{.name = "writer",
                  .threads = 2,
                  .batch = 1,
                  .seconds = 2,
                  .thread_seconds = 4,
                  .statistics = {}};
  OperationStatistics stats;
  stats.operation = "put";
  stats.effects = kPuts;
  stats.operations = 1000;
  stats.bytes = 4 << 20;
  stats.latency_ns.emplace();
  for (int i = 0; i < 1000; ++i) stats.latency_ns->Add(2000);
  role.statistics.push_back(stats);
  phase.roles.push_back(role);
  phase.counters = {{"rocksdb.flush.write.bytes", uint64_t{1} << 30},
                    {"rocksdb.compact.write.bytes", uint64_t{2} << 30},
                    {"rocksdb.compaction.times.micros.sum", 2'500'000},
                    {"rocksdb.compaction.times.cpu_micros.sum", 1'500'000},
                    {"rocksdb.stall.micros", 500'000},
                    {"rocksdb.db.write.stall.count", 7},
                    {"rocksdb.blobdb.blob.file.bytes.read", 0},
                    {"rocksdb.blobdb.blob.file.bytes.written", 0}};
  phase.sizes = {{"table_bytes", uint64_t{1} << 29}, {"blob_bytes", 0}};
  phase.resources.emplace();
  phase.resources->user_seconds = 1.5;
  phase.resources->system_seconds = 0.25;
  phase.resources->peak_resident_bytes = uint64_t{1} << 28;
  return phase;
}

Result With(const PhaseResult& phase) {
  Result result;
  result.name = "overwrite.t2.s1";
  result.started = "2026-01-31T12:00:00Z";
  result.git = "0123456789ab";
  result.settings = {{"report_row", "overwrite"}, {"job_id", "7"}};
  RunResult run;
  run.engine = "rocksdb";
  run.version = "11.8.1";
  run.phases = {phase};
  result.runs = {run};
  return result;
}

std::string Cell(const BenchmarkTsv& tsv, const std::string& column) {
  const std::vector<std::string> header = Parts(LinesOf(tsv.header).front(), '\t');
  const std::vector<std::string> row = Parts(LinesOf(tsv.rows).front(), '\t');
  EXPECT_EQ(header.size(), row.size());
  const auto it = std::ranges::find(header, column);
  return it == header.end() ? "no column" : row.at(static_cast<size_t>(it - header.begin()));
}

TEST(BenchmarkTsv, EachColumnIsComputedFromThePhase) {
  const BenchmarkTsv tsv = RenderBenchmarkTsv(With(Phase()));
  EXPECT_EQ(Cell(tsv, "ops_sec"), "500");
  EXPECT_EQ(Cell(tsv, "mb_sec"), "2.0");
  EXPECT_EQ(Cell(tsv, "lsm_sz"), "0.500");
  EXPECT_EQ(Cell(tsv, "blob_sz"), "0.000");
  EXPECT_EQ(Cell(tsv, "c_wgb"), "3.000");
  EXPECT_EQ(Cell(tsv, "w_amp"), "3.0");
  EXPECT_EQ(Cell(tsv, "c_mbps"), "1536.0");
  EXPECT_EQ(Cell(tsv, "c_wsecs"), "2.5");
  EXPECT_EQ(Cell(tsv, "c_csecs"), "1.5");
  EXPECT_EQ(Cell(tsv, "usec_op"), "4000.000");
  EXPECT_EQ(Cell(tsv, "p50"), "2.00");
  EXPECT_EQ(Cell(tsv, "p99"), "2.00");
  EXPECT_EQ(Cell(tsv, "p99.9"), "NA");
  EXPECT_EQ(Cell(tsv, "pmax"), "2.00");
  EXPECT_EQ(Cell(tsv, "uptime"), "2.000");
  EXPECT_EQ(Cell(tsv, "stall%"), "25.0");
  EXPECT_EQ(Cell(tsv, "Nstall"), "7");
  EXPECT_EQ(Cell(tsv, "u_cpu"), "0.001500");
  EXPECT_EQ(Cell(tsv, "s_cpu"), "0.000250");
  EXPECT_EQ(Cell(tsv, "rss"), "0.250");
  EXPECT_EQ(Cell(tsv, "test"), "overwrite.t2.s1");
  EXPECT_EQ(Cell(tsv, "date"), "2026-01-31T12:00:00Z");
  EXPECT_EQ(Cell(tsv, "version"), "11.8.1");
  EXPECT_EQ(Cell(tsv, "job_id"), "7");
  EXPECT_EQ(Cell(tsv, "githash"), "0123456789ab");
  EXPECT_EQ(Cell(tsv, "engine"), "rocksdb");
}

TEST(BenchmarkTsv, PercentilesAreOfAllKindsOfOperations) {
  PhaseResult mix = Phase();
  OperationStatistics slow = mix.roles.front().statistics.front();
  slow.latency_ns.emplace();
  for (int i = 0; i < 100'000; ++i) slow.latency_ns->Add(8000);
  mix.roles.front().statistics.push_back(slow);
  EXPECT_EQ(Cell(RenderBenchmarkTsv(With(mix)), "p99"), "8.00");
}

TEST(BenchmarkTsv, ACellWithoutANumberHasAReason) {
  PhaseResult phase = Phase();
  phase.counters = {{"compaction_s", 3}, {"compaction_written_mb", 512}};  // As LevelDB counts.
  phase.sizes.clear();
  phase.resources.reset();
  phase.roles[0].statistics[0].latency_ns.reset();
  const BenchmarkTsv tsv = RenderBenchmarkTsv(With(phase));
  EXPECT_EQ(Cell(tsv, "c_wgb"), "0.500");
  EXPECT_EQ(Cell(tsv, "c_wsecs"), "3");
  for (const char* const column : {"lsm_sz", "blob_sz", "w_amp", "c_csecs", "b_rgb", "p50", "pmax",
                                   "stall%", "Nstall", "u_cpu", "rss"}) {
    const std::string cell = Cell(tsv, column);
    EXPECT_TRUE(cell == "-" || cell == "NA") << column << " " << cell;
    EXPECT_THAT(tsv.notes, HasSubstr(std::string("overwrite.t2.s1\trocksdb\t") + column + "\t"));
  }
}

TEST(BenchmarkTsv, AJobThatFailedHasARowOfItsOwn) {
  PhaseResult phase = Phase();
  phase.outcome = Outcome::kFailed;
  phase.message = "died by SIGSEGV";
  const BenchmarkTsv tsv = RenderBenchmarkTsv(With(phase));
  EXPECT_EQ(Cell(tsv, "ops_sec"), "NA");
  EXPECT_EQ(Cell(tsv, "rss"), "NA");
  EXPECT_EQ(Cell(tsv, "engine"), "rocksdb");
  EXPECT_THAT(tsv.notes, HasSubstr("all\tfailed: died by SIGSEGV"));
}

TEST(BenchmarkTsv, OtherWorkloadsOfAJobHaveNoRow) {
  PhaseResult stats;
  stats.workload = "stats";
  stats.outcome = Outcome::kOk;
  Result result = With(stats);
  result.runs[0].phases = {Phase(), stats};
  EXPECT_THAT(LinesOf(RenderBenchmarkTsv(result).rows), SizeIs(1));
  result.settings.clear();  // A plain run: all phases that have figures.
  result.runs[0].phases = {Phase(), stats};
  EXPECT_THAT(LinesOf(RenderBenchmarkTsv(result).rows), SizeIs(1));
  EXPECT_EQ(Cell(RenderBenchmarkTsv(result), "test"), "overwrite");
}

TEST(BenchmarkTsv, AnEngineThatDidNotGetSoFarHasARowOfDashes) {
  Result result = With(Phase());
  result.runs[0].phases.clear();
  result.runs[0].outcome = Outcome::kFailed;
  result.runs[0].message = "no room";
  const BenchmarkTsv tsv = RenderBenchmarkTsv(result);
  EXPECT_EQ(Cell(tsv, "ops_sec"), "-");
  EXPECT_EQ(Cell(tsv, "rss"), "-");
  EXPECT_EQ(Cell(tsv, "test"), "overwrite.t2.s1");
  EXPECT_EQ(Cell(tsv, "job_id"), "7");
  EXPECT_EQ(Cell(tsv, "engine"), result.runs[0].engine);
  EXPECT_THAT(tsv.notes, HasSubstr("\tall\tfailed: no room\n"));
}

TEST(BenchmarkTsv, AJobThatWasNotRunHasARowOfDashes) {
  const BenchmarkTsv tsv = RenderNotRun("readrandom.t1", "lmdb", "", "a\tb");
  EXPECT_EQ(tsv.header, RenderBenchmarkTsv({}).header);
  EXPECT_EQ(Parts(tsv.rows, '\t').size(), Parts(tsv.header, '\t').size());
  EXPECT_EQ(Cell(tsv, "engine"), "lmdb");
  EXPECT_EQ(Cell(tsv, "job_id"), "NA");
  EXPECT_EQ(std::count(tsv.notes.begin(), tsv.notes.end(), '\t'), 3) << tsv.notes;
}

TEST(BenchmarkTsv, EveryColumnHasAUnit) {
  const std::string units = BenchmarkTsvUnits();
  for (const std::string& column : Parts(Trim(RenderBenchmarkTsv({}).header), '\t')) {
    EXPECT_THAT("\n" + units, HasSubstr("\n" + column + "\t"));
  }
}

}  // namespace levelfield::benchmark_tsv_test
