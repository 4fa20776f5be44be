#include "loop/histogram_banks.h"

#include <utility>

namespace levelfield {

void HistogramBanks::Begin(std::span<Histogram> latency_ns, std::span<Histogram> response_ns) {
  banks_.resize(2);
  banks_[0].Begin(latency_ns);
  banks_[1].Begin(response_ns);
}

void HistogramBanks::Rotate() {
  for (Bank& bank : banks_) bank.Rotate();
  rotations_.fetch_add(1, std::memory_order_release);
}

HistogramBanks::Taken HistogramBanks::Take() {
  return {.latency_ns = banks_[0].Take(), .response_ns = banks_[1].Take()};
}

void HistogramBanks::Bank::Begin(std::span<Histogram> histograms) {
  recorded = histograms;
  full.assign(histograms.size(), Histogram());
}

void HistogramBanks::Bank::Rotate() {
  for (size_t i = 0; i < recorded.size(); ++i) std::swap(recorded[i], full[i]);
}

std::vector<SparseHistogram> HistogramBanks::Bank::Take() {
  std::vector<SparseHistogram> taken;
  for (Histogram& histogram : full) {
    taken.emplace_back(histogram);
    histogram.Clear();
  }
  return taken;
}

}  // namespace levelfield
