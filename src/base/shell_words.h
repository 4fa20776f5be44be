// Command lines as text that a shell reads back as the same words. For what a screen tells people
// to type, and what a result says was typed. Pure, for any thread.
#ifndef LEVELFIELD_BASE_SHELL_WORDS_H_
#define LEVELFIELD_BASE_SHELL_WORDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace levelfield {

// The word as Bash and Zsh read it: as it is, or in quotes (`--db='/tmp/my store'`). Printable:
// control characters and bytes that are not UTF-8 are escaped ($'a\x0ab').
std::string ShellWord(std::string_view word);

// The words, each so, with blanks between them.
std::string ShellLine(const std::vector<std::string>& words);

// The words of such a line. An error if a quote is not closed.
StatusOr<std::vector<std::string>> WordsOfShellLine(std::string_view line);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_SHELL_WORDS_H_
