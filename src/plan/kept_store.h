// A store that was there before the run (--use_existing_db) and that nothing is written to, because
// it is somebody else's, or another version of the engine's library filled it, or --read_only says
// so: opened read-only where the engine can do that without changing a byte, else measured as a
// copy. An engine that opens a store recovers it, rewrites its manifest or changes its journal even
// if it is only to read, and the version that made the store may then be unable to open it.
#ifndef LEVELFIELD_PLAN_KEPT_STORE_H_
#define LEVELFIELD_PLAN_KEPT_STORE_H_

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/existing_store.h"
#include "plan/messages.h"
#include "plan/turn.h"
#include "store/store_files.h"
#include "store/store_lock.h"

namespace levelfield {

// Whether a workload changes what is in the store's files.
bool ChangesStore(const Workload& workload);

// Decides how the run meets the store, of which `engine` is the one that opens it, and notes that
// where it is told (engine.options.notes). `probe` is what the engine was asked about its options.
// kUsage where nothing that was asked for can run without writing to the store.
Status KeepStore(const Settings& settings, const std::vector<PlannedPhase>& phases,
                 ProbeRequest probe, ExistingStore& store, ProbeReply& engine);

// While a run visits it.
struct KeptStore {
  std::optional<StoreView> ours;  // Locked against those who would write to it.
  std::optional<StoreCopy> copy;  // Gone with this.
  WorkerSpec spec;
};

// kUsage where somebody uses the store, or changes it while it is copied. On one thread, the
// driver's.
StatusOr<KeptStore> OpenKeptStore(const Turn& turn, const ExistingStore& store);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_KEPT_STORE_H_
