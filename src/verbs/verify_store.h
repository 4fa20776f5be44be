// `levelfield verify store PATH`: whether a store is sound, by its engine's own checker and by a
// full read of ours. Exit code 0: it is; 1: damage was found; 2: a mistake of who asks; 3: it could
// not be checked.
#ifndef LEVELFIELD_VERBS_VERIFY_STORE_H_
#define LEVELFIELD_VERBS_VERIFY_STORE_H_

#include "verbs/answer.h"

namespace levelfield {

// The words behind `verify store`.
Answer VerifyStoreVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_VERIFY_STORE_H_
