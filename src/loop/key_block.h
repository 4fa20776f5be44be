// A block of ready-made keys: indexes and their bytes, made outside the timed region so that an
// operation finds its key in the first-level cache. Belongs to one thread. Cut keys, which lack
// their last character, are made whole and moved together.
#ifndef LEVELFIELD_LOOP_KEY_BLOCK_H_
#define LEVELFIELD_LOOP_KEY_BLOCK_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "workload/key_format.h"
#include "workload/key_sequence.h"

namespace levelfield {

// Whether two keys are the same bytes.
inline bool IsKey(lf_bytes key, lf_bytes other) {
  return key.size == other.size && std::memcmp(key.data, other.data, key.size) == 0;
}

struct NumberedKey {
  lf_bytes key;
  uint64_t index;
  uint64_t next = 0;  // The index of the next key, but behind the last of a block: a hint.
};

class KeyBlock {
 public:
  // 128 keys of 16 bytes are 2 KiB; more would not make the call of Fill cheaper.
  static constexpr size_t kKeys = 128;

  KeyBlock(const KeyPlan& plan, const KeyFormat& format, size_t capacity = kKeys, bool cut = false)
      : sequence_(plan),
        format_(format),
        formats_(plan.order != KeyOrder::kNone),
        key_size_(format.key_size() - (cut ? 1 : 0)),
        indexes_(capacity + 1),
        whole_bytes_(format.Blank(capacity)),
        cut_bytes_(cut ? capacity * key_size_ : 0) {}

  // Makes the next keys, at most `most`. It makes none only if the plan's share is empty.
  void Fill(uint64_t most) {
    const size_t wanted = std::min<uint64_t>(most, indexes_.size() - 1);
    if (!formats_) {
      count_ = wanted;  // The indexes stay 0.
      return;
    }
    count_ = sequence_.Fill(std::span(indexes_).first(wanted), &round_);
    format_.Format(std::span(indexes_).first(count_), whole_bytes_.data());
    if (cut_bytes_.empty()) return;
    for (size_t i = 0; i < count_; ++i) {
      std::memcpy(cut_bytes_.data() + i * key_size_, whole_bytes_.data() + i * format_.key_size(),
                  key_size_);
    }
  }

  size_t count() const { return count_; }
  uint64_t round() const { return round_; }  // The round that all keys in the block belong to.
  const uint64_t* indexes() const { return indexes_.data(); }
  const char* bytes() const { return cut_bytes_.empty() ? whole_bytes_.data() : cut_bytes_.data(); }
  size_t key_size() const { return key_size_; }
  NumberedKey at(size_t i) const {
    return {{bytes() + i * key_size_, key_size_}, indexes_[i], indexes_[i + 1]};
  }

 private:
  KeySequence sequence_;
  KeyFormat format_;
  bool formats_;
  size_t key_size_;
  size_t count_ = 0;
  uint64_t round_ = 0;
  std::vector<uint64_t> indexes_;
  std::string whole_bytes_;
  std::vector<char> cut_bytes_;  // Empty: keys are not cut.
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_KEY_BLOCK_H_
