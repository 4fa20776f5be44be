#include "check/verify.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/quote.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

constexpr uint64_t kMostScanned = 10'000'000;
constexpr uint64_t kSample = 100'000;
constexpr uint64_t kBetweenProgress = 256;

class Verifier {
 public:
  Verifier(Session& session, const lf_engine& table, const ExpectedState& state,
           const StoredValues& values, const KeyShape& shape,
           const std::function<bool(uint64_t, uint64_t)>& progress)
      : session_(session.get()),
        table_(table),
        state_(state),
        values_(values),
        format_(shape, state.Range()),
        progress_(progress),
        buffer_(format_.Blank()) {}

  Verification Run() {
    if (state_.Candidates() <= kMostScanned) {
      Scan();
    } else {
      Sample();
    }
    if (unknown_versions_ != 0) {
      result_.extent +=
          fmt::format(", but which of several threads wrote last is not known of {}: of those, {}",
                      unknown_versions_, how_unknown_);
    }
    return std::move(result_);
  }

  Verification RunTouched() {
    const uint64_t range = state_.Range();
    const bool is_sample = range > kMostScanned;
    Random random(DeriveSeed(1, "verify", "", 0));
    const uint64_t steps = is_sample ? kSample : range;
    uint64_t i = 0;
    for (; i < steps; ++i) {
      const uint64_t index = is_sample ? random.Below(range) : i;
      if (i % kBetweenProgress == 0 && !progress_(i, steps)) break;
      if (state_.IsTouched(index) && !IsAsExpected(index)) return std::move(result_);
    }
    result_.extent = fmt::format("{} keys that this run wrote or erased{}", result_.entries,
                                 is_sample   ? ", drawn at random"
                                 : i < steps ? ", the others left out for want of time"
                                             : ", all of them");
    return std::move(result_);
  }

 private:
  // Compares the entries, in order, with the expected keys.
  void Scan() {
    result_.extent = "all entries";
    lf_bytes key;
    lf_bytes value;
    lf_code code = table_.seek(session_, LF_FIRST, {}, &key, &value);
    if (code == LF_UNSUPPORTED) return GetEach();
    uint64_t index = state_.NextPresent(0);
    uint64_t bytes = 0;
    for (; code == LF_OK; code = table_.next(session_, &key, &value)) {
      if (index == state_.Range()) {
        return Differ(fmt::format("entry {} has the key {}, and should not be there",
                                  result_.entries, Quote({key.data, key.size})));
      }
      if (!IsKey(index, key)) {
        return Differ(fmt::format("entry {} has the key {} where {} was expected", result_.entries,
                                  Quote({key.data, key.size}), Quote(key_)));
      }
      if (!IsValue(index, value)) return;
      ++result_.entries;
      bytes += key.size + value.size;
      index = state_.NextPresent(index + 1);
      if (result_.entries % kBetweenProgress == 0 && !progress_(index, state_.Range())) {
        result_.extent = fmt::format("the first {} entries, for want of time", result_.entries);
        return;
      }
    }
    if (code != LF_NOT_FOUND) return Fail(code);
    if (index != state_.Range()) {
      (void)IsKey(index, {});
      return Differ(fmt::format("the store ends after {} entries; {} is missing", result_.entries,
                                Quote(key_)));
    }
    result_.bytes = bytes;
  }

  // Of a store without scans.
  void GetEach() {
    const uint64_t candidates = state_.Candidates();
    uint64_t i = 0;
    for (; i < candidates; ++i) {
      if (!IsAsExpected(state_.Candidate(i))) return;
      if (i % kBetweenProgress == 0 && !progress_(i, candidates)) break;
    }
    result_.extent = fmt::format(
        "{} keys by a get each, because the store has no scans; there may be others beside them",
        i < candidates ? fmt::format("the first {}", result_.entries)
                       : fmt::format("all {}", result_.entries));
  }

  void Sample() {
    Random random(DeriveSeed(1, "verify", "", 0));
    for (uint64_t i = 0; i < kSample; ++i) {
      if (!IsAsExpected(state_.Candidate(random.Below(state_.Candidates())))) return;
      if (i % kBetweenProgress == 0 && !progress_(i, kSample)) break;
    }
    result_.extent = fmt::format(
        "a sample of {} keys; at most {:.1g}% of the keys are wrong (95% confidence)",
        result_.entries, 300.0 / static_cast<double>(std::max<uint64_t>(result_.entries, 1)));
  }

  // Gets the key; returns whether the answer, or its absence, agrees with the model.
  bool IsAsExpected(uint64_t index) {
    MakeKey(index);
    lf_bytes value;
    const lf_code code = table_.get(session_, {key_.data(), key_.size()}, &value);
    if (code != LF_OK && code != LF_NOT_FOUND) {
      Fail(code);
      return false;
    }
    const bool expected = state_.Find(index).has_value();
    if (expected != (code == LF_OK)) {
      Differ(
          fmt::format("{} is {}", Quote(key_), expected ? "missing" : "there and should not be"));
      return false;
    }
    if (expected && !IsValue(index, value)) return false;
    ++result_.entries;
    return true;
  }

  void MakeKey(uint64_t index) {
    key_ = {buffer_.data(), format_.FormatOne(index, buffer_.data())};
  }
  // Leaves the key of `index` in key_.
  bool IsKey(uint64_t index, lf_bytes key) {
    MakeKey(index);
    return key.size == key_.size() && std::memcmp(key.data, key_.data(), key.size) == 0;
  }

  bool IsValue(uint64_t index, lf_bytes value) {
    const ExpectedState::Entry entry = *state_.Find(index);
    if (entry.value_size == kUnknownLength) return IsOfVersion(index, entry.version, value);
    if (entry.version == ExpectedState::kUnknownVersion) {
      return IsSomeVersion(index, entry, value);
    }
    value_.resize(std::max<size_t>(entry.value_size, ValueSource::kHeaderBytes));
    values_.Write(index, entry.version, entry.value_size, value_.data());
    if (value.size == entry.value_size && std::memcmp(value.data, value_.data(), value.size) == 0) {
      return true;
    }
    const std::optional<uint32_t> version = values_.VersionOf(index, value);
    MakeKey(index);
    Differ(fmt::format("{} has {} where version {} of {} bytes was expected", Quote(key_),
                       version ? fmt::format("version {}", *version)
                               : fmt::format("{} bytes that were never written", value.size),
                       entry.version, entry.value_size));
    return false;
  }

  // The length of a value that extends one from before the run is unknown.
  bool IsOfVersion(uint64_t index, uint32_t expected, lf_bytes value) {
    const std::optional<uint32_t> version = values_.VersionOf(index, value);
    if (version == expected) return true;
    MakeKey(index);
    Differ(fmt::format("{} has {} where version {} of any length was expected", Quote(key_),
                       version ? fmt::format("version {}", *version)
                               : fmt::format("{} bytes that were never written", value.size),
                       expected));
    return false;
  }

  // Any version that the key may have, as far as its value shows.
  bool IsSomeVersion(uint64_t index, const ExpectedState::Entry& entry, lf_bytes value) {
    ++unknown_versions_;
    const ValueSizes sizes =
        entry.unknown_size != nullptr ? *entry.unknown_size : ValueSizes(entry.value_size);
    const bool is_anonymous = !values_.WhyAnonymous(sizes.least()).empty();
    how_unknown_ = is_anonymous ? "only presence and length were checked"
                                : "it was checked that the value is whole and its key's";
    const std::optional<uint32_t> version = values_.VersionOf(index, value);
    const bool may_be =
        version ? value.size == sizes.Of(index, *version)
                : is_anonymous && value.size >= sizes.least() && value.size <= sizes.most();
    if (may_be) return true;
    MakeKey(index);
    Differ(fmt::format("{} has {} bytes that none of the threads wrote", Quote(key_), value.size));
    return false;
  }

  void Differ(std::string difference) { result_.difference = std::move(difference); }

  void Fail(lf_code code) {
    result_.code = code;
    result_.error = table_.last_error();
  }

  lf_session* session_;
  const lf_engine& table_;
  const ExpectedState& state_;
  const StoredValues& values_;
  KeyFormat format_;
  const std::function<bool(uint64_t, uint64_t)>& progress_;
  std::string buffer_;
  std::string_view key_;  // The key that was made last, in the buffer.
  std::vector<char> value_;
  uint64_t unknown_versions_ = 0;
  std::string how_unknown_;
  Verification result_;
};

}  // namespace

Verification VerifyStore(Session& session, const lf_engine& table, const ExpectedState& state,
                         const StoredValues& values, const KeyShape& shape,
                         const std::function<bool(uint64_t, uint64_t)>& progress) {
  return Verifier(session, table, state, values, shape, progress).Run();
}

Verification VerifyTouched(Session& session, const lf_engine& table, const ExpectedState& state,
                           const StoredValues& values, const KeyShape& shape,
                           const std::function<bool(uint64_t, uint64_t)>& progress) {
  return Verifier(session, table, state, values, shape, progress).RunTouched();
}

}  // namespace levelfield
