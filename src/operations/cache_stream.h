// The operations of one thread, a block at a time: which keys, and what is done with each. Every
// thread has its own, seeded apart, and the same for every cache; what is drawn for the operation
// and for the key are separate draws, so that no key is bound to a kind of operation.
#ifndef LEVELFIELD_OPERATIONS_CACHE_STREAM_H_
#define LEVELFIELD_OPERATIONS_CACHE_STREAM_H_

#include <array>
#include <cstdint>

#include "base/random.h"
#include "settings/dialects/cache_bench.h"

namespace levelfield {

inline constexpr size_t kStreamBlock = 512;

struct StreamBlock {
  size_t count = 0;
  std::array<uint64_t, kStreamBlock> keys;
  std::array<CacheOperation, kStreamBlock> operations;
};

// Keys as the settings have them: uniform, the least of several draws, or log-uniform.
class KeyDraw {
 public:
  explicit KeyDraw(const CacheBenchSettings& settings);
  uint64_t Draw(Random& random) const;

 private:
  uint64_t max_key_;
  uint64_t skew_;
  bool skewed_;
  uint64_t bits_;
};

class OperationStream {
 public:
  OperationStream(const CacheBenchSettings& settings, uint64_t thread);
  // The next `most` operations at the most; there is no end to them.
  void Fill(uint64_t most, StreamBlock& block);

 private:
  KeyDraw draw_;
  std::array<CacheOperation, 100> operation_of_;  // By a draw from 0 to 99.
  Random keys_;
  Random operations_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_CACHE_STREAM_H_
