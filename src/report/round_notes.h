// What is said of the rounds below a table, in a line of each engine for each thing: which of them
// are out of line or were disturbed, and what the figure comes to without those that moves most;
// which figures are unstable; and why there were so many rounds. Nothing of floors, whose rates
// nobody ranks. Pure.
#ifndef LEVELFIELD_REPORT_ROUND_NOTES_H_
#define LEVELFIELD_REPORT_ROUND_NOTES_H_

#include <string>
#include <vector>

#include "analysis/series.h"

namespace levelfield {

// `result` has settings; `series` are its rounds. A note is a paragraph without its line break.
std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_ROUND_NOTES_H_
