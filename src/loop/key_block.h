// A block of ready-made keys: indexes and their bytes, made outside the timed region so that an
// operation finds its key in the first-level cache. Belongs to one thread. Where each key lies and
// how long it is is ready as well: keys of one size, of varying sizes and cut ones, which lack
// their last character, cost the same.
#ifndef LEVELFIELD_LOOP_KEY_BLOCK_H_
#define LEVELFIELD_LOOP_KEY_BLOCK_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
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
  // In the block, so that it need not be kept over a call: a copy would take two registers.
  const lf_bytes& key;
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
        sizes_vary_(format.shape().vary() && formats_),
        cut_(cut ? 1 : 0),
        indexes_(capacity + 1),
        keys_(capacity) {
    const std::string blank = format.Blank(capacity);
    bytes_.assign(blank.begin(), blank.end());
    const char* bytes = bytes_.data();
    for (lf_bytes& key : keys_) {
      key = {bytes, format.shape().size - cut_};
      bytes += format.stride();
    }
  }
  // Keys point into the block's own bytes, which move with it.
  KeyBlock(KeyBlock&&) = default;
  KeyBlock& operator=(KeyBlock&&) = default;

  // Makes the next keys, at most `most`. It makes none only if the plan's share is empty.
  void Fill(uint64_t most) {
    const size_t wanted = std::min<uint64_t>(most, indexes_.size() - 1);
    if (!formats_) {
      count_ = wanted;  // The indexes stay 0.
      return;
    }
    if (sizes_vary_) BeginSizes();
    count_ = sequence_.Fill(std::span(indexes_).first(wanted), &round_);
    format_.Format(std::span(indexes_).first(count_), bytes_.data());
    if (sizes_vary_) SetSizes();
  }

  size_t count() const { return count_; }
  uint64_t round() const { return round_; }  // The round that all keys in the block belong to.
  const uint64_t* indexes() const { return indexes_.data(); }
  // As many as the block has room for.
  const lf_bytes* keys() const { return keys_.data(); }
  bool sizes_vary() const { return sizes_vary_; }
  NumberedKey at(size_t i) const { return {keys_[i], indexes_[i], indexes_[i + 1]}; }

  // The bytes of the first `count` of all keys that it has made. All but those of the present block
  // are among them.
  uint64_t KeyBytes(uint64_t count) const {
    if (!sizes_vary_) return count * (format_.shape().size - cut_);
    return earlier_bytes_ + BytesInBlock(count - earlier_count_);
  }

 private:
  [[gnu::noinline]] uint64_t BytesInBlock(uint64_t count) const {
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < count; ++i) bytes += keys_[i].size;
    return bytes;
  }

  [[gnu::noinline]] void BeginSizes() {
    earlier_bytes_ += BytesInBlock(count_);
    earlier_count_ += count_;
  }
  [[gnu::noinline]] void SetSizes() {
    for (size_t i = 0; i < count_; ++i) keys_[i].size = format_.SizeOf(indexes_[i]) - cut_;
  }

  KeySequence sequence_;
  KeyFormat format_;
  bool formats_;
  bool sizes_vary_;
  size_t cut_;  // Bytes that each key lacks.
  size_t count_ = 0;
  uint64_t round_ = 0;
  uint64_t earlier_count_ = 0;  // Keys of earlier blocks, if sizes vary,
  uint64_t earlier_bytes_ = 0;  // and their bytes.
  std::vector<uint64_t> indexes_;
  std::vector<char> bytes_;
  std::vector<lf_bytes> keys_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_KEY_BLOCK_H_
