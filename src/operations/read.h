// What reads: a get, and what the reading operations have in common. Each folds every byte that the
// engine hands out into the digest, within the timed region.
#ifndef LEVELFIELD_OPERATIONS_READ_H_
#define LEVELFIELD_OPERATIONS_READ_H_

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "workload/digest.h"
#include "workload/value_source.h"

namespace levelfield {

// What a get does with its value beyond folding it: nothing, where the replay will know the digest.
struct LeaveToReplay {
  uint64_t Wrong(uint64_t, lf_bytes) const { return 0; }
};

// Or a check on the spot, for keys that other threads are writing: which version it has cannot be
// known afterwards; that it belongs to its key and is whole can (20 ns for 100 bytes).
struct CheckInLoop {
  const ValueSource& values;
  uint64_t Wrong(uint64_t key_index, lf_bytes value) const {
    return values.Check(key_index, value).has_value() ? 0 : 1;
  }
};

// What a scan does with its entries beyond folding them: nothing, where the replay will know them.
struct LeaveEntries {
  uint64_t WrongFound(lf_bytes, lf_bytes, lf_bytes) { return 0; }
  void Begin(lf_bytes) {}
  uint64_t WrongStep(lf_bytes, lf_bytes) { return 0; }
};

// What the reading operations have in common: the digest of what they read and the count of misses
// and value bytes; the rest follows from how many operations there were.
class ReadingOperation {
 public:
  static constexpr bool kWholeBlock = false;

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Lane() const { return 0; }

  Tally tally(size_t key_size, uint64_t operations) const {
    Tally tally = tally_;
    tally.digest = digest_.Value();
    tally.operations = operations;
    tally.hits = operations - tally.misses;
    tally.bytes += tally.hits * key_size;
    return tally;
  }

 protected:
  // What comes of a read that gave no entry: "not found" is an answer.
  lf_code WithoutEntry(lf_code code) {
    if (code != LF_NOT_FOUND) return code;
    ++tally_.misses;
    return LF_OK;
  }

  Digest digest_;
  Tally tally_;
};

template <class Check>
class GetOperation : public ReadingOperation {
 public:
  GetOperation(const lf_engine& table, lf_session* session, Check check)
      : get_(table.get), session_(session), check_(check) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    lf_bytes value;
    const lf_code code = get_(session_, {at.key.data, at.key.size}, &value);
    if (code == LF_OK) [[likely]] {
      tally_.bytes += value.size;
      digest_.Add(value, at.index);
      tally_.wrong += check_.Wrong(at.index, value);
      return LF_OK;
    }
    return WithoutEntry(code);
  }

 private:
  decltype(lf_engine::get) get_;
  lf_session* session_;
  Check check_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_READ_H_
