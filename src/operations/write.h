// The writing operations: put, erase, and a batch of either. Values (written_values.h) are ready
// before the clock starts.
#ifndef LEVELFIELD_OPERATIONS_WRITE_H_
#define LEVELFIELD_OPERATIONS_WRITE_H_

#include <utility>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"

namespace levelfield {

// What the writing operations have in common: every acknowledged write took its entry.
class WritingOperation {
 public:
  static constexpr bool kWholeBlock = false;

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Lane() const { return 0; }

  static Tally TallyOf(size_t key_size, uint64_t operations, uint64_t value_bytes) {
    return {
        .operations = operations, .hits = operations, .bytes = operations * key_size + value_bytes};
  }
};

template <class Values>
class PutOperation : public WritingOperation {
 public:
  PutOperation(const lf_engine& table, lf_session* session, Values values)
      : put_(table.put), session_(session), values_(std::move(values)) {}

  void BeginBlock(const KeyBlock& block) { values_.BeginBlock(block); }
  void Prepare(const NumberedKey& at) { value_ = values_.Next(at.index, 0); }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    return put_(session_, at.key, value_);
  }

  Tally tally(size_t key_size, uint64_t operations) const {
    return TallyOf(key_size, operations, values_.BytesOf(operations));
  }

 private:
  decltype(lf_engine::put) put_;
  lf_session* session_;
  Values values_;
  lf_bytes value_ = {};
};

class EraseOperation : public WritingOperation {
 public:
  EraseOperation(const lf_engine& table, lf_session* session)
      : erase_(table.erase), session_(session) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) { return erase_(session_, at.key); }

  Tally tally(size_t key_size, uint64_t operations) const {
    return TallyOf(key_size, operations, 0);
  }

 private:
  decltype(lf_engine::erase) erase_;
  lf_session* session_;
};

// All keys of a block in one write; a timed batch is one latency for all of them.
template <class Values>
class BatchOperation : public WritingOperation {
 public:
  static constexpr bool kWholeBlock = true;

  BatchOperation(const lf_engine& table, lf_session* session, Values values, size_t batch)
      : write_(table.write), session_(session), values_(std::move(values)), entries_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    values_.BeginBlock(block);
    count_ = block.count();
    for (size_t i = 0; i < count_; ++i) {
      const NumberedKey at = block.at(i);
      entries_[i] = {.key = at.key, .value = values_.Next(at.index, i), .erase = 0};
    }
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    return write_(session_, entries_.data(), count_);
  }

  Tally tally(size_t key_size, uint64_t operations) const {
    return TallyOf(key_size, operations, values_.BytesOf(operations));
  }

 private:
  decltype(lf_engine::write) write_;
  lf_session* session_;
  Values values_;
  std::vector<lf_entry> entries_;
  size_t count_ = 0;
};

// The same of erasures.
class EraseBatchOperation : public WritingOperation {
 public:
  static constexpr bool kWholeBlock = true;

  EraseBatchOperation(const lf_engine& table, lf_session* session, size_t batch)
      : write_(table.write), session_(session), entries_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    count_ = block.count();
    for (size_t i = 0; i < count_; ++i) entries_[i] = {block.at(i).key, {}, 1};
  }

  lf_code Call(const NumberedKey&) { return write_(session_, entries_.data(), count_); }

  Tally tally(size_t key_size, uint64_t operations) const {
    return TallyOf(key_size, operations, 0);
  }

 private:
  decltype(lf_engine::write) write_;
  lf_session* session_;
  std::vector<lf_entry> entries_;
  size_t count_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_WRITE_H_
