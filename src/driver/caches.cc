#include "driver/caches.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/supervisor.h"
#include "result/cache_result.h"

namespace levelfield {
namespace {

constexpr double kDescribeSeconds = 30;  // Loading a library takes tenths.

// Keeps the phases of a run as they end.
class PhaseKeeper : public RunObserver {
 public:
  PhaseKeeper(RunResult& row, size_t run, ResultDirectory& results)
      : row_(row), run_(run), results_(results) {}

  void PhaseEnded(size_t, const PhaseResult& phase) override {
    if (status_.ok()) status_ = results_.AddPhase(run_, row_, phase);
    row_.phases.push_back(phase);
  }
  const Status& status() const { return status_; }

 private:
  RunResult& row_;
  size_t run_;
  ResultDirectory& results_;
  Status status_ = Status::Ok();
};

// A worker for that, which opens no store.
WorkerSpec SpecOf(const std::string& name, CacheAsked asked) {
  Settings settings;
  settings.interval_seconds = 0;
  settings.space_guard = "off";
  WorkerSpec spec{.engine = name, .engine_settings = {}, .settings = settings, .directory = {}};
  spec.cache = std::move(asked);
  return spec;
}

// Why its process did not end normally, in the words of cache_bench. Empty: it did.
std::string FailureOf(const std::string& name, const RunEnd& end, double stall) {
  const std::string said = end.stderr_tail.empty() ? "" : "; it said: " + end.stderr_tail.back();
  if (end.cause == FailureCause::kHung) {
    return fmt::format("{}: it hangs: no operation was done in {:g} s (--stall); it was killed",
                       name, stall);
  }
  if (!end.died.empty()) {
    return fmt::format("{}: its process ended by {}{}", name, end.died, said);
  }
  return end.failure;
}

std::vector<CacheAsked> PhasesOf(const CacheBenchSettings& settings,
                                 const std::vector<std::string>& words) {
  std::vector<CacheAsked> phases;
  for (const uint64_t threads : settings.ThreadCounts()) {
    for (const bool payload : {true, false}) {
      if (payload && settings.lean) continue;
      phases.push_back({.words = words,
                        .phase = CachePhaseName(payload, threads),
                        .payload = payload,
                        .threads = threads});
    }
  }
  return phases;
}

}  // namespace

StatusOr<RunResult> DescribeCache(const std::string& name, const std::vector<std::string>& words) {
  WorkerSpec spec = SpecOf(name, {.words = words});
  spec.settings.stall = kDescribeSeconds;
  ProgressView view({name}, {"description"});
  RunObserver nobody;
  RunEnd end = Supervise(spec, nullptr, view, nobody);
  if (end.interrupted) return Status::Interrupted("interrupted");
  const std::string failure = FailureOf(name, end, kDescribeSeconds);
  if (!failure.empty()) return Status::Failed(failure);
  if (!end.cache) return Status::Failed(name + ": its process ended without an answer");
  if (end.cache->outcome == Outcome::kUnsupported) return Status::Usage(end.cache->message);
  return std::move(*end.cache);
}

StatusOr<RunResult> MeasureCache(const CacheBenchSettings& settings, const std::string& name,
                                 const std::vector<std::string>& words, size_t run,
                                 ResultDirectory& results) {
  RunResult row;
  row.engine = name;
  row.outcome = Outcome::kOk;
  PhaseKeeper keeper(row, run, results);
  for (const CacheAsked& phase : PhasesOf(settings, words)) {
    WorkerSpec spec = SpecOf(name, phase);
    spec.settings.stall = settings.stall;
    spec.settings.histogram = settings.histograms;
    spec.directory = spec.results_directory = results.path();
    ProgressView view({name}, {phase.phase});
    RETURN_IF_ERROR(results.MakeRoom(run, 1));
    const size_t phases = row.phases.size();
    RunEnd end = Supervise(spec, nullptr, view, keeper);
    RETURN_IF_ERROR(keeper.status());
    if (end.cache) {  // The same in each phase.
      end.cache->phases = row.phases;
      row = std::move(*end.cache);
    }
    row.message = FailureOf(name, end, settings.stall);
    if (row.message.empty() && row.phases.size() == phases) {
      row.message = name + ": its process ended without a result";
    }
    if (!end.interrupted && row.message.empty()) continue;
    row.outcome = end.interrupted ? Outcome::kInterrupted : Outcome::kFailed;
    row.stderr_tail = end.stderr_tail;
    break;
  }
  for (const PhaseResult& phase : row.phases) {
    if (row.outcome == Outcome::kOk) row.outcome = phase.outcome;
  }
  RETURN_IF_ERROR(results.AddRun(run, row));
  return row;
}

}  // namespace levelfield
