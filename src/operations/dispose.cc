// Puts entries that stay and entries that are erased after a while, in the cycles of
// workload/disposal.h. Each put and each erase is an operation with a latency.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/clock.h"
#include "operations/operations.h"
#include "operations/steps.h"
#include "workload/disposal.h"
#include "workload/file/role_lines.h"
#include "workload/value_source.h"

namespace levelfield {
namespace dispose {
namespace {

class DisposalSteps {
 public:
  explicit DisposalSteps(const ThreadTask& task)
      : plan_(task.role->disposal),
        permutation_(task.write_keys.range, task.write_keys.order_seed),
        version_(task.first_version) {}

  Step Next() {
    next_ = Choose();
    const uint64_t position =
        next_ == Entry::kDisposable ? plan_.PositionOfDisposable(counts_.disposable)
        : next_ == Entry::kErased   ? plan_.PositionOfDisposable(counts_.erased)
                                    : plan_.PositionOfPersistent(counts_.persistent);
    const uint64_t key = permutation_.At(position);
    if (next_ == Entry::kErased) return {.kind = StepKind::kErase, .key = key};
    return {.kind = StepKind::kPut,
            .version = version_,
            .key = key,
            .size = next_ == Entry::kDisposable ? plan_.disposable_value_size
                                                : plan_.persistent_value_size};
  }

  void Done(const Step&) {
    switch (next_) {
      case Entry::kDisposable:
        if (++counts_.disposable % plan_.disposable_batch == 0) NoteBatch();
        break;
      case Entry::kPersistent:
        ++counts_.persistent;
        break;
      case Entry::kErased:
        ++counts_.erased;
        break;
    }
  }

  // Batches of before are due at once.
  void GoOn(const ThreadTask& task) {
    counts_ = task.earlier->disposal;
    if (plan_.disposable_batch == 0) return;
    due_ns_.resize(counts_.disposable / plan_.disposable_batch);
  }

  const DisposalCounts& counts() const { return counts_; }

 private:
  enum class Entry { kDisposable, kPersistent, kErased };

  Entry Choose() {
    if (plan_.disposable_batch == 0) return Entry::kPersistent;
    const uint64_t erased_batches = counts_.erased / plan_.disposable_batch;
    if (counts_.disposable / plan_.disposable_batch <= erased_batches) return Entry::kDisposable;
    // Once due, it stays due.
    if (plan_.delay_us != 0 && MonotonicNs() < due_ns_[erased_batches]) return Entry::kDisposable;
    if (counts_.persistent < (erased_batches + 1) * plan_.persistent_batch) {
      return Entry::kPersistent;
    }
    return Entry::kErased;
  }

  // Counts in the latency of the batch's last put, and only if there is a delay to keep.
  void NoteBatch() {
    if (plan_.delay_us != 0) due_ns_.push_back(MonotonicNs() + plan_.delay_us * 1000);
  }

  DisposalPlan plan_;
  Permutation permutation_;
  uint32_t version_;
  Entry next_ = Entry::kDisposable;
  DisposalCounts counts_;
  std::vector<uint64_t> due_ns_;  // When each batch may be erased.
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const DisposalPlan& plan = task.role->disposal;
  StepsOperation<StepCheck::kNone, DisposalSteps> operation(
      task, DisposalSteps(task), task.write_keys.range,
      std::max(plan.disposable_value_size, plan.persistent_value_size));
  RunSteps(task, result, operation, {"", "", "put", "erase"});
  result.disposal = operation.generator().counts();
  result.note =
      fmt::format("{} disposable put, {} persistent, {} erased", result.disposal.disposable,
                  result.disposal.persistent, result.disposal.erased);
}

uint64_t SmallestValue(const Role& role) {
  return std::min(role.disposal.disposable_value_size, role.disposal.persistent_value_size);
}

// The numbers of a thread's puts and erases show how far it came.
WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  const ThreadTask& task = run.tasks.front();
  return LayerOf(
      run, std::make_shared<DisposalHistory>(role.disposal, run.results.front().disposal,
                                             role.range, task.keys.order_seed, task.first_version));
}

std::string Verify(const AnsweredRole& answered) {
  if (!answered.summary.statistics.empty())
    answered.result.note = answered.run.results.front().note;
  return "";
}

constexpr uint64_t kMostEntries = 1'000'000'000;
constexpr uint64_t kMostDelayUs = 3'600'000'000;
constexpr RoleLine kLines[] = {
    {"disposable_batch",
     ReadCount<kMostEntries, 0, &Role::disposal, &DisposalPlan::disposable_batch>},
    {"persistent_batch",
     ReadCount<kMostEntries, 0, &Role::disposal, &DisposalPlan::persistent_batch>},
    {"disposable_value_size",
     ReadCount<limits::kValueBytes, 0, &Role::disposal, &DisposalPlan::disposable_value_size>},
    {"persistent_value_size",
     ReadCount<limits::kValueBytes, 0, &Role::disposal, &DisposalPlan::persistent_value_size>},
    {"delay_us", ReadCount<kMostDelayUs, 0, &Role::disposal, &DisposalPlan::delay_us>}};

Status Check(const RoleLines& lines) {
  RETURN_IF_ERROR(CheckFillsAlone(lines));
  Role& role = lines.role();
  DisposalPlan& plan = role.disposal;
  if (!role.until_role.empty()) return lines.Error("stop", "stops when another role ends");
  if (plan.disposable_batch == 0) plan.persistent_value_size = role.value_size.most();
  role.value_size = std::max(plan.disposable_value_size, plan.persistent_value_size);
  if (role.operations > KeyFormat::kLimit / 2) {
    return lines.Error("stop", "has more operations than there are keys");
  }
  if (plan.disposable_batch != 0 &&
      static_cast<unsigned __int128>(role.operations) / plan.disposable_batch * plan.cycle() +
              plan.cycle() >
          KeyFormat::kLimit) {
    return lines.Error("persistent_batch", "needs more keys than there are; make it smaller");
  }
  role.range = plan.PositionsFor(role.operations);
  return Status::Ok();
}

}  // namespace
}  // namespace dispose

constinit const Operation operations::kDispose = {.name = "dispose",
                                                  .scope = OperationScope::kOwnKeys,
                                                  .effects = kPuts | kErasures,
                                                  .has_one_value_size = true,
                                                  .goes_on = true,
                                                  .lines = dispose::kLines,
                                                  .check = dispose::Check,
                                                  .smallest_value = dispose::SmallestValue,
                                                  .run = dispose::Run,
                                                  .verify = dispose::Verify,
                                                  .layer = dispose::Layer};

}  // namespace levelfield
