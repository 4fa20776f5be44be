#include "verb.h"

#include <algorithm>

namespace levelfield {

std::vector<std::string> PartsOf(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

std::vector<const Flag*> FlagsOf(const Verb& verb) {
  const std::vector<std::string> names = PartsOf(verb.flags);
  std::vector<const Flag*> flags;
  for (const Flag& flag : Flags()) {
    const bool takes = verb.flags == "*" || std::ranges::find(names, flag.name) != names.end();
    if (takes) flags.push_back(&flag);
  }
  return flags;
}

}  // namespace levelfield
