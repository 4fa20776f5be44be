// The one way to standard output and standard error, but for the progress of a run, which moves the
// cursor itself (driver/progress_view.h): a file's name, a path or what an engine says never
// reaches a terminal as a command to it.
#ifndef LEVELFIELD_BASE_PRINT_H_
#define LEVELFIELD_BASE_PRINT_H_

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/quote.h"

namespace levelfield {

// Whether all of it was written; else errno says why not. In pieces of whole lines: a report may be
// a hundred megabytes, of which there should not be two.
inline bool Print(std::FILE* stream, std::string_view text) {
  constexpr size_t kPiece = 64 << 10;
  while (!text.empty()) {
    const size_t last = text.find('\n', std::min(text.size(), kPiece) - 1);
    const std::string_view piece = text.substr(0, last == text.npos ? text.size() : last + 1);
    const std::string shown = PrintableLines(piece);
    if (std::fwrite(shown.data(), 1, shown.size(), stream) != shown.size()) return false;
    text.remove_prefix(piece.size());
  }
  return std::fflush(stream) == 0;
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PRINT_H_
