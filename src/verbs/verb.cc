#include "verbs/verb.h"

#include <algorithm>

#include "settings/word_list.h"

namespace levelfield {

bool IsFlagOf(std::string_view verb, const Flag& flag) {
  const std::vector<std::string> verbs = Split(flag.verbs, ',');
  return std::ranges::find(verbs, verb) != verbs.end();
}

std::vector<const Flag*> FlagsOf(const Verb& verb) {
  std::vector<const Flag*> flags;
  for (const Flag& flag : Flags()) {
    if (verb.takes_all_flags || IsFlagOf(verb.name, flag)) flags.push_back(&flag);
  }
  return flags;
}

}  // namespace levelfield
