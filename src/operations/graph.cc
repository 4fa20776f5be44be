// RocksDB's mixgraph: gets, puts and seeks of keys, some of which are hot (workload/graph_draws.h).
// Gets and seeks are checked on the spot as far as possible while others write: a value must be
// whole and belong to its key, and entries must be in order. A value that is too short to name its
// key is checked by its length alone.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "operations/operations.h"
#include "operations/steps.h"
#include "workload/file/role_lines.h"
#include "workload/graph_draws.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace graph {
namespace {

GraphStream GraphStreamOf(const ThreadTask& task) {
  return {.plan = task.role->graph,
          .range = task.role->range,
          .seed = task.choice_seed,
          .first_version = task.first_version,
          .sizes = task.role->value_size};
}

template <class Draws>
class GraphSteps {
 public:
  explicit GraphSteps(const ThreadTask& task) : draws_(GraphStreamOf(task)) {}

  Step Next() {
    const GraphChoice choice = draws_.Next();
    constexpr StepKind kKinds[] = {StepKind::kGet, StepKind::kScan, StepKind::kPut};
    return {.kind = kKinds[static_cast<size_t>(choice.kind)],
            .version = choice.version,
            .key = choice.index,
            .size = choice.value_size,
            .length = choice.scan_length + 1};  // Including the one that it finds.
  }

 private:
  Draws draws_;
};

template <class Draws>
void RunWith(const ThreadTask& task, ThreadResult& result) {
  StepsOperation<StepCheck::kWhole, GraphSteps<Draws>> operation(
      task, GraphSteps<Draws>(task), task.role->range, task.role->graph.most_value);
  RunSteps(task, result, operation, {"get", "seek", "put"});
}

void Run(const ThreadTask& task, ThreadResult& result) {
  task.role->graph.one_number ? RunWith<OneNumberDraws>(task, result)
                              : RunWith<GraphDraws>(task, result);
}

std::vector<StepsDone> StepsOf(const RoleRun& run) {
  if (run.tasks.front().role->graph.one_number) {
    return StepsOf(run, [](const ThreadTask& task) { return GraphSteps<OneNumberDraws>(task); });
  }
  return StepsOf(run, [](const ThreadTask& task) { return GraphSteps<GraphDraws>(task); });
}

// With one number the size depends on the key alone, whoever wrote it.
WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  const ValueSizes* const sizes = role.graph.one_number ? nullptr : &role.value_size;
  return LayerOf(run, HistoryOf(StepsOf(run), role.range, sizes));
}

// The bytes of the keys of all puts.
uint64_t PutKeyBytes(const RoleRun& run, const OperationStatistics& puts) {
  const KeyShape& keys = run.tasks.front().key_shape;
  if (!keys.vary()) return keys.size * puts.operations;
  uint64_t bytes = 0;
  for (const StepsDone& done : StepsOf(run)) {
    for (uint64_t i = 0; i < done.operations; ++i) {
      const Step step = done.next();
      if (step.kind == StepKind::kPut) bytes += keys.SizeOf(step.key);
    }
  }
  return bytes;
}

// Counts and means. No mean without any operations.
std::string NoteOf(const RoleRun& run, const RoleResult& summary) {
  const OperationStatistics& gets = summary.statistics[0];
  const OperationStatistics& seeks = summary.statistics[1];
  const OperationStatistics& puts = summary.statistics[2];
  std::string note = fmt::format("{} gets ({} found)", gets.operations, gets.hits);
  note += fmt::format(", {} puts", puts.operations);
  if (puts.operations != 0) {
    note += fmt::format(" of {:.1f} B", static_cast<double>(puts.bytes - PutKeyBytes(run, puts)) /
                                            static_cast<double>(puts.operations));
  }
  note += fmt::format(", {} seeks", seeks.operations);
  if (seeks.operations == 0) return note;
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) entries += thread.entries;
  return note + fmt::format(" of {:.1f} entries",
                            static_cast<double>(entries) / static_cast<double>(seeks.operations));
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.statistics.empty()) return "";
  result.note = NoteOf(run, summary);
  const bool is_alone = run.tasks.size() == 1;
  result.checked.answers = is_alone ? AnswersChecked::kReplayed : AnswersChecked::kInTheLoop;
  result.check_detail =
      is_alone ? "hits, bytes and digest of the gets are those of the model; what seeks found was "
                 "whole and in order, and perhaps not all"
               : "values of 16 bytes and more were their key's, keys that were there were found; "
                 "what seeks found was whole and in order, and perhaps not all";
  for (const OperationStatistics& stats : summary.statistics) {
    if (stats.wrong == 0) continue;
    return fmt::format("[{}]: {} of {} {}s found values that are not their key's, or not in order",
                       role.name, stats.wrong, stats.operations, stats.operation);
  }
  const OperationStatistics& gets = summary.statistics[0];
  uint64_t most_misses = 0;
  for (const StepsDone& done : StepsOf(run)) {
    const ReplayedSteps replayed =
        ReplaySteps(done, role.range, run.tasks.front().key_shape, before, values);
    most_misses += replayed.Of(StepKind::kGet).misses;
    if (!is_alone) continue;
    const std::string difference =
        Difference(run.results.front().statistics.front().counts, replayed.Of(StepKind::kGet),
                   replayed.is_known, replayed.is_known);
    if (!difference.empty()) return fmt::format("[{}], gets: {}", role.name, difference);
    if (!replayed.is_known) {
      result.check_detail =
          "hits are those of the model, bytes and digest were not compared: several threads wrote "
          "some of the entries before; what seeks found was whole and in order";
    }
  }
  if (gets.misses <= most_misses) return "";
  return fmt::format("[{}]: {} of {} keys were not found; at most {} were absent", role.name,
                     gets.misses, gets.operations, most_misses);
}

constexpr std::string_view kOnlyLines[] = {"threads", "op", "range", "stop", "rate"};

Status Check(const RoleLines& lines) {
  Role& role = lines.role();
  if (role.operations == Role::kToTheEnd) {
    return lines.Error("stop", "stops at the end, which only a scan comes to");
  }
  RETURN_IF_ERROR(CheckRemembered(lines, "put", 8));
  if (role.graph.keys.ranges > role.range) {
    return lines.Error("range", fmt::format("has {} keys, and --keyrange_num={} ranges of them",
                                            role.range, role.graph.keys.ranges));
  }
  if (role.graph.one_number && role.threads > 1 && role.graph.keys.has_hot_keys()) {
    return lines.Error(
        "threads",
        "has more than one thread: the sizes of hot keys are their numbers', so how long "
        "a value is that two threads wrote would not be known");
  }
  role.value_size = role.graph.Sizes().WithSeed(ValueSizeSeed(lines.settings()));
  return Status::Ok();
}

constexpr Operation RowNamed(std::string_view name, void (*set)(const FileNumbers&, Role&)) {
  return {.name = name,
          .result_name = "graph",
          .scope = OperationScope::kOwnKeys,
          .effects = Effect::kReads | kPuts,
          .can_warm_up = true,
          .can_repeat = true,
          .only_lines = kOnlyLines,
          .only_refusal = "has `{} =`, which its operation does not know: its flags say it",
          .check = Check,
          .set = set,
          .run = Run,
          .verify = Verify,
          .layer = Layer};
}

void SetPlan(const FileNumbers& numbers, Role& role) {
  role.graph = GraphPlanOf(numbers.settings());
}

void SetPlanOfOneNumber(const FileNumbers& numbers, Role& role) {
  SetPlan(numbers, role);
  role.graph.one_number = true;
}

}  // namespace
}  // namespace graph

constinit const Operation operations::kGraph = graph::RowNamed("graph", graph::SetPlan);
constinit const Operation operations::kGraphOfOneNumber =
    graph::RowNamed("graph of one number", graph::SetPlanOfOneNumber);

}  // namespace levelfield
