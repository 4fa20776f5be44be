// `levelfield completion bash|zsh|fish`: a script that lets the shell complete verbs, flags and
// values. It is made of the tables of verbs and flags and of what is here when it is printed:
// engines, workloads, suites.
#ifndef LEVELFIELD_VERBS_COMPLETION_H_
#define LEVELFIELD_VERBS_COMPLETION_H_

#include <span>

#include "verbs/answer.h"
#include "verbs/verb.h"

namespace levelfield {

Answer CompletionFor(std::span<const Verb> verbs, const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_COMPLETION_H_
