// The turn of one engine, with one of the ways of setting things, in one round: which run it is,
// and all that follows from that alone. Pure; any thread.
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

// Whether it is a store to rank, and not there to compare others with.
inline bool IsRanked(const ProbeReply& engine, const Settings& settings) {
  return !engine.description.Has(LF_FLOOR) && engine.engine != settings.yardstick;
}

// One way of setting things: what runs with it, in one round. A plan has one at least.
struct PlannedVariant {
  Variant variant = {};  // Among several.
  Settings settings;
  std::vector<PlannedPhase> phases;
  std::vector<ProbeReply> engines;         // One run each; what cannot run carries its reason.
  std::vector<ExistingStore> stores = {};  // Those to be used as they are; empty: all are made new.
};

// An engine with one of the ways of setting things.
struct PlannedRun {
  const PlannedVariant* variant = nullptr;
  const ProbeReply* engine = nullptr;

  // As it is called in results.
  std::string Name() const;
};

struct Trial {
  PlannedRun what;
  size_t planned = 0;   // Which of a round's.
  uint64_t round = 0;   // From 0.
  size_t run = 0;       // Of all rounds, from 0.
  std::string results;  // Directory.
  size_t twins = 0;     // That live with it and began before: the same engine, set in the same way.

  const ProbeReply& engine() const { return *what.engine; }
  const Settings& settings() const { return what.variant->settings; }
  const std::vector<PlannedPhase>& phases() const { return what.variant->phases; }

  // All engines of a round get the same operations, and each round others.
  uint64_t Seed() const;
  // The salt of the values: the same for every engine, so that all of them get the same bytes.
  uint64_t Salt() const;
  uint64_t PaddingBytes() const;
  // What went wrong with one variant is kept as evidence, and not in the way of the next.
  std::string StorePath() const;

  // What its worker is to do, in that directory.
  WorkerSpec Spec(const std::string& directory, uint64_t salt, const StoreOrigin& origin) const;
};

// In which order alternatives are measured, round by round. Each round runs every one of them once,
// so that what the machine does meanwhile (another tenant, a warm disk) meets all of them; a block
// of rounds is a Latin square, so each stands in each place equally often; which square is drawn.
// One alternative after the other instead, a machine with changing load called two equal things
// different in 15 to 45 of 100 sessions.
// The order of round `round`, counted from 0. The first round of all is in the order in which the
// alternatives were named, so that one round alone is what was typed.
std::vector<size_t> OrderOfRound(size_t variants, uint64_t round, uint64_t seed);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_TRIAL_H_
