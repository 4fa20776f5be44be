// The operations of a recorded trace, one step of the thread's part after another, from memory. The
// step determines the key, the number of bytes and the version. Everything that is read goes into
// the digest, which is replayed afterwards: a key has one thread, so the expected reads are known.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/quote.h"
#include "operations/operations.h"
#include "operations/steps.h"
#include "workload/file/role_lines.h"
#include "workload/trace/trace_plan.h"

namespace levelfield {
namespace trace {
namespace {

// The thread's part of the trace.
class TraceStream {
 public:
  explicit TraceStream(std::span<const TraceStep> steps) : left_(steps) {}

  Step Next() {
    if (left_.empty()) return {.kind = StepKind::kEnd};
    const TraceStep& step = left_.front();
    left_ = left_.subspan(1);
    constexpr StepKind kKinds[kTraceOperations] = {StepKind::kGet, StepKind::kPut, StepKind::kErase,
                                                   StepKind::kModify, StepKind::kScan};
    const bool scans = step.operation == TraceOperation::kSeek;
    return {.kind = kKinds[static_cast<size_t>(step.operation)],
            .is_replayed = !scans,  // What follows its key is of other threads, too.
            .version = step.version,
            .key = step.key,
            .size = step.value_size,
            .length = scans ? step.value_size : 0};
  }

 private:
  std::span<const TraceStep> left_;
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const TracePlan& plan = task.role->trace;
  StepsOperation<StepCheck::kNone, TraceStream> operation(
      task, TraceStream(task.steps), task.role->range, task.role->value_size.most());
  // The kinds in the whole trace, so that all threads have the same.
  const auto shown = [&](TraceOperation kind, std::string_view name) {
    const bool is_there = plan.loads ? kind == TraceOperation::kPut : plan.of(kind) != 0;
    return is_there ? name : "";
  };
  RunSteps(task, result, operation,
           {shown(TraceOperation::kGet, "get"), shown(TraceOperation::kSeek, "scan"),
            shown(TraceOperation::kPut, "put"), shown(TraceOperation::kErase, "erase"),
            shown(TraceOperation::kModify, "rmw")});
}

std::vector<StepsDone> StepsOf(const RoleRun& run) {
  return StepsOf(run, [](const ThreadTask& task) { return TraceStream(task.steps); });
}

WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  return LayerOf(run, HistoryOf(StepsOf(run), role.range));
}

// What was replayed, in few words, because it stands in a table.
std::string NoteOf(const TracePlan& plan, uint64_t done) {
  if (plan.loads) return fmt::format("{} of the trace's {} keys", plan.loaded_keys, plan.keys);
  std::string note = fmt::format("{} of {} operations", done, plan.header.records);
  if (plan.speed > 0) {
    note += fmt::format(", {}x speed", plan.speed);
    if (plan.header.is_spread) note += ", seconds spread";
  }
  if (plan.expiring != 0) note += ", nothing expires";
  return note;
}

// Which trace it was, and which part of it was not replayed.
std::string TraceText(const TracePlan& plan, const KeyShape& keys) {
  std::string text = fmt::format(
      "trace {:016x} ({}), whose keys have {:.0f} bytes on the average, "
      "and {} here",
      plan.header.checksum, Printable(plan.header.source),
      static_cast<double>(plan.key_bytes) /
          static_cast<double>(std::max<uint64_t>(plan.records(), 1)),
      keys.vary() ? fmt::format("{} to {}", keys.size, keys.most) : std::to_string(keys.size));
  if (plan.expiring != 0) {
    text +=
        fmt::format("; {} operations have a time to live, and nothing expires here", plan.expiring);
  }
  return text;
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  uint64_t done = 0;
  for (const ThreadResult& thread : run.results) done += thread.Operations();
  result.note = NoteOf(role.trace, done);
  result.checked.answers = AnswersChecked::kReplayed;
  result.check_detail =
      "hits, bytes and digest of every get are those of the model, as each key has one thread; " +
      std::string(role.trace.of(TraceOperation::kSeek) != 0
                      ? "every scan was in order, and began at its key where the model has that; "
                      : "") +
      TraceText(role.trace, run.tasks.front().key_shape);
  return VerifyAllSteps(answered, StepsOf(run));
}

constexpr std::string_view kOnlyLines[] = {"threads", "op", "stop"};

// The trace decides the keys, the number of operations and the lengths of values.
Status Check(const RoleLines& lines) {
  const Role& role = lines.role();
  if (role.operations != Role::kToTheEnd)
    return lines.Error("stop", "stops `at the end` of the trace");
  if (role.trace.loads != (lines.workload().need == StoreNeed::kEmpty)) {
    return lines.Error("op", role.trace.loads
                                 ? "fills a store: its workload says `needs = empty store`"
                                 : "needs the store that `op = trace load` has filled: "
                                   "`needs = store loaded by replay-load`");
  }
  return Status::Ok();
}

constexpr Operation RowNamed(std::string_view name, Effects effects,
                             void (*set)(const FileNumbers&, Role&)) {
  return {.name = name,
          .result_name = "trace",
          .scope = OperationScope::kOwnKeys,
          .effects = effects,
          .replays_trace = true,
          .has_all_keys = true,
          .only_lines = kOnlyLines,
          .only_refusal = "has `{} =`, which the trace says itself",
          .check = Check,
          .set = set,
          .changes_store = [](const Role& role) { return role.trace.writes(); },
          .smallest_value = [](const Role& role) { return role.trace.smallest_value; },
          .run = Run,
          .verify = Verify,
          .layer = Layer};
}

}  // namespace
}  // namespace trace

constinit const Operation operations::kTrace =
    trace::RowNamed("trace", Effect::kReads | kPuts | kErasures, nullptr);

constinit const Operation operations::kTraceLoad = trace::RowNamed(
    "trace load", kPuts, [](const FileNumbers&, Role& role) { role.trace.loads = true; });

}  // namespace levelfield
