// The lines of a role in a workload file: how each is read, and where each stood, so that messages
// can name the line to blame. Lines come in any order, so some checks wait for the end of the role.
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
  std::map<std::string_view, size_t> lines = {};  // By key that was set.
  uint64_t first_percent = 100;                   // `of the first N%` of the range.
  bool drawn = false;                             // `drawn`, not `uniform`.
  uint64_t bytes_per_second = 0;                  // `rate = N bytes`.
};

// A file as far as it has been read.
struct ParsedWorkload {
  Workload workload;
  std::vector<FileSection> sections = std::vector<FileSection>(1);  // The head, then each role.

  Role& role() { return workload.roles.back(); }
  FileSection& section() { return sections.back(); }
};

// Reads a count into a member of the role, or into a member of that member.
template <uint64_t kMost, uint64_t kLeast, auto... kMembers>
std::string ReadCount(ParsedWorkload& parsed, const FileNumbers& numbers, std::string_view text) {
  return numbers.SetCount(text, (parsed.role().*....*kMembers), kMost, kLeast);
}

// The keys that may stand before a `=` in the head and in a role, and their readers (keys.cc).
// Lines that only some operations know stand in the rows of those operations.
const std::map<std::string_view, LineReader>& HeadKeys();
const std::map<std::string_view, LineReader>& RoleKeys();

Status LineError(const Workload& workload, size_t line, const std::string& message);

// The lines of one role, all of which have been read.
class RoleLines {
 public:
  RoleLines(ParsedWorkload& parsed, size_t index, const Settings& settings)
      : parsed_(parsed), index_(index), settings_(settings) {}

  const Workload& workload() const { return parsed_.workload; }
  Role& role() const { return parsed_.workload.roles[index_]; }
  const FileSection& section() const { return parsed_.sections[index_ + 1]; }
  const Settings& settings() const { return settings_; }
  bool Has(std::string_view key) const { return section().lines.contains(key); }
  // The line where the role of that number begins.
  size_t LineOf(size_t role) const { return parsed_.sections[role + 1].line; }

  // Names the line of the key that is to blame, else that of the role.
  Status Error(std::string_view key, const std::string& message) const;

 private:
  ParsedWorkload& parsed_;
  size_t index_;
  const Settings& settings_;
};

// Checks that several operations share; an error names the line to blame.
// The role must be the only one of its workload.
Status CheckIsAlone(const RoleLines& lines);
// The workload must fill an empty store; for CheckFillsAlone, in one thread.
Status CheckFills(const RoleLines& lines);
Status CheckFillsAlone(const RoleLines& lines);
// The last write of each key takes so many bytes to remember; the keys must not be too many for it.
Status CheckRemembered(const RoleLines& lines, std::string_view kind, int bytes);
// Turns a rate in bytes into one in entries of their mean size, which the schedule counts.
Status FinishRate(const RoleLines& lines);

// After the last line: checks that need several lines, and values that follow from several.
Status FinishWorkload(ParsedWorkload& parsed, const FileNumbers& numbers);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_ROLE_LINES_H_
