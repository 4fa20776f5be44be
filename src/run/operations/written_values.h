// Where a writing operation gets its values from, ready before the clock starts. Each class has
//     void BeginBlock(const KeyBlock&)             a new block of keys
//     lf_bytes Next(uint64_t key_index, size_t place)
//                                                  the value of the next write; `place` is its
//                                                  place in the batch, until whose end it stays as
//                                                  it is
// and belongs to one thread.
#ifndef LEVELFIELD_RUN_OPERATIONS_WRITTEN_VALUES_H_
#define LEVELFIELD_RUN_OPERATIONS_WRITTEN_VALUES_H_

#include <algorithm>
#include <vector>

#include "levelfield/engine_abi.h"
#include "run/key_block.h"
#include "workload/original_values.h"
#include "workload/value_source.h"

namespace levelfield {

// What values that are made, not found, have in common: room for those of a batch.
class MadeValues {
 public:
  MadeValues(const ValueSource& values, uint32_t first_version, size_t value_size, size_t batch)
      : values_(values),
        version_(first_version),
        value_size_(value_size),
        stride_(std::max(value_size, size_t{ValueSource::kHeaderBytes})),
        bytes_(batch * stride_) {}

 protected:
  lf_bytes Make(uint64_t key_index, uint32_t version, size_t place) {
    char* const value = bytes_.data() + place * stride_;
    values_.Make(key_index, version, value_size_, value);
    return {value, value_size_};
  }

  const ValueSource& values_;
  uint32_t version_;

 private:
  size_t value_size_;
  size_t stride_;
  std::vector<char> bytes_;
};

// The version counts the rounds through the thread's keys, each of which is written once in each.
class RoundValues : public MadeValues {
 public:
  RoundValues(const ValueSource& values, uint32_t first_version, size_t value_size, size_t batch)
      : MadeValues(values, first_version, value_size, batch), first_version_(first_version) {}

  void BeginBlock(const KeyBlock& block) {
    version_ = first_version_ + static_cast<uint32_t>(block.round());
  }
  lf_bytes Next(uint64_t key_index, size_t place) { return Make(key_index, version_, place); }

 private:
  uint32_t first_version_;
};

// The version counts the thread's writes: of drawn keys, where a key may come again at any time.
class CountedValues : public MadeValues {
 public:
  using MadeValues::MadeValues;
  void BeginBlock(const KeyBlock&) {}
  lf_bytes Next(uint64_t key_index, size_t place) { return Make(key_index, version_++, place); }
};

// The windows of the originals (--compat=exact), where they lie.
class WindowValues {
 public:
  explicit WindowValues(WindowCursor cursor) : cursor_(cursor) {}
  void BeginBlock(const KeyBlock&) {}
  lf_bytes Next(uint64_t, size_t) { return cursor_.Next(); }

 private:
  WindowCursor cursor_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_WRITTEN_VALUES_H_
