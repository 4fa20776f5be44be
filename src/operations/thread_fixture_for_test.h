// For tests of the loop and of the replay: a real engine from the build, one open store, and
// RunThread over it as the worker would call it.
#ifndef LEVELFIELD_OPERATIONS_THREAD_FIXTURE_FOR_TEST_H_
#define LEVELFIELD_OPERATIONS_THREAD_FIXTURE_FOR_TEST_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "check/replay.h"
#include "check/verify.h"
#include "engine/loader.h"
#include "operations/answers.h"
#include "operations/task.h"

namespace levelfield {

inline constexpr size_t kKeySize = 16;
inline constexpr size_t kLargestValue = 4096;

inline Store OpenStore(const std::string& name, uint64_t value_size) {
  const auto spec = ParseEngineSpec(name);
  EXPECT_TRUE(spec.ok());
  const auto engine = LoadEngine(*spec, EnginePlaces());
  EXPECT_TRUE(engine.ok()) << engine.status().message();
  auto store = Store::Open(*engine, std::filesystem::temp_directory_path(),
                           {{"durability", "none"},
                            {"expected_keys", "1000"},
                            {"expected_value_bytes", std::to_string(value_size)}});
  EXPECT_TRUE(store.ok()) << store.status().message();
  return std::move(*store);
}

// How the loop is timed: the template that RunThread chooses.
enum class Timing { kUntimed, kTsc, kMonotonic };
inline constexpr Timing kTimings[] = {Timing::kUntimed, Timing::kTsc, Timing::kMonotonic};

// Not by the counter if that cannot be trusted here, or not while the machine is so busy.
inline const Clock& CalibratedClock() {
  static const Clock clock = Clock::Calibrate(true);
  return clock;
}

inline const Clock& ClockOf(Timing timing) {
  static const Clock monotonic = Clock::Calibrate(false);
  // The counter is read even if it cannot be trusted: which loop runs is the point here.
  static const Clock tsc = CalibratedClock().is_tsc() ? CalibratedClock() : Clock::AssumeTsc(2e9);
  return timing == Timing::kTsc ? tsc : monotonic;
}

class ThreadFixture {
 public:
  explicit ThreadFixture(const std::string& engine, uint64_t value_size = 100)
      : store_(OpenStore(engine, value_size)), values_(0x5a17, kLargestValue, 0.5) {}

  struct Asked {
    Role role;
    uint64_t threads = 1;
    uint64_t operations = 0;  // By each thread.
    Timing timing = Timing::kUntimed;
    bool check_in_loop = false;
    uint64_t seed = 1;
    WriterClock* writer_clock = nullptr;  // For a series.
  };

  // The plan of one thread: its share of the positions, its own draws.
  static KeyPlan Plan(const Asked& asked, uint64_t thread) {
    const uint64_t range = asked.role.range;
    return {.order = asked.role.order,
            .range = range,
            .order_seed = DeriveSeed(asked.seed, "order", "", 0),
            .draw_seed = DeriveSeed(asked.seed, "draws", "", thread),
            .first_position = range * thread / asked.threads,
            .end_position = range * (thread + 1) / asked.threads};
  }

  ThreadTask Task(const Asked& asked, uint64_t thread, lf_session* session,
                  ThreadControl& control) const {
    ThreadTask task{.table = &table(),
                    .session = session,
                    .role = &asked.role,
                    .values = &values_,
                    .clock = &ClockOf(asked.timing),
                    .keys = Plan(asked, thread),
                    .write_keys = Plan(asked, thread),
                    .choice_seed = DeriveSeed(asked.seed, "choice", "", thread),
                    .key_shape = kKeySize,
                    .first_version = state_.NextVersion(),
                    .before = &state_,
                    .operations = asked.operations,
                    .timed = asked.timing != Timing::kUntimed,
                    .check_in_loop = asked.check_in_loop,
                    .writer_clock = asked.writer_clock,
                    .load = {},
                    .control = &control};
    if (asked.role.operation->name == "mix") task.keys.order = KeyOrder::kUniform;
    return task;
  }

  // Runs all threads of the role at once, and notes their writes in the model.
  std::vector<ThreadResult> Run(const Asked& asked) {
    std::vector<ThreadResult> results(asked.threads);
    std::vector<ThreadControl> controls(asked.threads);
    std::vector<Session> sessions;
    for (uint64_t thread = 0; thread < asked.threads; ++thread) sessions.push_back(Begin());
    {
      std::vector<std::jthread> threads;
      for (uint64_t thread = 0; thread < asked.threads; ++thread) {
        threads.emplace_back([&, thread] {
          RunThread(Task(asked, thread, sessions[thread].get(), controls[thread]), results[thread]);
        });
      }
    }
    for (uint64_t thread = 0; thread < asked.threads; ++thread) {
      EXPECT_EQ(results[thread].code, LF_OK) << results[thread].error;
      uint64_t operations = 0;
      for (const ThreadStatistics& stats : results[thread].statistics)
        operations += stats.counts.operations;
      EXPECT_EQ(controls[thread].operations.load(), operations);
    }
    if (asked.role.operation->writes()) state_.Add(LayerOf(asked, results));
    return results;
  }

  // The expected answers of each thread.
  std::vector<OperationCounts> Replayed(const Asked& asked) const {
    std::vector<OperationCounts> all_counts;
    const KeyFormat format(kKeySize, asked.role.range, asked.role.missing);
    for (uint64_t thread = 0; thread < asked.threads; ++thread) {
      all_counts.push_back(
          Replay(asked.role, Plan(asked, thread), format, asked.operations, state_, values_)
              .counts);
    }
    return all_counts;
  }

  // How the store differs from the model; empty: it does not.
  std::string StoreDifference() {
    Session session = Begin();
    return VerifyStore(session, table(), state_, values_, kKeySize,
                       [](uint64_t, uint64_t) { return true; })
        .difference;
  }

  Session Begin() {
    auto session = store_.BeginSession();
    EXPECT_TRUE(session.ok()) << session.status().message();
    return std::move(*session);
  }

  std::string Key(uint64_t index) const {
    std::string key(kKeySize, '0');
    KeyFormat(kKeySize, KeyFormat::kLimit).Format(std::span(&index, 1), key.data());
    return key;
  }

  const lf_engine& table() const { return store_.engine().table(); }
  const ValueSource& values() const { return values_; }
  const ExpectedState& state() const { return state_; }

 private:
  WriteLayer LayerOf(const Asked& asked, const std::vector<ThreadResult>& results) const {
    RoleRun run;
    ThreadControl control;
    for (uint64_t thread = 0; thread < asked.threads; ++thread) {
      run.tasks.push_back(Task(asked, thread, nullptr, control));
    }
    run.results = results;
    const Operation& operation = *asked.role.operation;
    return operation.layer != nullptr ? operation.layer(asked.role, run, {})
                                      : LayerOfOrder(asked.role, run);
  }

  Store store_;
  ValueSource values_;
  ExpectedState state_;
};

// What the operation's verifier says about the first role of a workload.
inline std::string Verified(const Workload& workload, const RoleRun& run,
                            const ExpectedState& before, const StoredValues& values,
                            const RoleResult& summary, PhaseResult& result) {
  std::string unchecked;
  const Role& role = workload.roles.front();
  return role.operation->verify({workload, role, run, before, values, summary, result, unchecked});
}

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_THREAD_FIXTURE_FOR_TEST_H_
