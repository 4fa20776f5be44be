// A scan that begins again when it comes to the end, for a role that scans until others end. Each
// round has a digest of its own, so the replay needs one round and a rest, however many there were.
#ifndef LEVELFIELD_OPERATIONS_SCAN_AGAIN_H_
#define LEVELFIELD_OPERATIONS_SCAN_AGAIN_H_

#include <optional>

#include "operations/read.h"

namespace levelfield {

template <class Check>
class ScanAgainOperation {
 public:
  static constexpr bool kWholeBlock = false;

  // Each round is the scan `begin` anew.
  explicit ScanAgainOperation(const ScanOperation<Check>& begin) : begin_(begin), round_(begin) {}

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Lane() const { return 0; }

  // One entry; of the first one of a round, the end of the round before and the seek as well.
  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    const lf_code code = round_->Call(at);
    if (code == LF_NOT_FOUND && round_->entries() != 0) [[unlikely]] {
      finished_ += round_->tally(0, round_->entries());
      round_.emplace(begin_);
      return round_->Call(at);
    }
    return code;
  }

  // The digest is the sum of the rounds'.
  Tally tally(size_t key_size, uint64_t operations) const {
    Tally tally = finished_;
    tally += round_->tally(0, round_->entries());
    tally.operations = operations;
    tally.bytes += tally.hits * key_size;
    return tally;
  }

 private:
  ScanOperation<Check> begin_;
  std::optional<ScanOperation<Check>> round_;
  Tally finished_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_SCAN_AGAIN_H_
