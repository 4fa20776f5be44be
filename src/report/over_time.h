// The tables' statements about a phase over time: where it stalled and why, from when on it is
// steady, and how it began. Pure.
#ifndef LEVELFIELD_REPORT_OVER_TIME_H_
#define LEVELFIELD_REPORT_OVER_TIME_H_

#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// A cell of the table, and its note. Empty note: none.
struct OverTimeCell {
  std::string title;
  std::string cell;
  std::string note;
};

// One phase in all of its rounds. Rounds that are not ok, or were not watched, are ignored.
std::vector<OverTimeCell> OverTime(const std::vector<const PhaseResult*>& rounds);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_OVER_TIME_H_
