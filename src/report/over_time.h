// What the tables say about a phase over time: where it stalled and why, since when it is steady,
// and how it began. Pure.
#ifndef LEVELFIELD_REPORT_OVER_TIME_H_
#define LEVELFIELD_REPORT_OVER_TIME_H_

#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// A cell of the table, and what a note says of it; empty: none.
struct OverTimeCell {
  std::string title;
  std::string cell;
  std::string note;
};

// One phase in all of its rounds, of which those that are not ok, or were not watched, say nothing.
std::vector<OverTimeCell> OverTime(const std::vector<const PhaseResult*>& rounds);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_OVER_TIME_H_
