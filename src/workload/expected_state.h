// What the store must hold, known without remembering a byte per key. A writing phase is a *layer*:
// the order of its keys and how far each thread got in it. As the order is a bijection that can be
// inverted, "which version does key k have?" is a look-up of k's position in the layers, newest
// first. So the memory of the model does not depend on the number of keys.
#ifndef LEVELFIELD_WORKLOAD_EXPECTED_STATE_H_
#define LEVELFIELD_WORKLOAD_EXPECTED_STATE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "workload/key_sequence.h"

namespace levelfield {

// One role of one phase that wrote or erased.
struct WriteLayer {
  struct Share {  // One thread's.
    uint64_t first_position = 0;
    uint64_t end_position = 0;
    uint64_t operations = 0;  // Acknowledged; more than the share means further rounds through it.
  };
  bool erases = false;
  KeyPlan order;  // The plan of any of its threads; shares differ only in their positions.
  std::vector<Share> shares;
  uint32_t first_version = 1;  // Of the first round; each further round counts one up.
  uint64_t value_size = 0;
};

class ExpectedState {
 public:
  struct Entry {
    uint32_t version = 0;
    uint64_t value_size = 0;
  };

  void Clear() { layers_.clear(); }
  // Of a store that others have written to before; versions up to there are theirs.
  void StartAt(uint32_t version) { next_version_ = version; }
  void Add(WriteLayer layer);

  // The version that the next writing role begins with, so that no two writes of a key agree.
  uint32_t NextVersion() const { return next_version_; }

  // What a read of the key must give; empty: not found.
  std::optional<Entry> Find(uint64_t index) const;
  // Whether a layer wrote or erased the key. Of a store that was not empty at the start, the others
  // are not known.
  bool IsTouched(uint64_t index) const { return Newest(index).has_value(); }

  // All present keys lie in [0, Range()).
  uint64_t Range() const;
  bool Empty() const { return layers_.empty(); }
  size_t LayerCount() const { return layers_.size(); }

 private:
  struct Layer {
    WriteLayer write;
    Permutation permutation;
  };

  struct Touch {  // The last write or erasure of a key.
    const WriteLayer* write;
    uint32_t round;
  };
  std::optional<Touch> Newest(uint64_t index) const;

  std::vector<Layer> layers_;  // Oldest first.
  uint32_t next_version_ = 1;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_EXPECTED_STATE_H_
