// Which index comes next: one thread's stream of key indexes, made a block at a time so that the
// measured loop pays no call for them. The same plan always gives the same stream, so the harness
// replays it after a phase to learn what the answers should have been.
#ifndef LEVELFIELD_WORKLOAD_KEY_SEQUENCE_H_
#define LEVELFIELD_WORKLOAD_KEY_SEQUENCE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <variant>

#include "base/random.h"
#include "workload/key_distribution.h"
#include "workload/permutation.h"

namespace levelfield {

// The generator from which the db_bench family draws keys and value bytes: the "minimal standard"
// of Park and Miller (Random Number Generators: Good Ones Are Hard to Find, 1988), x' = 16807 x mod
// 2^31 - 1. Kept for --compat=exact; everything else uses base/random.h.
class ParkMiller {
 public:
  static constexpr uint32_t kModulus = 2147483647;

  // The seed is cut to 31 bits. 0 and the modulus would only repeat themselves, so they become 1.
  explicit constexpr ParkMiller(uint64_t seed) : state_(static_cast<uint32_t>(seed & kModulus)) {
    if (state_ == 0 || state_ == kModulus) state_ = 1;
  }

  constexpr uint32_t Next() {
    state_ = static_cast<uint32_t>(uint64_t{state_} * kMultiplier % kModulus);
    return state_;
  }

  // As if Next had been called so many times, in logarithmic time.
  constexpr void Skip(uint64_t draws) {
    uint64_t state = state_;
    for (uint64_t power = kMultiplier; draws != 0; draws >>= 1) {
      if (draws & 1) state = state * power % kModulus;
      power = power * power % kModulus;
    }
    state_ = static_cast<uint32_t>(state);
  }

  // The last draw. As a seed, it continues the stream from there.
  constexpr uint32_t state() const { return state_; }

 private:
  static constexpr uint64_t kMultiplier = 16807;
  uint32_t state_;
};

enum class KeyOrder {
  kNone,         // The operation takes no key (a scan, a compaction).
  kSequential,   // 0, 1, 2, ...
  kShuffled,     // Every index once, in a keyed random order.
  kUniform,      // Independent draws, with replacement.
  kExponential,  // Draws with a skew; see KeyPlan::skew.
  kSkewed,       // Draws that favour some keys; see KeyPlan::distribution.
  kRuns,         // Draws, each with further keys behind it; see KeyPlan::run_keys.
  kForward,      // From 0 on by random steps below 100, round and round.
};

inline bool IsDrawn(KeyOrder order) {
  return order == KeyOrder::kUniform || order == KeyOrder::kExponential ||
         order == KeyOrder::kSkewed || order == KeyOrder::kRuns || order == KeyOrder::kForward;
}

// The generator behind draws: this program's own, or one of the db_bench family's, whose draws are
// taken modulo the range.
enum class DrawSource { kOwn, kParkMiller, kMersenne };

// One thread's part of a role's keys. Sequential and shuffled orders own the positions
// [first_position, end_position) of the role's order and go round in them when they reach the end,
// so no two threads ever write the same key. Drawn orders use `draw_seed` alone.
struct KeyPlan {
  KeyOrder order = KeyOrder::kNone;
  uint64_t range = 0;           // Indexes lie in [0, range).
  uint64_t window = 0;          // Of a shuffled order: no key is further from its place. 0: any.
  uint64_t prefixes = 0;  // So many have range / prefixes keys each (Shuffle). 0: they have none.
  bool draws_begins = false;    // Draws give the first key of a prefix, else any of its keys.
  uint64_t order_seed = 0;      // For the permutation; the same for all threads of the role.
  uint64_t draw_seed = 0;       // For uniform draws or forward steps; the thread's own.
  uint64_t first_position = 0;  // The begin of this thread's share.
  uint64_t end_position = 0;
  DrawSource source = DrawSource::kOwn;
  // For exponential draws: the key range * exp(-u * skew), with u uniform in [0, 1), times a prime
  // modulo the range, which spreads the hot keys. RocksDB's read_random_exp_range.
  double skew = 0;
  // For skewed draws: the distribution, and whether the permutation maps its positions to keys, so
  // that hot keys are not neighbours.
  KeyDistributionPlan distribution = {};
  bool scattered = false;
  // For runs: how many keys each has, and how far apart they are. Every run fits the range.
  uint64_t run_keys = 1;
  uint64_t run_stride = 0;
  uint64_t skipped = 0;  // Indexes that were used before: the stream begins behind them.

  uint64_t share() const { return end_position - first_position; }
};

// A stream of the plan's indexes. Belongs to one thread.
class KeySequence {
 public:
  explicit KeySequence(const KeyPlan& plan)
      : plan_(plan),
        permutation_(plan.range, plan.order_seed, plan.window, plan.prefixes),
        draws_(plan.draw_seed),
        of_prefix_(Mix64(plan.draw_seed)),
        position_(plan.order == KeyOrder::kForward ? 0 : plan.first_position) {
    if (plan.order == KeyOrder::kSkewed) {
      distribution_.emplace(plan.distribution, plan.prefixes != 0 ? plan.prefixes : plan.range);
    }
    if (plan.source == DrawSource::kParkMiller) original_ = ParkMiller(plan.draw_seed);
    if (plan.source == DrawSource::kMersenne) original_ = std::mt19937_64(plan.draw_seed);
    if (plan.skipped != 0) Skip(plan.skipped);
  }

  // Gives the next indexes, all from one round through the share (`round` counts from 0): at least
  // one and at most out.size(), but none if the share is empty. Returns how many.
  size_t Fill(std::span<uint64_t> out, uint64_t* round);

 private:
  void Skip(uint64_t indexes);
  // Handles forward orders, skewed draws and draws from an original's generator. If inlined, its
  // loops would take registers from those of Fill.
  [[gnu::noinline]] size_t FillDrawn(std::span<uint64_t> out);
  size_t FillRuns(std::span<uint64_t> out);
  size_t FillSkewed(std::span<uint64_t> out);
  // Turns drawn prefixes into keys that have them.
  void DrawInPrefixes(std::span<uint64_t> prefixes);
  // Makes draws below a bound with `next`.
  template <class Next>
  void Draw(std::span<uint64_t> out, Next next);

  KeyPlan plan_;
  Shuffle permutation_;
  Random draws_;
  Random
      of_prefix_;  // Of a key in its prefix: a stream of its own, whatever the blocks' sizes are.
  std::variant<std::monostate, ParkMiller, std::mt19937_64> original_;
  uint64_t position_;  // In a forward order: the index itself.
  uint64_t round_ = 0;
  uint64_t left_in_run_ = 0;
  std::optional<KeyDistribution> distribution_;  // For skewed draws.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_KEY_SEQUENCE_H_
