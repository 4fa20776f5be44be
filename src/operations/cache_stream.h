// What a thread does to a cache: its stream of operations, a block at a time, and the values that
// it inserts. Every thread has its own seed, and every cache gets the same streams. Operation and
// key are drawn independently, so no key is bound to a kind of operation.
//
// Values are of two kinds. One is a pointer-sized stamp (the cache alone). The other is bytes that
// are made, hashed when they are found, and freed (the payload). Both show on a hit whether the
// value was inserted for the key. A maker of values belongs to one thread; the deleters run on
// whichever thread the cache lets go of a value.
#ifndef LEVELFIELD_OPERATIONS_CACHE_STREAM_H_
#define LEVELFIELD_OPERATIONS_CACHE_STREAM_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/random.h"
#include "levelfield/cache_abi.h"
#include "settings/dialects/cache_bench.h"
#include "workload/digest.h"

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
  explicit KeyDraw(const CacheBenchSettings& settings)
      : max_key_(settings.max_key),
        skew_(settings.skew),
        skewed_(settings.skewed),
        bits_(static_cast<uint64_t>(std::bit_width(settings.max_key - 1))) {}
  uint64_t Draw(Random& random) const {
    if (skewed_) {
      // Each power of two below max_key is equally likely.
      const uint64_t below = uint64_t{1} << random.Below(bits_ + 1);
      return std::min(random.Below(below), max_key_ - 1);
    }
    uint64_t least = random.Next();
    for (uint64_t i = 0; i < skew_; ++i) least = std::min(least, random.Next());
    return static_cast<uint64_t>((static_cast<unsigned __int128>(least) * max_key_) >> 64);
  }

 private:
  uint64_t max_key_;
  uint64_t skew_;
  bool skewed_;
  uint64_t bits_;
};

class OperationStream {
 public:
  OperationStream(const CacheBenchSettings& settings, uint64_t thread)
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
  // Makes the next operations, at most `most`; the stream has no end.
  void Fill(uint64_t most, StreamBlock& block) {
    block.count = std::min<uint64_t>(most, kStreamBlock);
    for (size_t i = 0; i < block.count; ++i) {
      block.keys[i] = draw_.Draw(keys_);
      block.operations[i] = operation_of_[operations_.Below(operation_of_.size())];
    }
  }

 private:
  KeyDraw draw_;
  std::array<CacheOperation, 100> operation_of_;  // By a draw from 0 to 99.
  Random keys_;
  Random operations_;
};

// How many values this thread has let go.
inline constinit thread_local uint64_t values_let_go = 0;

constexpr uint64_t StampOf(uint64_t key) { return Mix64(key ^ 0x2545f4914f6cdd1d); }

// Some caches take no null pointer as a value.
class StampValue {
 public:
  StampValue(const CacheBenchSettings&, uint64_t) {}

  static void* Make(uint64_t key) { return reinterpret_cast<void*>(StampOf(key) | 1); }
  static bool IsOf(void* value, uint64_t key) { return value == Make(key); }
  static void Discard(void*) {}
  static void LetGo(const lf_bytes*, void*) { ++values_let_go; }
  static uint64_t digest() { return 0; }
};

class PayloadValue {
 public:
  PayloadValue(const CacheBenchSettings& settings, uint64_t seed)
      : bytes_(settings.value_bytes),
        random_bytes_(std::clamp<size_t>(
            static_cast<size_t>(std::ceil(settings.compressible_to_ratio *
                                          static_cast<double>(settings.value_bytes))),
            1, settings.value_bytes)),
        random_(seed) {}

  void* Make(uint64_t key) {
    char* const value = static_cast<char*>(std::malloc(bytes_));
    if (value == nullptr) std::abort();  // The room was checked beforehand.
    const uint64_t stamp = StampOf(key);
    size_t at = 0;
    for (; at + 8 <= random_bytes_; at += 8) {
      const uint64_t word = random_.Next();
      std::memcpy(value + at, &word, 8);
    }
    if (at < random_bytes_) {
      const uint64_t word = random_.Next();
      std::memcpy(value + at, &word, random_bytes_ - at);
    }
    for (at = random_bytes_; at < bytes_;) {
      const size_t more = std::min(at, bytes_ - at);
      std::memcpy(value + at, value, more);
      at += more;
    }
    std::memcpy(value, &stamp, 8);
    // A value that is right only at its beginning is wrong as well.
    if (bytes_ >= 16) std::memcpy(value + bytes_ - 8, &stamp, 8);
    return value;
  }

  bool IsOf(void* value, uint64_t key) {
    const char* const bytes = static_cast<const char*>(value);
    digest_.Add({bytes, bytes_}, key);
    uint64_t first = 0;
    uint64_t last = 0;
    std::memcpy(&first, bytes, 8);
    std::memcpy(&last, bytes + (bytes_ >= 16 ? bytes_ - 8 : 0), 8);
    return first == StampOf(key) && last == first;
  }

  static void Discard(void* value) { std::free(value); }
  static void LetGo(const lf_bytes*, void* value) {
    ++values_let_go;
    std::free(value);
  }
  uint64_t digest() const { return digest_.Value(); }

 private:
  size_t bytes_;         // From 8 on.
  size_t random_bytes_;  // The rest repeats them.
  Random random_;
  Digest digest_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_CACHE_STREAM_H_
