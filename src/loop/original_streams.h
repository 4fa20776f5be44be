// The positions of the originals' key and value streams, for --compat=exact. Each program of the
// db_bench family seeds its threads in its own way over the whole process, so a benchmark's keys
// depend on all that ran before it. The worker's main thread asks while it makes a phase's threads,
// and tells when they have ended.
#ifndef LEVELFIELD_LOOP_ORIGINAL_STREAMS_H_
#define LEVELFIELD_LOOP_ORIGINAL_STREAMS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "workload/key_sequence.h"
#include "workload/original_values.h"

namespace levelfield {

class OriginalStreams {
 public:
  // `dialect`: see Settings::dialect.
  explicit OriginalStreams(std::string_view dialect);

  // The seed of the next phase's thread, in the original's order of threads.
  uint64_t KeySeed(size_t thread) const;
  // Where the next phase's values begin.
  uint64_t first_window() const { return first_window_; }

  // A phase has ended in which thread t drew `draws[t]` keys.
  void EndedPhase(std::span<const uint64_t> draws);
  // A role in it wrote so many values of this size.
  void Wrote(const WindowSeries& series, uint64_t values);
  // A benchmark that takes no keys has ended. The original ran it in so many threads, or in none if
  // it only prints something (stats).
  void EndedWithoutKeys(std::string_view benchmark, uint64_t threads);

 private:
  enum class Seeding {
    kCounted,       // LevelDB: 1001, 1002, ... for every thread that the process started.
    kOneGenerator,  // The SQLite and TreeDB ports: all keys from one generator, seeded 301.
    kCarriedOver,   // The LMDB and BerkeleyDB ports: 1000 + thread; then from that thread's draws.
  };

  Seeding seeding_;
  uint64_t threads_ = 0;           // For kCounted: started so far.
  ParkMiller generator_{301};      // For kOneGenerator.
  std::vector<uint32_t> carried_;  // For kCarriedOver: by thread, if not 1000 + thread.
  uint64_t first_window_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_ORIGINAL_STREAMS_H_
