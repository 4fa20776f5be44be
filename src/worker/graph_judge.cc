#include "worker/graph_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "workload/digest.h"

namespace levelfield {
namespace {

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

}  // namespace

GraphStream GraphStreamOf(const ThreadTask& task) {
  return {.plan = task.role->graph,
          .range = task.role->range,
          .seed = task.choice_seed,
          .first_version = task.first_version,
          .sizes = task.role->value_size};
}

std::shared_ptr<const KeyHistory> GraphHistoryOf(const RoleRun& run) {
  std::vector<GraphHistory::Share> shares;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    shares.push_back({GraphStreamOf(run.tasks[t]), run.results[t].Operations()});
  }
  return std::make_shared<GraphHistory>(shares);
}

std::string JudgeGraph(const Role& role, const RoleRun& run, const ExpectedState& before,
                       const StoredValues& values, const RoleResult& summary, PhaseResult& result) {
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

}  // namespace levelfield
