// The turn of one engine, with one of the ways of setting things, in one round: which run it is,
// and all that follows from that alone. Pure; any thread.
#ifndef LEVELFIELD_PLAN_TURN_H_
#define LEVELFIELD_PLAN_TURN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/alternative.h"
#include "plan/messages.h"

namespace levelfield {

// An engine with one of the ways of setting things.
struct PlannedRun {
  const Alternative* alternative = nullptr;
  const ProbeReply* engine = nullptr;

  // As it is called in results.
  std::string Name() const;
};

struct Turn {
  PlannedRun what;
  size_t planned = 0;   // Which of a round's.
  uint64_t round = 0;   // From 0.
  size_t run = 0;       // Of all rounds, from 0.
  std::string results;  // Directory.

  const ProbeReply& engine() const { return *what.engine; }
  const Settings& settings() const { return what.alternative->settings; }
  const std::vector<PlannedPhase>& phases() const { return what.alternative->phases; }

  // All engines of a round get the same operations, and each round others.
  uint64_t Seed() const;
  // Of the values: the same for every engine, so that all of them get the same bytes.
  uint64_t Salt() const;
  uint64_t PaddingBytes() const;
  // What went wrong with one variant is kept as evidence, and not in the way of the next.
  std::string StorePath() const;

  // What its worker is to do, in that directory.
  WorkerSpec Spec(const std::string& directory, uint64_t salt, const StoreOrigin& origin) const;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_TURN_H_
