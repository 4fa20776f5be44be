// A text that somebody else wrote, made safe to print in a message: bounded, and without control
// characters or broken UTF-8. Pure, for any thread.
#ifndef LEVELFIELD_BASE_QUOTE_H_
#define LEVELFIELD_BASE_QUOTE_H_

#include <string>
#include <string_view>

namespace levelfield {

// `text` with control characters and bytes that are not UTF-8 replaced by '?'. Nothing is cut.
std::string Printable(std::string_view text);

// The same for each line of a text; its newlines and tabs stay.
std::string PrintableLines(std::string_view text);

// A message with what is too long in it cut: a word of more than 1 KiB, as somebody typed it, and
// the middle of what is longer than 8 KiB all the same.
std::string Shortened(std::string_view message);

// `text`, printable, in double quotes, cut to `most` bytes with "..." if it is longer.
std::string Quote(std::string_view text, size_t most = 80);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_QUOTE_H_
