// What is said of a benchmark's repetitions, in the words of RocksDB's db_bench: their mean with
// the 95 % interval of the mean by Student's t, and their median. Pure.
#ifndef LEVELFIELD_REPORT_DB_BENCH_REPEATS_H_
#define LEVELFIELD_REPORT_DB_BENCH_REPEATS_H_

#include <span>
#include <string>

#include "result/result.h"

namespace levelfield {

// Half the width of the 95 % interval of the mean; of at least two numbers.
double HalfInterval(std::span<const double> numbers);

// The lines in front of the line of the first warm-up, and of the first repetition.
std::string RepeatHeading(const PhaseResult& phase);

// The lines behind that of the last of `phases`, which are all that have ended so far.
std::string RepeatSummary(std::span<const PhaseResult> phases);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_DB_BENCH_REPEATS_H_
