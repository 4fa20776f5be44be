// What there is to choose from, as text for a terminal and as Markdown for docs/: the engines that
// were found, with what they say of themselves, and the workloads.
#ifndef LEVELFIELD_VERBS_CATALOG_H_
#define LEVELFIELD_VERBS_CATALOG_H_

#include <string>
#include <vector>

#include "engine/engine_probe.h"

namespace levelfield {

std::string EnginesText(const std::vector<ProbeReply>& engines);
// What does not depend on the machine: options and durability classes, no versions or paths.
std::string EnginesMarkdown(const std::vector<ProbeReply>& engines);

std::string WorkloadsText();
std::string WorkloadsMarkdown();

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_CATALOG_H_
