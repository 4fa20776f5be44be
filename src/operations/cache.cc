// Each thread draws independently which operation is next and which key it takes. A whole block is
// one operation of the loop. The calls in it are timed one by one here, because a lookup that
// inserts on a miss makes two of them. The template's arguments decide everything beforehand: the
// value, the timer, and whether handles are held.
#include "operations/cache.h"

#include <utility>
#include <vector>

#include "base/clock.h"
#include "loop/loop.h"
#include "operations/cache_stream.h"
#include "operations/task.h"
#include "result/cache_result.h"

namespace levelfield {
namespace cache {
namespace {

// The bytes of a key: its number, followed in longer keys by a mix of it.
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

// Releases handles at once.
class NoPins {
 public:
  NoPins(const CacheTask&, uint64_t) {}
  static constexpr bool kHolds = false;
  void Take(const CacheTask& target, lf_cache_handle* handle) {
    target.table.release(target.cache, handle);
  }
  void ReleaseAll(const CacheTask&) {}
};

// Holds the last so many handles.
class RingOfPins {
 public:
  RingOfPins(const CacheTask&, uint64_t size) : handles_(size) {}
  static constexpr bool kHolds = true;
  void Take(const CacheTask& target, lf_cache_handle* handle) {
    lf_cache_handle* const oldest = handles_[at_];
    handles_[at_] = handle;
    at_ = at_ + 1 == handles_.size() ? 0 : at_ + 1;
    if (oldest != nullptr) target.table.release(target.cache, oldest);
  }
  void ReleaseAll(const CacheTask& target) {
    for (lf_cache_handle*& handle : handles_) {
      if (handle != nullptr) target.table.release(target.cache, handle);
      handle = nullptr;
    }
  }

 private:
  std::vector<lf_cache_handle*> handles_;
  size_t at_ = 0;
};

// One operation of the loop is one block of the stream.
template <class Value, class Timer, class Pins>
class CallsOfStream {
 public:
  static constexpr bool kWholeBlock = true;

  CallsOfStream(const CacheTask& target, OperationStream& stream, Value& value, Timer timer,
                Pins& pins)
      : target_(target), stream_(stream), value_(value), timer_(timer), pins_(pins) {}

  // Measures the processor time of drawing apart from the calls.
  void BeginBlock(const KeyBlock& block) {
    const double begin = CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
    stream_.Fill(block.count(), block_);
    work_.making_seconds += CpuSeconds(CLOCK_THREAD_CPUTIME_ID) - begin;
  }
  void Prepare(const NumberedKey&) {}
  size_t Statistics() const { return 0; }

  // Called once for a block; everything in it is inlined.
  [[gnu::noinline, gnu::flatten]] lf_code Call(const NumberedKey&) {
    for (size_t i = 0; i < block_.count; ++i) {
      const CacheOperation operation = block_.operations[i];
      ++work_.operations[static_cast<size_t>(operation)];
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

  const CacheWork& work() const { return work_; }
  const std::array<uint64_t, kCacheCallKinds>& calls() const { return calls_; }
  uint64_t failed() const { return failed_; }
  uint64_t wrong() const { return wrong_; }

 private:
  void Count(CacheCall call, uint64_t start, uint64_t end) {
    ++calls_[static_cast<size_t>(call)];
    timer_.Record(static_cast<size_t>(call), start, end);
  }

  // Returns whether the key was there. The time includes reading the value and releasing a handle.
  bool Lookup(lf_bytes bytes, uint64_t key) {
    const uint64_t start = timer_.Now();
    void* value = nullptr;
    lf_cache_handle* const handle = target_.table.lookup(target_.cache, bytes, &value);
    if (handle == nullptr) {
      Count(CacheCall::kLookupMiss, start, timer_.Now());
      return false;
    }
    wrong_ += value_.IsOf(value, key) ? 0 : 1;
    pins_.Take(target_, handle);
    Count(CacheCall::kLookupHit, start, timer_.Now());
    return true;
  }

  template <bool holds>
  void Insert(lf_bytes bytes, uint64_t key) {
    const uint64_t start = timer_.Now();
    void* const value = value_.Make(key);
    lf_cache_handle* handle = nullptr;
    const lf_code code = target_.table.insert(target_.cache, bytes, value, target_.settings.charge,
                                              Value::LetGo, holds ? &handle : nullptr);
    if (code != LF_OK) [[unlikely]] {
      ++failed_;
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

  const CacheTask& target_;
  OperationStream& stream_;
  Value& value_;
  Timer timer_;
  Pins& pins_;
  KeyBytes key_bytes_;
  StreamBlock block_;
  CacheWork work_;
  std::array<uint64_t, kCacheCallKinds> calls_ = {};
  uint64_t failed_ = 0;  // Inserts that the cache refused.
  uint64_t wrong_ = 0;   // Hits on a value that was not inserted for the key.
};

template <class Value, class Pins, class Timer>
void RunWith(const ThreadTask& task, ThreadResult& result, Timer timer) {
  const CacheTask& cache = *task.cache;
  OperationStream stream(cache.settings, task.thread);
  Value value(cache.settings, DeriveSeed(cache.settings.seed, "cache values", "", task.thread));
  Pins pins(cache, cache.settings.PinnedByThread(cache.threads));
  CallsOfStream<Value, Timer, Pins> operation(cache, stream, value, timer, pins);
  KeyBlock block(KeyPlan(), KeyFormat(task.key_shape, 1, false), kStreamBlock);  // Has no keys.
  result.start_ns = MonotonicNs();
  const double cpu_start = CpuSeconds(CLOCK_THREAD_CPUTIME_ID);
  result.code = RunLoop(operation, Untimed{}, block, task.operations, *task.control);
  result.end_ns = MonotonicNs();
  result.cache = operation.work();
  result.cache.cpu_seconds = CpuSeconds(CLOCK_THREAD_CPUTIME_ID) - cpu_start;
  pins.ReleaseAll(cache);
  result.cache.let_go = values_let_go;
  for (size_t i = 0; i < kCacheCallKinds; ++i) {
    const uint64_t calls = operation.calls()[i];
    const uint64_t misses = kCacheCallNames[i].ends_with("_miss") ? calls : 0;
    result.statistics.push_back(
        {.operation = kCacheCallNames[i],
         .counts = {.operations = calls, .hits = calls - misses, .misses = misses},
         .latency_ns = {},
         .number = i,
         .effects = kCacheCalls.effects});
  }
  OperationCounts& inserts = result.statistics[static_cast<size_t>(CacheCall::kInsert)].counts;
  inserts.hits -= operation.failed();
  inserts.misses = operation.failed();
  OperationCounts& hits = result.statistics[static_cast<size_t>(CacheCall::kLookupHit)].counts;
  hits.wrong = operation.wrong();
  hits.digest = value.digest();  // Keeps the compiler from leaving out the reads of values.
}

template <class Value, class Pins>
void RunTimed(const ThreadTask& task, ThreadResult& result) {
  if (!task.timed) return RunWith<Value, Pins>(task, result, Untimed{});
  std::array<Histogram, kCacheCallKinds> latency_ns;
  const uint64_t scale = task.clock->ns_per_tick_fixed();
  if (task.clock->is_tsc()) {
    RunWith<Value, Pins>(task, result, Timed<TscTicks>{scale, latency_ns.data()});
  } else {
    RunWith<Value, Pins>(task, result, Timed<MonotonicTicks>{scale, latency_ns.data()});
  }
  for (size_t i = 0; i < kCacheCallKinds; ++i) {
    result.statistics[i].latency_ns = std::move(latency_ns[i]);
  }
}

void Run(const ThreadTask& task, ThreadResult& result) {
  const bool holds = task.cache->settings.PinnedByThread(task.cache->threads) != 0;
  if (task.cache->payload) {
    holds ? RunTimed<PayloadValue, RingOfPins>(task, result)
          : RunTimed<PayloadValue, NoPins>(task, result);
  } else {
    holds ? RunTimed<StampValue, RingOfPins>(task, result)
          : RunTimed<StampValue, NoPins>(task, result);
  }
}

template <class Value>
uint64_t PopulateWith(const CacheTask& task, const std::function<void(uint64_t)>& progress) {
  const KeyDraw draw(task.settings);
  Random keys(DeriveSeed(task.settings.seed, "cache populate", "", 0));
  Value value(task.settings, keys.Next());
  KeyBytes bytes;
  uint64_t inserted = 0;
  for (uint64_t i = 0; i < task.settings.Populated(); ++i) {
    const uint64_t key = draw.Draw(keys);
    if (i % kStreamBlock == 0) progress(i);
    void* const made = value.Make(key);
    const lf_code code = task.table.insert(task.cache, bytes.Of(key, task.key_size), made,
                                           task.settings.charge, Value::LetGo, nullptr);
    if (code == LF_OK) {
      ++inserted;
    } else {
      Value::Discard(made);
    }
  }
  return inserted;
}

}  // namespace
}  // namespace cache

constinit const Operation kCacheCalls = {
    .name = "cache",
    .scope = OperationScope::kMachine,
    .effects = Effects::None(),  // A cache is no store.
    .run = cache::Run};

uint64_t Populate(const CacheTask& task, const std::function<void(uint64_t)>& progress) {
  return task.payload ? cache::PopulateWith<PayloadValue>(task, progress)
                      : cache::PopulateWith<StampValue>(task, progress);
}

uint64_t ValuesLetGo() { return values_let_go; }

}  // namespace levelfield
