// What a workload is: a need and its roles, resolved to numbers. Plain data, made by
// ParseWorkload/Resolve (workload_file.h) and read by the plan and the worker; it knows no engine,
// thread or clock.
#ifndef LEVELFIELD_WORKLOAD_WORKLOAD_H_
#define LEVELFIELD_WORKLOAD_WORKLOAD_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "workload/disposal.h"
#include "workload/graph_draws.h"
#include "workload/key_sequence.h"
#include "workload/operation.h"
#include "workload/series.h"
#include "workload/trace/trace_plan.h"
#include "workload/value_sizes.h"
#include "workload/ycsb_draws.h"

namespace levelfield {

struct Role {
  std::string name;
  const Operation* operation = FindOperation("get");
  uint64_t get_percent = 100;  // Of a mix and `triple`: this share gets,
  uint64_t seek_percent = 0;   // and of a mix this one seeks; the others write.
  uint64_t erase_percent = 0;  // Of `triple`: so much of it erases.
  uint64_t stddev = 0;         // Of `replace`: of the keys that it draws.
  DisposalPlan disposal;       // Of `dispose`.
  GraphPlan graph;             // Of a graph.
  YcsbPlan ycsb;               // Of `ycsb`.
  TracePlan trace;             // Of a trace.
  SeriesPlan series;           // Of `series put`, and from it of all others that are of the series.
  bool merges = false;         // Of `merge` and a mix: what is written is merged, not put.
  uint64_t threads = 1;
  KeyOrder order = KeyOrder::kNone;
  double skew = 0;                   // Of exponential draws.
  KeyDistributionPlan distribution;  // Of skewed draws, and of `ycsb`.
  bool scattered = false;            // Hot keys are not neighbours.
  uint64_t records = 0;              // Only so many of the order are there, or filled. 0: all.
  DrawSource source = DrawSource::kOwn;
  bool missing = false;       // Keys that are not there.
  bool cut = false;           // Keys without their last character: not there either.
  bool again = false;         // Of `seek`: the last entry that it came to is sought once more.
  uint64_t nexts = 0;         // Of `seek` and a mix: entries of a seek behind the first one.
  bool backwards = false;     // Those are the ones before it.
  uint64_t max_distance = 0;  // How far from the sought key a seek may get, in keys. 0: any.
  uint64_t range = 0;         // Key indexes lie in [0, range).
  uint64_t operations = 0;    // In all; with `repeat`, of each thread. 0: until `until_role` ends.
  std::string until_role;
  bool repeat = false;    // Each thread does all of the work, instead of a share of it.
  ValueSizes value_size;  // Of the machine's operations: bytes of a block.
  uint64_t batch = 1;     // Entries of one write, keys of one multi-get.
  uint64_t stride = 0;    // Of `multi_get`: between the keys of a call. 0: each is drawn.
  uint64_t sets = 1;      // Of `transaction`; each has `range` keys, one behind the other.
  bool as_batch = false;  // Of `transaction`: one batch of writes, in an engine without them.
  uint64_t rate = 0;      // Operations a second, of all its threads. 0: as fast as it can.
  std::string seed;       // Roles with the same one get the same keys. Empty: its own.
  bool restarts = false;  // A scan that comes to its end begins again.
  std::string property;   // Of `property`.
  std::string codec;      // Of `compress`, `compress_reject` and `uncompress`.

  uint64_t key_count() const { return range * sets; }
  // The smallest value that it puts; `value_size` is the largest.
  uint64_t smallest_value() const {
    return operation->smallest_value != nullptr ? operation->smallest_value(*this)
                                                : value_size.least();
  }
  // Whether what is in the store is other than before, or else.
  bool changes_store() const {
    return operation->writes &&
           (operation->changes_store == nullptr || operation->changes_store(*this));
  }
  bool inserts() const { return ycsb.insert > 0; }
  bool reads_ranges() const { return nexts != 0 || backwards || max_distance != 0 || again; }
  bool asks_for_absent_keys() const { return missing || cut; }
  // A scan that ends where the store ends has this many operations.
  static constexpr uint64_t kToTheEnd = ~uint64_t{0};
};

enum class StoreNeed { kEmpty, kLoaded, kAny, kNone };

struct Workload {
  std::string name;
  std::string summary;
  std::string family;  // The table it is shown in.
  StoreNeed need = StoreNeed::kAny;
  std::string loader;     // Of a loaded store: what fills it anew each time. Empty: once is enough.
  std::string loaded_by;  // The only workload that the store may have been filled by. Empty: any.
  std::string durability;  // Empty: the run's own class.
  std::string key_format;  // Empty: the run's own.
  std::vector<Role> roles;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_WORKLOAD_H_
