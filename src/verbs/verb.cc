#include "verbs/verb.h"

#include <algorithm>

#include "settings/word_list.h"

namespace levelfield {

std::vector<const Flag*> FlagsOf(const Verb& verb) {
  const std::vector<std::string> names = Split(verb.flags, ',');
  std::vector<const Flag*> flags;
  for (const Flag& flag : Flags()) {
    const bool takes = verb.flags == "*" || std::ranges::find(names, flag.name) != names.end();
    if (takes) flags.push_back(&flag);
  }
  return flags;
}

}  // namespace levelfield
