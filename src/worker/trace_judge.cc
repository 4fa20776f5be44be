#include "worker/trace_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/quote.h"
#include "workload/digest.h"

namespace levelfield {
namespace {

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

}  // namespace

std::shared_ptr<const KeyHistory> TraceHistoryOf(const RoleRun& run) {
  std::vector<std::span<const TraceStep>> done;
  for (size_t t = 0; t < run.tasks.size(); ++t) done.push_back(DoneBy(run, t));
  return std::make_shared<TraceHistory>(done, run.tasks.front().role->range);
}

std::string JudgeTrace(const Role& role, const RoleRun& run, const ExpectedState& before,
                       const StoredValues& values, PhaseResult& result) {
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

}  // namespace levelfield
