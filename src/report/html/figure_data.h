// One engine's one workload over all rounds, as JSON for the page (page_data.h). Pure.
#ifndef LEVELFIELD_REPORT_HTML_FIGURE_DATA_H_
#define LEVELFIELD_REPORT_HTML_FIGURE_DATA_H_

#include <nlohmann/json.hpp>

#include "analysis/series.h"
#include "stats/sparse_histogram.h"

namespace levelfield {

// Of the phase with that place in the plan, which the series has.
nlohmann::json FigureData(const Series& series, size_t phase);

// Latencies over how rare they are: [nines, ns] pairs, ascending, where nines is -log10(1 - p). A
// point for each tenth of a nine as far as ten values lie beyond it, then the maximum.
nlohmann::json CurveOf(const SparseHistogram& latency_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HTML_FIGURE_DATA_H_
