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
#include "base/text.h"
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
      count_(workloads_.size()),
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

void ProgressView::GoOnWith(size_t run) {
  if (run == run_) return;
  others_[run_] = std::move(at_);
  at_ = std::move(others_[run]);
  run_ = run;
}

void ProgressView::BeginRun(size_t run, const std::string& name) {
  if (run != run_) others_[run_] = std::move(at_);
  run_ = run;
  const std::string engine = Printable(name);
  const auto here = engines_.begin() + static_cast<ptrdiff_t>(std::min(run_, engines_.size()));
  const auto planned = std::find(here, engines_.end(), engine);
  if (planned == engines_.end()) {
    engines_.push_back(engine);
  } else {
    engines_.erase(here, planned);
  }
  others_.erase(run);
  at_ = {};
  count_.Reach(run, 0, 0);
  drawn_ns_ = 0;
  if (watch_) watch_->Begin(engine, MonotonicNs());
  if (is_terminal_) Draw();
}

void ProgressView::BeginStage(size_t phase, Stage stage) {
  if (phase != at_.phase) at_.rate = 0;
  at_.phase = phase;
  at_.stage = stage;
  at_.operations = at_.of = 0;
  at_.stage_ns = at_.said_ns = MonotonicNs();
  at_.said_operations = 0;
  count_.Reach(run_, at_.phase, PartDone());
  if (watch_)
    watch_->BeginStage(at_.phase < workloads_.size() ? workloads_[at_.phase] : "", at_.stage,
                       at_.said_ns);
  Draw();
}

void ProgressView::Percentile99(uint64_t latency_ns) {
  if (watch_) watch_->Percentile99(latency_ns, MonotonicNs());
}

void ProgressView::Progress(uint64_t operations, uint64_t of) {
  at_.operations = operations;
  at_.of = of;
  if (at_.stage == Stage::kRun) {
    const double seconds = static_cast<double>(MonotonicNs() - at_.stage_ns) * 1e-9;
    if (seconds > 0) at_.rate = static_cast<double>(operations) / seconds;
    if (IsTimeForStats()) SayStats();
  }
  count_.Reach(run_, at_.phase, PartDone());
  if (watch_) watch_->Progress(operations, Share(), MonotonicNs());
  Draw();
}

void ProgressView::BeginRest(const std::string& fill, const std::string& reader, uint64_t done,
                             uint64_t left, double seconds) {
  at_.rest_seconds = seconds;
  const std::string& engine = engines_[run_];
  if (!said_once_.insert(engine + "\n" + fill).second) return;
  Say(
      fmt::format("{} {}: --duration ended it after {} of {} operations; the rest is written for "
                  "{}, unmeasured{}",
                  engine, fill, done, done + left, reader,
                  seconds > 0 ? fmt::format(", in about {}", Duration(seconds)) : ""));
}

bool ProgressView::IsTimeForStats() const {
  if (stats_interval_ != 0 &&
      at_.operations / stats_interval_ > at_.said_operations / stats_interval_) {
    return true;
  }
  return stats_seconds_ > 0 &&
         static_cast<double>(MonotonicNs() - at_.said_ns) * 1e-9 >= stats_seconds_;
}

// In the format of the LMDB benchmarks' db_bench, for all threads together.
void ProgressView::SayStats() {
  const uint64_t now = MonotonicNs();
  const double interval = std::max(static_cast<double>(now - at_.said_ns) * 1e-9, 1e-9);
  const double total = std::max(static_cast<double>(now - at_.stage_ns) * 1e-9, 1e-9);
  const uint64_t more = at_.operations - at_.said_operations;
  Say(fmt::format("{} ... ({},{}) ops and ({:.1f},{:.1f}) ops/second in ({:.6f},{:.6f}) seconds",
                  UtcNow(), more, at_.operations, static_cast<double>(more) / interval,
                  static_cast<double>(at_.operations) / total, interval, total));
  at_.said_ns = now;
  at_.said_operations = at_.operations;
}

void ProgressView::EndPhase(size_t phase, const PhaseResult& result) {
  const bool is_as_asked =
      result.outcome == Outcome::kOk || result.outcome == Outcome::kUnsupported ||
      result.outcome == Outcome::kNotRun || result.outcome == Outcome::kSkipped ||
      result.outcome == Outcome::kInterrupted;
  if (is_as_asked) return;
  Say(fmt::format("{}/{} {}  {}  {}: {}", run_ * workloads_.size() + phase + 1,
                  engines_.size() * workloads_.size(), engines_[run_], Printable(result.workload),
                  NameOf(result.outcome), Printable(result.message)));
}

void ProgressView::Say(const std::string& line) {
  Hide();
  LookAtTerminal();
  Print(is_terminal_ ? Wrapped(Printable(line), 2, style_.columns) : Printable(line) + "\n");
  std::fflush(stderr);
}

void ProgressView::SayOnce(const std::string& line) {
  if (said_once_.insert(line).second) Say(line);
}

// How many of all phases have begun.
std::string ProgressView::Counter() const {
  return fmt::format("[{}/{}]", count_.begun(), engines_.size() * workloads_.size());
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
    Print(fmt::format("{} {}  {}\n", Counter(), watch_->PlainLine(now), TimeLeft()));
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
  std::string line =
      fmt::format("{} {}  {} {} {}", Counter(), TimeLeft(), engines_[run_],
                  at_.phase < workloads_.size() ? workloads_[at_.phase] : "", NameOf(at_.stage));
  if (Share() > 0) line += fmt::format(" {:.0f} %", 100 * Share());
  if (at_.stage == Stage::kRest) {
    line += ", unmeasured";
    const double left = at_.rest_seconds * (1 - Share());
    if (left > 0) line += fmt::format(", {} left of it", Duration(left));
  } else if (at_.rate > 0) {
    line += fmt::format(", {:.0f} ops/s", at_.rate);
  }
  return line;
}

// Draws over the previous block in one write, so that nothing flickers.
void ProgressView::DrawBlock(uint64_t now_ns) {
  LookAtTerminal();
  std::string text = is_drawn_ ? OverBlock() : kHideCursor;
  const double elapsed = static_cast<double>(now_ns - started_ns_) * 1e-9;
  block_ = watch_->Lines(fmt::format("{} {}, {}", Counter(), Duration(elapsed), TimeLeft()), style_,
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
  if (at_.of == 0 || at_.of == std::numeric_limits<uint64_t>::max()) return 0;
  return std::min(1.0, static_cast<double>(at_.operations) / static_cast<double>(at_.of));
}

void ProgressView::Hide() {
  if (is_drawn_) Print(watch_ ? OverBlock() + kShowCursor : "\r\033[K");
  is_drawn_ = false;
  std::fflush(stderr);
}

// The work after the last operation (closing, reopening, verifying) is the phase's other half.
double ProgressView::PartDone() const {
  if (at_.stage == Stage::kRun) return 0.5 * Share();
  if (at_.stage == Stage::kVerify) return 0.5 + 0.5 * Share();
  const bool is_behind = at_.stage == Stage::kSettle || at_.stage == Stage::kCheck ||
                         at_.stage == Stage::kRest || at_.stage == Stage::kClose ||
                         at_.stage == Stage::kReopen;
  return is_behind ? 0.5 : 0;
}

// Estimates from the share of the phases that are done, counting the running one in part. The first
// tenth is too short for that.
std::string ProgressView::TimeLeft() const {
  const auto phases = static_cast<double>(engines_.size() * workloads_.size());
  const double done = std::min(count_.done() / phases, 1.0);
  const double elapsed = static_cast<double>(MonotonicNs() - started_ns_) * 1e-9;
  if (done < 0.1) return fmt::format("{} so far", Duration(elapsed));
  return fmt::format("about {} left", Duration(elapsed / done * (1 - done)));
}

}  // namespace levelfield
