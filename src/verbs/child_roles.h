// What this program is when it starts itself: an engine lives in a process of its own.
#ifndef LEVELFIELD_VERBS_CHILD_ROLES_H_
#define LEVELFIELD_VERBS_CHILD_ROLES_H_

#include <optional>

#include "verbs/answer.h"

namespace levelfield {

// The exit code of the child; nothing where a person has typed these words.
std::optional<int> RunAsChild(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_CHILD_ROLES_H_
