// How a phase, or a run, ended, and what that is called in the result format and in reports. Pure.
#ifndef LEVELFIELD_RESULT_OUTCOME_H_
#define LEVELFIELD_RESULT_OUTCOME_H_

#include <optional>
#include <string_view>
#include <utility>

namespace levelfield {

// Everything but kOk voids its numbers.
enum class Outcome {
  kOk,
  kWrong,        // The engine answered, but not what the model says it must.
  kFailed,       // The engine failed, died, hung, or could not be opened.
  kUnsupported,  // The engine cannot do this, for a reason.
  kInterrupted,  // Ctrl-C.
  kNotRun,       // Something before it failed.
  kInvalid,      // Measured under conditions that void it (the clock ran away), or contradictory.
  kSkipped,      // It would have destroyed what was to be kept.
  kStopped,      // Before it filled the disk.
};

inline constexpr std::pair<Outcome, std::string_view> kOutcomeNames[] = {
    {Outcome::kOk, "ok"},
    {Outcome::kWrong, "wrong"},
    {Outcome::kFailed, "failed"},
    {Outcome::kUnsupported, "unsupported"},
    {Outcome::kInterrupted, "interrupted"},
    {Outcome::kNotRun, "not run"},
    {Outcome::kInvalid, "invalid"},
    {Outcome::kSkipped, "skipped"},
    {Outcome::kStopped, "stopped"},
};

constexpr std::string_view OutcomeName(Outcome outcome) {
  for (const auto& [value, name] : kOutcomeNames) {
    if (value == outcome) return name;
  }
  return "unknown";
}

// Nothing for a name that no outcome has.
constexpr std::optional<Outcome> OutcomeOf(std::string_view its_name) {
  for (const auto& [value, name] : kOutcomeNames) {
    if (name == its_name) return value;
  }
  return std::nullopt;
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_OUTCOME_H_
