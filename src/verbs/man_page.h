// `levelfield docs man`: the manual page, as roff, of the tables of verbs and flags. Pure.
#ifndef LEVELFIELD_VERBS_MAN_PAGE_H_
#define LEVELFIELD_VERBS_MAN_PAGE_H_

#include <span>
#include <string>

#include "verbs/verb.h"

namespace levelfield {

std::string ManPage(std::span<const Verb> verbs);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_MAN_PAGE_H_
