// Cycles of entries that stay and entries that are erased again. A batch of disposable entries is
// put. After a while a batch of persistent ones is put, and then the disposable batch is erased,
// entry by entry, while further disposable ones are put until the next batch is due. RocksDB's
// fillanddeleteuniquerandom. Every key is put once, in a shuffled order. The clock decides when a
// batch is due, but three counts decide what the store holds afterwards.
#ifndef LEVELFIELD_WORKLOAD_DISPOSAL_H_
#define LEVELFIELD_WORKLOAD_DISPOSAL_H_

#include <algorithm>
#include <cstdint>

#include "workload/key_history.h"
#include "workload/permutation.h"

namespace levelfield {

struct DisposalPlan {
  uint64_t disposable_batch = 0;  // 0: nothing is erased.
  uint64_t persistent_batch = 0;
  uint64_t disposable_value_size = 0;
  uint64_t persistent_value_size = 0;
  uint64_t delay_us = 0;

  // Positions in a cycle: its disposable entries, then its persistent ones.
  uint64_t cycle() const { return std::max<uint64_t>(disposable_batch + persistent_batch, 1); }
  uint64_t PositionOfDisposable(uint64_t n) const {
    return n / disposable_batch * cycle() + n % disposable_batch;
  }
  uint64_t PositionOfPersistent(uint64_t n) const {
    if (disposable_batch == 0) return n;
    return n / persistent_batch * cycle() + disposable_batch + n % persistent_batch;
  }
  // The positions that so many operations can reach, whenever batches are due.
  uint64_t PositionsFor(uint64_t operations) const {
    if (disposable_batch == 0) return std::max<uint64_t>(operations, 1);
    return (operations / disposable_batch + 1) * cycle();
  }
  bool operator==(const DisposalPlan&) const = default;
};

// How many entries of each kind there have been.
struct DisposalCounts {
  uint64_t disposable = 0;
  uint64_t persistent = 0;
  uint64_t erased = 0;  // The first so many disposable ones.
};

class DisposalHistory final : public KeyHistory {
 public:
  DisposalHistory(const DisposalPlan& plan, const DisposalCounts& counts, uint64_t range,
                  uint64_t order_seed, uint32_t version)
      : plan_(plan), counts_(counts), permutation_(range, order_seed), version_(version) {}

  uint64_t range() const override { return permutation_.size(); }
  std::optional<Last> LastOf(uint64_t index) const override {
    const uint64_t position = permutation_.PositionOf(index);
    const uint64_t cycle = position / plan_.cycle();
    const uint64_t place = position % plan_.cycle();
    if (plan_.disposable_batch == 0 || place >= plan_.disposable_batch) {
      const uint64_t n = plan_.disposable_batch == 0
                             ? position
                             : cycle * plan_.persistent_batch + place - plan_.disposable_batch;
      if (n >= counts_.persistent) return std::nullopt;
      return Last{false, version_, plan_.persistent_value_size};
    }
    const uint64_t n = cycle * plan_.disposable_batch + place;
    if (n >= counts_.disposable) return std::nullopt;
    if (n < counts_.erased) return Last{true, 0, 0};
    return Last{false, version_, plan_.disposable_value_size};
  }
  uint64_t versions() const override { return 1; }
  uint64_t smallest_value() const override {
    return std::min(plan_.disposable_value_size, plan_.persistent_value_size);
  }

 private:
  DisposalPlan plan_;
  DisposalCounts counts_;
  Permutation permutation_;
  uint32_t version_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_DISPOSAL_H_
