// Lists of words in one text, as the lines of a suite have them. Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_WORD_LIST_H_
#define LEVELFIELD_SETTINGS_WORD_LIST_H_

#include <string>
#include <string_view>
#include <vector>

namespace levelfield {

// Its parts, trimmed; empty ones are left out.
std::vector<std::string> Split(std::string_view text, char separator);

// "a, b or c"
std::string Alternatives(const std::vector<std::string>& words);

// "a,b,c"
std::string Joined(const std::vector<std::string>& names);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_WORD_LIST_H_
