// A trial: one engine with one variant in one round. Which run it is, and everything that follows
// from that alone. Pure. Any thread may call.
#ifndef LEVELFIELD_PLAN_TRIAL_H_
#define LEVELFIELD_PLAN_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine_probe.h"
#include "plan/existing_store.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "result/result.h"
#include "settings/settings.h"

namespace levelfield {

// Whether it is a store to rank, and not one that others are compared with.
inline bool IsRanked(const ProbeReply& engine, const Settings& settings) {
  return !engine.description.Has(LF_FLOOR) && engine.engine != settings.yardstick;
}

// One variant: the runs with its settings in one round. A plan has at least one.
struct PlannedVariant {
  Variant variant = {};  // Its name and number, if there are several.
  Settings settings;
  std::vector<PlannedPhase> phases;
  std::vector<ProbeReply> engines;  // One run each. An engine that cannot run has its reason.
  std::vector<ExistingStore> stores = {};  // Existing stores to use. Empty: all are made new.
};

// An engine with one variant.
struct PlannedRun {
  const PlannedVariant* variant = nullptr;
  const ProbeReply* engine = nullptr;

  // Its name in results.
  std::string Name() const;
};

struct Trial {
  PlannedRun what;
  size_t planned = 0;   // Index among the runs of a round.
  uint64_t round = 0;   // From 0.
  size_t run = 0;       // Index over all rounds, from 0.
  std::string results;  // The results' directory.
  size_t twins = 0;     // Live runs that began before it with the same engine and settings.

  const ProbeReply& engine() const { return *what.engine; }
  const Settings& settings() const { return what.variant->settings; }
  const std::vector<PlannedPhase>& phases() const { return what.variant->phases; }

  // All engines of a round get the same operations. Each round has others.
  uint64_t Seed() const;
  // The salt of the values: the same for every engine, so that all of them get the same bytes.
  uint64_t Salt() const;
  uint64_t PaddingBytes() const;
  // Variants have different paths. A failed store is kept as evidence, and must not be in the next
  // variant's way.
  std::string StorePath() const;

  // The specification for its worker in that directory.
  WorkerSpec Spec(const std::string& directory, uint64_t salt, const StoreOrigin& origin) const;
};

// The order in which variants are measured, round by round. Each round runs every one of them once,
// so that changes of the machine (another tenant, a warm disk) affect all of them. A block of
// rounds is a drawn Latin square, so each variant has each place equally often. When variants ran
// one after the other instead, a machine with changing load called two equal things different in 15
// to 45 of 100 sessions.
// Gives the order of round `round`, from 0. The very first round has the order in which the
// variants were typed.
std::vector<size_t> OrderOfRound(size_t variants, uint64_t round, uint64_t seed);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_TRIAL_H_
