// Compression into a buffer that is a byte too small: what an engine pays for a block that does not
// shrink enough, and is then stored as it was. The library has to refuse it, each time. Belongs to
// one thread.
#ifndef LEVELFIELD_OPERATIONS_COMPRESS_REJECT_H_
#define LEVELFIELD_OPERATIONS_COMPRESS_REJECT_H_

#include <string>
#include <string_view>
#include <vector>

#include "operations/codec.h"
#include "operations/machine.h"

namespace levelfield {

class CompressRejectOperation : public MachineOperation {
 public:
  CompressRejectOperation(Codec& codec, std::string_view block)
      : codec_(codec), block_(block), compressed_(codec.Bound(block.size())) {
    needed_ = codec_.Compress(block_, compressed_.data(), compressed_.size());
  }

  lf_code Call(const NumberedKey&) {
    // A library that failed with all the room that it wanted is no library that refuses.
    if (needed_ < 2) [[unlikely]] {
      return LF_UNSUPPORTED;
    }
    taken_ += codec_.Compress(block_, compressed_.data(), needed_ - 1) != 0 ? 1 : 0;
    return LF_OK;
  }

  Tally tally(uint64_t operations) const { return TallyOf(operations, block_.size(), 0, taken_); }
  std::string Note() const { return fmt::format("{} rejected", SizeText(block_.size())); }
  std::string Detail() const {
    return codec_.library() +
           fmt::format(": {} bytes, which it needs, were refused in {}", needed_, needed_ - 1);
  }
  std::string Error() const {
    return fmt::format("{} failed to compress a block of {}", codec_.library(),
                       SizeText(block_.size()));
  }

 private:
  Codec& codec_;
  std::string_view block_;
  std::vector<char> compressed_;
  size_t needed_ = 0;
  uint64_t taken_ = 0;  // What was not refused.
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_COMPRESS_REJECT_H_
