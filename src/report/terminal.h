// A report as text for a terminal. Pure.
#ifndef LEVELFIELD_REPORT_TERMINAL_H_
#define LEVELFIELD_REPORT_TERMINAL_H_

#include <string>

#include "report/model.h"

namespace levelfield {

// Columns of engines that do not fit into `columns` characters continue below.
std::string WriteTerminal(const Report& report, size_t columns = 120);
// With escape sequences for the tones of cells and paragraphs.
std::string WriteColoredTerminal(const Report& report, size_t columns);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_TERMINAL_H_
