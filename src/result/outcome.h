// How a phase or a run ended, and the name of that in the result format and in reports. Pure.
#ifndef LEVELFIELD_RESULT_OUTCOME_H_
#define LEVELFIELD_RESULT_OUTCOME_H_

#include <optional>
#include <string_view>
#include <utility>

namespace levelfield {

// Every outcome but kOk voids the numbers.
enum class Outcome {
  kOk,
  kWrong,        // The engine answered, but not what the model requires.
  kFailed,       // The engine failed, died, hung, or could not be opened.
  kUnsupported,  // The engine cannot do this, for a reason.
  kInterrupted,  // Ctrl-C.
  kNotRun,       // Something before it failed.
  kInvalid,      // The conditions void it (the clock ran away), or it contradicts itself.
  kSkipped,      // It would have destroyed data to be kept.
  kStopped,      // It ended before it filled the disk.
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

// Nothing if no outcome has that name.
constexpr std::optional<Outcome> OutcomeOf(std::string_view its_name) {
  for (const auto& [value, name] : kOutcomeNames) {
    if (name == its_name) return value;
  }
  return std::nullopt;
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_OUTCOME_H_
