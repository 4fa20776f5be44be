#include "operations/cache_stream.h"

#include <algorithm>
#include <bit>

namespace levelfield {

KeyDraw::KeyDraw(const CacheBenchSettings& settings)
    : max_key_(settings.max_key),
      skew_(settings.skew),
      skewed_(settings.skewed),
      bits_(static_cast<uint64_t>(std::bit_width(settings.max_key - 1))) {}

uint64_t KeyDraw::Draw(Random& random) const {
  if (skewed_) {
    // Each power of two below max_key as likely as the next.
    const uint64_t below = uint64_t{1} << random.Below(bits_ + 1);
    return std::min(random.Below(below), max_key_ - 1);
  }
  uint64_t least = random.Next();
  for (uint64_t i = 0; i < skew_; ++i) least = std::min(least, random.Next());
  return static_cast<uint64_t>((static_cast<unsigned __int128>(least) * max_key_) >> 64);
}

OperationStream::OperationStream(const CacheBenchSettings& settings, uint64_t thread)
    : draw_(settings),
      keys_(DeriveSeed(settings.seed, "cache keys", "", thread)),
      operations_(DeriveSeed(settings.seed, "cache operations", "", thread)) {
  size_t at = 0;
  for (size_t i = 0; i < kCacheOperations; ++i) {
    for (uint64_t n = 0; n < settings.percent[i]; ++n) {
      operation_of_[at++] = static_cast<CacheOperation>(i);
    }
  }
}

void OperationStream::Fill(uint64_t most, StreamBlock& block) {
  block.count = std::min<uint64_t>(most, kStreamBlock);
  for (size_t i = 0; i < block.count; ++i) {
    block.keys[i] = draw_.Draw(keys_);
    block.operations[i] = operation_of_[operations_.Below(operation_of_.size())];
  }
}

}  // namespace levelfield
