// One way of setting things: what runs with it, in one round. A plan has one at least.
#ifndef LEVELFIELD_PLAN_ALTERNATIVE_H_
#define LEVELFIELD_PLAN_ALTERNATIVE_H_

#include <vector>

#include "engine/engine_probe.h"
#include "plan/existing_store.h"
#include "plan/plan.h"
#include "result/result.h"
#include "settings/settings.h"

namespace levelfield {

struct Alternative {
  Variant variant = {};  // Among several.
  Settings settings;
  std::vector<PlannedPhase> phases;
  std::vector<ProbeReply> engines;         // One run each; what cannot run carries its reason.
  std::vector<ExistingStore> stores = {};  // Those to be used as they are; empty: all are made new.
};

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_ALTERNATIVE_H_
