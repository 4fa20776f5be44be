// `levelfield verify`: LevelDB's own test on every engine, kills and power cuts, or whether a store
// is sound.
#ifndef LEVELFIELD_VERBS_VERIFY_H_
#define LEVELFIELD_VERBS_VERIFY_H_

#include "verbs/answer.h"

namespace levelfield {

Answer VerifyVerb(const Words& words);

// As LevelDB's program c_test: conformance, of LevelDB where no engine is named.
Answer CTest(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_VERIFY_H_
