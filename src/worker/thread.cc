#include "worker/thread.h"

#include <fmt/format.h>

#include <span>

#include "loop/open_loop.h"
#include "loop/paced.h"
#include "operations/append.h"
#include "operations/change.h"
#include "operations/compress_reject.h"
#include "operations/dispose.h"
#include "operations/entry_check.h"
#include "operations/graph.h"
#include "operations/machine.h"
#include "operations/mix.h"
#include "operations/new_iterator.h"
#include "operations/read.h"
#include "operations/replace.h"
#include "operations/scan_again.h"
#include "operations/seek_again.h"
#include "operations/seek_range.h"
#include "operations/trace.h"
#include "operations/transaction.h"
#include "operations/triple.h"
#include "operations/update.h"
#include "operations/write.h"
#include "operations/written_values.h"
#include "operations/xor.h"
#include "operations/ycsb.h"
#include "worker/graph_judge.h"
#include "worker/history_layers.h"
#include "worker/ycsb_judge.h"

namespace levelfield {
namespace {

// Runs the loop with the timer that the task asks for: the one place where that is decided.
template <class Operation>
lf_code RunWithTimer(Operation& operation, const ThreadTask& task, KeyBlock& block,
                     std::span<Histogram> histograms) {
  const auto run = [&](auto timer) {
    return RunLoop(operation, timer, block, task.operations, *task.control);
  };
  const uint64_t scale = task.clock->ns_per_tick_fixed();
  if (!task.timed) return run(Untimed{});
  task.control->banks.Begin(histograms);
  if (task.clock->is_tsc()) return run(Timed<TscTicks>{scale, histograms.data()});
  return run(Timed<MonotonicTicks>{scale, histograms.data()});
}

std::span<Histogram> Only(Histogram& histogram) { return {&histogram, 1}; }

class Runner {
 public:
  Runner(const ThreadTask& task, ThreadResult& result) : task_(task), result_(result) {}

  void Run() {
    const Role& role = *task_.role;
    if (IsOfMachine(role.operation)) return RunOnMachine();
    const lf_engine& table = *task_.table;
    lf_session* const session = task_.session;
    if (role.merges && table.merge == nullptr) return Refuse("this engine offers no merges");
    switch (role.operation) {
      case OperationKind::kGet:
        if (task_.check_in_loop && task_.original == nullptr) {
          return RunOne(GetOperation(table, session, CheckInLoop{*task_.values}));
        }
        return RunOne(GetOperation(table, session, LeaveToReplay{}));
      case OperationKind::kMultiGet:
        if (table.multi_get == nullptr) return Refuse("this engine gets one key a call");
        if (task_.check_in_loop && task_.original == nullptr) {
          return RunOne(MultiGetOperation(table, session, CheckInLoop{*task_.values}, role.batch),
                        role.batch);
        }
        return RunOne(MultiGetOperation(table, session, LeaveToReplay{}, role.batch), role.batch);
      case OperationKind::kMerge:
        return WithRoundValues([&](auto values) { RunOne(Put(std::move(values))); });
      case OperationKind::kUpdate:
        return WithRoundValues([&](auto values) {
          RunOne(UpdateOperation(GetOperation(table, session, CheckInLoop{*task_.values}),
                                 Put(std::move(values))));
        });
      case OperationKind::kAppend:
        if (!task_.check_in_loop) return Refuse(kNotOurs);
        return RunOne(ChangeOperation(
            table, session,
            AppendedValue(*task_.values, task_.first_version, role.value_size.most())));
      case OperationKind::kXor:
        if (!task_.check_in_loop) return Refuse(kNotOurs);
        return RunOne(ChangeOperation(
            table, session,
            XoredValue(*task_.values, *task_.before, task_.first_version, role.value_size.most())));
      case OperationKind::kTriple:
        return RunTriples();
      case OperationKind::kSeriesPut:
        return RunOne(SeriesPutOperation(table, session, *task_.values, *task_.series,
                                         task_.key_shape, task_.first_version,
                                         role.value_size.most()));
      case OperationKind::kSeriesRead: {
        SeriesReadOperation operation(table, session, *task_.values, *task_.series, task_.key_shape,
                                      task_.choice_seed, task_.first_version,
                                      role.value_size.most());
        RunInPlace(operation);
        result_.entries = operation.entries();
        return;
      }
      case OperationKind::kSeriesExpire: {
        SeriesExpireOperation operation(table, session, *task_.values, *task_.series,
                                        task_.key_shape, task_.choice_seed, task_.first_version,
                                        role.value_size.most());
        RunInPlace(operation);
        result_.entries = operation.erased();
        result_.erased_before = operation.erased_before();
        return;
      }
      case OperationKind::kReplace:
        return RunReplacements();
      case OperationKind::kDispose:
        return RunDisposals();
      case OperationKind::kGraph:
        return role.graph.one_number ? RunGraph<OneNumberDraws>() : RunGraph<GraphDraws>();
      case OperationKind::kYcsb:
        return RunYcsb();
      case OperationKind::kTrace:
        return RunTrace();
      case OperationKind::kSeek:
        if (role.reads_ranges()) return RunRanges();
        if (task_.check_order && task_.check_in_loop) {
          return RunOne(SeekOperation(table, session, Entries(true)));
        }
        if (task_.check_order) return RunOne(SeekOperation(table, session, Order(true)));
        return RunOne(SeekOperation(table, session));
      case OperationKind::kNext:
      case OperationKind::kPrev:
        return RunScan(role.operation == OperationKind::kNext);
      case OperationKind::kErase:
        if (role.batch == 1) return RunOne(EraseOperation(table, session));
        return RunOne(EraseBatchOperation(table, session, role.batch), role.batch);
      case OperationKind::kPut:
        if (task_.original != nullptr) {
          return RunPut(WindowValues(
              WindowCursor(*task_.original, role.value_size.most(), task_.first_window),
              role.value_size.most()));
        }
        if (!IsDrawn(task_.keys.order)) {
          return WithRoundValues([&](auto values) { RunPut(std::move(values)); });
        }
        if (role.value_size.vary()) return RunPut(Varied(true));
        return RunPut(Values<CountedValues>());
      case OperationKind::kMix:
        return WithRoundValues([&](auto values) { RunMix(std::move(values)); });
      case OperationKind::kTransaction:
        if (role.as_batch) return RunTransactions<true>();
        if (table.begin_transaction == nullptr) return Refuse("this engine has no transactions");
        return RunTransactions<false>();
      case OperationKind::kNewIterator:
        if (table.new_iterator == nullptr) return Refuse("this engine's scans make no iterator");
        return RunOne(NewIteratorOperation(table, session));
      default:
        return;  // Operations on the store, not on a session: the worker runs them.
    }
  }

 private:
  static constexpr uint64_t kFirstIntervalNs = 10'000;  // Of the backlog's; it doubles them.
  static constexpr const char* kNotOurs =
      "the store was there before, and its values are not of ours: how long they are, and what "
      "they become when they are changed, is not known";

  OrderCheck Order(bool forwards) const {
    return {forwards, task_.key_shape.kind == KeyKind::kInteger};
  }
  EntryCheck Entries(bool forwards) const {
    return {Order(forwards), KeyFormat(task_.key_shape, task_.key_shape.Limit()), *task_.values};
  }

  void RunRanges() {
    const bool forwards = !task_.role->backwards;
    if (task_.check_order && task_.check_in_loop) return RunRangesWith(Entries(forwards));
    if (task_.check_order) return RunRangesWith(Order(forwards));
    RunRangesWith(LeaveEntries{});
  }

  template <class Check>
  void RunRangesWith(Check check) {
    if (task_.role->again) {
      return RunOne(SeekAgainOperation(*task_.table, task_.session, *task_.role, std::move(check)));
    }
    const auto run = [&](auto bound) {
      RunOne(SeekRangeOperation(*task_.table, task_.session, *task_.role, check, bound));
    };
    task_.role->max_distance == 0 ? run(NoBound{}) : run(Distance());
  }

  DistanceBound Distance() const {
    return {task_.role->max_distance, !task_.role->backwards, task_.key_shape};
  }

  void RunScan(bool forwards) {
    if (task_.check_order && task_.check_in_loop) {
      RunScanWith(forwards, Entries(forwards));
    } else if (task_.check_order) {
      RunScanWith(forwards, Order(forwards));
    } else {
      RunScanWith(forwards, LeaveEntries{});
    }
  }

  template <class Check>
  void RunScanWith(bool forwards, Check check) {
    const ScanOperation scan(*task_.table, task_.session, forwards, std::move(check));
    if (task_.role->restarts) return RunOne(ScanAgainOperation(scan));
    RunOne(scan);
  }

  template <class Made>
  Made Values() const {
    const Role& role = *task_.role;
    return Made(*task_.values, task_.first_version, role.value_size.most(), role.batch);
  }

  VariedValues Varied(bool counts) const {
    const Role& role = *task_.role;
    return {*task_.values, task_.first_version, role.value_size, role.batch, counts};
  }

  // Runs with the values of a role each of whose keys is written once in each round: those of one
  // size pay nothing for those that vary.
  template <class Run>
  void WithRoundValues(Run run) const {
    if (task_.role->value_size.vary()) return run(Varied(false));
    run(Values<RoundValues>());
  }

  // A merge takes what a put takes, and by default comes to the same.
  template <class Values>
  PutOperation<Values> Put(Values values) const {
    lf_engine table = *task_.table;
    if (task_.role->merges) table.put = table.merge;
    return PutOperation<Values>(table, task_.session, std::move(values));
  }

  template <class Values>
  void RunPut(Values values) {
    const Role& role = *task_.role;
    if (role.batch == 1) return RunOne(Put(std::move(values)));
    RunOne(BatchOperation<Values>(*task_.table, task_.session, std::move(values), role.batch),
           role.batch);
  }

  KeyBlock Block(const KeyPlan& plan, size_t capacity) const {
    return KeyBlock(plan, KeyFormat(task_.key_shape, plan.range, task_.role->missing), capacity,
                    task_.role->cut);
  }

  // That were done, the failed one left out: as the loop counted them for those who watch.
  uint64_t Operations() const { return task_.control->operations.load(); }

  template <class Operation>
  void RunOne(Operation operation, size_t block_keys = KeyBlock::kKeys) {
    RunInPlace(operation, block_keys);
  }

  template <class Operation>
  void RunInPlace(Operation& operation, size_t block_keys = KeyBlock::kKeys) {
    result_.lanes.resize(1);
    ThreadLane& lane = result_.lanes[0];
    lane.operation = task_.role->operation;
    KeyBlock block = Block(task_.keys, block_keys);
    Measure(operation, block, Only(lane.latency_ns));
    lane.tally = operation.tally(task_.key_shape.size, Operations());
  }

  template <class Values>
  void RunMix(Values values) {
    const Role& role = *task_.role;
    if (role.seek_percent == 0) return RunMixWith(std::move(values), NoSeeks{});
    // What a seek reads while others write is not known, but it is whole and in order.
    const auto run = [&](auto bound) {
      RunMixWith(values, SeekRangeOperation(*task_.table, task_.session, role,
                                            Entries(!role.backwards), std::move(bound)));
    };
    role.max_distance == 0 ? run(NoBound{}) : run(Distance());
  }

  template <class Values, class Seek>
  void RunMixWith(Values values, Seek seek) {
    using Mix = MixOperation<Values, Seek>;
    Mix operation(GetOperation(*task_.table, task_.session, CheckInLoop{*task_.values}),
                  Put(std::move(values)), Block(task_.write_keys, KeyBlock::kKeys), *task_.role,
                  task_.choice_seed, std::move(seek));
    KeyBlock block = Block(task_.keys, KeyBlock::kKeys);
    Histogram latencies[Mix::kLanes];
    Measure(operation, block, latencies);
    const size_t key_size = task_.key_shape.size;
    result_.lanes.resize(Mix::kLanes);
    result_.lanes[Mix::kGetLane] = {OperationKind::kGet,
                                    operation.get_tally(key_size, Operations()),
                                    std::move(latencies[Mix::kGetLane]), Mix::kGetLane};
    if constexpr (Mix::kSeeks) {
      result_.lanes[Mix::kSeekLane] = {OperationKind::kSeek, operation.seek_tally(key_size),
                                       std::move(latencies[Mix::kSeekLane]), Mix::kSeekLane};
    }
    result_.lanes[Mix::kPutLane] = {
        task_.role->merges ? OperationKind::kMerge : OperationKind::kPut,
        operation.put_tally(key_size), std::move(latencies[Mix::kPutLane]), Mix::kPutLane};
  }

  // The keys are the transaction's own, so the loop's block makes none.
  template <bool kAsBatch>
  void RunTransactions() {
    const Role& role = *task_.role;
    using Transaction = TransactionOperation<kAsBatch>;
    Transaction operation(*task_.table, task_.session, *task_.values, role.value_size.most(),
                          KeyFormat(task_.key_shape, role.key_count()),
                          TransactionDraws(task_.keys.draw_seed, role.range, role.sets));
    KeyPlan no_keys = task_.keys;
    no_keys.order = KeyOrder::kNone;
    KeyBlock block = Block(no_keys, KeyBlock::kKeys);
    Histogram latencies[2];
    Measure(operation, block, latencies);
    result_.conflicts = operation.conflicts();
    result_.lanes.push_back({OperationKind::kTransaction, operation.committed_tally(),
                             std::move(latencies[Transaction::kCommittedLane]),
                             Transaction::kCommittedLane});
    result_.lanes.push_back({OperationKind::kConflict, operation.conflict_tally(),
                             std::move(latencies[Transaction::kConflictLane]),
                             Transaction::kConflictLane});
  }

  void RunTriples() {
    const lf_engine& table = *task_.table;
    if (table.take_snapshot == nullptr) {
      return Refuse(
          "this engine has no snapshots, and gets at three times say nothing of one another");
    }
    if (!task_.before->IsComplete()) {
      return Refuse("the store was there before, and what belongs together in it is not known");
    }
    if ((table.capabilities & LF_BATCH_ATOMIC) == 0 && task_.role->threads > 1) {
      return Refuse("readers may see half of this engine's batches; run it with one thread");
    }
    TripleOperation operation(table, task_.session, *task_.values, *task_.before,
                              TriplePlanOf(task_), task_.key_shape, task_.role->value_size.most());
    KeyBlock block = Block(task_.keys, KeyBlock::kKeys);
    Histogram latencies[TripleOperation::kLanes];
    Measure(operation, block, latencies);
    constexpr OperationKind kKinds[] = {OperationKind::kGet, OperationKind::kPut,
                                        OperationKind::kErase};
    for (size_t i = 0; i < TripleOperation::kLanes; ++i) {
      result_.lanes.push_back({kKinds[i], operation.tally(i), std::move(latencies[i]), i});
    }
  }

  template <class Draws>
  void RunGraph() {
    GraphOperation<Draws> operation(*task_.table, task_.session, *task_.values,
                                    GraphStreamOf(task_), task_.key_shape);
    KeyBlock block = Block(task_.keys, KeyBlock::kKeys);
    Histogram latencies[GraphOperation<Draws>::kLanes];
    Measure(operation, block, latencies);
    constexpr OperationKind kKinds[] = {OperationKind::kGet, OperationKind::kSeek,
                                        OperationKind::kPut};
    for (size_t i = 0; i < std::size(kKinds); ++i) {
      result_.lanes.push_back({kKinds[i], operation.tally(i), std::move(latencies[i]), i});
    }
    result_.entries = operation.entries();
  }

  // The records are the operation's own choice, so the loop's block makes no keys.
  void RunYcsb() {
    const Role& role = *task_.role;
    YcsbOperation operation(*task_.table, task_.session, *task_.values, YcsbStreamOf(task_),
                            task_.key_shape, role.value_size.most(), !task_.check_order);
    KeyPlan no_keys = task_.keys;
    no_keys.order = KeyOrder::kNone;
    KeyBlock block = Block(no_keys, KeyBlock::kKeys);
    Histogram latencies[YcsbOperation::kLanes];
    Measure(operation, block, latencies);
    operation.Finish();
    if (operation.is_full()) {
      result_.code = LF_OK;
      result_.error.clear();
      result_.note = "ended early: there is no room for more inserts";
    }
    const YcsbPlan& plan = role.ycsb;
    const std::pair<OperationKind, double> lanes[] = {{OperationKind::kGet, plan.read},
                                                      {OperationKind::kScan, plan.scan},
                                                      {OperationKind::kPut, plan.update},
                                                      {OperationKind::kModify, plan.modify},
                                                      {OperationKind::kInsert, plan.insert}};
    for (size_t i = 0; i < std::size(lanes); ++i) {
      const auto& [kind, share] = lanes[i];
      if (share > 0) {
        result_.lanes.push_back({kind, operation.tally(i), std::move(latencies[i]), i});
      }
    }
    result_.entries = operation.entries();
  }

  // Its keys are in its steps, so the loop's block makes none.
  void RunTrace() {
    const Role& role = *task_.role;
    TraceReplay operation(*task_.table, task_.session, *task_.values, task_.steps, task_.key_shape,
                          role.range, role.value_size.most());
    KeyPlan no_keys = task_.keys;
    no_keys.order = KeyOrder::kNone;
    KeyBlock block = Block(no_keys, KeyBlock::kKeys);
    Histogram latencies[TraceReplay::kLanes];
    Measure(operation, block, latencies);
    constexpr OperationKind kKinds[] = {OperationKind::kGet, OperationKind::kPut,
                                        OperationKind::kErase, OperationKind::kModify};
    static_assert(std::size(kKinds) == TraceReplay::kLanes);
    for (size_t i = 0; i < TraceReplay::kLanes; ++i) {
      // Those that the whole trace has, so that all threads have the same.
      const bool is_there =
          role.trace.loads ? kKinds[i] == OperationKind::kPut : role.trace.operations[i] != 0;
      if (!is_there) continue;
      result_.lanes.push_back({kKinds[i], operation.tally(i), std::move(latencies[i]), i});
    }
  }

  void RunReplacements() {
    const lf_engine& table = *task_.table;
    ReplaceOperation operation(table, task_.session, *task_.values, SlotPlanOf(task_),
                               task_.key_shape, task_.first_version, task_.role->value_size.most());
    const auto failed = [&](lf_code code) {
      if (code == LF_OK) return false;
      result_.code = code;
      result_.error = table.last_error();
      return true;
    };
    if (failed(operation.Load())) return;
    ThreadLane& lane = result_.lanes.emplace_back();
    lane.operation = OperationKind::kReplace;
    KeyBlock block = Block(task_.keys, KeyBlock::kKeys);
    Measure(operation, block, Only(lane.latency_ns));
    if (result_.code == LF_OK) (void)failed(operation.CheckSnapshot());
    lane.tally = operation.tally(task_.key_shape.size, Operations());
    result_.note = operation.has_snapshot() ? "a snapshot is held" : "no snapshot is held";
    if (operation.has_snapshot()) {
      result_.detail = "the snapshot still had every entry that it was taken of";
    }
  }

  void RunDisposals() {
    const lf_engine& table = *task_.table;
    DisposeOperation operation(table, task_.session, *task_.values, task_.role->disposal,
                               task_.write_keys, task_.key_shape, task_.first_version);
    KeyBlock block = Block(task_.keys, KeyBlock::kKeys);
    Histogram latencies[2];
    Measure(operation, block, latencies);
    const size_t key_size = task_.key_shape.size;
    result_.disposal = operation.counts();
    result_.note =
        fmt::format("{} disposable put, {} persistent, {} erased", operation.counts().disposable,
                    operation.counts().persistent, operation.counts().erased);
    result_.lanes.push_back(
        {OperationKind::kPut, operation.put_tally(key_size), std::move(latencies[0]), 0});
    result_.lanes.push_back(
        {OperationKind::kErase, operation.erase_tally(key_size), std::move(latencies[1]), 1});
  }

  void RunOnMachine() {
    const Role& role = *task_.role;
    if (role.operation == OperationKind::kAcquireLoad) {
      AcquireLoadOperation operation;
      return MeasureMachine(operation, [] { return ""; });
    }
    if (role.operation == OperationKind::kCrc32c) {
      const StatusOr<Checksum> checksum = Checksum::Load();
      if (!checksum.ok()) return Refuse(checksum.status().message());
      Crc32cOperation operation(*checksum, role.value_size.most());
      return MeasureMachine(operation, [] { return ""; });
    }
    if (role.operation == OperationKind::kXxHash) {
      const StatusOr<XxHash> hash = XxHash::Load(role.codec);
      if (!hash.ok()) return Refuse(hash.status().message());
      XxHashOperation operation(*hash, task_.values->pool().substr(0, role.value_size.most()));
      return MeasureMachine(operation, [] { return ""; });
    }
    const StatusOr<std::unique_ptr<Codec>> codec = LoadCodec(role.codec);
    if (!codec.ok()) return Refuse(codec.status().message());
    if (role.operation == OperationKind::kCompressReject) {
      CompressRejectOperation operation(**codec,
                                        task_.values->pool().substr(0, role.value_size.most()));
      return MeasureMachine(operation, [&] { return operation.Error(); });
    }
    CodecOperation operation(**codec, task_.values->pool().substr(0, role.value_size.most()),
                             role.operation == OperationKind::kUncompress);
    MeasureMachine(operation, [&] { return operation.Error(); });
  }

  void Refuse(const std::string& reason) {
    result_.code = LF_UNSUPPORTED;
    result_.error = reason;
  }

  template <class Operation, class MakeError>
  void MeasureMachine(Operation& operation, MakeError make_error) {
    ThreadLane& lane = result_.lanes.emplace_back();
    lane.operation = task_.role->operation;
    KeyBlock block = Block(task_.keys, KeyBlock::kKeys);
    result_.start_ns = MonotonicNs();
    result_.code = RunWithTimer(operation, task_, block, Only(lane.latency_ns));
    result_.end_ns = MonotonicNs();
    if (result_.code != LF_OK) result_.error = make_error();
    lane.tally = operation.tally(Operations());
    result_.note = operation.Note();
    result_.detail = operation.Detail();
  }

  template <class Operation>
  void Measure(Operation& operation, KeyBlock& block, std::span<Histogram> histograms) {
    bool is_given_up = false;  // Told to stop while it waited to be due.
    result_.start_ns = MonotonicNs();
    if (task_.load) {
      is_given_up = task_.clock->is_tsc() ? RunOpen<TscTicks>(operation, block, histograms)
                                          : RunOpen<MonotonicTicks>(operation, block, histograms);
    } else if (task_.role->rate == 0) {
      result_.code = RunWithTimer(operation, task_, block, histograms);
    } else {
      Paced<Operation> paced(operation, PaceOfTask(), *task_.control);
      result_.code = RunWithTimer(paced, task_, block, histograms);
      is_given_up = paced.is_given_up();
    }
    result_.end_ns = MonotonicNs();
    if (is_given_up) {
      result_.code = LF_OK;
    } else if (result_.code == LF_NOT_FOUND && IsScan(task_.role->operation)) {
      result_.found_end = true;
      result_.code = LF_OK;
    } else if (result_.code == LF_NOT_FOUND) {
      result_.code = LF_FAILED;
      result_.error = "answered 'not found' to a write";
    } else if (result_.code != LF_OK) {
      result_.error = task_.table->last_error();
    }
  }

  // Whether it was told to stop while it waited. What is measured begins with the schedule: setting
  // up is over by then, and makes nobody late.
  template <class Ticks, class Operation>
  bool RunOpen(Operation& operation, KeyBlock& block, std::span<Histogram> histograms) {
    using Time = RealTime<Ticks>;
    const uint64_t scale = task_.clock->ns_per_tick_fixed();
    const auto ticks = [&](uint64_t ns) {
      return static_cast<uint64_t>(static_cast<double>(ns) * 1e-9 *
                                   task_.clock->ticks_per_second());
    };
    const uint64_t now_ns = MonotonicNs();
    const uint64_t lead_ns = task_.load_begin_ns > now_ns ? task_.load_begin_ns - now_ns : 0;
    const uint64_t begin = Time::Now() + ticks(lead_ns);
    OpenRecord& record =
        result_.open.emplace(begin, ticks(kFirstIntervalNs), scale, histograms.size());
    if (!WaitUntil<Time>(begin, scale, *task_.control)) return true;
    task_.control->banks.Begin(histograms, record.response_ns());
    OpenLoop<Operation, Time> open(operation, *task_.load, begin, scale, record, *task_.control);
    result_.start_ns = MonotonicNs();
    result_.code = RunLoop(open, TimedOpen<Time>{scale, histograms.data(), &record}, block,
                           task_.operations, *task_.control);
    return open.is_given_up();
  }

  Pace PaceOfTask() const {
    const Role& role = *task_.role;
    return {
        .rate = role.rate, .threads = role.threads, .thread = task_.thread, .batch = role.batch};
  }

  const ThreadTask& task_;
  ThreadResult& result_;
};

}  // namespace

void RunThread(const ThreadTask& task, ThreadResult& result) { Runner(task, result).Run(); }

}  // namespace levelfield
