// The disk space of a phase's store while its threads run, but not while it is opened, settled or
// checked. The supervisor reports the worker's stages and each look. Only it uses this.
#ifndef LEVELFIELD_DRIVER_SPACE_RECORDER_H_
#define LEVELFIELD_DRIVER_SPACE_RECORDER_H_

#include <cstdint>
#include <string_view>

#include "plan/messages.h"
#include "result/time_series.h"

namespace levelfield {

class SpaceRecorder {
 public:
  // Above it every second look is dropped, and later looks are as far apart.
  static constexpr size_t kMostLooks = 4'000;

  // Stages as the worker reports them (plan/messages.h). The last "run" before "settle" or "check"
  // is the phase. A later one is another step of its load.
  void BeginStage(Stage stage, uint64_t now_ns);
  void Add(uint64_t now_ns, uint64_t allocated_bytes);
  // Returns the series of the ended phase and clears it.
  SpaceSeries Take();

 private:
  enum class State { kBefore, kRuns, kOver };

  State state_ = State::kBefore;
  uint64_t begun_ns_ = 0;
  uint64_t spacing_ms_ = 0;  // At least.
  SpaceSeries series_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_SPACE_RECORDER_H_
