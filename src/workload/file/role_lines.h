// The lines of a role of a workload file: how each is read, where they stood, for messages that
// name the one to blame, and what waits for the end of the role, because its lines come in any
// order.
#ifndef LEVELFIELD_WORKLOAD_FILE_ROLE_LINES_H_
#define LEVELFIELD_WORKLOAD_FILE_ROLE_LINES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "workload/file/numbers.h"
#include "workload/workload.h"

namespace levelfield {

// The head of the file, or a role.
struct FileSection {
  size_t line = 0;
  std::map<std::string_view, size_t> lines = {};  // Of each key that was set.
  uint64_t first_percent = 100;                   // `of the first N%` of the range.
  bool drawn = false;                             // `drawn`, not `uniform`.
  uint64_t bytes_per_second = 0;                  // `rate = N bytes`.
};

// A file that was read so far.
struct ParsedWorkload {
  Workload workload;
  std::vector<FileSection> sections =
      std::vector<FileSection>(1);  // Of the head, and of each role.

  Role& role() { return workload.roles.back(); }
  FileSection& section() { return sections.back(); }
};

// Reads a count into a member of the role, or into a member of that.
template <uint64_t kMost, uint64_t kLeast, auto... kMembers>
std::string ReadCount(ParsedWorkload& parsed, const FileNumbers& numbers, std::string_view text) {
  return numbers.SetCount(text, (parsed.role().*....*kMembers), kMost, kLeast);
}

// What may stand in front of a `=` in the head and in a role, and what reads it (keys.cc); the
// lines that only some operations know stand in their own rows.
const std::map<std::string_view, LineReader>& HeadKeys();
const std::map<std::string_view, LineReader>& RoleKeys();

// Those whose hot keys are in one place; YCSB's zipfian spreads them by itself, and the others say
// of a key how new it is.
bool IsScattered(KeyDistributionPlan::Kind kind);

Status LineError(const Workload& workload, size_t line, const std::string& message);

// Those of one role, all of which have been read.
class RoleLines {
 public:
  RoleLines(ParsedWorkload& parsed, size_t index, const Settings& settings)
      : parsed_(parsed), index_(index), settings_(settings) {}

  const Workload& workload() const { return parsed_.workload; }
  Role& role() const { return parsed_.workload.roles[index_]; }
  const FileSection& section() const { return parsed_.sections[index_ + 1]; }
  const Settings& settings() const { return settings_; }
  bool Has(std::string_view key) const { return section().lines.contains(key); }
  // Where the role of that number begins.
  size_t LineOf(size_t role) const { return parsed_.sections[role + 1].line; }

  // Named by the line of the key that is to blame, else by that of the role.
  Status Error(std::string_view key, const std::string& message) const;

 private:
  ParsedWorkload& parsed_;
  size_t index_;
  const Settings& settings_;
};

// What several operations ask of a role; an error names the line to blame.
// That it is the only role of its workload.
Status CheckIsAlone(const RoleLines& lines);
// That its workload fills an empty store; and that it does so in one thread.
Status CheckFills(const RoleLines& lines);
Status CheckFillsAlone(const RoleLines& lines);
// That its keys, whose last writes of that kind are remembered in so many bytes each, are not too
// many.
Status CheckRemembered(const RoleLines& lines, std::string_view kind, int bytes);
// A rate in bytes becomes one in entries of their mean size, which the schedule counts.
Status FinishRate(const RoleLines& lines);

// After the last line: what no single one can show to be wrong, and what follows from several.
Status FinishWorkload(ParsedWorkload& parsed, const FileNumbers& numbers);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_ROLE_LINES_H_
