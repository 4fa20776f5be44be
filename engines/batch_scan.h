// A scan of a store in a server: entries come many at a time, few at first, because most seeks read
// one. Belongs to a session.
//
// A Source is a class with
//     lf_code Fetch(const ScanBound&, bool backwards, size_t most)   asks for the entries from
//     there size_t Fetched() const bool Entry(size_t i, lf_bytes* key, lf_bytes* value) const
//     false: its key has gone
//                                                                    meanwhile, but is told
// What Entry gives lasts until the next Fetch.
#ifndef LEVELFIELD_ENGINES_BATCH_SCAN_H_
#define LEVELFIELD_ENGINES_BATCH_SCAN_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "levelfield/engine.h"

namespace levelfield {

// Where a scan begins or goes on.
struct ScanBound {
  enum class Kind { kEnd, kAt, kBeyond };  // From the end of the store; from the key on; behind it.
  Kind kind = Kind::kEnd;
  std::string key = {};
};

template <class Source>
class BatchScan {
 public:
  lf_code Seek(Source& source, lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    backwards_ = how == LF_LAST || how == LF_AT_OR_BEFORE;
    most_ = kFirst;
    bound_.kind = how == LF_FIRST || how == LF_LAST ? ScanBound::Kind::kEnd : ScanBound::Kind::kAt;
    if (bound_.kind == ScanBound::Kind::kAt) bound_.key.assign(View(key));
    return Fetch(source, found_key, value);
  }

  lf_code Step(Source& source, bool backwards, lf_bytes* key, lf_bytes* value) {
    if (backwards == backwards_) {
      ++at_;
      return Emit(source, key, value);
    }
    backwards_ = backwards;
    lf_bytes here;
    lf_bytes ignored;
    (void)source.Entry(at_, &here, &ignored);
    GoOnBehind(here);
    return Fetch(source, key, value);
  }

 private:
  static constexpr size_t kFirst = 4;
  static constexpr size_t kMost = 256;
  static constexpr size_t kGrowth = 8;

  void GoOnBehind(lf_bytes key) {
    bound_.kind = ScanBound::Kind::kBeyond;
    bound_.key.assign(View(key));
  }

  lf_code Fetch(Source& source, lf_bytes* key, lf_bytes* value) {
    const lf_code code = source.Fetch(bound_, backwards_, most_);
    at_ = 0;
    return code == LF_OK ? Emit(source, key, value) : code;
  }

  // The entry at_, or the next one behind it that is still there.
  lf_code Emit(Source& source, lf_bytes* key, lf_bytes* value) {
    const size_t fetched = source.Fetched();
    for (; at_ < fetched; ++at_) {
      if (source.Entry(at_, key, value)) return LF_OK;
    }
    if (fetched < most_) return LF_NOT_FOUND;
    (void)source.Entry(fetched - 1, key, value);
    GoOnBehind(*key);
    most_ = std::min(most_ * kGrowth, kMost);
    return Fetch(source, key, value);
  }

  bool backwards_ = false;
  ScanBound bound_;
  size_t most_ = kFirst;
  size_t at_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_BATCH_SCAN_H_
