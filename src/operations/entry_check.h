// What can be said of the entries of a store that was there before the run, on the spot: that they
// come in order, and, where the store is one of ours, that each value is whole and its key's. Which
// entries there have to be is not known. Belongs to one thread.
#ifndef LEVELFIELD_OPERATIONS_ENTRY_CHECK_H_
#define LEVELFIELD_OPERATIONS_ENTRY_CHECK_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "levelfield/engine_abi.h"
#include "operations/task.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {

// The order of bytes, or of integers in the machine's order.
class OrderCheck {
 public:
  OrderCheck(bool forwards, bool is_of_integers)
      : forwards_(forwards), is_of_integers_(is_of_integers) {}

  uint64_t WrongFound(lf_bytes sought, lf_bytes key, lf_bytes) const {
    return Compare(key, sought) >= 0 ? 0 : 1;
  }

  // The steps to come are from this entry.
  void Begin(lf_bytes key) {
    has_last_ = true;
    last_.assign(key.data, key.size);
  }

  uint64_t WrongStep(lf_bytes key, lf_bytes) {
    const int order = has_last_ ? Compare(key, {last_.data(), last_.size()}) : 0;
    const bool is_right = !has_last_ || (forwards_ ? order > 0 : order < 0);
    Begin(key);
    return is_right ? 0 : 1;
  }

  int Compare(lf_bytes a, lf_bytes b) const {
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
  bool forwards_;
  bool is_of_integers_;
  bool has_last_ = false;
  std::string last_;
};

// The order, and that the key is one of ours with a value of its own.
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

#endif  // LEVELFIELD_OPERATIONS_ENTRY_CHECK_H_
