// `levelfield --help`, `levelfield VERB --help` and `levelfield help WORD`: what the tables of
// verbs and flags say, as much of it as was asked for. Pure.
#ifndef LEVELFIELD_VERBS_HELP_H_
#define LEVELFIELD_VERBS_HELP_H_

#include <span>

#include "verbs/answer.h"
#include "verbs/verb.h"

namespace levelfield {

// The verbs, the flags most used, and where to go from there.
std::string ShortHelp(std::span<const Verb> verbs);

// Of a verb, its flags by group; of a flag, what it does; of `flags`, all of them; of any other
// word, what speaks of it.
Answer HelpOn(std::span<const Verb> verbs, const Words& words);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_HELP_H_
