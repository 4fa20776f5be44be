#include "worker/roles_phase.h"

#include <gtest/gtest.h>

namespace levelfield::roles_phase_test {

Workload WorkloadOf(StoreNeed need, const Operation* operation) {
  Workload workload;
  workload.need = need;
  workload.roles.emplace_back().operation = operation;
  return workload;
}

TEST(ColdCache, IsForWhatReadsALoadedStoreAndOnlyWhereItIsAskedFor) {
  Settings settings;
  const Workload reads = WorkloadOf(StoreNeed::kLoaded, FindOperation("get"));
  EXPECT_FALSE(IsColdBefore(reads, settings));
  settings.cache = "cold";
  EXPECT_TRUE(IsColdBefore(reads, settings));
  EXPECT_FALSE(IsColdBefore(WorkloadOf(StoreNeed::kLoaded, FindOperation("put")), settings));
  EXPECT_FALSE(IsColdBefore(WorkloadOf(StoreNeed::kEmpty, FindOperation("put")), settings));
}

}  // namespace levelfield::roles_phase_test
