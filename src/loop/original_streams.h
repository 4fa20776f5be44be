// Where the key and value streams of the originals stand, with --compat=exact: each program of the
// db_bench family seeds its threads in its own way over the whole of a process, so a benchmark's
// keys depend on all that ran before it. Kept by the worker's main thread: asked while a phase's
// threads are made, told when they have ended.
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
  // `dialect` as Settings::dialect has it.
  explicit OriginalStreams(std::string_view dialect);

  // The seed of the next phase's thread, in the original's order of threads.
  uint64_t KeySeed(size_t thread) const;
  // Where the next phase's values begin.
  uint64_t first_window() const { return first_window_; }

  // A phase has ended in which thread t drew `draws[t]` keys.
  void EndedPhase(std::span<const uint64_t> draws);
  // A role in it wrote so many values of this size.
  void Wrote(const WindowSeries& series, uint64_t values);
  // A benchmark that takes no keys has ended, which the original ran in so many threads, or, where
  // it only prints something (stats), in none.
  void EndedWithoutKeys(std::string_view benchmark, uint64_t threads);

 private:
  enum class Seeding {
    kCounted,       // LevelDB: 1001, 1002, ... for every thread that the process started.
    kOneGenerator,  // The SQLite and TreeDB ports: all keys from one generator, seeded 301.
    kCarriedOver,   // The LMDB and BerkeleyDB ports: 1000 + thread; then from that thread's draws.
  };

  Seeding seeding_;
  uint64_t threads_ = 0;           // Of kCounted: started so far.
  ParkMiller generator_{301};      // Of kOneGenerator.
  std::vector<uint32_t> carried_;  // Of kCarriedOver: by thread, as far as it is not 1000 + thread.
  uint64_t first_window_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_LOOP_ORIGINAL_STREAMS_H_
