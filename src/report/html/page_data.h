// The data of report.html as JSON: each figure with its interval, latencies as curves, rates over
// time, costs, verdicts, and the words around them. Everything is computed here. The script of the
// page only draws, selects and sorts. Units are in the names: `_ns`, `_seconds`, `_bytes`. A share
// is from 0 to 1, and an unknown value is null. Pure.
//
//   {"results": [{"title", "started", "command", "version", "git", "machine", "conditions",
//     "settings", "warnings", "engines": [engine...], "workloads": [{"name", "family"}...],
//     "figures": [figure...], "verdicts": [verdict...], "pairs": [verdict...]}...],
//    "scaling": [{"engine", "workload", "points": [[threads, rate]...], "fit"}...]}
//
// Settings and conditions are [name, value] pairs.
// A figure covers one engine and one workload, by their indexes in those lists, over all rounds.
#ifndef LEVELFIELD_REPORT_HTML_PAGE_DATA_H_
#define LEVELFIELD_REPORT_HTML_PAGE_DATA_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "analysis/series.h"
#include "result/result.h"
#include "stats/histogram.h"

namespace levelfield {

// A result as a page shows it: with its verdicts, and the tables of the terminal.
struct ShownResult {
  const Result* result = nullptr;
  std::vector<Comparison> comparisons;  // The comparisons that its run asked for.
  std::string text;
  std::vector<Comparison> pairs = {};  // Every engine with every other.
};

nlohmann::json PageData(const std::vector<ShownResult>& results);

// One engine's one workload over all rounds, as JSON for the page (page_data.h). Pure.

// The series must have a phase at that place in the plan.
nlohmann::json FigureData(const Series& series, size_t phase);

// Latencies by rarity: [nines, ns] pairs, ascending, where nines is -log10(1 - p). One point for
// each tenth of a nine while ten values lie beyond it, then the maximum.
nlohmann::json CurveOf(const SparseHistogram& latency_ns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HTML_PAGE_DATA_H_
