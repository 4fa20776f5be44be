// Where the lines of a workload file stood, for messages that name the one to blame; and what waits
// for the end of its role, because the lines of a role come in any order. Values.
#ifndef LEVELFIELD_WORKLOAD_FILE_ROLE_LINES_H_
#define LEVELFIELD_WORKLOAD_FILE_ROLE_LINES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "workload/workload.h"

namespace levelfield {

// The head of the file, or a role.
struct Section {
  size_t line = 0;
  std::map<std::string_view, size_t> lines = {};  // Of each key that was set.
  uint64_t first_percent = 100;                   // `of the first N%` of the range.
  bool drawn = false;                             // `drawn`, not `uniform`.
  uint64_t bytes_per_second = 0;                  // `rate = N bytes`.
};

// A file that was read so far.
struct ParsedWorkload {
  Workload workload;
  std::vector<Section> sections = std::vector<Section>(1);  // Of the head, and of each role.

  Role& role() { return workload.roles.back(); }
  Section& section() { return sections.back(); }
};

Status LineError(const Workload& workload, size_t line, const std::string& message);

// Those of one role. `workload` and `section` have to outlive this.
class RoleLines {
 public:
  RoleLines(const Workload& workload, const Role& role, const Section& section)
      : workload_(workload), role_(role), section_(section) {}

  const Section& section() const { return section_; }
  bool Has(std::string_view key) const { return section_.lines.contains(key); }
  // Named by the line of the key that is to blame, else by that of the role.
  Status Error(std::string_view key, const std::string& message) const;

 private:
  const Workload& workload_;
  const Role& role_;
  const Section& section_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_ROLE_LINES_H_
