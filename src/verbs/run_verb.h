// `levelfield run`: from its words to the tables, verdicts and pages of what ran; and `levelfield
// plan`, which says what would run. What contradicts itself is refused before anything is created.
#ifndef LEVELFIELD_VERBS_RUN_VERB_H_
#define LEVELFIELD_VERBS_RUN_VERB_H_

#include "verbs/answer.h"

namespace levelfield {

Answer RunVerb(const Words& words);
Answer PlanVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_RUN_VERB_H_
