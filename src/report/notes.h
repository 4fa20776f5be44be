// What is said below the tables, a paragraph each: of rounds, of what else the machine did, and of
// what the harness itself costs. Pure.
#ifndef LEVELFIELD_REPORT_NOTES_H_
#define LEVELFIELD_REPORT_NOTES_H_

#include <string>
#include <vector>

#include "analysis/series.h"

namespace levelfield {

// For each engine a paragraph for each thing: which rounds are out of line or were disturbed, and
// what the figure comes to without those that moves most; which figures are unstable; and why there
// were so many rounds. Nothing of baselines, which nobody ranks. `result` has settings;
// `series` are its rounds.
std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& series);

// For each engine that was disturbed: in how many measurements, and by what at worst.
std::vector<std::string> DisturbedLines(const std::vector<Series>& series);

// What the harness itself costs, and which figures are too near to it; none where it is not known.
std::vector<std::string> OverheadLines(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_NOTES_H_
