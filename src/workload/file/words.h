// Words of a line of a workload file. Pure.
#ifndef LEVELFIELD_WORKLOAD_FILE_WORDS_H_
#define LEVELFIELD_WORKLOAD_FILE_WORDS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace levelfield {

// Letters, digits, _ and -; not empty.
bool IsName(std::string_view text);

// The words of a text: runs of small letters, with the `$` of a variable.
std::vector<std::string> Words(std::string_view text);

// "; did you mean ...?" for the first word of `text` that is not among `known` but near one of it.
std::string DidYouMeanAWord(std::string_view text, std::span<const std::string> known);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_FILE_WORDS_H_
