#include "worker/settle.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/whole_file.h"
#include "probe/resource_probe.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr double kQuietShare = 0.01;
constexpr double kLeastCpu = 1;             // Processors.
constexpr double kLeastByteRate = 4 << 20;  // A second.

// What the process has done so far, without the calling thread.
struct Activity {
  double cpu_seconds = 0;
  double bytes = 0;

  static Activity Now() {
    const auto io = ProcessIo();
    return {
        .cpu_seconds = CpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - CpuSeconds(CLOCK_THREAD_CPUTIME_ID),
        .bytes = io ? static_cast<double>(io->write_call_bytes) : 0};
  }
};

// The most activity in a second that still counts as rest.
Activity RestOf(const PhaseResult& phase) {
  Activity rest{.cpu_seconds = kLeastCpu, .bytes = kLeastByteRate};
  if (phase.resources && phase.run_seconds > 0) {
    const Resources& used = *phase.resources;
    rest.cpu_seconds =
        std::max(rest.cpu_seconds, (used.user_seconds + used.system_seconds) / phase.run_seconds);
    if (used.io) {
      rest.bytes =
          std::max(rest.bytes, static_cast<double>(used.io->write_call_bytes) / phase.run_seconds);
    }
  }
  rest.cpu_seconds *= kQuietShare;
  rest.bytes *= kQuietShare;
  return rest;
}

// The process's threads except this one: how many there are, and whether one runs or waits for the
// disk.
struct Others {
  size_t count = 0;
  bool works = false;
};

Others LookAtOthers() {
  Others others;
  const std::string self = std::to_string(gettid());
  std::error_code error;
  for (fs::directory_iterator it("/proc/self/task", error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename() == self) continue;
    ++others.count;
    // "7 (name) S ...": the name may hold anything, even a parenthesis.
    const std::string stat = ReadAll(it->path() / "stat");
    const size_t behind = stat.rfind(") ");
    if (behind == std::string::npos || behind + 2 >= stat.size()) continue;  // It has just ended.
    const char state = stat[behind + 2];
    others.works = others.works || state == 'R' || state == 'D';
  }
  return others;
}

// When the process came to rest, by MonotonicNs: the begin of the first window in which it rested.
// Nothing: given up.
std::optional<uint64_t> WatchUntilRest(const PhaseResult& phase, const SettleRule& rule,
                                       const std::function<bool(uint64_t, uint64_t)>& go_on) {
  const Activity rest = RestOf(phase);
  const double most_seconds = std::max(rule.most_seconds, 10 * phase.run_seconds);
  const uint64_t start_ns = MonotonicNs();
  Activity before = Activity::Now();
  uint64_t window_ns = start_ns;
  while (true) {
    std::this_thread::sleep_for(std::chrono::duration<double>(rule.window_seconds));
    const Activity now = Activity::Now();
    const double seconds = SecondsSince(window_ns);
    const bool rests = (now.cpu_seconds - before.cpu_seconds) < rest.cpu_seconds * seconds &&
                       (now.bytes - before.bytes) < rest.bytes * seconds && !LookAtOthers().works;
    if (rests) return window_ns;
    window_ns = MonotonicNs();
    before = now;
    const double passed = SecondsSince(start_ns);
    if (!go_on(static_cast<uint64_t>(passed * 1e3), static_cast<uint64_t>(most_seconds * 1e3)) ||
        passed > most_seconds) {
      return std::nullopt;
    }
  }
}

}  // namespace

StatusOr<Settle> SettleStore(Store& store, const PhaseResult& phase, const SettleRule& rule,
                             const std::function<bool(uint64_t, uint64_t)>& go_on) {
  Settle settle;
  const auto note = [&](const char* how) {
    settle.how += (settle.how.empty() ? "" : ", ") + std::string(how);
  };
  const auto is_absent = [](const Status& status) { return status.kind() == ErrorKind::kUsage; };
  const uint64_t start_ns = MonotonicNs();
  const Status flushed = store.Flush();
  if (!flushed.ok() && !is_absent(flushed)) return flushed;
  if (flushed.ok()) note("flush");
  std::optional<uint64_t> rest_ns;
  const Status waited = store.WaitForBackground();
  if (!waited.ok() && !is_absent(waited)) return waited;
  if (waited.ok()) {
    note("wait_for_background");
  } else if (LookAtOthers().count != 0) {
    note("watched until its threads rest");
    rest_ns = WatchUntilRest(phase, rule, go_on);
    settle.complete = rest_ns.has_value();
  } else {
    note("it has no threads to wait for");
  }
  settle.seconds = static_cast<double>(rest_ns.value_or(MonotonicNs()) - start_ns) * 1e-9;
  return settle;
}

bool SettlePhase(RunningPhase& now) {
  if (!now.writes() || !now.needs_store() || now.settings().carry_debt) return true;
  if (now.workload().act.goes_on()) return true;  // The next act meets what this one has left.
  now.BeginStage(Stage::kSettle, true);
  ResourceProbe& resources = now.worker().settle_resources;
  resources.Begin();
  StatusOr<Settle> settle =
      SettleStore(now.store().open(), now.result(), SettleRule(), [&](uint64_t ms, uint64_t of) {
        now.Tell(ms, of);
        return !now.IsInterrupted();
      });
  if (!now.Keep(settle.status())) return false;
  const Resources used = resources.Used();
  settle->cpu_seconds = used.user_seconds + used.system_seconds;
  if (used.io) settle->dirtied_bytes = used.io->dirtied_bytes;
  now.result().settle = std::move(*settle);
  return true;
}

}  // namespace levelfield
