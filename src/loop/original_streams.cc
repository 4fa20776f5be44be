#include "loop/original_streams.h"

#include <algorithm>
#include <random>

namespace levelfield {

OriginalStreams::OriginalStreams(std::string_view dialect)
    : seeding_(dialect == "leveldb"                          ? Seeding::kCounted
               : dialect == "sqlite3" || dialect == "treedb" ? Seeding::kOneGenerator
                                                             : Seeding::kCarriedOver) {}

uint64_t OriginalStreams::KeySeed(size_t thread) const {
  switch (seeding_) {
    case Seeding::kCounted:
      return 1000 + threads_ + thread + 1;
    case Seeding::kOneGenerator:
      return generator_.state();
    case Seeding::kCarriedOver:
      return thread < carried_.size() ? carried_[thread] : 1000 + thread;
  }
  return 0;
}

void OriginalStreams::EndedPhase(std::span<const uint64_t> draws) {
  threads_ += draws.size();
  for (size_t thread = 0; thread < draws.size(); ++thread) {
    generator_.Skip(draws[thread]);
    if (seeding_ != Seeding::kCarriedOver) continue;
    // The original draws once more, for the seed of the next benchmark, and keeps 32 bits of it.
    std::mt19937_64 generator(KeySeed(thread));
    generator.discard(draws[thread]);
    const auto seed = static_cast<uint32_t>(generator());
    if (thread < carried_.size()) {
      carried_[thread] = seed;
    } else {
      carried_.push_back(seed);
    }
  }
}

void OriginalStreams::Wrote(const WindowSeries& series, uint64_t values) {
  // The others build their generator of values anew for each benchmark.
  if (seeding_ == Seeding::kOneGenerator) first_window_ = series.OffsetBehind(values);
}

void OriginalStreams::EndedWithoutKeys(std::string_view benchmark, uint64_t threads) {
  constexpr std::string_view kPrintOnly[] = {"stats", "sstables", "heapprofile"};
  if (std::ranges::find(kPrintOnly, benchmark) == std::end(kPrintOnly)) threads_ += threads;
}

}  // namespace levelfield
