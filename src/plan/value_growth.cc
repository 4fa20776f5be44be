#include "plan/value_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "workload/value_length.h"

namespace levelfield {
namespace {

constexpr uint64_t kMostValueBytes = uint64_t{1} << 30;

// Rounds of the thread that has the most of them: its share of the operations by that of the keys.
uint64_t RoundsOf(const Role& role) {
  const uint64_t operations = (role.operations + role.threads - 1) / role.threads;
  const uint64_t keys = std::max<uint64_t>(role.range / role.threads, 1);
  return std::max<uint64_t>((operations + keys - 1) / keys, 1);
}

// Saturated: what is beyond 64 bits is beyond every bound.
uint64_t LongestAfter(const Role& role, uint64_t before) {
  if (!role.operation->writes_values()) return 0;
  if (role.operation->length != LengthRule::kGrown) return std::max(before, role.value_size.most());
  const unsigned __int128 growth =
      static_cast<unsigned __int128>(RoundsOf(role)) * (role.value_size.most() + 1);
  const unsigned __int128 longest = growth + before;
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max() / 2;
  return longest > kMost ? kMost : static_cast<uint64_t>(longest);
}

}  // namespace

uint64_t LargestValueOf(const std::vector<PlannedPhase>& phases, bool store_existed,
                        uint64_t before) {
  uint64_t largest = before;
  uint64_t present = before;  // In the store at that time.
  for (const PlannedPhase& phase : phases) {
    if (phase.workload.need == StoreNeed::kEmpty) {
      if (store_existed) continue;
      present = 0;
    }
    for (const Role& role : phase.workload.roles) {
      present = std::max(present, LongestAfter(role, present));
    }
    largest = std::max(largest, present);
  }
  return largest;
}

Status CheckGrowth(const std::vector<PlannedPhase>& phases, const Settings& settings) {
  std::vector<PlannedPhase> until_here;
  for (const PlannedPhase& phase : phases) {
    until_here.push_back(phase);
    for (const Role& role : phase.workload.roles) {
      if (role.operation->length != LengthRule::kGrown) continue;
      if (settings.duration > 0 || !role.until_role.empty()) {
        return Status::Usage(fmt::format(
            "{}: its values grow in every round, so it has to stop after a number of operations, "
            "not {}; leave --duration out, or run it by itself",
            phase.workload.name,
            settings.duration > 0 ? fmt::format("after --duration={}", settings.duration)
                                  : "when another role ends"));
      }
      const uint64_t largest = LargestValueOf(until_here);
      if (largest <= kMostValueBytes) continue;
      return Status::Usage(fmt::format(
          "{}: {} operations on {} keys make values of up to {} bytes, and the longest that can be "
          "checked has {}; give it fewer operations, more keys or a smaller --value_size",
          phase.workload.name, role.operations, role.range, largest, kMostValueBytes));
    }
  }
  return Status::Ok();
}

}  // namespace levelfield
