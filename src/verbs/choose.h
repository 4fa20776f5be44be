// `levelfield choose`: which engine fits a stated workload, by how much, and what would change
// that.
#ifndef LEVELFIELD_VERBS_CHOOSE_H_
#define LEVELFIELD_VERBS_CHOOSE_H_

#include "verbs/answer.h"

namespace levelfield {

Answer ChooseVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_CHOOSE_H_
