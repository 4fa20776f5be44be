// Splits --vary into the settings of each combination of the values that it lists. Pure.
#ifndef LEVELFIELD_PLAN_VARY_H_
#define LEVELFIELD_PLAN_VARY_H_

#include <vector>

#include "base/status.h"
#include "result/result.h"
#include "settings/settings.h"

namespace levelfield {

struct VariedSettings {
  Variant variant;
  Settings settings;
};

// In the order typed. The last list varies fastest. Without lists, the result is one setting
// without a variant. --db with several directories is a list too. A kUsage error for a setting that
// must be equal in all rounds, for a value that its flag refuses, and for more than kMostVariants.
StatusOr<std::vector<VariedSettings>> Vary(const Settings& settings);

inline constexpr size_t kMostVariants = 200;

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_VARY_H_
