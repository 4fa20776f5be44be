// The path of the program, read from /proc/self/exe once, at the start. Later it may be wrong: in a
// chroot, after unshare(CLONE_NEWNS), the kernel gives the path from the root outside the chroot.
#ifndef LEVELFIELD_BASE_PROGRAM_PATH_H_
#define LEVELFIELD_BASE_PROGRAM_PATH_H_

#include <string>
#include <vector>

#include "base/status.h"

namespace levelfield {

// Empty if there is no /proc.
const std::string& ProgramPath();

// The names by which it was called: that of argv[0], then those of the symlinks behind it, to the
// file itself. `./db_bench` -> `db_bench.7` -> `/usr/bin/levelfield` has three. Without a slash,
// argv[0] is looked for in $PATH, as the shell did.
std::vector<std::string> NamesOfProgram(const std::string& argv0);

// An error if there is no /proc: without it neither plug-ins nor child processes can be had.
Status CheckProgramPath();

// What to execute to run this program once more: its path, or /proc/self/exe if something else
// stands there by now. May be called between fork and exec.
const char* ProgramToExecute();

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PROGRAM_PATH_H_
