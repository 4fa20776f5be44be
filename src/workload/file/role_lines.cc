#include "workload/file/role_lines.h"

#include <fmt/format.h>

#include "base/quote.h"

namespace levelfield {

Status LineError(const Workload& workload, size_t line, const std::string& message) {
  return Status::Usage(
      fmt::format("workload {}, line {}: {}", Printable(workload.name), line, message));
}

Status RoleLines::Error(std::string_view key, const std::string& message) const {
  const auto it = section_.lines.find(key);
  return LineError(workload_, it != section_.lines.end() ? it->second : section_.line,
                   fmt::format("[{}] {}", role_.name, message));
}

}  // namespace levelfield
