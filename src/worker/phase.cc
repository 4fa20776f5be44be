#include "worker/phase.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "operations/answers.h"
#include "worker/call_recorder.h"
#include "worker/interval_recorder.h"
#include "worker/stream_seeds.h"

namespace levelfield {
namespace {

// From the barrier to the start of an open loop's schedule: time for threads to wake and set up.
constexpr uint64_t kLeadNs = 10'000'000;
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// Whether another role, or the role itself, may write meanwhile what a role reads.
bool IsWrittenMeanwhile(const Workload& workload) {
  if (workload.act.of != 0) return true;  // Nobody replays its answers while the next one waits.
  return std::ranges::any_of(workload.roles, [](const Role& r) { return r.operation->writes(); });
}

// The thread's number in the original, where the writer beside readers comes first.
size_t OriginalThread(const Workload& workload, const Role& role, uint64_t thread) {
  size_t before = 0;
  for (const Role& other : workload.roles) {
    const bool is_writer = !other.until_role.empty();
    const bool comes_first = is_writer != !role.until_role.empty() ? is_writer : &other < &role;
    if (comes_first) before += other.threads;
  }
  return before + thread;
}

// A thread of the role among those of all ranks, whose threads stand one rank behind the other:
// they do what so many threads of one process would.
uint64_t InFleet(const PhaseContext& context, const Role& role, uint64_t thread) {
  return context.fleet.rank * role.threads + thread;
}
uint64_t ThreadsOfFleet(const PhaseContext& context, const Role& role) {
  return context.fleet.of * role.threads;
}

// The part of `amount` that goes to the threads before this one, of so many.
uint64_t ShareBefore(uint64_t threads, uint64_t amount, uint64_t thread) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(amount) * thread / threads);
}

StreamSeeds SeedsOf(const PhaseContext& context) {
  return {*context.workload, context.settings->seed, context.layout_seed, context.mention};
}

// `thread` is counted in the fleet here, and in what follows.
KeyPlan KeyPlanOf(const PhaseContext& context, const Role& role, uint64_t thread) {
  const uint64_t threads = ThreadsOfFleet(context, role);
  const StreamSeeds seeds = SeedsOf(context);
  // A role that draws, or repeats, has no share of the range.
  const bool has_all = IsDrawn(role.order) || (role.repeat && role.operation->writes()) ||
                       role.operation->has_all_keys;
  const uint64_t positions = role.records != 0 ? role.records : role.range;
  KeyPlan keys{.order = role.order,
               .range = role.range,
               .window = role.window,
               .prefixes = role.prefixes,
               .draws_begins = role.operation->seeks(),
               .order_seed = seeds.Order(role),
               .draw_seed = seeds.Draws(role, thread),
               .first_position = has_all ? 0 : ShareBefore(threads, positions, thread),
               .end_position = has_all ? role.range : ShareBefore(threads, positions, thread + 1),
               .source = role.source,
               .skew = role.skew,
               .distribution = role.distribution,
               .scattered = role.scattered,
               .run_keys = role.batch,
               .run_stride = role.stride};
  if (context.streams != nullptr && role.source != DrawSource::kOwn) {
    keys.draw_seed = context.streams->KeySeed(OriginalThread(*context.workload, role, thread));
  }
  return keys;
}

uint64_t OperationsOf(const PhaseContext& context, const Role& role, uint64_t thread) {
  const StoreNeed need = context.workload->need;
  if (!role.until_role.empty() || context.workload->act.of != 0) return kUnlimited;
  const bool ends_by_time = context.settings->duration > 0 && !role.ends_by_count;
  if (ends_by_time && need != StoreNeed::kEmpty && need != StoreNeed::kNone) {
    return kUnlimited;
  }
  if (role.repeat) return role.operations;
  const uint64_t threads = ThreadsOfFleet(context, role);
  return ShareBefore(threads, role.operations, thread + 1) -
         ShareBefore(threads, role.operations, thread);
}

void GoOnBehind(const RoleRun& earlier, ThreadTask& task) {
  const ThreadResult& result = earlier.results[task.thread];
  task.done = result.Operations();
  task.earlier = &result;
  task.operations -= std::min(task.done, task.operations);
  task.keys.skipped = task.done;
  // Those of a mix are its last statistics.
  task.write_keys.skipped =
      result.statistics.empty() ? 0 : result.statistics.back().counts.operations;
}

ThreadTask MakeTask(const PhaseContext& context, const Role& role, uint64_t thread) {
  const StreamSeeds seeds = SeedsOf(context);
  const uint64_t in_fleet = InFleet(context, role, thread);
  const KeyPlan keys = KeyPlanOf(context, role, in_fleet);
  const lf_engine* const table = context.store == nullptr      ? nullptr
                                 : context.recorder != nullptr ? &context.recorder->table()
                                                               : &context.store->engine().table();
  ThreadTask task{.table = table,
                  .role = &role,
                  .values = context.values,
                  .original = context.original,
                  .first_window = context.streams != nullptr ? context.streams->first_window() : 0,
                  .clock = context.clock,
                  .keys = keys,
                  .write_keys = keys,
                  .choice_seed = seeds.Others("choice", role, in_fleet),
                  .thread = thread,
                  .key_shape = context.key_shape,
                  .first_version = context.first_version,
                  .before = context.before,
                  .operations = OperationsOf(context, role, in_fleet),
                  .timed = context.settings->histogram,
                  .check_in_loop = context.store_existed ? context.knows_values
                                                         : IsWrittenMeanwhile(*context.workload),
                  .check_order = context.store_existed,
                  .depth = role.rate == 0 ? context.settings->depth : 1,
                  .load = {},
                  .cache = context.cache};
  if (role.operation->mixes) task.keys.order = KeyOrder::kUniform;
  if (context.trace != nullptr && role.operation->replays_trace) {
    task.steps = context.trace->Of(thread);
    task.operations = task.steps.size();
  }
  if (context.load && &role == &context.workload->roles.front()) {
    task.load = {.arrival = context.load->arrival,
                 .pace = {.rate = context.load->rate,
                          .threads = ThreadsOfFleet(context, role),
                          .thread = in_fleet,
                          .batch = role.batch,
                          .curve = context.load->curve},
                 .seed = seeds.Others("arrival", role, in_fleet),
                 .steps = task.steps,
                 .speed = role.trace.speed};
  }
  if (context.earlier != nullptr) GoOnBehind(*context.earlier, task);
  // A thread without its own keys (more threads than keys) has nothing to do.
  const bool lacks_keys = role.operation->writes() && keys.share() == 0;
  const bool lacks_records =
      role.operation->has_all_keys && role.records != 0 && in_fleet >= role.records;
  if (lacks_keys || lacks_records) task.operations = 0;
  return task;
}

// Moves the calling thread to that processor and lets it go wherever it might go before. What ran
// there last was this process's check of the store, whose caches have it: TreeDB's scan of 100,000
// keys, 55 ms, took 0.85 us a step instead of 0.58 where its thread began on the other processor.
void MoveTo(int processor) {
  cpu_set_t allowed;
  const bool may = processor >= 0 && sched_getaffinity(0, sizeof allowed, &allowed) == 0 &&
                   CPU_ISSET(static_cast<size_t>(processor), &allowed);
  if (!may) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<size_t>(processor), &one);
  sched_setaffinity(0, sizeof one, &one);
  sched_setaffinity(0, sizeof allowed, &allowed);
}

// The threads of a phase, from the first session to the last thread's end.
//
// Invariants:
// - Tasks, controls and results are made before any thread, and their vectors never grow: each
//   thread has references into them. A thread writes only its own ThreadResult; the others read it
//   after that thread's last lock of mutex_.
// - Everybody passes `start` twice: behind the first time all sessions have begun, and
//   failed_to_begin_ is final; behind the second, load_begin_ns is set in all tasks. A thread that
//   could not be started leaves the barrier, so nobody waits for it.
// - Whatever else several threads write (run_.code, run_.error, the counts of running threads) is
//   written under mutex_. run_.code keeps the first error.
// - A thread leaves the gate exactly once, also if it never reached its loop.
class Crew {
 public:
  Crew(const PhaseContext& context, PhaseRun& run) : context_(context), run_(run) {
    size_t threads = 0;
    for (const Role& role : context.workload->roles) threads += role.threads;
    run_.controls = std::vector<ThreadControl>(threads);
    for (const Role& role : context.workload->roles) {
      if (!role.operation->has_writer_clock || run_.writer_clock) continue;
      run_.writer_clock = std::make_shared<WriterClock>();
      run_.writer_clock->plan = role.series;
      run_.writer_clock->plan.seed = SeedsOf(context).Series();
    }
    size_t next = 0;
    for (const Role& role : context.workload->roles) {
      RoleRun& role_run = run_.roles.emplace_back();
      for (uint64_t thread = 0; thread < role.threads; ++thread) {
        role_run.tasks.push_back(MakeTask(context, role, thread));
        role_run.tasks.back().writer_clock = run_.writer_clock.get();
        role_run.tasks.back().control = &run_.controls[next++];
        const uint64_t operations = role_run.tasks.back().operations;
        role_run.planned_operations =
            operations == kUnlimited ? kUnlimited : role_run.planned_operations + operations;
      }
      role_run.results.resize(role.threads);
      if (context.versions_before != nullptr) role_run.versions_before = *context.versions_before;
    }
    recorder_.emplace(*context.workload, run_, context.store, context.settings->interval_seconds,
                      context.load ? context.load->curve : nullptr);
    if (!context.turns) return;
    gate_.emplace(threads);
    slice_shares_ = std::vector<SliceShare>(threads);
    for (size_t t = 0; t < threads; ++t) {
      ThreadControl& control = run_.controls[t];
      control.gate = &*gate_;
      control.slices = &slice_shares_[t];
      control.slices->is_counted = t < context.workload->roles.front().threads;
      control.Pause();  // From the start: the first slice begins after its first operation.
    }
  }

  void Run() {
    processor_ = sched_getcpu();
    std::barrier start(static_cast<std::ptrdiff_t>(run_.controls.size() + 1));
    std::vector<std::jthread> threads;
    for (size_t r = 0; r < run_.roles.size(); ++r) {
      for (size_t t = 0; t < run_.roles[r].tasks.size(); ++t) StartOne(r, t, start, threads);
    }
    start.arrive_and_wait();  // Every session has begun, or failed to.
    if (context_.await_begin) {
      const uint64_t waited_from_ns = MonotonicNs();
      const Status status = context_.await_begin(WhyNotBegun());
      run_.waited_ns = MonotonicNs() - waited_from_ns;
      if (status.kind() == ErrorKind::kInterrupted) {
        failed_to_begin_ = true;
        run_.interrupted = true;
      } else if (!status.ok() && !failed_to_begin_) {
        failed_to_begin_ = true;
        run_.code = LF_FAILED;
        run_.error = status.message();
      }
    }
    const uint64_t load_begin_ns = MonotonicNs() + kLeadNs;
    for (RoleRun& role : run_.roles) {
      for (ThreadTask& task : role.tasks) task.load_begin_ns = load_begin_ns;
    }
    start.arrive_and_wait();
    gate_ ? WatchInTurns() : Watch();
  }

 private:
  // Before the threads go on. Empty: all sessions have begun.
  std::string WhyNotBegun() const {
    if (!failed_to_begin_) return "";
    if (!run_.error.empty()) return run_.error;
    for (const RoleRun& role : run_.roles) {
      for (const ThreadResult& result : role.results) {
        if (!result.error.empty()) return result.error;
      }
    }
    return "a session could not begin";
  }

  // If one of them fails, none of the others begins or waits for it.
  void StartOne(size_t r, size_t t, std::barrier<>& start, std::vector<std::jthread>& threads) {
    try {
      threads.emplace_back([this, r, t, &start] { RunOne(r, t, start); });
      ++running_;
      if (context_.workload->roles[r].until_role.empty()) ++running_by_themselves_;
    } catch (const std::system_error& error) {
      start.arrive_and_drop();
      run_.roles[r].tasks[t].control->LeaveGate();
      const std::lock_guard lock(mutex_);
      failed_to_begin_ = true;
      if (run_.code != LF_OK) return;
      run_.code = LF_FAILED;
      run_.error = fmt::format(
          "thread {} of {} cannot be started: {}; their number or memory may be limited (ulimit "
          "-u, "
          "ulimit -v, pids.max)",
          threads.size() + 1, run_.controls.size(), error.code().message());
    }
  }

  void RunOne(size_t r, size_t t, std::barrier<>& start) {
    ThreadTask& task = run_.roles[r].tasks[t];
    ThreadResult& result = run_.roles[r].results[t];
    std::optional<Session> session = Begin(task, result);
    start.arrive_and_wait();
    const bool all_began = !failed_to_begin_;
    start.arrive_and_wait();
    if (r == 0 && t == 0) MoveTo(processor_);
    if (all_began) RunRecorded(task, result);
    task.control->LeaveGate();  // If it has not reached its loop.
    result.cpu_ns = CpuNs(CLOCK_THREAD_CPUTIME_ID);
    const std::lock_guard lock(mutex_);
    session.reset();  // Sessions begin and end one at a time.
    if (result.code != LF_OK && run_.code == LF_OK) {
      run_.code = result.code;
      run_.error = result.error;
    }
    --running_;
    if (context_.workload->roles[r].until_role.empty()) {
      --running_by_themselves_;
    } else if (task.control->operations.load() == 0) {
      ++ended_idle_;
    }
    ended_.notify_one();
  }

  void RunRecorded(const ThreadTask& task, ThreadResult& result) {
    if (context_.recorder == nullptr) return RunThread(task, result);
    context_.recorder->Begin(static_cast<uint32_t>(task.thread));
    RunThread(task, result);
    context_.recorder->End();
  }

  std::optional<Session> Begin(ThreadTask& task, ThreadResult& result) {
    if (context_.store == nullptr) return std::nullopt;
    const std::lock_guard lock(mutex_);
    StatusOr<Session> session = context_.store->BeginSession();
    if (!session.ok()) {
      failed_to_begin_ = true;
      result.code = LF_FAILED;
      result.error = session.status().message();
      return std::nullopt;
    }
    task.session = session->get();
    return std::move(*session);
  }

  // Sleeps until threads end. Wakes ten times a second to report, and at the end of --duration.
  void Watch() {
    std::unique_lock lock(mutex_);
    const uint64_t begun_ns = MonotonicNs();
    recorder_->Begin(begun_ns);
    while (running_ > 0) {
      // Other roles may only have their first operation to do; they should not wait a tenth of a
      // second.
      const std::chrono::duration<double> wait =
          running_by_themselves_ == 0 ? std::chrono::milliseconds(1) : UntilNextLook(begun_ns);
      ended_.wait_for(lock, wait);
      const uint64_t now_ns = MonotonicNs();
      Look(now_ns, now_ns - begun_ns);
    }
    recorder_->End(MonotonicNs());
  }

  // Until the recorder's next tick, or the end of --duration if that comes first: with ticks alone,
  // a --duration of 0.01 s would take 0.1 s.
  std::chrono::duration<double> UntilNextLook(uint64_t begun_ns) const {
    const uint64_t now_ns = MonotonicNs();
    const std::chrono::duration<double> until_tick = recorder_->UntilNext(now_ns);
    const std::chrono::duration<double> left(context_.settings->duration -
                                             static_cast<double>(now_ns - begun_ns) * 1e-9);
    return left.count() > 0 ? std::min(until_tick, left) : until_tick;
  }

  // With the lock: records the threads' progress, reports it, and stops them when it is time.
  // Returns whether it was.
  bool Look(uint64_t now_ns, uint64_t elapsed_ns) {
    recorder_->Look(now_ns);
    const double duration = context_.settings->duration;
    if (context_.is_interrupted()) run_.interrupted = true;
    const bool is_late = duration > 0 && static_cast<double>(elapsed_ns) * 1e-9 >= duration;
    const bool is_over = (running_by_themselves_ == 0 && HaveAllBegun()) || run_.code != LF_OK ||
                         run_.interrupted ||
                         (is_late && FirstRoleOperations() >= context_.least_operations);
    if (is_over) StopAll();
    const auto [operations, planned] = Progress();
    context_.report_progress(operations, planned);
    if (!context_.report_percentile_99) return is_over;
    if (const auto latency_ns = recorder_->NewPercentile99()) {
      context_.report_percentile_99(*latency_ns);
    }
    return is_over;
  }

  void StopAll() {
    for (ThreadControl& control : run_.controls) control.Stop();
  }

  // The same in slices. Its clock stands still during other processes' slices.
  void WatchInTurns() {
    Slices& slices = run_.slices.emplace();
    slices.seconds = std::chrono::duration<double>(context_.turns->length).count();
    gate_->AwaitAll();
    const uint64_t begun_ns = MonotonicNs();
    uint64_t active_ns = 0;
    uint64_t number = 0;  // The slice's number.
    uint64_t done = FirstRoleOperations();
    recorder_->Begin(begun_ns);
    bool is_over = false;
    while (!gate_->HaveAllLeft()) {
      std::optional<uint64_t> charged_ns = 0;
      if (!is_over) charged_ns = context_.turns->wait_for_next(false);
      if (!charged_ns) {
        run_.interrupted = true;
        is_over = true;
        StopAll();
      }
      // Nothing before the first slice is of this phase.
      const uint64_t own_ns = number == 0 ? 0 : charged_ns.value_or(0);
      if (own_ns != 0) slices.active_ns.back() += own_ns * context_.workload->roles.front().threads;
      active_ns += own_ns;
      for (ThreadControl& control : run_.controls) control.EndPause();
      const uint64_t process_cpu_ns = CpuNs(CLOCK_PROCESS_CPUTIME_ID);
      gate_->Open(own_ns);
      if (is_over) {  // They end with the operation that they begin.
        gate_->AwaitAll();
        active_ns += gate_->SpanNs();
        break;
      }
      gate_->AwaitEnds(context_.turns->length);
      for (ThreadControl& control : run_.controls) control.Pause();
      gate_->AwaitAll();
      active_ns += gate_->SpanNs();
      const SliceWork work = gate_->Work();
      const uint64_t before = std::exchange(done, FirstRoleOperations());
      // What the engine's own threads took from them is the engine's: at most what those used.
      const uint64_t used_ns = CpuNs(CLOCK_PROCESS_CPUTIME_ID) - process_cpu_ns;
      const uint64_t others_of_it_ns = used_ns - std::min(used_ns, work.cpu_ns);
      const uint64_t kept_ns = work.queued_ns - std::min(work.queued_ns, others_of_it_ns);
      slices.Add(number++,
                 {done - before, work.active_ns, work.cpu_ns, std::min(kept_ns, work.active_ns)});
      const std::lock_guard lock(mutex_);
      is_over = Look(begun_ns + active_ns, active_ns);
    }
    {
      std::unique_lock lock(mutex_);
      ended_.wait(lock, [this] { return running_ == 0; });
    }
    recorder_->End(begun_ns + active_ns);
    // What follows, such as settling, waits until the others have done their slices.
    if (!run_.interrupted) (void)context_.turns->wait_for_next(true);
    run_.waited_ns = MonotonicNs() - begun_ns - active_ns;
  }

  uint64_t FirstRoleOperations() const {
    uint64_t operations = 0;
    for (const ThreadTask& task : run_.roles.front().tasks) {
      operations += task.control->operations.load();
    }
    return operations;
  }

  // Whether roles that run until others end have done something, or have nothing to do. A writer
  // without time for its first write would turn readers beside a writer into readers alone. It
  // would also hide that the engine cannot do what was asked.
  bool HaveAllBegun() const {
    size_t idle = 0;
    for (size_t r = 0; r < run_.roles.size(); ++r) {
      if (context_.workload->roles[r].until_role.empty()) continue;
      for (const ThreadTask& task : run_.roles[r].tasks) {
        idle += task.control->operations.load() == 0 ? 1 : 0;
      }
    }
    return idle <= ended_idle_;
  }

  // The progress of roles that end by themselves, and their total. Roles that run until others end
  // would exceed any total, and would hide that the others hang.
  std::pair<uint64_t, uint64_t> Progress() const {
    uint64_t operations = 0;
    uint64_t planned = 0;
    for (size_t r = 0; r < run_.roles.size(); ++r) {
      if (!context_.workload->roles[r].until_role.empty()) continue;
      const RoleRun& role = run_.roles[r];
      for (const ThreadTask& task : role.tasks) operations += task.control->operations.load();
      if (role.planned_operations == kUnlimited) planned = kUnlimited;
      if (planned != kUnlimited) planned += role.planned_operations;
    }
    return {operations, planned};
  }

  const PhaseContext& context_;
  PhaseRun& run_;
  int processor_ = -1;  // Of the thread that began the crew.
  std::mutex mutex_;    // Guards what follows, and the store while sessions begin and end.
  std::condition_variable ended_;
  std::optional<IntervalRecorder> recorder_;
  std::optional<SliceGate> gate_;         // In slices only,
  std::vector<SliceShare> slice_shares_;  // with one share for each thread.
  size_t running_ = 0;
  size_t running_by_themselves_ = 0;
  size_t ended_idle_ = 0;  // Threads of roles that run until others end: did nothing.
  bool failed_to_begin_ = false;
};

}  // namespace

PhaseRun RunPhase(const PhaseContext& context) {
  PhaseRun run;
  Crew(context, run).Run();
  return run;
}

std::vector<uint64_t> DrawsOf(const Workload& workload, const PhaseRun& run) {
  std::vector<uint64_t> draws(run.controls.size());
  for (size_t r = 0; r < run.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    if (role.source == DrawSource::kOwn) continue;
    for (size_t t = 0; t < run.roles[r].results.size(); ++t) {
      uint64_t& drawn = draws[OriginalThread(workload, role, t)];
      drawn += run.roles[r].results[t].Operations();
    }
  }
  return draws;
}

RoleRun RoleOfFleet(const PhaseContext& context, const Role& role, const RoleRun& own,
                    const std::vector<std::vector<uint64_t>>& done) {
  RoleRun whole;
  for (uint64_t rank = 0; rank < context.fleet.of; ++rank) {
    PhaseContext of_rank = context;
    of_rank.fleet.rank = rank;
    for (uint64_t thread = 0; thread < role.threads; ++thread) {
      whole.tasks.push_back(MakeTask(of_rank, role, thread));
      ThreadResult& result = whole.results.emplace_back();
      for (const ThreadStatistics& stats : own.Statistics()) {
        result.statistics.push_back({.operation = stats.operation, .counts = {}, .latency_ns = {}});
      }
      if (!result.statistics.empty()) {
        result.statistics.back().counts.operations = done[rank][thread];
      }
    }
  }
  for (const ThreadTask& task : whole.tasks) {
    whole.planned_operations =
        task.operations == kUnlimited ? kUnlimited : whole.planned_operations + task.operations;
  }
  return whole;
}

std::vector<WriteLayer> LayersOf(const Workload& workload, const PhaseRun& run) {
  std::vector<WriteLayer> layers;
  for (size_t r = 0; r < run.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    if (!role.changes_store()) continue;
    if (role.operation->layer != nullptr) {
      layers.push_back(role.operation->layer(role, run.roles[r], run.roles));
    } else if (!role.operation->chooses_keys()) {  // A series expires in its writer's layer.
      layers.push_back(LayerOfOrder(role, run.RolesOfAll()[r]));
    }
  }
  return layers;
}

}  // namespace levelfield
