// What the installed engines say of themselves and of settings. Each is asked in a process of its
// own. Creates nothing.
#ifndef LEVELFIELD_VERBS_ASK_ENGINES_H_
#define LEVELFIELD_VERBS_ASK_ENGINES_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_probe.h"
#include "settings/settings.h"

namespace levelfield {

// The names of the installed plug-ins. An error if there is none.
StatusOr<std::vector<std::string>> FindPlugins();

// kUsage if the path, which need not exist yet, lies in a store, ours or somebody's, or is one.
// `what` is the flag that says where to write.
Status CheckOutsideStores(std::string_view what, const std::string& path, bool may_be_one = false);

// The plug-ins that `--engine=all` leaves out, because they run only when named. Without `all` none
// is asked, and the list is empty.
std::vector<std::string> FindRunByName(const Settings& settings,
                                       const std::vector<std::string>& plugins);

// The engines' answers about themselves, and which of their options they do not tell back.
std::vector<ProbeReply> ProbeUntold(const std::vector<std::string>& engines);

// The engines' answers about themselves. With settings, also about those.
std::vector<ProbeReply> Probe(const std::vector<std::string>& engines, const Settings* settings);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_ASK_ENGINES_H_
