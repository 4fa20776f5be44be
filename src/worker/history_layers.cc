#include "worker/history_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "worker/graph_judge.h"
#include "worker/trace_judge.h"
#include "worker/ycsb_judge.h"

namespace levelfield {
namespace {

std::shared_ptr<const KeyHistory> TriplesOf(const RoleRun& run, uint64_t value_size) {
  std::vector<TripleHistory::Share> shares;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    shares.push_back({TriplePlanOf(run.tasks[t]), run.results[t].Operations()});
  }
  return std::make_shared<TripleHistory>(shares, value_size);
}

// The puts and erases of one thread say how far it came.
std::shared_ptr<const KeyHistory> DisposalOf(const Role& role, const RoleRun& run) {
  const ThreadTask& task = run.tasks.front();
  return std::make_shared<DisposalHistory>(role.disposal, run.results.front().disposal, role.range,
                                           task.keys.order_seed, task.first_version);
}

// What was written, without what any of those who erase has erased.
std::shared_ptr<const KeyHistory> SeriesOf(const Role& role, const RoleRun& run,
                                           const PhaseRun& phase) {
  std::vector<uint64_t> erased_before;
  for (const RoleRun& other : phase.roles) {
    for (const ThreadResult& result : other.results) {
      erased_before.resize(std::max(erased_before.size(), result.erased_before.size()));
      for (size_t id = 0; id < result.erased_before.size(); ++id) {
        erased_before[id] = std::max(erased_before[id], result.erased_before[id]);
      }
    }
  }
  return std::make_shared<SeriesHistory>(phase.series->plan, run.results.front().Operations(),
                                         std::move(erased_before), run.tasks.front().first_version,
                                         role.value_size.most());
}

std::string JudgeSeries(const Role& role, const RoleRun& run, PhaseResult& result,
                        const LaneResult& lane) {
  if (role.operation == OperationKind::kSeriesPut) return "";
  const bool reads = role.operation == OperationKind::kSeriesRead;
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) entries += thread.entries;
  result.note += fmt::format("{}{} entries {}", result.note.empty() ? "" : ", ", entries,
                             reads ? "read" : "erased");
  result.checked = "in the loop";
  result.check_detail =
      "each scan of an id found all its entries that were there before it, in order, but for those "
      "that had expired where they are erased";
  if (lane.wrong == 0) return "";
  return fmt::format("[{}]: {} of {} scans of an id did not find the entries that it has",
                     role.name, lane.wrong, lane.operations);
}

}  // namespace

TriplePlan TriplePlanOf(const ThreadTask& task) {
  const auto group_at = [](uint64_t position) { return (position + kTriple - 1) / kTriple; };
  const Role& role = *task.role;
  return {.seed = task.choice_seed,
          .groups = role.range / kTriple,
          .first_group = group_at(task.write_keys.first_position),
          .end_group = group_at(task.write_keys.end_position),
          .get_percent = role.get_percent,
          .erase_percent = role.erase_percent,
          .first_version = task.first_version};
}

SlotPlan SlotPlanOf(const ThreadTask& task) {
  return {.seed = task.choice_seed, .keys = task.role->range / kSlots, .stddev = task.role->stddev};
}

WriteLayer HistoryLayerOf(const Role& role, const RoleRun& run, const PhaseRun& phase) {
  const ThreadTask& task = run.tasks.front();
  WriteLayer layer{.order = task.write_keys,
                   .shares = {},
                   .first_version = task.first_version,
                   .value_size = role.value_size};
  switch (role.operation) {
    case OperationKind::kTriple:
      layer.history = TriplesOf(run, role.value_size.most());
      break;
    case OperationKind::kReplace:
      layer.history =
          std::make_shared<SlotHistory>(SlotPlanOf(task), run.results.front().Operations(),
                                        task.first_version, role.value_size.most());
      break;
    case OperationKind::kSeriesPut:
      layer.history = SeriesOf(role, run, phase);
      break;
    case OperationKind::kGraph:
      layer.history = GraphHistoryOf(run);
      break;
    case OperationKind::kYcsb:
      layer.history = YcsbHistoryOf(run);
      break;
    case OperationKind::kTrace:
      layer.history = TraceHistoryOf(run);
      break;
    default:
      layer.history = DisposalOf(role, run);
      break;
  }
  return layer;
}

std::string JudgeHistory(const Role& role, const RoleRun& run, PhaseResult& result,
                         const RoleResult& summary) {
  if (summary.lanes.empty()) return "";
  const LaneResult& lane = summary.lanes.front();
  if (IsOfSeries(role.operation)) return JudgeSeries(role, run, result, lane);
  if (role.operation == OperationKind::kTriple) {
    result.checked = "in the loop";
    result.check_detail =
        "the three values of each get were of one version, and of the right one where the thread "
        "that read them is the one that writes them";
    result.note = fmt::format("{} gets ({} found), {} puts, {} erases", lane.operations, lane.hits,
                              summary.lanes.at(1).operations, summary.lanes.at(2).operations);
    if (lane.wrong == 0) return "";
    return fmt::format(
        "[{}]: the three values of {} of {} gets were not those that belong together", role.name,
        lane.wrong, lane.operations);
  }
  const ThreadResult& first = run.results.front();
  result.note = first.note;
  if (role.operation != OperationKind::kReplace || first.detail.empty()) return "";
  result.checked = "in the loop";
  result.check_detail = first.detail;
  if (lane.wrong == 0) return "";
  return fmt::format("[{}]: the snapshot lost {} of the entries that it was taken of", role.name,
                     lane.wrong);
}

}  // namespace levelfield
