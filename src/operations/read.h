// The reading operations: get, seek, and the steps of a scan. Each folds every byte that the engine
// hands out into the digest, within the timed region.
#ifndef LEVELFIELD_OPERATIONS_READ_H_
#define LEVELFIELD_OPERATIONS_READ_H_

#include <cstring>
#include <utility>
#include <vector>

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

// All keys of a block in one call; a timed batch is one latency for all of them.
template <class Check>
class MultiGetOperation : public ReadingOperation {
 public:
  static constexpr bool kWholeBlock = true;

  MultiGetOperation(const lf_engine& table, lf_session* session, Check check, size_t batch)
      : multi_get_(table.multi_get),
        session_(session),
        check_(check),
        keys_(batch),
        values_(batch),
        codes_(batch) {}

  void BeginBlock(const KeyBlock& block) {
    count_ = block.count();
    indexes_ = block.indexes();
    for (size_t i = 0; i < count_; ++i) keys_[i] = block.at(i).key;
  }

  lf_code Call(const NumberedKey&) {
    const lf_code code = multi_get_(session_, keys_.data(), count_, values_.data(), codes_.data());
    if (code != LF_OK) return code;
    for (size_t i = 0; i < count_; ++i) {
      if (codes_[i] == LF_OK) {
        tally_.bytes += values_[i].size;
        digest_.Add(values_[i], indexes_[i]);
        tally_.wrong += check_.Wrong(indexes_[i], values_[i]);
      } else {
        ++tally_.misses;
      }
    }
    return LF_OK;
  }

 private:
  decltype(lf_engine::multi_get) multi_get_;
  lf_session* session_;
  Check check_;
  std::vector<lf_bytes> keys_;
  std::vector<lf_bytes> values_;
  std::vector<lf_code> codes_;
  const uint64_t* indexes_ = nullptr;
  size_t count_ = 0;
};

// Begins a scan at the key and reads its first entry, whose key goes into the digest as well. Only
// an entry of the sought key itself is a hit: that is what db_bench counts as found.
template <class Check = LeaveEntries>
class SeekOperation : public ReadingOperation {
 public:
  SeekOperation(const lf_engine& table, lf_session* session, Check check = {})
      : seek_(table.seek), session_(session), check_(std::move(check)) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    lf_bytes key;
    lf_bytes value;
    const lf_code code = seek_(session_, LF_AT_OR_AFTER, at.key, &key, &value);
    if (code == LF_OK) [[likely]] {
      digest_.Add(key, at.index);
      digest_.Add(value, at.index);
      tally_.wrong += check_.WrongFound(at.key, key, value);
      if (IsKey(key, at.key)) {
        tally_.bytes += value.size;
      } else {
        ++tally_.misses;
      }
      return LF_OK;
    }
    return WithoutEntry(code);
  }

 private:
  decltype(lf_engine::seek) seek_;
  lf_session* session_;
  [[no_unique_address]] Check check_;
};

// One step of a scan from the first entry forwards (next) or from the last backwards (prev); its
// first step is the seek. The digest binds an entry to its place, so it depends on the order.
template <class Check = LeaveEntries>
class ScanOperation : public ReadingOperation {
 public:
  ScanOperation(const lf_engine& table, lf_session* session, bool forwards, Check check = {})
      : step_(forwards ? table.next : table.prev),
        seek_(table.seek),
        from_(forwards ? LF_FIRST : LF_LAST),
        session_(session),
        check_(std::move(check)) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    lf_bytes key;
    lf_bytes value;
    const lf_code code =
        tally_.hits != 0 ? step_(session_, &key, &value) : seek_(session_, from_, {}, &key, &value);
    if (code != LF_OK) [[unlikely]] {
      return code;
    }
    ++tally_.hits;
    tally_.bytes += value.size;
    digest_.Add(key, tally_.hits);
    digest_.Add(value, tally_.hits);
    tally_.wrong += check_.WrongStep(key, value);
    return LF_OK;
  }

  uint64_t entries() const { return tally_.hits; }

 private:
  decltype(lf_engine::next) step_;
  decltype(lf_engine::seek) seek_;
  lf_seek from_;
  lf_session* session_;
  [[no_unique_address]] Check check_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_READ_H_
