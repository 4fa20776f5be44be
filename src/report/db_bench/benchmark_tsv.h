// The table of RocksDB's benchmark.sh, report.tsv: its columns, in its order and units, and the
// engine behind them; a row for each workload that is reported, of each engine. A cell is a number,
// or `-` (there is none) or `NA` (it is not known), for a reason that stands in the notes. Pure.
#ifndef LEVELFIELD_REPORT_DB_BENCH_BENCHMARK_TSV_H_
#define LEVELFIELD_REPORT_DB_BENCH_BENCHMARK_TSV_H_

#include <string>

#include "result/result.h"

namespace levelfield {

struct BenchmarkTsv {
  std::string header;  // One line.
  std::string rows;
  std::string notes;  // "test<TAB>engine<TAB>column<TAB>reason", a line each.
};

// Each column with its unit and what it is, a line each.
std::string BenchmarkTsvUnits();

// Without notes they are empty: of many rows they are most of the bytes.
BenchmarkTsv RenderBenchmarkTsv(const Result& result, bool with_notes = true);

// The row of a job that was not run on an engine: `-` in every column, with the reason.
BenchmarkTsv RenderNotRun(const std::string& test, const std::string& engine,
                          const std::string& job_id, const std::string& reason);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_BENCHMARK_TSV_H_
