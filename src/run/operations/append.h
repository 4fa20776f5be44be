// A get of a key and a put of it with a value that is longer, by a value's bytes and one more: what
// an append comes to where the store cannot merge. The new value is not the old one with something
// behind it but describes itself, like all others; that it has the right length shows that the
// right one was read. It is made between the two calls, within the latency, because that is when
// its length is known. Belongs to one thread, the only one that writes these keys.
#ifndef LEVELFIELD_RUN_OPERATIONS_APPEND_H_
#define LEVELFIELD_RUN_OPERATIONS_APPEND_H_

#include <algorithm>
#include <vector>

#include "levelfield/engine_abi.h"
#include "run/key_block.h"
#include "run/tally.h"
#include "workload/value_length.h"
#include "workload/value_source.h"

namespace levelfield {

class AppendOperation {
 public:
  static constexpr bool kWholeBlock = false;

  AppendOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                  uint32_t first_version, size_t value_size)
      : get_(table.get),
        put_(table.put),
        session_(session),
        values_(values),
        first_version_(first_version),
        value_size_(value_size),
        longer_(std::max(values.max_value_size(), ValueSource::kHeaderBytes)) {}

  void BeginBlock(const KeyBlock& block) {
    version_ = first_version_ + static_cast<uint32_t>(block.round());
  }
  void Prepare(const NumberedKey&) {}

  lf_code Call(const NumberedKey& at) {
    lf_bytes old;
    lf_code code = get_(session_, at.key, &old);
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    std::optional<uint64_t> old_size;
    if (code == LF_OK) old_size = old.size;
    const bool is_wrong = old_size && !values_.Check(at.index, old).has_value();
    // An engine that hands out more than was ever written is found out by its wrong length.
    const auto size = static_cast<size_t>(std::min<uint64_t>(
        LengthAfter(LengthRule::kGrown, old_size, value_size_, 1), values_.max_value_size()));
    values_.Make(at.index, version_, size, longer_.data());
    code = put_(session_, at.key, {longer_.data(), size});
    if (code != LF_OK) return code;
    tally_.misses += old_size ? 0 : 1;
    tally_.wrong += is_wrong ? 1 : 0;
    tally_.bytes += old_size.value_or(0) + size;
    return LF_OK;
  }

  size_t Lane() const { return 0; }
  // The bytes of both. A hit is an append to what was there before.
  Tally tally(size_t key_size, uint64_t operations) const {
    Tally tally = tally_;
    tally.operations = operations;
    tally.hits = operations - tally.misses;
    tally.bytes += (tally.hits + operations) * key_size;
    return tally;
  }

 private:
  decltype(lf_engine::get) get_;
  decltype(lf_engine::put) put_;
  lf_session* session_;
  const ValueSource& values_;
  uint32_t first_version_;
  uint32_t version_ = 0;
  size_t value_size_;
  std::vector<char> longer_;  // The value that is put.
  Tally tally_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_APPEND_H_
