#include "targets.h"
#include "workload/value_sizes.h"
#include "workload/workload_file.h"
#include "workload/ycsb_draws.h"

namespace levelfield::fuzz {

void WorkloadFiles(std::string_view bytes) {
  for (const uint64_t num : {uint64_t{0}, uint64_t{1000}, uint64_t{1} << 62}) {
    Settings settings;
    settings.num = num;
    settings.value_size = 100;
    (void)ParseWorkload("fuzzed", bytes, settings);
  }
  YcsbPlan plan;
  MustBePlain(ReadYcsbMix(bytes, plan));
}

}  // namespace levelfield::fuzz
