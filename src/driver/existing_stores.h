// Looks at --db before the plan is made. With --use_existing_db it finds the stores there, whoever
// made them. Otherwise it checks that new ones may be made. Changes nothing.
#ifndef LEVELFIELD_DRIVER_EXISTING_STORES_H_
#define LEVELFIELD_DRIVER_EXISTING_STORES_H_

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/existing_store.h"

namespace levelfield {

// Finds one store for each of `engines`. Our own are found by their markers, at --db or below it.
// For others, engines are asked in processes of their own. `plugins` names all of these. The
// stores' key and value formats go into the settings that are not given. If a given setting
// differs, or there is no such store, it is kUsage with the reason.
StatusOr<std::vector<ExistingStore>> FindExistingStores(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings);

// The plug-ins that recognize the path as their store.
std::vector<std::string> EnginesThatRecognize(const std::string& path,
                                              const std::vector<std::string>& plugins);

// The store that the path lies in, whether the path exists yet or not, or that it is itself, unless
// it `may_be_one`. One of ours is found at any
// height above it. Another is looked for in the two directories that are nearest, where engines are
// asked if there are files beside it; not in the working directory and above, which all runs would
// have to wait for.
struct StoreAround {
  std::string path;
  std::string engine;  // Empty: not known.
};
std::optional<StoreAround> FindStoreAround(const std::string& path, bool may_be_one,
                                           const std::vector<std::string>& plugins);

// Probes the store, decides how the run uses it (DecideAccess), and adds notes about that
// (engine.options.notes). `probe` is the earlier request about the engine's options.
Status DecideAccessTo(const Settings& settings, const std::vector<PlannedPhase>& phases,
                      ProbeRequest probe, ExistingStore& store, ProbeReply& engine);

// kUsage if none of the engines could make a new store at --db. `plugins` are all there are, to
// find the owner of an existing directory.
Status CheckPlaceOfNewStores(const Settings& settings, const std::vector<std::string>& engines,
                             const std::vector<std::string>& plugins);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_EXISTING_STORES_H_
