#include "worker/transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "operations/transaction_draws.h"
#include "workload/key_format.h"

namespace levelfield {

StatusOr<Counters32> CountersBefore(const Role& role, const ExpectedState& model,
                                    bool store_existed, const ValueSource& values,
                                    const KeyShape& shape, Session& session,
                                    const lf_engine& table) {
  Counters32 counters(role.key_count(), 0);
  const KeyFormat format(shape, role.key_count());
  std::string key = format.Blank();
  for (uint64_t index = 0; index < counters.size(); ++index) {
    const std::optional<ExpectedState::Entry> entry = model.Find(index);
    const bool is_known = entry ? entry->version != ExpectedState::kUnknownVersion
                                : !store_existed || model.IsTouched(index);
    if (is_known && (!entry || entry->value_size >= ValueSource::kHeaderBytes)) {
      counters[index] = entry ? entry->version : 0;
      continue;
    }
    format.Format(std::span(&index, 1), key.data());
    lf_bytes value;
    const lf_code code = table.get(session.get(), {key.data(), key.size()}, &value);
    if (code == LF_NOT_FOUND) continue;
    if (code != LF_OK) return Status::Failed(table.last_error());
    const std::optional<uint32_t> version = values.Check(index, value);
    if (!version) {
      return Status::Usage(
          "the store holds values that Levelfield has not written, or below 16 bytes: there is no "
          "counter in them that transactions could add to");
    }
    counters[index] = *version;
  }
  return counters;
}

CountersAfter Grow(const Role& role, const RoleRun& run, const Counters32& before) {
  CountersAfter after;
  after.counters.assign(before.size(), 0);
  after.grown.assign(role.sets, 0);
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    const ThreadResult& result = run.results[t];
    if (result.lanes.empty()) continue;
    const std::vector<uint64_t>& conflicts = result.conflicts;
    const uint64_t attempts = result.lanes.front().tally.operations + conflicts.size();
    TransactionDraws draws(run.tasks[t].keys.draw_seed, role.range, role.sets);
    auto conflict = conflicts.begin();
    for (uint64_t i = 0; i < attempts; ++i) {
      draws.Next();
      if (conflict != conflicts.end() && *conflict == i) {
        ++conflict;
        continue;
      }
      ++after.committed;
      for (const uint64_t index : draws.keys()) {
        uint32_t& counter = after.counters[index];
        if (counter == 0) counter = before[index];
        counter += draws.increment();
        after.grown[index / role.range] += draws.increment();
      }
    }
    after.conflicts += conflicts.size();
  }
  return after;
}

void JudgeTransactions(const Role& role, const CountersAfter& after, PhaseResult& result) {
  const LaneResult& lane = result.roles.front().lanes.front();
  const bool are_alike = std::ranges::all_of(
      after.grown, [&](uint64_t grown) { return grown == after.grown.front(); });
  result.checked = "in the loop";
  result.check_detail =
      fmt::format("{} acknowledged, {} gave way to others; each of {} sets has to have grown by {}",
                  after.committed, after.conflicts, role.sets, after.grown.front());
  if (lane.wrong == 0 && are_alike) return;
  result.outcome = Outcome::kWrong;
  result.message = fmt::format(
      "wrong answer: [{}]: {} of the counters that were read were not "
      "whole or not their key's",
      role.name, lane.wrong);
}

}  // namespace levelfield
