// Which stores a run meets at --db, by what is known of that place. With --use_existing_db the
// stores there, whoever made them; otherwise whether new ones may be made. Pure.
#ifndef LEVELFIELD_PLAN_FIND_STORES_H_
#define LEVELFIELD_PLAN_FIND_STORES_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "engine/probe_request.h"
#include "plan/existing_store.h"
#include "plan/known.h"

namespace levelfield {

// Finds one store for each of `engines`. Our own are found by their markers, at --db or below it.
// For others, engines are asked. `plugins` names all of these. The stores' key and value formats go
// into the settings that are not given. If a given setting differs, or there is no such store, it
// is kUsage with the reason.
StatusOr<std::vector<ExistingStore>> FindExistingStores(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings, Known& known);

// Decides how the run uses the store (DecideAccess), and adds notes about that
// (engine.options.notes).
Status DecideAccessTo(const Settings& settings, const std::vector<PlannedPhase>& phases,
                      ExistingStore& store, ProbeReply& engine, Known& known);

// kUsage if none of the engines could make a new store at --db. `plugins` are all there are, to
// find the owner of an existing directory.
Status CheckPlaceOfNewStores(const Settings& settings, const std::vector<std::string>& engines,
                             const std::vector<std::string>& plugins, Known& known);

// kUsage if the path, which need not exist yet, lies in a store, ours or somebody's, or is one.
// `what` is the flag that says where to write.
Status CheckOutsideStores(std::string_view what, const std::string& path, bool may_be_one,
                          Known& known);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_FIND_STORES_H_
