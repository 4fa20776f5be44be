// What a replayed trace left of each key: the last thing that its one thread did to it. 8 bytes a
// key.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_HISTORY_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_HISTORY_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "workload/key_history.h"
#include "workload/trace/trace_steps.h"

namespace levelfield {

class TraceHistory final : public KeyHistory {
 public:
  // The steps that each thread has done, of keys in [0, keys).
  TraceHistory(std::span<const std::span<const TraceStep>> done, uint64_t keys) : last_(keys) {
    for (const std::span<const TraceStep> steps : done) {
      uint64_t written = 0;
      for (const TraceStep& step : steps) {
        if (step.operation == TraceOperation::kErase) last_[step.key] = {.version = kErased};
        if (step.version == kUntouched) continue;
        last_[step.key] = {.version = step.version, .value_size = step.value_size};
        smallest_value_ = std::min<uint64_t>(smallest_value_, step.value_size);
        ++written;
      }
      versions_ = std::max(versions_, written);
    }
  }

  uint64_t range() const override { return last_.size(); }
  std::optional<Last> LastOf(uint64_t index) const override {
    const Kept& kept = last_[index];
    if (kept.version == kUntouched) return std::nullopt;
    if (kept.version == kErased) return Last{.erases = true};
    return Last{.version = kept.version, .value_size = kept.value_size};
  }
  uint64_t versions() const override { return versions_; }
  uint64_t smallest_value() const override { return smallest_value_; }

 private:
  static constexpr uint32_t kUntouched = 0;
  static constexpr uint32_t kErased = ~uint32_t{0};

  struct Kept {
    uint32_t version = kUntouched;
    uint32_t value_size = 0;
  };

  std::vector<Kept> last_;
  uint64_t versions_ = 0;
  uint64_t smallest_value_ = ~uint64_t{0};
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_HISTORY_H_
