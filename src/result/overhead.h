// The harness's own cost: an operation on a baseline engine, which does nothing (null) or next to
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

// The baseline engines that are one: nothing at all, and the least that an ordered map costs.
inline constexpr std::string_view kBaselineEngines[] = {"null", "memory"};

struct Overhead {
  std::string engine;   // "null", "memory".
  uint64_t keys = 0;    // That its store had.
  double clock_ns = 0;  // The two readings around each operation; 0: unknown, or not read.
  // One operation of one thread of the first role, by workload.
  std::vector<std::pair<std::string, double>> workload_ns;

  static constexpr Fields kFields{
      "a price", Field("engine", &Overhead::engine), Field("keys", &Overhead::keys),
      Field("clock_ns", &Overhead::clock_ns), Field("workload_ns", &Overhead::workload_ns)};
  bool operator==(const Overhead&) const = default;
};

std::optional<double> NsOf(const Overhead& overhead, std::string_view workload);

// What an operation of the phase's first role took one thread; nothing for what ran no threads on a
// store, or did so little that the first touch of everything is most of its time.
std::optional<double> OperationNs(const PhaseResult& phase);

// Those that were measured for the result, and those that its own baseline engines are.
std::vector<Overhead> OverheadsOf(const Result& result);

// A phase of an engine takes less than this many times the overhead of null: the harness is a good
// part of its figure.
inline constexpr double kLeastTimesOverhead = 5;

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_OVERHEAD_H_
