// The operations `append` and `xor`: a get of a key and a put of a value made from what was read,
// as one operation with one latency, which includes the making. A Maker makes the new value; it has
//     void BeginBlock(uint64_t round)            a new block of keys, of that round through them
//     void Prepare(uint64_t key_index)           what can be ready before the clock starts
//     lf_bytes Made(uint64_t key_index, const lf_bytes* old, bool* is_wrong)
//                                                the new value; `old` is null where nothing was
//                                                found; whether that is wrong as far as it can tell
// Belongs to one thread, the only one that writes these keys.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/expected_state.h"
#include "workload/value_sizes.h"
#include "workload/value_source.h"

namespace levelfield {

namespace change {

// Why values that are not ours stay unchanged.
constexpr const char* kNotOurs =
    "the store was there before, and its values are not of ours: how long they are, and what they "
    "become when they are changed, is not known";

template <class Maker>
class ChangeOperation {
 public:
  static constexpr bool kWholeBlock = false;

  ChangeOperation(const lf_engine& table, lf_session* session, Maker maker)
      : get_(table.get), put_(table.put), session_(session), maker_(std::move(maker)) {}

  void BeginBlock(const KeyBlock& block) { maker_.BeginBlock(block.round()); }
  void Prepare(const NumberedKey& at) { maker_.Prepare(at.index); }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    lf_bytes old = {};
    lf_code code = get_(session_, at.key, &old);
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    const bool is_miss = code == LF_NOT_FOUND;
    const size_t old_size = is_miss ? 0 : old.size;
    bool is_wrong = false;
    const lf_bytes made = maker_.Made(at.index, is_miss ? nullptr : &old, &is_wrong);
    code = put_(session_, at.key, made);
    if (code != LF_OK) return code;
    counts_.misses += is_miss ? 1 : 0;
    missed_key_bytes_ += is_miss ? at.key.size : 0;
    counts_.wrong += is_wrong ? 1 : 0;
    counts_.bytes += old_size + made.size;
    return LF_OK;
  }

  size_t Statistics() const { return 0; }
  // Counts the bytes of both. A hit is a change of a value that was there before.
  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    OperationCounts counts = counts_;
    counts.operations = operations;
    counts.hits = operations - counts.misses;
    counts.bytes += 2 * key_bytes - missed_key_bytes_;
    return counts;
  }

 private:
  decltype(lf_engine::get) get_;
  decltype(lf_engine::put) put_;
  lf_session* session_;
  Maker maker_;
  OperationCounts counts_;
  uint64_t missed_key_bytes_ = 0;
};

// A value that is longer than the one that was read, by a value's bytes and one more: an append
// where the store cannot merge. It does not extend the old bytes but describes itself, like all
// others. Its right length shows that the right value was read. It is made between the two calls,
// because only then is its length known.
class AppendedValue {
 public:
  AppendedValue(const ValueSource& values, uint32_t first_version, size_t value_size)
      : values_(values),
        first_version_(first_version),
        value_size_(value_size),
        longer_(std::max(values.max_value_size(), ValueSource::kHeaderBytes)) {}

  void BeginBlock(uint64_t round) { version_ = first_version_ + static_cast<uint32_t>(round); }
  void Prepare(uint64_t) {}

  lf_bytes Made(uint64_t key_index, const lf_bytes* old, bool* is_wrong) {
    std::optional<uint64_t> old_size;
    if (old != nullptr) old_size = old->size;
    *is_wrong = old != nullptr && !values_.Check(key_index, *old).has_value();
    // A wrong length exposes an engine that hands out more than was ever written.
    const auto size = static_cast<size_t>(std::min<uint64_t>(
        LengthAfter(LengthRule::kGrown, old_size, value_size_, 1), values_.max_value_size()));
    values_.Make(key_index, version_, size, longer_.data());
    return {longer_.data(), size};
  }

 private:
  const ValueSource& values_;
  uint32_t first_version_;
  uint32_t version_ = 0;
  size_t value_size_;
  std::vector<char> longer_;  // The value that is put.
};

void RunAppend(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  if (!task.check_in_loop) return run.Refuse(kNotOurs);
  run.One(ChangeOperation(
      *task.table, task.session,
      AppendedValue(*task.values, task.first_version, task.role->value_size.most())));
}

// An exclusive or of the bytes that were read with an operand of the same length. The operand is
// made before the clock starts, from the value that the model expects and the new one. So bytes
// that differ from the model's differ in the same places when they are written. They are counted
// here, and found again when the store is verified.
class XoredValue {
 public:
  XoredValue(const ValueSource& values, const ExpectedState& before, uint32_t first_version,
             size_t value_size)
      : values_(values),
        before_(before),
        first_version_(first_version),
        value_size_(value_size),
        capacity_(std::max(values.max_value_size(), ValueSource::kHeaderBytes)),
        operand_(capacity_),
        next_(capacity_),
        result_(capacity_) {}

  void BeginBlock(uint64_t round) { round_ = round; }

  void Prepare(uint64_t key_index) {
    const std::optional<ExpectedState::Entry> entry = before_.Find(key_index);
    size_ = entry ? entry->value_size : value_size_;
    old_ = OldOf(key_index, entry);
    if (old_ == Old::kUnknown) return;
    values_.Make(key_index, Version(), size_, next_.data());
    if (old_ == Old::kAbsent) return;
    values_.Make(key_index, round_ > 0 ? Version() - 1 : entry->version, size_, operand_.data());
    Xor(operand_, next_.data(), size_, operand_);
  }

  lf_bytes Made(uint64_t key_index, const lf_bytes* old, bool* is_wrong) {
    const size_t size =
        old == nullptr ? OfNothing(key_index, is_wrong) : OfOld(key_index, *old, is_wrong);
    return {result_.data(), size};
  }

 private:
  // What the model says about the value that will be read. Unknown if several threads or an earlier
  // run wrote it.
  enum class Old { kPresent, kAbsent, kUnknown };

  Old OldOf(uint64_t key_index, const std::optional<ExpectedState::Entry>& entry) const {
    const bool is_of_others = (!entry && !before_.Knows(key_index)) || size_ == kUnknownLength;
    const bool is_contested =
        entry && round_ == 0 && entry->version == ExpectedState::kUnknownVersion;
    if (is_of_others || is_contested) return Old::kUnknown;
    return entry || round_ > 0 ? Old::kPresent : Old::kAbsent;
  }

  uint32_t Version() const { return first_version_ + static_cast<uint32_t>(round_); }

  static void Xor(const std::vector<char>& a, const char* b, size_t size, std::vector<char>& out) {
    for (size_t i = 0; i < size; ++i) out[i] = static_cast<char>(a[i] ^ b[i]);
  }

  // An operand and nothing to change: the result is the operand.
  size_t OfNothing(uint64_t key_index, bool* is_wrong) {
    *is_wrong = old_ == Old::kPresent;
    values_.Make(key_index, Version(), value_size_, result_.data());
    return value_size_;
  }

  size_t OfOld(uint64_t key_index, lf_bytes old, bool* is_wrong) {
    const size_t size = std::min(old.size, capacity_);
    if (old_ == Old::kUnknown) {
      // No operand could be prepared, so this makes the one that turns the value just read into the
      // new value.
      *is_wrong = !values_.Check(key_index, old).has_value();
      values_.Make(key_index, Version(), std::min(size, values_.max_value_size()), next_.data());
      for (size_t i = 0; i < size; ++i) operand_[i] = static_cast<char>(old.data[i] ^ next_[i]);
    }
    Xor(operand_, old.data, size, result_);
    if (old_ != Old::kUnknown) {
      *is_wrong = old_ == Old::kAbsent || old.size != size_ ||
                  std::memcmp(result_.data(), next_.data(), size) != 0;
    }
    return size;
  }

  const ValueSource& values_;
  const ExpectedState& before_;
  uint32_t first_version_;
  uint64_t round_ = 0;
  size_t value_size_;
  size_t capacity_;
  Old old_ = Old::kUnknown;
  uint64_t size_ = 0;  // For the old value and the new one.
  std::vector<char> operand_;
  std::vector<char> next_;    // The expected result.
  std::vector<char> result_;  // The actual result.
};

void RunXor(const ThreadTask& task, ThreadResult& result) {
  const ThreadRun run(task, result);
  if (!task.check_in_loop) return run.Refuse(kNotOurs);
  run.One(ChangeOperation(
      *task.table, task.session,
      XoredValue(*task.values, *task.before, task.first_version, task.role->value_size.most())));
}

}  // namespace change

constinit const Operation operations::kAppend = {.name = "append",
                                                 .effects = kChanges,
                                                 .writes_one_entry = true,
                                                 .has_one_value_size = true,
                                                 .length = LengthRule::kGrown,
                                                 .run = change::RunAppend,
                                                 .verify = VerifyGets};

constinit const Operation operations::kXor = {.name = "xor",
                                              .effects = kChanges,
                                              .writes_one_entry = true,
                                              .has_one_value_size = true,
                                              .length = LengthRule::kKept,
                                              .can_repeat = true,
                                              .run = change::RunXor,
                                              .verify = VerifyGets};

}  // namespace levelfield
