// The first screen of a result: workloads down, engines across, and who leads, in about forty lines
// that explain every sign they use. result_report.h has all other figures. The model holds only
// values, so that the terminal and the page can draw the same matrix. Pure.
#ifndef LEVELFIELD_REPORT_FIRST_SCREEN_H_
#define LEVELFIELD_REPORT_FIRST_SCREEN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "report/model.h"
#include "result/result.h"
#include "stats/slice_ratio.h"

namespace levelfield {

// One engine's figures for one workload, over all rounds.
struct ScreenFigure {
  std::optional<double> rate = {};  // Median operations a second. None: `instead` says why.
  std::optional<Interval> interval = {};
  // Share of the best rate in the workload, by the rounds that both ran in, as verdicts are.
  double share = 0;
  bool is_best = false;
  bool is_tied = false;       // It is not the best, but the rounds do not tell them apart.
  bool is_disturbed = false;  // Something else used the machine during a round.
  std::string instead = {};
  std::optional<uint64_t> p50_ns = {};
  std::optional<uint64_t> p99_ns = {};  // In an open loop, since the operation was due.
  std::optional<double> cpu_us = {};    // Per operation.
};

struct ScreenWorkload {
  std::string name;
  std::string operation = {};  // "get": its first kind of operation.
  uint64_t batch = 1;          // Operations for each latency.
  std::vector<ScreenFigure> figures = {};
  // The engine that is told apart from all others, if any.
  std::optional<size_t> leader = {};
};

struct FirstScreen {
  std::vector<std::string> engines;  // Stores. If there are none, the baseline engines.
  std::vector<ScreenWorkload> workloads = {};
  // Bytes on disk for each byte of keys and values, after the last workload that has them.
  std::vector<std::optional<double>> space = {};
  size_t rounds = 0;
  size_t disturbed = 0;       // The number of disturbed figures.
  bool is_in_slices = false;  // Some workload ran in slices, so fewer rounds suffice.
  size_t rounds_for_verdicts() const {
    return is_in_slices ? kLeastProcessPairs : kLeastRepetitions;
  }
  bool has_verdicts() const { return rounds >= rounds_for_verdicts(); }
};

FirstScreen FirstScreenOf(const Result& result, const ComparisonRules& rules);

// With the next commands to try, if the result's directory is known.
Report ScreenReport(const Result& result, const ComparisonRules& rules,
                    const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_FIRST_SCREEN_H_
