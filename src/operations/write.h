// What writes values: a put, and a batch of puts. Values (written_values.h) are ready before the
// clock starts.
#ifndef LEVELFIELD_OPERATIONS_WRITE_H_
#define LEVELFIELD_OPERATIONS_WRITE_H_

#include <cstdint>
#include <utility>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/task.h"
#include "operations/written_values.h"

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
  PutOperation(decltype(lf_engine::put) put, lf_session* session, Values values)
      : put_(put), session_(session), values_(std::move(values)) {}

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

// What a role writes its values with. A merge takes what a put takes, and by default comes to the
// same.
inline decltype(lf_engine::put) PutOf(const ThreadTask& task) {
  return task.role->merges ? task.table->merge : task.table->put;
}
inline constexpr const char* kNoMerges = "this engine offers no merges";

// Runs with the values of a role each of whose keys is written once in each round: those of one
// size pay nothing for those that vary.
template <class Run>
void WithRoundValues(const ThreadTask& task, Run run) {
  const Role& role = *task.role;
  if (role.value_size.vary()) {
    return run(VariedValues(*task.values, task.first_version, role.value_size, role.batch, false));
  }
  run(RoundValues(*task.values, task.first_version, role.value_size.most(), role.batch));
}

// Of a key and its value, where all entries have the same size; else 0.
inline uint64_t EntryBytes(const ThreadTask& task) {
  const ValueSizes& sizes = task.role->value_size;
  return sizes.vary() ? 0 : task.key_shape.size + sizes.most();
}

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_WRITE_H_
