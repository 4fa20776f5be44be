// The operations of a recorded trace, one step of the thread's part after the other, which lies in
// memory. Which key, how many bytes and which version follow from the step; key and value are made
// outside of the timing. A modify is a get and a put of the same key. All that is read goes into
// the digest, which is replayed afterwards: a key has one thread, so what it had to read is known.
// Belongs to one thread.
#ifndef LEVELFIELD_OPERATIONS_TRACE_H_
#define LEVELFIELD_OPERATIONS_TRACE_H_

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "workload/digest.h"
#include "workload/trace/trace_steps.h"
#include "workload/value_source.h"

namespace levelfield {

class TraceReplay {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kLanes = kTraceOperations;

  // The loop asks for at most as many operations as there are steps.
  TraceReplay(const lf_engine& table, lf_session* session, const ValueSource& values,
              std::span<const TraceStep> steps, const KeyShape& shape, uint64_t range,
              uint64_t largest_value)
      : table_(table),
        session_(session),
        values_(values),
        next_(steps.data()),
        format_(shape, range),
        key_(format_.Blank()),
        value_(std::max<size_t>(largest_value, ValueSource::kHeaderBytes)) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    step_ = *next_++;
    const uint64_t index = step_.key;
    format_.Format(std::span(&index, 1), key_.data());
    if (step_.version != 0) values_.Make(index, step_.version, step_.value_size, value_.data());
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const lf_bytes key = {key_.data(), key_.size()};
    switch (step_.operation) {
      case TraceOperation::kGet:
        return Get(key);
      case TraceOperation::kModify:
        return Modify(key);
      case TraceOperation::kPut:
      case TraceOperation::kErase:
        break;
    }
    const bool erases = step_.operation == TraceOperation::kErase;
    const lf_code code = erases ? table_.erase(session_, key) : Put(key);
    if (code != LF_OK) return code;
    ++tally().hits;
    if (erases) tally().bytes += key.size;
    return LF_OK;
  }

  size_t Lane() const { return static_cast<size_t>(step_.operation); }

  Tally tally(size_t lane) const {
    Tally tally = tallies_[lane];
    tally.operations = tally.hits + tally.misses;
    tally.digest = digests_[lane].Value();
    return tally;
  }

 private:
  Tally& tally() { return tallies_[Lane()]; }

  lf_code Get(lf_bytes key) {
    lf_bytes value;
    const lf_code code = table_.get(session_, key, &value);
    if (code == LF_NOT_FOUND) {
      ++tally().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    ++tally().hits;
    tally().bytes += key.size + value.size;
    digests_[Lane()].Add(value, step_.key);
    return LF_OK;
  }

  lf_code Put(lf_bytes key) {
    const lf_code code = table_.put(session_, key, {value_.data(), step_.value_size});
    if (code == LF_OK) tally().bytes += key.size + step_.value_size;
    return code;
  }

  // A key that is not there is written all the same; that it was not there is counted. One that
  // fails half-way was not done.
  lf_code Modify(lf_bytes key) {
    const Tally before = tally();
    lf_code code = Get(key);
    if (code == LF_OK) code = Put(key);
    if (code != LF_OK) tally() = before;
    return code;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  const TraceStep* next_;
  TraceStep step_;
  KeyFormat format_;
  std::string key_;
  std::vector<char> value_;
  Tally tallies_[kLanes];
  Digest digests_[kLanes];
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_TRACE_H_
