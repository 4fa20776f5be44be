#include "verbs/carry_out.h"

#include <fmt/format.h>

#include "base/text.h"
#include "process/process.h"
#include "verbs/read_result.h"

namespace levelfield {
namespace {

// Why there is no figure, if every engine was refused. Otherwise empty.
std::string WhyNothing(const Result& result) {
  std::vector<std::string> reasons;  // The first of each engine.
  for (const RunResult& run : result.runs) {
    std::string why = run.outcome == Outcome::kUnsupported ? run.message : "";
    for (const PhaseResult& phase : run.phases) {
      if (phase.implicit) continue;
      if (phase.outcome != Outcome::kUnsupported && phase.outcome != Outcome::kNotRun) return "";
      if (!why.empty() || phase.outcome == Outcome::kNotRun) continue;
      why = fmt::format("{}: {}: {}", run.engine, phase.workload, phase.message);
    }
    if (!why.empty()) AddOnce(reasons, why);
  }
  return Joined(reasons, "; ");
}

}  // namespace

int ExitCodeOf(const Result& result) {
  int code = 0;
  for (const RunResult& run : result.runs) {
    if (run.outcome == Outcome::kFailed || run.outcome == Outcome::kWrong ||
        run.outcome == Outcome::kStopped) {
      return 1;
    }
    if (run.outcome == Outcome::kInvalid) code = 3;
  }
  if (IsCutOff(result)) return 3;
  return code == 0 && !WhyNothing(result).empty() ? 1 : code;
}

Answer CarryOut(
    const Plan& plan, RunListener* listener,
    const std::function<std::string(const Result& result, const std::string& directory)>& render) {
  InstallInterruptHandlers();
  Plan best = plan;
  RETURN_IF_ERROR(PickBestSettings(best));
  const DriverReport report = RunPlan(best, listener);
  if (report.directory.empty()) return report.status;
  const StatusOr<Result> result = ReadResultDirectory(report.directory);
  if (!result.ok()) return report.status.ok() ? result.status() : report.status;
  Answer answer(render(*result, report.directory));
  answer.status = report.status;
  if (report.interrupted) {
    answer.status = Status::Interrupted("interrupted; the finished part is in " + report.directory);
  }
  answer.exit_code = ExitCodeOf(*result);
  if (const std::string why = WhyNothing(*result); answer.status.ok() && !why.empty()) {
    answer.status = Status::Failed("no engine could do what was asked: " + why);
  }
  return answer;
}

}  // namespace levelfield
