// The table of RocksDB's benchmark.sh, report.tsv: its columns in its order and units, then the
// engine, with a row for each reported workload of each engine. A cell is a number, `-` (there is
// none) or `NA` (not known), and the notes have the reason. Pure.
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

// A line for each column with its unit and meaning.
std::string BenchmarkTsvUnits();

// Without `with_notes` the notes are empty. For many rows they are most of the bytes.
BenchmarkTsv RenderBenchmarkTsv(const Result& result, bool with_notes = true);

// The row of a job that did not run on an engine: `-` in every column, with the reason.
BenchmarkTsv RenderNotRun(const std::string& test, const std::string& engine,
                          const std::string& job_id, const std::string& reason);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_BENCHMARK_TSV_H_
