// The verdict on what a fault left. From what a thread issued, what was acknowledged before the
// fault, and what is found under each key, it tells which commits are lost, and whether the store
// is in the state after the first k of them, for any k. Pure.
#ifndef LEVELFIELD_DURABILITY_SURVIVORS_H_
#define LEVELFIELD_DURABILITY_SURVIVORS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace levelfield {

// One write of a key: its commit, and whether it erased the key.
struct KeyWrite {
  uint32_t commit = 0;
  bool erase = false;
};

struct FoundKey {
  enum class Kind {
    kAbsent,
    kVersion,  // A whole and right value; `commit` is its version.
    kWrong     // A value that belongs to another key, or a damaged one.
  };
  Kind kind = Kind::kAbsent;
  uint32_t commit = 0;
};

struct KeySurvivor {
  std::vector<KeyWrite> writes;  // All that were issued, in order.
  FoundKey found;
};

struct ThreadFinding {
  uint64_t kept = 0;          // Commits that are there: up to the newest with any trace.
  uint64_t lost = 0;          // Acknowledged ones that are missing or incomplete.
  uint64_t first_lost = 0;    // The number of the first lost one; 0: none.
  uint64_t out_of_order = 0;  // Missing commits although a later one of the thread is there.
  uint64_t torn = 0;          // Batches that are only partly there.
  uint64_t wrong = 0;         // Keys with a wrong value.
  uint64_t never_issued = 0;  // Keys with a version that was never written to them.

  bool IsPrefix() const { return out_of_order + torn + wrong + never_issued == 0; }
};

// A key may be absent before its first write or after any erasure. It counts as the latest state
// that the rest allows, so no doubtful loss is reported.
ThreadFinding JudgeSurvivors(std::span<const KeySurvivor> keys, uint64_t issued, uint64_t acked);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_SURVIVORS_H_
