// Runs the roles of a workload, on an open store if it needs one. It makes each thread's task,
// starts all threads at one barrier, watches them, stops those that run until others end, and
// gathers the results. The verifier checks the answers afterwards (verifier.h).
#ifndef LEVELFIELD_WORKER_PHASE_H_
#define LEVELFIELD_WORKER_PHASE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "fleet/gate.h"
#include "loop/original_streams.h"
#include "operations/task.h"
#include "result/phase_result.h"
#include "result/time_series.h"
#include "settings/settings.h"
#include "workload/expected_state.h"
#include "workload/value_source.h"
#include "workload/workload.h"

namespace levelfield {

// A phase that is measured in slices, in turn with the same phase of other workers.
struct SliceTurns {
  std::chrono::nanoseconds length{};
  // Gives the turn back, and waits for the next one. Returns the nanoseconds that the engine's
  // device went on after the ended turn. Nothing if there is no next turn.
  std::function<std::optional<uint64_t>(bool is_over)> wait_for_next;
};

struct PhaseRun {
  std::vector<RoleRun> roles;           // In the order of the workload.
  std::vector<ThreadControl> controls;  // For all tasks.
  std::shared_ptr<WriterClock> writer_clock;  // For tasks on a series or on rows.
  bool interrupted = false;
  lf_code code = LF_OK;  // The first failure, and what it said.
  std::string error;
  Ticks ticks;
  std::vector<PhaseInterval> intervals;
  std::vector<LoadPart> load_parts;  // Of a rate that changes.
  // In a fleet: the roles as all ranks ran them, for the model alone, or why that is not known.
  std::vector<RoleRun> of_fleet = {};
  std::string fleet_failure = {};
  const std::vector<RoleRun>& RolesOfAll() const { return of_fleet.empty() ? roles : of_fleet; }
  std::optional<Slices> slices;  // Where it was measured in slices,
  uint64_t waited_ns = 0;        // and how long it waited between them.
};

// An open loop of the first role, all its threads together.
struct PhaseLoad {
  Arrival arrival = Arrival::kPoisson;
  uint64_t rate = 0;  // Entries a second; for a trace their mean, of a curve the most.
  const RateCurve* curve = nullptr;  // Outlives it. Null: the rate does not change.
};

class CallRecorder;

struct PhaseContext {
  const Workload* workload = nullptr;
  const Settings* settings = nullptr;
  Store* store = nullptr;  // Null if the workload needs none.
  const ValueSource* values = nullptr;
  const OriginalValues* original = nullptr;  // With --compat=exact: written instead,
  const OriginalStreams* streams = nullptr;  // and the start of its draws.
  const Clock* clock = nullptr;
  KeyShape key_shape = {};
  uint32_t first_version = 1;
  // For the places of records and the choice of hot keys: the same in every workload and repetition
  // of a run.
  uint64_t layout_seed = 0;
  uint64_t mention = 1;                   // As in PlannedPhase.
  const TraceSteps* trace = nullptr;      // For a phase that replays one.
  const CacheTask* cache = nullptr;       // For a phase that calls one.
  CallRecorder* recorder = nullptr;       // With --record: of all calls.
  const ExpectedState* before = nullptr;  // The store's contents when the phase begins.
  // For a role of transactions: its counters in the store.
  const std::vector<uint32_t>* versions_before = nullptr;
  bool store_existed = false;            // Its contents are unknown,
  bool knows_values = false;             // but all its values can be checked against their keys.
  std::optional<PhaseLoad> load = {};    // None: a closed loop.
  std::optional<SliceTurns> turns = {};  // None: the phase is measured in one piece.
  uint64_t least_operations = 0;         // Of the first role: --duration ends it no earlier.
  // For a phase of one role: it goes on where this ended. Null: it begins.
  const RoleRun* earlier = nullptr;
  // The rank of this process: its threads' keys, counts and rates are shares of the fleet's.
  FleetPlace fleet = {};
  // In a fleet: waits, when all sessions have begun or one has failed to, until all ranks may
  // begin.
  std::function<Status(const std::string& failure)> await_begin = nullptr;
  // Asked about ten times a second while threads run.
  std::function<bool()> is_interrupted;
  std::function<void(uint64_t operations, uint64_t of)> report_progress;
  // With --watch; else none.
  std::function<void(uint64_t latency_ns)> report_percentile_99 = nullptr;
};

PhaseRun RunPhase(const PhaseContext& context);

// How many keys each thread drew from an original's stream, in the original's order of threads.
std::vector<uint64_t> DrawsOf(const Workload& workload, const PhaseRun& run);

// The role as all ranks ran it, for the model: `done` has what each of their threads wrote, by
// rank.
RoleRun RoleOfFleet(const PhaseContext& context, const Role& role, const RoleRun& own,
                    const std::vector<std::vector<uint64_t>>& done);

// What a writing role did to the store, for its model.
std::vector<WriteLayer> LayersOf(const Workload& workload, const PhaseRun& run);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_PHASE_H_
