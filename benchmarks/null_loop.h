// The measured loop over an engine that does nothing: what remains is the overhead of the harness.
// One object is one thread. Two of them on one engine are two threads of a role.
#ifndef LEVELFIELD_BENCHMARKS_NULL_LOOP_H_
#define LEVELFIELD_BENCHMARKS_NULL_LOOP_H_

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "engine/loader.h"
#include "operations/task.h"
#include "plan/plan.h"
#include "worker/call_recorder.h"
#include "workload/expected_state.h"
#include "workload/find_workload.h"
#include "workload/workload_file.h"

namespace levelfield {

// For programs that cannot return an error to a caller.
template <class T>
T OrExit(StatusOr<T> value) {
  if (value.ok()) return std::move(*value);
  fprintf(stderr, "%s\n", value.status().message().c_str());
  exit(1);
}

// A built-in workload's first role, with what these flags say: its loop is measured.
struct LoopOf {
  Settings settings;
  Role role;

  explicit LoopOf(const std::string& workload, const std::vector<std::string>& flags = {})
      : settings(OrExit(ParseSettings(flags))) {
    const WorkloadText source =
        OrExit(IsWorkloadFile(workload) ? ReadWorkloadFile(workload) : FindWorkload(workload));
    role = OrExit(ParseWorkload(source.name, source.text, settings)).roles.at(0);
    if (role.operation->run == nullptr) {
      fprintf(stderr, "%s: its operation `%s` is done without a loop, so there is none to measure\n",
              workload.c_str(), std::string(role.operation->name).c_str());
      exit(1);
    }
  }
};

class NullLoop {
 public:
  NullLoop(const std::vector<EnginePlace>& engines, const LoopOf& of, bool timed,
           uint64_t thread = 0)
      : store_(OrExit(Store::Open(OrExit(LoadEngine(OrExit(ParseEngineSpec("null")), engines)),
                                  std::filesystem::temp_directory_path(),
                                  {{"durability", "none"}, {"expected_value_bytes", "100"}}))),
        session_(OrExit(store_.BeginSession())),
        role_(of.role),
        values_(1, of.settings.value_size, 0.5) {
    // Only ticks are counted, so any frequency will do; under a tool none could be measured.
    static const Clock clock = Clock::AssumeTsc(1e9);
    task_.table = &store_.engine().table();
    if (!of.settings.record.empty()) {
      recorder_.emplace(of.settings.record, *task_.table);
      recorder_->Begin(0);
      task_.table = &recorder_->table();
    }
    task_.session = session_.get();
    task_.role = &role_;
    task_.values = &values_;
    task_.clock = &clock;
    // The second thread has the other half of the keys.
    task_.keys = {.order = role_.operation->mixes ? KeyOrder::kUniform : role_.order,
                  .range = role_.range,
                  .order_seed = 301,
                  .draw_seed = thread,
                  .first_position = thread * (role_.range / 2),
                  .end_position = (thread + 1) * (role_.range / 2),
                  .distribution = role_.distribution,
                  .scattered = role_.scattered,
                  .run_keys = role_.batch,
                  .run_stride = role_.stride};
    task_.write_keys = task_.keys;
    writer_clock_.plan = role_.series;
    task_.writer_clock = &writer_clock_;
    task_.before = &before_;
    task_.key_shape = KeyShapeOf(of.settings);
    task_.timed = timed;
    task_.control = &control_;
  }
  NullLoop(const NullLoop&) = delete;
  NullLoop& operator=(const NullLoop&) = delete;

  // Nanoseconds of each of so many operations. Every run has other keys than the one before. The
  // same keys would be in the caches, and their branches would be predicted.
  double Run(uint64_t operations) {
    ThreadResult result;
    task_.operations = operations;
    task_.keys.draw_seed = Mix64(task_.keys.draw_seed + 1);
    task_.keys.first_position += operations;
    if (task_.keys.first_position >= task_.keys.end_position) {
      task_.keys.first_position = task_.keys.end_position - role_.range / 2;
    }
    RunThread(task_, result);
    if (result.code != LF_OK || result.Operations() != operations) {
      fprintf(stderr, "the loop made %llu operations, not %llu: %s\n",
              static_cast<unsigned long long>(result.Operations()),
              static_cast<unsigned long long>(operations),
              result.error.empty() ? "the engine `null` lacks what they need" : result.error.c_str());
      exit(1);
    }
    return static_cast<double>(result.end_ns - result.start_ns) / static_cast<double>(operations);
  }

 private:
  Store store_;
  Session session_;
  Role role_;
  ValueSource values_;
  WriterClock writer_clock_;
  ExpectedState before_;  // An empty store.
  ThreadControl control_;
  ThreadTask task_;
  std::optional<CallRecorder> recorder_;  // With --record.
};

// Processor cycles in a nanosecond, now: additions that wait for each other take one cycle each.
// They add registers, because newer processors add constants up in advance.
inline double MeasureGigahertz() {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    uint64_t sum = 1;
    uint64_t one = 1;
    constexpr int kRounds = 500;
    constexpr int kUnrolled = 32;
    const uint64_t start = MonotonicNs();
    for (int round = 0; round < kRounds; ++round) {
#if defined(__x86_64__)
      asm volatile(".rept 32\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(one) : "cc");
#elif defined(__aarch64__)
      asm volatile(".rept 32\n\tadd %0, %0, %1\n\t.endr" : "+r"(sum) : "r"(one));
#endif
    }
    const uint64_t end = MonotonicNs();
    const double ghz = kRounds * kUnrolled / static_cast<double>(end - start);
    if (ghz > best) best = ghz;
  }
  return best;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BENCHMARKS_NULL_LOOP_H_
