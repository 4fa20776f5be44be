// The store for --use_existing_db: what the settings take over from its marker, and how the run
// uses it. Decided from facts (plan/find_stores.h). Pure. Any thread may call.
//
// Nothing is written to a store that belongs to somebody else, that another version of the engine's
// library filled, or that --read_only protects. An engine that opens a store recovers it, rewrites
// its manifest or changes its journal even if it only reads. Then the version that made the store
// may be unable to open it. So such a store is opened read-only if the engine can do that without
// changing a byte. Otherwise a copy is measured.
#ifndef LEVELFIELD_PLAN_EXISTING_STORE_H_
#define LEVELFIELD_PLAN_EXISTING_STORE_H_

#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/status.h"
#include "engine/description.h"
#include "plan/plan.h"
#include "settings/settings.h"

namespace levelfield {

struct StoreContent;

// How a run uses the store.
enum class StoreAccess {
  kInPlace,   // It is opened and may be written to. The marker of one of ours says so.
  kReadOnly,  // The engine opens it without changing a byte.
  kCopy       // It is only read, to make the copy that is measured.
};
inline constexpr EnumName<StoreAccess> kStoreAccessNames[] = {
    {StoreAccess::kInPlace, "in place"},
    {StoreAccess::kReadOnly, "read-only"},
    {StoreAccess::kCopy, "copy"},
};
constexpr std::span<const EnumName<StoreAccess>> NamesOf(StoreAccess) { return kStoreAccessNames; }

// The decision about a store.
struct StoreDecision {
  StoreAccess access = StoreAccess::kInPlace;
  std::string kept = {};  // Why nothing is written to it. Empty: it may be.
  std::string note = {};  // What people have to know about that. Empty: nothing.
};

struct ExistingStore {
  std::string engine;  // The spec of the engine that will open it.
  // The directory with the marker if it is ours. Otherwise the database itself, a directory or a
  // file. Absolute.
  std::string path;
  bool is_ours = false;
  std::string filled_by = {};  // For one of ours: StoreContent::library.
  StoreDecision decision = {};
};

// The facts about a store that DecideAccess needs.
struct ProbedStore {
  std::string why_not_writable = {};  // Empty: this process may write to it.
  bool has_results = false;           // The results' directory is inside it.
  // The engine's answer when it was asked to open it read-only. Empty: it could.
  std::string why_not_read_only = {};
};

// Takes over the key and value formats in the marker into the settings. kUsage if given settings
// differ.
Status TakeOver(const std::string& path, const StoreContent& content, Settings& settings);

// Whether a workload changes the store's files.
bool ChangesStore(const Workload& workload);

// How the run uses the store, which that engine opens. kUsage if nothing requested can run without
// writing to the store.
StatusOr<StoreDecision> DecideAccess(const Settings& settings,
                                     const std::vector<PlannedPhase>& phases,
                                     const ExistingStore& store, const EngineDescription& engine,
                                     const ProbedStore& probed);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_EXISTING_STORE_H_
