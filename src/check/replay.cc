#include "check/replay.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "workload/digest.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

class Replayer {
 public:
  Replayer(const KeyShape& shape, const ExpectedState& state, const StoredValues& values)
      : found_format_(shape, state.Range()),
        state_(state),
        is_sparse_(state.IsSparse()),
        values_(values),
        key_(found_format_.Blank()) {}

  OperationCounts Gets(const KeyPlan& keys, bool missing, uint64_t operations) {
    OperationCounts counts;
    Digest digest;
    ForEachIndex(keys, operations, [&](uint64_t index) {
      ++counts.operations;
      const std::optional<ExpectedState::Entry> entry = state_.Find(index);
      if (missing || !entry) {
        ++counts.misses;
        return;
      }
      ++counts.hits;
      counts.bytes += found_format_.SizeOf(index) + entry->value_size;
      digest.Add(ValueOf(index, *entry), index);
    });
    counts.digest = digest.Value();
    return counts;
  }

  OperationCounts Seeks(const KeyPlan& keys, bool missing, uint64_t operations) {
    OperationCounts counts;
    Digest digest;
    const uint64_t range = state_.Range();
    ForEachIndex(keys, operations, [&](uint64_t sought) {
      ++counts.operations;
      const uint64_t from = missing ? found_format_.FirstBehindMissing(sought) : sought;
      const uint64_t index = NextPresent(from, range);
      if (index >= range) {
        ++counts.misses;
        return;
      }
      const ExpectedState::Entry entry = *state_.Find(index);
      if (missing || index != sought) {
        ++counts.misses;
      } else {
        ++counts.hits;
        counts.bytes += found_format_.SizeOf(index) + entry.value_size;
      }
      digest.Add(KeyOf(index), sought);
      digest.Add(ValueOf(index, entry), sought);
    });
    counts.digest = digest.Value();
    return counts;
  }

  // Seeks with their steps. The bound has the same rule as DistanceBound.
  OperationCounts Ranges(const Role& role, const KeyPlan& keys, uint64_t operations) {
    OperationCounts counts;
    Digest digest;
    const uint64_t range = state_.Range();
    const uint64_t limit = found_format_.shape().Limit();
    ForEachIndex(keys, operations, [&](uint64_t sought) {
      ++counts.operations;
      uint64_t least = 0;
      uint64_t end = range;
      if (role.max_distance != 0 && role.backwards) {
        least = sought - std::min(sought, role.max_distance);
      } else if (role.max_distance != 0 && sought + role.max_distance < limit) {
        end = std::min(range, sought + role.max_distance);
      }
      const uint64_t from = role.missing ? found_format_.FirstBehindMissing(sought) : sought;
      uint64_t index = NextPresent(from, range);
      if (index >= end) {
        ++counts.misses;
        return;
      }
      ++(role.missing || index != sought ? counts.misses : counts.hits);
      const auto read = [&](uint64_t place) {
        const ExpectedState::Entry entry = *state_.Find(index);
        counts.bytes += found_format_.SizeOf(index) + entry.value_size;
        digest.Add(KeyOf(index), place);
        digest.Add(ValueOf(index, entry), place);
      };
      uint64_t step = 0;
      for (;; ++step) {
        read(sought + step);
        if (step == role.nexts) break;
        const uint64_t next =
            role.backwards ? LastPresentBefore(index) : NextPresent(index + 1, range);
        if (role.backwards ? next == kNone || next < least : next >= end) break;
        index = next;
      }
      if (role.again) read(sought + step + 1);
    });
    counts.digest = digest.Value();
    return counts;
  }

  // For a scan that begins again at its end: the digests of whole rounds, and of the rest.
  OperationCounts Rounds(bool forwards, uint64_t operations) {
    const OperationCounts round = Scan(forwards, operations);
    if (round.operations == 0 || round.operations == operations) return round;
    // The end of the last round is noticed only when one more entry is asked for.
    const uint64_t whole = (operations - 1) / round.operations;
    OperationCounts counts = Scan(forwards, operations - whole * round.operations);
    counts.operations += whole * round.operations;
    counts.hits += whole * round.hits;
    counts.bytes += whole * round.bytes;
    counts.digest += whole * round.digest;
    return counts;
  }

  OperationCounts Scan(bool forwards, uint64_t most) {
    OperationCounts counts;
    Digest digest;
    const uint64_t range = state_.Range();
    for (uint64_t step = 0; step < range && counts.operations < most; ++step) {
      if (is_sparse_) {
        const uint64_t present =
            forwards ? state_.NextPresent(step) : state_.PresentBefore(range - step);
        if (present == range) break;
        step = forwards ? present : range - 1 - present;
      }
      const uint64_t index = forwards ? step : range - 1 - step;
      const std::optional<ExpectedState::Entry> entry = state_.Find(index);
      if (!entry) continue;
      ++counts.operations;
      ++counts.hits;
      counts.bytes += found_format_.SizeOf(index) + entry->value_size;
      digest.Add(KeyOf(index), counts.hits);
      digest.Add(ValueOf(index, *entry), counts.hits);
    }
    counts.digest = digest.Value();
    return counts;
  }

  uint64_t unknown_versions() const { return unknown_versions_; }
  bool are_bytes_known() const { return are_bytes_known_; }

 private:
  template <class Visit>
  static void ForEachIndex(const KeyPlan& keys, uint64_t operations, Visit visit) {
    KeySequence sequence(keys);
    std::vector<uint64_t> block(4096);
    uint64_t round = 0;
    while (operations > 0) {
      const size_t wanted = static_cast<size_t>(std::min<uint64_t>(block.size(), operations));
      const size_t count = sequence.Fill(std::span(block).first(wanted), &round);
      if (count == 0) return;  // An empty share.
      std::for_each_n(block.begin(), count, visit);
      operations -= count;
    }
  }

  // The first present key at or after `from`, or `range`. Long gaps are remembered. Otherwise seeks
  // on a store whose entries are all erased would walk through the gap once each: 30 s for 200,000
  // keys. With this, no key of a long gap is looked up twice.
  uint64_t NextPresent(uint64_t from, uint64_t range) {
    if (is_sparse_) return state_.NextPresent(from);
    const auto next = gaps_.upper_bound(from);
    if (next != gaps_.begin() && from < std::prev(next)->second) return std::prev(next)->second;
    uint64_t index = from;
    while (index < range && !state_.Find(index)) {
      ++index;
      if (next != gaps_.end() && index == next->first) {
        index = next->second;
        gaps_.erase(next);
        gaps_[from] = index;
        return index;
      }
    }
    if (index - from > kLongGap) gaps_[from] = index;
    return index;
  }

  // The present key before `from`, or kNone; long gaps are remembered as above.
  uint64_t LastPresentBefore(uint64_t from) {
    if (is_sparse_) {
      const uint64_t before = state_.PresentBefore(from);
      return before < state_.Range() ? before : kNone;
    }
    const uint64_t index = FirstOfGapBelow(from);
    return index == 0 ? kNone : index - 1;
  }

  // The lowest index such that nothing from there up to `from` is present.
  uint64_t FirstOfGapBelow(uint64_t from) {
    const auto above = gaps_below_.lower_bound(from);
    if (above != gaps_below_.end() && above->second <= from) return above->second;
    const auto below = above == gaps_below_.begin() ? gaps_below_.end() : std::prev(above);
    uint64_t index = from;
    while (index > 0 && !state_.Find(index - 1)) {
      --index;
      if (below != gaps_below_.end() && index == below->first) {
        index = below->second;
        gaps_below_.erase(below);
        gaps_below_[from] = index;
        return index;
      }
    }
    if (from - index > kLongGap) gaps_below_[from] = index;
    return index;
  }

  lf_bytes KeyOf(uint64_t index) {
    const size_t size = found_format_.FormatOne(index, key_.data());
    return {key_.data(), size};
  }

  lf_bytes ValueOf(uint64_t index, const ExpectedState::Entry& entry) {
    if (entry.version == ExpectedState::kUnknownVersion) {
      ++unknown_versions_;
      if (entry.unknown_size != nullptr) are_bytes_known_ = false;
      return {key_.data(), 0};
    }
    value_.resize(std::max<size_t>(entry.value_size, ValueSource::kHeaderBytes));
    values_.Write(index, entry.version, entry.value_size, value_.data());
    return {value_.data(), entry.value_size};
  }

  KeyFormat found_format_;  // The format of what the store holds, whatever is sought in it.
  const ExpectedState& state_;
  bool is_sparse_;
  const StoredValues& values_;
  std::string key_;
  std::vector<char> value_;
  uint64_t unknown_versions_ = 0;
  bool are_bytes_known_ = true;
  static constexpr uint64_t kNone = ~uint64_t{0};
  static constexpr uint64_t kLongGap = 64;
  std::map<uint64_t, uint64_t> gaps_;        // From the first absent key to the next present one.
  std::map<uint64_t, uint64_t> gaps_below_;  // From the key after a gap to its first absent one.
};

}  // namespace

Replayed Replay(const Role& role, const KeyPlan& keys, const KeyFormat& format, uint64_t operations,
                const ExpectedState& state, const StoredValues& values) {
  Replayer replayer(format.shape(), state, values);
  const OperationCounts counts = [&] {
    if (role.operation->is_scan()) {
      const bool forwards = !role.operation->goes_backwards;
      return role.restarts ? replayer.Rounds(forwards, operations)
                           : replayer.Scan(forwards, operations);
    }
    if (!role.operation->seeks()) {
      return replayer.Gets(keys, role.asks_for_absent_keys(), operations);
    }
    return role.reads_ranges() ? replayer.Ranges(role, keys, operations)
                               : replayer.Seeks(keys, role.missing, operations);
  }();
  return {counts, replayer.unknown_versions(), replayer.are_bytes_known()};
}

}  // namespace levelfield
