// The view of --watch, as lines: for each engine its workload and stage, its rate, its 99th
// percentile, and a chart of its last minute. It is told what happens and when, and draws nothing
// by itself. Times come from one clock, in nanoseconds. One thread.
#ifndef LEVELFIELD_DRIVER_WATCH_VIEW_H_
#define LEVELFIELD_DRIVER_WATCH_VIEW_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "plan/messages.h"

namespace levelfield {

// The terminal's abilities.
struct WatchStyle {
  size_t columns = 80;
  size_t rows = 24;
  bool has_colors = false;
  bool has_blocks = false;  // Unicode's blocks, for the chart.
};

class WatchView {
 public:
  // A name that comes again is the same engine in another round.
  explicit WatchView(const std::vector<std::string>& engines);

  void Begin(const std::string& engine, uint64_t now_ns);
  void BeginStage(const std::string& workload, Stage stage, uint64_t now_ns);
  // `share` of the stage's operations. 0 if it is not known.
  void Progress(uint64_t operations, double share, uint64_t now_ns);
  // The percentile of the last complete interval.
  void Percentile99(uint64_t latency_ns, uint64_t now_ns);

  // The header, then a line for each engine, none wider than the terminal. If it has too few rows,
  // those around the running engine.
  std::vector<std::string> Lines(const std::string& header, const WatchStyle& style,
                                 uint64_t now_ns) const;
  // The running engine, for a log.
  std::string PlainLine(uint64_t now_ns) const;

 private:
  struct Row {
    std::string engine;
    std::string what;  // "readrandom run". Empty: it has not begun.
    double share = 0;
    std::deque<double> rates;  // Operations a second, the newest at the end.
    std::optional<uint64_t> p99_ns;
    uint64_t p99_at_ns = 0;
  };

  Row& Running() { return rows_[running_]; }
  std::string Words(const Row& row, bool is_running, uint64_t now_ns) const;

  std::vector<Row> rows_;
  size_t running_ = 0;
  uint64_t looked_ns_ = 0;          // When the last rate was computed.
  uint64_t looked_operations_ = 0;  // Operations at that time.
};

// Counts characters: all that is drawn here takes one column each, and colours take none.
size_t WidthOf(const std::string& text);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_WATCH_VIEW_H_
