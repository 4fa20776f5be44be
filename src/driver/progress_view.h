// What a person sees while it works, on standard error: which engine, which phase, how far, how
// fast, how much time is left. On a terminal one line that is written over; elsewhere nothing but
// what went wrong. With --watch, a line for each engine (watch_view.h) in place of the one, and
// elsewhere one in a second.
#ifndef LEVELFIELD_DRIVER_PROGRESS_VIEW_H_
#define LEVELFIELD_DRIVER_PROGRESS_VIEW_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/watch_view.h"
#include "result/result.h"

namespace levelfield {

class ProgressView {
 public:
  // With a `stats_interval`, a line for each so many operations as well; with `stats_seconds`, one
  // for each so much time.
  ProgressView(std::vector<std::string> engines, std::vector<std::string> workloads,
               uint64_t stats_interval = 0, double stats_seconds = 0, bool watches = false);
  ~ProgressView() { Hide(); }
  ProgressView(const ProgressView&) = delete;
  ProgressView& operator=(const ProgressView&) = delete;

  // Runs that were not foreseen come behind those that were; of those that were, the ones before it
  // that did not begin do not any more.
  void BeginRun(size_t run, const std::string& engine);
  // Of several that have begun, what follows is of that one.
  void GoOnWith(size_t run) { run_ = run; }
  void Stage(size_t phase, const std::string& stage);
  void Progress(uint64_t operations, uint64_t of);
  // Of the latencies of the last interval.
  void Percentile99(uint64_t latency_ns);
  // Says a line where there is no figure of it that was asked for and could be had.
  void EndPhase(size_t phase, const PhaseResult& result);
  // A line for itself: a warning, a failure.
  void Say(const std::string& line);
  // The same of what holds for each of several rounds.
  void SayOnce(const std::string& line);
  // Takes the line that is written over off the terminal, for somebody else's text.
  void Hide();

 private:
  void Draw();
  void DrawBlock(uint64_t now_ns);
  std::string OverBlock();
  std::string Place() const;
  std::string Line() const;
  void LookAtTerminal();
  bool IsTimeForStats() const;
  void SayStats();
  double Share() const;  // Of the stage's operations, 0 where it is not known.
  std::string TimeLeft() const;

  std::vector<std::string> engines_;
  std::vector<std::string> workloads_;
  bool is_terminal_;
  WatchStyle style_;
  std::optional<WatchView> watch_;
  std::set<std::string> said_once_;
  std::vector<std::string> block_;  // The lines of it that are drawn; the cursor is in the last.
  uint64_t started_ns_;
  uint64_t drawn_ns_ = 0;
  bool is_drawn_ = false;
  size_t run_ = 0;
  size_t phase_ = 0;
  std::string stage_;
  uint64_t operations_ = 0;
  uint64_t of_ = 0;
  double rate_ = 0;  // Operations a second of this phase so far; 0: not known yet.
  uint64_t stats_interval_;
  double stats_seconds_;
  uint64_t stage_ns_ = 0;  // When the stage began, and the last line of statistics was said.
  uint64_t said_ns_ = 0;
  uint64_t said_operations_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_PROGRESS_VIEW_H_
