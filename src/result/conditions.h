// What the machine did to a phase that the phase did not cause: processors that the hypervisor gave
// to others, other processes, waits. Plain data, and the rule by which a phase counts as disturbed.
// Pure.
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
// (probe/condition_probe.h); absent where the kernel does not tell.
struct Conditions {
  double seconds = 0;                            // That they are of.
  std::optional<double> stolen_share = {};       // Of the processors' time: other guests,
  std::optional<double> others_share = {};       // and of it, other processes here.
  std::optional<double> cpu_wait_share = {};     // Of the time: some task waited for a processor,
  std::optional<double> io_wait_share = {};      // or for a device,
  std::optional<double> memory_wait_share = {};  // or for memory (PSI, `some`).
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

// Each in a few words, with its number; empty: the phase had the machine for itself.
std::vector<std::string> DisturbancesOf(const Conditions& conditions);

// Whether they are of too short a time to tell that nothing disturbed the phase.
bool IsTooShortToTell(const Conditions& conditions);

// What the machine can do at best, measured beside a phase: no phase can have done more.
struct MachineLimits {
  // memcpy of one thread, of a block that fits its nearest cache.
  double copy_bytes_per_second = 0;
  // Appends of 4 KiB, each with an fdatasync, on the store's file system; 0: not tried, as the
  // phase has not to survive power cuts.
  uint64_t syncs = 0;
  double least_sync_seconds = 0;
  double median_sync_seconds = 0;
  double most_sync_seconds = 0;
  // The same of 4 KiB that are there already, written anew in place: what a store that recycles its
  // log has to pay. 0: not tried, or older than these members.
  uint64_t overwrites = 0;
  double least_overwrite_seconds = 0;
  double median_overwrite_seconds = 0;
  // What came to the device during all of those; absent where that was not counted, or older than
  // these members.
  std::optional<uint64_t> device_flushes = {};
  std::optional<uint64_t> device_writes = {};

  static constexpr Fields kFields{
      "the ceilings of a phase",
      Field("copy_bytes_per_second", &MachineLimits::copy_bytes_per_second),
      Field("syncs", &MachineLimits::syncs),
      Field("least_sync_seconds", &MachineLimits::least_sync_seconds),
      Field("median_sync_seconds", &MachineLimits::median_sync_seconds),
      Field("most_sync_seconds", &MachineLimits::most_sync_seconds),
      Field("overwrites", &MachineLimits::overwrites).Newer(),
      Field("least_overwrite_seconds", &MachineLimits::least_overwrite_seconds).With("overwrites"),
      Field("median_overwrite_seconds", &MachineLimits::median_overwrite_seconds)
          .With("overwrites"),
      Field("device_flushes", &MachineLimits::device_flushes),
      Field("device_writes", &MachineLimits::device_writes)};
  bool operator==(const MachineLimits&) const = default;
};

// Of both kinds; 0: not tried. A log that is recycled is overwritten in place, which may take less
// than an append.
inline double FastestSyncSeconds(const MachineLimits& limits) {
  return limits.overwrites == 0
             ? limits.least_sync_seconds
             : std::min(limits.least_sync_seconds, limits.least_overwrite_seconds);
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CONDITIONS_H_
