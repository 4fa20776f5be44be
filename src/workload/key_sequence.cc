#include "workload/key_sequence.h"

#include <algorithm>
#include <numeric>

namespace levelfield {
namespace {

constexpr uint64_t kForwardSteps = 100;  // As in LevelDB's seekordered.

}  // namespace

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
  if (plan_.order == KeyOrder::kForward) {
    for (uint64_t& index : out) {
      position_ = (position_ + draws_.Below(kForwardSteps)) % plan_.range;
      index = position_;
    }
    return out.size();
  }
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

}  // namespace levelfield
