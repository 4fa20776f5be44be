#include "report/paper.h"

#include <algorithm>

namespace levelfield {

std::string TerminalPaper::Heading(const std::string& name, const std::string& when) const {
  return name + "  " + when + "\n";
}

// Breaks at spaces alone.
std::string TerminalPaper::Paragraph(const std::string& words, size_t indent) const {
  std::string result;
  size_t column = 0;
  for (size_t begin = 0; begin < words.size();) {
    const size_t end = std::min(words.find(' ', begin + 1), words.size());  // With its space.
    if (column != 0 && column + (end - begin) > columns_) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
      ++begin;
    }
    result += words.substr(begin, end - begin);
    column += end - begin;
    begin = end;
  }
  return result + "\n";
}

std::string TerminalPaper::Verbatim(const std::string& title, const std::string& lines) const {
  return "\n" + title + "\n" + lines;
}

}  // namespace levelfield
