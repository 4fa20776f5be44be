// A seek and some steps from there, as one operation with one latency: how a program reads a range.
// Every entry on the way goes into the digest, bound to the sought key and its place.
#ifndef LEVELFIELD_OPERATIONS_SEEK_RANGE_H_
#define LEVELFIELD_OPERATIONS_SEEK_RANGE_H_

#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "operations/read.h"
#include "operations/task.h"
#include "workload/file/role_lines.h"

namespace levelfield {

// How far a range goes. A bound has
//     void Prepare(uint64_t sought)      before the clock starts
//     bool IsBeyond(lf_bytes key)        whether the range ends before this entry
struct NoBound {
  void Prepare(uint64_t) {}
  bool IsBeyond(lf_bytes) const { return false; }
};

// Entries whose index is less than `distance` above the sought one, or at most `distance` below it.
class DistanceBound {
 public:
  DistanceBound(uint64_t distance, bool forwards, const KeyShape& shape)
      : distance_(distance),
        forwards_(forwards),
        limit_(shape.Limit()),
        format_(shape, shape.Limit()),
        order_(forwards, shape.kind == KeyKind::kInteger),
        key_(format_.Blank()) {}

  void Prepare(uint64_t sought) {
    const uint64_t index = forwards_ ? sought + distance_ : sought - std::min(sought, distance_);
    is_bound_ = index < limit_;
    if (is_bound_) key_size_ = format_.FormatOne(index, key_.data());
  }

  bool IsBeyond(lf_bytes key) const {
    if (!is_bound_) return false;
    const int order = order_.Compare(key, {key_.data(), key_size_});
    return forwards_ ? order >= 0 : order < 0;
  }

 private:
  uint64_t distance_;
  bool forwards_;
  uint64_t limit_;
  KeyFormat format_;
  OrderCheck order_;
  std::string key_;
  size_t key_size_ = 0;
  bool is_bound_ = false;
};

inline std::string ReadDirection(ParsedWorkload& parsed, const FileNumbers& numbers,
                                 std::string_view text) {
  const bool is_flag = text == "$direction";
  parsed.role().backwards = text == "backwards" || (is_flag && numbers.settings().reverse_iterator);
  return text == "forwards" || text == "backwards" || is_flag ? ""
                                                              : "forwards, backwards or $direction";
}

// For operations that do not seek.
inline constexpr char kDoesNotSeek[] = "has {}, but only `op = seek` and a mix that seeks do";
inline constexpr RoleLine kSeekLines[] = {
    {"nexts", ReadCount<limits::kScanned, 0, &Role::nexts>, kDoesNotSeek},
    {"direction", ReadDirection, kDoesNotSeek},
    {"max_distance", ReadCount<KeyFormat::kLimit, 0, &Role::max_distance>, kDoesNotSeek}};

inline DistanceBound DistanceBoundOf(const ThreadTask& task) {
  return {task.role->max_distance, !task.role->backwards, task.key_shape};
}

template <class Check, class Bound>
class SeekRangeOperation : public ReadingOperation {
 public:
  SeekRangeOperation(const lf_engine& table, lf_session* session, const Role& role, Check check,
                     Bound bound)
      : seek_(table.seek),
        step_(role.backwards ? table.prev : table.next),
        session_(session),
        steps_(role.nexts),
        check_(std::move(check)),
        bound_(std::move(bound)) {}

  void Prepare(const NumberedKey& at) { bound_.Prepare(at.index); }

  [[gnu::always_inline]] lf_code Call(const NumberedKey& at) {
    lf_bytes key;
    lf_bytes value;
    lf_code code = seek_(session_, LF_AT_OR_AFTER, at.key, &key, &value);
    if (code != LF_OK) return WithoutEntry(code);
    if (bound_.IsBeyond(key)) return WithoutEntry(LF_NOT_FOUND);
    counts_.wrong += check_.WrongFound(at.key, key, value);
    check_.Begin(key);
    if (!IsKey(key, at.key)) ++counts_.misses;
    Read(key, value, at.index);
    for (uint64_t step = 1; step <= steps_; ++step) {
      code = step_(session_, &key, &value);
      // The store may end before the range does.
      if (code == LF_NOT_FOUND) break;
      if (code != LF_OK) return code;
      if (bound_.IsBeyond(key)) break;
      counts_.wrong += check_.WrongStep(key, value);
      Read(key, value, at.index + step);
    }
    return LF_OK;
  }

  // The bytes are those of all entries on the way. A hit is a seek that found the sought key.
  OperationCounts counts(uint64_t, uint64_t operations) const {
    OperationCounts counts = counts_;
    counts.digest = digest_.Value();
    counts.operations = operations;
    counts.hits = operations - counts.misses;
    return counts;
  }

 protected:
  [[gnu::always_inline]] void Read(lf_bytes key, lf_bytes value, uint64_t place) {
    counts_.bytes += key.size + value.size;
    digest_.Add(key, place);
    digest_.Add(value, place);
  }

  decltype(lf_engine::seek) seek_;
  decltype(lf_engine::next) step_;
  lf_session* session_;
  uint64_t steps_;
  [[no_unique_address]] Check check_;
  [[no_unique_address]] Bound bound_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_SEEK_RANGE_H_
