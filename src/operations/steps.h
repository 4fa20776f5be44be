// Runs a stream of steps in the loop. Afterwards it gives the replay, which knows what should have
// been read, and the history of what was left in the store. All workloads that choose among
// operations are such streams; they differ only in how the next step is drawn.
//
// The same arguments make the same generator, so what a thread read and wrote follows from its
// stream afterwards. A Generator is a class with
//     Step Next()                       the next step, before the clock starts
// and perhaps
//     void Done(const Step&)            the engine has acknowledged it; within the timing
//     void GoOn(const ThreadTask&)      goes on behind what the task says is done; without this
//                                       it makes those steps again
//     static constexpr bool kErasesRanges = true    some of its steps erase ranges
//     bool IsKnown(uint64_t key) const  the thread knows that the store has the key,
//     uint64_t most_scan() const        and that no scan is longer
#ifndef LEVELFIELD_OPERATIONS_STEPS_H_
#define LEVELFIELD_OPERATIONS_STEPS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "operations/answers.h"
#include "operations/read.h"
#include "operations/thread_run.h"
#include "workload/digest.h"
#include "workload/value_source.h"

namespace levelfield {

// In the order in which results list them.
enum class StepKind : uint8_t { kGet, kScan, kPut, kErase, kModify, kUpdate, kInsert, kEnd };
inline constexpr size_t kStepKinds = 7;  // The end is none of them: it does nothing.

constexpr Effects EffectsOf(StepKind kind) {
  switch (kind) {
    case StepKind::kGet:
    case StepKind::kScan:
      return Effect::kReads;
    case StepKind::kPut:
    case StepKind::kInsert:
      return kPuts;
    case StepKind::kErase:
      return kErasures;
    case StepKind::kModify:
    case StepKind::kUpdate:
      return kChanges;
    case StepKind::kEnd:
      break;
  }
  return Effects::None();
}

constexpr Lookup LookupOf(StepKind kind) {
  return kind == StepKind::kGet    ? Lookup::kKey
         : kind == StepKind::kScan ? Lookup::kPlace
                                   : Lookup::kNone;
}

struct Step {
  StepKind kind = StepKind::kGet;
  bool is_replayed = true;  // Only its own thread wrote what it reads, so the replay knows it.
  uint32_t version = 0;     // The version that it writes. 0: it writes no value.
  uint64_t key = 0;         // Index.
  uint64_t size = 0;        // The size of the value that it writes.
  // For a scan: entries, at most. For an erase: keys from its own on, in one write; 0: only its
  // own.
  uint64_t length = 0;

  // A modify is a get and a put of the same key. An update is the same, of a record of which only a
  // part is new.
  bool gets() const {
    return kind == StepKind::kGet || kind == StepKind::kModify || kind == StepKind::kUpdate;
  }
};

// What a thread did from a stream: so many steps from the first on.
struct StepsDone {
  std::function<Step()> next;
  uint64_t operations = 0;
};

// How a value that was read is checked on the spot.
enum class StepCheck {
  kNone,       // Nothing: the replay knows every byte.
  kWhole,      // It must belong to its key, unless it is too short to name one.
  kDescribed,  // It must belong to its key.
};

// A modify has one latency, of its get and its put together.
struct NoModifyTimes {
  void Begin() {}
  void DidGet() {}
  void DidPut() {}
  void Tell(ThreadResult&) {}
};

// Its get and its put have latencies of their own as well, for three more reads of the clock in
// each modify. Ticks of the monotonic clock are nanoseconds.
class ModifyTimes {
 public:
  void Begin() { begin_ns_ = MonotonicTicks::Now(); }
  void DidGet() { got_ns_ = MonotonicTicks::Now(); }
  // Both have succeeded.
  void DidPut() {
    get_ns_.Add(got_ns_ - begin_ns_);
    put_ns_.Add(MonotonicTicks::Now() - got_ns_);
  }
  void Tell(ThreadResult& result) {
    result.parts = {{"rmw", "get", std::move(get_ns_)}, {"rmw", "put", std::move(put_ns_)}};
  }

 private:
  uint64_t begin_ns_ = 0;
  uint64_t got_ns_ = 0;
  Histogram get_ns_;
  Histogram put_ns_;
};

template <StepCheck kCheck, class Generator, class Times = NoModifyTimes>
class StepsOperation {
 public:
  static constexpr bool kWholeBlock = false;

  // Keys lie below `range`. `knows_store`: no other program has written to the store, so a scan
  // that leaves something out can be noticed.
  StepsOperation(const ThreadTask& task, Generator generator, uint64_t range,
                 uint64_t largest_value)
      : table_(*task.table),
        session_(task.session),
        values_(*task.values),
        generator_(std::move(generator)),
        range_(range),
        format_(task.key_shape, range),
        found_format_(task.key_shape, task.key_shape.Limit()),
        order_(OrderCheckOf(task, true)),
        key_(format_.Blank()),
        end_key_(format_.Blank()),
        value_(std::max<size_t>(largest_value, ValueSource::kHeaderBytes)),
        knows_store_(!task.check_order) {
    if constexpr (kKnowsKeys) found_.reserve(generator_.most_scan());
  }

  void BeginBlock(const KeyBlock&) {}

  [[gnu::always_inline]] void Prepare(const NumberedKey&) {
    CheckLastScan();
    step_ = generator_.Next();
    if (step_.kind == StepKind::kEnd) return;
    key_size_ = format_.FormatOne(step_.key, key_.data());
    if (ErasesRange()) {
      end_key_size_ = format_.FormatOne(step_.key + step_.length, end_key_.data());
    }
    if (step_.version != 0) values_.Make(step_.key, step_.version, step_.size, value_.data());
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const lf_code code = Do({key_.data(), key_size_});
    if constexpr (requires { generator_.Done(step_); }) {
      if (code == LF_OK) generator_.Done(step_);
    }
    return code;
  }

  size_t Statistics() const { return static_cast<size_t>(step_.kind); }

  // Before the first step.
  void GoOn(const ThreadTask& task) {
    if constexpr (requires { generator_.GoOn(task); }) {
      generator_.GoOn(task);
    } else {
      for (uint64_t i = 0; i < task.done; ++i) (void)generator_.Next();
    }
  }

  // The stream ended the loop.
  bool has_ended() const { return step_.kind == StepKind::kEnd; }
  // Call it after the last step.
  OperationCounts counts(size_t stats) {
    CheckLastScan();
    OperationCounts counts = all_counts_[stats];
    counts.operations = counts.hits + counts.misses;
    counts.digest = digests_[stats].Value();
    return counts;
  }
  // Read by scans.
  uint64_t entries() const { return entries_; }
  const Generator& generator() const { return generator_; }
  void TellParts(ThreadResult& result) { times_.Tell(result); }

 private:
  static constexpr bool kKnowsKeys = requires(const Generator& g) { g.IsKnown(uint64_t{0}); };

  OperationCounts& counts() { return all_counts_[Statistics()]; }

  [[gnu::always_inline]] lf_code Do(lf_bytes key) {
    switch (step_.kind) {
      case StepKind::kGet:
        return Get(key);
      case StepKind::kScan:
        return Scan(key);
      case StepKind::kModify:
      case StepKind::kUpdate:
        return Modify(key);
      case StepKind::kEnd:
        return LF_NOT_FOUND;  // Ends the loop; no call was made.
      case StepKind::kPut:
      case StepKind::kInsert:
      case StepKind::kErase:
        break;
    }
    const lf_code code = step_.kind == StepKind::kErase ? Erase(key) : Put(key);
    if (code == LF_OK) ++counts().hits;
    return code;
  }

  [[gnu::always_inline]] lf_code Get(lf_bytes key) {
    lf_bytes value;
    const lf_code code = table_.get(session_, key, &value);
    if (code == LF_NOT_FOUND) {
      ++counts().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    ++counts().hits;
    counts().bytes += key.size + value.size;
    if (step_.is_replayed) digests_[Statistics()].Add(value, step_.key);
    counts().wrong += IsRight(step_.key, value) ? 0 : 1;
    return LF_OK;
  }

  [[gnu::always_inline]] lf_code Put(lf_bytes key) {
    const lf_code code = table_.put(session_, key, {value_.data(), step_.size});
    if (code == LF_OK) counts().bytes += key.size + step_.size;
    return code;
  }

  bool ErasesRange() const {
    if constexpr (!requires { Generator::kErasesRanges; }) return false;
    return step_.kind == StepKind::kErase && step_.length != 0;
  }

  // Its bytes are those of the keys passed to it.
  lf_code Erase(lf_bytes key) {
    const bool is_range = ErasesRange();
    const lf_code code = is_range
                             ? table_.delete_range(session_, key, {end_key_.data(), end_key_size_})
                             : table_.erase(session_, key);
    if (code == LF_OK) counts().bytes += key.size + (is_range ? end_key_size_ : 0);
    return code;
  }

  // A missing key is counted, and written all the same. A modify that fails half-way does not
  // count.
  [[gnu::always_inline]] lf_code Modify(lf_bytes key) {
    const OperationCounts before = counts();
    times_.Begin();
    lf_code code = Get(key);
    times_.DidGet();
    if (code == LF_OK) code = Put(key);
    if (code != LF_OK) {
      counts() = before;
    } else if (step_.kind == StepKind::kModify) {
      times_.DidPut();
    }
    return code;
  }

  // A hit found its key. If keys are known to exist, that checks whether it did.
  [[gnu::always_inline]] lf_code Scan(lf_bytes sought) {
    lf_bytes key;
    lf_bytes value;
    lf_code code = table_.seek(session_, LF_AT_OR_AFTER, sought, &key, &value);
    if (code == LF_NOT_FOUND) {
      ++counts().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    const bool is_hit = kKnowsKeys || IsKey(key, sought);
    is_scan_right_ = order_.WrongFound(sought, key, value) == 0;
    order_.Begin(key);
    read_ = 0;
    Read(key, value);
    while (read_ < step_.length) {
      code = table_.next(session_, &key, &value);
      if (code == LF_NOT_FOUND) break;  // The store may end before the scan does.
      if (code != LF_OK) return code;
      is_scan_right_ = order_.WrongStep(key, value) == 0 && is_scan_right_;
      Read(key, value);
    }
    ++(is_hit ? counts().hits : counts().misses);
    return LF_OK;
  }

  [[gnu::always_inline]] void Read(lf_bytes key, lf_bytes value) {
    ++entries_;
    counts().bytes += key.size + value.size;
    if (step_.is_replayed) {
      digests_[Statistics()].Add(key, step_.key + read_);
      digests_[Statistics()].Add(value, step_.key + read_);
    }
    ++read_;
    const std::optional<uint64_t> index = found_format_.Parse({key.data, key.size});
    is_scan_right_ = is_scan_right_ && index && IsRight(*index, value);
    if constexpr (kKnowsKeys) found_.push_back(index.value_or(range_));
  }

  [[gnu::always_inline]] bool IsRight(uint64_t index, lf_bytes value) const {
    if constexpr (kCheck == StepCheck::kNone) return true;
    if (kCheck == StepCheck::kWhole && value.size < ValueSource::kHeaderBytes) return true;
    return values_.Check(index, value).has_value();
  }

  // Checks the entries that the last scan found, outside of the timing: from the sought key on, no
  // entry that is known to exist may be missing.
  void CheckLastScan() {
    if (read_ == 0) return;
    if constexpr (kKnowsKeys) {
      if (knows_store_ && is_scan_right_) {
        uint64_t expected = step_.key;
        for (const uint64_t found : found_) {
          is_scan_right_ = is_scan_right_ && !IsKnownIn(expected, found);
          expected = found + 1;
        }
        if (read_ < step_.length) is_scan_right_ = is_scan_right_ && !IsKnownIn(expected, range_);
      }
      found_.clear();
    }
    all_counts_[static_cast<size_t>(StepKind::kScan)].wrong += is_scan_right_ ? 0 : 1;
    read_ = 0;
  }

  // Whether a key in [from, to) is known to exist.
  bool IsKnownIn(uint64_t from, uint64_t to) const {
    for (uint64_t key = from; key < to && key < range_; ++key) {
      if (generator_.IsKnown(key)) return true;
    }
    return false;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  Generator generator_;
  uint64_t range_;
  KeyFormat format_;
  KeyFormat found_format_;  // The format of what the store holds.
  OrderCheck order_;
  Step step_;
  std::string key_;
  size_t key_size_ = 0;
  std::string end_key_;  // The first key after a range that is erased.
  size_t end_key_size_ = 0;
  std::vector<char> value_;
  bool knows_store_;
  uint64_t read_ = 0;            // Entries of the last scan,
  std::vector<uint64_t> found_;  // and their keys.
  bool is_scan_right_ = true;
  std::array<OperationCounts, kStepKinds> all_counts_;
  std::array<Digest, kStepKinds> digests_;
  uint64_t entries_ = 0;
  [[no_unique_address]] Times times_;
};

// The stream of each thread of a role, as far as it came; `make` makes a task's generator.
template <class Make>
std::vector<StepsDone> StepsOf(const RoleRun& run, Make make) {
  std::vector<StepsDone> done;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    auto generator = std::make_shared<decltype(make(run.tasks[t]))>(make(run.tasks[t]));
    done.push_back({[generator] { return generator->Next(); }, run.results[t].Operations()});
  }
  return done;
}

// `names` are what results call the kinds of steps, in their order, and empty for those that a
// stream lacks.
std::vector<CallKind> StepsNamed(std::initializer_list<std::string_view> names);

// Runs a stream.
template <class Operation>
void RunSteps(const ThreadTask& task, ThreadResult& result, Operation& operation,
              std::initializer_list<std::string_view> names) {
  if (task.done != 0) operation.GoOn(task);
  ThreadRun(task, result).Chosen(operation, StepsNamed(names));
  result.entries = operation.entries();
  operation.TellParts(result);
}

// By kind, the expected answers to a thread's steps that read what it alone has written.
struct ReplayedSteps {
  std::array<OperationCounts, kStepKinds> all_counts;
  bool is_known =
      true;  // Every value that was read has a known version; else bytes and digests are missing.

  const OperationCounts& Of(StepKind kind) const { return all_counts[static_cast<size_t>(kind)]; }
};
ReplayedSteps ReplaySteps(const StepsDone& done, uint64_t range, const KeyShape& keys,
                          const ExpectedState& before, const StoredValues& values);

// Replays all answers. Sets the phase's detail if versions are unknown.
std::string VerifyAllSteps(const AnsweredRole& answered, const std::vector<StepsDone>& steps);

// The history of keys below `range`, which several threads may have written. If their last writes
// differ, it is unknown which came last. The value then has one of `sizes`, if given; else it has
// the same size in every version.
std::shared_ptr<const KeyHistory> HistoryOf(const std::vector<StepsDone>& done, uint64_t range,
                                            const ValueSizes* sizes = nullptr);

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_STEPS_H_
