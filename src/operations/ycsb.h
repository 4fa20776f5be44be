// An operation of YCSB: a read, an update, an insert, a scan or a read-modify-write of a record
// that draws of its own choose (workload/ycsb_draws.h), outside of the timing. A record is one
// value; an update writes it anew and reads nothing. What is read is checked on the spot: a value
// has to be whole and its key's, a scan in order, and none of the records left out that the thread
// knows to be there. Reads of records that the thread alone writes go into the digest, which is
// replayed afterwards. Belongs to one thread.
#ifndef LEVELFIELD_OPERATIONS_YCSB_H_
#define LEVELFIELD_OPERATIONS_YCSB_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/entry_check.h"
#include "workload/digest.h"
#include "workload/value_source.h"
#include "workload/ycsb_draws.h"

namespace levelfield {

class YcsbOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kLanes = YcsbChoice::kKinds;

  // `knows_store`: what the store holds is known, so that a scan can be seen to leave something
  // out.
  YcsbOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                const YcsbStream& stream, const KeyShape& shape, uint64_t value_size,
                bool knows_store)
      : table_(table),
        session_(session),
        values_(values),
        draws_(stream),
        capacity_(stream.capacity),
        format_(shape, stream.capacity),
        found_format_(shape, shape.Limit()),
        order_(true, shape.kind == KeyKind::kInteger),
        key_(format_.Blank()),
        value_size_(value_size),
        value_(std::max<size_t>(value_size, ValueSource::kHeaderBytes)),
        knows_store_(knows_store) {
    found_.reserve(stream.plan.most_scan);
  }

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    CheckLastScan();
    choice_ = draws_.Next();
    if (choice_.is_full) return;
    format_.Format(std::span(&choice_.key, 1), key_.data());
    if (choice_.version == 0) return;
    values_.Make(choice_.key, choice_.version, value_size_, value_.data());
  }

  lf_code Call(const NumberedKey&) {
    const lf_bytes key = {key_.data(), key_.size()};
    switch (choice_.kind) {
      case YcsbChoice::Kind::kRead:
        return Get(key);
      case YcsbChoice::Kind::kScan:
        return Scan(key);
      case YcsbChoice::Kind::kInsert:
        if (choice_.is_full) return LF_NOT_FOUND;  // Which ends the loop; nothing was asked for.
        break;
      case YcsbChoice::Kind::kModify:
        return Modify(key);
      case YcsbChoice::Kind::kUpdate:
        break;
    }
    const lf_code code = Put(key);
    if (code == LF_OK) ++tally().hits;
    return code;
  }

  size_t Lane() const { return static_cast<size_t>(choice_.kind); }

  // There was no room for one more record.
  bool is_full() const { return choice_.is_full; }

  // After the last operation.
  void Finish() { CheckLastScan(); }
  Tally tally(size_t lane) const {
    Tally tally = tallies_[lane];
    tally.operations = tally.hits + tally.misses;
    tally.digest = digests_[lane].Value();
    return tally;
  }
  // That scans read.
  uint64_t entries() const { return entries_; }

 private:
  Tally& tally() { return tallies_[Lane()]; }

  lf_code Get(lf_bytes key) {
    lf_bytes value;
    const lf_code code = table_.get(session_, key, &value);
    if (code == LF_NOT_FOUND) {
      ++tally().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    ++tally().hits;
    tally().bytes += key.size + value.size;
    if (choice_.is_own) digests_[Lane()].Add(value, choice_.key);
    tally().wrong += values_.Check(choice_.key, value) ? 0 : 1;
    return LF_OK;
  }

  lf_code Put(lf_bytes key) {
    const lf_code code = table_.put(session_, key, {value_.data(), value_size_});
    if (code == LF_OK) tally().bytes += key.size + value_size_;
    return code;
  }

  // A record that is not there is written all the same; that it was not there is counted.
  lf_code Modify(lf_bytes key) {
    lf_code code = Get(key);
    if (code != LF_OK) return code;
    code = Put(key);
    if (code != LF_OK) --tally().hits;  // Not done.
    return code;
  }

  lf_code Scan(lf_bytes sought) {
    lf_bytes key;
    lf_bytes value;
    lf_code code = table_.seek(session_, LF_AT_OR_AFTER, sought, &key, &value);
    if (code == LF_NOT_FOUND) {
      ++tally().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    is_scan_right_ = order_.WrongFound(sought, key, value) == 0;
    order_.Begin(key);
    Read(key, value);
    while (found_.size() < choice_.scan_length) {
      code = table_.next(session_, &key, &value);
      if (code == LF_NOT_FOUND) break;  // The store may end before the scan does.
      if (code != LF_OK) return code;
      is_scan_right_ = order_.WrongStep(key, value) == 0 && is_scan_right_;
      Read(key, value);
    }
    ++tally().hits;
    return LF_OK;
  }

  void Read(lf_bytes key, lf_bytes value) {
    ++entries_;
    tally().bytes += key.size + value.size;
    const std::optional<uint64_t> index = found_format_.Parse({key.data, key.size});
    is_scan_right_ = is_scan_right_ && index && values_.Check(*index, value);
    found_.push_back(index.value_or(capacity_));
  }

  // The entries that the last scan found, outside of the timing: from the key that was sought on,
  // no record may be missing that is known to be there.
  void CheckLastScan() {
    if (found_.empty()) return;
    if (knows_store_ && is_scan_right_) {
      uint64_t expected = choice_.key;
      for (const uint64_t found : found_) {
        is_scan_right_ = is_scan_right_ && !IsKnownIn(expected, found);
        expected = found + 1;
      }
      if (found_.size() < choice_.scan_length) {
        is_scan_right_ = is_scan_right_ && !IsKnownIn(expected, capacity_);
      }
    }
    tallies_[static_cast<size_t>(YcsbChoice::Kind::kScan)].wrong += is_scan_right_ ? 0 : 1;
    found_.clear();
  }

  // Whether a key in [from, to) has a record that is there.
  bool IsKnownIn(uint64_t from, uint64_t to) const {
    for (uint64_t key = from; key < to && key < capacity_; ++key) {
      if (draws_.IsKnown(draws_.keys().RecordOf(key))) return true;
    }
    return false;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  YcsbDraws draws_;
  uint64_t capacity_;
  KeyFormat format_;
  KeyFormat found_format_;  // Of what the store holds.
  OrderCheck order_;
  YcsbChoice choice_;
  std::string key_;
  uint64_t value_size_;
  std::vector<char> value_;
  bool knows_store_;
  std::vector<uint64_t> found_;  // Keys of the last scan.
  bool is_scan_right_ = true;
  Tally tallies_[kLanes];
  Digest digests_[kLanes];
  uint64_t entries_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_YCSB_H_
