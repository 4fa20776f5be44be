// Processes and all that they have started, as /proc has them. Any thread may call.
#ifndef LEVELFIELD_BASE_PROCESS_TREE_H_
#define LEVELFIELD_BASE_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace levelfield {

// The kernel gives numbers again: with its start, in ticks since the machine's, it is the process.
struct ProcessId {
  pid_t pid = -1;
  uint64_t start_ticks = 0;

  bool operator==(const ProcessId&) const = default;
};

// Nothing: there is none, or it has ended and only waits to be reaped.
std::optional<ProcessId> FindProcess(pid_t pid);

// Those of the roots that live, with their children, and theirs. Each once.
std::vector<ProcessId> TreesOf(std::span<const ProcessId> roots);

// Kills the trees, also what begins while they are killed, and waits until none of them lives; at
// most five seconds, for one may be in a call of the kernel that cannot be interrupted.
void EndTrees(std::span<const ProcessId> roots);

void SignalTrees(std::span<const ProcessId> roots, int signal);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PROCESS_TREE_H_
