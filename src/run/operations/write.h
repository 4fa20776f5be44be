// The writing operations: put, erase, and a batch of puts. Values are made before the clock starts.
#ifndef LEVELFIELD_RUN_OPERATIONS_WRITE_H_
#define LEVELFIELD_RUN_OPERATIONS_WRITE_H_

#include <algorithm>
#include <vector>

#include "levelfield/engine_abi.h"
#include "run/key_block.h"
#include "run/tally.h"
#include "workload/value_source.h"

namespace levelfield {

// Every acknowledged write took its entry.
inline Tally Acknowledged(uint64_t operations, size_t entry_bytes) {
  return {.operations = operations, .hits = operations, .bytes = operations * entry_bytes};
}

class PutOperation {
 public:
  static constexpr bool kWholeBlock = false;

  PutOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
               uint32_t first_version, size_t value_size)
      : put_(table.put),
        session_(session),
        values_(values),
        first_version_(first_version),
        version_(first_version),
        value_(std::max(value_size, size_t{ValueSource::kHeaderBytes})),
        value_size_(value_size) {}

  void BeginBlock(const KeyBlock& block) {
    version_ = first_version_ + static_cast<uint32_t>(block.round());
  }

  void Prepare(const NumberedKey& at) {
    values_.Make(at.index, version_, value_size_, value_.data());
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    return put_(session_, at.key, {value_.data(), value_size_});
  }

  size_t Lane() const { return 0; }
  Tally tally(size_t key_size, uint64_t operations) const {
    return Acknowledged(operations, key_size + value_size_);
  }

 private:
  decltype(lf_engine::put) put_;
  lf_session* session_;
  const ValueSource& values_;
  uint32_t first_version_;
  uint32_t version_;
  std::vector<char> value_;
  size_t value_size_;
};

class EraseOperation {
 public:
  static constexpr bool kWholeBlock = false;

  EraseOperation(const lf_engine& table, lf_session* session)
      : erase_(table.erase), session_(session) {}

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) { return erase_(session_, at.key); }

  size_t Lane() const { return 0; }
  Tally tally(size_t key_size, uint64_t operations) const {
    return Acknowledged(operations, key_size);
  }

 private:
  decltype(lf_engine::erase) erase_;
  lf_session* session_;
};

// All keys of a block in one write; a timed batch is one latency for all of them.
class BatchOperation {
 public:
  static constexpr bool kWholeBlock = true;

  BatchOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                 uint32_t first_version, size_t value_size, size_t batch)
      : write_(table.write),
        session_(session),
        values_(values),
        first_version_(first_version),
        value_size_(value_size),
        stride_(std::max(value_size, size_t{ValueSource::kHeaderBytes})),
        bytes_(batch * stride_),
        entries_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    const auto version = first_version_ + static_cast<uint32_t>(block.round());
    count_ = block.count();
    for (size_t i = 0; i < count_; ++i) {
      const NumberedKey at = block.at(i);
      char* const value = bytes_.data() + i * stride_;
      values_.Make(at.index, version, value_size_, value);
      entries_[i] = {.key = at.key, .value = {value, value_size_}, .erase = 0};
    }
  }

  void Prepare(const NumberedKey&) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    return write_(session_, entries_.data(), count_);
  }

  size_t Lane() const { return 0; }
  Tally tally(size_t key_size, uint64_t operations) const {
    return Acknowledged(operations, key_size + value_size_);
  }

 private:
  decltype(lf_engine::write) write_;
  lf_session* session_;
  const ValueSource& values_;
  uint32_t first_version_;
  size_t value_size_;
  size_t stride_;
  std::vector<char> bytes_;
  std::vector<lf_entry> entries_;
  size_t count_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_WRITE_H_
