// A block of ready-made keys: indexes and their bytes, made outside the timed region so that an
// operation finds its key in the first-level cache. Belongs to one thread.
#ifndef LEVELFIELD_RUN_KEY_BLOCK_H_
#define LEVELFIELD_RUN_KEY_BLOCK_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "workload/key_format.h"
#include "workload/key_sequence.h"

namespace levelfield {

struct NumberedKey {
  lf_bytes key;
  uint64_t index;
};

class KeyBlock {
 public:
  // 128 keys of 16 bytes are 2 KiB; more would not make the call of Fill cheaper.
  static constexpr size_t kKeys = 128;

  KeyBlock(const KeyPlan& plan, const KeyFormat& format, size_t capacity = kKeys)
      : sequence_(plan),
        format_(format),
        formats_(plan.order != KeyOrder::kNone),
        indexes_(capacity),
        bytes_(format.Blank(capacity)) {}

  // Makes the next keys, `most` at the most. None only where the plan's share is empty.
  void Fill(uint64_t most) {
    const size_t wanted = most < indexes_.size() ? static_cast<size_t>(most) : indexes_.size();
    count_ = sequence_.Fill(std::span(indexes_).first(wanted), &round_);
    if (formats_) format_.Format(std::span(indexes_).first(count_), bytes_.data());
  }

  size_t count() const { return count_; }
  uint64_t round() const { return round_; }  // Of all keys in the block.
  const uint64_t* indexes() const { return indexes_.data(); }
  const char* bytes() const { return bytes_.data(); }
  size_t key_size() const { return format_.key_size(); }
  NumberedKey at(size_t i) const {
    return {{bytes_.data() + i * format_.key_size(), format_.key_size()}, indexes_[i]};
  }

 private:
  KeySequence sequence_;
  KeyFormat format_;
  bool formats_;
  size_t count_ = 0;
  uint64_t round_ = 0;
  std::vector<uint64_t> indexes_;
  std::string bytes_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_KEY_BLOCK_H_
