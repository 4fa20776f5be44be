// `levelfield diagnose`: what is the matter with the figures of a result, by its own numbers.
#ifndef LEVELFIELD_VERBS_DIAGNOSE_H_
#define LEVELFIELD_VERBS_DIAGNOSE_H_

#include "verbs/answer.h"

namespace levelfield {

Answer DiagnoseVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DIAGNOSE_H_
