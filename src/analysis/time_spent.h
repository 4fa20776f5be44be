// What the time of a workload's operations went to, the largest share first: computing, syncs, reads
// of the device, or waiting for what is not known. Tells what limits an engine. Pure.
#ifndef LEVELFIELD_ANALYSIS_TIME_SPENT_H_
#define LEVELFIELD_ANALYSIS_TIME_SPENT_H_

#include <optional>
#include <vector>

#include "analysis/series.h"
#include "base/enum_names.h"

namespace levelfield {

enum class Spent { kComputing, kInSyncs, kReadingDevice, kWaiting };
// As programs name the shares.
inline constexpr EnumName<Spent> kSpentNames[] = {
    {Spent::kComputing, "computing"},
    {Spent::kInSyncs, "in_syncs"},
    {Spent::kReadingDevice, "waiting_for_reads_of_the_device"},
    {Spent::kWaiting, "waiting"},
};
constexpr std::span<const EnumName<Spent>> NamesOf(Spent) { return kSpentNames; }

struct TimeSpent {
  struct Share {
    Spent on = Spent::kComputing;
    double share = 0;
  };
  double operation_ns = 0;
  // Those of a tenth or more, of the shares that Cost has.
  std::vector<Share> shares = {};
  double syncs_per_operation = 0;
};

// Shares are medians over the rounds, as all costs are. Time and syncs are those of the middle
// round. Nothing if no round tells: open loops, or no resources, time or operations.
std::optional<TimeSpent> TimeSpentIn(const Series& series, size_t place);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_TIME_SPENT_H_
