#include "worker/phase.h"

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "operations/answers.h"
#include "worker/interval_recorder.h"

namespace levelfield {
namespace {

// From the barrier to the begin of an open loop's schedule: for threads to wake up and set up.
constexpr uint64_t kLeadNs = 10'000'000;
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

// Whether what a role reads may be written meanwhile, by another role or by itself.
bool IsWrittenMeanwhile(const Workload& workload) {
  return std::ranges::any_of(workload.roles, [](const Role& r) { return r.operation->writes; });
}

// Which of the phase's threads it is, to an original: there the writer beside readers comes first.
size_t OriginalThread(const Workload& workload, const Role& role, uint64_t thread) {
  size_t before = 0;
  for (const Role& other : workload.roles) {
    const bool is_writer = !other.until_role.empty();
    const bool comes_first = is_writer != !role.until_role.empty() ? is_writer : &other < &role;
    if (comes_first) before += other.threads;
  }
  return before + thread;
}

ThreadTask MakeTask(const PhaseContext& context, const Role& role, uint64_t thread) {
  const Settings& settings = *context.settings;
  const std::string scope = context.workload->name + "/" + role.name;
  const auto share_of = [&](uint64_t amount, uint64_t t) {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(amount) * t / role.threads);
  };
  const std::string key_scope = role.seed.empty() ? scope : "seed/" + role.seed;
  // Who draws, or repeats, has no part of the range for itself.
  const bool has_all = IsDrawn(role.order) || (role.repeat && role.operation->writes) ||
                       role.operation->has_all_keys;
  const uint64_t positions = role.records != 0 ? role.records : role.range;
  KeyPlan keys{.order = role.order,
               .range = role.range,
               .order_seed = DeriveSeed(settings.seed, "order", key_scope, 0),
               .draw_seed = DeriveSeed(settings.seed, "draw", key_scope, thread),
               .first_position = has_all ? 0 : share_of(positions, thread),
               .end_position = has_all ? role.range : share_of(positions, thread + 1),
               .source = role.source,
               .skew = role.skew,
               .distribution = role.distribution,
               .scattered = role.scattered,
               .run_keys = role.batch,
               .run_stride = role.stride};
  if (role.records != 0) keys.order_seed = DeriveSeed(context.layout_seed, "records", "", 0);
  if (role.order == KeyOrder::kSkewed) {
    keys.order_seed = DeriveSeed(context.layout_seed, "hot keys", "", 0);
  }
  if (context.streams != nullptr && role.source != DrawSource::kOwn) {
    keys.draw_seed = context.streams->KeySeed(OriginalThread(*context.workload, role, thread));
  }
  ThreadTask task;
  if (context.store != nullptr) task.table = &context.store->engine().table();
  task.role = &role;
  task.values = context.values;
  task.original = context.original;
  if (context.streams != nullptr) task.first_window = context.streams->first_window();
  task.clock = context.clock;
  task.cache = context.cache;
  task.write_keys = keys;
  task.keys = keys;
  if (role.operation->mixes) task.keys.order = KeyOrder::kUniform;
  task.choice_seed = DeriveSeed(settings.seed, "choice", scope, thread);
  task.thread = thread;
  task.key_shape = context.key_shape;
  task.first_version = context.first_version;
  task.before = context.before;
  task.timed = settings.histogram;
  task.check_in_loop =
      context.store_existed ? context.knows_values : IsWrittenMeanwhile(*context.workload);
  task.check_order = context.store_existed;
  const StoreNeed need = context.workload->need;
  const bool until_stopped =
      !role.until_role.empty() ||
      (settings.duration > 0 && need != StoreNeed::kEmpty && need != StoreNeed::kNone);
  task.operations = until_stopped ? kUnlimited
                    : role.repeat
                        ? role.operations
                        : share_of(role.operations, thread + 1) - share_of(role.operations, thread);
  if (context.trace != nullptr && role.operation->replays_trace) {
    task.steps = context.trace->Of(thread);
    task.operations = task.steps.size();
  }
  if (context.load && &role == &context.workload->roles.front()) {
    task.load = {.arrival = context.load->arrival,
                 .pace = {.rate = context.load->rate,
                          .threads = role.threads,
                          .thread = thread,
                          .batch = role.batch},
                 .seed = DeriveSeed(settings.seed, "arrival", scope, thread),
                 .steps = task.steps,
                 .speed = role.trace.speed};
  }
  // A thread without keys of its own (more threads than keys) has nothing to do.
  if (role.operation->writes && keys.share() == 0) task.operations = 0;
  if (role.operation->has_all_keys && role.records != 0 && thread >= role.records) {
    task.operations = 0;
  }
  return task;
}

// The threads of a phase, from the first session to the last thread's end.
class Crew {
 public:
  Crew(const PhaseContext& context, PhaseRun& run) : context_(context), run_(run) {
    size_t threads = 0;
    for (const Role& role : context.workload->roles) threads += role.threads;
    run_.controls = std::vector<ThreadControl>(threads);
    for (const Role& role : context.workload->roles) {
      if (!role.operation->is_of_series || run_.series) continue;
      run_.series = std::make_shared<SeriesClock>();
      run_.series->plan = role.series;
      run_.series->plan.seed =
          DeriveSeed(context.settings->seed, "series", context.workload->name, 0);
    }
    size_t next = 0;
    for (const Role& role : context.workload->roles) {
      RoleRun& role_run = run_.roles.emplace_back();
      for (uint64_t thread = 0; thread < role.threads; ++thread) {
        role_run.tasks.push_back(MakeTask(context, role, thread));
        role_run.tasks.back().series = run_.series.get();
        role_run.tasks.back().control = &run_.controls[next++];
        const uint64_t operations = role_run.tasks.back().operations;
        role_run.planned_operations =
            operations == kUnlimited ? kUnlimited : role_run.planned_operations + operations;
      }
      role_run.results.resize(role.threads);
    }
    recorder_.emplace(*context.workload, run_, context.store, context.settings->interval_seconds);
  }

  void Run() {
    std::barrier start(static_cast<std::ptrdiff_t>(run_.controls.size() + 1));
    std::vector<std::jthread> threads;
    for (size_t r = 0; r < run_.roles.size(); ++r) {
      for (size_t t = 0; t < run_.roles[r].tasks.size(); ++t) StartOne(r, t, start, threads);
    }
    start.arrive_and_wait();  // Every session has begun, or failed to.
    const uint64_t load_begin_ns = MonotonicNs() + kLeadNs;
    for (RoleRun& role : run_.roles) {
      for (ThreadTask& task : role.tasks) task.load_begin_ns = load_begin_ns;
    }
    start.arrive_and_wait();
    Watch();
  }

 private:
  // Without one of them none of the others begins; nor may they wait for it.
  void StartOne(size_t r, size_t t, std::barrier<>& start, std::vector<std::jthread>& threads) {
    try {
      threads.emplace_back([this, r, t, &start] { RunOne(r, t, start); });
      ++running_;
      if (context_.workload->roles[r].until_role.empty()) ++running_by_themselves_;
    } catch (const std::system_error& error) {
      start.arrive_and_drop();
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
    if (all_began) RunThread(task, result);
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

  // Sleeps until threads end, and wakes ten times a second to tell and to look at the time.
  void Watch() {
    const Settings& settings = *context_.settings;
    const auto started = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    recorder_->Begin(MonotonicNs());
    while (running_ > 0) {
      // Others that have only their first operation to do take no tenth of a second for it.
      const std::chrono::nanoseconds wait = running_by_themselves_ == 0
                                                ? std::chrono::milliseconds(1)
                                                : recorder_->UntilNext(MonotonicNs());
      ended_.wait_for(lock, wait);
      recorder_->Look(MonotonicNs());
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
      if (context_.is_interrupted()) run_.interrupted = true;
      const bool is_over = (running_by_themselves_ == 0 && HaveAllBegun()) || run_.code != LF_OK ||
                           run_.interrupted ||
                           (settings.duration > 0 && elapsed.count() >= settings.duration);
      if (is_over) {
        for (ThreadControl& control : run_.controls) control.Stop();
      }
      const auto [operations, planned] = Progress();
      context_.report_progress(operations, planned);
      if (!context_.report_percentile_99) continue;
      if (const auto latency_ns = recorder_->NewPercentile99()) {
        context_.report_percentile_99(*latency_ns);
      }
    }
    recorder_->End(MonotonicNs());
  }

  // Whether those that run until others end have done something, or have nothing to do: a writer
  // that had no time for its first write would make readers beside one of readers alone, and hide
  // that the engine cannot do what it was to do.
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

  // Of the roles that end by themselves, and of how many. Those that run until others end would
  // carry it beyond all of them, and would hide that the others hang.
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
  std::mutex mutex_;  // Of what follows, and of the store while sessions begin and end.
  std::condition_variable ended_;
  std::optional<IntervalRecorder> recorder_;
  size_t running_ = 0;
  size_t running_by_themselves_ = 0;
  size_t ended_idle_ = 0;  // Of those that run until others end: without having done anything.
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

std::vector<WriteLayer> LayersOf(const Workload& workload, const PhaseRun& run) {
  std::vector<WriteLayer> layers;
  for (size_t r = 0; r < run.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    // What transactions wrote is known from elsewhere (worker/transactions.h), and what a series'
    // expiring roles erased is part of its writer's layer.
    if (!role.changes_store() || role.operation->is_transaction) continue;
    if (role.operation->layer != nullptr) {
      layers.push_back(role.operation->layer(role, run.roles[r], run.roles));
    } else if (!role.operation->chooses_keys()) {
      layers.push_back(LayerOfOrder(role, run.roles[r]));
    }
  }
  return layers;
}

}  // namespace levelfield
