// What a workload of YCSB left of each key: the last version of each record that its one writer
// wrote, from the choices of all threads. 4 bytes a key.
#ifndef LEVELFIELD_WORKLOAD_YCSB_HISTORY_H_
#define LEVELFIELD_WORKLOAD_YCSB_HISTORY_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "workload/key_history.h"
#include "workload/ycsb_draws.h"

namespace levelfield {

class YcsbHistory final : public KeyHistory {
 public:
  struct Share {  // What a thread did, and how many operations of it.
    YcsbStream stream;
    uint64_t operations = 0;
  };

  YcsbHistory(std::span<const Share> shares, uint64_t value_size)
      : last_(shares.front().stream.capacity, kUntouched), value_size_(value_size) {
    for (const Share& share : shares) {
      YcsbDraws draws(share.stream);
      uint64_t written = 0;
      for (uint64_t i = 0; i < share.operations; ++i) {
        const YcsbChoice choice = draws.Next();
        if (choice.version == kUntouched) continue;
        last_[choice.key] = choice.version;
        ++written;
      }
      versions_ = std::max(versions_, written);
    }
  }

  uint64_t range() const override { return last_.size(); }
  std::optional<Last> LastOf(uint64_t index) const override {
    if (last_[index] == kUntouched) return std::nullopt;
    return Last{.version = last_[index], .value_size = value_size_};
  }
  uint64_t versions() const override { return versions_; }
  uint64_t smallest_value() const override { return value_size_; }

 private:
  static constexpr uint32_t kUntouched = 0;

  std::vector<uint32_t> last_;
  uint64_t value_size_;
  uint64_t versions_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_YCSB_HISTORY_H_
