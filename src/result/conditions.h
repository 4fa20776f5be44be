// What the machine did to a phase that was not the phase's own doing: processors that the
// hypervisor gave to others, other processes, waits. Plain data, and the rule by which a phase
// counts as disturbed. Pure.
#ifndef LEVELFIELD_RESULT_CONDITIONS_H_
#define LEVELFIELD_RESULT_CONDITIONS_H_

#include <optional>
#include <string>
#include <vector>

namespace levelfield {

// Shares are from 0 to 1, over the time of the operations; absent where the kernel does not tell.
struct Conditions {
  double seconds = 0;                            // That they are of.
  std::optional<double> stolen_share = {};       // Of the processors' time: other guests,
  std::optional<double> others_share = {};       // and of it, other processes here.
  std::optional<double> cpu_wait_share = {};     // Of the time: some task waited for a processor,
  std::optional<double> io_wait_share = {};      // or for a device,
  std::optional<double> memory_wait_share = {};  // or for memory (PSI, `some`).
  std::optional<double> begin_mhz = {};          // Mean over the processors.
  std::optional<double> end_mhz = {};

  bool operator==(const Conditions&) const = default;
};

// Each in a few words, with its number; empty: the phase had the machine for itself, or it was too
// short for the kernel's counters, which move in hundredths of a second.
std::vector<std::string> DisturbancesOf(const Conditions& conditions);

// The same of a phase however short it was: coarse, but others that took nearly all are seen.
std::vector<std::string> CoarseDisturbancesOf(const Conditions& conditions);

// Whether it was too short to tell that nothing disturbed it.
bool IsTooShortToTell(const Conditions& conditions);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_CONDITIONS_H_
