// What mixgraph left of each key: the last put of each, from the choices of all threads, which draw
// from the same keys. Where several wrote a key with different versions, which came last is not
// known.
#ifndef LEVELFIELD_WORKLOAD_GRAPH_HISTORY_H_
#define LEVELFIELD_WORKLOAD_GRAPH_HISTORY_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "workload/graph_draws.h"
#include "workload/key_history.h"

namespace levelfield {

class GraphHistory final : public KeyHistory {
 public:
  struct Share {  // What a thread did, and how many operations of it.
    GraphStream stream;
    uint64_t operations = 0;
  };

  explicit GraphHistory(std::span<const Share> shares) : stream_(shares.front().stream) {
    last_.resize(stream_.range);
    std::vector<Put> of_thread;
    for (const Share& share : shares) {
      of_thread.assign(stream_.range, {});
      uint64_t puts = 0;
      ForEachChoice(share.stream, share.operations, [&](const GraphChoice& choice) {
        if (choice.kind != GraphChoice::Kind::kPut) return;
        of_thread[choice.index] = {choice.version, static_cast<uint32_t>(choice.value_size)};
        smallest_ = std::min<uint64_t>(smallest_, choice.value_size);
        ++puts;
      });
      versions_ = std::max(versions_, puts);
      for (uint64_t i = 0; i < last_.size(); ++i) {
        const Put& put = of_thread[i];
        if (put.version == kUntouched) continue;
        last_[i] = {last_[i].version == kUntouched || last_[i].version == put.version ? put.version
                                                                                      : kContested,
                    put.size};
      }
    }
  }

  uint64_t range() const override { return last_.size(); }
  std::optional<Last> LastOf(uint64_t index) const override {
    const Put& put = last_[index];
    if (put.version == kUntouched) return std::nullopt;
    if (put.version != kContested) return Last{false, put.version, put.size};
    // Of one number the size is the key's, whoever wrote it: else there is one thread.
    if (stream_.plan.one_number) return Last{false, 0, put.size};
    return Last{.value_size = 0, .unknown_size = &stream_.sizes};
  }
  uint64_t versions() const override { return versions_; }
  uint64_t smallest_value() const override { return smallest_; }

 private:
  static constexpr uint32_t kUntouched = 0;
  static constexpr uint32_t kContested = ~uint32_t{0};
  struct Put {
    uint32_t version = kUntouched;
    uint32_t size = 0;
  };

  GraphStream stream_;  // Of any thread.
  std::vector<Put> last_;
  uint64_t versions_ = 0;
  uint64_t smallest_ = std::numeric_limits<uint64_t>::max();  // Of all that it ever put.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_GRAPH_HISTORY_H_
