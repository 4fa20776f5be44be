// The rows of the insert benchmark. A row has an entry of its own, and one in each of several
// secondary indexes. Rows are inserted by their number, 0, 1, 2 and so on, and deleted in the same
// order, so a store holds those of a run of numbers. In an index they stand in a random order that
// can be inverted: "whose entry is this?" and "where is the entry of row n?" have answers without
// a list. After `rows` rows the numbers' places come again, in the primary index and in the others.
//
// The places of the primary index come first in the range of keys, those of each other behind it.
// Pure; any thread.
#ifndef LEVELFIELD_WORKLOAD_ROWS_H_
#define LEVELFIELD_WORKLOAD_ROWS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "workload/key_history.h"
#include "workload/permutation.h"

namespace levelfield {

class ExpectedState;

struct RowsPlan {
  uint64_t rows = 1;     // Places of each index: more than the rows that the store holds at a time.
  uint64_t indexes = 0;  // Besides the primary one.
  uint64_t batch = 1;    // Rows in one write.
  uint64_t deletes = 0;  // Rows that are deleted for each that is inserted: 0 or 1.

  static constexpr uint64_t kEntryBytes = 16;  // The value of a secondary entry.

  uint64_t range() const { return rows * (1 + indexes); }
  bool operator==(const RowsPlan&) const = default;
};

// Rows by number, from `first` to before `end`.
struct RowNumbers {
  uint64_t first = 0;
  uint64_t end = 0;

  uint64_t count() const { return end - first; }
  bool Has(uint64_t row) const { return row >= first && row < end; }
  bool operator==(const RowNumbers&) const = default;
};

// Where the entries of rows are. Index 0 is the primary one.
class RowPlaces {
 public:
  RowPlaces(const RowsPlan& plan, uint64_t seed);

  const RowsPlan& plan() const { return plan_; }
  // The key's number of the row's entry in an index.
  uint64_t KeyOf(uint64_t row, uint64_t index) const {
    const uint64_t place = row % plan_.rows;
    return index == 0 ? place : index * plan_.rows + orders_[index - 1].At(place);
  }
  uint64_t IndexOf(uint64_t key) const { return key / plan_.rows; }
  // The first row from `from` on whose entry has this key.
  uint64_t RowAt(uint64_t key, uint64_t from) const;

 private:
  RowsPlan plan_;
  std::vector<Permutation> orders_;
};

// The rows that a store holds, whose primary entries are one run of places, round and round. If
// there is none, both are 0.
RowNumbers RowsHeldBy(const ExpectedState& state, const RowsPlan& plan);

// What a phase left that inserted rows behind those that were there, and deleted the oldest.
class RowHistory final : public KeyHistory {
 public:
  RowHistory(const RowPlaces& places, RowNumbers before, uint64_t inserted, uint32_t first_version,
             uint64_t value_size);

  uint64_t range() const override { return places_.plan().range(); }
  std::optional<Last> LastOf(uint64_t key) const override;
  uint64_t versions() const override { return inserted_ / places_.plan().rows + 1; }
  uint64_t smallest_value() const override { return RowsPlan::kEntryBytes; }

 private:
  RowPlaces places_;
  RowNumbers before_;
  uint64_t inserted_;
  RowNumbers left_;
  uint32_t first_version_;
  uint64_t value_size_;
};

// The entries of held rows in the secondary indexes, in the order of their keys.
class IndexWalk {
 public:
  IndexWalk(const RowPlaces& places, RowNumbers held)
      : places_(places), held_(held), key_(places.plan().rows) {}

  // There must be another.
  uint64_t Next() {
    while (!IsHeld(key_)) ++key_;
    return key_++;
  }
  uint64_t entries() const { return held_.count() * places_.plan().indexes; }
  // Behind the last one.
  uint64_t key() const { return key_; }
  bool IsHeld(uint64_t key) const { return held_.Has(places_.RowAt(key, held_.first)); }

 private:
  RowPlaces places_;
  RowNumbers held_;
  uint64_t key_;
};

// What a phase left that made the secondary entries of held rows, in the order of their keys.
class IndexHistory final : public KeyHistory {
 public:
  IndexHistory(const RowPlaces& places, RowNumbers held, uint64_t entries, uint32_t version);

  uint64_t range() const override { return range_; }
  std::optional<Last> LastOf(uint64_t key) const override;
  uint64_t versions() const override { return 1; }
  uint64_t smallest_value() const override { return RowsPlan::kEntryBytes; }

 private:
  uint64_t range_;
  uint64_t first_key_;
  uint32_t version_;
  IndexWalk walk_;  // Behind the last entry that was made.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_ROWS_H_
