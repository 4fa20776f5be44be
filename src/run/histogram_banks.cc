#include "run/histogram_banks.h"

#include <utility>

namespace levelfield {

void HistogramBanks::Begin(std::span<Histogram> recorded) {
  recorded_ = recorded;
  full_.assign(recorded.size(), Histogram());
}

void HistogramBanks::Rotate() {
  for (size_t i = 0; i < recorded_.size(); ++i) std::swap(recorded_[i], full_[i]);
  rotations_.fetch_add(1, std::memory_order_release);
}

std::vector<SparseHistogram> HistogramBanks::Take() {
  std::vector<SparseHistogram> taken;
  for (Histogram& full : full_) {
    taken.emplace_back(full);
    full.Clear();
  }
  return taken;
}

}  // namespace levelfield
