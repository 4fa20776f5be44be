#include "workload/file/choosing_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/slots.h"
#include "workload/triples.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

// Of the roles of a series, all of which have what its writer says.
Status SetSeries(const Workload& workload, Role& role, const RoleLines& lines) {
  const auto writer =
      std::ranges::find(workload.roles, FindOperation("series put"), &Role::operation);
  if (writer == workload.roles.end()) {
    return lines.Error("op", "is of a series, which no role with `op = series put` writes");
  }
  if (writer->operations == 0 || !writer->until_role.empty()) {
    return lines.Error("stop", "is of a series whose writer has no number of operations");
  }
  role.series.ids = writer->series.ids;
  role.series.time_range = writer->series.time_range;
  role.series.time_bits = SeriesPlan::BitsFor(writer->operations);
  role.series.expires = std::ranges::any_of(
      workload.roles, [](const Role& other) { return other.operation->name == "series expire"; });
  role.value_size = writer->value_size;
  if (role.series.time_bits > 50 || static_cast<unsigned __int128>(role.series.ids)
                                            << role.series.time_bits >
                                        KeyFormat::kLimit) {
    return lines.Error("op",
                       fmt::format("needs more keys than there are: {} ids of {} times (rounded "
                                   "up to a power of two); lower --key_id_range or --num",
                                   role.series.ids, writer->operations));
  }
  role.range = role.series.range();
  return Status::Ok();
}

}  // namespace

Status CheckChoosing(const Workload& workload, Role& role, const RoleLines& lines) {
  struct OwnKey {
    std::string_view key;
    std::string_view operation;
  };
  constexpr OwnKey kOwnKeys[] = {{"get_percent", "triple"},
                                 {"erase_percent", "triple"},
                                 {"ids", "series put"},
                                 {"time_range", "series put"},
                                 {"stddev", "replace"},
                                 {"disposable_batch", "dispose"},
                                 {"persistent_batch", "dispose"},
                                 {"disposable_value_size", "dispose"},
                                 {"persistent_value_size", "dispose"},
                                 {"delay_us", "dispose"}};
  for (const auto& [key, operation] : kOwnKeys) {
    if (role.operation->name == operation || !lines.Has(key)) continue;
    return lines.Error(key, fmt::format("has `{} =`, which its operation does not know", key));
  }
  if (!role.operation->chooses_keys()) return Status::Ok();
  if (role.operation->name == "triple") {
    if (role.get_percent + role.erase_percent > 100) {
      return lines.Error("erase_percent",
                         fmt::format("gets {}% and erases {}%, which is more than all; lower "
                                     "--readwritepercent or --deletepercent",
                                     role.get_percent, role.erase_percent));
    }
    if (role.value_size.least() < ValueSource::kHeaderBytes) {
      return lines.Error("value_size",
                         fmt::format("compares values, which name their version from {} "
                                     "bytes on",
                                     size_t{ValueSource::kHeaderBytes}));
    }
    if (role.range % kTriple != 0) return lines.Error("range", "is not a multiple of 3");
    if (role.range > ExpectedState::kMostRemembered) {
      return lines.Error("range", fmt::format("is beyond {}, of which groups the last write is "
                                              "remembered",
                                              ExpectedState::kMostRemembered));
    }
    return Status::Ok();
  }
  if (role.threads > 1 && role.operation->name != "series read" &&
      role.operation->name != "series expire") {
    return lines.Error("threads", "has more than one thread, which it works in");
  }
  if (workload.need != StoreNeed::kEmpty) {
    return lines.Error("op", "fills a store: its workload says `needs = empty store`");
  }
  if (role.operation->is_of_series) return SetSeries(workload, role, lines);
  if (role.operation->name == "replace") {
    if (role.range % kSlots != 0) return lines.Error("range", "is not a multiple of 50");
    return Status::Ok();
  }
  if (!role.until_role.empty()) return lines.Error("stop", "stops when another role ends");
  if (role.disposal.disposable_batch == 0)
    role.disposal.persistent_value_size = role.value_size.most();
  role.value_size =
      std::max(role.disposal.disposable_value_size, role.disposal.persistent_value_size);
  if (role.operations > KeyFormat::kLimit / 2) {
    return lines.Error("stop", "has more operations than there are keys");
  }
  const DisposalPlan& plan = role.disposal;
  if (plan.disposable_batch != 0 &&
      static_cast<unsigned __int128>(role.operations) / plan.disposable_batch * plan.cycle() +
              plan.cycle() >
          KeyFormat::kLimit) {
    return lines.Error("persistent_batch", "needs more keys than there are; make it smaller");
  }
  role.range = plan.PositionsFor(role.operations);
  return Status::Ok();
}

}  // namespace levelfield
