// What there is to choose from where a flag wants a word, for those that complete it. Words that
// depend on the machine or on a file's content are named by their kind: "<engines>".
#ifndef LEVELFIELD_SETTINGS_FLAG_VALUES_H_
#define LEVELFIELD_SETTINGS_FLAG_VALUES_H_

#include <string_view>

namespace levelfield {

// Separated by commas: words, and the kinds <engines>, <workloads>, <suites>, <formats>, <verbs>,
// <flags>, <directories> and <files>. Empty: anything.
std::string_view ValuesOf(std::string_view flag);

// Whether several of them may be given, separated by commas.
bool TakesSeveral(std::string_view flag);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_FLAG_VALUES_H_
