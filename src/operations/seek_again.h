// A seek, some steps from there, and a seek of the entry where they ended, as one operation with
// one latency. Every entry on the way goes into the digest, bound to the sought key and its place;
// the last one once more. Belongs to one thread.
#ifndef LEVELFIELD_OPERATIONS_SEEK_AGAIN_H_
#define LEVELFIELD_OPERATIONS_SEEK_AGAIN_H_

#include <string>
#include <utility>

#include "operations/seek_range.h"

namespace levelfield {

// Bounds nothing, but remembers the entry that the range came to: the engine's bytes last until its
// next call. No allocation: keys have one length.
struct LastOfRange {
  std::string key;
  uint64_t entries = 0;

  void Prepare(uint64_t) {
    key.clear();
    entries = 0;
  }
  bool IsBeyond(lf_bytes found) {
    key.assign(found.data, found.size);
    ++entries;
    return false;
  }
};

template <class Check>
class SeekAgainOperation : public SeekRangeOperation<Check, LastOfRange> {
 public:
  SeekAgainOperation(const lf_engine& table, lf_session* session, const Role& role, Check check)
      : Range(table, session, role, std::move(check), LastOfRange()) {}

  lf_code Call(const NumberedKey& at) {
    if (const lf_code code = Range::Call(at); code != LF_OK) return code;
    const LastOfRange& range = this->bound_;
    if (range.entries == 0) return LF_OK;  // A miss.
    const lf_bytes last = {range.key.data(), range.key.size()};
    lf_bytes key;
    lf_bytes value;
    const lf_code code = this->seek_(this->session_, LF_AT_OR_AFTER, last, &key, &value);
    // What was just read has to be there.
    if (code != LF_OK) return this->WithoutEntry(code);
    this->tally_.wrong += IsKey(key, last) ? 0 : 1;
    this->Read(key, value, at.index + range.entries);
    return LF_OK;
  }

 private:
  using Range = SeekRangeOperation<Check, LastOfRange>;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_SEEK_AGAIN_H_
