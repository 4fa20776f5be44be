#include "driver/progress_view.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "base/clock.h"
#include "base/quote.h"
#include "base/utc.h"
#include "result/phase_result.h"

namespace levelfield {
namespace {

constexpr uint64_t kTerminalIntervalNs = 100'000'000;
constexpr uint64_t kWatchLogIntervalNs = 1'000'000'000;
constexpr const char* kHideCursor = "\033[?25l";
constexpr const char* kShowCursor = "\033[?25h";

std::string Duration(double seconds) {
  const auto whole = static_cast<uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

// Ignores write errors, because the run goes on even if nobody reads (fmt::print would throw).
void Print(const std::string& text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

bool IsSet(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

// Whether the locale has the characters of the chart. The first variable that is set decides.
bool HasUnicode() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!IsSet(name)) continue;
    const std::string_view value = std::getenv(name);
    return value.ends_with("UTF-8") || value.ends_with("utf8");
  }
  return false;
}

}  // namespace

ProgressView::ProgressView(std::vector<std::string> engines, std::vector<std::string> workloads,
                           uint64_t stats_interval, double stats_seconds, bool watches)
    : engines_(std::move(engines)),
      workloads_(std::move(workloads)),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      started_ns_(MonotonicNs()),
      stats_interval_(stats_interval),
      stats_seconds_(stats_seconds) {
  // Some are file names.
  for (std::string& engine : engines_) engine = Printable(engine);
  for (std::string& workload : workloads_) workload = Printable(workload);
  style_.has_colors = !IsSet("NO_COLOR");
  style_.has_blocks = HasUnicode();
  if (watches) watch_.emplace(engines_);
}

// The terminal's size may change at any time.
void ProgressView::LookAtTerminal() {
  winsize size{};
  if (!is_terminal_ || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0) return;
  if (size.ws_col != 0) style_.columns = size.ws_col;
  if (size.ws_row != 0) style_.rows = size.ws_row;
}

void ProgressView::BeginRun(size_t run, const std::string& name) {
  run_ = run;
  const std::string engine = Printable(name);
  const auto here = engines_.begin() + static_cast<ptrdiff_t>(std::min(run_, engines_.size()));
  const auto planned = std::find(here, engines_.end(), engine);
  if (planned == engines_.end()) {
    engines_.push_back(engine);
  } else {
    engines_.erase(here, planned);
  }
  phase_ = 0;
  rate_ = 0;
  stage_ = "starting";
  operations_ = of_ = 0;
  drawn_ns_ = 0;
  if (watch_) watch_->Begin(engine, MonotonicNs());
  if (is_terminal_) Draw();
}

void ProgressView::Stage(size_t phase, const std::string& stage) {
  if (phase != phase_) rate_ = 0;
  phase_ = phase;
  stage_ = Printable(stage);  // An engine may write to any descriptor.
  operations_ = of_ = 0;
  stage_ns_ = said_ns_ = MonotonicNs();
  said_operations_ = 0;
  if (watch_) watch_->Stage(phase_ < workloads_.size() ? workloads_[phase_] : "", stage_, said_ns_);
  Draw();
}

void ProgressView::Percentile99(uint64_t latency_ns) {
  if (watch_) watch_->Percentile99(latency_ns, MonotonicNs());
}

void ProgressView::Progress(uint64_t operations, uint64_t of) {
  operations_ = operations;
  of_ = of;
  if (stage_ == "run") {
    const double seconds = static_cast<double>(MonotonicNs() - stage_ns_) * 1e-9;
    if (seconds > 0) rate_ = static_cast<double>(operations) / seconds;
    if (IsTimeForStats()) SayStats();
  }
  if (watch_) watch_->Progress(operations, Share(), MonotonicNs());
  Draw();
}

void ProgressView::BeginRest(const std::string& fill, const std::string& reader, uint64_t done,
                             uint64_t left, double seconds) {
  rest_seconds_ = seconds;
  const std::string& engine = engines_[run_];
  if (!said_once_.insert(engine + "\n" + fill).second) return;
  Say(fmt::format("{} {}: --duration ended it after {} of {} operations; the rest is written for "
                  "{}, unmeasured{}",
                  engine, fill, done, done + left, reader,
                  seconds > 0 ? fmt::format(", in about {}", Duration(seconds)) : ""));
}

bool ProgressView::IsTimeForStats() const {
  if (stats_interval_ != 0 && operations_ / stats_interval_ > said_operations_ / stats_interval_) {
    return true;
  }
  return stats_seconds_ > 0 &&
         static_cast<double>(MonotonicNs() - said_ns_) * 1e-9 >= stats_seconds_;
}

// In the format of the LMDB benchmarks' db_bench, for all threads together.
void ProgressView::SayStats() {
  const uint64_t now = MonotonicNs();
  const double interval = std::max(static_cast<double>(now - said_ns_) * 1e-9, 1e-9);
  const double total = std::max(static_cast<double>(now - stage_ns_) * 1e-9, 1e-9);
  const uint64_t more = operations_ - said_operations_;
  Say(fmt::format("{} ... ({},{}) ops and ({:.1f},{:.1f}) ops/second in ({:.6f},{:.6f}) seconds",
                  UtcNow(), more, operations_, static_cast<double>(more) / interval,
                  static_cast<double>(operations_) / total, interval, total));
  said_ns_ = now;
  said_operations_ = operations_;
}

void ProgressView::EndPhase(size_t phase, const PhaseResult& result) {
  const bool is_as_asked =
      result.outcome == Outcome::kOk || result.outcome == Outcome::kUnsupported ||
      result.outcome == Outcome::kNotRun || result.outcome == Outcome::kSkipped ||
      result.outcome == Outcome::kInterrupted;
  if (is_as_asked) return;
  Say(fmt::format("{}/{} {}  {}  {}: {}", run_ * workloads_.size() + phase + 1,
                  engines_.size() * workloads_.size(), engines_[run_], Printable(result.workload),
                  OutcomeName(result.outcome), Printable(result.message)));
}

void ProgressView::Say(const std::string& line) {
  Hide();
  Print(Printable(line) + "\n");
  std::fflush(stderr);
}

void ProgressView::SayOnce(const std::string& line) {
  if (said_once_.insert(line).second) Say(line);
}

// The phase's place among all phases.
std::string ProgressView::Place() const {
  return fmt::format("[{}/{}]", run_ * workloads_.size() + std::min(phase_ + 1, workloads_.size()),
                     engines_.size() * workloads_.size());
}

void ProgressView::Draw() {
  if (!is_terminal_ && !watch_) return;
  const uint64_t now = MonotonicNs();
  if (now - drawn_ns_ < (is_terminal_ ? kTerminalIntervalNs : kWatchLogIntervalNs)) return;
  const bool is_first = drawn_ns_ == 0;
  drawn_ns_ = now;
  if (!is_terminal_ && is_first) return;  // The first interval begins now.
  if (watch_ && is_terminal_) return DrawBlock(now);
  if (!is_terminal_) {
    Print(fmt::format("{} {}  {}\n", Place(), watch_->PlainLine(now), TimeLeft()));
  } else {
    LookAtTerminal();
    std::string line = Line();
    if (line.size() >= style_.columns) line.resize(style_.columns - 1);
    Print("\r\033[K" + line);
    is_drawn_ = true;
  }
  std::fflush(stderr);
}

// "[3/90] about 2 min 05 s left  lmdb readrandom run 40 %, 512345 ops/s". A narrow terminal cuts
// off the end.
std::string ProgressView::Line() const {
  std::string line = fmt::format("{} {}  {} {} {}", Place(), TimeLeft(), engines_[run_],
                                 phase_ < workloads_.size() ? workloads_[phase_] : "", stage_);
  if (Share() > 0) line += fmt::format(" {:.0f} %", 100 * Share());
  if (stage_ == "rest") {
    line += ", unmeasured";
    const double left = rest_seconds_ * (1 - Share());
    if (left > 0) line += fmt::format(", {} left of it", Duration(left));
  } else if (rate_ > 0) {
    line += fmt::format(", {:.0f} ops/s", rate_);
  }
  return line;
}

// Draws over the previous block in one write, so that nothing flickers.
void ProgressView::DrawBlock(uint64_t now_ns) {
  LookAtTerminal();
  std::string text = is_drawn_ ? OverBlock() : kHideCursor;
  const double elapsed = static_cast<double>(now_ns - started_ns_) * 1e-9;
  block_ = watch_->Lines(fmt::format("{} {}, {}", Place(), Duration(elapsed), TimeLeft()), style_,
                         now_ns);
  for (size_t i = 0; i < block_.size(); ++i) text += (i == 0 ? "" : "\n") + block_[i];
  Print(text);
  is_drawn_ = true;
  std::fflush(stderr);
}

// Moves to the begin of the block and clears what follows. A narrowed terminal has wrapped the
// block's lines.
std::string ProgressView::OverBlock() {
  LookAtTerminal();
  size_t rows = 0;
  for (const std::string& line : block_) {
    rows += std::max<size_t>(1, (WidthOf(line) + style_.columns - 1) / style_.columns);
  }
  return rows > 1 ? fmt::format("\r\033[{}A\033[J", rows - 1) : "\r\033[J";
}

double ProgressView::Share() const {
  if (of_ == 0 || of_ == std::numeric_limits<uint64_t>::max()) return 0;
  return std::min(1.0, static_cast<double>(operations_) / static_cast<double>(of_));
}

void ProgressView::Hide() {
  if (is_drawn_) Print(watch_ ? OverBlock() + kShowCursor : "\r\033[K");
  is_drawn_ = false;
  std::fflush(stderr);
}

// Estimates from the share of the phases that are done, counting the running one in part. The first
// tenth is too short for that.
std::string ProgressView::TimeLeft() const {
  const auto phases = static_cast<double>(engines_.size() * workloads_.size());
  double done = static_cast<double>(run_ * workloads_.size() + phase_) / phases;
  // The work after the last operation (closing, reopening, verifying) is the phase's other half.
  if (stage_ == "run") done += 0.5 * Share() / phases;
  if (stage_ == "settle" || stage_ == "check" || stage_ == "rest" || stage_ == "close" ||
      stage_ == "reopen")
    done += 0.5 / phases;
  if (stage_ == "verify") done += (0.5 + 0.5 * Share()) / phases;
  done = std::min(done, 1.0);
  const double elapsed = static_cast<double>(MonotonicNs() - started_ns_) * 1e-9;
  if (done < 0.1) return fmt::format("{} so far", Duration(elapsed));
  return fmt::format("about {} left", Duration(elapsed / done * (1 - done)));
}

}  // namespace levelfield
