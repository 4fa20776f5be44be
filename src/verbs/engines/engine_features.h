// The table of what engines have: at the terminal, and for the page of engines.
#ifndef LEVELFIELD_VERBS_ENGINES_ENGINE_FEATURES_H_
#define LEVELFIELD_VERBS_ENGINES_ENGINE_FEATURES_H_

#include <string>
#include <vector>

#include "engine/probe_request.h"

namespace levelfield {

// Of engines that were asked for `untold`. Those that could not be loaded are left out.
std::string FeaturesText(const std::vector<ProbeReply>& engines);
std::string FeaturesMarkdown(const std::vector<ProbeReply>& engines);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_ENGINES_ENGINE_FEATURES_H_
