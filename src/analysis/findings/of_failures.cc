// What failed, what no engine could run, and which settings an engine does not have.
#include <algorithm>
#include <map>
#include <set>

#include "analysis/durability.h"
#include "analysis/findings/findings.h"
#include "base/quote.h"
#include "base/shell_words.h"
#include "settings/settings.h"

namespace levelfield {
namespace {

bool IsFailure(Outcome outcome) {
  return outcome != Outcome::kOk && outcome != Outcome::kUnsupported &&
         outcome != Outcome::kNotRun && outcome != Outcome::kSkipped;
}

void FindFailuresOf(const RunResult& run, const Findings& of, Remarks& remarks) {
  const std::string engine = of.NameOf(run);
  if (!run.message.empty()) {
    // A report says it at the figure of the workload that ended the run, if there is one.
    const bool is_of_workload =
        std::ranges::find(run.phases, run.message, &PhaseResult::message) != run.phases.end();
    remarks.push_back(
        {.kind = is_of_workload ? RemarkKind::kWorkloadFailed : RemarkKind::kRunFailed,
         .cases = {{.engine = engine}},
         .texts = {{"message", Printable(run.message)}}});
  }
  for (const PhaseResult& phase : run.phases) {
    const std::string suspect = SuspectBecause(phase);
    const bool is_failure =
        IsFailure(phase.outcome) && !phase.message.empty() && phase.message != run.message;
    if (!is_failure && suspect.empty()) continue;
    remarks.push_back({.kind = is_failure ? RemarkKind::kWorkloadFailed : RemarkKind::kSuspect,
                       .cases = {{.engine = engine, .workload = Printable(phase.workload)}},
                       .texts = {{"message", is_failure ? Printable(phase.message) : suspect},
                                 {"engine_word", ShellWord(run.engine)}}});
  }
  if (!run.warning.empty()) {
    remarks.push_back({.kind = RemarkKind::kBuild,
                       .cases = {{.engine = engine}},
                       .texts = {{"message", Printable(run.warning)}}});
  }
}

// Of workloads that no engine could run, where all engines say the same: what is to be installed,
// for one.
void FindUnsupported(const Findings& of, Remarks& remarks) {
  std::map<std::string, std::vector<RemarkCase>> by_reason;
  for (const WorkloadStandings& workload : of.standings.workloads) {
    if (!workload.is_unsupported) continue;
    std::set<std::string> reasons;
    for (const Series* const series : of.shown) {
      const PhaseResult* const phase = PhaseAt(series->sum, workload.place);
      if (phase != nullptr) reasons.insert(Printable(phase->message));
    }
    if (reasons.size() != 1 || reasons.begin()->empty()) continue;
    by_reason[*reasons.begin()].push_back({.workload = workload.name, .place = workload.place});
  }
  for (auto& [reason, cases] : by_reason) {
    remarks.push_back({.kind = RemarkKind::kUnsupported,
                       .cases = std::move(cases),
                       .texts = {{"message", reason}}});
  }
}

// Settings that were asked for.
void FindSettingsNotApplied(const Findings& of, Remarks& remarks) {
  for (const auto& [name, value] : of.result.settings) {
    const Flag* const flag = FindFlag(name);
    if (flag == nullptr || IsDefault(*flag, value)) continue;
    Remark remark{.kind = RemarkKind::kSettingNotApplied,
                  .texts = {{"setting", name}, {"value", Printable(value)}}};
    for (const Series* const series : of.shown) {
      const std::string why_not = TextIn(series->sum.not_applied, name);
      if (!why_not.empty()) remark.cases.push_back({.engine = of.NameOf(series->sum)});
    }
    AddIfAny(std::move(remark), remarks);
  }
}

}  // namespace

void FindFailures(const Findings& of, Remarks& remarks) {
  for (const Series* const series : of.shown) FindFailuresOf(series->sum, of, remarks);
  FindUnsupported(of, remarks);
  FindSettingsNotApplied(of, remarks);
}

}  // namespace levelfield
