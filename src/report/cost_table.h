// What each workload cost each engine, per operation and per byte (analysis/cost.h), as medians
// over the rounds. Pure.
#ifndef LEVELFIELD_REPORT_COST_TABLE_H_
#define LEVELFIELD_REPORT_COST_TABLE_H_

#include <vector>

#include "analysis/series.h"
#include "report/model.h"

namespace levelfield {

enum class CostDetail {
  kBrief,  // Processor time, bytes written per byte put, space: beside the tables of rates.
  kAll,    // Every definition, and the reasons for missing numbers.
};

// Adds nothing if no phase has any cost. `sums` are the series' own, one run for each.
void AddCosts(const Result& sums, const std::vector<Series>& series, CostDetail detail,
              Report& report);
// All costs of a result.
Report CostReport(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_COST_TABLE_H_
