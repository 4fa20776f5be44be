// Where each random stream of a phase begins.
//
// What is drawn (keys, choices among operations, arrivals) has a stream of its own for each seed,
// workload, mention of it in the list, role and thread, so the second readrandom of a list asks for
// other keys than the first, and a writer draws otherwise than its readers. What decides where
// things lie (the order in which an empty store is filled, the places of records, the choice of hot
// keys) comes from the seed alone, whichever mention it is. Every engine gets the same seeds.
#ifndef LEVELFIELD_WORKER_STREAM_SEEDS_H_
#define LEVELFIELD_WORKER_STREAM_SEEDS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "workload/workload.h"

namespace levelfield {

class StreamSeeds {
 public:
  // `phase_seed` is that of the round, the repetition and the step. `layout_seed` is that of the
  // round. Mentions count from 1 on.
  StreamSeeds(const Workload& workload, uint64_t phase_seed, uint64_t layout_seed,
              uint64_t mention);

  // Of the permutation behind shuffled or scattered keys: one for all threads of the role.
  uint64_t Order(const Role& role) const;
  // Of the keys that a thread draws.
  uint64_t Draws(const Role& role, uint64_t thread) const;
  // Of what else it draws: which operation comes next ("choice"), when one is due ("arrival").
  uint64_t Others(std::string_view purpose, const Role& role, uint64_t thread) const;
  // Of the series that all roles share.
  uint64_t Series() const;

 private:
  // The seed for a role's keys, and its name for them.
  struct Scope {
    uint64_t seed;
    std::string name;
  };
  Scope KeysOf(const Role& role) const;

  const Workload& workload_;
  uint64_t phase_seed_;
  uint64_t layout_seed_;
  uint64_t mention_seed_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_STREAM_SEEDS_H_
