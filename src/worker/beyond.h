// Of gets of keys some of which lie behind all that the store has, as readrandomfast's do: how many
// those were. Worker's main thread.
#ifndef LEVELFIELD_WORKER_BEYOND_H_
#define LEVELFIELD_WORKER_BEYOND_H_

#include <string>

#include "worker/phase.h"

namespace levelfield {

// Whether a role asks for keys of its own range, and that goes beyond the store's.
bool AsksBeyond(const Role& role, const ExpectedState& before);

std::string NoteOfBeyond(const RoleRun& run, const ExpectedState& before);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_BEYOND_H_
