// The operations of the insert benchmark that write: one makes the secondary entries of rows that
// are there, one inserts rows with theirs. Both fill a batch before the clock starts. They belong
// to one thread.
#ifndef LEVELFIELD_OPERATIONS_ROW_WRITES_H_
#define LEVELFIELD_OPERATIONS_ROW_WRITES_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/task.h"
#include "workload/rows.h"
#include "workload/value_source.h"

namespace levelfield {

inline RowPlaces RowPlacesOf(const ThreadTask& task) {
  return {task.role->rows, task.keys.order_seed};
}
inline RowNumbers RowsHeldBefore(const ThreadTask& task) {
  return RowsHeldBy(*task.before, task.role->rows);
}

// Entries of one write, with their keys and values. Belongs to one thread.
class RowBatch {
 public:
  RowBatch(const ThreadTask& task, uint64_t most)
      : values_(*task.values),
        format_(task.key_shape, task.role->rows.range()),
        value_size_(task.role->value_size.most()),
        keys_(format_.Blank(most)),
        bytes_(most * value_size_),
        entries_(most) {}

  void Clear() { count_ = size_bytes_ = 0; }
  void Put(uint64_t key, uint32_t version, uint64_t size) {
    char* const value = bytes_.data() + count_ * value_size_;
    values_.Make(key, version, size, value);
    entries_[count_] = {.key = NextKey(key), .value = {value, size}, .erase = 0};
    size_bytes_ += size;
    ++count_;
  }
  void Erase(uint64_t key) {
    entries_[count_] = {.key = NextKey(key), .value = {}, .erase = 1};
    ++count_;
  }
  const lf_entry* entries() const { return entries_.data(); }
  size_t count() const { return count_; }
  // Of its keys, also of those that it erases, and its values.
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  lf_bytes NextKey(uint64_t key) {
    char* const bytes = keys_.data() + count_ * format_.stride();
    const size_t size = format_.FormatOne(key, bytes);
    size_bytes_ += size;
    return {bytes, size};
  }

  const ValueSource& values_;
  KeyFormat format_;
  uint64_t value_size_;
  std::string keys_;
  std::vector<char> bytes_;
  std::vector<lf_entry> entries_;
  size_t count_ = 0;
  uint64_t size_bytes_ = 0;
};

// What writes rows or their entries shares: a block of the loop is one write.
class RowWriteOperation {
 public:
  static constexpr bool kWholeBlock = true;

  void Prepare(const NumberedKey&) {}
  size_t Statistics() const { return 0; }
  OperationCounts counts(uint64_t, uint64_t operations) const {
    return {.operations = operations, .hits = operations, .bytes = written_bytes_};
  }

 protected:
  RowWriteOperation(const ThreadTask& task, uint64_t most)
      : write_(task.table->write), session_(task.session), batch_(task, most) {}

  [[gnu::always_inline]] lf_code Write() {
    const lf_code code = write_(session_, batch_.entries(), batch_.count());
    if (code == LF_OK) written_bytes_ += batch_.size_bytes();
    return code;
  }

  decltype(lf_engine::write) write_;
  lf_session* session_;
  RowBatch batch_;
  uint64_t written_bytes_ = 0;
};

// An operation makes an entry.
class RowIndexOperation : public RowWriteOperation {
 public:
  RowIndexOperation(const ThreadTask& task, const IndexWalk& walk)
      : RowWriteOperation(task, task.role->batch), walk_(walk), version_(task.first_version) {}

  void BeginBlock(const KeyBlock& block) {
    batch_.Clear();
    for (size_t i = 0; i < block.count(); ++i) {
      batch_.Put(walk_.Next(), version_, RowsPlan::kEntryBytes);
    }
  }
  [[gnu::always_inline]] lf_code Call(const NumberedKey&) { return Write(); }

 private:
  IndexWalk walk_;
  uint32_t version_;
};

// An operation inserts a row, and deletes the oldest if the plan says so.
class RowInsertOperation : public RowWriteOperation {
 public:
  explicit RowInsertOperation(const ThreadTask& task)
      : RowWriteOperation(task, EntriesOf(task.role->rows) * task.role->batch),
        places_(RowPlacesOf(task)),
        before_(RowsHeldBefore(task)),
        value_size_(task.role->value_size.most()),
        first_version_(task.first_version),
        inserted_(task.writer_clock->now) {}

  void BeginBlock(const KeyBlock& block) {
    batch_.Clear();
    const RowsPlan& plan = places_.plan();
    for (size_t i = 0; i < block.count(); ++i) {
      const uint64_t number = done_ + i;
      const uint32_t version = first_version_ + static_cast<uint32_t>(number / plan.rows);
      for (uint64_t index = 0; index <= plan.indexes; ++index) {
        batch_.Put(places_.KeyOf(before_.end + number, index), version,
                   index == 0 ? value_size_ : RowsPlan::kEntryBytes);
      }
      if (plan.deletes == 0) continue;
      for (uint64_t index = 0; index <= plan.indexes; ++index) {
        batch_.Erase(places_.KeyOf(before_.first + number, index));
      }
    }
    rows_ = block.count();
  }
  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const lf_code code = Write();
    if (code != LF_OK) return code;
    done_ += rows_;
    inserted_.store(done_, std::memory_order_release);
    return LF_OK;
  }

 private:
  // That one row writes and erases.
  static uint64_t EntriesOf(const RowsPlan& plan) {
    return (1 + plan.indexes) * (1 + plan.deletes);
  }

  RowPlaces places_;
  RowNumbers before_;
  uint64_t value_size_;
  uint32_t first_version_;
  std::atomic<uint64_t>& inserted_;
  uint64_t done_ = 0;
  uint64_t rows_ = 0;  // In the present write.
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_ROW_WRITES_H_
