#include "driver/overheads.h"

#include "base/clock.h"
#include "base/version.h"
#include "driver/progress_view.h"
#include "driver/supervisor.h"
#include "store/store_directory.h"

namespace levelfield {
namespace {

// Collects the time of an operation in each phase.
class OverheadObserver : public RunObserver {
 public:
  explicit OverheadObserver(Overhead& overhead) : overhead_(overhead) {}

  void PhaseEnded(size_t, const PhaseResult& phase) override {
    const std::optional<double> ns = OperationNs(phase);
    if (!ns || phase.implicit || NsOf(overhead_, phase.workload)) return;
    overhead_.workload_ns.emplace_back(phase.workload, *ns);
  }

 private:
  Overhead& overhead_;
};

// Both clock readings around an operation.
double TwoReadingsNs(bool of_tsc) {
  constexpr int kReadings = 20'000;
  uint64_t sum = 0;
  const uint64_t start_ns = MonotonicNs();
  for (int i = 0; i < kReadings; ++i) sum += of_tsc ? TscTicks::Now() : MonotonicTicks::Now();
  const uint64_t took_ns = MonotonicNs() - start_ns;
  asm volatile("" : : "r"(sum));
  return 2.0 * static_cast<double>(took_ns) / kReadings;
}

}  // namespace

StatusOr<std::vector<Overhead>> MeasureOverheads(const OverheadPlan& plan,
                                                 const std::string& results_directory,
                                                 bool& interrupted) {
  std::vector<Overhead> overheads;
  const double clock_ns =
      plan.settings.histogram
          ? TwoReadingsNs(ChosenClock(plan.settings.clock == "tsc").is_tsc())
          : 0;
  const std::string path = results_directory + "/price";
  std::vector<std::string> names;
  for (const PlannedPhase& phase : plan.phases) names.push_back(phase.workload.name);
  for (const ProbeReply& engine : plan.engines) {
    if (!engine.status.ok() || interrupted) continue;
    ASSIGN_OR_RETURN(StoreDirectory store,
                     StoreDirectory::Create(
                         path, {.salt = 1, .harness = kVersion, .fresh = true, .content = {}}));
    const WorkerSpec spec{.engine = engine.engine,
                          .engine_settings = engine.options.settings,
                          .settings = plan.settings,
                          .phases = plan.phases,
                          .directory = store.path(),
                          .results_directory = results_directory,
                          .salt = 1};
    Overhead overhead{.engine = engine.engine, .keys = plan.settings.num, .workload_ns = {}};
    OverheadObserver observer(overhead);
    ProgressView view({"overhead of the harness: " + engine.engine}, names);
    const RunEnd end = Supervise(spec, &store, view, observer);
    interrupted = end.interrupted;
    RETURN_IF_ERROR(store.Remove());
    if (!end.failure.empty()) continue;
    overhead.clock_ns = clock_ns;
    overheads.push_back(std::move(overhead));
  }
  return overheads;
}

}  // namespace levelfield
