// Ends other processes when this one ends, however that is: a guard outside of it waits for that.
#ifndef LEVELFIELD_PROCESS_PROCESS_GUARD_H_
#define LEVELFIELD_PROCESS_PROCESS_GUARD_H_

#include <sys/types.h>

#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

inline constexpr std::string_view kGuardWord = "--guard-processes";

// The guard is this program once more: any program that opens stores answers kGuardWord.
//
// From here on the processes, and all that they start, end with this one. Any thread.
Status GuardProcesses(const std::vector<pid_t>& processes);

// The guard's side: numbers on standard input, a line each. Returns when the other side has ended
// and so have they.
int RunGuard();

}  // namespace levelfield

#endif  // LEVELFIELD_PROCESS_PROCESS_GUARD_H_
