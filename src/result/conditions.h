// What happened on the machine during a phase that the phase did not cause: stolen processor time,
// other processes, waits. Plain data, and the rule by which a phase counts as disturbed. Pure.
#ifndef LEVELFIELD_RESULT_CONDITIONS_H_
#define LEVELFIELD_RESULT_CONDITIONS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/fields.h"

namespace levelfield {

// Shares are from 0 to 1, over the time of the operations and what a short phase has before them
// (probe/condition_probe.h). Absent if the kernel does not tell.
struct Conditions {
  double seconds = 0;                            // The time that the shares refer to.
  std::optional<double> stolen_share = {};       // Processor time taken by other guests.
  std::optional<double> others_share = {};       // Processor time used by other processes here.
  std::optional<double> cpu_wait_share = {};     // Time in which some task waited for a processor
  std::optional<double> io_wait_share = {};      // or a device
  std::optional<double> memory_wait_share = {};  // or memory (PSI, `some`).
  std::optional<double> begin_mhz = {};          // Mean over the processors.
  std::optional<double> end_mhz = {};

  static constexpr Fields kFields{"the conditions of a phase",
                                  Field("seconds", &Conditions::seconds),
                                  Field("stolen_share", &Conditions::stolen_share),
                                  Field("others_share", &Conditions::others_share),
                                  Field("cpu_wait_share", &Conditions::cpu_wait_share),
                                  Field("io_wait_share", &Conditions::io_wait_share),
                                  Field("memory_wait_share", &Conditions::memory_wait_share),
                                  Field("begin_mhz", &Conditions::begin_mhz),
                                  Field("end_mhz", &Conditions::end_mhz)};
  bool operator==(const Conditions&) const = default;
};

// Each disturbance in a few words with its number. Empty: the phase had the machine for itself.
std::vector<std::string> DisturbancesOf(const Conditions& conditions);

// Whether the time was too short to rule out disturbances.
bool IsTooShortToTell(const Conditions& conditions);

// The machine's best, measured beside a phase. No phase can be faster.
struct MachineLimits {
  // memcpy by one thread of a block that fits its nearest cache.
  double copy_bytes_per_second = 0;
  // Appends of 4 KiB, each with an fdatasync, on the store's file system. 0: not tried, because the
  // phase need not survive power cuts.
  uint64_t syncs = 0;
  double least_sync_seconds = 0;
  double median_sync_seconds = 0;
  double most_sync_seconds = 0;
  // The same for 4 KiB that exist already and are overwritten: the cost for a store that recycles
  // its log. 0: not tried.
  uint64_t overwrites = 0;
  double least_overwrite_seconds = 0;
  double median_overwrite_seconds = 0;
  // What reached the device during all of them. Absent if it was not counted.
  std::optional<uint64_t> device_flushes = {};
  std::optional<uint64_t> device_writes = {};

  static constexpr Fields kFields{
      "the ceilings of a phase",
      Field("copy_bytes_per_second", &MachineLimits::copy_bytes_per_second),
      Field("syncs", &MachineLimits::syncs),
      Field("least_sync_seconds", &MachineLimits::least_sync_seconds),
      Field("median_sync_seconds", &MachineLimits::median_sync_seconds),
      Field("most_sync_seconds", &MachineLimits::most_sync_seconds),
      Field("overwrites", &MachineLimits::overwrites),
      Field("least_overwrite_seconds", &MachineLimits::least_overwrite_seconds).With("overwrites"),
      Field("median_overwrite_seconds", &MachineLimits::median_overwrite_seconds)
          .With("overwrites"),
      Field("device_flushes", &MachineLimits::device_flushes),
      Field("device_writes", &MachineLimits::device_writes)};
  bool operator==(const MachineLimits&) const = default;
};

// The faster of both kinds. 0: not tried. A recycled log is overwritten in place, which may be
// faster than an append.
inline double FastestSyncSeconds(const MachineLimits& limits) {
  return limits.overwrites == 0
             ? limits.least_sync_seconds
             : std::min(limits.least_sync_seconds, limits.least_overwrite_seconds);
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CONDITIONS_H_
