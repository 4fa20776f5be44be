// A get of a key, an exclusive or of the bytes that were read with an operand as long as they, and
// a put of what comes of it. The operand is made before the clock starts, of what the model says
// the old value is and of what the new one is to be: so bytes that differ from the model's in
// anything differ in the same places when they are written, are counted here, and are found again
// when the store is verified. Belongs to one thread, the only one that writes these keys.
#ifndef LEVELFIELD_RUN_OPERATIONS_XOR_H_
#define LEVELFIELD_RUN_OPERATIONS_XOR_H_

#include <algorithm>
#include <cstring>
#include <vector>

#include "levelfield/engine_abi.h"
#include "run/key_block.h"
#include "run/tally.h"
#include "workload/expected_state.h"
#include "workload/value_source.h"

namespace levelfield {

class XorOperation {
 public:
  static constexpr bool kWholeBlock = false;

  XorOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
               const ExpectedState& before, uint32_t first_version, size_t value_size)
      : get_(table.get),
        put_(table.put),
        session_(session),
        values_(values),
        before_(before),
        first_version_(first_version),
        value_size_(value_size),
        capacity_(std::max(values.max_value_size(), ValueSource::kHeaderBytes)),
        operand_(capacity_),
        next_(capacity_),
        result_(capacity_) {}

  void BeginBlock(const KeyBlock& block) { round_ = block.round(); }

  void Prepare(const NumberedKey& at) {
    const std::optional<ExpectedState::Entry> entry = before_.Find(at.index);
    size_ = entry ? entry->value_size : value_size_;
    old_ = (!entry && !before_.Knows(at.index)) || size_ == kUnknownLength ? Old::kUnknown
           : entry || round_ > 0                                           ? Old::kPresent
                                                                           : Old::kAbsent;
    if (old_ == Old::kPresent && round_ == 0 && entry->version == ExpectedState::kUnknownVersion) {
      old_ = Old::kUnknown;
    }
    if (old_ == Old::kUnknown) return;
    values_.Make(at.index, Version(), size_, next_.data());
    if (old_ == Old::kAbsent) return;
    values_.Make(at.index, round_ > 0 ? Version() - 1 : entry->version, size_, operand_.data());
    Xor(operand_, next_.data(), size_, operand_);
  }

  lf_code Call(const NumberedKey& at) {
    lf_bytes old;
    lf_code code = get_(session_, at.key, &old);
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    const bool is_miss = code == LF_NOT_FOUND;
    const size_t old_size = is_miss ? 0 : old.size;
    bool is_wrong = false;
    const size_t size = is_miss ? OfNothing(at.index, &is_wrong) : OfOld(at.index, old, &is_wrong);
    code = put_(session_, at.key, {result_.data(), size});
    if (code != LF_OK) return code;
    tally_.misses += is_miss ? 1 : 0;
    tally_.wrong += is_wrong ? 1 : 0;
    tally_.bytes += old_size + size;
    return LF_OK;
  }

  size_t Lane() const { return 0; }
  // The bytes of both. A hit is a change of what was there before.
  Tally tally(size_t key_size, uint64_t operations) const {
    Tally tally = tally_;
    tally.operations = operations;
    tally.hits = operations - tally.misses;
    tally.bytes += (tally.hits + operations) * key_size;
    return tally;
  }

 private:
  // What the model says of the value that is to be read. Unknown where several threads wrote it, or
  // a run before this one.
  enum class Old { kPresent, kAbsent, kUnknown };

  uint32_t Version() const { return first_version_ + static_cast<uint32_t>(round_); }

  static void Xor(const std::vector<char>& a, const char* b, size_t size, std::vector<char>& out) {
    for (size_t i = 0; i < size; ++i) out[i] = static_cast<char>(a[i] ^ b[i]);
  }

  // An operand and nothing to change: the operand itself.
  size_t OfNothing(uint64_t index, bool* is_wrong) {
    *is_wrong = old_ == Old::kPresent;
    values_.Make(index, Version(), value_size_, result_.data());
    return value_size_;
  }

  size_t OfOld(uint64_t index, lf_bytes old, bool* is_wrong) {
    const size_t size = std::min(old.size, capacity_);
    if (old_ == Old::kUnknown) {
      // No operand could be prepared: the one that makes the new value out of whatever was read.
      *is_wrong = !values_.Check(index, old).has_value();
      values_.Make(index, Version(), std::min(size, values_.max_value_size()), next_.data());
      for (size_t i = 0; i < size; ++i) operand_[i] = static_cast<char>(old.data[i] ^ next_[i]);
    }
    Xor(operand_, old.data, size, result_);
    if (old_ != Old::kUnknown) {
      *is_wrong = old_ == Old::kAbsent || old.size != size_ ||
                  std::memcmp(result_.data(), next_.data(), size) != 0;
    }
    return size;
  }

  decltype(lf_engine::get) get_;
  decltype(lf_engine::put) put_;
  lf_session* session_;
  const ValueSource& values_;
  const ExpectedState& before_;
  uint32_t first_version_;
  uint64_t round_ = 0;
  size_t value_size_;
  size_t capacity_;
  Old old_ = Old::kUnknown;
  uint64_t size_ = 0;  // Of the old value and of the new one.
  std::vector<char> operand_;
  std::vector<char> next_;    // What has to come of it.
  std::vector<char> result_;  // What comes of it.
  Tally tally_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_XOR_H_
