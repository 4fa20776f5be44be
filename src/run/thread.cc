#include "run/thread.h"

#include "run/operations/mix.h"
#include "run/operations/read.h"
#include "run/operations/stream_write.h"
#include "run/operations/write.h"

namespace levelfield {
namespace {

// Runs the loop with the timer that the task asks for: the one place where that is decided.
template <class Operation>
lf_code RunWithTimer(Operation& operation, const ThreadTask& task, KeyBlock& block,
                     Histogram* histograms) {
  const auto run = [&](auto timer) {
    return RunLoop(operation, timer, block, task.operations, *task.control);
  };
  const uint64_t scale = task.clock->ns_per_tick_fixed();
  if (!task.timed) return run(Untimed{});
  if (task.clock->is_tsc()) return run(Timed<TscTicks>{scale, histograms});
  return run(Timed<MonotonicTicks>{scale, histograms});
}

class Runner {
 public:
  Runner(const ThreadTask& task, ThreadResult& result) : task_(task), result_(result) {}

  void Run() {
    const Role& role = *task_.role;
    const lf_engine& table = *task_.table;
    lf_session* const session = task_.session;
    switch (role.operation) {
      case OperationKind::kGet:
        if (task_.check_in_loop && task_.original == nullptr) {
          return RunOne(GetOperation(table, session, CheckInLoop{*task_.values}));
        }
        return RunOne(GetOperation(table, session, LeaveToReplay{}));
      case OperationKind::kSeek:
        if (role.exact) return RunOne(ExactSeekOperation(table, session));
        return RunOne(SeekOperation(table, session));
      case OperationKind::kNext:
      case OperationKind::kPrev:
        return RunOne(ScanOperation(table, session, role.operation == OperationKind::kNext));
      case OperationKind::kErase:
        return RunOne(EraseOperation(table, session));
      case OperationKind::kPut:
        if (task_.original != nullptr) {
          return RunStreamPut(
              WindowValues(WindowCursor(*task_.original, role.value_size, task_.first_window)));
        }
        if (IsDrawn(task_.keys.order)) {
          return RunStreamPut(CountedValues(*task_.values, task_.first_version, role.value_size,
                                            std::max<uint64_t>(role.batch, 1)));
        }
        if (role.batch > 1) {
          return RunOne(BatchOperation(table, session, *task_.values, task_.first_version,
                                       role.value_size, role.batch),
                        role.batch);
        }
        return RunOne(Put());
      case OperationKind::kMix:
        return RunMix();
      case OperationKind::kCompact:
      case OperationKind::kOpen:
        return;  // Operations on the store, not on a session: phase.cc runs them.
    }
  }

 private:
  PutOperation Put() const {
    return PutOperation(*task_.table, task_.session, *task_.values, task_.first_version,
                        task_.role->value_size);
  }

  template <class Values>
  void RunStreamPut(Values values) {
    const Role& role = *task_.role;
    if (role.batch > 1) {
      RunOne(StreamBatchOperation<Values>(*task_.table, task_.session, std::move(values),
                                          role.value_size, role.batch),
             role.batch);
    } else {
      RunOne(StreamPutOperation<Values>(*task_.table, task_.session, std::move(values),
                                        role.value_size));
    }
  }

  KeyBlock Block(const KeyPlan& plan, size_t capacity) const {
    return KeyBlock(plan, KeyFormat(task_.key_size, plan.range, task_.role->missing), capacity,
                    task_.role->cut);
  }

  // That were done, the failed one left out: as the loop counted them for those who watch.
  uint64_t Operations() const { return task_.control->operations.load(); }

  template <class Operation>
  void RunOne(Operation operation, size_t block_keys = KeyBlock::kKeys) {
    result_.lanes.resize(1);
    ThreadLane& lane = result_.lanes[0];
    lane.operation = task_.role->operation;
    KeyBlock block = Block(task_.keys, block_keys);
    Measure(operation, block, &lane.latency_ns);
    lane.tally = operation.tally(task_.key_size, Operations());
  }

  void RunMix() {
    MixOperation operation(GetOperation(*task_.table, task_.session, CheckInLoop{*task_.values}),
                           Put(), Block(task_.write_keys, KeyBlock::kKeys), task_.role->get_percent,
                           task_.choice_seed);
    KeyBlock block = Block(task_.keys, KeyBlock::kKeys);
    Histogram latencies[2];
    Measure(operation, block, latencies);
    result_.lanes.push_back({OperationKind::kGet, operation.get_tally(task_.key_size, Operations()),
                             std::move(latencies[0])});
    result_.lanes.push_back(
        {OperationKind::kPut, operation.put_tally(task_.key_size), std::move(latencies[1])});
  }

  template <class Operation>
  void Measure(Operation& operation, KeyBlock& block, Histogram* histograms) {
    result_.start_ns = MonotonicNs();
    result_.code = RunWithTimer(operation, task_, block, histograms);
    result_.end_ns = MonotonicNs();
    if (result_.code == LF_NOT_FOUND && IsScan(task_.role->operation)) {
      result_.found_end = true;
      result_.code = LF_OK;
    } else if (result_.code == LF_NOT_FOUND) {
      result_.code = LF_FAILED;
      result_.error = "answered 'not found' to a write";
    } else if (result_.code != LF_OK) {
      result_.error = task_.table->last_error();
    }
  }

  const ThreadTask& task_;
  ThreadResult& result_;
};

}  // namespace

void RunThread(const ThreadTask& task, ThreadResult& result) { Runner(task, result).Run(); }

}  // namespace levelfield
