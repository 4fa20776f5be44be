// Results in the words of db_bench: its header, a line for each benchmark, its histogram. Pure: the
// same result gives the same bytes, while it runs or a year later.
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

// As an engine was handed them: RunResult::settings.
using EngineSettings = std::vector<std::pair<std::string, std::string>>;

// MiB of keys and values, which the whole family calls MB, a second. None: the original's line has
// no such figure.
std::optional<double> MegabytesPerSecond(Lines lines, const RoleResult& role);

// What the original writes to standard error first: version, date, processor.
std::string DbBenchMachine(const Result& result, std::string_view engine, std::string_view version);
// Keys, values, entries, sizes, durability, warnings, the rule; and which of the two ways of
// measuring it is.
std::string DbBenchHeader(const Result& result, const std::string& engine,
                          const std::string& warning, const EngineSettings& settings);
// The line of the last of so many benchmarks that have ended, and what else it has to say. Empty
// for one that nobody asked for.
std::string DbBenchLines(const Result& result, const SharedList<PhaseResult>& phases, size_t ended);

// All of it, for `report --format=db_bench`.
std::string RenderDbBench(const Result& result);

// What is said of a benchmark's repetitions, in the words of RocksDB's db_bench: their mean with
// the 95 % interval of the mean by Student's t, and their median. Pure.

// Half the width of the 95 % interval of the mean; of at least two numbers.
double HalfInterval(std::span<const double> numbers);

// The lines in front of the line of the first warm-up, and of the first repetition.
std::string RepeatHeading(const PhaseResult& phase);

// The lines behind that of the last of so many `phases` that have ended so far: the mean of
// the rates, of their bytes a second where each line has them, and the 95 % interval around it; or
// with `interval_only` the interval's ends until the last repetition, as the original does.
std::string RepeatSummary(Lines lines, const SharedList<PhaseResult>& phases, size_t ended,
                          bool interval_only);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_TEXT_H_
