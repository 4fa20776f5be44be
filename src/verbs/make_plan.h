// From settings to a plan. Finds out which engines can do what was asked by asking them, each in a
// process of its own. Creates nothing.
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

// Adds a measurement of the harness's own cost to the plan, on `null` and `memory`, unless they are
// in it anyway, or nothing else is. --price=0 leaves it out.
void AddOverheads(Plan& plan);

// `command` is as typed, for the manifest.
StatusOr<Plan> MakePlan(const Settings& settings, std::string command);

// --settings=best: a pilot runs the plan's workloads once with each of its engines' alternatives.
// Each engine then goes on with its fastest. Does nothing if the plan asks for other settings. The
// pilot's own result lies beside the plan's.
Status PickBestSettings(Plan& plan);

// Whether the command line sets the number of rounds: --repeat, --quick or --publish.
bool HasRounds(const Settings& settings);
// The same, or as many rounds as it takes: --precision.
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

// The names of the installed plug-ins. An error if there is none.
StatusOr<std::vector<std::string>> FindPlugins();

// Those of them that run only if --engine names them. They are asked only for `all`.
std::vector<std::string> FindRunByName(const Settings& settings,
                                       const std::vector<std::string>& plugins);

// The given common options for every engine, and those of one engine for it.
GivenOptions OptionsFor(const std::string& engine, const Settings& settings);

// The alternatives that these settings always give an engine.
std::vector<std::string> AlternativesFor(const Settings& settings);

// A request that asks an engine whether it accepts these settings.
ProbeRequest RequestOf(const std::string& engine, const Settings& settings);

// An error if options are given for an engine that does not run, because they would be ignored.
Status CheckEngineOptionNames(const Settings& settings, const std::vector<std::string>& engines);

// The engines' answers about themselves. With settings, also about those.
std::vector<ProbeReply> Probe(const std::vector<std::string>& engines, const Settings* settings);

// Runs the plan and reads its result. `render` makes the final output from the result and its
// directory.
Answer CarryOut(
    const Plan& plan, RunListener* listener,
    const std::function<std::string(const Result& result, const std::string& directory)>& render);

// Why there is no figure, if every engine was refused. Otherwise empty.
std::string WhyNothing(const Result& result);

// 1 if an engine failed or was wrong, or if none could do what was asked. 3 if a measurement is
// void. Otherwise 0.
int ExitCodeOf(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_MAKE_PLAN_H_
