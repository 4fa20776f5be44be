// What there is to choose from where a flag wants a word: for those that complete it, explain it,
// or refuse another one. The words themselves stand in the flag's row (settings.cc). Pure.
#ifndef LEVELFIELD_SETTINGS_FLAG_VALUES_H_
#define LEVELFIELD_SETTINGS_FLAG_VALUES_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "settings/settings.h"

namespace levelfield {

// The words that are offered, and kinds of words ("<engines>"), in the order of the row.
std::vector<std::string> ChoicesOf(const Flag& flag);

// Of a flag that takes its choices alone: whether `text` is one of them, or several where it takes
// several; the nearest one is named where it is not.
Status CheckChoice(const Flag& flag, const std::string& text);

// "a, b or c"
std::string Alternatives(const std::vector<std::string>& words);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_FLAG_VALUES_H_
