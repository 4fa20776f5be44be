#include "driver/run_row.h"

#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "plan/plan.h"

namespace levelfield {
namespace {

std::string LabelOf(const ProbeReply& engine) {
  const std::string_view version = engine.description.Fact("version");
  if (version.empty() || engine.description.Has(LF_FLOOR)) return engine.engine;
  return fmt::format("{} {}", EngineName(engine.engine), version);
}

}  // namespace

RunResult RowOf(const Trial& trial) {
  const ProbeReply& engine = trial.engine();
  RunResult row;
  row.engine = engine.engine;
  row.variant = trial.what.variant->variant;
  row.label = LabelOf(engine);
  row.version = engine.description.Fact("version");
  row.released = engine.description.Fact("released");
  row.warning = engine.description.Fact("warning");
  row.library_path = engine.description.library_path;
  row.library_sha256 = engine.description.library_sha256;
  row.is_baseline_engine = !IsRanked(engine, trial.settings());
  row.settings = WithoutHints(engine.options.settings);
  row.not_applied = engine.options.not_applied;
  row.notes = engine.options.notes;
  row.round = trial.round + 1;
  row.seed = trial.Seed();
  row.padding_bytes = trial.PaddingBytes();
  return row;
}

void AddStoreNotes(const ProbeReply& engine, const StoreOrigin& origin, RunResult& row) {
  const DurabilityDescription* const filled = engine.description.FindDurability(origin.durability);
  if (filled == nullptr || filled->level == LF_REFUSED) {
    row.notes.push_back(
        "the store was there before, and in which durability it was filled is not known");
  } else {
    row.notes.push_back(fmt::format(
        "the store was there before, filled with durability {}: no row over it says more than {}",
        filled->name, LevelName(filled->level)));
  }
  if (!origin.cut_off) return;
  row.notes.push_back(
      "the store was not closed in good order by a run before, which was killed, or whose engine "
      "failed: how many entries it has to have is not known, so what is found is counted and not "
      "checked");
}

void Conclude(const RunEnd& end, const std::vector<PlannedPhase>& phases, Outcome worst,
              RunResult& row) {
  row.clock = end.clock;
  row.clock_kind = end.clock_kind;
  row.allocator = end.allocator;
  row.cpus = end.cpus;
  row.configuration = end.configuration;
  row.round_trip_ns = end.round_trip_ns;
  row.notes.insert(row.notes.end(), end.notes.begin(), end.notes.end());
  row.memory = end.memory;
  row.outcome = end.interrupted ? Outcome::kInterrupted : worst;
  row.cause = end.cause;
  if (!end.low_space.empty()) {
    row.message = end.low_space;
    if (row.cause != FailureCause::kDiskFull) row.cause = FailureCause::kLowSpace;
  }
  if (end.failure.empty()) return;
  const bool is_in_phase = end.failed_phase < phases.size();
  row.outcome = Outcome::kFailed;
  row.message =
      fmt::format("{}{}{}{}{}", end.low_space.empty() ? "" : end.low_space + "; then ", end.failure,
                  is_in_phase ? " in " + phases[end.failed_phase].workload.name : "",
                  end.failed_progress.empty() ? "" : " " + end.failed_progress,
                  end.circumstances.empty() ? "" : " (" + end.circumstances + ")");
  row.stderr_tail = end.stderr_tail;
}

PhaseResult MissingPhase(const PlannedPhase& planned, const RunResult& row, bool is_first) {
  PhaseResult phase = PlannedResult(planned);
  phase.outcome = is_first || row.outcome == Outcome::kUnsupported ? row.outcome : Outcome::kNotRun;
  phase.message = row.message;
  phase.cause = row.cause;
  return phase;
}

}  // namespace levelfield
