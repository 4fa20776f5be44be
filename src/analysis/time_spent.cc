#include "analysis/time_spent.h"

#include <algorithm>

#include "analysis/cost_of_rounds.h"

namespace levelfield {

std::optional<TimeSpent> TimeSpentIn(const Series& series, size_t place) {
  constexpr double kLeast = 0.1;
  constexpr double kPageBytes = 4096;
  const PhaseResult* const phase = series.MiddleRound(place);
  if (phase == nullptr || !phase->resources) return std::nullopt;
  double seconds = 0;
  double operations = 0;
  for (const RoleResult& role : phase->roles) {
    seconds += role.thread_seconds;
    operations += static_cast<double>(role.Operations());
  }
  if (!CostOfRounds(series, place, &Cost::computing) || operations == 0) return std::nullopt;
  const Resources& used = *phase->resources;
  TimeSpent spent{.operation_ns = seconds * 1e9 / operations};
  const bool is_fetched =
      used.io && static_cast<double>(used.io->storage_read_bytes) >= kPageBytes * operations;
  for (const auto& [on, cost] :
       {std::pair(Spent::kComputing, &Cost::computing),
        {Spent::kInSyncs, &Cost::in_syncs},
        {is_fetched ? Spent::kReadingDevice : Spent::kWaiting, &Cost::waiting}}) {
    const std::optional<RoundsCost> share = CostOfRounds(series, place, cost);
    if (share && share->median >= kLeast) spent.shares.push_back({on, share->median});
  }
  std::ranges::stable_sort(spent.shares, std::greater<>(), &TimeSpent::Share::share);
  if (used.syncs) spent.syncs_per_operation = static_cast<double>(used.syncs->calls) / operations;
  return spent;
}

}  // namespace levelfield
