#include "report/conditions_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"

namespace levelfield {

std::vector<std::string> DisturbedLines(const std::vector<Series>& series) {
  std::vector<std::string> lines;
  for (const Series& of_engine : series) {
    std::vector<std::string> workloads;
    std::vector<std::string> worst;  // Of the phase with the most to say.
    size_t disturbed = 0;
    size_t phases = 0;
    for (const RunResult* run : of_engine.rounds) {
      if (run->floor) continue;
      for (const PhaseResult& phase : run->phases) {
        if (phase.outcome != Outcome::kOk || !phase.conditions || phase.implicit) continue;
        ++phases;
        const std::vector<std::string> said = DisturbancesOf(*phase.conditions);
        if (said.empty()) continue;
        ++disturbed;
        if (said.size() > worst.size()) worst = said;
        if (std::ranges::find(workloads, phase.workload) == workloads.end()) {
          workloads.push_back(phase.workload);
        }
      }
    }
    if (workloads.empty()) continue;
    std::string line = fmt::format("~ disturbed: {}, {} of {} measurements (", of_engine.sum.engine,
                                   disturbed, phases);
    for (size_t i = 0; i < workloads.size(); ++i) line += (i == 0 ? "" : ", ") + workloads[i];
    line += "); ";
    for (size_t i = 0; i < worst.size(); ++i) line += (i == 0 ? "" : "; ") + worst[i];
    lines.push_back(Printable(line) + ".");
  }
  return lines;
}

}  // namespace levelfield
