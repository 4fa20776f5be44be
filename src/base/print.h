// The one way to standard output and standard error, but for the progress of a run, which moves the
// cursor itself (run/progress_view.h): a file's name, a path or what an engine says never reaches a
// terminal as a command to it.
#ifndef LEVELFIELD_BASE_PRINT_H_
#define LEVELFIELD_BASE_PRINT_H_

#include <cstdio>
#include <string_view>

#include "base/quote.h"

namespace levelfield {

// Whether all of it was written; else errno says why not.
inline bool Print(std::FILE* stream, std::string_view text) {
  const std::string shown = PrintableLines(text);
  return std::fwrite(shown.data(), 1, shown.size(), stream) == shown.size() &&
         std::fflush(stream) == 0;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PRINT_H_
