// What comes next in a workload of YCSB (Cooper et al., Benchmarking cloud serving systems with
// YCSB, SoCC 2010): a read, an update, an insert, a scan, a read-modify-write or a delete, its
// record, and the length of a scan. Each comes from its own stream, so they are independent. The
// same arguments give the same choices, so the model repeats them after the phase. A stream belongs
// to one thread.
//
// Every record has one writer, so its last version is known: thread r mod threads writes record r.
// A read asks for the drawn record. With several threads, an update takes the thread's own record
// among the `threads` neighbours of the drawn one, so such groups have the shares of the
// distribution. The order of records is not the order of their keys, unless that is asked for. A
// thread inserts its own records after the loaded ones, one by one. It draws from the loaded
// records and its own, because it knows that these are there.
//
// With deletes, the store keeps its size: a delete takes a record out, and the thread's next update
// puts in the one that has been out the longest, of which there are as many as the range is larger
// than the records. Otherwise an engine would write to the page that it has just read, or serve an
// ever smaller store. A thread then asks only for its own records, of which it knows which are in.
#ifndef LEVELFIELD_WORKLOAD_YCSB_DRAWS_H_
#define LEVELFIELD_WORKLOAD_YCSB_DRAWS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "workload/key_distribution.h"
#include "workload/permutation.h"

namespace levelfield {

class ExpectedState;

// The shares of the operations, which add up to 1.
struct YcsbPlan {
  double read = 1;
  double update = 0;
  double insert = 0;
  double scan = 0;
  double modify = 0;
  double remove = 0;  // Deletes.
  // Records of a scan: each of these equally likely, or by Zipf's law, the least ones most often.
  uint64_t least_scan = 1;
  uint64_t most_scan = 100;
  bool has_short_scans = false;
  // An update writes one field, and a store of keys and values has to read the record for that.
  bool updates_read = false;
  // The get and the put of a read-modify-write are timed by themselves as well, as YCSB times them.
  bool times_parts = false;
  // The store may be one in which earlier runs have inserted: then inserts write records again.
  bool may_insert_again = false;

  bool writes() const { return update > 0 || insert > 0 || modify > 0 || remove > 0; }
  bool operator==(const YcsbPlan&) const = default;
};

struct YcsbStream {
  YcsbPlan plan;
  KeyDistributionPlan requests;
  uint64_t records = 1;     // Loaded ones: numbers [0, records).
  uint64_t capacity = 1;    // All records; their keys lie below it.
  bool is_hashed = false;   // Keys are in a random order with
  uint64_t order_seed = 0;  // this seed; else in the order of the records.
  uint64_t seed = 0;        // The thread's own.
  uint64_t thread = 0;
  uint64_t threads = 1;
  // By the whole phase: YCSB's zipfian draws from twice as many more.
  uint64_t expected_inserts = 0;
  uint32_t first_version = 1;
  // For deletes: which records are in the store at the begin. Null: the loaded ones.
  const ExpectedState* before = nullptr;
};

// The keys of the records. Immutable.
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
  // The kinds of calls of the operation, in this order.
  enum class Kind { kRead, kScan, kUpdate, kModify, kInsert, kDelete };
  static constexpr size_t kKinds = 6;
  Kind kind = Kind::kRead;
  bool is_full = false;  // There is no room for an insert's record, or none to delete.
  bool is_own = false;   // The thread is the record's writer.
  uint64_t record = 0;
  uint64_t key = 0;
  uint32_t version = 0;      // For a write; counts up with each write of the thread.
  uint64_t scan_length = 0;  // For a scan: records.
};

// Which of a thread's own records are in the store, in places that requests are drawn for, and the
// others in the order in which they were taken out. At most one place is empty.
class RecordsInTurn {
 public:
  RecordsInTurn(const YcsbStream& stream, const YcsbKeys& keys);

  // Whether a record can be taken out and another one put in.
  bool can_turn() const { return in_.size() > 1 && !out_.empty(); }
  bool has_empty_place() const { return empty_ < in_.size(); }
  // The record at a place, or at the next one if that is empty.
  uint64_t At(uint64_t place) const { return RecordOf(in_[Filled(place)]); }
  uint64_t TakeOut(uint64_t place);
  uint64_t PutIn();
  bool Has(uint64_t record) const { return is_in_[record / threads_]; }

 private:
  uint64_t RecordOf(uint32_t own) const { return own * threads_ + thread_; }
  uint64_t Filled(uint64_t place) const {
    place %= in_.size();
    if (place != empty_) return place;
    return place + 1 == in_.size() ? 0 : place + 1;
  }

  uint64_t thread_;
  uint64_t threads_;
  std::vector<uint32_t> in_;   // Numbers among the thread's own.
  std::vector<uint32_t> out_;  // A ring, whose oldest is at
  size_t oldest_ = 0;
  uint64_t empty_;  // A place; in_.size(): none is.
  std::vector<bool> is_in_;
};

class YcsbDraws {
 public:
  explicit YcsbDraws(const YcsbStream& stream);

  YcsbChoice Next();

  // Whether the record is known to exist: loaded, or inserted by an earlier choice.
  bool IsKnown(uint64_t record) const;
  const YcsbKeys& keys() const { return keys_; }

 protected:
  YcsbChoice::Kind NextKind() {
    const double u = UnitOf(kinds_.Next());
    const Share* share = shares_.data();
    while (u >= share->end) ++share;
    return share->kind;
  }
  // Draws a record that is known to exist.
  uint64_t NextRecord();
  uint64_t NextLength();
  bool IsOwn(uint64_t record) const { return record % stream_.threads == stream_.thread; }
  uint64_t OwnNear(uint64_t record) const;
  // The n-th record that the thread inserts, from 0 on.
  uint64_t Inserted(uint64_t n) const { return first_insert_ + n * stream_.threads; }

  struct Share {
    double end;  // The sum of the shares up to this one; 1 or more for the last.
    YcsbChoice::Kind kind;
  };
  static std::vector<Share> SharesOf(const YcsbPlan& plan);

  YcsbStream stream_;
  std::vector<Share> shares_;  // Those above 0: rounding must not make one.
  YcsbKeys keys_;
  KeyDistribution requests_;
  Random kinds_;
  Random records_;
  Random lengths_;
  Zipf short_lengths_;
  uint64_t first_insert_;  // The thread's first record after the loaded ones.
  uint64_t inserted_ = 0;
  uint32_t next_version_;
};

// The same with deletes, and without inserts.
class YcsbDrawsInTurn : private YcsbDraws {
 public:
  explicit YcsbDrawsInTurn(const YcsbStream& stream)
      : YcsbDraws(stream), records_(stream, keys()) {}

  YcsbChoice Next();
  bool IsKnown(uint64_t record) const { return IsOwn(record) && records_.Has(record); }
  using YcsbDraws::keys;

 private:
  // A delete while a record is out becomes the update that puts one in, and a later update the
  // delete.
  YcsbChoice::Kind NextKindInTurn();

  RecordsInTurn records_;
  uint64_t owed_deletes_ = 0;
};

// The operations of a YCSB workload as its file writes them: `95% read, 5% insert`. Each of read,
// update, insert, scan, rmw and delete may come once, with a percentage that may have a fraction;
// together they make 100 %. Sets the shares. Returns nothing, or what would be accepted.
std::string ReadYcsbMix(std::string_view text, YcsbPlan& plan);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_YCSB_DRAWS_H_
