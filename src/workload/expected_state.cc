#include "workload/expected_state.h"

#include <algorithm>
#include <array>
#include <limits>

namespace levelfield {
namespace {

bool IsRemembered(const WriteLayer& layer) {
  return IsDrawn(layer.order.order) || layer.repeats || layer.windows.has_value();
}

}  // namespace

void ExpectedState::Add(WriteLayer layer) {
  if (layer.history) {
    next_version_ += static_cast<uint32_t>(layer.history->versions());
    layer.order.range = layer.history->range();
    layers_.push_back({std::move(layer), Shuffle(1, 0), {}});
    return;
  }
  if (IsRemembered(layer)) return AddRemembered(std::move(layer));
  uint64_t rounds = 1;
  uint64_t covered = 0;
  for (const WriteLayer::Share& share : layer.shares) {
    const uint64_t size = share.end_position - share.first_position;
    if (size == 0) continue;
    rounds = std::max(rounds, (share.operations + size - 1) / size);
    if (share.operations >= size) covered += size;
  }
  next_version_ += static_cast<uint32_t>(rounds);
  // A layer that wrote its whole range hides everything below it, unless it extended the old
  // values.
  if (covered == layer.order.range && layer.length == LengthRule::kOwn) {
    std::erase_if(layers_,
                  [&](const Layer& old) { return old.write.order.range <= layer.order.range; });
  }
  Shuffle permutation(layer.order.range, layer.order.order_seed, layer.order.window,
                      layer.order.prefixes);
  layers_.push_back({std::move(layer), permutation, {}});
}

// Notes what one thread of the layer wrote, write by write.
void ExpectedState::Record(const WriteLayer& layer, const WriteLayer::Share& share,
                           LastWrites& last_writes) {
  KeyPlan plan = layer.order;
  plan.first_position = share.first_position;
  plan.end_position = share.end_position;
  plan.draw_seed = share.draw_seed;
  KeySequence sequence(plan);
  std::array<uint64_t, 1024> block;
  uint64_t done = 0;
  while (done < share.operations) {
    const uint64_t wanted = std::min<uint64_t>(block.size(), share.operations - done);
    uint64_t round = 0;
    const size_t count = sequence.Fill(std::span(block).first(wanted), &round);
    if (count == 0) return;  // An empty share.
    for (size_t i = 0; i < count; ++i) {
      uint32_t& last = last_writes[block[i]];
      const uint64_t number = IsDrawn(plan.order) ? done + i : round;
      last = layer.erases    ? kErased
             : layer.windows ? layer.windows->VersionOf(done + i)
                             : layer.first_version + static_cast<uint32_t>(number);
      // After four thousand million writes, versions reach numbers that have another meaning here.
      if (!layer.erases && (last == kUntouched || last == kErased)) last = kContested;
    }
    done += count;
  }
}

void ExpectedState::AddRemembered(WriteLayer layer) {
  uint64_t most = 1;
  for (const WriteLayer::Share& share : layer.shares) most = std::max(most, share.operations);
  next_version_ += static_cast<uint32_t>(most);

  const uint64_t range = layer.order.range;
  const bool fits_the_newest =
      !layers_.empty() && layers_.back().last_writes.size() >= range &&
      (layer.erases || layers_.back().write.value_size == layer.value_size);
  if (!fits_the_newest) {
    WriteLayer head = layer;
    head.shares.clear();
    layers_.push_back({std::move(head), Shuffle(range, 0), LastWrites(range, kUntouched)});
  }
  LastWrites& newest = layers_.back().last_writes;
  if (layer.shares.size() == 1) return Record(layer, layer.shares.front(), newest);

  LastWrites of_layer(range, kUntouched);
  LastWrites of_thread;
  for (const WriteLayer::Share& share : layer.shares) {
    of_thread.assign(range, kUntouched);
    Record(layer, share, of_thread);
    for (uint64_t i = 0; i < range; ++i) {
      if (of_thread[i] == kUntouched) continue;
      of_layer[i] =
          of_layer[i] == kUntouched || of_layer[i] == of_thread[i] ? of_thread[i] : kContested;
    }
  }
  for (uint64_t i = 0; i < range; ++i) {
    if (of_layer[i] != kUntouched) newest[i] = of_layer[i];
  }
}

ExpectedState::Entry ExpectedState::EntryOf(const WriteLayer& write, uint64_t index,
                                            uint32_t version) {
  if (version == kUnknownVersion && write.value_size.vary()) return {version, 0, &write.value_size};
  return {version, write.value_size.Of(index, version)};
}

std::optional<ExpectedState::Touch> ExpectedState::TouchOf(uint64_t index, size_t layer) const {
  const WriteLayer& write = layers_[layer].write;
  if (const LastWrites& last_writes = layers_[layer].last_writes; !last_writes.empty()) {
    if (index >= last_writes.size() || last_writes[index] == kUntouched) return std::nullopt;
    const uint32_t last = last_writes[index];
    const uint32_t version = last == kContested ? kUnknownVersion : last;
    return Touch{.erases = last == kErased, .entry = EntryOf(write, index, version)};
  }
  if (index >= write.order.range) return std::nullopt;
  if (write.history) {
    const std::optional<KeyHistory::Last> last = write.history->LastOf(index);
    if (!last) return std::nullopt;
    return Touch{.erases = last->erases,
                 .entry = {last->version, last->value_size, last->unknown_size}};
  }
  const uint64_t position = write.order.order == KeyOrder::kShuffled
                                ? layers_[layer].permutation.PositionOf(index)
                                : index;
  for (const WriteLayer::Share& share : write.shares) {
    if (position < share.first_position || position >= share.end_position) continue;
    const uint64_t offset = position - share.first_position;
    if (offset >= share.operations) continue;
    const uint64_t round =
        (share.operations - 1 - offset) / (share.end_position - share.first_position);
    const uint32_t version = write.first_version + static_cast<uint32_t>(round);
    Entry entry = EntryOf(write, index, version);
    if (write.length != LengthRule::kOwn) {
      entry.value_size =
          LengthAfter(write.length, OldLength(index, layer), entry.value_size, round + 1);
    }
    return Touch{.erases = write.erases, .entry = entry};
  }
  return std::nullopt;
}

std::optional<uint64_t> ExpectedState::OldLength(uint64_t index, size_t layer) const {
  const std::optional<Touch> old = Newest(index, layer);
  if (!old && !is_complete_) return kUnknownLength;
  if (!old || old->erases) return std::nullopt;
  return old->entry.unknown_size != nullptr ? kUnknownLength : old->entry.value_size;
}

std::optional<ExpectedState::Touch> ExpectedState::Newest(uint64_t index, size_t layers) const {
  while (layers > 0) {
    if (const std::optional<Touch> touch = TouchOf(index, --layers)) return touch;
  }
  return std::nullopt;
}

std::optional<ExpectedState::Entry> ExpectedState::Find(uint64_t index) const {
  const std::optional<Touch> touch = Newest(index, layers_.size());
  if (!touch || touch->erases) return std::nullopt;
  return touch->entry;
}

uint64_t ExpectedState::SmallestValue() const {
  uint64_t smallest = std::numeric_limits<uint64_t>::max();
  for (const Layer& layer : layers_) {
    if (layer.write.erases) continue;
    smallest = std::min(smallest, layer.write.history ? layer.write.history->smallest_value()
                                                      : layer.write.value_size.least());
  }
  return smallest;
}

bool ExpectedState::IsSparse() const {
  return std::ranges::any_of(layers_, [](const Layer& layer) {
    return layer.write.history && layer.write.history->is_sparse();
  });
}

uint64_t ExpectedState::NextPresent(uint64_t from) const {
  const uint64_t range = Range();
  for (uint64_t index = from; index < range; ++index) {
    uint64_t next = range;
    for (const Layer& layer : layers_) {
      if (index >= layer.write.order.range) continue;
      const uint64_t touched =
          layer.write.history ? layer.write.history->NextTouched(index) : index;
      if (touched < layer.write.order.range) next = std::min(next, touched);
    }
    index = next;
    if (index < range && Find(index)) return index;
  }
  return range;
}

bool ExpectedState::IsOneOrder() const {
  return layers_.size() == 1 && is_complete_ && !layers_[0].write.history &&
         layers_[0].last_writes.empty() && !layers_[0].write.erases;
}

uint64_t ExpectedState::PresentCount() const {
  const uint64_t range = Range();
  uint64_t count = 0;
  if (IsOneOrder()) {
    for (const WriteLayer::Share& share : layers_[0].write.shares) {
      count += std::min(share.operations, share.end_position - share.first_position);
    }
    return count;
  }
  for (uint64_t at = NextPresent(0); at < range; at = NextPresent(at + 1)) ++count;
  return count;
}

uint64_t ExpectedState::PresentBefore(uint64_t end) const {
  const uint64_t range = Range();
  for (uint64_t below = std::min(end, range); below > 0;) {
    uint64_t last = range;
    for (const Layer& layer : layers_) {
      const uint64_t within = std::min(below, layer.write.order.range);
      if (within == 0) continue;
      const uint64_t touched =
          layer.write.history ? layer.write.history->TouchedBefore(within) : within - 1;
      if (touched < within && (last == range || touched > last)) last = touched;
    }
    if (last == range) return range;
    if (Find(last)) return last;
    below = last;
  }
  return range;
}

uint64_t ExpectedState::Candidates() const {
  if (!IsSparse()) return Range();
  uint64_t keys = 0;
  for (const Layer& layer : layers_) {
    keys += layer.write.history ? layer.write.history->keys() : layer.write.order.range;
  }
  return keys;
}

uint64_t ExpectedState::Candidate(uint64_t n) const {
  if (!IsSparse()) return n;
  for (const Layer& layer : layers_) {
    const KeyHistory* const history = layer.write.history.get();
    const uint64_t keys = history != nullptr ? history->keys() : layer.write.order.range;
    if (n < keys) return history != nullptr ? history->KeyAt(n) : n;
    n -= keys;
  }
  return 0;
}

uint64_t ExpectedState::Range() const {
  uint64_t range = 0;
  for (const Layer& layer : layers_) range = std::max(range, layer.write.order.range);
  return range;
}

}  // namespace levelfield
