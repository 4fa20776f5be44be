// The tables of rates: one for each family of workloads, with engines as columns. Below each rate
// stand its interval, latencies and remarks. Pure.
#ifndef LEVELFIELD_REPORT_RATE_TABLE_H_
#define LEVELFIELD_REPORT_RATE_TABLE_H_

#include <vector>

#include "analysis/findings/findings.h"
#include "report/model.h"

namespace levelfield {

struct RateTables {
  std::vector<Table> tables;
  bool has_charged = false;  // Some rate is shown with the time of settling as well.
};

// `sums` has one run for each of the findings' series: all of its rounds together. Cells get
// `marks`, besides those of the remarks.
RateTables RateTablesOf(const Result& sums, const Findings& findings, Marks& marks);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_RATE_TABLE_H_
