// A series of times and ids. The entry put at time t belongs to id IdAt(t), and its key's number is
// the id with the time in the low bits. A round has as many times as there are ids, and each id
// comes once in it, at a random place. So both "whose is time t?" and "which are the times of id
// i?" have answers without a list, and a scan of an id can be checked entry by entry. RocksDB's
// timeseries draws an id for each time, with replacement.
#ifndef LEVELFIELD_WORKLOAD_TIMESERIES_H_
#define LEVELFIELD_WORKLOAD_TIMESERIES_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/random.h"
#include "workload/key_history.h"
#include "workload/permutation.h"

namespace levelfield {

struct SeriesPlan {
  uint64_t ids = 1;
  int time_bits = 0;        // Low bits of a key's number.
  uint64_t time_range = 0;  // Entries that are older have expired.
  bool expires = false;     // A role erases expired entries.
  uint64_t seed = 0;

  static int BitsFor(uint64_t times) {
    return times > 1 ? static_cast<int>(std::bit_width(times - 1)) : 0;
  }
  uint64_t range() const { return ids << time_bits; }

  uint64_t IndexOf(uint64_t id, uint64_t time) const { return id << time_bits | time; }
  uint64_t IdOf(uint64_t index) const { return index >> time_bits; }
  uint64_t TimeOf(uint64_t index) const { return index & ((uint64_t{1} << time_bits) - 1); }

  Permutation Round(uint64_t round) const { return Permutation(ids, Mix64(seed + round)); }
  uint64_t IdAt(uint64_t time) const { return Round(time / ids).At(time % ids); }
  // The time of the id in that round.
  uint64_t TimeIn(uint64_t round, uint64_t id) const {
    return round * ids + Round(round).PositionOf(id);
  }
  // The round of the id's first entry at that time or later.
  uint64_t RoundFrom(uint64_t time, uint64_t id) const {
    const uint64_t round = time / ids;
    return TimeIn(round, id) >= time ? round : round + 1;
  }
  // Entries from before this time have expired.
  uint64_t ExpiredBefore(uint64_t now) const { return now > time_range ? now - time_range : 0; }
  bool operator==(const SeriesPlan&) const = default;
};

class SeriesHistory final : public KeyHistory {
 public:
  // `erased_before`: by id, the time before which its entries were erased; empty: none were.
  SeriesHistory(const SeriesPlan& plan, uint64_t times, std::vector<uint64_t> erased_before,
                uint32_t version, uint64_t value_size)
      : plan_(plan),
        times_(times),
        erased_before_(std::move(erased_before)),
        version_(version),
        value_size_(value_size) {}

  uint64_t range() const override { return plan_.range(); }
  std::optional<Last> LastOf(uint64_t index) const override {
    const uint64_t time = plan_.TimeOf(index);
    const uint64_t id = plan_.IdOf(index);
    if (time >= times_ || id >= plan_.ids || plan_.IdAt(time) != id) return std::nullopt;
    const bool is_erased = !erased_before_.empty() && time < erased_before_[id];
    return Last{is_erased, version_, value_size_};
  }
  uint64_t versions() const override { return 1; }
  uint64_t smallest_value() const override { return value_size_; }

  bool is_sparse() const override { return true; }
  uint64_t keys() const override { return times_; }
  uint64_t KeyAt(uint64_t n) const override { return plan_.IndexOf(plan_.IdAt(n), n); }
  uint64_t NextTouched(uint64_t from) const override {
    uint64_t time = plan_.TimeOf(from);
    for (uint64_t id = plan_.IdOf(from); id < plan_.ids; ++id, time = 0) {
      if (time >= times_) continue;
      const uint64_t next = plan_.TimeIn(plan_.RoundFrom(time, id), id);
      if (next < times_) return plan_.IndexOf(id, next);
    }
    return range();
  }
  // Walks down the rounds to find those below an entry.
  uint64_t TouchedBefore(uint64_t end) const override {
    if (end == 0 || times_ == 0) return range();
    uint64_t time = plan_.TimeOf(end - 1);
    for (uint64_t id = plan_.IdOf(end - 1) + 1; id-- > 0; time = ~uint64_t{0}) {
      const uint64_t last = std::min(time, times_ - 1);
      uint64_t round = last / plan_.ids;
      if (plan_.TimeIn(round, id) > last) {
        if (round == 0) continue;
        --round;
      }
      return plan_.IndexOf(id, plan_.TimeIn(round, id));
    }
    return range();
  }

 private:
  SeriesPlan plan_;
  uint64_t times_;
  std::vector<uint64_t> erased_before_;
  uint32_t version_;
  uint64_t value_size_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TIMESERIES_H_
