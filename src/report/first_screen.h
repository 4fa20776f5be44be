// The first screen of a result: workloads down, engines across, and who leads, in about forty lines
// that explain every sign they use. result_report.h has all other figures. Pure.
#ifndef LEVELFIELD_REPORT_FIRST_SCREEN_H_
#define LEVELFIELD_REPORT_FIRST_SCREEN_H_

#include <string>

#include "analysis/comparison.h"
#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// With the next commands to try, if the result's directory is known.
Report ScreenReport(const Result& result, const ComparisonRules& rules,
                    const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_FIRST_SCREEN_H_
