// Which verb a command line is about, and what that comes to.
#ifndef LEVELFIELD_VERBS_VERBS_H_
#define LEVELFIELD_VERBS_VERBS_H_

#include <string>

#include "verbs/answer.h"

namespace levelfield {

// `program` is the name that the program was called by: those of the programs that it succeeds
// (db_bench, cache_bench, ...) have command lines of their own; by any other name it is itself.
Answer AnswerTo(const std::string& program, const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_VERBS_H_
