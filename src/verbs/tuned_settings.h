// --settings=tuned: applies what an engine's authors recommend for a load (engine/tuned.h) to the
// settings that it is opened with, and reports it.
#ifndef LEVELFIELD_VERBS_TUNED_SETTINGS_H_
#define LEVELFIELD_VERBS_TUNED_SETTINGS_H_

#include <string>
#include <vector>

#include "engine/engine_probe.h"
#include "engine/tuned.h"
#include "settings/settings.h"

namespace levelfield {

// For this load, without options given by name. Empty with other --settings.
std::vector<TunedSetting> TunedSettings(const std::string& engine, const Settings& settings);

// Notes the author of each setting for the tables and the result. A store that nobody has tuned
// becomes a row with that reason.
void NoteTuned(const Settings& settings, ProbeReply& engine);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_TUNED_SETTINGS_H_
