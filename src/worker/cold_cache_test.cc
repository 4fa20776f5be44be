#include "worker/cold_cache.h"

#include <gtest/gtest.h>

namespace levelfield {
namespace {

Workload WorkloadOf(StoreNeed need, OperationKind operation) {
  Workload workload;
  workload.need = need;
  workload.roles.emplace_back().operation = operation;
  return workload;
}

TEST(ColdCache, IsForWhatReadsALoadedStoreAndOnlyWhereItIsAskedFor) {
  Settings settings;
  const Workload reads = WorkloadOf(StoreNeed::kLoaded, OperationKind::kGet);
  EXPECT_FALSE(IsColdBefore(reads, settings));
  settings.cache = "cold";
  EXPECT_TRUE(IsColdBefore(reads, settings));
  EXPECT_FALSE(IsColdBefore(WorkloadOf(StoreNeed::kLoaded, OperationKind::kPut), settings));
  EXPECT_FALSE(IsColdBefore(WorkloadOf(StoreNeed::kEmpty, OperationKind::kPut), settings));
}

}  // namespace
}  // namespace levelfield
