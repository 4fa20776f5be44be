#include "workload/file/role_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "workload/expected_state.h"
#include "workload/workload_settings.h"

namespace levelfield {

Status LineError(const Workload& workload, size_t line, const std::string& message) {
  return Status::Usage(
      fmt::format("workload {}, line {}: {}", Printable(workload.name), line, message));
}

Status RoleLines::Error(std::string_view key, const std::string& message) const {
  const auto it = section().lines.find(key);
  return LineError(workload(), it != section().lines.end() ? it->second : section().line,
                   fmt::format("[{}] {}", role().name, message));
}

Status CheckIsAlone(const RoleLines& lines) {
  if (lines.workload().roles.size() == 1) return Status::Ok();
  return lines.Error("op", "is not the only role, which it has to be");
}

Status CheckFills(const RoleLines& lines) {
  if (lines.workload().need == StoreNeed::kEmpty) return Status::Ok();
  return lines.Error("op", "fills a store: its workload says `needs = empty store`");
}

Status CheckFillsAlone(const RoleLines& lines) {
  if (lines.role().threads > 1) {
    return lines.Error("threads", "has more than one thread, which it works in");
  }
  return CheckFills(lines);
}

Status CheckRemembered(const RoleLines& lines, std::string_view kind, int bytes) {
  if (lines.role().range <= ExpectedState::kMostRemembered) return Status::Ok();
  return lines.Error("range", fmt::format("has more than {} keys, of each of which the last {} "
                                          "would be remembered, in {} bytes",
                                          ExpectedState::kMostRemembered, kind, bytes));
}

Status FinishRate(const RoleLines& lines) {
  if (!lines.Has("rate")) return Status::Ok();
  Role& role = lines.role();
  const Operation& operation = *role.operation;
  if (operation.is_of_store() || operation.is_of_machine()) {
    return lines.Error("rate",
                       "has a rate, but does not read or write entries one after the other");
  }
  const uint64_t bytes = lines.section().bytes_per_second;
  if (bytes == 0) return Status::Ok();
  if (!operation.writes_one_entry) {
    return lines.Error(
        "rate",
        "has a rate in bytes, but only `put`, `erase`, `merge`, `update`, `append` and "
        "`xor` do, whose operations write one entry each");
  }
  const uint64_t value_bytes =
      operation.only_erases() ? 0 : (role.value_size.least() + role.value_size.most()) / 2;
  const auto key_bytes =
      static_cast<uint64_t>(KeyShapeOf(lines.settings(), lines.workload()).MeanSize());
  const uint64_t entry_bytes = key_bytes + value_bytes;
  if (bytes < entry_bytes) {
    return lines.Error("rate",
                       fmt::format("has a rate of {} bytes a second, which is less than one "
                                   "entry of {} bytes; raise it, or make the values smaller",
                                   bytes, entry_bytes));
  }
  role.rate = std::min((bytes + entry_bytes / 2) / entry_bytes, limits::kRate);
  return Status::Ok();
}

}  // namespace levelfield
