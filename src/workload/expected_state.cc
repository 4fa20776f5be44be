#include "workload/expected_state.h"

#include <algorithm>

namespace levelfield {

void ExpectedState::Add(WriteLayer layer) {
  uint64_t rounds = 1;
  uint64_t covered = 0;
  for (const WriteLayer::Share& share : layer.shares) {
    const uint64_t size = share.end_position - share.first_position;
    if (size == 0) continue;
    rounds = std::max(rounds, (share.operations + size - 1) / size);
    if (share.operations >= size) covered += size;
  }
  next_version_ += static_cast<uint32_t>(rounds);
  // A layer that wrote its whole range hides everything below it.
  if (covered == layer.order.range) {
    std::erase_if(layers_,
                  [&](const Layer& old) { return old.write.order.range <= layer.order.range; });
  }
  Permutation permutation(layer.order.range, layer.order.order_seed);
  layers_.push_back({std::move(layer), permutation});
}

std::optional<ExpectedState::Touch> ExpectedState::Newest(uint64_t index) const {
  for (auto it = layers_.rbegin(); it != layers_.rend(); ++it) {
    const WriteLayer& write = it->write;
    if (index >= write.order.range) continue;
    const uint64_t position =
        write.order.order == KeyOrder::kShuffled ? it->permutation.PositionOf(index) : index;
    for (const WriteLayer::Share& share : write.shares) {
      if (position < share.first_position || position >= share.end_position) continue;
      const uint64_t offset = position - share.first_position;
      if (offset >= share.operations) continue;
      const uint64_t round =
          (share.operations - 1 - offset) / (share.end_position - share.first_position);
      return Touch{&write, static_cast<uint32_t>(round)};
    }
  }
  return std::nullopt;
}

std::optional<ExpectedState::Entry> ExpectedState::Find(uint64_t index) const {
  const std::optional<Touch> touch = Newest(index);
  if (!touch || touch->write->erases) return std::nullopt;
  return Entry{touch->write->first_version + touch->round, touch->write->value_size};
}

uint64_t ExpectedState::Range() const {
  uint64_t range = 0;
  for (const Layer& layer : layers_) range = std::max(range, layer.write.order.range);
  return range;
}

}  // namespace levelfield
