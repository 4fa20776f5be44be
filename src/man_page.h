// `levelfield docs man`: the manual page, as roff, of the tables of verbs and flags. Pure.
#ifndef LEVELFIELD_MAN_PAGE_H_
#define LEVELFIELD_MAN_PAGE_H_

#include <span>
#include <string>

#include "verb.h"

namespace levelfield {

std::string ManPage(std::span<const Verb> verbs);

}  // namespace levelfield

#endif  // LEVELFIELD_MAN_PAGE_H_
