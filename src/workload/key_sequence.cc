#include "workload/key_sequence.h"

#include <algorithm>

namespace levelfield {

size_t KeySequence::Fill(std::span<uint64_t> out, uint64_t* round) {
  *round = round_;
  if (plan_.order == KeyOrder::kNone) {
    std::fill(out.begin(), out.end(), 0);
    return out.size();
  }
  if (plan_.order == KeyOrder::kUniform) {
    Random draws = draws_;  // In registers for the length of the block.
    for (uint64_t& index : out) index = draws.Below(plan_.range);
    draws_ = draws;
    return out.size();
  }
  const size_t count = std::min<uint64_t>(out.size(), plan_.end_position - position_);
  for (size_t i = 0; i < count; ++i) {
    const uint64_t position = position_ + i;
    out[i] = plan_.order == KeyOrder::kShuffled ? permutation_.At(position) : position;
  }
  position_ += count;
  if (position_ == plan_.end_position) {
    position_ = plan_.first_position;
    ++round_;
  }
  return count;
}

}  // namespace levelfield
