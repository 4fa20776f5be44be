// How wide what is printed may be.
#ifndef LEVELFIELD_VERBS_OUTPUT_COLUMNS_H_
#define LEVELFIELD_VERBS_OUTPUT_COLUMNS_H_

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>

namespace levelfield {

// A terminal's width; a file or a pipe gets the same everywhere.
inline size_t OutputColumns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60) return size.ws_col;
  return 120;
}

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_OUTPUT_COLUMNS_H_
