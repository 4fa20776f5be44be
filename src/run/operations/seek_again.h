// A seek, some steps from there, and a seek of the entry where they ended, as one operation with
// one latency. Every entry on the way goes into the digest, bound to the sought key and its place;
// the last one once more. Belongs to one thread.
#ifndef LEVELFIELD_RUN_OPERATIONS_SEEK_AGAIN_H_
#define LEVELFIELD_RUN_OPERATIONS_SEEK_AGAIN_H_

#include <cstring>
#include <string>
#include <utility>

#include "run/operations/read.h"

namespace levelfield {

template <class Check>
class SeekAgainOperation : public ReadingOperation {
 public:
  SeekAgainOperation(const lf_engine& table, lf_session* session, const Role& role, Check check)
      : seek_(table.seek),
        step_(role.backwards ? table.prev : table.next),
        session_(session),
        steps_(role.nexts),
        exact_(role.exact),
        check_(std::move(check)) {}

  lf_code Call(const NumberedKey& at) {
    lf_bytes key;
    lf_bytes value;
    lf_code code = seek_(session_, LF_AT_OR_AFTER, at.key, &key, &value);
    if (code != LF_OK) return WithoutEntry(code);
    tally_.wrong += check_.WrongFound(at.key, key, value);
    check_.Begin(key);
    if (exact_ && !IsKey(key, at.key)) ++tally_.misses;
    uint64_t place = at.index;
    Read(key, value, place);
    for (uint64_t step = 0; step < steps_; ++step) {
      code = step_(session_, &key, &value);
      if (code == LF_NOT_FOUND) break;  // The store may end before the range does.
      if (code != LF_OK) return code;
      tally_.wrong += check_.WrongStep(key, value);
      Read(key, value, ++place);
    }
    const lf_bytes last = {last_.data(), last_.size()};
    code = seek_(session_, LF_AT_OR_AFTER, last, &key, &value);
    // What was just read has to be there.
    if (code != LF_OK) return code == LF_NOT_FOUND ? WithoutEntry(code) : code;
    tally_.wrong += IsKey(key, last) ? 0 : 1;
    Read(key, value, ++place);
    return LF_OK;
  }

  // The bytes are those of all entries on the way; a hit is an operation that found them.
  Tally tally(size_t, uint64_t operations) const {
    Tally tally = tally_;
    tally.digest = digest_.Value();
    tally.operations = operations;
    tally.hits = operations - tally.misses;
    return tally;
  }

 private:
  static bool IsKey(lf_bytes key, lf_bytes other) {
    return key.size == other.size && std::memcmp(key.data, other.data, key.size) == 0;
  }

  // The engine's bytes last until its next call. No allocation: keys have one length.
  void Read(lf_bytes key, lf_bytes value, uint64_t place) {
    last_.assign(key.data, key.size);
    tally_.bytes += key.size + value.size;
    digest_.Add(key, place);
    digest_.Add(value, place);
  }

  decltype(lf_engine::seek) seek_;
  decltype(lf_engine::next) step_;
  lf_session* session_;
  uint64_t steps_;
  bool exact_;
  [[no_unique_address]] Check check_;
  std::string last_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_OPERATIONS_SEEK_AGAIN_H_
