// A workload: a need and its roles, resolved to numbers. Plain data, made by ParseWorkload/Resolve
// (workload_file.h) and read by the plan and the worker. It knows no engine, thread or clock.
#ifndef LEVELFIELD_WORKLOAD_WORKLOAD_H_
#define LEVELFIELD_WORKLOAD_WORKLOAD_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "stats/rate_curve.h"
#include "workload/disposal.h"
#include "workload/graph_draws.h"
#include "workload/key_sequence.h"
#include "workload/operation.h"
#include "workload/rows.h"
#include "workload/timeseries.h"
#include "workload/trace/trace_plan.h"
#include "workload/value_sizes.h"
#include "workload/ycsb_draws.h"

namespace levelfield {

struct Role {
  std::string name;
  const Operation* operation = FindOperation("get");
  uint64_t get_percent = 100;  // Mix and `triple`: this share gets,
  uint64_t seek_percent = 0;   // in a mix this share seeks; the others write.
  uint64_t erase_percent = 0;  // `triple`: this share erases.
  uint64_t stddev = 0;         // `replace`: of the keys that it draws.
  DisposalPlan disposal;       // `dispose`.
  GraphPlan graph;             // Graph.
  YcsbPlan ycsb;               // `ycsb`.
  TracePlan trace;             // Trace.
  SeriesPlan series;           // `series put`, and from it all other roles of the series.
  RowsPlan rows;               // `row insert`, and from it who reads beside it; `row index`.
  bool merges = false;         // `merge` and mix: writes merge instead of put.
  uint64_t threads = 1;
  KeyOrder order = KeyOrder::kNone;
  uint64_t window = 0;               // Of a shuffled order, in keys. 0: all of them.
  uint64_t prefixes = 0;             // Each key begins with one of so many (KeyPlan). 0: with none.
  double skew = 0;                   // For exponential draws.
  KeyDistributionPlan distribution;  // For skewed draws and `ycsb`.
  bool scattered = false;            // Hot keys are not neighbours.
  uint64_t records = 0;  // Only the first so many of the order are present, or filled. 0: all.
  DrawSource source = DrawSource::kOwn;
  bool missing = false;        // Keys that are absent.
  bool cut = false;            // Keys without their last character: absent too.
  bool again = false;          // `seek`: seeks the last entry that it reached once more.
  uint64_t nexts = 0;          // `seek` and mix: entries that a seek reads after the first.
  bool backwards = false;      // It reads those before it instead.
  uint64_t max_distance = 0;   // How far from the sought key a seek may land, in keys. 0: any.
  uint64_t range = 0;          // Key indexes lie in [0, range).
  uint64_t operations = 0;     // In all; with `repeat`, by each thread. 0: until `until_role` ends.
  bool ends_by_count = false;  // Whatever --duration says, if that does not end it before.
  std::string until_role;
  bool repeat = false;    // Each thread does all of the work instead of a share.
  ValueSizes value_size;  // In operations of the machine: bytes of a block.
  uint64_t batch = 1;     // Entries in a write, keys in a multi-get.
  uint64_t stride = 0;    // `multi_get`: distance between the keys of a call. 0: each is drawn.
  uint64_t sets = 1;      // `transaction`: key sets of `range` keys each, one after another.
  bool as_batch = false;  // `transaction`: one batch of writes, in an engine without transactions.
  uint64_t rate = 0;      // Operations a second by all its threads. 0: as fast as it can.
  RateCurve curve = {};   // Where that changes; `rate` is then the most.
  std::string seed;       // Roles with the same seed get the same keys. Empty: its own.
  bool restarts = false;  // A scan that reaches its end begins again.
  std::string property;   // `property`.
  std::string codec;      // `compress`, `compress_reject` and `uncompress`.

  uint64_t key_count() const { return range * sets; }
  // The smallest value that it puts; `value_size` is the largest.
  uint64_t smallest_value() const {
    return operation->smallest_value != nullptr ? operation->smallest_value(*this)
                                                : value_size.least();
  }
  // Whether the store holds something else afterwards.
  bool changes_store() const {
    return operation->writes() &&
           (operation->changes_store == nullptr || operation->changes_store(*this));
  }
  bool inserts() const { return ycsb.insert > 0; }
  // Whether other records are in the store afterwards.
  bool moves_records() const { return inserts() || ycsb.remove > 0; }
  bool reads_ranges() const { return nexts != 0 || backwards || max_distance != 0 || again; }
  bool asks_for_absent_keys() const { return missing || cut; }
  bool operator==(const Role&) const = default;
  // A scan that ends where the store ends has this many operations.
  static constexpr uint64_t kToTheEnd = ~uint64_t{0};
};

// Which part of a workload that changes over time this is (acts.h).
struct Act {
  double seconds = 0;  // How long it lasts.
  uint64_t number = 0;
  uint64_t of = 0;  // How many there are. 0: it is no act.

  bool goes_on() const { return number < of; }  // Another follows on the same store.
  bool operator==(const Act&) const = default;
};

enum class StoreNeed { kEmpty, kLoaded, kAny, kNone };

struct Workload {
  std::string name;
  std::string summary;
  std::string family;  // The table it is shown in.
  StoreNeed need = StoreNeed::kAny;
  std::string loader;         // For a loaded store: fills it anew each time. Empty: once is enough.
  std::string loaded_by;      // The only workload, or file of one, that may have filled the store.
                              // Empty: any.
  std::string durability;     // Empty: the run's own class.
  std::string key_format;     // Empty: the run's own.
  uint64_t key_size = 0;      // Bytes of a key's number. 0: the run's own.
  uint64_t key_size_max = 0;  // Of the longest key. 0: all have one size, or the run's own sizes.
  Act act;
  std::vector<Role> roles;

  bool operator==(const Workload&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_WORKLOAD_H_
