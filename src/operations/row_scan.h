// The scan of the insert benchmark, beside a thread that inserts and deletes rows. What it found is
// checked behind it, outside of the timing: which rows are where is known, and so is how many the
// writer had inserted before the scan and after it. It belongs to one thread.
#ifndef LEVELFIELD_OPERATIONS_ROW_SCAN_H_
#define LEVELFIELD_OPERATIONS_ROW_SCAN_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/row_writes.h"
#include "operations/task.h"
#include "workload/expected_state.h"
#include "workload/rows.h"
#include "workload/value_source.h"

namespace levelfield {

// An operation seeks a random place of a random secondary index, and reads the entries from there.
class RowScanOperation {
 public:
  static constexpr bool kWholeBlock = false;

  explicit RowScanOperation(const ThreadTask& task)
      : seek_(task.table->seek),
        next_(task.table->next),
        session_(task.session),
        values_(*task.values),
        model_(*task.before),
        inserted_(task.writer_clock->now),
        places_(RowPlacesOf(task)),
        before_(RowsHeldBefore(task)),
        first_version_(task.first_version),
        most_(task.role->nexts + 1),
        draws_(task.choice_seed),
        format_(task.key_shape, places_.plan().range()),
        key_(format_.Blank()) {
    found_.reserve(most_);
  }

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {
    CheckLastScan();
    const RowsPlan& plan = places_.plan();
    const uint64_t index = plan.indexes == 0 ? 0 : 1 + draws_.Below(plan.indexes);
    sought_ = index * plan.rows + draws_.Below(plan.rows);
    end_ = (index + 1) * plan.rows;
    key_size_ = format_.FormatOne(sought_, key_.data());
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    lf_bytes key;
    lf_bytes value;
    inserted_before_ = inserted_.load(std::memory_order_acquire);
    lf_code code = seek_(session_, LF_AT_OR_AFTER, {key_.data(), key_size_}, &key, &value);
    while (code == LF_OK) {
      const std::optional<uint64_t> number = format_.Parse({key.data, key.size});
      if (number && *number >= end_) break;  // The next index.
      // A key that is not ours stands among the entries, or one that is not behind the last.
      is_right_ = number && *number >= (found_.empty() ? sought_ : found_.back().key + 1);
      if (!is_right_) break;
      found_.push_back({*number, values_.Check(*number, value).value_or(0)});
      counts_.bytes += key.size + value.size;
      if (found_.size() == most_) break;
      code = next_(session_, &key, &value);
    }
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    inserted_after_ = inserted_.load(std::memory_order_acquire);
    is_to_check_ = true;
    return LF_OK;
  }
  size_t Statistics() const { return 0; }

  // Call it after the last operation. A hit found an entry.
  OperationCounts counts(uint64_t, uint64_t operations) {
    CheckLastScan();
    OperationCounts counts = counts_;
    counts.operations = operations;
    counts.hits = operations - counts.misses;
    return counts;
  }
  uint64_t entries() const { return entries_; }

 private:
  struct Found {
    uint64_t key = 0;
    uint32_t version = 0;  // 0: the value is not one of this key.
  };

  // Outside of the timing. Every row that was there all the time has been found, and none that was
  // never there meanwhile. The write under way may have been seen or not.
  void CheckLastScan() {
    if (!is_to_check_) return;
    is_to_check_ = false;
    const RowsPlan& plan = places_.plan();
    seen_ = {before_.first + plan.deletes * inserted_before_,
             before_.end + inserted_after_ + plan.batch};
    kept_ = {before_.first + plan.deletes * (inserted_after_ + plan.batch),
             before_.end + inserted_before_};
    // Else the places of rows came again during the scan.
    if (is_right_ && seen_.count() <= plan.rows) {
      uint64_t from = sought_;
      for (const Found& found : found_) {
        is_right_ = is_right_ && LacksNone(from, found.key) && MayBe(found);
        from = found.key + 1;
      }
      if (found_.size() < most_) is_right_ = is_right_ && LacksNone(from, end_);
    }
    counts_.wrong += is_right_ ? 0 : 1;
    counts_.misses += found_.empty() ? 1 : 0;
    entries_ += found_.size();
    found_.clear();
    is_right_ = true;
  }

  // A row of before may have no entry: the phase that made them may have ended early.
  bool LacksNone(uint64_t from, uint64_t to) const {
    for (uint64_t key = from; key < to; ++key) {
      const uint64_t row = places_.RowAt(key, seen_.first);
      if (kept_.Has(row) && (row >= before_.end || model_.Find(key))) return false;
    }
    return true;
  }
  bool MayBe(const Found& found) const {
    const uint64_t row = places_.RowAt(found.key, seen_.first);
    if (!seen_.Has(row) || found.version == 0) return false;
    if (row >= before_.end) {
      const uint64_t round = (row - before_.end) / places_.plan().rows;
      return found.version == first_version_ + round;
    }
    const std::optional<ExpectedState::Entry> entry = model_.Find(found.key);
    return entry && entry->version == found.version;
  }

  decltype(lf_engine::seek) seek_;
  decltype(lf_engine::next) next_;
  lf_session* session_;
  const ValueSource& values_;
  const ExpectedState& model_;
  const std::atomic<uint64_t>& inserted_;
  RowPlaces places_;
  RowNumbers before_;
  uint32_t first_version_;
  uint64_t most_;  // Entries of a scan.
  Random draws_;
  KeyFormat format_;
  std::string key_;
  size_t key_size_ = 0;
  uint64_t sought_ = 0;
  uint64_t end_ = 0;  // Of the index.
  uint64_t inserted_before_ = 0;
  uint64_t inserted_after_ = 0;
  std::vector<Found> found_;  // Of the last scan; keeps its memory.
  bool is_to_check_ = false;
  bool is_right_ = true;
  RowNumbers seen_;  // Rows that it may have found,
  RowNumbers kept_;  // and those that it must have.
  OperationCounts counts_;
  uint64_t entries_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_ROW_SCAN_H_
