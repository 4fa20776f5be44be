#include "result/result.h"

#include <fmt/format.h>

#include <map>

namespace levelfield {

uint64_t WholeRounds(const std::vector<RunResult>& runs, uint64_t planned_runs) {
  struct Round {
    uint64_t done = 0;
    uint64_t given_up = 0;
  };
  std::map<uint64_t, Round> rounds;
  for (const RunResult& run : runs) {
    if (run.cut_off) continue;
    Round& round = rounds[run.round];
    ++round.done;
    if (run.outcome != Outcome::kOk && run.outcome != Outcome::kInvalid) ++round.given_up;
  }
  uint64_t whole = 0;
  uint64_t given_up = 0;
  for (const auto& [number, round] : rounds) {
    if (round.done + given_up < planned_runs) break;
    given_up += round.given_up;
    ++whole;
  }
  return whole;
}

std::string NotAppliedWords(const std::string& engine, const std::string& setting,
                            const std::string& why_not) {
  return fmt::format("{}: {} does not apply: {}", engine, setting, why_not);
}

std::vector<std::string> NotesOf(const RunResult& run) {
  std::vector<std::string> notes;
  for (const auto& [setting, why_not] : run.not_applied) {
    notes.push_back(NotAppliedWords(run.engine, setting, why_not));
  }
  notes.insert(notes.end(), run.notes.begin(), run.notes.end());
  return notes;
}

bool IsCutOff(const Result& result) {
  // Otherwise nothing is missing.
  return result.completion.end != Completion::End::kFinished &&
         result.completion.rounds < result.completion.most_rounds;
}

std::string CutOffWords(const Result& result) {
  if (!IsCutOff(result)) return "";
  const Completion& completion = result.completion;
  // With --precision there may be more rounds than the planned minimum.
  const std::string of = completion.rounds <= completion.planned_rounds
                             ? fmt::format(" of {}", completion.planned_rounds)
                             : "";
  const uint64_t counted = of.empty() ? completion.rounds : completion.planned_rounds;
  std::string why = "cut off: the program ended before the rest";
  if (completion.end == Completion::End::kInterrupted) why = "cut off: interrupted";
  if (completion.end == Completion::End::kFailed) why = "cut off: " + completion.message;
  if (completion.end == Completion::End::kCutOff && !completion.message.empty()) {
    why = completion.message;
  }
  return fmt::format("{}{} round{}; {}", completion.rounds, of, counted == 1 ? "" : "s", why);
}

}  // namespace levelfield
