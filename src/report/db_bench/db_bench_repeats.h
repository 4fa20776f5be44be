// What is said of a benchmark's repetitions, in the words of RocksDB's db_bench: their mean with
// the 95 % interval of the mean by Student's t, and their median. Pure.
#ifndef LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_REPEATS_H_
#define LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_REPEATS_H_

#include <span>
#include <string>

#include "result/result.h"
#include "settings/dialects/dialect.h"

namespace levelfield {

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

#endif  // LEVELFIELD_REPORT_DB_BENCH_DB_BENCH_REPEATS_H_
