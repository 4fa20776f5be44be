#include "analysis/time_spent.h"

#include <algorithm>

#include "analysis/cost.h"

namespace levelfield {

std::optional<TimeSpent> TimeSpentIn(const PhaseResult& phase) {
  constexpr double kLeast = 0.1;
  constexpr double kPageBytes = 4096;
  double seconds = 0;
  double operations = 0;
  for (const RoleResult& role : phase.roles) {
    seconds += role.thread_seconds;
    operations += static_cast<double>(role.Operations());
  }
  const Cost cost = CostOf(phase);
  if (!cost.computing.value || operations == 0) return std::nullopt;
  const Resources& used = *phase.resources;
  TimeSpent spent{.operation_ns = seconds * 1e9 / operations};
  const bool is_fetched =
      used.io && static_cast<double>(used.io->storage_read_bytes) >= kPageBytes * operations;
  for (const auto& [on, share] :
       {std::pair(Spent::kComputing, cost.computing), {Spent::kInSyncs, cost.in_syncs},
        {is_fetched ? Spent::kReadingDevice : Spent::kWaiting, cost.waiting}}) {
    if (share.value >= kLeast) spent.shares.push_back({on, *share.value});
  }
  std::ranges::stable_sort(spent.shares, std::greater<>(), &TimeSpent::Share::share);
  if (used.syncs) spent.syncs_per_operation = static_cast<double>(used.syncs->calls) / operations;
  return spent;
}

}  // namespace levelfield
