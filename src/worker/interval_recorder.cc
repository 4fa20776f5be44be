#include "worker/interval_recorder.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "probe/other_processes.h"
#include "probe/resource_probe.h"
#include "worker/verifier.h"

namespace levelfield {
namespace {

constexpr size_t kMostActivities = 32;  // Names; an engine that makes up more is not asked again.

// Ticks in ascending order as runs of neighbours.
std::vector<std::pair<uint64_t, uint64_t>> RunsOf(const std::vector<uint64_t>& ticks) {
  std::vector<std::pair<uint64_t, uint64_t>> runs;
  for (const uint64_t tick : ticks) {
    if (!runs.empty() && runs.back().second + 1 == tick) {
      runs.back().second = tick;
    } else {
      runs.emplace_back(tick, tick);
    }
  }
  return runs;
}

// When neighbours merge, the end of the second counts; an odd last one keeps its own.
template <class T, class Join>
void JoinNeighbours(std::vector<T>& values, Join join) {
  for (size_t i = 0; i < values.size(); i += 2) {
    if (i + 1 < values.size()) join(values[i], values[i + 1]);
    if (i != 0) values[i / 2] = std::move(values[i]);
  }
  values.resize((values.size() + 1) / 2);
}

void AddResponses(const SparseHistogram& response_ns, StatisticsInterval& sum) {
  if (!sum.response_ns) sum.response_ns.emplace();
  sum.response_ns->Merge(response_ns);
}

// By kind of call.
void AddTaken(const std::vector<SparseHistogram>& taken, std::vector<Histogram>& sums) {
  sums.resize(std::max(sums.size(), taken.size()));
  for (size_t i = 0; i < taken.size(); ++i) sums[i].Merge(taken[i].Whole());
}

std::optional<uint64_t> DirtiedBytes(const std::vector<ProcessId>& others) {
  Resources used;
  used.io = ProcessIo();
  AddUseOf(others, used);
  if (!used.io) return std::nullopt;
  return used.io->dirtied_bytes;
}

}  // namespace

IntervalRecorder::IntervalRecorder(const Workload& workload, PhaseRun& run, const Store* store,
                                   double interval_seconds, const RateCurve* curve)
    : workload_(workload),
      run_(run),
      store_(store != nullptr && store->TellsActivities() ? store : nullptr),
      curve_(curve),
      interval_ns_(static_cast<uint64_t>(std::llround(interval_seconds * 10)) * kTickNs),
      at_tick_(run.roles.size()),
      at_interval_(run.roles.size()) {
  for (size_t r = 0; r < run.roles.size(); ++r) {
    for (size_t t = 0; t < run.roles[r].tasks.size(); ++t) {
      threads_.push_back(
          {.role = r, .task = &run.roles[r].tasks[t], .result = &run.roles[r].results[t]});
    }
  }
  run_.ticks.operations.resize(run.roles.size());
  if (store_ != nullptr) run_.ticks.activities.emplace();
  if (store != nullptr) others_ = store->Processes();
  if (curve == nullptr) return;
  for (const RateCurve::Part& part : curve->parts()) {
    run_.load_parts.push_back({.begin_seconds = part.begin_seconds,
                               .end_seconds = part.end_seconds,
                               .rate = part.rate,
                               .service_ns = {},
                               .response_ns = {}});
  }
}

void IntervalRecorder::Begin(uint64_t now_ns) {
  begun_ns_ = now_ns;
  dirtied_at_tick_ = DirtiedBytes(others_).value_or(0);
  next_tick_ns_ = now_ns + tick_ns_;
  interval_begin_ns_ = now_ns;
  if (interval_ns_ != 0) SetNextInterval(now_ns);
}

// Seconds of the first role's schedule that are over.
double IntervalRecorder::CurveSeconds(uint64_t now_ns) const {
  const uint64_t begin_ns = threads_.front().task->load_begin_ns;
  return now_ns > begin_ns ? static_cast<double>(now_ns - begin_ns) * 1e-9 : 0;
}

void IntervalRecorder::SetNextInterval(uint64_t now_ns) {
  next_interval_ns_ = begun_ns_ + ((now_ns - begun_ns_) / interval_ns_ + 1) * interval_ns_;
  if (!HasParts()) return;
  const double seconds = CurveSeconds(now_ns);
  part_ = curve_->PartAt(seconds);
  const double left_ns = (curve_->PartEndSeconds(seconds) - seconds) * 1e9;
  next_interval_ns_ = std::min(next_interval_ns_, now_ns + static_cast<uint64_t>(left_ns) + 1);
}

std::chrono::nanoseconds IntervalRecorder::UntilNext(uint64_t now_ns) const {
  const uint64_t next_ns =
      interval_ns_ != 0 ? std::min(next_tick_ns_, next_interval_ns_) : next_tick_ns_;
  const uint64_t due_ns = next_ns > now_ns ? next_ns - now_ns : 0;
  return std::chrono::nanoseconds(std::min(due_ns, kTickNs));
}

void IntervalRecorder::Look(uint64_t now_ns) {
  TakeRotated();
  if (now_ns >= next_tick_ns_) {
    AddTick(now_ns);
    NoteActivities();
    while (next_tick_ns_ <= now_ns) next_tick_ns_ += tick_ns_;
    if (run_.ticks.end_ms.size() >= kMostTicks) HalveTicks();
  }
  if (interval_ns_ == 0 || now_ns < next_interval_ns_) return;
  AddInterval(now_ns);
  for (Watched& thread : threads_) {
    if (!thread.task->timed || thread.asked) continue;
    thread.asked = run_.intervals.size() - 1;
    thread.asked_part = part_;
    thread.task->control->AskToRotate();
  }
  SetNextInterval(now_ns);
  is_told_ = false;
  if (run_.intervals.size() >= kMostIntervals) HalveIntervals();
}

std::optional<uint64_t> IntervalRecorder::NewPercentile99() {
  const auto is_asked = [](const Watched& thread) { return thread.asked.has_value(); };
  if (is_told_ || std::ranges::any_of(threads_, is_asked)) return std::nullopt;
  is_told_ = true;
  Histogram all;
  for (const StatisticsInterval& stats : run_.intervals.back().roles.front().statistics) {
    all.Merge((stats.response_ns ? *stats.response_ns : stats.latency_ns).Whole());
  }
  return all.Percentile(0.99);
}

void IntervalRecorder::End(uint64_t now_ns) {
  TakeRotated();
  AddTick(now_ns);
  for (const auto& [name, ticks] : activities_) {
    run_.ticks.activities->push_back({.name = name, .ticks = RunsOf(ticks)});
  }
  if (interval_ns_ == 0) return;
  AddInterval(now_ns);
  for (const Watched& thread : threads_) {
    HistogramBanks::Taken left;
    for (const ThreadStatistics& stats : thread.result->statistics) {
      left.latency_ns.resize(std::max(left.latency_ns.size(), stats.number + 1));
      left.latency_ns[stats.number] = SparseHistogram(stats.latency_ns);
      if (!thread.result->open) continue;
      left.response_ns.resize(left.latency_ns.size());
      left.response_ns[stats.number] =
          SparseHistogram(thread.result->open->response_ns(stats.number));
    }
    // A thread that was asked and has not answered has ended nothing since.
    Add(thread.asked.value_or(run_.intervals.size() - 1), thread.asked ? thread.asked_part : part_,
        thread.role, left);
  }
  for (PhaseInterval& interval : run_.intervals) {
    for (size_t r = 0; r < interval.roles.size(); ++r) {
      // Until here indexed by kind of call; a role does not report them all.
      std::vector<StatisticsInterval> by_number =
          std::exchange(interval.roles[r].statistics, std::vector<StatisticsInterval>());
      if (!run_.roles[r].tasks.front().timed) continue;
      for (const ThreadStatistics& stats : run_.roles[r].Statistics()) {
        StatisticsInterval& reported = interval.roles[r].statistics.emplace_back();
        if (stats.number < by_number.size()) reported = std::move(by_number[stats.number]);
        reported.operation = stats.operation;
        if (run_.roles[r].tasks.front().load && !reported.response_ns) {
          reported.response_ns.emplace();
        }
      }
    }
  }
}

std::vector<uint64_t> IntervalRecorder::Progress(std::vector<uint64_t>& before) const {
  std::vector<uint64_t> now(before.size());
  for (const Watched& thread : threads_) {
    now[thread.role] += thread.task->control->operations.load(std::memory_order_relaxed);
  }
  std::vector<uint64_t> since(before.size());
  for (size_t r = 0; r < now.size(); ++r) since[r] = now[r] - before[r];
  before = std::move(now);
  return since;
}

void IntervalRecorder::AddTick(uint64_t now_ns) {
  const std::vector<uint64_t> operations = Progress(at_tick_);
  run_.ticks.end_ms.push_back(Ms(now_ns));
  for (size_t r = 0; r < operations.size(); ++r) {
    run_.ticks.operations[r].push_back(operations[r]);
  }
  if (const std::optional<uint64_t> dirtied = DirtiedBytes(others_)) {
    // Removing a file takes back what it had dirtied.
    run_.ticks.dirtied_bytes.push_back(*dirtied - std::min(*dirtied, dirtied_at_tick_));
    dirtied_at_tick_ = *dirtied;
  }
}

void IntervalRecorder::NoteActivities() {
  if (store_ == nullptr || activities_.size() > kMostActivities) return;
  const uint64_t tick = run_.ticks.end_ms.size() - 1;
  for (const std::string& name : store_->Activities()) {
    std::vector<uint64_t>& ticks = activities_[name];
    if (ticks.empty() || ticks.back() != tick) ticks.push_back(tick);
  }
}

void IntervalRecorder::HalveTicks() {
  JoinNeighbours(run_.ticks.end_ms, [](uint64_t& one, uint64_t next) { one = next; });
  for (std::vector<uint64_t>& operations : run_.ticks.operations) {
    JoinNeighbours(operations, [](uint64_t& one, uint64_t next) { one += next; });
  }
  JoinNeighbours(run_.ticks.dirtied_bytes, [](uint64_t& one, uint64_t next) { one += next; });
  for (auto& [name, ticks] : activities_) {
    for (uint64_t& tick : ticks) tick /= 2;
    const auto repeated = std::ranges::unique(ticks);
    ticks.erase(repeated.begin(), repeated.end());
  }
  tick_ns_ *= 2;
}

void IntervalRecorder::AddInterval(uint64_t now_ns) {
  const uint64_t begin_ms = run_.intervals.empty() ? 0 : run_.intervals.back().end_ms;
  PhaseInterval& interval = run_.intervals.emplace_back();
  interval.begin_ms = begin_ms;
  interval.end_ms = Ms(now_ns);
  const std::vector<uint64_t> operations = Progress(at_interval_);
  for (size_t r = 0; r < operations.size(); ++r) {
    interval.roles.push_back(
        {.name = workload_.roles[r].name, .operations = operations[r], .statistics = {}});
  }
  if (HasParts()) {
    run_.load_parts[part_].operations += operations.front();
    run_.load_parts[part_].seconds += static_cast<double>(now_ns - interval_begin_ns_) * 1e-9;
  }
  interval_begin_ns_ = now_ns;
}

void IntervalRecorder::HalveIntervals() {
  JoinNeighbours(run_.intervals, [](PhaseInterval& one, const PhaseInterval& next) {
    one.end_ms = next.end_ms;
    for (size_t r = 0; r < one.roles.size(); ++r) {
      RoleInterval& role = one.roles[r];
      role.operations += next.roles[r].operations;
      role.statistics.resize(std::max(role.statistics.size(), next.roles[r].statistics.size()));
      for (size_t i = 0; i < next.roles[r].statistics.size(); ++i) {
        const StatisticsInterval& stats = next.roles[r].statistics[i];
        role.statistics[i].latency_ns.Merge(stats.latency_ns);
        if (stats.response_ns) AddResponses(*stats.response_ns, role.statistics[i]);
      }
    }
  });
  for (Watched& thread : threads_) {
    if (thread.asked) *thread.asked /= 2;
  }
  interval_ns_ *= 2;
}

void IntervalRecorder::TakeRotated() {
  for (Watched& thread : threads_) {
    HistogramBanks& banks = thread.task->control->banks;
    if (!thread.asked || banks.rotations() == thread.rotations) continue;
    const HistogramBanks::Taken taken = banks.Take();
    Add(*thread.asked, thread.asked_part, thread.role, taken);
    AddTaken(taken.latency_ns, run_.roles[thread.role].taken_ns);
    AddTaken(taken.response_ns, run_.roles[thread.role].taken_response_ns);
    ++thread.rotations;
    thread.asked.reset();
  }
}

void IntervalRecorder::Add(size_t interval, size_t part, size_t role,
                           const HistogramBanks::Taken& taken) {
  if (role == 0 && HasParts()) {
    LoadPart& of_part = run_.load_parts[part];
    for (const SparseHistogram& ns : taken.latency_ns) of_part.service_ns.Merge(ns);
    for (const SparseHistogram& ns : taken.response_ns) of_part.response_ns.Merge(ns);
  }
  std::vector<StatisticsInterval>& sums = run_.intervals[interval].roles[role].statistics;
  sums.resize(std::max(sums.size(), taken.latency_ns.size()));
  for (size_t i = 0; i < taken.latency_ns.size(); ++i)
    sums[i].latency_ns.Merge(taken.latency_ns[i]);
  for (size_t i = 0; i < taken.response_ns.size(); ++i) AddResponses(taken.response_ns[i], sums[i]);
}

}  // namespace levelfield
