#include "workload/key_sequence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace levelfield {

void KeySequence::Skip(uint64_t indexes) {
  if (plan_.order == KeyOrder::kNone) return;
  if (!IsDrawn(plan_.order)) {
    if (plan_.share() == 0) return;
    position_ = plan_.first_position + indexes % plan_.share();
    round_ = indexes / plan_.share();
    return;
  }
  std::array<uint64_t, 1024> unused;
  while (indexes != 0) {
    uint64_t round = 0;
    indexes -= Fill(std::span(unused).first(std::min<uint64_t>(unused.size(), indexes)), &round);
  }
}

size_t KeySequence::Fill(std::span<uint64_t> out, uint64_t* round) {
  *round = round_;
  if (plan_.order == KeyOrder::kNone) {
    std::fill(out.begin(), out.end(), 0);
    return out.size();
  }
  if (plan_.order == KeyOrder::kUniform) {
    if (plan_.source != DrawSource::kOwn || plan_.prefixes != 0) return FillDrawn(out);
    Random draws = draws_;  // In registers for the whole block.
    for (uint64_t& index : out) index = draws.Below(plan_.range);
    draws_ = draws;
    return out.size();
  }
  if (IsDrawn(plan_.order)) return FillDrawn(out);
  const size_t count = std::min<uint64_t>(out.size(), plan_.end_position - position_);
  if (plan_.order == KeyOrder::kShuffled) {
    permutation_.AtRange(position_, out.first(count));
  } else {
    std::iota(out.begin(), out.begin() + static_cast<ptrdiff_t>(count), position_);
  }
  position_ += count;
  if (position_ == plan_.end_position) {
    position_ = plan_.first_position;
    ++round_;
  }
  return count;
}

template <class Next>
void KeySequence::Draw(std::span<uint64_t> out, Next next) {
  if (plan_.order == KeyOrder::kUniform) {
    for (uint64_t& index : out) index = next(plan_.range);
    return;
  }
  constexpr uint64_t kLongestStep = 100;  // Exclusive, as in LevelDB's seekordered.
  for (uint64_t& index : out) {
    position_ = (position_ + next(kLongestStep)) % plan_.range;
    index = position_;
  }
}

size_t KeySequence::FillDrawn(std::span<uint64_t> out) {
  if (plan_.order == KeyOrder::kRuns) return FillRuns(out);
  if (plan_.order == KeyOrder::kSkewed) return FillSkewed(out);
  if (plan_.prefixes != 0) {
    for (uint64_t& index : out) index = draws_.Below(plan_.prefixes);
    DrawInPrefixes(out);
    return out.size();
  }
  if (plan_.order == KeyOrder::kExponential) {
    constexpr unsigned __int128 kPrime = 0x5bd1e995;  // As in RocksDB's db_bench.
    const auto range = static_cast<double>(plan_.range);
    for (uint64_t& index : out) {
      const double u = UnitOf(draws_.Next());
      const auto near = static_cast<uint64_t>(std::exp(-u * plan_.skew) * range);
      index = static_cast<uint64_t>(near * kPrime % plan_.range);
    }
    return out.size();
  }
  if (auto* const park_miller = std::get_if<ParkMiller>(&original_)) {
    Draw(out, [&](uint64_t bound) { return park_miller->Next() % bound; });
  } else if (auto* const mersenne = std::get_if<std::mt19937_64>(&original_)) {
    Draw(out, [&](uint64_t bound) { return (*mersenne)() % bound; });
  } else {
    Draw(out, [&](uint64_t bound) { return draws_.Below(bound); });
  }
  return out.size();
}

size_t KeySequence::FillSkewed(std::span<uint64_t> out) {
  distribution_->Fill(out, draws_);
  if (plan_.scattered) {
    const Permutation& places = permutation_.whole();
    for (uint64_t& index : out) index = places.At(index);
  }
  if (plan_.prefixes != 0) DrawInPrefixes(out);
  return out.size();
}

void KeySequence::DrawInPrefixes(std::span<uint64_t> prefixes) {
  const uint64_t of_prefix = plan_.range / plan_.prefixes;
  for (uint64_t& index : prefixes) {
    index = index * of_prefix + (plan_.draws_begins ? 0 : of_prefix_.Below(of_prefix));
  }
}

size_t KeySequence::FillRuns(std::span<uint64_t> out) {
  for (uint64_t& index : out) {
    if (left_in_run_ == 0) {
      left_in_run_ = plan_.run_keys;
      // As in RocksDB's db_bench: a run that would end after the last key begins earlier.
      const uint64_t length = plan_.run_keys * plan_.run_stride;
      const uint64_t last_start = plan_.range - length;
      position_ = draws_.Below(plan_.range);
      if (position_ + length - plan_.run_stride >= plan_.range) position_ = last_start;
    }
    index = position_;
    position_ += plan_.run_stride;
    --left_in_run_;
  }
  return out.size();
}

}  // namespace levelfield
