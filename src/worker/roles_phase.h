// The phase of a worker whose roles work on the store, or on the machine, in threads: all that is
// before the measured time, the measurement itself, and all that is behind it. The worker's main
// thread, which starts those threads and waits for them.
#ifndef LEVELFIELD_WORKER_ROLES_PHASE_H_
#define LEVELFIELD_WORKER_ROLES_PHASE_H_

#include <cstdint>
#include <optional>

#include "loop/original_streams.h"
#include "worker/instruments.h"
#include "worker/known_store.h"
#include "worker/phase.h"
#include "worker/running_phase.h"

namespace levelfield {

// How the roles run: in a closed loop, or at a load; for so long, where it is not what the
// settings say; and which step of several it is.
struct RolesAsked {
  std::optional<PhaseLoad> load = {};
  double seconds = 0;
  uint64_t step = 0;
};

// The measured time, and nothing else, with what it took of the machine.
PhaseRun MeasurePhase(const PhaseContext& context, Instruments& instruments, PhaseResult& result);

// On the open store, where the workload needs one.
void RunRoles(RunningPhase& now, KnownStore& store, Instruments& instruments,
              OriginalStreams& streams, const RolesAsked& asked);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_ROLES_PHASE_H_
