// What the rules of a diagnosis look at, and how they write numbers (diagnosis.cc has their table).
#ifndef LEVELFIELD_ANALYSIS_DIAGNOSIS_CASE_H_
#define LEVELFIELD_ANALYSIS_DIAGNOSIS_CASE_H_

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "analysis/cost.h"
#include "analysis/diagnosis.h"
#include "analysis/series.h"
#include "base/units.h"

namespace levelfield {

// What a rule looks at.
struct Case {
  const Result& result;
  const Series& series;
  size_t index;              // Of the phase, in the plan.
  const PhaseResult& phase;  // Of the round in the middle.
  const std::map<std::string, std::string>& options;

  const RoleResult& role() const { return phase.roles.front(); }
  const LaneResult& lane() const { return role().lanes.front(); }
  bool reads_only() const { return !HasWritten(phase); }

  // What an option is set to: as it was given, else the plug-in's default; nothing where the engine
  // has no such option.
  std::optional<uint64_t> Bytes(const std::string& name) const {
    const auto it = options.find(name);
    if (it == options.end()) return std::nullopt;
    for (const auto& [key, value] : series.sum.settings) {
      if (key == name) return Parsed(value);
    }
    return Parsed(it->second);
  }

 private:
  static std::optional<uint64_t> Parsed(const std::string& text) {
    const StatusOr<uint64_t> bytes = ParseBytes(text);
    return bytes.ok() ? std::optional(*bytes) : std::nullopt;
  }
};

inline std::string Percent(double share) { return fmt::format("{:.0f} %", share * 100); }
inline std::string MiB(double bytes) { return fmt::format("{:.1f} MiB", bytes / (1 << 20)); }
inline std::string Micros(uint64_t ns) {
  return fmt::format("{:.1f} us", static_cast<double>(ns) * 1e-3);
}

// As it is typed: whole units where it is a whole number of them.
inline std::string Typed(uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair(30, 'G'), {20, 'M'}, {10, 'k'}}) {
    if (bytes != 0 && bytes % (uint64_t{1} << shift) == 0) {
      return fmt::format("{}{}", bytes >> shift, unit);
    }
  }
  return std::to_string(bytes);
}

// Rules: what is the matter by one of them, if it is.
using FindCause = std::optional<Finding>(const Case& of);

// diagnosis_of_writes.cc
FindCause WritesStandStill;
FindCause ProcessorIsBusyInTheBackground;
FindCause SyncsAreMostOfIt;
FindCause BackgroundSyncs;
FindCause DebtIsCarriedOver;

// diagnosis_of_stores.cc
FindCause MemoryIsHigh;
FindCause SpaceGrows;
FindCause MissesWithoutFilter;
FindCause WorkingSetIsLargerThanMemory;
FindCause CacheIsSmall;

// diagnosis_of_conditions.cc
FindCause OthersUsedTheMachine;
FindCause RoundsDiffer;
FindCause ReadsJitter;
FindCause RateIsNotKept;
FindCause HarnessIsMostOfIt;

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_DIAGNOSIS_CASE_H_
