// The meaning of --rate, --arrival, --slo and --trace. Pure. Mistakes are found before anything
// runs.
#ifndef LEVELFIELD_PLAN_LOAD_SETTINGS_H_
#define LEVELFIELD_PLAN_LOAD_SETTINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "loop/load_model.h"
#include "plan/plan.h"
#include "settings/settings.h"
#include "workload/workload.h"

namespace levelfield {

// "p99<1ms": at least this share of the operations answers within the limit.
struct Objective {
  std::string text;
  double share = 0;  // 0.99
  uint64_t limit_ns = 0;
};

struct LoadAsked {
  enum class Kind { kClosed, kOpen, kSweep, kSearch };
  Kind kind = Kind::kClosed;
  Arrival arrival = Arrival::kPoisson;
  uint64_t rate = 0;     // For kOpen; of a curve the most.
  RateCurve curve = {};  // Where the rate changes.
  Objective objective;  // For kSearch.

  // Whether it runs at several rates, after a closed loop that measures the capacity.
  bool has_steps() const { return kind == Kind::kSweep || kind == Kind::kSearch; }
};

StatusOr<LoadAsked> LoadOf(const Settings& settings);

// Puts the steps of a file into the settings: --rate=@FILE.
Status ResolveRate(Settings& settings, Known& known);

// Its words in a plan, after a role: "; open loop, poisson arrivals at 50000/s".
std::string PlanWords(const LoadAsked& asked);

// Whether each of the phases can run with that load.
Status CheckLoad(const std::vector<PlannedPhase>& phases, const Settings& settings);

// Fills in the keys, operations and sizes of roles that replay --trace. Refuses a trace that cannot
// be replayed so. Does nothing for workloads without a trace.
Status ResolveTrace(Workload& workload, const Settings& settings, Known& known);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_LOAD_SETTINGS_H_
