// What writes values: a put, and what a batch of puts is made of. Values are ready before the clock
// starts. A class that gives them belongs to one thread and has
//     void BeginBlock(const KeyBlock&)             a new block of keys
//     lf_bytes Next(const NumberedKey&)            the value of the next write, where each key of a
//                                                  block is written, one after the other
//     lf_bytes Next(uint64_t key_index, size_t place)
//                                                  the same for batches; `place` is its place in
//                                                  the batch, until whose end it stays as it is
//     uint64_t BytesOf(uint64_t count) const       of the first `count` values, which are all of
//                                                  them, or all but those of the last write
#ifndef LEVELFIELD_OPERATIONS_WRITE_H_
#define LEVELFIELD_OPERATIONS_WRITE_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/task.h"
#include "workload/original_values.h"
#include "workload/value_sizes.h"
#include "workload/value_source.h"

namespace levelfield {

// What values that are made, not found, share: room for those of a batch.
class MadeValues {
 public:
  MadeValues(const ValueSource& values, uint32_t first_version, size_t value_size, size_t batch)
      : values_(values),
        shape_(ValueSource::ShapeOf(first_version, value_size)),
        seed_(values.SeedOf(shape_)),
        value_size_(value_size),
        stride_(std::max(value_size, size_t{ValueSource::kHeaderBytes})),
        bytes_(batch * stride_) {}

  uint64_t BytesOf(uint64_t count) const { return count * value_size_; }

 protected:
  // Of the present shape.
  lf_bytes Make(uint64_t key_index, size_t place) {
    char* const value = bytes_.data() + place * stride_;
    values_.Make(ValueSource::TagOf(key_index, values_.SeedOf(shape_)), shape_, value);
    return {value, value_size_};
  }

  // Announces the next write, of this shape.
  void Expect(uint64_t key_index, uint64_t shape) {
    shape_ = shape;
    seed_ = values_.SeedOf(shape);
    tag_ = ValueSource::TagOf(key_index, seed_);
  }
  // The value that was announced, and announces the next one, whose version is `step` further.
  [[gnu::always_inline]] lf_bytes MakeExpected(uint64_t next_key_index, uint64_t step) {
    const uint64_t tag = tag_;
    const uint64_t shape = shape_;
    if (step == 0) {
      tag_ = ValueSource::TagOf(next_key_index, seed_);
    } else {
      Expect(next_key_index, shape + step);
    }
    values_.Prefetch(tag_);
    values_.Make(tag, shape, bytes_.data());
    return {bytes_.data(), value_size_};
  }

  const ValueSource& values_;
  uint64_t shape_;

 private:
  uint64_t seed_;  // Of shape_, for those that announce their writes.
  uint64_t tag_ = 0;
  size_t value_size_;
  size_t stride_;
  std::vector<char> bytes_;
};

// The version counts the rounds through the thread's keys; each round writes each key once.
class RoundValues : public MadeValues {
 public:
  RoundValues(const ValueSource& values, uint32_t first_version, size_t value_size, size_t batch)
      : MadeValues(values, first_version, value_size, batch), first_shape_(shape_) {}

  void BeginBlock(const KeyBlock& block) {
    Expect(block.indexes()[0], first_shape_ + block.round() * ValueSource::kNextVersion);
  }
  lf_bytes Next(const NumberedKey& at) { return MakeExpected(at.next, 0); }
  lf_bytes Next(uint64_t key_index, size_t place) { return Make(key_index, place); }

 private:
  uint64_t first_shape_;
};

// The version counts the thread's writes: for drawn keys, which may come again at any time.
class CountedValues : public MadeValues {
 public:
  using MadeValues::MadeValues;
  void BeginBlock(const KeyBlock& block) { Expect(block.indexes()[0], shape_); }
  lf_bytes Next(const NumberedKey& at) { return MakeExpected(at.next, ValueSource::kNextVersion); }
  lf_bytes Next(uint64_t key_index, size_t place) {
    const lf_bytes value = Make(key_index, place);
    shape_ += ValueSource::kNextVersion;
    return value;
  }
};

// Values with a size of their own each. The version counts the thread's writes (`counts`) or the
// rounds through its keys, as above.
class VariedValues {
 public:
  VariedValues(const ValueSource& values, uint32_t first_version, const ValueSizes& sizes,
               size_t batch, bool counts)
      : values_(values),
        sizes_(sizes),
        first_version_(first_version),
        version_(first_version),
        counts_(counts),
        step_(counts ? 1 : 0),
        stride_(std::max(sizes.most(), uint64_t{ValueSource::kHeaderBytes})),
        bytes_(batch * stride_),
        last_sizes_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    if (!counts_) version_ = first_version_ + static_cast<uint32_t>(block.round());
  }

  lf_bytes Next(const NumberedKey& at) { return Next(at.index, 0); }
  lf_bytes Next(uint64_t key_index, size_t place) {
    char* const value = bytes_.data() + place * stride_;
    const uint64_t size = sizes_.Of(key_index, version_);
    values_.Make(key_index, version_, size, value);
    version_ += step_;
    last_sizes_[place] = size;
    made_bytes_ += size;
    ++made_;
    return {value, size};
  }

  // A failed write is the last one, and its sizes are still here.
  uint64_t BytesOf(uint64_t count) const {
    uint64_t bytes = made_bytes_;
    for (uint64_t i = 0; i < made_ - count; ++i) bytes -= last_sizes_[i];
    return bytes;
  }

 private:
  const ValueSource& values_;
  ValueSizes sizes_;
  uint32_t first_version_;
  uint32_t version_;
  bool counts_;
  uint32_t step_;
  size_t stride_;
  std::vector<char> bytes_;
  std::vector<uint64_t> last_sizes_;  // By place in the last write.
  uint64_t made_ = 0;
  uint64_t made_bytes_ = 0;
};

// The originals' windows (--compat=exact), in place.
class WindowValues {
 public:
  WindowValues(WindowCursor cursor, size_t value_size) : cursor_(cursor), value_size_(value_size) {}
  void BeginBlock(const KeyBlock&) {}
  lf_bytes Next(const NumberedKey&) { return cursor_.Next(); }
  lf_bytes Next(uint64_t, size_t) { return cursor_.Next(); }
  uint64_t BytesOf(uint64_t count) const { return count * value_size_; }

 private:
  WindowCursor cursor_;
  size_t value_size_;
};

// What the writing operations share: every acknowledged write took its entry.
class WritingOperation {
 public:
  static constexpr bool kWholeBlock = false;

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Statistics() const { return 0; }

  static OperationCounts CountsOf(uint64_t key_bytes, uint64_t operations, uint64_t value_bytes) {
    return {.operations = operations, .hits = operations, .bytes = key_bytes + value_bytes};
  }
};

template <class Values>
class PutOperation : public WritingOperation {
 public:
  PutOperation(decltype(lf_engine::put) put, lf_session* session, Values values)
      : put_(put), session_(session), values_(std::move(values)) {}

  void BeginBlock(const KeyBlock& block) { values_.BeginBlock(block); }
  [[gnu::always_inline]] void Prepare(const NumberedKey& at) { value_ = values_.Next(at); }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    return put_(session_, at.key, value_);
  }

  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    return CountsOf(key_bytes, operations, values_.BytesOf(operations));
  }

 private:
  decltype(lf_engine::put) put_;
  lf_session* session_;
  Values values_;
  lf_bytes value_ = {};
};

// The call that writes the role's values. A merge takes the same arguments as a put, and by default
// does the same.
inline decltype(lf_engine::put) PutOf(const ThreadTask& task) {
  return task.role->merges ? task.table->merge : task.table->put;
}
inline constexpr const char* kNoMerges = "this engine offers no merges";

// Runs with the values of a role that writes each key once in each round: values of one size pay
// nothing for varying ones.
template <class Run>
void WithRoundValues(const ThreadTask& task, Run run) {
  const Role& role = *task.role;
  if (role.value_size.vary()) {
    return run(VariedValues(*task.values, task.first_version, role.value_size, role.batch, false));
  }
  run(RoundValues(*task.values, task.first_version, role.value_size.most(), role.batch));
}

// The same for an operation that reads as well, and so has to know as a constant whether keys vary.
// Where they do, values are made as if they varied, too: one loop less to compile.
template <class Run>
void WithRoundValuesAndKeys(const ThreadTask& task, Run run) {
  const Role& role = *task.role;
  if (task.key_shape.vary()) {
    return run(VariedValues(*task.values, task.first_version, role.value_size, role.batch, false),
               std::true_type());
  }
  WithRoundValues(task, [&](auto values) { run(std::move(values), std::false_type()); });
}

// Bytes of a key and its value, if all entries have the same size; else 0.
inline uint64_t EntryBytes(const ThreadTask& task) {
  const ValueSizes& sizes = task.role->value_size;
  return sizes.vary() || task.key_shape.vary() ? 0 : task.key_shape.size + sizes.most();
}

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_WRITE_H_
