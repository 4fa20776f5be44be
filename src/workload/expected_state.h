// What the store must hold. A writing phase is a *layer*, of one of two kinds:
//   - Where every key has one writer and its order is a bijection, the layer is that order and how
//     far each thread got in it. "Which version does key k have?" is a look-up of k's position, so
//     it costs no memory however many keys there are.
//   - Where keys are drawn with replacement, or several threads write the same keys, or the version
//     is the place of a value in a series, the key sequences are replayed once and the last write
//     of each key is remembered: 4 bytes for each key of the range, 8 more while a layer of several
//     threads is being recorded. Layers of one value size share their memory.
// Reads ask the newest layer first. A layer that extended the values below it knows by how much
// each grew, and asks the layers below for the rest.
#ifndef LEVELFIELD_WORKLOAD_EXPECTED_STATE_H_
#define LEVELFIELD_WORKLOAD_EXPECTED_STATE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "workload/key_history.h"
#include "workload/key_sequence.h"
#include "workload/original_values.h"
#include "workload/value_sizes.h"

namespace levelfield {

// One role of one phase that wrote or erased.
struct WriteLayer {
  struct Share {  // One thread's.
    uint64_t first_position = 0;
    uint64_t end_position = 0;
    uint64_t operations = 0;  // Acknowledged; more than the share means further rounds through it.
    uint64_t draw_seed = 0;   // For drawn keys.
  };
  bool erases = false;
  KeyPlan order;  // The plan of any of its threads; shares differ in their positions and seeds.
  std::vector<Share> shares;
  // The version of the first round, or of a thread's first drawn write. Each further one counts up.
  uint32_t first_version = 1;
  ValueSizes value_size = 0;
  LengthRule length = LengthRule::kOwn;  // For layers that are their order.
  bool repeats = false;                  // Several threads wrote the same keys.
  // Replaces all of the above: the history answers by itself, key by key.
  std::shared_ptr<const KeyHistory> history = nullptr;
  std::optional<WindowSeries> windows = std::nullopt;  // Each thread wrote such a series of values.
};

class ExpectedState {
 public:
  // Several threads wrote the entry with different versions: which came last is not known.
  static constexpr uint32_t kUnknownVersion = 0;
  // A remembered layer has at most this many keys: 8 GiB.
  static constexpr uint64_t kMostRemembered = 2'147'483'647;

  struct Entry {
    uint32_t version = 0;
    uint64_t value_size = 0;
    // Set where the size depends on an unknown version: the possible sizes. Valid until the next
    // Add.
    const ValueSizes* unknown_size = nullptr;
  };

  void Clear() { layers_.clear(); }
  // Others wrote to the store before; versions up to this one are theirs.
  void StartAt(uint32_t version) {
    next_version_ = version;
    is_complete_ = false;
  }
  void Add(WriteLayer layer);

  // The version that the next writing role begins with, so that no two writes of a key agree.
  uint32_t NextVersion() const { return next_version_; }

  // What a read of the key must give; empty: not found.
  std::optional<Entry> Find(uint64_t index) const;
  // Whether a layer wrote or erased the key. In a store that was not empty at the start, nothing is
  // known about the other keys.
  bool IsTouched(uint64_t index) const { return Newest(index, layers_.size()).has_value(); }

  bool IsComplete() const { return is_complete_; }
  // Whether Find knows: it does, unless the store existed and no layer has touched the key.
  bool Knows(uint64_t index) const { return is_complete_ || IsTouched(index); }

  // All present keys lie in [0, Range()).
  uint64_t Range() const;
  // Whether few keys of that range are present; then they are found without a walk through it.
  bool IsSparse() const;
  // The first present key at or after `from`, and the last one below `end`; Range(): none.
  uint64_t NextPresent(uint64_t from) const;
  uint64_t PresentBefore(uint64_t end) const;
  // Walks through the range, unless the store is one order.
  uint64_t PresentCount() const;
  // Whether one fill wrote it, in an order in which every key has one place.
  bool IsOneOrder() const;
  // Keys that may be present, and the n-th of them, for samples. A key may be among them twice.
  uint64_t Candidates() const;
  uint64_t Candidate(uint64_t n) const;
  // No value in the store is smaller; the greatest number if it has none.
  uint64_t SmallestValue() const;
  bool Empty() const { return layers_.empty(); }
  size_t LayerCount() const { return layers_.size(); }

 private:
  // The last write of each key: a version, or one of these.
  using LastWrites = std::vector<uint32_t>;
  static constexpr uint32_t kUntouched = 0;
  static constexpr uint32_t kErased = ~uint32_t{0};
  static constexpr uint32_t kContested = kErased - 1;

  struct Layer {
    WriteLayer write;
    Shuffle permutation;
    LastWrites last_writes;  // Empty: the layer is its order.
  };

  struct Touch {  // The last write or erasure of a key.
    bool erases;
    Entry entry;
  };
  // Looks at the oldest `layers`.
  std::optional<Touch> Newest(uint64_t index, size_t layers) const;
  // The same for one layer; empty if it left the key alone.
  std::optional<Touch> TouchOf(uint64_t index, size_t layer) const;
  static Entry EntryOf(const WriteLayer& write, uint64_t index, uint32_t version);
  // The length that a value had before layer `layer` extended it.
  std::optional<uint64_t> OldLength(uint64_t index, size_t layer) const;
  static void Record(const WriteLayer& layer, const WriteLayer::Share& share,
                     LastWrites& last_writes);
  void AddRemembered(WriteLayer layer);

  std::vector<Layer> layers_;  // Oldest first.
  uint32_t next_version_ = 1;
  bool is_complete_ = true;  // A key that no layer touched is absent.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_EXPECTED_STATE_H_
