#include "analysis/time_spent.h"

#include <algorithm>

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
  if (!phase.resources || seconds <= 0 || operations == 0) return std::nullopt;
  const Resources& used = *phase.resources;
  TimeSpent spent{.operation_ns = seconds * 1e9 / operations};
  const auto add = [&](Spent on, double share) {
    if (share >= kLeast) spent.shares.push_back({on, share});
  };
  const double computing = used.foreground_seconds / seconds;
  const double in_syncs = used.syncs ? used.syncs->waited_seconds / seconds : 0;
  const bool is_fetched =
      used.io && static_cast<double>(used.io->storage_read_bytes) >= kPageBytes * operations;
  add(Spent::kComputing, computing);
  add(Spent::kInSyncs, in_syncs);
  add(is_fetched ? Spent::kReadingDevice : Spent::kWaiting, 1 - computing - in_syncs);
  std::ranges::stable_sort(spent.shares, std::greater<>(), &TimeSpent::Share::share);
  if (used.syncs) spent.syncs_per_operation = static_cast<double>(used.syncs->calls) / operations;
  return spent;
}

}  // namespace levelfield
