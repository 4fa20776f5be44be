// What stands above all figures: the name of the run, what was asked of every engine alike, what is
// to be known of all of the result before any figure is read; and, in every form of report, that
// there are fewer figures than were planned, or that they are of different promises. Pure.
#ifndef LEVELFIELD_REPORT_HEADING_H_
#define LEVELFIELD_REPORT_HEADING_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// `sums` has one run for each of the series: all of its rounds put together.
void AddHeading(const Result& sums, const std::vector<Series>& series, Report& report);

// None where the result is whole and all stores keep the same promise, on a disk.
std::vector<std::string> BannerLines(const Result& result);
std::string BannerText(const Result& result);
void AddBanner(const Result& result, Report& report);

// "; these words"; nothing of none.
std::string AfterSemicolon(const std::string& words);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HEADING_H_
