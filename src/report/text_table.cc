#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"

namespace levelfield {

std::string Draw(const Table& table, size_t columns) {
  size_t title_width = table.title.size();
  for (const Row& row : table.rows) title_width = std::max(title_width, row.title.size());
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.heads.size(); ++i) {
    size_t width = table.heads[i].size();
    for (const Row& row : table.rows) width = std::max(width, row.cells[i].size());
    widths.push_back(width);
  }
  std::string text;
  for (size_t begin = 0; begin < widths.size();) {
    size_t end = begin;
    size_t width = title_width;
    while (end < widths.size() && (end == begin || width + widths[end] + 2 <= columns)) {
      width += widths[end++] + 2;
    }
    const auto line = [&](const std::string& title, const std::vector<std::string>& cells) {
      std::string words = fmt::format("{:{}}", title, title_width);
      for (size_t i = begin; i < end; ++i) words += fmt::format("  {:>{}}", cells[i], widths[i]);
      words.erase(words.find_last_not_of(' ') + 1);
      return words + "\n";
    };
    text += "\n" + line(begin == 0 ? table.title : "", table.heads);
    text += std::string(width, '-') + "\n";
    for (const Row& row : table.rows) text += line(row.title, row.cells);
    begin = end;
  }
  return text;
}

std::string ColumnTitle(const RunResult& run) {
  const std::string name = Printable(run.engine);
  return name.size() <= 32 ? name
                           : Printable(name.substr(0, 9) + "..." + name.substr(name.size() - 20));
}

std::vector<std::string> ColumnTitles(const Result& result) {
  std::vector<std::string> titles;
  for (const RunResult& run : result.runs) titles.push_back(ColumnTitle(run));
  return titles;
}

}  // namespace levelfield
