// Puts entries that are erased again after a while between others that stay, in the cycles of
// workload/disposal.h. Each put and each erase is an operation with a latency. Belongs to one
// thread.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/clock.h"
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/disposal.h"
#include "workload/file/role_lines.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

class DisposeOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kPutLane = 0;
  static constexpr size_t kEraseLane = 1;

  DisposeOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                   const DisposalPlan& plan, const KeyPlan& keys, const KeyShape& shape,
                   uint32_t version)
      : put_(table.put),
        erase_(table.erase),
        session_(session),
        values_(values),
        plan_(plan),
        permutation_(keys.range, keys.order_seed),
        format_(shape, keys.range),
        version_(version),
        key_(format_.Blank()),
        value_(std::max({plan.disposable_value_size, plan.persistent_value_size,
                         uint64_t{ValueSource::kHeaderBytes}})) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    step_ = Choose();
    const uint64_t position =
        step_ == Step::kDisposable ? plan_.PositionOfDisposable(counts_.disposable)
        : step_ == Step::kErase    ? plan_.PositionOfDisposable(counts_.erased)
                                   : plan_.PositionOfPersistent(counts_.persistent);
    const uint64_t index = permutation_.At(position);
    format_.Format(std::span(&index, 1), key_.data());
    if (step_ == Step::kErase) return;
    value_size_ =
        step_ == Step::kDisposable ? plan_.disposable_value_size : plan_.persistent_value_size;
    values_.Make(index, version_, value_size_, value_.data());
  }

  lf_code Call(const NumberedKey&) {
    const lf_bytes key = {key_.data(), key_.size()};
    const lf_code code = step_ == Step::kErase ? erase_(session_, key)
                                               : put_(session_, key, {value_.data(), value_size_});
    if (code != LF_OK) return code;
    switch (step_) {
      case Step::kDisposable:
        put_bytes_ += value_size_;
        if (++counts_.disposable % plan_.disposable_batch == 0) NoteBatch();
        break;
      case Step::kPersistent:
        put_bytes_ += value_size_;
        ++counts_.persistent;
        break;
      case Step::kErase:
        ++counts_.erased;
        break;
    }
    return LF_OK;
  }

  size_t Lane() const { return step_ == Step::kErase ? kEraseLane : kPutLane; }
  const DisposalCounts& counts() const { return counts_; }

  Tally tally(size_t lane) const {
    const bool puts = lane == kPutLane;
    const uint64_t operations = puts ? counts_.disposable + counts_.persistent : counts_.erased;
    return {.operations = operations,
            .hits = operations,
            .bytes = operations * format_.key_size() + (puts ? put_bytes_ : 0)};
  }

 private:
  enum class Step { kDisposable, kPersistent, kErase };

  Step Choose() {
    if (plan_.disposable_batch == 0) return Step::kPersistent;
    const uint64_t erased_batches = counts_.erased / plan_.disposable_batch;
    if (counts_.disposable / plan_.disposable_batch <= erased_batches) return Step::kDisposable;
    // Once it is due it stays so.
    if (plan_.delay_us != 0 && MonotonicNs() < due_ns_[erased_batches]) return Step::kDisposable;
    if (counts_.persistent < (erased_batches + 1) * plan_.persistent_batch) {
      return Step::kPersistent;
    }
    return Step::kErase;
  }

  // Within the latency of the batch's last put, and only where there is a delay to keep.
  void NoteBatch() {
    if (plan_.delay_us != 0) due_ns_.push_back(MonotonicNs() + plan_.delay_us * 1000);
  }

  decltype(lf_engine::put) put_;
  decltype(lf_engine::erase) erase_;
  lf_session* session_;
  const ValueSource& values_;
  DisposalPlan plan_;
  Permutation permutation_;
  KeyFormat format_;
  uint32_t version_;
  std::string key_;
  std::vector<char> value_;
  size_t value_size_ = 0;
  Step step_ = Step::kDisposable;
  DisposalCounts counts_;
  uint64_t put_bytes_ = 0;        // Of values.
  std::vector<uint64_t> due_ns_;  // When each batch may be erased.
};

void Run(const ThreadTask& task, ThreadResult& result) {
  DisposeOperation operation(*task.table, task.session, *task.values, task.role->disposal,
                             task.write_keys, task.key_shape, task.first_version);
  ThreadRun(task, result).Chosen(operation, {"put", "erase"});
  result.disposal = operation.counts();
  result.note =
      fmt::format("{} disposable put, {} persistent, {} erased", operation.counts().disposable,
                  operation.counts().persistent, operation.counts().erased);
}

uint64_t SmallestValue(const Role& role) {
  return std::min(role.disposal.disposable_value_size, role.disposal.persistent_value_size);
}

// The puts and erases of one thread say how far it came.
WriteLayer Layer(const Role& role, const RoleRun& run, std::span<const RoleRun>) {
  const ThreadTask& task = run.tasks.front();
  return LayerOf(
      run, std::make_shared<DisposalHistory>(role.disposal, run.results.front().disposal,
                                             role.range, task.keys.order_seed, task.first_version));
}

std::string Verify(const AnsweredRole& answered) {
  if (!answered.summary.lanes.empty()) answered.result.note = answered.run.results.front().note;
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
     ReadCount<kMostValueLine, 0, &Role::disposal, &DisposalPlan::disposable_value_size>},
    {"persistent_value_size",
     ReadCount<kMostValueLine, 0, &Role::disposal, &DisposalPlan::persistent_value_size>},
    {"delay_us", ReadCount<kMostDelayUs, 0, &Role::disposal, &DisposalPlan::delay_us>}};

Status Check(const RoleLines& lines) {
  if (const Status status = CheckFillsAlone(lines); !status.ok()) return status;
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

constinit const Operation operations::kDispose = {.name = "dispose",
                                                  .scope = OperationScope::kOwnKeys,
                                                  .writes = true,
                                                  .has_one_value_size = true,
                                                  .lines = kLines,
                                                  .check = Check,
                                                  .smallest_value = SmallestValue,
                                                  .run = Run,
                                                  .verify = Verify,
                                                  .layer = Layer};

}  // namespace levelfield
