// Keys with fifty places each, of which one is taken at a time: a replacement erases the key's
// present place and puts the next. Which key is next is normally distributed around the middle one.
// RocksDB's randomreplacekeys. The same arguments give the same keys, so the model repeats them.
#ifndef LEVELFIELD_OPERATIONS_SLOTS_H_
#define LEVELFIELD_OPERATIONS_SLOTS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "workload/key_history.h"

namespace levelfield {

inline constexpr uint64_t kSlots = 50;

struct SlotPlan {
  uint64_t seed = 0;
  uint64_t keys = 1;
  uint64_t stddev = 0;  // In keys.
};

// Belongs to one thread.
class SlotChoices {
 public:
  explicit SlotChoices(const SlotPlan& plan) : plan_(plan), draws_(plan.seed) {}

  // The key of the next replacement. What lies outside becomes the first or the last one.
  uint64_t Next() {
    const double drawn =
        static_cast<double>(plan_.keys) / 2 + static_cast<double>(plan_.stddev) * Normal();
    return static_cast<uint64_t>(std::clamp(drawn, 0.0, static_cast<double>(plan_.keys - 1)));
  }

 private:
  // Box and Muller; its second number is not kept.
  double Normal() {
    const double u = (static_cast<double>(draws_.Next() >> 11) + 1) * 0x1p-53;  // (0, 1].
    const double v = static_cast<double>(draws_.Next() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

  SlotPlan plan_;
  Random draws_;
};

// Of a store in which each key's first place was loaded with a value; what is put later is empty.
class SlotHistory final : public KeyHistory {
 public:
  SlotHistory(const SlotPlan& plan, uint64_t replacements, uint32_t version, uint64_t value_size)
      : replaced_(plan.keys), version_(version), value_size_(value_size) {
    SlotChoices choices(plan);
    for (uint64_t i = 0; i < replacements; ++i) ++replaced_[choices.Next()];
  }

  uint64_t range() const override { return replaced_.size() * kSlots; }
  std::optional<Last> LastOf(uint64_t index) const override {
    const uint64_t times = replaced_[index / kSlots];
    const uint64_t slot = index % kSlots;
    if (slot == times % kSlots) return Last{false, version_, times == 0 ? value_size_ : 0};
    if (slot > times) return std::nullopt;
    return Last{true, 0, 0};
  }
  uint64_t versions() const override { return 1; }
  uint64_t smallest_value() const override { return 0; }

 private:
  std::vector<uint64_t> replaced_;  // How often, of each key.
  uint32_t version_;
  uint64_t value_size_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_SLOTS_H_
