// The first screen of a result: workloads down, engines across, who leads where, in about forty
// lines that explain every sign they use. All other figures are in result_report.h. The model has
// values alone, so the terminal and the page can draw the same matrix. Pure.
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

// One engine's figures of one workload, over all rounds.
struct ScreenFigure {
  std::optional<double> rate = {};  // Operations a second, the median. None: `instead` says why.
  std::optional<Interval> interval = {};
  double share = 0;  // Of the best rate of the workload.
  bool is_best = false;
  bool is_tied = false;       // The rounds do not tell it apart from the best, which it is not.
  bool is_disturbed = false;  // Something else used the machine meanwhile.
  std::string instead = {};
  std::optional<uint64_t> p50_ns = {};
  std::optional<uint64_t> p99_ns = {};  // In an open loop from when the operation was due.
  std::optional<double> cpu_us = {};    // To an operation.
};

struct ScreenWorkload {
  std::string name;
  std::string operation = {};  // "get": what it does first of all.
  uint64_t batch = 1;          // Operations to one latency.
  std::vector<ScreenFigure> figures = {};
  // The engine that is told apart from all others, if there is one.
  std::optional<size_t> leader = {};
  double lead = 0;  // How many times the rate of the next.
};

struct FirstScreen {
  std::vector<std::string> engines;        // Stores; where there is none, the baseline engines.
  std::vector<std::string> left_out = {};  // Baseline engines beside stores.
  std::vector<ScreenWorkload> workloads = {};
  // Bytes on disk for each byte of keys and values, after the last workload that tells.
  std::vector<std::optional<double>> space = {};
  size_t rounds = 0;
  size_t disturbed = 0;       // Figures that are.
  bool is_in_slices = false;  // Any workload is; then fewer rounds have verdicts.
  size_t rounds_for_verdicts() const {
    return is_in_slices ? kLeastProcessPairs : kLeastRepetitions;
  }
  bool has_verdicts() const { return rounds >= rounds_for_verdicts(); }
};

FirstScreen FirstScreenOf(const Result& result, const ComparisonRules& rules);

// With the commands that go on from here, if the result's directory is known.
Report ScreenReport(const Result& result, const ComparisonRules& rules,
                    const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_FIRST_SCREEN_H_
