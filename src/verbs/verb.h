// A verb of the program. The one list of them is in main.cc: dispatch, help, completion, the man
// page and docs are loops over it.
#ifndef LEVELFIELD_VERBS_VERB_H_
#define LEVELFIELD_VERBS_VERB_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "settings/settings.h"
#include "verbs/answer.h"

namespace levelfield {

struct Verb {
  std::string_view name;
  std::string_view summary;
  Answer (*run)(const Words&);
  std::string_view synopsis;     // What stands behind it: "[FLAGS] RESULT...".
  std::string_view words = "";   // What its words may be, as the choices of a flag are written.
  bool takes_all_flags = false;  // Else those whose rows name it.
};

inline constexpr bool kAllFlags = true;

// Whether the flag's row names the verb.
bool IsFlagOf(std::string_view verb, const Flag& flag);

// The flags that mean something to a verb, in the order of the table.
std::vector<const Flag*> FlagsOf(const Verb& verb);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_VERB_H_
