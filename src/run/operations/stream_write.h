// The writing operations whose value depends on how many writes the thread has done, not on how
// often it went through its keys: those of drawn keys, where a key may come again at any time, and
// those of --compat=exact, whose values are a series of windows. Values as in write.h: ready before
// the clock starts.
#ifndef LEVELFIELD_RUN_OPERATIONS_STREAM_WRITE_H_
#define LEVELFIELD_RUN_OPERATIONS_STREAM_WRITE_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "levelfield/engine_abi.h"
#include "run/key_block.h"
#include "run/operations/write.h"
#include "run/tally.h"
#include "workload/original_values.h"
#include "workload/value_source.h"

namespace levelfield {

// Self-describing values whose version counts the thread's writes. `place` says where in the batch
// the value goes, which stays as it is until the batch is written.
class CountedValues {
 public:
  CountedValues(const ValueSource& values, uint32_t first_version, size_t value_size, size_t batch)
      : values_(values),
        version_(first_version),
        value_size_(value_size),
        stride_(std::max(value_size, size_t{ValueSource::kHeaderBytes})),
        bytes_(batch * stride_) {}

  lf_bytes Next(uint64_t key_index, size_t place) {
    char* const value = bytes_.data() + place * stride_;
    values_.Make(key_index, version_++, value_size_, value);
    return {value, value_size_};
  }

 private:
  const ValueSource& values_;
  uint32_t version_;
  size_t value_size_;
  size_t stride_;
  std::vector<char> bytes_;
};

// The windows of the originals, where they lie.
class WindowValues {
 public:
  explicit WindowValues(WindowCursor cursor) : cursor_(cursor) {}
  lf_bytes Next(uint64_t, size_t) { return cursor_.Next(); }

 private:
  WindowCursor cursor_;
};

template <class Values>
class StreamPutOperation {
 public:
  static constexpr bool kWholeBlock = false;

  StreamPutOperation(const lf_engine& table, lf_session* session, Values values, size_t value_size)
      : put_(table.put), session_(session), values_(std::move(values)), value_size_(value_size) {}

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey& at) { value_ = values_.Next(at.index, 0); }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    return put_(session_, at.key, value_);
  }

  size_t Lane() const { return 0; }
  Tally tally(size_t key_size, uint64_t operations) const {
    return Acknowledged(operations, key_size + value_size_);
  }

 private:
  decltype(lf_engine::put) put_;
  lf_session* session_;
  Values values_;
  lf_bytes value_ = {};
  size_t value_size_;
};

template <class Values>
class StreamBatchOperation {
 public:
  static constexpr bool kWholeBlock = true;

  StreamBatchOperation(const lf_engine& table, lf_session* session, Values values,
                       size_t value_size, size_t batch)
      : write_(table.write),
        session_(session),
        values_(std::move(values)),
        value_size_(value_size),
        entries_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    count_ = block.count();
    for (size_t i = 0; i < count_; ++i) {
      const NumberedKey at = block.at(i);
      entries_[i] = {.key = at.key, .value = values_.Next(at.index, i), .erase = 0};
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
  Values values_;
  size_t value_size_;
  std::vector<lf_entry> entries_;
  size_t count_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_STREAM_WRITE_H_
