#include "report/diagnosis_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

// What is said of all that have one cause: so many names, and the numbers of the first few.
constexpr size_t kMostNames = 8;
constexpr size_t kMostShown = 3;

using Group = std::vector<const Finding*>;

// "a, b and 12 more".
std::string Names(std::vector<std::string> names) {
  if (names.size() > kMostNames) {
    const size_t more = names.size() - kMostNames + 1;
    names.resize(kMostNames - 1);
    names.push_back(fmt::format("{} more", more));
  }
  return Listed(names);
}

std::vector<std::string> NamesIn(const Group& group, std::string Finding::* name) {
  std::vector<std::string> names;
  for (const Finding* const finding : group) {
    std::string one = Printable(finding->*name);
    if (!one.empty()) AddOnce(names, std::move(one));  // A run may have reached no workload.
  }
  return names;
}

// What tells its numbers from the others': its engine, its workload, or both.
std::string OfWhich(const Finding& finding, const Entry& entry) {
  std::vector<std::string> names;
  if (entry.engines.size() > 1) names.push_back(Printable(finding.engine));
  if (entry.workloads.size() > 1) names.push_back(Printable(finding.workload));
  return names.empty() ? "" : Joined(names, ", ") + ": ";
}

void AddEvidence(const Group& group, Entry& entry) {
  for (size_t i = 0; i < std::min(group.size(), kMostShown); ++i) {
    for (const std::string& evidence : group[i]->evidence) {
      entry.parts.emplace_back("evidence", OfWhich(*group[i], entry) + Printable(evidence));
    }
  }
  if (group.size() > kMostShown) {
    entry.parts.emplace_back("evidence",
                             fmt::format("and of {} more figures", group.size() - kMostShown));
  }
}

// Each change once, with the engines that it is for, if not all have the same.
void AddChanges(const Group& group, Entry& entry) {
  std::vector<std::pair<Change, Group>> changes;
  for (const Finding* const finding : group) {
    if (!finding->change) continue;
    const auto same = std::ranges::find(changes, *finding->change,
                                        &std::pair<Change, Group>::first);
    same == changes.end() ? void(changes.push_back({*finding->change, {finding}}))
                          : same->second.push_back(finding);
  }
  for (const auto& [change, of] : changes) {
    const std::vector<std::string> engines = NamesIn(of, &Finding::engine);
    entry.parts.emplace_back(
        "try", fmt::format("{}--{}={} (now {}); `diagnose --try` does",
                           engines.size() == entry.engines.size() ? "" : Names(engines) + ": ",
                           change.setting, change.after, change.before));
  }
}

Entry EntryOf(const Group& group) {
  const Finding& first = *group.front();
  Entry entry{.kind = first.rule,
              .engines = NamesIn(group, &Finding::engine),
              .workloads = NamesIn(group, &Finding::workload)};
  entry.title = fmt::format("{}{}{}: {}", Names(entry.engines),
                            entry.workloads.empty() ? "" : ", ", Names(entry.workloads),
                            first.symptom);
  entry.parts.emplace_back(
      "cause", fmt::format("{} (confidence: {})", first.cause, NameOf(first.confidence)));
  AddEvidence(group, entry);
  entry.parts.emplace_back("advice", first.advice);
  AddChanges(group, entry);
  return entry;
}

bool HasFigures(const Result& result) {
  return std::ranges::any_of(result.runs, [](const RunResult& run) {
    return !run.is_baseline_engine && std::ranges::any_of(run.phases, [](const PhaseResult& phase) {
      return phase.outcome == Outcome::kOk || phase.outcome == Outcome::kInvalid;
    });
  });
}

std::string NothingFound(const Result& of) {
  if (IsCutOff(of) && !HasFigures(of)) {
    return "Nothing to diagnose: the run was cut off before any workload had ended. Run it again.";
  }
  return fmt::format("Nothing found{}. Looked for: {}.",
                     IsCutOff(of) ? " in what was measured before it was cut off" : "",
                     fmt::join(DiagnosisRules(), ", "));
}

}  // namespace

Report DiagnosisReport(const std::vector<Finding>& findings, const Result& of) {
  Report report;
  if (findings.empty()) report.Add(Paragraph{NothingFound(of)});
  std::vector<Group> groups;
  for (const Finding& finding : findings) {
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      const Finding& first = *group.front();
      return first.rule == finding.rule && first.cause == finding.cause &&
             first.symptom == finding.symptom && first.advice == finding.advice;
    });
    same == groups.end() ? void(groups.push_back({&finding})) : same->push_back(&finding);
  }
  for (const Group& group : groups) {
    if (&group != &groups.front()) report.Add(Gap{});
    report.Add(EntryOf(group));
  }
  return report;
}

}  // namespace levelfield
