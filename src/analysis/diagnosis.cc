#include "analysis/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "analysis/series.h"
#include "base/text.h"
#include "result/load_verdict.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// Finds failures: series without figures because something failed, was stopped, was void or never
// ran. They come before all findings about figures (diagnosis.h). Pure.

inline constexpr std::string_view kFailureRule = "failure";

struct KnownCause {
  FailureCause of;
  std::string_view cause;
  std::string_view advice;
};

constexpr std::string_view kMakeRoom =
    "free some space, give --db= a directory on a larger disk, or use fewer keys (--num) or "
    "smaller values";

constexpr KnownCause kKnown[] = {
    {FailureCause::kDiskFull, "the disk is full", kMakeRoom},
    {FailureCause::kLowSpace, "the disk has too little room for the store", kMakeRoom},
    {FailureCause::kMemoryLimit, "the memory limit is below the engine's need",
     "use a higher --memory, a smaller --cache_size and --write_buffer_size, or fewer keys"},
    {FailureCause::kMachineMemory, "the machine ran out of memory",
     "end other programs, use fewer keys or a smaller --cache_size, or find the engine's need with "
     "--memory"},
    {FailureCause::kHung, "the engine hangs, or waits longer than --stall allows",
     "use a longer --stall if that can take so long; otherwise the engine or the disk is at fault"},
    {FailureCause::kDied, "the engine's process died",
     "its last words are in the result; run it alone, with --keep, to look at its store"},
};

bool IsVerdictOfLoad(const PhaseResult& phase) {
  return !phase.roles.empty() && phase.roles.front().load &&
         phase.roles.front().load->verdict == LoadOutcome::kNotSustainable;
}

// For a phase without a figure: whether something must be fixed.
bool IsBad(const PhaseResult& phase, bool has_figures) {
  switch (phase.outcome) {
    case Outcome::kOk:
      return false;
    case Outcome::kUnsupported:
    case Outcome::kSkipped:
      return !has_figures;
    case Outcome::kInvalid:
      return !IsVerdictOfLoad(phase);  // A rate that was not kept is a finding of its own.
    default:
      return true;
  }
}

// The words for an outcome whose message is not known here.
struct Words {
  std::string_view symptom;
  std::string_view cause;  // Empty: the message is the cause.
  std::string_view advice;
};

Words WordsOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kWrong:
      return {"the engine gave wrong answers, so there is no figure",
              "the store lost or changed what it had acknowledged, or reads it wrongly",
              "run it again with --keep, and look at the store with `levelfield verify store`"};
    case Outcome::kInvalid:
      return {"the figure is void", "", "correct what the message says, and run it again"};
    case Outcome::kInterrupted:
      return {"it was interrupted before it had a figure", "it was stopped", "run it again"};
    case Outcome::kStopped:
      return {"it was stopped before it had a figure", "", "put right what is said there"};
    case Outcome::kNotRun:
      return {"it did not run", "", "correct what the message says, and run it again"};
    case Outcome::kUnsupported:
    case Outcome::kSkipped:
      return {"the engine has no figure at all", "",
              "leave it out, or ask for something that it supports"};
    default:
      return {"it failed, so there is no figure", "", "put right what is said there"};
  }
}

Finding FindingOf(Outcome outcome, FailureCause cause) {
  const Words words = WordsOf(outcome);
  Finding finding;
  finding.rule = kFailureRule;
  finding.symptom = words.symptom;
  finding.cause = words.cause;
  finding.advice = words.advice;
  finding.confidence = Confidence::kHigh;
  for (const KnownCause& known : kKnown) {
    if (known.of != cause) continue;
    finding.cause = known.cause;
    finding.advice = known.advice;
    break;
  }
  if (finding.cause.empty()) finding.cause = "as the evidence says";
  return finding;
}

// The bad phases of one workload over all rounds.
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
    size_t failed = run->phases.size();  // The phase whose failure kept the others from running.
    all.resize(std::max(all.size(), run->phases.size()));
    for (size_t i = 0; i < run->phases.size(); ++i) {
      const PhaseResult& phase = run->phases[i];
      if (!IsBad(phase, has_figures)) continue;
      if (phase.outcome == Outcome::kNotRun && failed < i) {
        AddOnce(all[failed].after, phase.workload);
        continue;
      }
      if (phase.outcome != Outcome::kInvalid) failed = i;
      if (all[i].first == nullptr) all[i].first = &phase;
      ++all[i].rounds;
    }
  }
  return all;
}

// One finding for each workload that failed by itself. Its evidence names the workloads that could
// not run because of it. An unsupported operation is a failure only if the engine has no figure at
// all.
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
    Finding finding = FindingOf(bad.first->outcome,
                                bad.first->message.empty() ? series.sum.cause : bad.first->cause);
    finding.workload = bad.first->workload;
    finding.evidence.push_back(rounds(bad.rounds) +
                               (message.empty() ? "no reason is in the result" : message));
    if (!bad.after.empty()) {
      finding.evidence.push_back(
          fmt::format("behind it did not run: {}", fmt::join(bad.after, ", ")));
    }
    findings.push_back(std::move(finding));
  }
  // A run that did not reach any workload.
  const bool is_bad_run =
      series.sum.outcome != Outcome::kOk &&
      std::ranges::all_of(series.rounds, [](auto* run) { return run->phases.empty(); });
  if (is_bad_run) {
    Finding finding = FindingOf(series.sum.outcome, series.sum.cause);
    finding.evidence.push_back(rounds(series.rounds.size()) + (series.sum.message.empty()
                                                                   ? "no reason is in the result"
                                                                   : series.sum.message));
    findings.push_back(std::move(finding));
  }
  for (Finding& finding : findings) finding.engine = series.sum.engine;
  return findings;
}

// Whether others took so much of the machine that rates and times say as much about the machine as
// about the engine: stolen time, half of the processors' time, or a part of it that made operations
// wait for a processor.
bool WasTaken(const Conditions& conditions) {
  constexpr double kMuchOthers = 0.5;
  constexpr double kSomeOthers = 0.05;
  constexpr double kMuchCpuWait = 0.25;
  constexpr double kMuchStolen = 0.1;
  const double others = conditions.others_share.value_or(0);
  return conditions.stolen_share.value_or(0) > kMuchStolen || others > kMuchOthers ||
         (others > kSomeOthers && conditions.cpu_wait_share.value_or(0) > kMuchCpuWait);
}

// What the machine did in the rounds behind a finding.
struct Machine {
  size_t rounds = 0;
  size_t taken = 0;      // Rounds in which others took the machine.
  std::string by;        // By whom, in the first of those rounds.
  size_t late = 0;       // Rounds in which the load generator itself was late.
  size_t too_short = 0;  // Rounds too short to tell.

  void Add(const PhaseResult& phase) {
    ++rounds;
    if (!phase.roles.empty() && phase.roles.front().load) {
      late += phase.roles.front().load->verdict == LoadOutcome::kLateGenerator ? 1 : 0;
    }
    if (!phase.conditions) return;
    if (WasTaken(*phase.conditions)) {
      if (taken++ == 0) by = DisturbancesOf(*phase.conditions).front();
    } else if (IsTooShortToTell(*phase.conditions)) {
      ++too_short;
    }
  }
};

// Rules look at the figures of the middle round. If no round has figures, all count.
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

// A symptom that a taken machine explains is not held against the engine.
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
        (machine.taken > 0
             ? "other programs had taken the machine, which has the same effect; otherwise: "
             : "the machine was too slow for the load generator too; otherwise: ") +
        finding.cause;
    finding.confidence = Confidence::kLow;
    finding.advice = "end other programs, and measure again before you change anything";
    finding.change.reset();
    return;
  }
  in_rounds(machine.too_short, "it was too short to tell whether others used the machine");
  if (machine.too_short > 0 && finding.confidence == Confidence::kHigh) {
    finding.confidence = Confidence::kMedium;
  }
}

}  // namespace

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

namespace {

// Which of two it is if its engine was measured against itself. Else empty.
std::string SideOf(const Series& series, const std::vector<Series>& all) {
  const auto is_same = [&](const Series& other) {
    return other.sum.engine == series.sum.engine &&
           other.sum.variant.number == series.sum.variant.number;
  };
  if (std::ranges::count_if(all, is_same) < 2) return "";
  return &*std::ranges::find_if(all, is_same) == &series ? " (first side)" : " (second side)";
}

}  // namespace

std::vector<Finding> Diagnose(const Result& result, const EngineOptions& options) {
  static const std::map<std::string, std::string> kNone;
  std::vector<Finding> failures;
  std::vector<Finding> findings;
  const std::vector<Series> all = SeriesOf(result);
  for (const Series& series : all) {
    if (series.sum.is_baseline_engine) continue;
    const std::string side = SideOf(series, all);
    for (Finding& failure : FailuresOf(series)) {
      failure.workload += side;
      failures.push_back(std::move(failure));
    }
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
        finding->figure = rule.figure;
        finding->engine = series.sum.engine;
        finding->workload = phase.workload + side;
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
