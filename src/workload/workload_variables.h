// What the settings of a run are in a workload file. A value.
#ifndef LEVELFIELD_WORKLOAD_WORKLOAD_VARIABLES_H_
#define LEVELFIELD_WORKLOAD_WORKLOAD_VARIABLES_H_

#include <cstdint>
#include <optional>

#include "workload/workload.h"

namespace levelfield {

// What the `$` names stand for.
struct WorkloadVariables {
  uint64_t num = 0;
  uint64_t reads = 0;
  uint64_t threads = 1;
  bool counts_per_thread = false;  // Operations are of each of `threads` threads, not of all.
  uint64_t value_size = 0;
  uint64_t batch = 1;
  uint64_t writes_per_second = 0;
  uint64_t writes = 0;  // 0: num.
  uint64_t batch_size = 1;
  uint64_t readwritepercent = 90;
  uint64_t multiread_stride = 0;
  uint64_t transaction_sets = 2;
  bool transaction_batches = false;
  uint64_t deletepercent = 2;
  uint64_t numdistinct = 1000;
  uint64_t stddev = 2000;
  uint64_t key_id_range = 100'000;
  uint64_t time_range = 100'000;
  uint64_t expiring_threads = 0;
  DisposalPlan disposable = {};
  GraphPlan graph = {};
  uint64_t seek_nexts = 0;
  bool reverse_iterator = false;
  uint64_t max_scan_distance = 0;
  double read_random_exp_range = 0;            // 0: uniform draws of readers are just that.
  std::optional<ValueSizes> value_sizes = {};  // Of values that vary; else they have value_size.
  uint64_t value_size_seed = 0;                // Of all sizes that vary.
  uint64_t reads_per_second = 0;
  uint64_t write_bytes_per_second = 0;
  uint64_t key_bytes = 16;  // Of an entry, for a rate in bytes.
  uint64_t mergereadpercent = 70;
  uint64_t deletes = 0;              // 0: num,
  uint64_t merge_keys = 0;           // and here,
  uint64_t bgwriter_num = 0;         // and here.
  bool finish_after_writes = false;  // Readers end with the writer beside them.
  // What takes the place of uniform draws of readers, and what a file says nothing of has of it.
  KeyDistributionPlan distribution = {};
  bool contiguous_hot_keys = false;
  KeyDistributionPlan::Kind ycsb_requests = KeyDistributionPlan::Kind::kYcsbZipf;
  bool ycsb_ordered = false;  // The keys of records are in the order of their numbers.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_WORKLOAD_VARIABLES_H_
