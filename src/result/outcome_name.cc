#include "result/outcome_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace levelfield {
namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 9> kOutcomes{{
    {Outcome::kOk, "ok"},
    {Outcome::kWrong, "wrong"},
    {Outcome::kFailed, "failed"},
    {Outcome::kUnsupported, "unsupported"},
    {Outcome::kInterrupted, "interrupted"},
    {Outcome::kNotRun, "not run"},
    {Outcome::kInvalid, "invalid"},
    {Outcome::kSkipped, "skipped"},
    {Outcome::kStopped, "stopped"},
}};

}  // namespace

std::string_view OutcomeName(Outcome outcome) {
  return std::ranges::find(kOutcomes, outcome, &decltype(kOutcomes)::value_type::first)->second;
}

std::optional<Outcome> OutcomeOf(std::string_view name) {
  const auto it = std::ranges::find(kOutcomes, name, &decltype(kOutcomes)::value_type::second);
  if (it == kOutcomes.end()) return std::nullopt;
  return it->first;
}

}  // namespace levelfield
