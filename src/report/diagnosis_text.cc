#include "report/diagnosis_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quote.h"
#include "result/completion.h"

namespace levelfield {
namespace {

std::string ChangeText(const Finding& finding) {
  if (!finding.change) return "";
  return fmt::format("    try:      --{}={} (now {}); `diagnose --try` does\n",
                     finding.change->setting, finding.change->after, finding.change->before);
}

// The same of several workloads is one paragraph, with the numbers of the first few.
constexpr size_t kMostShown = 3;

std::string Paragraph(const std::vector<const Finding*>& same) {
  const Finding& first = *same.front();
  std::vector<std::string> workloads;
  for (const Finding* finding : same) workloads.push_back(Printable(finding->workload));
  std::erase(workloads, "");  // Of a run that came to none.
  std::string text =
      fmt::format("{}{}{}: {}\n", Printable(first.engine), workloads.empty() ? "" : ", ",
                  fmt::join(workloads, ", "), first.symptom);
  text += fmt::format("    cause:    {} (confidence: {})\n", first.cause,
                      ConfidenceName(first.confidence));
  for (size_t i = 0; i < std::min(same.size(), kMostShown); ++i) {
    const std::string of =
        same.size() == 1 ? "" : fmt::format("{}: ", Printable(same[i]->workload));
    for (const std::string& evidence : same[i]->evidence) {
      text += fmt::format("    evidence: {}{}\n", of, Printable(evidence));
    }
  }
  if (same.size() > kMostShown) {
    text += fmt::format("    evidence: and of {} others\n", same.size() - kMostShown);
  }
  return text + fmt::format("    advice:   {}\n", first.advice) + ChangeText(first);
}

bool HasFigures(const Result& result) {
  return std::ranges::any_of(result.runs, [](const RunResult& run) {
    return !run.floor && std::ranges::any_of(run.phases, [](const PhaseResult& phase) {
      return phase.outcome == Outcome::kOk || phase.outcome == Outcome::kInvalid;
    });
  });
}

std::string NothingFound(const Result& of) {
  if (IsCutOff(of) && !HasFigures(of)) {
    return "There is nothing to look at: it was cut off before any workload had ended. Run it "
           "again.\n";
  }
  return fmt::format("Nothing found{}. Looked for: {}.\n",
                     IsCutOff(of) ? " in what was measured before it was cut off" : "",
                     fmt::join(DiagnosisRules(), ", "));
}

}  // namespace

std::string RenderFindings(const std::vector<Finding>& findings, const Result& of) {
  if (findings.empty()) return NothingFound(of);
  std::vector<std::vector<const Finding*>> groups;
  for (const Finding& finding : findings) {
    const auto same = std::ranges::find_if(groups, [&](const auto& group) {
      const Finding& first = *group.front();
      return first.engine == finding.engine && first.rule == finding.rule &&
             first.cause == finding.cause && first.change == finding.change;
    });
    if (same == groups.end()) {
      groups.push_back({&finding});
    } else {
      same->push_back(&finding);
    }
  }
  std::string text;
  for (const auto& group : groups) text += (text.empty() ? "" : "\n") + Paragraph(group);
  return text;
}

}  // namespace levelfield
