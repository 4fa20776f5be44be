// Gets, and what the reading operations share. Each folds every byte that the engine hands out into
// the digest, within the timed region. Also checks entries on the spot if the replay will not know
// them.
#ifndef LEVELFIELD_OPERATIONS_READ_H_
#define LEVELFIELD_OPERATIONS_READ_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/operation_counts.h"
#include "operations/task.h"
#include "workload/digest.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {

// What a get does with its value beyond folding it: nothing, since the replay knows the digest.
struct LeaveToReplay {
  uint64_t Wrong(uint64_t, lf_bytes) const { return 0; }
};

// Or it checks on the spot, for keys that other threads are writing. Its version cannot be known
// afterwards; that it belongs to its key and is whole can (20 ns for 100 bytes).
struct CheckInLoop {
  const ValueSource& values;
  uint64_t Wrong(uint64_t key_index, lf_bytes value) const {
    return values.Check(key_index, value).has_value() ? 0 : 1;
  }
};

// What a scan does with its entries beyond folding them: nothing, since the replay knows them.
struct LeaveEntries {
  uint64_t WrongFound(lf_bytes, lf_bytes, lf_bytes) { return 0; }
  void Begin(lf_bytes) {}
  uint64_t WrongStep(lf_bytes, lf_bytes) { return 0; }
};

// What the reading operations share: the digest of what they read and the count of misses and value
// bytes. The rest follows from the number of operations.
class ReadingOperation {
 public:
  static constexpr bool kWholeBlock = false;

  void BeginBlock(const KeyBlock&) {}
  void Prepare(const NumberedKey&) {}
  size_t Statistics() const { return 0; }

  // `key_bytes`: of the keys of these operations, if all have one size. Where they vary, the bytes
  // of keys that were found are counted one by one.
  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    OperationCounts counts = counts_;
    counts.digest = digest_.Value();
    counts.operations = operations;
    counts.hits = operations - counts.misses;
    if (operations != 0) counts.bytes += key_bytes / operations * counts.hits;
    return counts;
  }

 protected:
  // The code of a read that gave no entry: "not found" is an answer.
  lf_code WithoutEntry(lf_code code) {
    if (code != LF_NOT_FOUND) return code;
    ++counts_.misses;
    return LF_OK;
  }

  Digest digest_;
  OperationCounts counts_;
};

// A reading operation that counts the bytes of a key that was found with those of its value, if
// keys vary in size. Keys of one size pay nothing for that.
template <bool kKeysVary>
class KeyCountingOperation : public ReadingOperation {
 public:
  OperationCounts counts(uint64_t key_bytes, uint64_t operations) const {
    return ReadingOperation::counts(kKeysVary ? 0 : key_bytes, operations);
  }

 protected:
  [[gnu::always_inline]] void CountBytes(lf_bytes key, lf_bytes value) {
    counts_.bytes += kKeysVary ? key.size + value.size : value.size;
  }
};

// Runs with whether keys vary as a constant.
template <class Run>
void WithKeySizes(const ThreadTask& task, Run run) {
  if (task.key_shape.vary()) return run(std::true_type());
  run(std::false_type());
}

template <class Check, bool kKeysVary>
class GetOperation : public KeyCountingOperation<kKeysVary> {
 public:
  GetOperation(const lf_engine& table, lf_session* session, Check check)
      : get_(table.get), session_(session), check_(check) {}

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    lf_bytes value;
    const lf_code code = get_(session_, {at.key.data, at.key.size}, &value);
    if (code == LF_OK) [[likely]] {
      this->CountBytes(at.key, value);
      this->digest_.Add(value, at.index);
      this->counts_.wrong += check_.Wrong(at.index, value);
      return LF_OK;
    }
    return this->WithoutEntry(code);
  }

 private:
  decltype(lf_engine::get) get_;
  lf_session* session_;
  Check check_;
};

// Checks the entries of a store that existed before the run: they must come in order and, if the
// store is one of ours, each value must be whole and belong to its key. Which entries it must have
// is unknown. These checks belong to one thread.

// The order of bytes, or of integers in the machine's byte order.
class OrderCheck {
 public:
  OrderCheck(bool forwards, bool is_of_integers)
      : forwards_(forwards), is_of_integers_(is_of_integers) {}

  uint64_t WrongFound(lf_bytes sought, lf_bytes key, lf_bytes) const {
    return Compare(key, sought) >= 0 ? 0 : 1;
  }

  // The coming steps start at this entry.
  void Begin(lf_bytes key) {
    has_last_ = true;
    if (key.size == kUsualBytes && last_.size() == kUsualBytes) [[likely]] {
      std::memcpy(last_.data(), key.data, kUsualBytes);
    } else {
      last_.assign(key.data, key.size);
    }
  }

  uint64_t WrongStep(lf_bytes key, lf_bytes) {
    const int order = has_last_ ? Compare(key, {last_.data(), last_.size()}) : 0;
    const bool is_right = !has_last_ || (forwards_ ? order > 0 : order < 0);
    Begin(key);
    return is_right ? 0 : 1;
  }

  int Compare(lf_bytes a, lf_bytes b) const {
    if (a.size == kUsualBytes && b.size == kUsualBytes) [[likely]] {
      const uint64_t left = BigEndian(a.data);
      const uint64_t right = BigEndian(b.data);
      if (left != right) return left < right ? -1 : 1;
      const uint64_t left_end = BigEndian(a.data + 8);
      const uint64_t right_end = BigEndian(b.data + 8);
      return left_end < right_end ? -1 : left_end > right_end ? 1 : 0;
    }
    if (is_of_integers_ && a.size == sizeof(uint64_t) && b.size == sizeof(uint64_t)) {
      uint64_t left = 0;
      uint64_t right = 0;
      std::memcpy(&left, a.data, sizeof(left));
      std::memcpy(&right, b.data, sizeof(right));
      return left < right ? -1 : left > right ? 1 : 0;
    }
    const int order = std::memcmp(a.data, b.data, std::min(a.size, b.size));
    return order != 0 ? order : a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
  }

 private:
  static constexpr size_t kUsualBytes = 16;  // Of a key, as the whole family has it.

  static uint64_t BigEndian(const char* bytes) {
    uint64_t number = 0;
    std::memcpy(&number, bytes, sizeof(number));
    return __builtin_bswap64(number);
  }

  bool forwards_;
  bool is_of_integers_;
  bool has_last_ = false;
  std::string last_;
};

// Checks the order, and that the key is one of ours with its own value.
class EntryCheck {
 public:
  EntryCheck(OrderCheck order, const KeyFormat& format, const ValueSource& values)
      : order_(std::move(order)), format_(format), values_(values) {}

  uint64_t WrongFound(lf_bytes sought, lf_bytes key, lf_bytes value) const {
    return order_.WrongFound(sought, key, value) | WrongEntry(key, value);
  }
  void Begin(lf_bytes key) { order_.Begin(key); }
  uint64_t WrongStep(lf_bytes key, lf_bytes value) {
    return order_.WrongStep(key, value) | WrongEntry(key, value);
  }

 private:
  uint64_t WrongEntry(lf_bytes key, lf_bytes value) const {
    const std::optional<uint64_t> index = format_.Parse({key.data, key.size});
    return index && values_.Check(*index, value) ? 0 : 1;
  }

  OrderCheck order_;
  KeyFormat format_;
  const ValueSource& values_;
};

inline OrderCheck OrderCheckOf(const ThreadTask& task, bool forwards) {
  return {forwards, task.key_shape.kind == KeyKind::kInteger};
}
inline EntryCheck EntryCheckOf(const ThreadTask& task, bool forwards) {
  return {OrderCheckOf(task, forwards), KeyFormat(task.key_shape, task.key_shape.Limit()),
          *task.values};
}

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_READ_H_
