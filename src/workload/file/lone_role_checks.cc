#include "workload/file/lone_role_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "workload/expected_state.h"
#include "workload/file/operation_checks.h"
#include "workload/value_source.h"

namespace levelfield {

Status FinishGraph(const Workload& workload, uint64_t value_size_seed, Role& role,
                   const RoleLines& lines) {
  for (const auto& [key, line] : lines.section().lines) {
    if (key == "threads" || key == "op" || key == "range" || key == "stop" || key == "rate")
      continue;
    return lines.Error(key,
                       fmt::format("has `{} =`, which its operation does not know: its flags say "
                                   "it",
                                   key));
  }
  if (workload.roles.size() > 1)
    return lines.Error("op", "is not the only role, which it has to be");
  if (role.operations == Role::kToTheEnd) {
    return lines.Error("stop", "stops at the end, which only a scan comes to");
  }
  if (role.range > ExpectedState::kMostRemembered) {
    return lines.Error("range", fmt::format("has more than {} keys, of each of which the last put "
                                            "would be remembered, in 8 bytes",
                                            ExpectedState::kMostRemembered));
  }
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
  role.value_size = role.graph.Sizes().WithSeed(value_size_seed);
  return Status::Ok();
}

Status FinishYcsb(const Workload& workload, uint64_t key_bytes, Role& role,
                  const RoleLines& lines) {
  constexpr std::string_view kKnown[] = {
      "threads",  "op",       "keys",         "range",      "records", "requests", "scan_length",
      "exponent", "hot_keys", "hot_requests", "value_size", "rate",    "stop"};
  for (const auto& [key, line] : lines.section().lines) {
    if (std::ranges::find(kKnown, key) != std::end(kKnown)) continue;
    return lines.Error(key, fmt::format("has `{} =`, which `op = ycsb` does not know", key));
  }
  if (workload.roles.size() > 1)
    return lines.Error("op", "is not the only role, which it has to be");
  if (role.order != KeyOrder::kShuffled && role.order != KeyOrder::kSequential) {
    return lines.Error("keys",
                       "needs `keys = shuffled`, `sequential` or `$ycsb_key_order`: in which "
                       "order the keys of its records are");
  }
  if (role.missing || role.cut || lines.section().first_percent != 100) {
    return lines.Error("keys", "asks for keys that have no record, or only some");
  }
  if (!lines.Has("requests")) return lines.Error("", "needs `requests =`");
  if (!lines.Has("records")) {
    return lines.Error("", "needs `records =`, how many the store was loaded with");
  }
  if (role.records > role.range) {
    return lines.Error("records", fmt::format("has {} records, but keys for {}; raise its `range`",
                                              role.records, role.range));
  }
  if (role.range > ExpectedState::kMostRemembered) {
    return lines.Error("range",
                       fmt::format("has more than {} keys, of each of which the last write "
                                   "would be remembered, in 4 bytes",
                                   ExpectedState::kMostRemembered));
  }
  if (role.value_size.vary() || role.value_size.most() < ValueSource::kHeaderBytes) {
    return lines.Error("value_size", fmt::format("has records of one size, from {} bytes on",
                                                 size_t{ValueSource::kHeaderBytes}));
  }
  if (role.operations == Role::kToTheEnd || !role.until_role.empty()) {
    return lines.Error("stop", "stops `after COUNT operations`");
  }
  const double inserts = static_cast<double>(role.operations) * role.ycsb.insert;
  if (inserts > static_cast<double>(role.range - role.records)) {
    return lines.Error("stop",
                       fmt::format("inserts about {:.0f} records, and there is room for {}; "
                                   "lower --reads, or raise its `range`",
                                   inserts, role.range - role.records));
  }
  return FinishRate(key_bytes, role, lines);
}

Status FinishTrace(const Workload& workload, const Role& role, const RoleLines& lines) {
  for (const auto& [key, line] : lines.section().lines) {
    if (key == "threads" || key == "op" || key == "stop") continue;
    return lines.Error(key, fmt::format("has `{} =`, which the trace says itself", key));
  }
  if (workload.roles.size() > 1)
    return lines.Error("op", "is not the only role, which it has to be");
  if (role.operations != Role::kToTheEnd)
    return lines.Error("stop", "stops `at the end` of the trace");
  if (role.trace.loads != (workload.need == StoreNeed::kEmpty)) {
    return lines.Error("op", role.trace.loads
                                 ? "fills a store: its workload says `needs = empty store`"
                                 : "needs the store that `op = trace load` has filled: "
                                   "`needs = store loaded by replay-load`");
  }
  return Status::Ok();
}

}  // namespace levelfield
