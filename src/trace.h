// `levelfield trace`: makes traces of recordings, and says what is in one.
#ifndef LEVELFIELD_TRACE_H_
#define LEVELFIELD_TRACE_H_

#include "answer.h"

namespace levelfield {

Answer TraceVerb(const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_TRACE_H_
