// Gets and puts in one thread: an independent stream decides which comes next, so that the choice
// says nothing about the key. Gets draw uniform keys from the block of the loop; puts take the next
// key of this thread's own share of a shuffled order, so that every key has one writer.
#ifndef LEVELFIELD_RUN_OPERATIONS_MIX_H_
#define LEVELFIELD_RUN_OPERATIONS_MIX_H_

#include "base/random.h"
#include "run/operations/read.h"
#include "run/operations/write.h"

namespace levelfield {

template <class Values>
class MixOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kGetLane = 0;
  static constexpr size_t kPutLane = 1;

  MixOperation(GetOperation<CheckInLoop> get, PutOperation<Values> put, KeyBlock write_keys,
               uint64_t get_percent, uint64_t choice_seed)
      : get_(std::move(get)),
        put_(std::move(put)),
        write_keys_(std::move(write_keys)),
        get_percent_(get_percent),
        choices_(choice_seed) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    lane_ = choices_.Below(100) < get_percent_ ? kGetLane : kPutLane;
    if (lane_ == kGetLane) return;
    if (++next_write_ >= write_keys_.count()) {
      write_keys_.Fill(KeyBlock::kKeys);
      if (write_keys_.count() == 0) {  // More threads than keys: nothing here is this one's to put.
        lane_ = kGetLane;
        return;
      }
      put_.BeginBlock(write_keys_);
      next_write_ = 0;
    }
    put_.Prepare(write_keys_.at(next_write_));
  }

  lf_code Call(const NumberedKey& at) {
    if (lane_ == kGetLane) return get_.Call(at);
    const lf_code code = put_.Call(write_keys_.at(next_write_));
    puts_ += code == LF_OK ? 1 : 0;
    return code;
  }

  size_t Lane() const { return lane_; }
  // Of `operations`, which is how many there were of both.
  Tally get_tally(size_t key_size, uint64_t operations) const {
    return get_.tally(key_size, operations - puts_);
  }
  Tally put_tally(size_t key_size) const { return put_.tally(key_size, puts_); }

 private:
  GetOperation<CheckInLoop> get_;
  PutOperation<Values> put_;
  KeyBlock write_keys_;
  uint64_t get_percent_;
  Random choices_;
  size_t next_write_ = 0;
  size_t lane_ = kGetLane;
  uint64_t puts_ = 0;  // Acknowledged.
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_MIX_H_
