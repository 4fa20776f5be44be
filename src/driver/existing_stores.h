// Looks at --db before the plan is made. With --use_existing_db it finds the stores there, whoever
// made them; else it checks that new ones may be made. Changes nothing.
#ifndef LEVELFIELD_DRIVER_EXISTING_STORES_H_
#define LEVELFIELD_DRIVER_EXISTING_STORES_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/engine_probe.h"
#include "plan/existing_store.h"

namespace levelfield {

// One store for each of `engines`. Ours are found by their markers, at --db or below it; others are
// asked about in processes of their own, of which `plugins` names all that there are. What the
// stores say of their keys and values is taken over into the settings where those do not say
// otherwise; where they do, or where there is no such store, it is kUsage with the reason.
StatusOr<std::vector<ExistingStore>> FindExistingStores(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings);

// The plug-ins that recognize the path as a store of theirs.
std::vector<std::string> EnginesThatRecognize(const std::string& path,
                                              const std::vector<std::string>& plugins);

// Probes the store, decides how the run meets it (DecideAccess), and notes that where it is told
// (engine.options.notes). `probe` is what the engine was asked about its options.
Status DecideAccessTo(const Settings& settings, const std::vector<PlannedPhase>& phases,
                      ProbeRequest probe, ExistingStore& store, ProbeReply& engine);

// kUsage where none of the engines could have a new store where --db says; `plugins` are all that
// there are, to say whose the directory is.
Status CheckPlaceOfNewStores(const Settings& settings, const std::vector<std::string>& engines,
                             const std::vector<std::string>& plugins);

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_EXISTING_STORES_H_
