// The progress on standard error: engine, phase, share, rate, and time left. On a terminal it is
// one line that is overwritten. Elsewhere only problems are printed. With --watch it is a line for
// each engine (watch_view.h), and elsewhere one line a second.
#ifndef LEVELFIELD_DRIVER_PROGRESS_VIEW_H_
#define LEVELFIELD_DRIVER_PROGRESS_VIEW_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/phase_count.h"
#include "driver/watch_view.h"
#include "plan/messages.h"
#include "result/result.h"

namespace levelfield {

class ProgressView {
 public:
  // With a `stats_interval`, also prints a line after each so many operations. With
  // `stats_seconds`, one after each so many seconds.
  ProgressView(std::vector<std::string> engines, std::vector<std::string> workloads,
               uint64_t stats_interval = 0, double stats_seconds = 0, bool watches = false);
  ~ProgressView() { Hide(); }
  ProgressView(const ProgressView&) = delete;
  ProgressView& operator=(const ProgressView&) = delete;

  // An unplanned run comes after the planned ones. Planned runs before it that have not begun will
  // not begin.
  void BeginRun(size_t run, const std::string& engine);
  // If several runs have begun, the following calls concern this one.
  void GoOnWith(size_t run);
  void EndRun(size_t run) {
    count_.End(run);
    others_.erase(run);
  }
  void BeginStage(size_t phase, Stage stage);
  void Progress(uint64_t operations, uint64_t of);
  // After `done` operations, --duration has left so many of a fill. They are about to be written
  // for `reader`, and take so long at the measured rate; 0: not known. Says so in a line of its
  // own, in the first round.
  void BeginRest(const std::string& fill, const std::string& reader, uint64_t done, uint64_t left,
                 double seconds);
  // The latency in the last interval.
  void Percentile99(uint64_t latency_ns);
  // Prints a line if a requested and possible figure is missing.
  void EndPhase(size_t phase, const PhaseResult& result);
  // A line of its own: a warning, a failure.
  void Say(const std::string& line);
  // The same for lines that repeat in several rounds.
  void SayOnce(const std::string& line);
  // Removes the overwritten line from the terminal, before others print.
  void Hide();

 private:
  // Where a run is.
  struct Place {
    size_t phase = 0;
    Stage stage = Stage::kStart;
    uint64_t operations = 0;
    uint64_t of = 0;
    double rate = 0;  // Operations a second of this phase so far. 0: not known yet.
    uint64_t stage_ns = 0;  // When the stage began, and the last line of statistics was printed.
    uint64_t said_ns = 0;
    uint64_t said_operations = 0;
    double rest_seconds = 0;  // That the rest of a fill takes. 0: not known.
  };

  void Draw();
  void DrawBlock(uint64_t now_ns);
  std::string OverBlock();
  std::string Counter() const;
  std::string Line() const;
  void LookAtTerminal();
  bool IsTimeForStats() const;
  void SayStats();
  double Share() const;  // Share of the stage's operations. 0 if it is not known.
  double PartDone() const;
  std::string TimeLeft() const;

  std::vector<std::string> engines_;
  std::vector<std::string> workloads_;
  bool is_terminal_;
  WatchStyle style_;
  std::optional<WatchView> watch_;
  std::set<std::string> said_once_;
  std::vector<std::string> block_;  // The block's lines that are drawn. The cursor is in the last.
  uint64_t started_ns_;
  uint64_t drawn_ns_ = 0;
  bool is_drawn_ = false;
  PhaseCount count_;
  size_t run_ = 0;
  Place at_;
  std::map<size_t, Place> others_;  // Of runs that have begun and wait for their turn.
  uint64_t stats_interval_;
  double stats_seconds_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_PROGRESS_VIEW_H_
