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
// What that means.
inline constexpr const char* kStallsMeaning =
    "stalls: the candidate's against the baseline's, of 0.2 s or more with less than a tenth of the "
    "usual work; they are in the rates, but so rare that the interval does not cover them";

// The ratio, with a mark where the machine was busy.
Cell MarkedRatio(const ComparedWorkload& workload);

// What the mark means, and how many rows have it. Empty: none has.
std::string BusyWords(size_t disturbed, size_t rows);

Cell MicrosCell(double us);

// Warnings about the builds of the compared engines, once each.
std::vector<std::string> BuildWarningsOf(const std::vector<Comparison>& comparisons);

// What is said below the lines of one comparison.
std::vector<std::string> NotesOf(const Comparison& comparison);

// Says that so many rows are unresolved because others used the processors
// (ComparedWorkload::is_much_kept).
std::string KeptWords(size_t rows);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COMPARISON_WORDS_H_
