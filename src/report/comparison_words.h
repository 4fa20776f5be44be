// What the full report of a comparison and its screen say in the same words.
#ifndef LEVELFIELD_REPORT_COMPARISON_WORDS_H_
#define LEVELFIELD_REPORT_COMPARISON_WORDS_H_

#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "report/model.h"

namespace levelfield {

// "new against old".
std::string Pair(const Comparison& comparison);

// The difference that --noise lets nobody claim.
std::string NoiseWords(const ComparedWorkload& workload);

// "; stalls: 2 against 0": those that are too rare for the interval. Empty: there are none.
std::string StallWords(const ComparedWorkload& workload);
// The ratio, with a mark where the machine was busy.
Cell MarkedRatio(const ComparedWorkload& workload);

Cell MicrosCell(double us);

// What is said below the lines of one comparison.
std::vector<std::string> NotesOf(const Comparison& comparison);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COMPARISON_WORDS_H_
