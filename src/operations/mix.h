// Gets, writes and perhaps seeks in one thread: an independent stream decides which comes next, so
// that the choice says nothing about the key. Gets and seeks draw from the block of the loop;
// writes take the next key of this thread's own share of a shuffled order, so that every key has
// one writer.
#ifndef LEVELFIELD_OPERATIONS_MIX_H_
#define LEVELFIELD_OPERATIONS_MIX_H_

#include <type_traits>
#include <utility>

#include "base/random.h"
#include "operations/read.h"
#include "operations/write.h"

namespace levelfield {

// In place of a mix's seeks, where it has none.
struct NoSeeks {};

template <class Values, class Seek = NoSeeks>
class MixOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr bool kSeeks = !std::is_same_v<Seek, NoSeeks>;
  static constexpr size_t kGetLane = 0;
  static constexpr size_t kSeekLane = 1;
  static constexpr size_t kPutLane = kSeeks ? 2 : 1;
  static constexpr size_t kLanes = kPutLane + 1;

  MixOperation(GetOperation<CheckInLoop> get, PutOperation<Values> put, KeyBlock write_keys,
               const Role& role, uint64_t choice_seed, Seek seek = {})
      : get_(std::move(get)),
        put_(std::move(put)),
        seek_(std::move(seek)),
        write_keys_(std::move(write_keys)),
        get_percent_(role.get_percent),
        read_percent_(role.get_percent + role.seek_percent),
        choices_(choice_seed) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey& at) {
    const uint64_t choice = choices_.Below(100);
    lane_ = choice < get_percent_ ? kGetLane : kPutLane;
    if (lane_ == kGetLane) return;
    if constexpr (kSeeks) {
      if (choice < read_percent_) {
        lane_ = kSeekLane;
        return seek_.Prepare(at);
      }
    }
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
    if constexpr (kSeeks) {
      if (lane_ == kSeekLane) {
        const lf_code code = seek_.Call(at);
        seeks_ += code == LF_OK ? 1 : 0;
        return code;
      }
    }
    const lf_code code = put_.Call(write_keys_.at(next_write_));
    puts_ += code == LF_OK ? 1 : 0;
    return code;
  }

  size_t Lane() const { return lane_; }
  // Of `operations`, which is how many there were of all kinds.
  Tally get_tally(size_t key_size, uint64_t operations) const {
    return get_.tally(key_size, operations - puts_ - seeks_);
  }
  Tally put_tally(size_t key_size) const { return put_.tally(key_size, puts_); }
  Tally seek_tally(size_t key_size) const { return seek_.tally(key_size, seeks_); }

 private:
  GetOperation<CheckInLoop> get_;
  PutOperation<Values> put_;
  [[no_unique_address]] Seek seek_;
  KeyBlock write_keys_;
  uint64_t get_percent_;
  uint64_t read_percent_;  // Gets and seeks.
  Random choices_;
  size_t next_write_ = 0;
  size_t lane_ = kGetLane;
  uint64_t puts_ = 0;   // Acknowledged.
  uint64_t seeks_ = 0;  // Answered.
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_MIX_H_
