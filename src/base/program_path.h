// Where the program stands. /proc/self/exe is asked once, at the start: in a chroot, a process that
// has got mounts of its own since is given a path there that leads from the root outside.
#ifndef LEVELFIELD_BASE_PROGRAM_PATH_H_
#define LEVELFIELD_BASE_PROGRAM_PATH_H_

#include <string>

namespace levelfield {

// Empty where there is no /proc.
const std::string& ProgramPath();

// What to execute to run this program once more: its path, or /proc/self/exe if something else
// stands there by now. May be called between fork and exec.
const char* ProgramToExecute();

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PROGRAM_PATH_H_
