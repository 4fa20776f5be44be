// What --rate, --arrival, --slo and --trace ask for. Pure; a mistake is found before anything runs.
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

// "p99<1ms": so large a share of the operations answers within that time.
struct Objective {
  std::string text;
  double share = 0;  // 0.99
  uint64_t limit_ns = 0;
};

struct LoadAsked {
  enum class Kind { kClosed, kOpen, kSweep, kSearch };
  Kind kind = Kind::kClosed;
  Arrival arrival = Arrival::kPoisson;
  uint64_t rate = 0;    // For kOpen.
  Objective objective;  // For kSearch.

  // Whether it takes several rates, behind a closed loop that tells what there is to take.
  bool has_steps() const { return kind == Kind::kSweep || kind == Kind::kSearch; }
};

StatusOr<LoadAsked> LoadOf(const Settings& settings);

// What is said of it in a plan, behind a role: "; open loop, poisson arrivals at 50000/s".
std::string PlanWords(const LoadAsked& asked);

// Whether each of the phases can be given that load.
Status CheckLoad(const std::vector<PlannedPhase>& phases, const Settings& settings);

// Fills in the keys, operations and sizes of roles that replay --trace, which is read once for
// that. Refuses a trace that cannot be replayed so. Does nothing for workloads without a trace.
Status ResolveTrace(Workload& workload, const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_LOAD_SETTINGS_H_
