// Carries out one row of the table: so many faults of one kind on stores of one engine in one
// class, each at a different instant, and the check of what is left. For one thread.
#ifndef LEVELFIELD_DURABILITY_CRASH_CELL_H_
#define LEVELFIELD_DURABILITY_CRASH_CELL_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/crash_state.h"
#include "base/status.h"
#include "engine/engine.h"

namespace levelfield {

struct CellPlan {
  CrashCell cell;
  SettingList settings;  // The engine's, without the class.
  uint64_t states = 0;
  uint64_t seed = 0;
  uint32_t value_bytes = 100;
  std::vector<uint32_t> threads;  // Writers take turns with these.
  std::vector<double> survives;   // One is drawn for each state, with `volatile`.
  double patience_seconds = 30;
  std::string scratch;  // An existing directory; everything made there is removed again.
};

// Why this cell cannot be tried on this machine; empty: it can.
std::string WhyNotTried(const CrashCell& cell);

// `take` gets each state once it is checked. A failure means that the machine, or the engine while
// it wrote, failed before any fault: states left untried do not count as kept.
Status TryCell(const CellPlan& plan, const std::function<Status(const CrashState&)>& take);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CRASH_CELL_H_
