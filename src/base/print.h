// The one way to standard output and standard error, except for the progress of a run, which moves
// the cursor itself (driver/progress_view.h). It keeps file names, paths and engines' texts from
// reaching a terminal as commands.
#ifndef LEVELFIELD_BASE_PRINT_H_
#define LEVELFIELD_BASE_PRINT_H_

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {

// The colours of reports. Only these reach a terminal as commands.
inline constexpr std::string_view kColorCodes[] = {"\033[1;32m", "\033[32m", "\033[2m", "\033[33m",
                                                   "\033[0m"};

// Printable lines that keep their colours.
inline std::string WithColors(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t escape = std::min(text.find('\033'), text.size());
    shown += PrintableLines(text.substr(0, escape));
    text.remove_prefix(escape);
    const auto* const code =
        std::ranges::find_if(kColorCodes, [&](auto one) { return text.starts_with(one); });
    const bool is_color = code != std::end(kColorCodes);
    const size_t length = is_color ? code->size() : std::min<size_t>(1, text.size());
    shown += is_color ? std::string(*code) : PrintableLines(text.substr(0, length));
    text.remove_prefix(length);
  }
  return shown;
}

// Returns whether all of it was written. If not, errno says why. Writes pieces of whole lines,
// because a second copy of a report may take a hundred megabytes.
inline bool Print(std::FILE* stream, std::string_view text) {
  constexpr size_t kPiece = 64 << 10;
  const bool is_terminal = isatty(fileno(stream)) != 0;
  while (!text.empty()) {
    const size_t last = text.find('\n', std::min(text.size(), kPiece) - 1);
    const std::string_view piece = text.substr(0, last == text.npos ? text.size() : last + 1);
    const std::string shown = is_terminal ? WithColors(piece) : PrintableLines(piece);
    if (std::fwrite(shown.data(), 1, shown.size(), stream) != shown.size()) return false;
    text.remove_prefix(piece.size());
  }
  return std::fflush(stream) == 0;
}

// Of the terminal, if the descriptor is one.
inline size_t TerminalColumns(int fd, size_t otherwise) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : otherwise;
}

// A line on standard error. On a terminal it breaks at spaces.
inline bool PrintNote(const std::string& words) {
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  return Print(stderr, is_terminal ? Wrapped(words, 2, TerminalColumns(STDERR_FILENO, 80))
                                   : words + "\n");
}

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PRINT_H_
