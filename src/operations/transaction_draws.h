// What a thread's transactions do, one after another: a drawn key of each of several sets, in a
// drawn order, and by how much the counters there are to grow, from 1 to 100 as in RocksDB's
// db_bench. The thread that runs them and the one that finds out afterwards what must have come of
// them have the same, from the same seed. The keys of set s have the indexes from s * range on.
#ifndef LEVELFIELD_OPERATIONS_TRANSACTION_DRAWS_H_
#define LEVELFIELD_OPERATIONS_TRANSACTION_DRAWS_H_

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"

namespace levelfield {

class TransactionDraws {
 public:
  TransactionDraws(uint64_t seed, uint64_t range, uint64_t sets)
      : random_(seed), range_(range), sets_(sets), keys_(sets) {
    std::iota(sets_.begin(), sets_.end(), uint64_t{0});
  }

  // On to the next transaction. The order of the sets is another one each time, so that two
  // transactions may each wait for what the other has locked.
  void Next() {
    increment_ = static_cast<uint32_t>(1 + random_.Below(100));
    for (size_t i = sets_.size(); i > 1; --i) std::swap(sets_[i - 1], sets_[random_.Below(i)]);
    for (size_t i = 0; i < sets_.size(); ++i) {
      keys_[i] = sets_[i] * range_ + random_.Below(range_);
    }
  }

  std::span<const uint64_t> keys() const { return keys_; }
  uint32_t increment() const { return increment_; }

 private:
  Random random_;
  uint64_t range_;
  std::vector<uint64_t> sets_;
  std::vector<uint64_t> keys_;
  uint32_t increment_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_TRANSACTION_DRAWS_H_
