// What a phase did over time, as plain data. Ticks, about ten a second, count its threads'
// operations and are short enough to show a stall. Intervals, of --interval_seconds, have
// latencies. The space series is what its store took on the disk. Slices alternate with other
// workers.
#ifndef LEVELFIELD_RESULT_TIME_SERIES_H_
#define LEVELFIELD_RESULT_TIME_SERIES_H_

#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "result/fields.h"
#include "stats/histogram.h"

namespace levelfield {

// What the engine's own threads did when asked at the end of these ticks.
struct Activity {
  std::string name;
  // The first and the last tick of each run of ticks.
  std::vector<std::pair<uint64_t, uint64_t>> ticks;

  bool operator==(const Activity&) const = default;
  bool At(uint64_t tick) const {
    for (const auto& [first, last] : ticks) {
      if (first <= tick && tick <= last) return true;
    }
    return false;
  }
};

// Each tick begins where the previous one ends. The first begins with the phase.
struct Ticks {
  std::vector<uint64_t> end_ms;
  // For each role, the operations of each tick. Their sum is all that the role's threads did.
  std::vector<std::vector<uint64_t>> operations;
  std::optional<std::vector<Activity>> activities = {};  // Absent: the engine reports none.
  // For each tick, the bytes of pages that became dirty. Empty if the kernel does not tell.
  std::vector<uint64_t> dirtied_bytes = {};

  static constexpr Fields kFields{"a time series", Field("end_ms", &Ticks::end_ms),
                                  Field("operations", &Ticks::operations),
                                  Field("dirtied_bytes", &Ticks::dirtied_bytes).UnlessEmpty(),
                                  Field("activities", &Ticks::activities)};
  std::string Contradiction() const;  // Empty: the lists fit each other.
  bool operator==(const Ticks&) const = default;
  uint64_t BeginMs(size_t tick) const { return tick == 0 ? 0 : end_ms[tick - 1]; }
};

struct StatisticsInterval {
  std::string operation;
  SparseHistogram latency_ns;  // Calls that ended in the interval. Empty if the phase is untimed.
  // The same calls, from the time when each was due. Only in an open loop.
  std::optional<SparseHistogram> response_ns = {};

  static constexpr Fields kFields{"the statistics of an interval",
                                  Field("operation", &StatisticsInterval::operation),
                                  Field("latency_ns", &StatisticsInterval::latency_ns),
                                  Field("response_ns", &StatisticsInterval::response_ns)};
};

struct RoleInterval {
  std::string name;
  uint64_t operations = 0;  // As its threads had counted them at the interval's end.
  std::vector<StatisticsInterval> statistics;

  static constexpr Fields kFields{"a role of an interval", Field("name", &RoleInterval::name),
                                  Field("operations", &RoleInterval::operations),
                                  Field("lanes", &RoleInterval::statistics)};
};

struct PhaseInterval {
  uint64_t begin_ms = 0;  // Since the phase began.
  uint64_t end_ms = 0;
  std::vector<RoleInterval> roles;

  static constexpr Fields kFields{"an interval", Field("begin_ms", &PhaseInterval::begin_ms),
                                  Field("end_ms", &PhaseInterval::end_ms),
                                  Field("roles", &PhaseInterval::roles)};
  std::string Contradiction() const;
};

// The bytes allocated by the store's files at some moments: at most once a second, and less often
// if looking takes long.
struct SpaceSeries {
  std::vector<uint64_t> at_ms;  // Since the phase began.
  std::vector<uint64_t> allocated_bytes;

  static constexpr Fields kFields{"a time series", Field("at_ms", &SpaceSeries::at_ms),
                                  Field("allocated_bytes", &SpaceSeries::allocated_bytes)};
  std::string Contradiction() const;
  bool operator==(const SpaceSeries&) const = default;
};

// A phase measured in slices of some milliseconds, which alternate with the same phase of other
// workers on the same processors. Its n-th slice ran right beside the n-th slice of each of them.
// Values of the first role over all its threads. A value covers one slice, or several neighbours.
struct Slices {
  // Limits the number of values. An hour of slices would be a line of 10 MB.
  static constexpr size_t kMost = 4000;

  double seconds = 0;             // Planned length of a slice of one thread.
  uint64_t slices_per_value = 1;  // A power of 2. The last value may cover fewer.
  std::vector<uint64_t> operations;
  std::vector<uint64_t> active_ns;  // Time of its threads without frozen and waiting time.
  std::vector<uint64_t> cpu_ns;     // CPU time that they used in it.
  // The part of the active time in which they could have run, but other processes had the
  // processors.
  std::vector<uint64_t> kept_ns;

  static constexpr Fields kFields{"the slices of a phase",
                                  Field("seconds", &Slices::seconds),
                                  Field("slices_per_value", &Slices::slices_per_value),
                                  Field("operations", &Slices::operations),
                                  Field("active_ns", &Slices::active_ns),
                                  Field("cpu_ns", &Slices::cpu_ns),
                                  Field("kept_ns", &Slices::kept_ns)};
  static constexpr std::vector<uint64_t> Slices::*kLists[] = {
      &Slices::operations, &Slices::active_ns, &Slices::cpu_ns, &Slices::kept_ns};

  // Adds the slice of that number, from 0. `of_lists` has the order of the lists.
  void Add(uint64_t number, const std::array<uint64_t, std::size(kLists)>& of_lists) {
    const bool is_new = number % slices_per_value == 0;
    for (size_t i = 0; i < of_lists.size(); ++i) {
      std::vector<uint64_t>& list = this->*kLists[i];
      is_new ? list.push_back(of_lists[i]) : void(list.back() += of_lists[i]);
    }
    if (operations.size() == kMost && (number + 1) % slices_per_value == 0) MergeNeighbours();
  }
  // Half as many values, each of twice as many slices.
  void MergeNeighbours() {
    slices_per_value *= 2;
    for (const auto of : kLists) {
      std::vector<uint64_t>& list = this->*of;
      for (size_t i = 0; i < list.size(); ++i) {
        i % 2 == 0 ? void(list[i / 2] = list[i]) : void(list[i / 2] += list[i]);
      }
      list.resize((list.size() + 1) / 2);
    }
  }
  bool operator==(const Slices&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_TIME_SERIES_H_
