// `levelfield docs`: the pages of the documentation that the program makes itself.
#ifndef LEVELFIELD_VERBS_DOCS_H_
#define LEVELFIELD_VERBS_DOCS_H_

#include <functional>
#include <string>

#include "verbs/answer.h"

namespace levelfield {

// The names of all pages, for those that complete or list them.
Words DocsPages();

// `words` are a page's name and what it is made of. `man` makes the man page, which is of all
// verbs.
Answer DocsVerb(const Words& words, const std::function<std::string()>& man);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_DOCS_H_
