// A get of a key and a put of a value that is made of what was read, as one operation with one
// latency, which the making is part of. A Maker says what the new value is; it has
//     void BeginBlock(uint64_t round)            a new block of keys, of that round through them
//     void Prepare(uint64_t key_index)           what can be ready before the clock starts
//     lf_bytes Made(uint64_t key_index, const lf_bytes* old, bool* is_wrong)
//                                                the new value; `old` is null where nothing was
//                                                found; whether that is wrong as far as it can tell
// Belongs to one thread, the only one that writes these keys.
#ifndef LEVELFIELD_OPERATIONS_CHANGE_H_
#define LEVELFIELD_OPERATIONS_CHANGE_H_

#include <utility>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"

namespace levelfield {

// Why values that are not ours are not changed.
inline constexpr const char* kNotOurs =
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

  lf_code Call(const NumberedKey& at) {
    lf_bytes old = {};
    lf_code code = get_(session_, at.key, &old);
    if (code != LF_OK && code != LF_NOT_FOUND) return code;
    const bool is_miss = code == LF_NOT_FOUND;
    const size_t old_size = is_miss ? 0 : old.size;
    bool is_wrong = false;
    const lf_bytes made = maker_.Made(at.index, is_miss ? nullptr : &old, &is_wrong);
    code = put_(session_, at.key, made);
    if (code != LF_OK) return code;
    tally_.misses += is_miss ? 1 : 0;
    tally_.wrong += is_wrong ? 1 : 0;
    tally_.bytes += old_size + made.size;
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
  decltype(lf_engine::get) get_;
  decltype(lf_engine::put) put_;
  lf_session* session_;
  Maker maker_;
  Tally tally_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_CHANGE_H_
