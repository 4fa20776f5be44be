#include "analysis/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/diagnosis_rules.h"
#include "analysis/series.h"
#include "result/load_verdict.h"

namespace levelfield {
namespace {

// What of a series has no figure because something failed, was stopped, was void or never ran:
// findings that come before all that is said of figures (diagnosis.h). Pure.

inline constexpr std::string_view kFailureRule = "failure";

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

// For a phase without a figure: whether something must be mended.
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

// One for each workload that failed by itself; those that could not run because of it stand in its
// evidence. What an engine cannot do is a failure only where it has no figure at all.
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

}  // namespace

using Json = nlohmann::ordered_json;

namespace {

// Whether others took so much of the machine that operations had to wait for it: rates and times
// are then the machine's as much as the engine's. Where the kernel tells of waits for a processor
// that is seen; else half of the processors' time has to be gone.
bool WasTaken(const Conditions& conditions) {
  constexpr double kMuchOthers = 0.5;
  constexpr double kSomeOthers = 0.05;
  constexpr double kMuchCpuWait = 0.25;
  constexpr double kMuchStolen = 0.1;
  const double others = conditions.others_share.value_or(0);
  return conditions.stolen_share.value_or(0) > kMuchStolen || others > kMuchOthers ||
         (others > kSomeOthers && conditions.cpu_wait_share.value_or(0) > kMuchCpuWait);
}

// What the machine did in the rounds that a finding rests on.
struct Machine {
  size_t rounds = 0;
  size_t taken = 0;      // By others.
  std::string by;        // In the first of those rounds.
  size_t late = 0;       // The load generator itself could not keep its times.
  size_t too_short = 0;  // To tell.

  void Add(const PhaseResult& phase) {
    ++rounds;
    if (!phase.roles.empty() && phase.roles.front().load) {
      late += phase.roles.front().load->verdict == kLoadLateGenerator ? 1 : 0;
    }
    if (!phase.conditions) return;
    if (WasTaken(*phase.conditions)) {
      if (taken++ == 0) by = DisturbancesOf(*phase.conditions).front();
    } else if (IsTooShortToTell(*phase.conditions)) {
      ++too_short;
    }
  }
};

// The middle round has the figures that rules look at; where no round has any, all count.
Machine MachineOf(const Series& series, size_t index, const PhaseResult* middle) {
  Machine machine;
  if (middle != nullptr) {
    machine.Add(*middle);
    return machine;
  }
  for (const RunResult* run : series.rounds) {
    if (index < run->phases.size()) machine.Add(run->phases[index]);
  }
  return machine;
}

// What a machine that was taken does by itself is not held against the engine.
void WeighAgainstTheMachine(const Machine& machine, Finding& finding) {
  const auto in_rounds = [&](size_t count, const std::string& what) {
    if (count == 0) return;
    finding.evidence.push_back(
        machine.rounds == 1 ? what
                            : fmt::format("in {} of {} rounds: {}", count, machine.rounds, what));
  };
  in_rounds(machine.taken, machine.by);
  in_rounds(machine.late, "the load generator itself was late");
  if (machine.taken + machine.late > 0) {
    finding.cause =
        (machine.taken > 0 ? "others had taken the machine, which does the same; or else: "
                           : "the machine was too slow for the load generator too; or else: ") +
        finding.cause;
    finding.confidence = Confidence::kLow;
    finding.advice = "end what else runs, and measure again before anything is changed";
    finding.change.reset();
    return;
  }
  in_rounds(machine.too_short, "it was too short to tell whether others used the machine");
  if (machine.too_short > 0 && finding.confidence == Confidence::kHigh) {
    finding.confidence = Confidence::kMedium;
  }
}

}  // namespace

std::string_view ConfidenceName(Confidence confidence) {
  switch (confidence) {
    case Confidence::kHigh:
      return "high";
    case Confidence::kMedium:
      return "medium";
    case Confidence::kLow:
      break;
  }
  return "low";
}

EngineOptions EngineOptionsIn(const Json& manifest) {
  // Only objects have members.
  const auto list = [](const Json& json, const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_array() ? *it : Json::array();
  };
  const auto text = [](const Json& json, const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  EngineOptions options;
  for (const Json& engine : list(manifest, "engines")) {
    for (const Json& option : list(engine, "options")) {
      options[text(engine, "spec")][text(option, "name")] = text(option, "default");
    }
  }
  return options;
}

std::vector<Finding> Diagnose(const Result& result, const EngineOptions& options) {
  static const std::map<std::string, std::string> kNone;
  std::vector<Finding> failures;
  std::vector<Finding> findings;
  for (const Series& series : SeriesOf(result)) {
    if (series.sum.is_baseline_engine) continue;
    std::ranges::move(FailuresOf(series), std::back_inserter(failures));
    const auto known = options.find(series.sum.engine);
    for (size_t i = 0; i < series.sum.phases.size(); ++i) {
      const PhaseResult* const middle = series.MiddleRound(i);
      const PhaseResult& phase = middle != nullptr ? *middle : series.sum.phases[i];
      if (phase.implicit || phase.roles.empty() || phase.roles.front().statistics.empty()) continue;
      const DiagnosisCase of{result, series, i, phase,
                             known != options.end() ? known->second : kNone};
      for (const DiagnosisRule& rule : AllDiagnosisRules()) {
        if (rule.needs_figure && middle == nullptr) continue;
        std::optional<Finding> finding = rule.find(of);
        if (!finding) continue;
        if (rule.may_be_the_machine) WeighAgainstTheMachine(MachineOf(series, i, middle), *finding);
        finding->rule = rule.name;
        finding->engine = series.sum.engine;
        finding->workload = phase.workload;
        findings.push_back(std::move(*finding));
      }
    }
  }
  std::ranges::move(findings, std::back_inserter(failures));
  return failures;
}

std::vector<std::string_view> DiagnosisRules() {
  std::vector<std::string_view> names = {kFailureRule};
  for (const DiagnosisRule& rule : AllDiagnosisRules()) names.push_back(rule.name);
  return names;
}

}  // namespace levelfield
