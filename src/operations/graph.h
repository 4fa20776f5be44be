// mixgraph's operation: a get, a put or a seek of a key that draws of its own choose (
// workload/graph_draws.h), outside of the timing. Gets and seeks are checked on the spot as far as
// they can be while others write: a value has to be whole and its key's, and entries in order; a
// value that is too short to name its key is told by its length alone. Belongs to one thread.
#ifndef LEVELFIELD_OPERATIONS_GRAPH_H_
#define LEVELFIELD_OPERATIONS_GRAPH_H_

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/entry_check.h"
#include "workload/digest.h"
#include "workload/graph_draws.h"
#include "workload/value_source.h"

namespace levelfield {

template <class Draws>
class GraphOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kLanes = 3;  // Gets, seeks, puts.

  GraphOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                 const GraphStream& stream, const KeyShape& shape)
      : table_(table),
        session_(session),
        values_(values),
        draws_(stream),
        format_(shape, stream.range),
        found_format_(shape, shape.Limit()),
        order_(true, shape.kind == KeyKind::kInteger),
        key_(format_.Blank()),
        value_(std::max<size_t>(stream.plan.most_value, ValueSource::kHeaderBytes)) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    choice_ = draws_.Next();
    format_.Format(std::span(&choice_.index, 1), key_.data());
    if (choice_.kind != GraphChoice::Kind::kPut) return;
    values_.Make(choice_.index, choice_.version, choice_.value_size, value_.data());
  }

  lf_code Call(const NumberedKey&) {
    const lf_bytes key = {key_.data(), key_.size()};
    if (choice_.kind == GraphChoice::Kind::kGet) return Get(key);
    if (choice_.kind == GraphChoice::Kind::kSeek) return Seek(key);
    const lf_code code = table_.put(session_, key, {value_.data(), choice_.value_size});
    if (code != LF_OK) return code;
    Tally& tally = tallies_[Lane()];
    ++tally.hits;
    tally.bytes += key.size + choice_.value_size;
    return LF_OK;
  }

  size_t Lane() const { return static_cast<size_t>(choice_.kind); }

  Tally tally(size_t lane) const {
    Tally tally = tallies_[lane];
    tally.operations = tally.hits + tally.misses;
    tally.digest = digests_[lane].Value();
    return tally;
  }
  // That seeks read.
  uint64_t entries() const { return entries_; }

 private:
  lf_code Get(lf_bytes key) {
    Tally& tally = tallies_[Lane()];
    lf_bytes value;
    const lf_code code = table_.get(session_, key, &value);
    if (code != LF_OK) return Missed(code);
    ++tally.hits;
    tally.bytes += key.size + value.size;
    digests_[Lane()].Add(value, choice_.index);
    tally.wrong += IsWhole(choice_.index, value) ? 0 : 1;
    return LF_OK;
  }

  lf_code Seek(lf_bytes sought) {
    Tally& tally = tallies_[Lane()];
    lf_bytes key;
    lf_bytes value;
    lf_code code = table_.seek(session_, LF_AT_OR_AFTER, sought, &key, &value);
    if (code != LF_OK) return Missed(code);
    const bool is_hit = IsKey(key, sought);
    bool is_right = order_.WrongFound(sought, key, value) == 0;
    order_.Begin(key);
    Read(key, value, choice_.index, is_right);
    for (uint64_t step = 1; step <= choice_.scan_length; ++step) {
      code = table_.next(session_, &key, &value);
      if (code == LF_NOT_FOUND) break;  // The store may end before the scan does.
      if (code != LF_OK) return code;
      is_right = order_.WrongStep(key, value) == 0 && is_right;
      Read(key, value, choice_.index + step, is_right);
    }
    ++(is_hit ? tally.hits : tally.misses);
    tally.wrong += is_right ? 0 : 1;
    return LF_OK;
  }

  void Read(lf_bytes key, lf_bytes value, uint64_t place, bool& is_right) {
    ++entries_;
    tallies_[Lane()].bytes += key.size + value.size;
    digests_[Lane()].Add(key, place);
    digests_[Lane()].Add(value, place);
    const std::optional<uint64_t> index = found_format_.Parse({key.data, key.size});
    is_right = is_right && index && IsWhole(*index, value);
  }

  bool IsWhole(uint64_t index, lf_bytes value) const {
    return value.size < ValueSource::kHeaderBytes || values_.Check(index, value);
  }

  // "Not found" is an answer.
  lf_code Missed(lf_code code) {
    if (code != LF_NOT_FOUND) return code;
    ++tallies_[Lane()].misses;
    return LF_OK;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  Draws draws_;
  KeyFormat format_;
  KeyFormat found_format_;  // Of what the store holds.
  OrderCheck order_;
  GraphChoice choice_;
  std::string key_;
  std::vector<char> value_;
  Tally tallies_[kLanes];
  Digest digests_[kLanes];
  uint64_t entries_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_GRAPH_H_
