#include "operations/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "check/replay.h"

namespace levelfield {
namespace {

bool HasEraser(const Workload& workload) {
  return std::ranges::any_of(workload.roles,
                             [](const Role& role) { return role.operation->only_erases(); });
}

std::string ReplayDifference(const RoleRun& run, const Role& role, const ExpectedState& before,
                             const StoredValues& values, uint64_t& unknown_versions,
                             bool& are_bytes_known) {
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const ThreadTask& task = run.tasks[t];
    if (run.results[t].statistics.empty()) continue;
    const OperationCounts& actual = run.results[t].statistics.front().counts;
    const KeyFormat format(task.key_shape, std::max(role.range, before.Range()), role.missing);
    // A scan that the engine ended must have reached the last entry, or its limit.
    const uint64_t operations = run.results[t].found_end ? task.operations : actual.operations;
    const Replayed expected = Replay(role, task.keys, format, operations, before, values);
    unknown_versions += expected.unknown_versions;
    are_bytes_known = are_bytes_known && expected.are_bytes_known;
    const std::string difference = Difference(
        actual, expected.counts, expected.unknown_versions == 0, expected.are_bytes_known);
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
    misses +=
        Replay(role, task.keys, format, run.results[t].Operations(), before, values).counts.misses;
  }
  return misses;
}

// Whether a role asks for keys of its own range, and that exceeds the store's.
bool AsksBeyond(const Role& role, const ExpectedState& before) {
  return role.operation->takes_keys() && !role.asks_for_absent_keys() &&
         role.order != KeyOrder::kNone && !before.Empty() && role.range > before.Range();
}

std::string NoteOfBeyond(const RoleRun& run, const ExpectedState& before) {
  uint64_t beyond = 0;
  uint64_t asked = 0;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    if (run.results[t].statistics.empty()) continue;
    KeySequence keys(run.tasks[t].keys);
    std::array<uint64_t, 1024> block;
    uint64_t left = run.results[t].statistics.front().counts.operations;
    asked += left;
    while (left > 0) {
      uint64_t round = 0;
      const size_t count =
          keys.Fill(std::span(block).first(std::min<uint64_t>(block.size(), left)), &round);
      if (count == 0) break;  // An empty share.
      beyond += static_cast<uint64_t>(
          std::count_if(block.begin(), block.begin() + static_cast<ptrdiff_t>(count),
                        [&](uint64_t index) { return index >= before.Range(); }));
      left -= count;
    }
  }
  return fmt::format("{} of {} keys lie beyond the store", beyond, asked);
}

std::string VerifyByReplay(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  result.checked.answers = AnswersChecked::kReplayed;
  uint64_t unknown = 0;
  bool are_bytes_known = true;
  const std::string wrong = ReplayDifference(run, role, before, values, unknown, are_bytes_known);
  result.check_detail =
      unknown == 0 ? "hits, bytes and digest are those of the model"
                   : fmt::format(
                         "{} of the model; {} not compared: {} entries were written by several "
                         "threads at once",
                         are_bytes_known ? "hits and bytes are those" : "hits are those",
                         are_bytes_known ? "the digest is" : "bytes and digest are", unknown);
  return wrong;
}

}  // namespace

std::string Difference(const OperationCounts& actual, const OperationCounts& expected,
                       bool is_digest_known, bool are_bytes_known) {
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

std::string VerifyGets(const AnsweredRole& answered) {
  const auto& [workload, role, run, before, values, summary, result, unchecked] = answered;
  if (!run.tasks.front().check_in_loop) {
    const std::string wrong = VerifyByReplay(answered);
    if (AsksBeyond(role, before)) result.note = NoteOfBeyond(run, before);
    return wrong;
  }
  const OperationStatistics& stats = summary.statistics.front();
  uint64_t entries_wrong = 0;  // Includes a mix's seeks.
  for (const OperationStatistics& each : summary.statistics) entries_wrong += each.wrong;
  result.checked.answers = AnswersChecked::kInTheLoop;
  result.check_detail = "each value was checked against its key while others wrote";
  unchecked = values.WhyAnonymous(std::min(role.value_size.least(), before.SmallestValue()));
  if (role.seek_percent != 0) {
    result.check_detail += "; what seeks found was whole and in order, and perhaps not all";
  }
  if (unchecked.empty() && entries_wrong != 0) {
    return fmt::format("[{}]: {} of {} values were not their key's{}", role.name, entries_wrong,
                       stats.hits, role.seek_percent != 0 ? ", or not in order" : "");
  }
  const uint64_t most = MostMisses(run, role, before, values);
  if (stats.misses <= most || HasEraser(workload)) return "";
  return fmt::format("[{}]: {} of {} keys were not found; at most {} were absent", role.name,
                     stats.misses, stats.operations, most);
}

std::string VerifyScans(const AnsweredRole& answered) {
  if (!answered.run.tasks.front().check_in_loop) return VerifyByReplay(answered);
  answered.unchecked = "what a scan reads while others write is not known";
  return "";
}

WriteLayer LayerOf(const RoleRun& run, std::shared_ptr<const KeyHistory> history) {
  const ThreadTask& task = run.tasks.front();
  return {.order = task.write_keys,
          .shares = {},
          .first_version = task.first_version,
          .value_size = task.role->value_size,
          .history = std::move(history)};
}

WriteLayer LayerOfOrder(const Role& role, const RoleRun& run) {
  const ThreadTask& first = run.tasks.front();
  WriteLayer layer{.erases = role.operation->only_erases(),
                   .order = first.write_keys,
                   .shares = {},
                   .first_version = first.first_version,
                   .value_size = role.value_size,
                   .length = role.operation->length,
                   .repeats = role.repeat,
                   .windows = std::nullopt};
  if (first.original != nullptr && !layer.erases) {
    layer.windows = first.original->Series(role.value_size.most(), first.first_window);
  }
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const KeyPlan& keys = run.tasks[t].write_keys;
    // The puts of a mix have its last statistics. Other operations have one.
    const std::vector<ThreadStatistics>& statistics = run.results[t].statistics;
    layer.shares.push_back(
        {.first_position = keys.first_position,
         .end_position = keys.end_position,
         .operations = statistics.empty() ? 0 : statistics.back().counts.operations,
         .draw_seed = keys.draw_seed});
  }
  return layer;
}

}  // namespace levelfield
