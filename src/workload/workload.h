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
#include "workload/series.h"
#include "workload/trace/trace_plan.h"
#include "workload/value_length.h"
#include "workload/value_sizes.h"
#include "workload/ycsb_draws.h"

namespace levelfield {

enum class OperationKind {
  kGet,
  kPut,
  kErase,
  kSeek,
  kNext,
  kPrev,
  kMix,
  kMerge,
  kMultiGet,
  kUpdate,       // A get, and a put of the same key,
  kAppend,       // of a value that is longer by a value and a comma's byte;
  kXor,          // or of the old value's bytes, each changed by one of an operand.
  kTransaction,  // Of several sets of keys, one of each.
  kConflict,     // What a transaction came to that gave way to another; no operation of a role.
  kNewIterator,
  kTriple,        // Gets of three keys from a snapshot, and batches that put or erase the three.
  kReplace,       // An erase of a key's present place, and a put of its next.
  kDispose,       // Puts, of which a part is erased again after a while.
  kSeriesPut,     // An entry for each time, of the id whose time it is.
  kSeriesRead,    // A scan of all entries of an id.
  kSeriesExpire,  // An erase of those of an id that are too old.
  kGraph,         // Gets, puts and seeks of keys some of which are hot.
  kYcsb,          // Reads, updates, inserts, scans and read-modify-writes of records.
  kInsert,        // One of those: no operations of a role,
  kScan,          // and neither is this
  kModify,        // nor this: a get and a put of the same key.
  kTrace,         // Recorded operations, in their order.
  kCompact,
  kOpen,
  kFlush,
  kWaitForBackground,
  kVerifyChecksums,
  kBackup,
  kRestore,
  kProperty,     // What the engine says of itself.
  kHeapProfile,  // What the allocator says of the worker.
  kCrc32c,
  kAcquireLoad,
  kCompress,
  kCompressReject,  // Into a buffer that is too small.
  kUncompress,
  kXxHash,
};

inline bool IsOfSeries(OperationKind kind) {
  return kind == OperationKind::kSeriesPut || kind == OperationKind::kSeriesRead ||
         kind == OperationKind::kSeriesExpire;
}
// Which key is next follows from what was done before, so the role names no order.
inline bool ChoosesKeys(OperationKind kind) {
  return IsOfSeries(kind) || kind == OperationKind::kTriple || kind == OperationKind::kReplace ||
         kind == OperationKind::kDispose || kind == OperationKind::kGraph ||
         kind == OperationKind::kYcsb || kind == OperationKind::kTrace;
}
inline bool Writes(OperationKind kind) {
  return kind == OperationKind::kPut || kind == OperationKind::kErase ||
         kind == OperationKind::kMix || kind == OperationKind::kMerge ||
         kind == OperationKind::kUpdate || kind == OperationKind::kTransaction ||
         kind == OperationKind::kAppend || kind == OperationKind::kXor ||
         (ChoosesKeys(kind) && kind != OperationKind::kSeriesRead);
}
// Those that write what they have read changed by something.
inline bool IsUpdate(OperationKind kind) {
  return kind == OperationKind::kUpdate || kind == OperationKind::kAppend ||
         kind == OperationKind::kXor;
}
// What a writing operation makes of the length of an old value.
inline LengthRule LengthRuleOf(OperationKind kind) {
  return kind == OperationKind::kAppend ? LengthRule::kGrown
         : kind == OperationKind::kXor  ? LengthRule::kKept
                                        : LengthRule::kOwn;
}
// Reading operations that scans consist of walk the store's own order and take no keys.
inline bool IsScan(OperationKind kind) {
  return kind == OperationKind::kNext || kind == OperationKind::kPrev;
}
// Operations whose result is a text, not a number.
inline bool GivesText(OperationKind kind) {
  return kind == OperationKind::kProperty || kind == OperationKind::kHeapProfile;
}
// Operations on the store as a whole, by the worker's main thread.
inline bool IsOfStore(OperationKind kind) {
  return kind == OperationKind::kCompact || kind == OperationKind::kOpen ||
         kind == OperationKind::kFlush || kind == OperationKind::kWaitForBackground ||
         kind == OperationKind::kVerifyChecksums || kind == OperationKind::kBackup ||
         kind == OperationKind::kRestore || GivesText(kind);
}
// Operations that measure the machine, and need no store.
inline bool IsOfMachine(OperationKind kind) {
  return kind == OperationKind::kCrc32c || kind == OperationKind::kAcquireLoad ||
         kind == OperationKind::kCompress || kind == OperationKind::kUncompress ||
         kind == OperationKind::kCompressReject || kind == OperationKind::kXxHash;
}
inline bool TakesKeys(OperationKind kind) {
  return !IsScan(kind) && !IsOfStore(kind) && !IsOfMachine(kind) && !ChoosesKeys(kind) &&
         kind != OperationKind::kNewIterator;
}

struct Role {
  std::string name;
  OperationKind operation = OperationKind::kGet;
  uint64_t get_percent = 100;  // Of kMix and kTriple: this share gets,
  uint64_t seek_percent = 0;   // and of kMix this one seeks; the others write.
  uint64_t erase_percent = 0;  // Of kTriple: so much of it erases.
  uint64_t stddev = 0;         // Of kReplace: of the keys that it draws.
  DisposalPlan disposal;       // Of kDispose.
  GraphPlan graph;             // Of kGraph.
  YcsbPlan ycsb;               // Of kYcsb.
  TracePlan trace;             // Of kTrace.
  SeriesPlan series;           // Of kSeriesPut, and from it of all others that are of the series.
  bool merges = false;         // Of kMerge and kMix: what is written is merged, not put.
  uint64_t threads = 1;
  KeyOrder order = KeyOrder::kNone;
  double skew = 0;                   // Of exponential draws.
  KeyDistributionPlan distribution;  // Of skewed draws, and of kYcsb.
  bool scattered = false;            // Hot keys are not neighbours.
  uint64_t records = 0;              // Only so many of the order are there, or filled. 0: all.
  DrawSource source = DrawSource::kOwn;
  bool missing = false;       // Keys that are not there.
  bool cut = false;           // Keys without their last character: not there either.
  bool again = false;         // Of kSeek: the last entry that it came to is sought once more.
  uint64_t nexts = 0;         // Of kSeek and kMix: entries of a seek behind the first one.
  bool backwards = false;     // Those are the ones before it.
  uint64_t max_distance = 0;  // How far from the sought key a seek may get, in keys. 0: any.
  uint64_t range = 0;         // Key indexes lie in [0, range).
  uint64_t operations = 0;    // In all; with `repeat`, of each thread. 0: until `until_role` ends.
  std::string until_role;
  bool repeat = false;    // Each thread does all of the work, instead of a share of it.
  ValueSizes value_size;  // Of the machine's operations: bytes of a block.
  uint64_t batch = 1;     // Entries of one write, keys of one multi-get.
  uint64_t stride = 0;    // Of kMultiGet: between the keys of a call. 0: each is drawn.
  uint64_t sets = 1;      // Of kTransaction; each has `range` keys, one behind the other.
  bool as_batch = false;  // Of kTransaction: one batch of writes, in an engine without them.
  uint64_t rate = 0;      // Operations a second, of all its threads. 0: as fast as it can.
  std::string seed;       // Roles with the same one get the same keys. Empty: its own.
  bool restarts = false;  // A scan that comes to its end begins again.
  std::string property;   // Of kProperty.
  std::string codec;      // Of kCompress and kUncompress; of kXxHash: which hash.

  uint64_t key_count() const { return range * sets; }
  // Of what it puts; `value_size` is the largest.
  uint64_t smallest_value() const {
    if (operation == OperationKind::kReplace) return 0;
    if (operation == OperationKind::kTrace) return trace.smallest_value;
    if (operation != OperationKind::kDispose) return value_size.least();
    return std::min(disposal.disposable_value_size, disposal.persistent_value_size);
  }
  // Whether what is in the store is other than before, or else.
  bool changes_store() const {
    if (operation == OperationKind::kTrace) return trace.writes();
    return Writes(operation) && (operation != OperationKind::kYcsb || ycsb.writes());
  }
  bool inserts() const { return operation == OperationKind::kYcsb && ycsb.insert > 0; }
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
