// What a phase did over time, as plain data. Ticks, about ten a second, count its threads'
// operations and are short enough to show a stall. Intervals, of --interval_seconds, have
// latencies. The space series is what its store took on the disk.
#ifndef LEVELFIELD_RESULT_TIME_SERIES_H_
#define LEVELFIELD_RESULT_TIME_SERIES_H_

#include <cstdint>
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

  static constexpr Fields kFields{"a lane of an interval",
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

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_TIME_SERIES_H_
