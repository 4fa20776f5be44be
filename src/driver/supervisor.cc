#include "driver/supervisor.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/validity.h"
#include "base/clock.h"
#include "base/process_tree.h"
#include "base/quote.h"
#include "driver/run_file_system.h"
#include "driver/space_recorder.h"
#include "plan/memory_budget.h"
#include "probe/device_queue.h"
#include "probe/machine.h"
#include "probe/memory_group.h"
#include "probe/page_cache.h"
#include "probe/sync_probe.h"
#include "process/process.h"
#include "store/store_space.h"

namespace levelfield {
namespace {

constexpr size_t kMostStderrBytes = 64 << 10;
constexpr size_t kMostTailLines = 20;
constexpr size_t kMostEventBytes = 16 << 20;
// For opening, closing and compacting, in which the engine works without messages.
constexpr double kSlowFactor = 10;
constexpr uint64_t kGraceNs = 5'000'000'000;
constexpr uint64_t kDrainNs = 1'000'000'000;  // For messages that it had sent before it died.

// Gathers bytes and returns lines. Cuts a line at `most` bytes.
class LineBuffer {
 public:
  explicit LineBuffer(size_t most) : most_(most) {}

  template <class Take>
  void Add(std::string_view bytes, Take take) {
    while (!bytes.empty()) {
      const size_t end = bytes.find('\n');
      pending_ += bytes.substr(0, end);
      if (end == std::string_view::npos && pending_.size() < most_) return;
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
      is_cut_ = is_cut_ || pending_.size() >= most_;
      take(pending_);
      pending_.clear();
    }
  }
  const std::string& pending() const { return pending_; }
  bool is_cut() const { return is_cut_; }  // Whether any line was cut.

 private:
  size_t most_;
  std::string pending_;
  bool is_cut_ = false;
};

std::string OutOfMemory(uint64_t limit_bytes) {
  return fmt::format("out of memory: its limit is {:.1f} MiB (--memory)",
                     static_cast<double>(limit_bytes) / (1 << 20));
}

// What took the memory, as it was seen last, and what to do.
std::string OutOfMemoryWords(const WorkerSpec& spec, const MemoryUse& most,
                             std::string_view killed) {
  const auto mebibytes = [](uint64_t bytes) {
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
  };
  const HarnessMemory ours = HarnessMemoryOf(spec.settings, spec.phases);
  const uint64_t of_harness = ours.Sum();
  std::string text = fmt::format("the kernel's oom_kill ended {}; ", killed);
  if (most.own_bytes > 0) {
    text += fmt::format(
        "at its most its own memory was {}, beside {} of page cache: about {} of the engine and {} "
        "of the harness ({} for its model of {} keys, {} for {} threads); ",
        mebibytes(most.own_bytes), mebibytes(most.page_cache_bytes),
        mebibytes(most.own_bytes - std::min(of_harness, most.own_bytes)), mebibytes(of_harness),
        mebibytes(ours.model_bytes), spec.settings.num, mebibytes(ours.thread_bytes), ours.threads);
  }
  return text +
         "give it more, or have the engine use less (--cache_size, --write_buffer_size), or fewer "
         "threads or keys";
}

}  // namespace

// Follows one worker process. One thread calls it; the worker is the other side.
//
// Invariants:
// - The worker runs only while Follow reads its pipe, or if takes_turns_ is false. Between turns it
//   is frozen and its pipe is drained: is_frozen_ then, and waits_for_turn_ says how its turn
//   ended.
// - What was seen for the present phase is moved into it when PhaseEnded comes; into an audit,
//   dirty_pages_ when Audited comes.
// - A phase is complete, and judged, before the observer gets it.
// - end_.failure keeps the first failure.
class Supervisor {
 public:
  Supervisor(const WorkerSpec& spec, StoreFiles* store, ProgressView& view, RunObserver& observer,
             FleetGate* gate = nullptr)
      : spec_(spec),
        gate_(gate),
        store_(store),
        view_(view),
        observer_(observer),
        guards_{SpaceGuard(spec.directory)},
        device_(spec.takes_turns ? spec.directory : "") {
    // An image takes its space from another file system, which may have less.
    const Settings& settings = spec.settings;
    if (!settings.fs.empty()) guards_.emplace_back(PlaceOfImages(settings, spec.results_directory));
  }

  RunEnd Run() {
    Start();
    return End();
  }

  // The end reports errors.
  void Start() {
    const uint64_t memory = spec_.settings.memory;
    if (memory > 0) {
      StatusOr<MemoryGroup> made = MemoryGroup::Create(memory);
      if (!made.ok()) return Fail(made.status().message());
      group_.emplace(std::move(*made));
      DropFromPageCache(spec_.directory);  // Pages that others have read would be free.
    }
    StatusOr<ChildProcess> started = ChildProcess::Start(
        {"--worker", std::string(spec_.padding_bytes, 'x')}, group_ ? group_->procs_fd() : -1);
    if (!started.ok()) return Fail(started.status().message());
    ChildProcess& child = child_.emplace(std::move(*started));
    WorkerSpec told = spec_;
    told.clock = ChosenClock(spec_.settings.clock == "tsc");
    const std::string text = ToText(told);
    Status status = child.Write(fmt::format("{}\n", text.size()));
    if (status.ok()) status = child.Write(text);
    last_change_ns_ = MonotonicNs();
    oom_kills_ = OomKillsSoFar();
  }

  // Runs until the worker gives its turn back, then freezes it. Nothing if it has ended instead.
  std::optional<TurnEnded> Turn() {
    if (!child_) Start();
    if (!child_ || has_ended_) return std::nullopt;
    GiveTurn();
    Follow(*child_);
    if (!waits_for_turn_) {
      has_ended_ = true;
      return std::nullopt;
    }
    FreezeAndDrain();
    return waits_for_turn_;
  }

  pid_t process() const { return child_ ? child_->pid() : -1; }
  std::vector<ProcessId> others() const {
    return child_ ? child_->others() : std::vector<ProcessId>();
  }
  void TakeConditions(const Conditions& conditions) { conditions_ = conditions; }

  RunEnd End() {
    if (!child_) {  // It could not be started, or was interrupted before.
      end_.interrupted = Interrupts() > 0;
      return std::move(end_);
    }
    takes_turns_ = false;
    if (!has_ended_) {
      GiveTurn();
      Follow(*child_);
    }
    const std::string died = child_->Wait();
    if (!stderr_.pending().empty()) KeepLine(stderr_.pending());
    if (group_) {
      const uint64_t memory = spec_.settings.memory;
      end_.memory = {.limit_bytes = memory, .peak_bytes = group_->PeakBytes()};
      if (!died.empty() && group_->HasKilled() && end_.failure.empty()) {
        Fail(OutOfMemory(memory), FailureCause::kMemoryLimit);
        end_.circumstances = OutOfMemoryWords(spec_, most_used_, "it");
      }
    }
    if (was_stopped_ && Interrupts() > 0) end_.interrupted = true;
    if (was_stopped_ && !end_.interrupted) {
      Fail("was stopped by a signal to its process, which Levelfield did not send,");
    }
    // After an interrupt its end is our doing.
    if (end_.failure.empty() && !end_.interrupted) {
      if (!died.empty()) {
        Fail(fmt::format("died by {}", died), FailureCause::kDied);
        end_.died = died;
        AddCircumstances(OomKillsSoFar() - oom_kills_);
      } else if (!is_done_) {
        Fail("exited without reporting a result");
      }
    }
    end_.closed = is_closed_ && is_done_ && died.empty() && end_.failure.empty();
    end_.stderr_tail.assign(tail_.begin(), tail_.end());
    end_.failed_phase = phase_;
    if (operations_ != 0) end_.failed_progress = fmt::format("after {} operations", operations_);
    return std::move(end_);
  }

 private:
  // The flushes of the engine's threads are charged to its next turn, and do not disturb the next
  // worker. If flushes are measured, so is the device's unfinished work.
  void FreezeAndDrain() {
    constexpr uint64_t kMostNs = 100'000'000;  // Others may keep the device busy for ever.
    const uint64_t begun_ns = MonotonicNs();
    const bool is_busy = device_.IsBusy();
    is_frozen_ = child_->Freeze();
    if (!is_busy) return;
    while (waits_for_turn_->flushes && device_.IsBusy() && MonotonicNs() - begun_ns < kMostNs) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    charged_ns_ = MonotonicNs() - begun_ns;
  }

  // The free space for the store, or for its image if that has less.
  StatusOr<FreeSpace> ScarcestSpace() const {
    StatusOr<FreeSpace> space = FreeSpaceAt(spec_.directory);
    if (spec_.settings.fs.empty() || !space.ok()) return space;
    StatusOr<FreeSpace> below = FreeSpaceAt(PlaceOfImages(spec_.settings, spec_.results_directory));
    return below.ok() && below->free_bytes < space->free_bytes ? below : space;
  }

  // Other possible reasons for its death.
  void AddCircumstances(uint64_t oom_kills) {
    std::string& text = end_.circumstances;
    if (child_->was_killed() && oom_kills > 0) {
      end_.cause = FailureCause::kMachineMemory;
      text = fmt::format(
          "the machine or an outer limit ran out of memory: the kernel's oom_kill counter went up "
          "by {} meanwhile; ",
          oom_kills);
    }
    const StatusOr<FreeSpace> space = ScarcestSpace();
    const bool is_full = space.ok() && IsFull(*space);
    if (is_full) end_.cause = FailureCause::kDiskFull;
    text +=
        space.ok() ? (is_full ? "disk full: " : "") + SpaceText(*space) : space.status().message();
    if (!tail_.empty()) text += "; its last words: " + tail_.back();
  }

  // On a full disk an engine's error may say anything.
  void AddFullDisk(PhaseResult& phase) const {
    if (phase.outcome != Outcome::kFailed) return;
    const StatusOr<FreeSpace> space = ScarcestSpace();
    const bool is_full = space.ok() && IsFull(*space);
    if (is_full || TellsOfAFullDisk(phase.message)) {
      phase.cause = FailureCause::kDiskFull;
    }
    if (is_full) phase.message += "; disk full: " + SpaceText(*space);
  }

  // An engine whose other process was ended says that it does not answer.
  void AddOutOfMemory(PhaseResult& phase) const {
    if (phase.outcome != Outcome::kFailed || !group_ || !group_->HasKilled()) return;
    phase.cause = FailureCause::kMemoryLimit;
    phase.message =
        fmt::format("{}: {}; {}", OutOfMemory(spec_.settings.memory), phase.message,
                    OutOfMemoryWords(spec_, most_used_, "a process that works for the engine"));
  }

  // Names the reason for the phase that the guard ended, and for those that could not begin.
  void NameLowSpace(PhaseResult& phase) {
    if (end_.low_space.empty() || phase.outcome != Outcome::kInterrupted) return;
    phase.outcome = stopped_phase_.empty() ? Outcome::kStopped : Outcome::kNotRun;
    phase.message =
        stopped_phase_.empty() ? end_.low_space : "not run: low space ended " + stopped_phase_;
    phase.cause = FailureCause::kLowSpace;
    if (stopped_phase_.empty()) stopped_phase_ = phase.workload;
  }

  // To the waiting worker.
  void GiveTurn() {
    constexpr uint64_t kLongNs = 1'000'000'000;  // Others loaded their stores meanwhile.
    if (MonotonicNs() - last_change_ns_ > kLongNs) RestGuards();
    last_change_ns_ = MonotonicNs();
    if (std::exchange(is_frozen_, false)) child_->Thaw();
    const uint64_t charged_ns = std::exchange(charged_ns_, 0);
    if (!std::exchange(waits_for_turn_, std::nullopt)) return;
    (void)child_->Write({reinterpret_cast<const char*>(&charged_ns), sizeof(charged_ns)});
  }

  void RestGuards() {
    for (SpaceGuard& guard : guards_) guard.Rest();
  }

  // Follows the worker until it is dead and its pipes are empty, or it gives its turn back. Closed
  // pipes alone mean nothing: a live worker may close them, and a child process may keep those of a
  // dead one open.
  void Follow(ChildProcess& child) {
    bool has_events = true;
    bool has_errors = true;
    uint64_t ended_ns = 0;
    while (true) {
      if (ended_ns == 0 && child.HasEnded()) {
        ended_ns = MonotonicNs();
        child.Signal(SIGKILL);  // Kills processes that it left behind.
      }
      pollfd fds[2] = {{has_events ? child.output().get() : -1, POLLIN, 0},
                       {has_errors ? child.error().get() : -1, POLLIN, 0}};
      const int ready = poll(fds, 2, ended_ns != 0 ? 0 : has_events ? MostWaitMs() : 2);
      if (fds[0].revents != 0) has_events = ReadEvents(child);
      if (waits_for_turn_ && takes_turns_) return;
      if (fds[1].revents != 0) has_errors = ReadStderr(child);
      if (ended_ns == 0) {
        SampleMemory();
        Watch(child);
      } else if (ready <= 0 || MonotonicNs() - ended_ns > kDrainNs) {
        return;
      }
    }
  }

  // The kernel has no figures of a group whose process it has ended.
  void SampleMemory() {
    constexpr uint64_t kEveryNs = 50'000'000;
    const uint64_t now_ns = MonotonicNs();
    if (!group_ || now_ns - sampled_ns_ < kEveryNs) return;
    sampled_ns_ = now_ns;
    const MemoryUse use = group_->Use();
    if (use.own_bytes >= most_used_.own_bytes) most_used_ = use;
  }

  bool IsGuarded() const {
    return spec_.settings.space_guard != "off" && end_.low_space.empty() &&
           (stage_ == Stage::kRun || stage_ == Stage::kSettle || stage_ == Stage::kRest);
  }

  int MostWaitMs() const {
    if (!IsGuarded()) return 100;
    uint64_t wait_ms = 100;
    for (const SpaceGuard& guard : guards_) {
      wait_ms = std::min(wait_ms, guard.UntilNextNs(MonotonicNs()) / 1'000'000);
    }
    return static_cast<int>(wait_ms);
  }

  bool ReadEvents(ChildProcess& child) {
    const ssize_t count = read(child.output().get(), buffer_.data(), buffer_.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    events_.Add({buffer_.data(), static_cast<size_t>(count)},
                [&](const std::string& line) { OnLine(child, line); });
    if (!events_.is_cut()) return true;
    Fail("sent a message of more than 16 MiB");
    child.Signal(SIGKILL);
    return false;
  }

  bool ReadStderr(ChildProcess& child) {
    char buffer[16384];
    const ssize_t count = read(child.error().get(), buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    stderr_.Add({buffer, static_cast<size_t>(count)},
                [&](const std::string& line) { KeepLine(line); });
    return true;
  }

  // Keeps the first failure.
  void Fail(std::string why, FailureCause cause = FailureCause::kNotKnown) {
    if (!end_.failure.empty()) return;
    end_.failure = std::move(why);
    end_.cause = cause;
  }

  void KeepLine(const std::string& line) {
    tail_.push_back(Printable(line.substr(0, 1000)));
    if (tail_.size() > kMostTailLines) tail_.pop_front();
  }

  void OnLine(ChildProcess& child, const std::string& line) {
    StatusOr<std::optional<Message>> message = ParseMessage(line);
    if (!message.ok()) return Fail(message.status().message());
    if (!message->has_value()) return;
    const bool shows_life = !std::holds_alternative<Progressed>(**message) &&
                            !std::holds_alternative<Percentile99>(**message);
    if (shows_life) last_change_ns_ = MonotonicNs();
    std::visit([&](auto& it) { On(it, child); }, **message);
  }

  void On(const Progressed& it, ChildProcess&) {
    if (it.operations != operations_) last_change_ns_ = MonotonicNs();
    operations_ = it.operations;
    view_.Progress(it.operations, it.of);
    observer_.Progressed(it.operations);
  }
  void On(const RestBegan& it, ChildProcess&) {
    if (it.phase >= spec_.phases.size()) return;
    const PlannedPhase& fill = spec_.phases[it.phase];
    view_.BeginRest(fill.workload.name, fill.completed_for, it.done, it.left, it.seconds);
  }
  void On(const Percentile99& it, ChildProcess&) { view_.Percentile99(it.latency_ns); }

  void On(const StageBegan& it, ChildProcess&) {
    phase_ = it.phase;
    stage_ = it.stage;
    is_slow_ = it.is_slow;
    operations_ = 0;
    space_.BeginStage(stage_, last_change_ns_);
    RestGuards();
    view_.BeginStage(phase_, stage_);
    observer_.StageBegan(phase_, stage_);
  }
  void On(WorkerFacts& it, ChildProcess&) {
    end_.clock = std::move(it.clock);
    end_.clock_kind = it.clock_kind;
    end_.allocator = std::move(it.allocator);
    end_.cpus = std::move(it.cpus);
  }
  void On(CacheDescribed& it, ChildProcess&) { end_.cache = std::move(it.run); }
  void On(StoreConfigured& it, ChildProcess&) {
    end_.configuration.emplace_back(std::move(it.durability), std::move(it.text));
    end_.round_trip_ns = it.round_trip_ns;
  }
  void On(const ProcessesTold& it, ChildProcess& child) {
    std::vector<ProcessId> processes;
    for (const int pid : it.processes) {
      if (const auto process = FindProcess(pid)) processes.push_back(*process);
    }
    if (group_) {
      for (const ProcessId& one : TreesOf(processes)) group_->Take(one.pid);
    }
    child.WorkWith(std::move(processes));
  }
  void On(Noted& it, ChildProcess&) {
    end_.notes.push_back(std::move(it.text));
    view_.SayOnce("note: " + Printable(end_.notes.back()));
  }
  void On(const StoreHolds& it, ChildProcess&) { end_.entries = it.entries; }
  void On(Audited& it, ChildProcess&) {
    AddDirtyPages(std::exchange(dirty_pages_, std::nullopt), it.audit);
    end_.audits.emplace_back(std::move(it.durability), std::move(it.audit));
  }
  void On(const IntervalEnded& it, ChildProcess&) {
    observer_.IntervalEnded(it.phase, it.interval);
  }
  void On(PhaseEnded& it, ChildProcess&) {
    AddWhatWorkersCannotSee(it.result);
    observer_.Complete(it.result);
    VoidIfUnsound(it.result);
    was_stopped_ = was_stopped_ || it.result.outcome == Outcome::kInterrupted;
    observer_.PhaseEnded(it.phase, it.result);
  }
  void On(const RequestMade& it, ChildProcess& child) {
    const Status status = Answer(it.request);
    if (!status.ok()) Fail(status.message());
    // The worker waited meanwhile, so it is not hung, and no check of the space was late.
    last_change_ns_ = MonotonicNs();
    RestGuards();
    (void)child.Write(status.ok() ? "y" : "n");
  }
  void On(const GateReached& it, ChildProcess& child) {
    const GateAnswer answer = gate_ == nullptr
                                  ? GateAnswer{.failure = "there is no fleet"}
                                  : gate_->Meet({.gate = it.gate,
                                                 .tells = it.tells,
                                                 .failure = it.failure,
                                                 .compares_clocks = it.compares_clocks});
    last_change_ns_ = MonotonicNs();  // It has waited for others.
    RestGuards();
    (void)child.Write(ToText(answer) + "\n");
  }
  void On(const TurnEnded& it, ChildProcess&) {
    waits_for_turn_ = it;
    // After an interrupt it goes on alone to its end.
    if (!takes_turns_ || end_.interrupted) GiveTurn();
  }
  void On(const StoreClosed&, ChildProcess&) { is_closed_ = true; }
  void On(const RunFailed& it, ChildProcess&) { Fail(it.message); }
  void On(const Done&, ChildProcess&) { is_done_ = true; }

  Status Answer(Request request) {
    switch (request) {
      case Request::kEmptyDatabase:
        // A worker never asks for that. If it did, an existing store would be kept.
        return spec_.origin.exists || store_ == nullptr
                   ? Status::Failed("asked to empty a store that is to be kept")
                   : store_->Wipe();
      case Request::kSyncFiles:
        return SyncFiles(spec_.directory);
      case Request::kLookAtPageCache:
      case Request::kDropPageCache:
        return BeginPageCacheShare(request == Request::kDropPageCache);
      case Request::kTimeSyncs:
        return ProbeSyncs(DirectoryForProbe(), sync_probe_.emplace());
      case Request::kFindDirtyPages:
        dirty_pages_ = DirtyPagesOf(spec_.directory);
        return Status::Ok();
      case Request::kLiftMemoryLimit:
        return group_->Lift();
      case Request::kHoldMemoryLimit:
        // The kernel takes back only pages that are written.
        RETURN_IF_ERROR(SyncFiles(spec_.directory));
        return group_->Hold();
    }
    return Status::Failed("asked for something unknown");
  }

  Status BeginPageCacheShare(bool drops) {
    if (drops) DropFromPageCache(spec_.directory);
    const Residency residency = ResidencyOf(spec_.directory);
    page_cache_ = PageCacheShare{.was_dropped = drops,
                                 .file_bytes = residency.file_bytes,
                                 .cached_bytes = residency.cached_bytes};
    return Status::Ok();
  }

  // Adds what the worker cannot see itself: the page cache, the disk, the guard's stop.
  void AddWhatWorkersCannotSee(PhaseResult& phase) {
    if (sync_probe_ && phase.limits) {
      sync_probe_->copy_bytes_per_second = phase.limits->copy_bytes_per_second;
      phase.limits = std::exchange(sync_probe_, std::nullopt);
    }
    if (page_cache_) {
      const Residency residency = ResidencyOf(spec_.directory);
      page_cache_->end_file_bytes = residency.file_bytes;
      page_cache_->end_cached_bytes = residency.cached_bytes;
      phase.page_cache = std::exchange(page_cache_, std::nullopt);
    }
    if (phase.slices) phase.conditions = std::exchange(conditions_, std::nullopt);
    // Its own limit makes it wait, so the share says nothing of other work.
    if (spec_.settings.memory != 0 && phase.conditions) phase.conditions->memory_wait_share.reset();
    AddFullDisk(phase);
    AddOutOfMemory(phase);
    NameLowSpace(phase);
    SpaceSeries space = space_.Take();
    if (phase.ticks && !phase.slices && !space.at_ms.empty()) phase.space = std::move(space);
    phase.disk_bytes = SampleDisk();
    phase.peak_disk_bytes = std::max(peak_disk_bytes_, phase.disk_bytes);
    peak_disk_bytes_ = 0;
  }

  static void AddDirtyPages(std::optional<std::vector<std::pair<std::string, uint64_t>>> files,
                            Audit& audit) {
    if (!files) return;
    audit.dirty_files = std::move(*files);
    uint64_t& pages = audit.dirty_pages.emplace(0);
    for (const auto& [file, count] : audit.dirty_files) pages += count;
  }

  // On the store's file system, but in nobody's store.
  std::string DirectoryForProbe() const {
    namespace fs = std::filesystem;
    struct stat store {};
    struct stat results {};
    const bool is_same = stat(spec_.directory.c_str(), &store) == 0 &&
                         stat(spec_.results_directory.c_str(), &results) == 0 &&
                         store.st_dev == results.st_dev;
    if (is_same) return spec_.results_directory;
    // One of our stores is in db/ below its own directory.
    const fs::path above = fs::path(spec_.directory).parent_path();
    return spec_.origin.exists ? above.string() : above.parent_path().string();
  }

  // At most a 250th of a core's time, however many files there are.
  uint64_t SampleDisk() {
    if (store_ == nullptr) return 0;
    const uint64_t start_ns = MonotonicNs();
    const StatusOr<uint64_t> bytes = store_->AllocatedBytes();
    const uint64_t now_ns = MonotonicNs();
    next_sample_ns_ = now_ns + std::max<uint64_t>(1'000'000'000, 250 * (now_ns - start_ns));
    if (!bytes.ok()) return 0;
    peak_disk_bytes_ = std::max(peak_disk_bytes_, *bytes);
    space_.Add(now_ns, *bytes);
    return *bytes;
  }

  // Kills a worker that hangs, or that is no longer wanted.
  void Watch(ChildProcess& child) {
    const uint64_t now = MonotonicNs();
    if (Interrupts() > 0 && !end_.interrupted) {
      end_.interrupted = true;
      interrupted_ns_ = now;
      child.Signal(SIGTERM);
    }
    for (SpaceGuard& guard : guards_) {
      if (!IsGuarded() || !guard.IsLow(now)) continue;
      end_.low_space = fmt::format(
          "low space: {}, and at this rate less than {:.1f} MiB would be before it can stop "
          "(--space_guard=off fills the disk); use fewer or smaller entries, or another disk",
          SpaceText(guard.space()),
          static_cast<double>(LeastFreeBytes(guard.space().total_bytes)) / (1 << 20));
      child.Signal(SIGTERM);
    }
    // After the guard, which cannot wait while many files are counted.
    if (now >= next_sample_ns_) (void)SampleDisk();
    if (end_.interrupted && (Interrupts() > 1 || now - interrupted_ns_ > kGraceNs)) {
      child.Signal(SIGKILL);
      return;
    }
    const double limit = spec_.settings.stall * (is_slow_ ? kSlowFactor : 1);
    const double stalled = static_cast<double>(now - last_change_ns_) * 1e-9;
    if (stalled < limit) return;
    const std::string where = child.Whereabouts();
    Fail(fmt::format("hung: no progress in '{}' for {:.1f} s (--stall{})", NameOf(stage_), stalled,
                     where.empty() ? "" : "; its process " + where),
         FailureCause::kHung);
    child.Signal(SIGKILL);
  }

  const WorkerSpec& spec_;
  FleetGate* const gate_;
  StoreFiles* store_;
  ProgressView& view_;
  RunObserver& observer_;
  std::vector<SpaceGuard> guards_;
  std::string stopped_phase_;  // The phase that the guard stopped.
  RunEnd end_;
  LineBuffer events_{kMostEventBytes};
  LineBuffer stderr_{kMostStderrBytes};
  std::vector<char> buffer_ = std::vector<char>(size_t{64} << 10);  // Too much for a small stack.
  std::deque<std::string> tail_;
  std::optional<MemoryGroup> group_;
  MemoryUse most_used_;  // Of `group_`, as far as it was seen.
  uint64_t sampled_ns_ = 0;
  std::optional<ChildProcess> child_;
  uint64_t oom_kills_ = 0;   // Before it began.
  bool takes_turns_ = true;  // Otherwise it gets each turn at once.
  bool is_frozen_ = false;
  bool has_ended_ = false;  // Without being asked to.
  std::optional<TurnEnded> waits_for_turn_;
  const DeviceQueue device_;
  uint64_t charged_ns_ = 0;  // Added to its next turn.
  size_t phase_ = 0;
  Stage stage_ = Stage::kStart;
  bool is_slow_ = true;
  bool is_closed_ = false;
  bool is_done_ = false;
  bool was_stopped_ = false;  // A phase was interrupted.
  uint64_t operations_ = 0;
  uint64_t last_change_ns_ = 0;
  uint64_t interrupted_ns_ = 0;
  std::optional<PageCacheShare> page_cache_;  // At the begin of the present phase.
  std::optional<MachineLimits> sync_probe_;   // For the present phase.
  std::optional<Conditions> conditions_;      // For a phase in slices that is over.
  // For the audited store, after its last commit.
  std::optional<std::vector<std::pair<std::string, uint64_t>>> dirty_pages_;
  SpaceRecorder space_;           // For the present phase.
  uint64_t peak_disk_bytes_ = 0;  // Since the last phase ended.
  uint64_t next_sample_ns_ = 0;
};

bool TellsOfAFullDisk(const std::string& message) {
  for (const int error : {ENOSPC, EDQUOT}) {
    if (message.find(std::strerror(error)) != std::string::npos) return true;
  }
  return false;
}

TurnTaker::TurnTaker(const WorkerSpec& spec, StoreFiles* store, ProgressView& view,
                     RunObserver& observer)
    : supervisor_(std::make_unique<Supervisor>(spec, store, view, observer)) {}
TurnTaker::TurnTaker(TurnTaker&&) noexcept = default;
TurnTaker& TurnTaker::operator=(TurnTaker&&) noexcept = default;
TurnTaker::~TurnTaker() = default;

std::optional<TurnEnded> TurnTaker::Turn() { return supervisor_->Turn(); }
pid_t TurnTaker::process() const { return supervisor_->process(); }
std::vector<ProcessId> TurnTaker::others() const { return supervisor_->others(); }
void TurnTaker::TakeConditions(const Conditions& conditions) {
  supervisor_->TakeConditions(conditions);
}
RunEnd TurnTaker::End() { return supervisor_->End(); }

RunEnd Supervise(const WorkerSpec& spec, StoreFiles* store, ProgressView& view,
                 RunObserver& observer, FleetGate* gate) {
  return Supervisor(spec, store, view, observer, gate).Run();
}

}  // namespace levelfield
