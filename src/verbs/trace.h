// `levelfield trace`: makes traces of recordings, and says what is in one.
#ifndef LEVELFIELD_VERBS_TRACE_H_
#define LEVELFIELD_VERBS_TRACE_H_

#include "verbs/answer.h"

namespace levelfield {

Answer TraceVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_TRACE_H_
