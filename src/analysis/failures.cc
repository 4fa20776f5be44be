#include "analysis/failures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "result/load_verdict.h"

namespace levelfield {
namespace {

// By words of the message, the first that fits; the engine, or the supervisor, says so itself.
struct KnownCause {
  std::string_view words;
  std::string_view cause;
  std::string_view advice;
};

constexpr KnownCause kKnown[] = {
    {"No space left on device", "the disk is full",
     "free some of it, or give --db= a directory of a larger disk; or fewer keys (--num) or "
     "smaller values"},
    {"disk full", "the disk is full",
     "free some of it, or give --db= a directory of a larger disk; or fewer keys (--num) or "
     "smaller values"},
    {"low space", "the disk has too little room for the store",
     "free some of it, or give --db= a directory of a larger disk; or fewer keys (--num) or "
     "smaller values"},
    {"out of memory: its limit", "the limit of memory is less than the engine needs",
     "a higher --memory; or a smaller --cache_size and --write_buffer_size, or fewer keys"},
    {"ran out of memory", "the machine ran out of memory",
     "end what else runs; or fewer keys, a smaller --cache_size, or --memory to see what the "
     "engine needs"},
    {"hung: no progress", "the engine hangs, or waits for longer than it may",
     "a longer --stall if it may take so long; else it is the engine's, or the disk's, to explain"},
    {"died by", "the engine's process died",
     "its last words are in the result; run it alone, with --keep, to look at its store"},
};

bool IsVerdictOfLoad(const PhaseResult& phase) {
  return !phase.roles.empty() && phase.roles.front().load &&
         phase.roles.front().load->verdict == kLoadNotSustainable;
}

// Of a phase without a figure: whether there is something to be mended.
bool IsBad(const PhaseResult& phase, bool has_figures) {
  switch (phase.outcome) {
    case Outcome::kOk:
      return false;
    case Outcome::kUnsupported:
    case Outcome::kSkipped:
      return !has_figures;
    case Outcome::kInvalid:
      return !IsVerdictOfLoad(phase);  // That the rate was not kept is a finding of its own.
    default:
      return true;
  }
}

// What is said of an outcome whose message is not known here.
struct Words {
  std::string_view symptom;
  std::string_view cause;  // Empty: the message is it.
  std::string_view advice;
};

Words WordsOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kWrong:
      return {"the engine gave wrong answers, so there is no figure",
              "the store lost or changed what it had acknowledged, or reads it wrongly",
              "run it again with --keep, and look at the store with `levelfield verify store`"};
    case Outcome::kInvalid:
      return {"the figure is void", "", "put right what is said there, and run it again"};
    case Outcome::kInterrupted:
      return {"it was interrupted before it had a figure", "somebody ended it", "run it again"};
    case Outcome::kStopped:
      return {"it was stopped before it had a figure", "", "put right what is said there"};
    case Outcome::kNotRun:
      return {"it did not run", "", "put right what is said there, and run it again"};
    case Outcome::kUnsupported:
    case Outcome::kSkipped:
      return {"the engine has no figure at all", "", "leave it out, or ask for what it can do"};
    default:
      return {"it failed, so there is no figure", "", "put right what is said there"};
  }
}

Finding FindingOf(Outcome outcome, const std::string& message) {
  const Words words = WordsOf(outcome);
  Finding finding;
  finding.rule = kFailureRule;
  finding.symptom = words.symptom;
  finding.cause = words.cause;
  finding.advice = words.advice;
  finding.confidence = Confidence::kHigh;
  for (const KnownCause& known : kKnown) {
    if (message.find(known.words) == message.npos) continue;
    finding.cause = known.cause;
    finding.advice = known.advice;
    break;
  }
  if (finding.cause.empty()) finding.cause = "as the evidence says";
  return finding;
}

// The bad phases of one workload, over all rounds.
struct Bad {
  const PhaseResult* first = nullptr;
  size_t rounds = 0;
  std::vector<std::string> after = {};  // Workloads that did not run because of it.
};

// By place in the plan.
std::vector<Bad> BadPhasesOf(const Series& series) {
  std::vector<Bad> all;
  for (const RunResult* const run : series.rounds) {
    const bool has_figures = std::ranges::any_of(
        run->phases, [](const PhaseResult& phase) { return phase.outcome == Outcome::kOk; });
    size_t failed = run->phases.size();  // The one that the others did not run because of.
    all.resize(std::max(all.size(), run->phases.size()));
    for (size_t i = 0; i < run->phases.size(); ++i) {
      const PhaseResult& phase = run->phases[i];
      if (!IsBad(phase, has_figures)) continue;
      if (phase.outcome == Outcome::kNotRun && failed < i) {
        std::vector<std::string>& after = all[failed].after;
        if (std::ranges::find(after, phase.workload) == after.end()) {
          after.push_back(phase.workload);
        }
        continue;
      }
      if (phase.outcome != Outcome::kInvalid) failed = i;
      if (all[i].first == nullptr) all[i].first = &phase;
      ++all[i].rounds;
    }
  }
  return all;
}

}  // namespace

std::vector<Finding> FailuresOf(const Series& series) {
  std::vector<Finding> findings;
  const auto rounds = [&](size_t bad) {
    return series.rounds.size() == 1
               ? ""
               : fmt::format("in {} of {} rounds: ", bad, series.rounds.size());
  };
  for (const Bad& bad : BadPhasesOf(series)) {
    if (bad.first == nullptr) continue;
    const std::string& message =
        bad.first->message.empty() ? series.sum.message : bad.first->message;
    Finding finding = FindingOf(bad.first->outcome, message);
    finding.workload = bad.first->workload;
    finding.evidence.push_back(rounds(bad.rounds) +
                               (message.empty() ? "no reason is in the result" : message));
    if (!bad.after.empty()) {
      finding.evidence.push_back(
          fmt::format("behind it did not run: {}", fmt::join(bad.after, ", ")));
    }
    findings.push_back(std::move(finding));
  }
  // A run that did not come to any workload.
  const bool is_bad_run =
      series.sum.outcome != Outcome::kOk &&
      std::ranges::all_of(series.rounds, [](auto* run) { return run->phases.empty(); });
  if (is_bad_run) {
    Finding finding = FindingOf(series.sum.outcome, series.sum.message);
    finding.evidence.push_back(rounds(series.rounds.size()) + (series.sum.message.empty()
                                                                   ? "no reason is in the result"
                                                                   : series.sum.message));
    findings.push_back(std::move(finding));
  }
  for (Finding& finding : findings) finding.engine = series.sum.engine;
  return findings;
}

}  // namespace levelfield
