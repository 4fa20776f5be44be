#include "driver/watch_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace levelfield {
namespace {

constexpr uint64_t kRateNs = 1'000'000'000;
constexpr size_t kChartSeconds = 60;
// An older percentile says nothing about the present.
constexpr uint64_t kStaleNs = 5'000'000'000;

constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr const char* kAscii[] = {".", ".", ":", ":", "-", "=", "+", "#"};

std::string InUnits(double value, std::initializer_list<std::pair<double, const char*>> units) {
  for (const auto& [size, name] : units) {
    if (value < size) continue;
    const double scaled = value / size;
    return fmt::format("{:.{}f} {}", scaled, scaled < 10 ? 2 : scaled < 100 ? 1 : 0, name);
  }
  return fmt::format("{:.0f} ", value);
}

std::string RateText(double rate) {
  return InUnits(rate, {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}) + "/s";
}

std::string LatencyText(uint64_t ns) {
  return InUnits(static_cast<double>(ns), {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}});
}

// The last so many seconds. The highest has the full height.
std::string Chart(const std::deque<double>& rates, size_t width, bool has_blocks) {
  const size_t shown = std::min({rates.size(), width, kChartSeconds});
  double most = 0;
  for (size_t i = rates.size() - shown; i < rates.size(); ++i) most = std::max(most, rates[i]);
  std::string chart;
  for (size_t i = rates.size() - shown; i < rates.size(); ++i) {
    const double share = most > 0 ? rates[i] / most : 0;
    const auto level = std::min<size_t>(7, static_cast<size_t>(share * 8));
    chart += rates[i] <= 0 ? " " : has_blocks ? kBlocks[level] : kAscii[level];
  }
  return chart;
}

bool BeginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::string Cut(const std::string& text, size_t columns) {
  size_t width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (BeginsCharacter(text[i]) && ++width > columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace

size_t WidthOf(const std::string& text) {
  size_t width = 0;
  bool is_color = false;
  for (const char c : text) {
    is_color = is_color || c == '\033';
    if (!is_color && BeginsCharacter(c)) ++width;
    if (c == 'm') is_color = false;
  }
  return width;
}

WatchView::WatchView(const std::vector<std::string>& engines) {
  for (const std::string& engine : engines) {
    if (std::ranges::find(rows_, engine, &Row::engine) == rows_.end()) {
      rows_.push_back({.engine = engine, .what = "", .rates = {}, .p99_ns = {}});
    }
  }
}

void WatchView::Begin(const std::string& engine, uint64_t now_ns) {
  const auto it = std::ranges::find(rows_, engine, &Row::engine);
  running_ = static_cast<size_t>(it - rows_.begin());
  if (it == rows_.end()) rows_.push_back({.engine = engine, .what = "", .rates = {}, .p99_ns = {}});
  Running().what = "starting";
  looked_ns_ = now_ns;
  looked_operations_ = 0;
}

void WatchView::BeginStage(const std::string& workload, Stage stage, uint64_t now_ns) {
  Row& row = Running();
  row.what = fmt::format("{} {}", workload, NameOf(stage));
  row.share = 0;
  if (stage == Stage::kRun) {  // The chart shows one workload, and stays until the next one.
    row.rates.clear();
    row.p99_ns.reset();
  }
  looked_ns_ = now_ns;
  looked_operations_ = 0;
}

void WatchView::Progress(uint64_t operations, double share, uint64_t now_ns) {
  Row& row = Running();
  row.share = share;
  if (!row.what.ends_with(" run") || now_ns < looked_ns_ + kRateNs) return;
  const double seconds = static_cast<double>(now_ns - looked_ns_) * 1e-9;
  const uint64_t more = operations - std::min(operations, looked_operations_);
  row.rates.push_back(static_cast<double>(more) / seconds);
  if (row.rates.size() > kChartSeconds) row.rates.pop_front();
  looked_ns_ = now_ns;
  looked_operations_ = operations;
}

void WatchView::Percentile99(uint64_t latency_ns, uint64_t now_ns) {
  Running().p99_ns = latency_ns;
  Running().p99_at_ns = now_ns;
}

std::string WatchView::Words(const Row& row, bool is_running, uint64_t now_ns) const {
  if (row.what.empty()) return "";
  const bool is_stale = is_running && now_ns > row.p99_at_ns + kStaleNs;
  return fmt::format("{:>10}  {:>12}  {:4} {}", row.rates.empty() ? "" : RateText(row.rates.back()),
                     row.p99_ns && !is_stale ? "p99 " + LatencyText(*row.p99_ns) : "",
                     is_running && row.share > 0 ? fmt::format("{:.0f}%", 100 * row.share) : "",
                     is_running ? row.what : "");
}

std::vector<std::string> WatchView::Lines(const std::string& header, const WatchStyle& style,
                                          uint64_t now_ns) const {
  size_t name_width = 0;
  size_t words_width = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    name_width = std::max(name_width, WidthOf(rows_[i].engine));
    words_width = std::max(words_width, WidthOf(Words(rows_[i], i == running_, now_ns)));
  }
  name_width = std::min(name_width, style.columns / 3);
  // The last column stays free, because some terminals wrap when it is written.
  const size_t columns = style.columns - 1;
  const size_t left = name_width + words_width + 4;
  const size_t shown = std::min(rows_.size(), std::max<size_t>(style.rows, 3) - 2);
  const size_t first = std::min(running_ - std::min(running_, shown / 2), rows_.size() - shown);
  std::vector<std::string> lines = {Cut(header, columns)};
  for (size_t i = first; i < first + shown; ++i) {
    const Row& row = rows_[i];
    const bool is_running = i == running_;
    std::string line = fmt::format("{} {}", is_running ? ">" : " ", Cut(row.engine, name_width));
    line += std::string(name_width - WidthOf(Cut(row.engine, name_width)) + 1, ' ');
    line += Words(row, is_running, now_ns);
    if (!row.rates.empty() && left + 4 <= columns) {
      line += std::string(left - std::min(left, WidthOf(line)), ' ') +
              Chart(row.rates, columns - left, style.has_blocks);
    }
    line = Cut(line, columns);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(is_running && style.has_colors ? "\033[1;36m" + line + "\033[0m" : line);
  }
  return lines;
}

std::string WatchView::PlainLine(uint64_t now_ns) const {
  const Row& row = rows_[running_];
  std::string line = row.engine + "  " + row.what;
  if (row.share > 0) line += fmt::format(" {:.0f}%", 100 * row.share);
  if (!row.rates.empty()) line += "  " + RateText(row.rates.back());
  const bool is_stale = now_ns > row.p99_at_ns + kStaleNs;
  if (row.p99_ns && !is_stale) line += "  p99 " + LatencyText(*row.p99_ns);
  return line;
}

}  // namespace levelfield
