// The verdict on what a fault has left: given what a thread issued, what was acknowledged to it
// before the fault, and what is found of each of its keys, which commits are lost, and whether what
// is there is the state after the first k of them, for any k. Pure.
#ifndef LEVELFIELD_DURABILITY_SURVIVORS_H_
#define LEVELFIELD_DURABILITY_SURVIVORS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace levelfield {

// One write of a key: by which commit, and whether it erased the key.
struct KeyWrite {
  uint32_t commit = 0;
  bool erase = false;
};

struct FoundKey {
  enum class Kind {
    kAbsent,
    kVersion,  // A whole and right value; `commit` is its version.
    kWrong     // A value that is not of this key, or damaged.
  };
  Kind kind = Kind::kAbsent;
  uint32_t commit = 0;
};

struct KeySurvivor {
  std::vector<KeyWrite> writes;  // All that were issued, in their order.
  FoundKey found;
};

struct ThreadFinding {
  uint64_t kept = 0;          // Commits that are there: up to the newest of which something is.
  uint64_t lost = 0;          // Acknowledged ones that are not, or not whole.
  uint64_t first_lost = 0;    // The number of the first of them; 0: none.
  uint64_t out_of_order = 0;  // Commits that are not there though a later one of the thread is.
  uint64_t torn = 0;          // Batches of which a part is there.
  uint64_t wrong = 0;         // Keys with a wrong value.
  uint64_t never_issued = 0;  // Keys with a version that was never written to them.

  bool IsPrefix() const { return out_of_order + torn + wrong + never_issued == 0; }
};

// A key that is absent may be so before its first write or after any erasure of it: it is taken to
// be the latest state that the rest allows, so no loss is reported that may be none.
ThreadFinding JudgeSurvivors(std::span<const KeySurvivor> keys, uint64_t issued, uint64_t acked);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_SURVIVORS_H_
