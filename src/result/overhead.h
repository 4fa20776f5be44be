// The harness's own cost: an operation on a baseline engine that does nothing (null) or next to
// nothing (memory). Pure.
#ifndef LEVELFIELD_RESULT_OVERHEAD_H_
#define LEVELFIELD_RESULT_OVERHEAD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result/fields.h"

namespace levelfield {

struct PhaseResult;
struct Result;

// The baseline engines that measure overhead: one does nothing, the other does the least that an
// ordered map costs.
inline constexpr std::string_view kBaselineEngines[] = {"null", "memory"};

struct Overhead {
  std::string engine;  // "null", "memory".
  uint64_t keys = 0;   // In its store.
  // The two clock readings around each operation. 0: unknown, or the clock was not read.
  double clock_ns = 0;
  // Time of one operation of one thread of the first role, by workload.
  std::vector<std::pair<std::string, double>> workload_ns;

  static constexpr Fields kFields{
      "a price", Field("engine", &Overhead::engine), Field("keys", &Overhead::keys),
      Field("clock_ns", &Overhead::clock_ns), Field("workload_ns", &Overhead::workload_ns)};
  bool operator==(const Overhead&) const = default;
};

std::optional<double> NsOf(const Overhead& overhead, std::string_view workload);

// The time of one operation of one thread of the phase's first role. Nothing if the phase ran no
// threads on a store, or so few operations that first touches dominate.
std::optional<double> OperationNs(const PhaseResult& phase);

// The overheads measured for the result, and those of its own baseline engines.
std::vector<Overhead> OverheadsOf(const Result& result);

// If a phase takes less than this many times the overhead of null, the harness is a large part of
// its figure.
inline constexpr double kLeastTimesOverhead = 5;

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_OVERHEAD_H_
