#include "run/supervisor.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <deque>

#include "base/clock.h"
#include "base/quote.h"
#include "result/result_json.h"
#include "run/process.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostStderrBytes = 64 << 10;
constexpr size_t kMostTailLines = 20;
constexpr size_t kMostEventBytes = 16 << 20;
constexpr double kSlowFactor = 10;  // Opening, closing, compacting: the engine is at it alone.
constexpr uint64_t kGraceNs = 5'000'000'000;

std::atomic<int> interrupts{0};
void OnInterrupt(int) { interrupts.fetch_add(1); }

// Gathers bytes and gives them back by lines.
class LineBuffer {
 public:
  template <class Take>
  void Add(std::string_view bytes, Take take) {
    pending_ += bytes;
    size_t begin = 0;
    for (size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      take(pending_.substr(begin, end - begin));
    }
    pending_.erase(0, begin);
  }
  const std::string& pending() const { return pending_; }

 private:
  std::string pending_;
};

class Supervisor {
 public:
  Supervisor(const WorkerSpec& spec, StoreDirectory& store, ProgressView& view,
             RunObserver& observer)
      : spec_(spec), store_(store), view_(view), observer_(observer) {}

  RunEnd Run() {
    StatusOr<ChildProcess> child = ChildProcess::Start({"--worker"});
    if (!child.ok()) return Failed(child.status().message());
    const std::string text = ToText(spec_);
    Status status = child->Write(fmt::format("{}\n", text.size()));
    if (status.ok()) status = child->Write(text);
    last_change_ns_ = MonotonicNs();
    Follow(*child);
    const std::string died = child->Wait();
    if (end_.failure.empty() && !died.empty()) {
      end_.failure = fmt::format("died by {}", died);
    } else if (end_.failure.empty() && !is_done_ && !end_.interrupted) {
      end_.failure = "ended without a word";
    }
    if (!stderr_.pending().empty()) KeepLine(stderr_.pending());
    end_.stderr_tail.assign(tail_.begin(), tail_.end());
    end_.failed_phase = phase_;
    if (operations_ != 0) end_.failed_progress = fmt::format("after {} operations", operations_);
    return std::move(end_);
  }

 private:
  RunEnd Failed(std::string why) {
    end_.failure = std::move(why);
    return std::move(end_);
  }

  // Until the worker has closed its pipe of events, or is dead.
  void Follow(ChildProcess& child) {
    bool is_open = true;
    while (is_open) {
      pollfd fds[2] = {{child.output().get(), POLLIN, 0}, {child.error().get(), POLLIN, 0}};
      (void)poll(fds, 2, 100);
      if (fds[0].revents != 0) is_open = ReadEvents(child);
      if (fds[1].revents != 0) ReadStderr(child);
      if (is_open) Watch(child);
    }
    // What it had said before it died.
    while (ReadStderr(child)) {
    }
  }

  bool ReadEvents(ChildProcess& child) {
    char buffer[65536];
    const ssize_t count = read(child.output().get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    events_.Add({buffer, static_cast<size_t>(count)},
                [&](const std::string& line) { OnEvent(child, line); });
    if (events_.pending().size() <= kMostEventBytes) return true;
    end_.failure = "told more than 16 MiB in one line";
    child.Signal(SIGKILL);
    return false;
  }

  bool ReadStderr(ChildProcess& child) {
    pollfd fd{child.error().get(), POLLIN, 0};
    if (poll(&fd, 1, 0) <= 0 || fd.revents == 0) return false;
    char buffer[16384];
    const ssize_t count = read(child.error().get(), buffer, sizeof(buffer));
    if (count <= 0) return false;
    stderr_.Add({buffer, static_cast<size_t>(count)},
                [&](const std::string& line) { KeepLine(line); });
    return stderr_.pending().size() < kMostStderrBytes;
  }

  void KeepLine(const std::string& line) {
    tail_.push_back(Printable(line.substr(0, 1000)));
    if (tail_.size() > kMostTailLines) tail_.pop_front();
  }

  void OnEvent(ChildProcess& child, const std::string& line) {
    const Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) return;
    const std::string kind = event.value("event", "");
    if (kind == "progress") {
      const uint64_t operations = event.value("operations", uint64_t{0});
      if (operations != operations_) last_change_ns_ = MonotonicNs();
      operations_ = operations;
      view_.Progress(operations, event.value("of", uint64_t{0}));
      return;
    }
    last_change_ns_ = MonotonicNs();
    if (kind == "stage") {
      phase_ = event.value("phase", size_t{0});
      stage_ = event.value("stage", "");
      is_slow_ = event.value("slow", false);
      operations_ = 0;
      view_.Stage(phase_, stage_);
    } else if (kind == "clock") {
      end_.clock = event.value("text", "");
    } else if (kind == "empty") {
      const Status status = store_.Wipe();
      if (!status.ok() && end_.failure.empty()) end_.failure = status.message();
      (void)child.Write(status.ok() ? "y" : "n");
    } else if (kind == "phase") {
      StatusOr<PhaseResult> phase = PhaseFromJson(event.value("result", Json()));
      if (!phase.ok()) {
        end_.failure = "told of a phase in words that cannot be read: " + phase.status().message();
        return;
      }
      const StatusOr<uint64_t> bytes = store_.AllocatedBytes();
      if (bytes.ok()) phase->disk_bytes = *bytes;
      observer_.PhaseEnded(event.value("phase", size_t{0}), *phase);
    } else if (kind == "failed") {
      end_.failure = event.value("message", "failed");
    } else if (kind == "done") {
      is_done_ = true;
    }
  }

  // Ends a worker that hangs, or that is no longer wanted.
  void Watch(ChildProcess& child) {
    const uint64_t now = MonotonicNs();
    if (interrupts.load() > 0 && !end_.interrupted) {
      end_.interrupted = true;
      interrupted_ns_ = now;
      child.Signal(SIGTERM);
    }
    if (end_.interrupted && (interrupts.load() > 1 || now - interrupted_ns_ > kGraceNs)) {
      child.Signal(SIGKILL);
      return;
    }
    const double limit = spec_.settings.stall * (is_slow_ ? kSlowFactor : 1);
    const double stalled = static_cast<double>(now - last_change_ns_) * 1e-9;
    if (stalled < limit || !end_.failure.empty()) return;
    end_.failure = fmt::format("hung: no progress in '{}' for {:.1f} s (--stall)",
                               stage_.empty() ? "start" : stage_, stalled);
    child.Signal(SIGKILL);
  }

  const WorkerSpec& spec_;
  StoreDirectory& store_;
  ProgressView& view_;
  RunObserver& observer_;
  RunEnd end_;
  LineBuffer events_;
  LineBuffer stderr_;
  std::deque<std::string> tail_;
  size_t phase_ = 0;
  std::string stage_;
  bool is_slow_ = true;
  bool is_done_ = false;
  uint64_t operations_ = 0;
  uint64_t last_change_ns_ = 0;
  uint64_t interrupted_ns_ = 0;
};

}  // namespace

void InstallInterruptHandlers() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
}

RunEnd Supervise(const WorkerSpec& spec, StoreDirectory& store, ProgressView& view,
                 RunObserver& observer) {
  return Supervisor(spec, store, view, observer).Run();
}

}  // namespace levelfield
