// The operations of a recorded trace, one step of the thread's part after the other, which lies in
// memory. Which key, how many bytes and which version follow from the step; key and value are made
// outside of the timing. A modify is a get and a put of the same key. All that is read goes into
// the digest, which is replayed afterwards: a key has one thread, so what it had to read is known.
// Belongs to one thread.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/quote.h"
#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/answers.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/digest.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"
#include "workload/trace/trace_history.h"
#include "workload/trace/trace_steps.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

class TraceReplay {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kLanes = kTraceOperations;

  // The loop asks for at most as many operations as there are steps.
  TraceReplay(const lf_engine& table, lf_session* session, const ValueSource& values,
              std::span<const TraceStep> steps, const KeyShape& shape, uint64_t range,
              uint64_t largest_value)
      : table_(table),
        session_(session),
        values_(values),
        next_(steps.data()),
        format_(shape, range),
        key_(format_.Blank()),
        value_(std::max<size_t>(largest_value, ValueSource::kHeaderBytes)) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    step_ = *next_++;
    const uint64_t index = step_.key;
    format_.Format(std::span(&index, 1), key_.data());
    if (step_.version != 0) values_.Make(index, step_.version, step_.value_size, value_.data());
  }

  [[gnu::always_inline]] lf_code Call(const NumberedKey&) {
    const lf_bytes key = {key_.data(), key_.size()};
    switch (step_.operation) {
      case TraceOperation::kGet:
        return Get(key);
      case TraceOperation::kModify:
        return Modify(key);
      case TraceOperation::kPut:
      case TraceOperation::kErase:
        break;
    }
    const bool erases = step_.operation == TraceOperation::kErase;
    const lf_code code = erases ? table_.erase(session_, key) : Put(key);
    if (code != LF_OK) return code;
    ++tally().hits;
    if (erases) tally().bytes += key.size;
    return LF_OK;
  }

  size_t Lane() const { return static_cast<size_t>(step_.operation); }

  Tally tally(size_t lane) const {
    Tally tally = tallies_[lane];
    tally.operations = tally.hits + tally.misses;
    tally.digest = digests_[lane].Value();
    return tally;
  }

 private:
  Tally& tally() { return tallies_[Lane()]; }

  lf_code Get(lf_bytes key) {
    lf_bytes value;
    const lf_code code = table_.get(session_, key, &value);
    if (code == LF_NOT_FOUND) {
      ++tally().misses;
      return LF_OK;
    }
    if (code != LF_OK) return code;
    ++tally().hits;
    tally().bytes += key.size + value.size;
    digests_[Lane()].Add(value, step_.key);
    return LF_OK;
  }

  lf_code Put(lf_bytes key) {
    const lf_code code = table_.put(session_, key, {value_.data(), step_.value_size});
    if (code == LF_OK) tally().bytes += key.size + step_.value_size;
    return code;
  }

  // A key that is not there is written all the same; that it was not there is counted. One that
  // fails half-way was not done.
  lf_code Modify(lf_bytes key) {
    const Tally before = tally();
    lf_code code = Get(key);
    if (code == LF_OK) code = Put(key);
    if (code != LF_OK) tally() = before;
    return code;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  const TraceStep* next_;
  TraceStep step_;
  KeyFormat format_;
  std::string key_;
  std::vector<char> value_;
  Tally tallies_[kLanes];
  Digest digests_[kLanes];
};

void Run(const ThreadTask& task, ThreadResult& result) {
  const TracePlan& plan = task.role->trace;
  TraceReplay operation(*task.table, task.session, *task.values, task.steps, task.key_shape,
                        task.role->range, task.role->value_size.most());
  // Those that the whole trace has, so that all threads have the same.
  const auto shown = [&](TraceOperation kind, std::string_view name) {
    const bool is_there = plan.loads ? kind == TraceOperation::kPut : plan.of(kind) != 0;
    return is_there ? name : "";
  };
  ThreadRun(task, result)
      .Chosen(operation,
              {shown(TraceOperation::kGet, "get"), shown(TraceOperation::kPut, "put"),
               shown(TraceOperation::kErase, "erase"), shown(TraceOperation::kModify, "rmw")});
}

std::span<const TraceStep> DoneBy(const RoleRun& run, size_t thread) {
  const std::span<const TraceStep> steps = run.tasks[thread].steps;
  return steps.first(std::min<size_t>(run.results[thread].Operations(), steps.size()));
}

// What threads had to be answered, one after the other: each of them has its own keys.
class Replayer {
 public:
  using Tallies = std::array<Tally, kTraceOperations>;

  Replayer(uint64_t keys, size_t key_size, const ExpectedState& before, const StoredValues& values)
      : kept_(keys), key_size_(key_size), before_(before), values_(values) {}

  // Empty where a version is asked for that nobody knows.
  std::optional<Tallies> Replay(std::span<const TraceStep> steps) {
    Tallies tallies;
    std::array<Digest, kTraceOperations> digests;
    for (const TraceStep& step : steps) {
      const auto lane = static_cast<size_t>(step.operation);
      Tally& tally = tallies[lane];
      ++tally.operations;
      const TraceOperation operation = step.operation;
      if (operation == TraceOperation::kGet || operation == TraceOperation::kModify) {
        const std::optional<ExpectedState::Entry> entry = Find(step.key);
        if (!entry) {
          ++tally.misses;
        } else if (entry->version == ExpectedState::kUnknownVersion) {
          return std::nullopt;
        } else {
          ++tally.hits;
          tally.bytes += key_size_ + entry->value_size;
          digests[lane].Add(BytesOf(step.key, *entry), step.key);
        }
      } else {
        ++tally.hits;
      }
      if (operation == TraceOperation::kErase) {
        tally.bytes += key_size_;
        kept_[step.key] = {.is_touched = true, .version = 0, .value_size = 0};
      }
      if (step.version != 0) {
        tally.bytes += key_size_ + step.value_size;
        kept_[step.key] = {true, step.version, step.value_size};
      }
    }
    for (size_t i = 0; i < tallies.size(); ++i) tallies[i].digest = digests[i].Value();
    return tallies;
  }

 private:
  struct Kept {
    bool is_touched = false;
    uint32_t version = 0;  // 0: it was erased.
    uint32_t value_size = 0;
  };

  std::optional<ExpectedState::Entry> Find(uint64_t key) const {
    const Kept& kept = kept_[key];
    if (!kept.is_touched) return before_.Find(key);
    if (kept.version == 0) return std::nullopt;
    return ExpectedState::Entry{.version = kept.version, .value_size = kept.value_size};
  }

  lf_bytes BytesOf(uint64_t key, const ExpectedState::Entry& entry) {
    bytes_.resize(std::max<size_t>(entry.value_size, ValueSource::kHeaderBytes));
    values_.Write(key, entry.version, entry.value_size, bytes_.data());
    return {bytes_.data(), entry.value_size};
  }

  std::vector<Kept> kept_;
  size_t key_size_;
  const ExpectedState& before_;
  const StoredValues& values_;
  std::vector<char> bytes_;
};

// Of one kind of operation; empty: it was answered as it had to be.
std::string DifferenceOf(const Tally& actual, const Tally& expected) {
  if (actual.operations != expected.operations) {
    return fmt::format("{} operations instead of {}", actual.operations, expected.operations);
  }
  if (actual.hits != expected.hits) {
    return fmt::format("{} found instead of {}", actual.hits, expected.hits);
  }
  if (actual.bytes != expected.bytes) {
    return fmt::format("{} bytes instead of {}", actual.bytes, expected.bytes);
  }
  if (actual.digest == expected.digest) return "";
  return fmt::format(
      "what was read differs from what was written (digest {:016x} instead of {:016x})",
      actual.digest, expected.digest);
}

// What was replayed, in few words: it stands in a table.
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

// Which trace it was, and what of it was not replayed.
std::string TraceText(const TracePlan& plan, uint64_t key_size) {
  std::string text = fmt::format(
      "trace {:016x} ({}), whose keys have {:.0f} bytes on the average, "
      "and {} here",
      plan.header.checksum, Printable(plan.header.source),
      static_cast<double>(plan.key_bytes) /
          static_cast<double>(std::max<uint64_t>(plan.records(), 1)),
      key_size);
  if (plan.expiring != 0) {
    text +=
        fmt::format("; {} operations have a time to live, and nothing expires here", plan.expiring);
  }
  return text;
}

WriteLayer Layer(const Role&, const RoleRun& run, std::span<const RoleRun>) {
  std::vector<std::span<const TraceStep>> done;
  for (size_t t = 0; t < run.tasks.size(); ++t) done.push_back(DoneBy(run, t));
  return LayerOf(run, std::make_shared<TraceHistory>(done, run.tasks.front().role->range));
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  const size_t key_size = run.tasks.front().key_shape.size;
  uint64_t done = 0;
  for (size_t t = 0; t < run.tasks.size(); ++t) done += DoneBy(run, t).size();
  result.note = NoteOf(role.trace, done);
  result.checked = "replayed";
  result.check_detail =
      "hits, bytes and digest of every get are those of the model, as each key has one thread; " +
      TraceText(role.trace, key_size);
  Replayer replayer(role.range, key_size, before, values);
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const ThreadResult& thread = run.results[t];
    if (thread.lanes.empty()) continue;
    const std::optional<Replayer::Tallies> expected = replayer.Replay(DoneBy(run, t));
    if (!expected) return fmt::format("[{}]: what the store held before is not known", role.name);
    for (const ThreadLane& lane : thread.lanes) {
      const std::string difference = DifferenceOf(lane.tally, (*expected)[lane.number]);
      if (difference.empty()) continue;
      return fmt::format("[{}], thread {}, {}: {}", role.name, t,
                         TraceOperationName(static_cast<TraceOperation>(lane.number)), difference);
    }
  }
  return "";
}

constexpr std::string_view kOnlyLines[] = {"threads", "op", "stop"};

// Which keys, how many operations and how long values are is the trace's to say.
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

constexpr Operation RowNamed(std::string_view name, void (*set)(const FileNumbers&, Role&)) {
  return {.name = name,
          .result_name = "trace",
          .scope = OperationScope::kOwnKeys,
          .reads = true,
          .writes = true,
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

constinit const Operation operations::kTrace = RowNamed("trace", nullptr);

constinit const Operation operations::kTraceLoad =
    RowNamed("trace load", [](const FileNumbers&, Role& role) { role.trace.loads = true; });

}  // namespace levelfield
