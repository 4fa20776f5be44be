// What the installed engines say of themselves and of settings. Each is asked in a process of its
// own. Creates nothing.
#ifndef LEVELFIELD_FACTS_ASK_ENGINES_H_
#define LEVELFIELD_FACTS_ASK_ENGINES_H_

#include <string>
#include <vector>

#include "engine/engine_probe.h"
#include "settings/settings.h"

namespace levelfield {

// The names of the installed plug-ins. An error if there is none.
StatusOr<std::vector<std::string>> FindPlugins();

// The plug-ins that `--engine=all` leaves out, because they run only when named. Without `all` none
// is asked, and the list is empty.
std::vector<std::string> FindRunByName(const Settings& settings,
                                       const std::vector<std::string>& plugins);

// The engines' answers about themselves, and which of their options they do not tell back.
std::vector<ProbeReply> ProbeUntold(const std::vector<std::string>& engines);

// The engines' answers about themselves. With settings, also about those.
std::vector<ProbeReply> Probe(const std::vector<std::string>& engines, const Settings* settings);

}  // namespace levelfield

#endif  // LEVELFIELD_FACTS_ASK_ENGINES_H_
