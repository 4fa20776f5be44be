#include "worker/ycsb_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "worker/judge.h"
#include "workload/digest.h"

namespace levelfield {
namespace {

// What a thread had to read of the records that it alone writes.
struct OwnReads {
  Digest gets;
  Digest modifies;
  bool is_known = true;  // Of a version that nobody knows there is no digest.
};

OwnReads ReplayOwnReads(const ThreadTask& task, uint64_t operations, const ExpectedState& before,
                        const StoredValues& values) {
  const YcsbStream stream = YcsbStreamOf(task);
  const uint64_t size = task.role->value_size.most();
  OwnReads reads;
  std::vector<uint32_t> own(stream.capacity / stream.threads + 1, 0);
  std::vector<char> bytes;
  YcsbDraws draws(stream);
  for (uint64_t i = 0; i < operations; ++i) {
    const YcsbChoice choice = draws.Next();
    const bool is_read = choice.kind == YcsbChoice::Kind::kRead;
    if (choice.is_own && (is_read || choice.kind == YcsbChoice::Kind::kModify)) {
      const uint32_t version = own[choice.record / stream.threads];
      std::optional<ExpectedState::Entry> entry;
      if (version != 0) {
        entry = ExpectedState::Entry{.version = version, .value_size = size};
      } else {
        entry = before.Find(choice.key);
      }
      if (!entry || entry->version == ExpectedState::kUnknownVersion) {
        reads.is_known = false;
        return reads;
      }
      bytes.resize(std::max<size_t>(entry->value_size, ValueSource::kHeaderBytes));
      values.Write(choice.key, entry->version, entry->value_size, bytes.data());
      (is_read ? reads.gets : reads.modifies).Add({bytes.data(), entry->value_size}, choice.key);
    }
    if (choice.version != 0) own[choice.record / stream.threads] = choice.version;
  }
  return reads;
}

// Of one thread; empty: it read what it had to.
std::string DifferenceOf(const ThreadResult& result, const OwnReads& reads) {
  for (const ThreadLane& lane : result.lanes) {
    const bool is_get = lane.operation == OperationKind::kGet;
    if (!is_get && lane.operation != OperationKind::kModify) continue;
    const uint64_t expected = (is_get ? reads.gets : reads.modifies).Value();
    if (lane.tally.digest == expected) continue;
    return fmt::format(
        "what was read of the records that it alone writes differs from what was written (digest "
        "{:016x} instead of {:016x})",
        lane.tally.digest, expected);
  }
  return "";
}

}  // namespace

YcsbStream YcsbStreamOf(const ThreadTask& task) {
  const Role& role = *task.role;
  return {.plan = role.ycsb,
          .requests = role.distribution,
          .records = role.records,
          .capacity = role.range,
          .is_hashed = task.write_keys.order == KeyOrder::kShuffled,
          .order_seed = task.write_keys.order_seed,
          .seed = task.choice_seed,
          .thread = task.thread,
          .threads = role.threads,
          .expected_inserts =
              static_cast<uint64_t>(static_cast<double>(role.operations) * role.ycsb.insert),
          .first_version = task.first_version};
}

std::shared_ptr<const KeyHistory> YcsbHistoryOf(const RoleRun& run) {
  std::vector<YcsbHistory::Share> shares;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    shares.push_back({YcsbStreamOf(run.tasks[t]), run.results[t].Operations()});
  }
  return std::make_shared<YcsbHistory>(shares, run.tasks.front().role->value_size.most());
}

std::string JudgeYcsb(const Role& role, const RoleRun& run, const ExpectedState& before,
                      const StoredValues& values, const RoleResult& summary, PhaseResult& result) {
  if (summary.lanes.empty()) return "";
  uint64_t entries = 0;
  for (const ThreadResult& thread : run.results) {
    entries += thread.entries;
    if (!thread.note.empty()) result.note = thread.note;
  }
  if (role.ycsb.scan > 0) {
    const auto scans = std::ranges::find(summary.lanes, OperationName(OperationKind::kScan),
                                         &LaneResult::operation);
    result.note += fmt::format("{}{} entries in {} scans", result.note.empty() ? "" : "; ", entries,
                               scans->operations);
  }
  result.checked = "replayed";
  result.check_detail =
      run.tasks.size() == 1
          ? "every record was found, and what was read of it is what the model has"
          : "every record was found whole; what was read of those that the reading thread alone "
            "writes is what the model has";
  if (role.ycsb.scan > 0) {
    result.check_detail +=
        "; scans were in order, whole, and left out no record that the thread knew of";
  }
  for (const LaneResult& lane : summary.lanes) {
    if (lane.wrong != 0) {
      return fmt::format(
          "[{}]: {} of {} {}s found values that are not their key's, or not all in "
          "order",
          role.name, lane.wrong, lane.operations, lane.operation);
    }
    if (lane.misses != 0) {
      return fmt::format("[{}]: {} of {} {}s did not find their record, all of which are there",
                         role.name, lane.misses, lane.operations, lane.operation);
    }
  }
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const OwnReads reads =
        ReplayOwnReads(run.tasks[t], run.results[t].Operations(), before, values);
    if (!reads.is_known) {
      result.checked = "in the loop";
      result.check_detail =
          "every record was found, whole; several threads wrote some of them before, so which "
          "version they had is not known";
      continue;
    }
    const std::string difference = DifferenceOf(run.results[t], reads);
    if (!difference.empty()) return fmt::format("[{}], thread {}: {}", role.name, t, difference);
  }
  return "";
}

}  // namespace levelfield
