// What each workload cost each engine, to an operation and to a byte (analysis/cost.h): medians
// over the rounds. Pure.
#ifndef LEVELFIELD_REPORT_COST_TABLE_H_
#define LEVELFIELD_REPORT_COST_TABLE_H_

#include <string>
#include <vector>

#include "analysis/series.h"
#include "report/paper.h"

namespace levelfield {

enum class CostDetail {
  kBrief,  // Processor time, bytes written to a byte put, space: beside the tables of rates.
  kAll,    // Every definition, and why a number is not there.
};

// Empty where no phase has any cost. `sums` are the series' own, one run for each.
std::string RenderCosts(const Result& sums, const std::vector<Series>& series, CostDetail detail,
                        const Paper& paper);
// Of a result, all.
std::string RenderCosts(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COST_TABLE_H_
