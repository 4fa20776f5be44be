// What is said of the rounds below a table: which of them are out of line, what the figures come to
// without those, which figures are unstable, and why there were so many rounds. Pure.
#ifndef LEVELFIELD_REPORT_ROUND_NOTES_H_
#define LEVELFIELD_REPORT_ROUND_NOTES_H_

#include <string>
#include <vector>

#include "result/series.h"

namespace levelfield {

// `result` has settings; `series` are its rounds. A note is a paragraph without its line break.
std::vector<std::string> RoundNotes(const Result& result, const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_ROUND_NOTES_H_
