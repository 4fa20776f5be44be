// What settings come to for an engine: its options, and the request that asks it about them. Pure.
// Any thread may call.
#ifndef LEVELFIELD_PLAN_ENGINE_REQUESTS_H_
#define LEVELFIELD_PLAN_ENGINE_REQUESTS_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/probe_request.h"
#include "settings/settings.h"

namespace levelfield {

// The given common options for every engine, and those of one engine for it.
GivenOptions OptionsFor(const std::string& engine, const Settings& settings);

// A request that asks an engine whether it accepts these settings.
ProbeRequest RequestOf(const std::string& engine, const Settings& settings);

// An error if options are given for an engine that does not run, because they would be ignored.
Status CheckEngineOptionNames(const Settings& settings, const std::vector<std::string>& engines);

// Without other builds of an engine that is among them by its plain name.
std::vector<std::string> WithoutOtherBuilds(std::vector<std::string> engines);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_ENGINE_REQUESTS_H_
