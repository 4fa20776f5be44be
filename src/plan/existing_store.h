// The store that --use_existing_db is about: what is taken over from its marker, and how the run
// meets it. Decided from what was probed (driver/existing_stores.h). Pure; any thread.
//
// Nothing is written to a store that is somebody else's, that another version of the engine's
// library filled, or that --read_only protects. An engine that opens a store recovers it, rewrites
// its manifest or changes its journal even if it only reads. The version that made the store may
// then be unable to open it. So such a store is opened read-only if the engine can do that without
// changing a byte, and else measured as a copy.
#ifndef LEVELFIELD_PLAN_EXISTING_STORE_H_
#define LEVELFIELD_PLAN_EXISTING_STORE_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/description.h"
#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

struct StoreContent;

// How a run meets it.
enum class StoreAccess {
  kInPlace,   // It is opened and may be written to; the marker of one of ours says so.
  kReadOnly,  // The engine opens it without changing a byte.
  kCopy       // It is only read, to make the copy that is measured.
};

// What is decided about a store.
struct StoreDecision {
  StoreAccess access = StoreAccess::kInPlace;
  std::string kept = {};  // Why nothing is written to it; empty: it may be.
  std::string note = {};  // What people have to know of that; empty: nothing.
};

struct ExistingStore {
  std::string engine;  // The spec of the engine that is to open it.
  // The directory with the marker, if it is ours; else the database itself, a directory or a
  // file, absolute.
  std::string path;
  bool is_ours = false;
  std::string filled_by = {};  // StoreContent::library of one of ours.
  StoreDecision decision = {};
};

// What was found out about a store for DecideAccess.
struct ProbedStore {
  std::string why_not_writable = {};  // Empty: this process may write to it.
  bool has_results = false;           // The directory of the results is in it.
  // What the engine said when it was asked to open it read-only; empty: it did.
  std::string why_not_read_only = {};
};

// Takes over what the marker says about the keys and values into the settings. kUsage where these
// were given and say otherwise.
Status TakeOver(const std::string& path, const StoreContent& content, Settings& settings);

// Whether a workload changes what is in the store's files.
bool ChangesStore(const Workload& workload);

// How the run meets the store, which that engine opens. kUsage where nothing that was asked for can
// run without writing to the store.
StatusOr<StoreDecision> DecideAccess(const Settings& settings,
                                     const std::vector<PlannedPhase>& phases,
                                     const ExistingStore& store, const EngineDescription& engine,
                                     const ProbedStore& probed);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_EXISTING_STORE_H_
