// `levelfield verify durability`: kills and power cuts at random instants, and what is left.
#ifndef LEVELFIELD_VERBS_VERIFY_DURABILITY_H_
#define LEVELFIELD_VERBS_VERIFY_DURABILITY_H_

#include <string>

#include "verbs/answer.h"

namespace levelfield {

// `words` are those behind `verify durability`.
Answer VerifyDurability(const Words& words);

// Whether the verb has left this result directory; and its table again.
bool HasDurability(const std::string& directory);
Answer ReportDurability(const std::string& directory);

// `levelfield docs durability`: the page, of result directories that the verb has left.
Answer DurabilityPage(const Words& directories);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_VERIFY_DURABILITY_H_
