#include "worker/beyond.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace levelfield {

bool AsksBeyond(const Role& role, const ExpectedState& before) {
  return role.operation == OperationKind::kGet && !role.asks_for_absent_keys() &&
         role.order != KeyOrder::kNone && !before.Empty() && role.range > before.Range();
}

std::string NoteOfBeyond(const RoleRun& run, const ExpectedState& before) {
  uint64_t beyond = 0;
  uint64_t asked = 0;
  for (size_t t = 0; t < run.tasks.size(); ++t) {
    if (run.results[t].lanes.empty()) continue;
    KeySequence keys(run.tasks[t].keys);
    std::array<uint64_t, 1024> block;
    uint64_t left = run.results[t].lanes.front().tally.operations;
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

}  // namespace levelfield
