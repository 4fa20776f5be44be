#include "worker/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "check/replay.h"
#include "worker/beyond.h"
#include "worker/graph_judge.h"
#include "worker/history_layers.h"
#include "worker/trace_judge.h"
#include "worker/ycsb_judge.h"

namespace levelfield {
namespace {

bool HasEraser(const Workload& workload) {
  return std::ranges::any_of(
      workload.roles, [](const Role& role) { return role.operation == OperationKind::kErase; });
}

// The first thing in which a tally differs from what it had to be.
std::string Difference(const Tally& actual, const Tally& expected, bool is_digest_known,
                       bool are_bytes_known) {
  if (actual.operations != expected.operations) {
    return fmt::format("{} entries instead of {}", actual.operations, expected.operations);
  }
  if (actual.hits != expected.hits) {
    return fmt::format("{} found instead of {}", actual.hits, expected.hits);
  }
  if (are_bytes_known && actual.bytes != expected.bytes) {
    return fmt::format("{} bytes instead of {}", actual.bytes, expected.bytes);
  }
  if (!is_digest_known || actual.digest == expected.digest) return "";
  return fmt::format(
      "what was read differs from what was written (digest {:016x} instead of "
      "{:016x})",
      actual.digest, expected.digest);
}

std::string ReplayDifference(const RoleRun& run, const Role& role, const ExpectedState& before,
                             const StoredValues& values, uint64_t& unknown_versions,
                             uint64_t& unknown_sizes) {
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const ThreadTask& task = run.tasks[t];
    if (run.results[t].lanes.empty()) continue;
    const Tally& actual = run.results[t].lanes.front().tally;
    const KeyFormat format(task.key_shape, std::max(role.range, before.Range()), role.missing);
    // A scan that the engine ended has to have come to the last entry, or to its limit.
    const uint64_t operations = run.results[t].found_end ? task.operations : actual.operations;
    uint64_t versions = 0;
    uint64_t sizes = 0;
    const Tally expected =
        Replay(role, task.keys, format, operations, before, values, &versions, &sizes);
    unknown_versions += versions;
    unknown_sizes += sizes;
    const std::string difference = Difference(actual, expected, versions == 0, sizes == 0);
    if (difference.empty()) continue;
    return fmt::format("[{}], thread {}: {}", role.name, t, difference);
  }
  return "";
}

// How many of the reads may have found nothing: those of keys that were absent from the start.
uint64_t MostMisses(const RoleRun& run, const Role& role, const ExpectedState& before,
                    const StoredValues& values) {
  uint64_t misses = 0;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const ThreadTask& task = run.tasks[t];
    const KeyFormat format(task.key_shape, role.range, role.missing);
    misses += Replay(role, task.keys, format, run.results[t].Operations(), before, values).misses;
  }
  return misses;
}

// Of an entry of which every one has the same size: what is written by puts and merges, what an
// erase takes, and the block of an operation of the machine. 0: sizes may differ.
uint64_t EntryBytes(const Role& role, OperationKind of_lane, const ThreadTask& task) {
  if (role.value_size.vary() || ChoosesKeys(role.operation)) return 0;
  switch (of_lane) {
    case OperationKind::kPut:
    case OperationKind::kMerge:
      return task.key_shape.size + role.value_size.most();
    case OperationKind::kErase:
      return task.key_shape.size;
    case OperationKind::kCrc32c:
    case OperationKind::kCompress:
    case OperationKind::kCompressReject:
    case OperationKind::kUncompress:
    case OperationKind::kXxHash:
      return role.value_size.most();
    default:
      return 0;
  }
}

// How many calls a thread's operations were, a batch at a time: one ends where the thread's share
// of an order ends, too, and is then short.
uint64_t CallsFor(const Role& role, const KeyPlan& keys, uint64_t operations) {
  const auto calls = [&](uint64_t n) { return n / role.batch + (n % role.batch != 0 ? 1 : 0); };
  const bool has_shares = keys.order == KeyOrder::kShuffled || keys.order == KeyOrder::kSequential;
  const uint64_t share = has_shares ? keys.share() : 0;
  if (share == 0) return calls(operations);
  return operations / share * calls(share) + calls(operations % share);
}

}  // namespace

std::string_view OperationName(OperationKind kind) {
  switch (kind) {
    case OperationKind::kGet:
      return "get";
    case OperationKind::kPut:
      return "put";
    case OperationKind::kErase:
      return "erase";
    case OperationKind::kSeek:
      return "seek";
    case OperationKind::kNext:
      return "next";
    case OperationKind::kPrev:
      return "prev";
    case OperationKind::kMix:
      return "mix";
    case OperationKind::kMerge:
      return "merge";
    case OperationKind::kMultiGet:
      return "multi_get";
    case OperationKind::kUpdate:
      return "update";
    case OperationKind::kTransaction:
      return "transaction";
    case OperationKind::kConflict:
      return "conflict";
    case OperationKind::kNewIterator:
      return "new_iterator";
    case OperationKind::kAppend:
      return "append";
    case OperationKind::kXor:
      return "xor";
    case OperationKind::kTriple:
      return "triple";
    case OperationKind::kSeriesPut:
      return "put";
    case OperationKind::kSeriesRead:
      return "scan";
    case OperationKind::kSeriesExpire:
      return "expire";
    case OperationKind::kGraph:
      return "graph";
    case OperationKind::kYcsb:
      return "ycsb";
    case OperationKind::kTrace:
      return "trace";
    case OperationKind::kInsert:
      return "insert";
    case OperationKind::kScan:
      return "scan";
    case OperationKind::kModify:
      return "rmw";
    case OperationKind::kReplace:
      return "replace";
    case OperationKind::kDispose:
      return "dispose";
    case OperationKind::kFlush:
      return "flush";
    case OperationKind::kWaitForBackground:
      return "wait_for_background";
    case OperationKind::kVerifyChecksums:
      return "verify_checksums";
    case OperationKind::kBackup:
      return "backup";
    case OperationKind::kRestore:
      return "restore";
    case OperationKind::kXxHash:
      return "xxhash";
    case OperationKind::kCompact:
      return "compact";
    case OperationKind::kOpen:
      return "open";
    case OperationKind::kProperty:
      return "property";
    case OperationKind::kHeapProfile:
      return "heapprofile";
    case OperationKind::kCrc32c:
      return "crc32c";
    case OperationKind::kAcquireLoad:
      return "acquireload";
    case OperationKind::kCompress:
      return "compress";
    case OperationKind::kCompressReject:
      return "compress_reject";
    case OperationKind::kUncompress:
      return "uncompress";
  }
  return "";
}

namespace {

// Adds what the threads of an open loop wrote down to the role's result.
void SummarizeLoad(const RoleRun& run, RoleResult& role) {
  const LoadPlan& plan = *run.tasks.front().load;
  role.rate = plan.pace.rate;
  LoadResult& load = role.load.emplace();
  load.arrival = ArrivalName(plan.arrival);
  uint64_t threads = 0;
  const std::vector<ThreadLane>& lanes = run.Lanes();
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].number >= run.taken_response_ns.size()) continue;
    role.lanes[i].response_ns = run.taken_response_ns[lanes[i].number];
  }
  for (const ThreadResult& result : run.results) {
    if (!result.open || result.lanes.empty()) continue;
    for (size_t i = 0; i < role.lanes.size(); ++i) {
      std::optional<SparseHistogram>& response_ns = role.lanes[i].response_ns;
      if (!response_ns) response_ns.emplace();
      response_ns->Merge(result.open->response_ns(result.lanes[i].number));
    }
    load.lateness_ns.Merge(result.open->lateness_ns());
    const std::vector<uint64_t> backlog_ns = result.open->BacklogNs();
    if (backlog_ns.empty()) continue;
    ++threads;
    load.backlog_ns.resize(backlog_ns.size());
    for (size_t i = 0; i < backlog_ns.size(); ++i) load.backlog_ns[i] += backlog_ns[i];
    load.interval_seconds = std::max(load.interval_seconds, result.open->BacklogSeconds());
  }
  for (uint64_t& ns : load.backlog_ns) ns /= threads;
}

}  // namespace

std::vector<RoleResult> Summarize(const Workload& workload, const PhaseRun& run, bool timed) {
  std::vector<RoleResult> roles;
  for (size_t r = 0; r < run.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    RoleResult summary{.name = role.name,
                       .threads = role.threads,
                       .batch = role.batch,
                       .lanes = {},
                       .rate = role.rate};
    uint64_t start_ns = std::numeric_limits<uint64_t>::max();
    uint64_t end_ns = 0;
    for (size_t t = 0; t < run.roles[r].results.size(); ++t) {
      const ThreadResult& result = run.roles[r].results[t];
      const ThreadTask& task = run.roles[r].tasks[t];
      const uint64_t done = result.lanes.empty() ? 0 : task.control->operations.load();
      summary.thread_operations.push_back(done);
      summary.thread_calls.push_back(CallsFor(role, task.keys, done));
      if (result.lanes.empty()) continue;
      summary.thread_seconds += static_cast<double>(result.end_ns - result.start_ns) * 1e-9;
      start_ns = std::min(start_ns, result.start_ns);
      end_ns = std::max(end_ns, result.end_ns);
      summary.lanes.resize(result.lanes.size());
      for (size_t i = 0; i < result.lanes.size(); ++i) {
        const ThreadLane& from = result.lanes[i];
        LaneResult& to = summary.lanes[i];
        to.operation = OperationName(from.operation);
        to.entry_bytes = EntryBytes(role, from.operation, task);
        to.operations += from.tally.operations;
        to.hits += from.tally.hits;
        to.misses += from.tally.misses;
        to.bytes += from.tally.bytes;
        to.digest += from.tally.digest;
        to.wrong += from.tally.wrong;
        if (!timed) continue;
        if (!to.latency_ns) to.latency_ns.emplace();
        to.latency_ns->Merge(from.latency_ns);
      }
    }
    const std::vector<Histogram>& taken_ns = run.roles[r].taken_ns;
    const std::vector<ThreadLane>& lanes = run.roles[r].Lanes();
    for (size_t i = 0; i < lanes.size(); ++i) {
      const bool is_taken = lanes[i].number < taken_ns.size() && summary.lanes[i].latency_ns;
      if (is_taken) summary.lanes[i].latency_ns->Merge(taken_ns[lanes[i].number]);
    }
    if (end_ns > start_ns) summary.seconds = static_cast<double>(end_ns - start_ns) * 1e-9;
    summary.operations_per_second = summary.OperationsPerSecond();
    if (run.roles[r].tasks.front().load) SummarizeLoad(run.roles[r], summary);
    roles.push_back(std::move(summary));
  }
  return roles;
}

void JudgeAnswers(const Workload& workload, const PhaseRun& run, const ExpectedState& before,
                  const StoredValues& values, bool keeps_answers, PhaseResult& result) {
  if (!keeps_answers) {
    result.checked = "none";
    result.check_detail = "the engine keeps nothing, so its answers mean nothing";
    return;
  }
  std::string unchecked;  // Why a role's answers are not; empty: they all are.
  for (size_t r = 0; r < run.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    std::string wrong;
    if (role.operation == OperationKind::kNewIterator) {
      unchecked = "an iterator that is made and let go of gives no answer";
    } else if (role.operation == OperationKind::kGraph) {
      wrong = JudgeGraph(role, run.roles[r], before, values, result.roles[r], result);
    } else if (role.operation == OperationKind::kYcsb) {
      wrong = JudgeYcsb(role, run.roles[r], before, values, result.roles[r], result);
    } else if (role.operation == OperationKind::kTrace) {
      wrong = JudgeTrace(role, run.roles[r], before, values, result);
    } else if (ChoosesKeys(role.operation)) {
      wrong = JudgeHistory(role, run.roles[r], result, result.roles[r]);
    } else if (!run.roles[r].tasks.front().check_in_loop) {
      result.checked = "replayed";
      uint64_t unknown = 0;
      uint64_t unknown_sizes = 0;
      wrong = ReplayDifference(run.roles[r], role, before, values, unknown, unknown_sizes);
      result.check_detail =
          unknown == 0
              ? "hits, bytes and digest are those of the model"
              : fmt::format(
                    "{} of the model; {} not compared: {} entries were written by several "
                    "threads at once",
                    unknown_sizes == 0 ? "hits and bytes are those" : "hits are those",
                    unknown_sizes == 0 ? "the digest is" : "bytes and digest are", unknown);
      if (AsksBeyond(role, before)) result.note = NoteOfBeyond(run.roles[r], before);
    } else if (role.operation == OperationKind::kGet || role.operation == OperationKind::kMix ||
               role.operation == OperationKind::kMultiGet || IsUpdate(role.operation)) {
      const LaneResult& lane = result.roles[r].lanes.front();
      uint64_t entries_wrong = 0;  // Of a mix's seeks as well.
      for (const LaneResult& each : result.roles[r].lanes) entries_wrong += each.wrong;
      result.checked = "in the loop";
      result.check_detail = "each value was checked against its key while others wrote";
      unchecked = values.WhyAnonymous(std::min(role.value_size.least(), before.SmallestValue()));
      if (role.seek_percent != 0) {
        result.check_detail += "; what seeks found was whole and in order, and perhaps not all";
      }
      if (unchecked.empty() && entries_wrong != 0) {
        wrong =
            fmt::format("[{}]: {} of {} values were not their key's{}", role.name, entries_wrong,
                        lane.hits, role.seek_percent != 0 ? ", or not in order" : "");
      } else if (const uint64_t most = MostMisses(run.roles[r], role, before, values);
                 lane.misses > most && !HasEraser(workload)) {
        wrong = fmt::format("[{}]: {} of {} keys were not found; at most {} were absent", role.name,
                            lane.misses, lane.operations, most);
      }
    } else if (!Writes(role.operation)) {
      unchecked = "what a scan reads while others write is not known";
    }
    if (wrong.empty()) continue;
    result.outcome = Outcome::kWrong;
    result.message = "wrong answer: " + wrong;
    return;
  }
  if (unchecked.empty()) return;
  result.checked = "none";
  result.check_detail = unchecked;
}

void JudgeMachine(const PhaseRun& run, PhaseResult& result) {
  const ThreadResult& first = run.roles.front().results.front();
  result.note = first.note;
  result.checked = "recomputed";
  result.check_detail = first.detail;
  for (const LaneResult& lane : result.roles.front().lanes) {
    if (lane.wrong == 0) continue;
    result.outcome = Outcome::kWrong;
    result.message = fmt::format("wrong answer: {} of {} results are not what they must be ({})",
                                 lane.wrong, lane.operations, first.detail);
  }
}

namespace {

// What is missing of the entries that the store was left with, or there is too much; empty where
// all is right.
std::string CountDifference(const Workload& workload, const PhaseRun& run, uint64_t entries) {
  for (size_t r = 0; r < workload.roles.size(); ++r) {
    const Role& role = workload.roles[r];
    const bool must_find = role.operation == OperationKind::kGet && !role.asks_for_absent_keys() &&
                           role.range <= entries;
    for (const ThreadResult& result : run.roles[r].results) {
      uint64_t hits = 0;
      uint64_t misses = 0;
      for (const ThreadLane& lane : result.lanes) {
        hits += lane.tally.hits;
        misses += lane.tally.misses;
      }
      if (must_find && misses != 0) {
        return fmt::format("{} gets of keys that it held found nothing", misses);
      }
      if (IsScan(role.operation) && result.found_end && hits != entries) {
        return fmt::format("a scan of all entries found {}", hits);
      }
    }
  }
  return "";
}

}  // namespace

void JudgeExisting(const Workload& workload, const PhaseRun& run, const StoreOrigin& origin,
                   uint64_t entries, PhaseResult& result) {
  const bool knows_values = origin.knows_values;
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t wrong = 0;
  uint64_t disordered = 0;  // Of a store whose order is somebody else's choice.
  bool reads = false;
  bool scans = false;
  for (size_t r = 0; r < workload.roles.size(); ++r) {
    const OperationKind operation = workload.roles[r].operation;
    if (operation == OperationKind::kPut || operation == OperationKind::kErase ||
        operation == OperationKind::kMerge || operation == OperationKind::kTransaction ||
        operation == OperationKind::kNewIterator) {
      continue;
    }
    for (LaneResult& lane : result.roles[r].lanes) {
      if (lane.operation == "put" || lane.operation == "merge" || lane.operation == "insert") {
        continue;  // Of a mix.
      }
      reads = true;
      hits += lane.hits;
      misses += lane.misses;
      if (knows_values) {
        wrong += lane.wrong;
        continue;
      }
      // A mix's seeks check values as well, so they do not tell of the order alone.
      if (IsScan(operation) || operation == OperationKind::kSeek) {
        scans = true;
        disordered += lane.wrong;
      }
      lane.wrong = 0;
    }
  }
  if (!reads) return;
  const std::string counts = fmt::format("{} found, {} not found; ", hits, misses);
  if (!knows_values) {
    result.checked = "counted";
    result.check_detail = counts + "what a store that was there before has to hold is not known";
    if (disordered != 0) {
      result.check_detail += fmt::format(
          "; {} keys were not in the order of their bytes, which is right only in a store that was "
          "made with another order",
          disordered);
    } else if (scans) {
      result.check_detail += ", and only the order of the keys was checked";
    }
    return;
  }
  const bool is_written =
      std::ranges::any_of(workload.roles, [](const Role& role) { return role.changes_store(); });
  const bool knows_keys = entries != 0 && !is_written;
  result.checked = origin.cut_off ? "counted" : "in the loop";
  result.check_detail =
      counts + "each value was whole and its key's, scans were in order; " +
      (knows_keys       ? fmt::format("the store was left with {} entries", entries)
       : origin.cut_off ? "the store was not closed in good order by a run before, so what it lost "
                          "is not known"
                        : "which keys the store has to hold is not known");
  const std::string difference = knows_keys ? CountDifference(workload, run, entries) : "";
  if (!difference.empty()) {
    result.outcome = Outcome::kWrong;
    result.message = fmt::format(
        "wrong content: the store was left with {} entries, and {} (unless another program has "
        "written to this store)",
        entries, difference);
    return;
  }
  if (wrong == 0) return;
  result.outcome = Outcome::kWrong;
  result.message = fmt::format(
      "wrong answer: {} of {} entries that were found are not as Levelfield wrote them, or not in "
      "order (unless another program has written to this store)",
      wrong, hits);
}

}  // namespace levelfield
