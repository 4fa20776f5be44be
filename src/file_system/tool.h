// A program of the system (mkfs.ext4, mount) that is run to its end. For any thread.
#ifndef LEVELFIELD_FILE_SYSTEM_TOOL_H_
#define LEVELFIELD_FILE_SYSTEM_TOOL_H_

#include <string>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Where it lies, in the directories of PATH and in those of the administrator, which a user's PATH
// often lacks; empty where it is not installed.
std::string FindTool(const std::string& name);

// A failure has what the program said, in one line.
Status RunTool(const std::vector<std::string>& words);

struct ToolEnd {
  int exit_code = 0;  // -1: a signal ended it.
  std::string said;   // The beginning of it, on both of its outputs.
};
// Fails where the program cannot be run.
StatusOr<ToolEnd> RunToolToEnd(const std::vector<std::string>& words);

// Its lines joined by blanks, printable, without those at the ends.
std::string OneLine(std::string text);

}  // namespace levelfield

#endif  // LEVELFIELD_FILE_SYSTEM_TOOL_H_
