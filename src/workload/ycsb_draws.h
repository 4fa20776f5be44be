// What comes next in a workload of YCSB (Cooper et al., Benchmarking cloud serving systems with
// YCSB, SoCC 2010): a read, an update, an insert, a scan or a read-modify-write, of which record,
// and how long a scan is. Each comes from a stream of its own, so that none says anything of
// another. The same arguments give the same choices, so the model repeats them after the phase.
// A stream belongs to one thread.
//
// Every record has one writer, so that its last version is known: record r is written by thread
// r mod threads. A read asks for the record that is drawn. An update of several threads is of the
// thread's own record among the `threads` neighbours of the drawn one, so the shares of such groups
// are those of the distribution; the numbers of records are not the order of their keys unless that
// is asked for. A thread inserts its own records behind those that were loaded, one by one, and
// draws from those that were loaded and its own, of which it knows that they are there.
#ifndef LEVELFIELD_WORKLOAD_YCSB_DRAWS_H_
#define LEVELFIELD_WORKLOAD_YCSB_DRAWS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "workload/key_distribution.h"
#include "workload/permutation.h"

namespace levelfield {

// The shares of the operations, which add up to 1.
struct YcsbPlan {
  double read = 1;
  double update = 0;
  double insert = 0;
  double scan = 0;
  double modify = 0;
  uint64_t most_scan = 100;  // Records of a scan, uniform from 1 on.

  bool writes() const { return update > 0 || insert > 0 || modify > 0; }
};

struct YcsbStream {
  YcsbPlan plan;
  KeyDistributionPlan requests;
  uint64_t records = 1;     // That were loaded: numbers [0, records).
  uint64_t capacity = 1;    // Of all records; their keys lie below it.
  bool is_hashed = false;   // Keys are in a random order,
  uint64_t order_seed = 0;  // of this seed; else in that of the numbers.
  uint64_t seed = 0;        // The thread's own.
  uint64_t thread = 0;
  uint64_t threads = 1;
  // That the whole phase may insert: YCSB's zipfian draws from twice as many more.
  uint64_t expected_inserts = 0;
  uint32_t first_version = 1;
};

// Where the records lie. Immutable.
class YcsbKeys {
 public:
  explicit YcsbKeys(const YcsbStream& stream)
      : order_(stream.capacity, stream.order_seed), is_hashed_(stream.is_hashed) {}
  uint64_t KeyOf(uint64_t record) const { return is_hashed_ ? order_.At(record) : record; }
  uint64_t RecordOf(uint64_t key) const { return is_hashed_ ? order_.PositionOf(key) : key; }

 private:
  Permutation order_;
  bool is_hashed_;
};

struct YcsbChoice {
  // The lanes of the operation, in this order.
  enum class Kind { kRead, kScan, kUpdate, kModify, kInsert };
  static constexpr size_t kKinds = 5;
  Kind kind = Kind::kRead;
  bool is_full = false;  // Of an insert: there is no room for its record.
  bool is_own = false;   // The thread is the record's writer.
  uint64_t record = 0;
  uint64_t key = 0;
  uint32_t version = 0;      // Of what is written; each further one of the thread counts one up.
  uint64_t scan_length = 0;  // Of a scan: records.
};

class YcsbDraws {
 public:
  explicit YcsbDraws(const YcsbStream& stream);

  YcsbChoice Next();

  // Whether it is known that the record is there: loaded, or inserted by a choice before.
  bool IsKnown(uint64_t record) const;
  const YcsbKeys& keys() const { return keys_; }

 private:
  YcsbChoice::Kind NextKind();
  // A record that is known to be there.
  uint64_t NextRecord();
  bool IsOwn(uint64_t record) const { return record % stream_.threads == stream_.thread; }
  uint64_t OwnNear(uint64_t record) const;
  // The n-th of the thread's inserts, from 0 on.
  uint64_t Inserted(uint64_t n) const { return first_insert_ + n * stream_.threads; }

  YcsbStream stream_;
  YcsbKeys keys_;
  KeyDistribution requests_;
  Random kinds_;
  Random records_;
  Random lengths_;
  uint64_t first_insert_;  // The thread's first record behind those that were loaded.
  uint64_t inserted_ = 0;
  uint32_t next_version_;
};

// The operations of a workload of YCSB as its file writes them: `95% read, 5% insert`.
// Each of read, update, insert, scan and rmw at most once, with a percentage that may have a
// fraction, of together 100 %. Sets the shares; returns nothing, or what is accepted.
std::string ReadYcsbMix(std::string_view text, YcsbPlan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_YCSB_DRAWS_H_
