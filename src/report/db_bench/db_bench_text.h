// Results in the words of db_bench: its header, a line for each benchmark, its histogram. Pure: the
// same result gives the same bytes, during the run or a year later.
#ifndef LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_TEXT_H_
#define LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_TEXT_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/result.h"
#include "settings/dialects/dialect.h"

namespace levelfield {

// As passed to an engine: RunResult::settings.
using EngineSettings = std::vector<std::pair<std::string, std::string>>;

// MiB of keys and values a second, which the whole family calls MB. None: the original's line has
// no such figure.
std::optional<double> MegabytesPerSecond(Lines lines, const RoleResult& role);

// The original's first lines on standard error: version, date, processor.
std::string DbBenchMachine(const Result& result, std::string_view engine, std::string_view version);
// Keys, values, entries, sizes, durability, warnings, the rule, and which of the two ways of
// measuring was used.
std::string DbBenchHeader(const Result& result, const std::string& engine,
                          const std::string& warning, const EngineSettings& settings);
// The line of the last of the ended benchmarks, and its further words. Empty for a benchmark that
// nobody requested.
std::string DbBenchLines(const Result& result, const SharedList<PhaseResult>& phases, size_t ended);

// The whole text, for `report --format=db_bench`.
std::string RenderDbBench(const Result& result);

// The summary of a benchmark's repetitions in the words of RocksDB's db_bench: their mean with the
// 95 % interval of the mean by Student's t, and their median. Pure.

// Half the width of the 95 % interval of the mean. Needs at least two numbers.
double HalfInterval(std::span<const double> numbers);

// The lines before the line of the first warm-up, and of the first repetition.
std::string RepeatHeading(const PhaseResult& phase);

// The lines after that of the last of the ended `phases`: the mean of the rates, of their bytes a
// second if each line has them, and the 95 % interval around it. With `interval_only`, as in the
// original, only the interval's ends until the last repetition.
std::string RepeatSummary(Lines lines, const SharedList<PhaseResult>& phases, size_t ended,
                          bool interval_only);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_TEXT_H_
