// mixgraph's operation: a get, a put or a seek of a key that draws of its own choose (
// workload/graph_draws.h), outside of the timing. Gets and seeks are checked on the spot as far as
// they can be while others write: a value has to be whole and its key's, and entries in order; a
// value that is too short to name its key is told by its length alone. Belongs to one thread.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine_abi.h"
#include "loop/key_block.h"
#include "loop/tally.h"
#include "operations/answers.h"
#include "operations/entry_check.h"
#include "operations/operations.h"
#include "operations/thread_run.h"
#include "workload/digest.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"
#include "workload/graph_draws.h"
#include "workload/graph_history.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

template <class Draws>
class GraphOperation {
 public:
  static constexpr bool kWholeBlock = false;
  static constexpr size_t kLanes = 3;  // Gets, seeks, puts.

  GraphOperation(const lf_engine& table, lf_session* session, const ValueSource& values,
                 const GraphStream& stream, const KeyShape& shape)
      : table_(table),
        session_(session),
        values_(values),
        draws_(stream),
        format_(shape, stream.range),
        found_format_(shape, shape.Limit()),
        order_(true, shape.kind == KeyKind::kInteger),
        key_(format_.Blank()),
        value_(std::max<size_t>(stream.plan.most_value, ValueSource::kHeaderBytes)) {}

  void BeginBlock(const KeyBlock&) {}

  void Prepare(const NumberedKey&) {
    choice_ = draws_.Next();
    format_.Format(std::span(&choice_.index, 1), key_.data());
    if (choice_.kind != GraphChoice::Kind::kPut) return;
    values_.Make(choice_.index, choice_.version, choice_.value_size, value_.data());
  }

  lf_code Call(const NumberedKey&) {
    const lf_bytes key = {key_.data(), key_.size()};
    if (choice_.kind == GraphChoice::Kind::kGet) return Get(key);
    if (choice_.kind == GraphChoice::Kind::kSeek) return Seek(key);
    const lf_code code = table_.put(session_, key, {value_.data(), choice_.value_size});
    if (code != LF_OK) return code;
    Tally& tally = tallies_[Lane()];
    ++tally.hits;
    tally.bytes += key.size + choice_.value_size;
    return LF_OK;
  }

  size_t Lane() const { return static_cast<size_t>(choice_.kind); }

  Tally tally(size_t lane) const {
    Tally tally = tallies_[lane];
    tally.operations = tally.hits + tally.misses;
    tally.digest = digests_[lane].Value();
    return tally;
  }
  // That seeks read.
  uint64_t entries() const { return entries_; }

 private:
  lf_code Get(lf_bytes key) {
    Tally& tally = tallies_[Lane()];
    lf_bytes value;
    const lf_code code = table_.get(session_, key, &value);
    if (code != LF_OK) return Missed(code);
    ++tally.hits;
    tally.bytes += key.size + value.size;
    digests_[Lane()].Add(value, choice_.index);
    tally.wrong += IsWhole(choice_.index, value) ? 0 : 1;
    return LF_OK;
  }

  lf_code Seek(lf_bytes sought) {
    Tally& tally = tallies_[Lane()];
    lf_bytes key;
    lf_bytes value;
    lf_code code = table_.seek(session_, LF_AT_OR_AFTER, sought, &key, &value);
    if (code != LF_OK) return Missed(code);
    const bool is_hit = IsKey(key, sought);
    bool is_right = order_.WrongFound(sought, key, value) == 0;
    order_.Begin(key);
    Read(key, value, choice_.index, is_right);
    for (uint64_t step = 1; step <= choice_.scan_length; ++step) {
      code = table_.next(session_, &key, &value);
      if (code == LF_NOT_FOUND) break;  // The store may end before the scan does.
      if (code != LF_OK) return code;
      is_right = order_.WrongStep(key, value) == 0 && is_right;
      Read(key, value, choice_.index + step, is_right);
    }
    ++(is_hit ? tally.hits : tally.misses);
    tally.wrong += is_right ? 0 : 1;
    return LF_OK;
  }

  void Read(lf_bytes key, lf_bytes value, uint64_t place, bool& is_right) {
    ++entries_;
    tallies_[Lane()].bytes += key.size + value.size;
    digests_[Lane()].Add(key, place);
    digests_[Lane()].Add(value, place);
    const std::optional<uint64_t> index = found_format_.Parse({key.data, key.size});
    is_right = is_right && index && IsWhole(*index, value);
  }

  bool IsWhole(uint64_t index, lf_bytes value) const {
    return value.size < ValueSource::kHeaderBytes || values_.Check(index, value);
  }

  // "Not found" is an answer.
  lf_code Missed(lf_code code) {
    if (code != LF_NOT_FOUND) return code;
    ++tallies_[Lane()].misses;
    return LF_OK;
  }

  const lf_engine& table_;
  lf_session* session_;
  const ValueSource& values_;
  Draws draws_;
  KeyFormat format_;
  KeyFormat found_format_;  // Of what the store holds.
  OrderCheck order_;
  GraphChoice choice_;
  std::string key_;
  std::vector<char> value_;
  Tally tallies_[kLanes];
  Digest digests_[kLanes];
  uint64_t entries_ = 0;
};

GraphStream GraphStreamOf(const ThreadTask& task) {
  return {.plan = task.role->graph,
          .range = task.role->range,
          .seed = task.choice_seed,
          .first_version = task.first_version,
          .sizes = task.role->value_size};
}

template <class Draws>
void RunDraws(const ThreadTask& task, ThreadResult& result) {
  GraphOperation<Draws> operation(*task.table, task.session, *task.values, GraphStreamOf(task),
                                  task.key_shape);
  ThreadRun(task, result).Chosen(operation, {"get", "seek", "put"});
  result.entries = operation.entries();
}

// What a thread's gets would have given, had nobody else written.
struct GetsAlone {
  Tally tally;
  bool is_digest_known = true;  // And the bytes.
};

GetsAlone ReplayGets(const ThreadTask& task, uint64_t operations, const ExpectedState& before,
                     const StoredValues& values) {
  struct Put {
    uint32_t version = 0;  // 0: not by this thread.
    uint32_t size = 0;
  };
  GetsAlone gets;
  Digest digest;
  std::vector<Put> own(task.role->range);
  std::vector<char> bytes;
  ForEachChoice(GraphStreamOf(task), operations, [&](const GraphChoice& choice) {
    Put& put = own[choice.index];
    if (choice.kind == GraphChoice::Kind::kPut) {
      put = {choice.version, static_cast<uint32_t>(choice.value_size)};
    }
    if (choice.kind != GraphChoice::Kind::kGet) return;
    ++gets.tally.operations;
    std::optional<ExpectedState::Entry> entry;
    if (put.version != 0) {
      entry = {put.version, put.size};
    } else {
      entry = before.Find(choice.index);
    }
    if (!entry) {
      ++gets.tally.misses;
      return;
    }
    ++gets.tally.hits;
    if (entry->version == ExpectedState::kUnknownVersion) gets.is_digest_known = false;
    if (!gets.is_digest_known) return;
    gets.tally.bytes += task.key_shape.size + entry->value_size;
    bytes.resize(std::max<size_t>(entry->value_size, ValueSource::kHeaderBytes));
    values.Write(choice.index, entry->version, entry->value_size, bytes.data());
    digest.Add({bytes.data(), entry->value_size}, choice.index);
  });
  gets.tally.digest = digest.Value();
  return gets;
}

// Of one thread; empty: the gets gave what they had to.
std::string DifferenceAlone(const LaneResult& lane, const GetsAlone& gets) {
  if (lane.operations != gets.tally.operations || lane.hits != gets.tally.hits) {
    return fmt::format("{} of {} gets found their key instead of {} of {}", lane.hits,
                       lane.operations, gets.tally.hits, gets.tally.operations);
  }
  if (!gets.is_digest_known) return "";
  if (lane.bytes != gets.tally.bytes) {
    return fmt::format("gets read {} bytes instead of {}", lane.bytes, gets.tally.bytes);
  }
  if (lane.digest == gets.tally.digest) return "";
  return fmt::format(
      "what was got differs from what was written (digest {:016x} instead of {:016x})", lane.digest,
      gets.tally.digest);
}

// Counts and means; of what there was none of there is no mean.
std::string NoteOf(const RoleRun& run, const RoleResult& summary) {
  const LaneResult& gets = summary.lanes[0];
  const LaneResult& seeks = summary.lanes[1];
  const LaneResult& puts = summary.lanes[2];
  std::string note = fmt::format("{} gets ({} found)", gets.operations, gets.hits);
  note += fmt::format(", {} puts", puts.operations);
  if (puts.operations != 0) {
    const uint64_t key_bytes = run.tasks.front().key_shape.size * puts.operations;
    note += fmt::format(" of {:.1f} B", static_cast<double>(puts.bytes - key_bytes) /
                                            static_cast<double>(puts.operations));
  }
  note += fmt::format(", {} seeks", seeks.operations);
  if (seeks.operations == 0) return note;
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) entries += thread.entries;
  return note + fmt::format(" of {:.1f} entries",
                            static_cast<double>(entries) / static_cast<double>(seeks.operations));
}

WriteLayer Layer(const Role&, const RoleRun& run, std::span<const RoleRun>) {
  std::vector<GraphHistory::Share> shares;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    shares.push_back({GraphStreamOf(run.tasks[t]), run.results[t].Operations()});
  }
  return LayerOf(run, std::make_shared<GraphHistory>(shares));
}

std::string Verify(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (summary.lanes.empty()) return "";
  result.note = NoteOf(run, summary);
  const bool is_alone = run.tasks.size() == 1;
  result.checked = is_alone ? "replayed" : "in the loop";
  result.check_detail =
      is_alone ? "hits, bytes and digest of the gets are those of the model; what seeks found was "
                 "whole and in order, and perhaps not all"
               : "values of 16 bytes and more were their key's, keys that were there were found; "
                 "what seeks found was whole and in order, and perhaps not all";
  for (const LaneResult& lane : summary.lanes) {
    if (lane.wrong == 0) continue;
    return fmt::format("[{}]: {} of {} {}s found values that are not their key's, or not in order",
                       role.name, lane.wrong, lane.operations, lane.operation);
  }
  uint64_t most_misses = 0;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const GetsAlone gets = ReplayGets(run.tasks[t], run.results[t].Operations(), before, values);
    most_misses += gets.tally.misses;
    if (!is_alone) continue;
    const std::string difference = DifferenceAlone(summary.lanes[0], gets);
    if (!difference.empty()) return fmt::format("[{}]: {}", role.name, difference);
    if (!gets.is_digest_known) {
      result.check_detail =
          "hits are those of the model, bytes and digest were not compared: several threads wrote "
          "some of the entries before; what seeks found was whole and in order";
    }
  }
  if (summary.lanes[0].misses <= most_misses) return "";
  return fmt::format("[{}]: {} of {} keys were not found; at most {} were absent", role.name,
                     summary.lanes[0].misses, summary.lanes[0].operations, most_misses);
}

void Run(const ThreadTask& task, ThreadResult& result) {
  task.role->graph.one_number ? RunDraws<OneNumberDraws>(task, result)
                              : RunDraws<GraphDraws>(task, result);
}

constexpr std::string_view kOnlyLines[] = {"threads", "op", "range", "stop", "rate"};

Status Check(const RoleLines& lines) {
  Role& role = lines.role();
  if (role.operations == Role::kToTheEnd) {
    return lines.Error("stop", "stops at the end, which only a scan comes to");
  }
  if (const Status status = CheckRemembered(lines, "put", 8); !status.ok()) return status;
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
  role.value_size = role.graph.Sizes().WithSeed(lines.variables().value_size_seed);
  return Status::Ok();
}

constexpr Operation RowNamed(std::string_view name, void (*set)(const FileNumbers&, Role&)) {
  return {.name = name,
          .result_name = "graph",
          .scope = OperationScope::kOwnKeys,
          .reads = true,
          .writes = true,
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

void SetPlan(const FileNumbers& numbers, Role& role) { role.graph = numbers.variables().graph; }

void SetPlanOfOneNumber(const FileNumbers& numbers, Role& role) {
  SetPlan(numbers, role);
  role.graph.one_number = true;
}

}  // namespace

constinit const Operation operations::kGraph = RowNamed("graph", SetPlan);
constinit const Operation operations::kGraphOfOneNumber =
    RowNamed("graph of one number", SetPlanOfOneNumber);

}  // namespace levelfield
