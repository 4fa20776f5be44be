// Which figures were measured while the machine was busy with something else, in words. Pure.
#ifndef LEVELFIELD_REPORT_CONDITIONS_TEXT_H_
#define LEVELFIELD_REPORT_CONDITIONS_TEXT_H_

#include <string>
#include <vector>

#include "analysis/series.h"

namespace levelfield {

// A paragraph for each engine that was disturbed, and one that explains the mark `~`.
std::vector<std::string> DisturbedLines(const std::vector<Series>& series);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CONDITIONS_TEXT_H_
