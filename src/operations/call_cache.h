// The operation that calls a cache, for the measured loop (loop/loop.h): it takes a whole block at
// a time, draws what its stream does next, and times each call itself, since a lookup that inserts
// on a miss is two. What there is to decide is decided by the choice of the template's arguments:
// the value, the timer, and whether handles are held.
#ifndef LEVELFIELD_OPERATIONS_CALL_CACHE_H_
#define LEVELFIELD_OPERATIONS_CALL_CACHE_H_

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "levelfield/cache_abi.h"
#include "loop/loop.h"
#include "operations/cache_stream.h"
#include "operations/cache_values.h"
#include "result/cache_result.h"

namespace levelfield {

struct CacheTarget {
  const lf_cache_table& table;
  lf_cache* cache;
  size_t key_size;
  size_t charge;
};

// The bytes of a key: its number, and for longer ones its mix.
class KeyBytes {
 public:
  lf_bytes Of(uint64_t key, size_t size) {
    words_[0] = key;
    words_[1] = Mix64(key);
    return {reinterpret_cast<const char*>(words_), size};
  }

 private:
  uint64_t words_[2];
};

// Handles are released at once.
class NoPins {
 public:
  NoPins(const CacheTarget&, uint64_t) {}
  static constexpr bool kHolds = false;
  void Take(const CacheTarget& target, lf_cache_handle* handle) {
    target.table.release(target.cache, handle);
  }
  void ReleaseAll(const CacheTarget&) {}
};

// The last so many handles are held.
class RingOfPins {
 public:
  RingOfPins(const CacheTarget&, uint64_t size) : handles_(size) {}
  static constexpr bool kHolds = true;
  void Take(const CacheTarget& target, lf_cache_handle* handle) {
    lf_cache_handle* const oldest = handles_[at_];
    handles_[at_] = handle;
    at_ = at_ + 1 == handles_.size() ? 0 : at_ + 1;
    if (oldest != nullptr) target.table.release(target.cache, oldest);
  }
  void ReleaseAll(const CacheTarget& target) {
    for (lf_cache_handle*& handle : handles_) {
      if (handle != nullptr) target.table.release(target.cache, handle);
      handle = nullptr;
    }
  }

 private:
  std::vector<lf_cache_handle*> handles_;
  size_t at_ = 0;
};

template <class Value, class Timer, class Pins>
class CallCache {
 public:
  static constexpr bool kWholeBlock = true;

  CallCache(const CacheTarget& target, OperationStream& stream, Value& value, Timer timer,
            Pins& pins)
      : target_(target), stream_(stream), value_(value), timer_(timer), pins_(pins) {}

  // Drawing is told apart from the calls, by the processor time that it takes.
  void BeginBlock(const KeyBlock& block) {
    const double begin = CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
    stream_.Fill(block.count(), block_);
    making_seconds_ += CpuSeconds(CLOCK_THREAD_CPUTIME_ID) - begin;
  }
  void Prepare(const NumberedKey&) {}
  size_t Lane() const { return 0; }

  // Called once for a block, and in it everything is inlined.
  [[gnu::noinline, gnu::flatten]] lf_code Call(const NumberedKey&) {
    for (size_t i = 0; i < block_.count; ++i) {
      const CacheOperation operation = block_.operations[i];
      ++counts_.operations[static_cast<size_t>(operation)];
      const uint64_t key = block_.keys[i];
      const lf_bytes bytes = key_bytes_.Of(key, target_.key_size);
      switch (operation) {
        case CacheOperation::kLookupInsert:
          if (!Lookup(bytes, key)) Insert<Pins::kHolds>(bytes, key);
          break;
        case CacheOperation::kInsert:
          Insert<Pins::kHolds>(bytes, key);
          break;
        case CacheOperation::kBlindInsert:
          Insert<false>(bytes, key);
          break;
        case CacheOperation::kLookup:
          (void)Lookup(bytes, key);
          break;
        case CacheOperation::kErase:
          Erase(bytes);
          break;
      }
    }
    return LF_OK;
  }

  double making_seconds() const { return making_seconds_; }
  const CacheCounts& counts() const { return counts_; }

 private:
  void Count(CacheCall call, uint64_t start, uint64_t end) {
    ++counts_.calls[static_cast<size_t>(call)];
    timer_.Record(static_cast<size_t>(call), start, end);
  }

  // Whether it was there. The time includes reading the value and letting go of a handle.
  bool Lookup(lf_bytes bytes, uint64_t key) {
    const uint64_t start = timer_.Now();
    void* value = nullptr;
    lf_cache_handle* const handle = target_.table.lookup(target_.cache, bytes, &value);
    if (handle == nullptr) {
      Count(CacheCall::kLookupMiss, start, timer_.Now());
      return false;
    }
    counts_.wrong += value_.IsOf(value, key) ? 0 : 1;
    pins_.Take(target_, handle);
    Count(CacheCall::kLookupHit, start, timer_.Now());
    return true;
  }

  template <bool holds>
  void Insert(lf_bytes bytes, uint64_t key) {
    const uint64_t start = timer_.Now();
    void* const value = value_.Make(key);
    lf_cache_handle* handle = nullptr;
    const lf_code code = target_.table.insert(target_.cache, bytes, value, target_.charge,
                                              Value::LetGo, holds ? &handle : nullptr);
    if (code != LF_OK) [[unlikely]] {
      ++counts_.failed;
      Value::Discard(value);
    } else if (holds) {
      pins_.Take(target_, handle);
    }
    Count(CacheCall::kInsert, start, timer_.Now());
  }

  void Erase(lf_bytes bytes) {
    const uint64_t let_go = values_let_go;
    const uint64_t start = timer_.Now();
    target_.table.erase(target_.cache, bytes);
    const uint64_t end = timer_.Now();
    Count(values_let_go != let_go ? CacheCall::kEraseHit : CacheCall::kEraseMiss, start, end);
  }

  const CacheTarget& target_;
  OperationStream& stream_;
  Value& value_;
  Timer timer_;
  Pins& pins_;
  KeyBytes key_bytes_;
  StreamBlock block_;
  CacheCounts counts_;
  double making_seconds_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_CALL_CACHE_H_
