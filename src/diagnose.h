// `levelfield diagnose`: what is the matter with the figures of a result, by its own numbers.
#ifndef LEVELFIELD_DIAGNOSE_H_
#define LEVELFIELD_DIAGNOSE_H_

#include "answer.h"

namespace levelfield {

Answer DiagnoseVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_DIAGNOSE_H_
