// What stands above all tables: the name of the run, what was asked of every engine alike, and what
// is to be known of all of the result before any figure is read. Pure.
#ifndef LEVELFIELD_REPORT_HEADING_H_
#define LEVELFIELD_REPORT_HEADING_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "report/paper.h"
#include "result/result.h"

namespace levelfield {

// `sums` has one run for each of the series: all of its rounds put together.
std::string RenderHeading(const Result& sums, const std::vector<Series>& series,
                          const Paper& paper);

// "; these words"; nothing of none.
std::string AfterSemicolon(const std::string& words);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HEADING_H_
