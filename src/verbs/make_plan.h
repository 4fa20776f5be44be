// From settings to a plan: which engines can do what was asked for is found out by asking them,
// each in a process of its own. Nothing is created.
#ifndef LEVELFIELD_VERBS_MAKE_PLAN_H_
#define LEVELFIELD_VERBS_MAKE_PLAN_H_

#include <functional>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "engine/engine_probe.h"
#include "result/result.h"
#include "settings/settings.h"
#include "verbs/verbs.h"

namespace levelfield {

// Has what the harness itself costs measured with the plan, on those of `null` and `memory` that
// are not in it anyway; --price=0 leaves it out.
void AddOverheads(Plan& plan);

// `command` is what was typed, for the manifest.
StatusOr<Plan> MakePlan(const Settings& settings, std::string command);

// Whether the command line says how many rounds there are to be: --repeat, --quick or --publish.
bool HasRounds(const Settings& settings);
// Or that there are to be as many as it takes: --precision.
bool HasVerdicts(const Settings& settings);

// Whether the disk has room for all stores of a round at once, as slices need it; always with
// --space_guard=off.
bool HaveRoomAtOnce(const Plan& plan);
// An error where --slices=on is given and they have none. MakePlan asks this, so it is for whoever
// adds runs to a plan.
Status CheckRoomForSlices(const Plan& plan);

// Has the runs of a comparison take turns in slices, where --slices does not say how they run, some
// workload can be cut, and all of them have room at once.
void PreferSlices(Plan& plan);

// The names of the plug-ins that are here; an error where there is none.
StatusOr<std::vector<std::string>> FindPlugins();

// Those of them that run only where --engine names them; asked of them where it says `all`.
std::vector<std::string> FindRunByName(const Settings& settings,
                                       const std::vector<std::string>& plugins);

// The common options that are given, for every engine; those of one engine, for it.
GivenOptions OptionsFor(const std::string& engine, const Settings& settings);

// The alternatives that these settings give an engine in any case.
std::vector<std::string> AlternativesFor(const Settings& settings);

// Asks an engine whether it takes these settings.
ProbeRequest RequestOf(const std::string& engine, const Settings& settings);

// Options of an engine that does not run would be ignored: refused instead.
Status CheckEngineOptionNames(const Settings& settings, const std::vector<std::string>& engines);

// What the engines say of themselves; with settings, also of those.
std::vector<ProbeReply> Probe(const std::vector<std::string>& engines, const Settings* settings);

// Runs the plan and reads what it left: `render` makes of the result, and of its directory, what is
// printed at the end.
Answer CarryOut(
    const Plan& plan, RunListener* listener,
    const std::function<std::string(const Result& result, const std::string& directory)>& render);

// Why there is no figure at all, where every engine was refused what was asked; else empty.
std::string WhyNothing(const Result& result);

// 0; 1 where an engine failed or was wrong, or where none could do what was asked; 3 where a
// measurement is void.
int ExitCodeOf(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_MAKE_PLAN_H_
