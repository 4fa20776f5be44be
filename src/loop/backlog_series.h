// How far a thread of an open loop is behind its schedule, looked at in equal intervals: at the end
// of each, how long the oldest operation that was due and is not done has been waiting. Private to
// its thread, so that nobody else's cache line is written for it.
//
// It starts with short intervals and doubles them whenever it has too many, so that a run of 10 ms
// and one of an hour both have some hundred.
#ifndef LEVELFIELD_LOOP_BACKLOG_SERIES_H_
#define LEVELFIELD_LOOP_BACKLOG_SERIES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace levelfield {

class BacklogSeries {
 public:
  static constexpr size_t kMost = 512;
  static constexpr size_t kParts = 8;  // That are judged.

  // Both in the clock's ticks; its intervals lie behind `begin`.
  BacklogSeries(uint64_t begin, uint64_t interval)
      : interval_(interval != 0 ? interval : 1), next_(begin + interval_) {
    waiting_.reserve(kMost);
  }

  // The thread's next operation was due at `due` and done at `end`; ends never go back.
  void Done(uint64_t due, uint64_t end) {
    while (end >= next_) [[unlikely]] {
        Close(next_ > due ? next_ - due : 0);
      }
  }

  // The means of so many equal parts of the run, in ticks; none where it was over too soon.
  std::vector<uint64_t> Parts() const {
    std::vector<uint64_t> parts;
    if (waiting_.size() < kParts) return parts;
    for (size_t part = 0; part < kParts; ++part) {
      const size_t begin = waiting_.size() * part / kParts;
      const size_t end = waiting_.size() * (part + 1) / kParts;
      unsigned __int128 sum = 0;
      for (size_t i = begin; i < end; ++i) sum += waiting_[i];
      parts.push_back(static_cast<uint64_t>(sum / (end - begin)));
    }
    return parts;
  }

  uint64_t PartTicks() const { return interval_ * waiting_.size() / kParts; }

 private:
  void Close(uint64_t waiting) {
    if (waiting_.size() == kMost) {
      for (size_t i = 0; i < kMost / 2; ++i) waiting_[i] = waiting_[2 * i + 1];
      waiting_.resize(kMost / 2);
      interval_ *= 2;
      // The interval that has begun is the first half of a longer one.
      next_ += interval_ / 2;
      return;
    }
    waiting_.push_back(waiting);
    next_ += interval_;
  }

  uint64_t interval_;
  uint64_t next_;  // The end of the interval that is open.
  std::vector<uint64_t> waiting_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_BACKLOG_SERIES_H_
