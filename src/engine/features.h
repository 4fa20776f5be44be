// What a store can do beside the calls that every engine has, for `levelfield engines --features`:
// found by asking an open one, so that no list of it can be wrong. A workload does not ask here:
// its operation finds out by its own call (worker/phase_conclusion.cc).
#ifndef LEVELFIELD_ENGINE_FEATURES_H_
#define LEVELFIELD_ENGINE_FEATURES_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/engine.h"

namespace levelfield {

struct FeatureRow {
  std::string_view name;
  std::string_view head;  // Of a narrow column.
};
inline constexpr FeatureRow kFeatures[] = {
    {"transactions", "txn"}, {"snapshots", "snap"},    {"merge", "merge"},
    {"multi-get", "mget"},   {"range delete", "rdel"},
};

// An engine whose store has to be opened for transactions has this option: a choice, of which the
// first is to have none.
inline constexpr std::string_view kTransactionsOption = "transactions";

struct Feature {
  std::string name;  // Of kFeatures.
  bool is_there = false;
  std::string reason;  // Why not, in the engine's words.
};

// Writes to the store, which is made for this alone. In the order of kFeatures.
StatusOr<std::vector<Feature>> FeaturesOf(Store& store);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_FEATURES_H_
