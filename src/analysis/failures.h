// What of a series has no figure because something failed, was stopped, was void or never ran:
// findings that come before all that is said of figures (diagnosis.h). Pure.
#ifndef LEVELFIELD_ANALYSIS_FAILURES_H_
#define LEVELFIELD_ANALYSIS_FAILURES_H_

#include <string_view>
#include <vector>

#include "analysis/diagnosis.h"
#include "analysis/series.h"

namespace levelfield {

inline constexpr std::string_view kFailureRule = "failure";

// One for each workload that failed by itself; those that could not run because of it stand in its
// evidence. What an engine cannot do is a failure only where it has no figure at all.
std::vector<Finding> FailuresOf(const Series& series);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_FAILURES_H_
