#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>

namespace levelfield {
namespace {

std::string TitleOf(const Row& row) { return (row.is_detail ? "  " : "") + row.title; }

size_t TitleWidth(const Table& table, size_t least) {
  for (const Row& row : table.rows) least = std::max(least, TitleOf(row).size());
  return least;
}

std::vector<size_t> WidthsOf(const Table& table) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    size_t width = std::max(table.columns[i].width, table.columns[i].head.size());
    for (const Row& row : table.rows) {
      if (i < row.cells.size()) width = std::max(width, row.cells[i].text.size());
    }
    widths.push_back(width);
  }
  return widths;
}

void Pad(const std::string& words, size_t width, bool is_left, std::string& line) {
  line += is_left ? fmt::format("{:{}}", words, width) : fmt::format("{:>{}}", words, width);
}

void EndLine(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

// Those of [begin, end), of the heads or of a row.
template <class TextOf>
void AddCells(const Table& table, const std::vector<size_t>& widths, size_t begin, size_t end,
              TextOf text_of, std::string& text) {
  for (size_t i = begin; i < end; ++i) {
    text += "  ";
    Pad(text_of(i), widths[i], table.columns[i].is_left, text);
  }
}

std::string Grid(const Table& table, size_t columns) {
  const size_t title_width = TitleWidth(table, table.title.size());
  const std::vector<size_t> widths = WidthsOf(table);
  std::string text;
  for (size_t begin = 0; begin < widths.size();) {
    size_t end = begin;
    size_t width = title_width;
    while (end < widths.size() && (end == begin || width + widths[end] + 2 <= columns)) {
      width += widths[end++] + 2;
    }
    text += '\n';
    Pad(begin == 0 ? table.title : "", title_width, true, text);
    AddCells(
        table, widths, begin, end, [&](size_t i) { return table.columns[i].head; }, text);
    EndLine(text);
    text += std::string(width, '-') + "\n";
    for (const Row& row : table.rows) {
      Pad(TitleOf(row), title_width, true, text);
      AddCells(
          table, widths, begin, end, [&](size_t i) { return row.cells[i].text; }, text);
      EndLine(text);
    }
    begin = end;
  }
  return text;
}

std::string List(const Table& table) {
  const size_t title_width = TitleWidth(table, std::max(table.corner.size(), table.title_width));
  const std::vector<size_t> widths = WidthsOf(table);
  std::string text = table.title.empty() ? "" : "\n" + table.title + "\n";
  for (const std::string& line : table.above) text += "  " + line + "\n";
  Pad(table.corner, title_width, true, text);
  AddCells(
      table, widths, 0, widths.size(), [&](size_t i) { return table.columns[i].head; }, text);
  EndLine(text);
  for (const Row& row : table.rows) {
    if (!row.title.empty()) Pad(TitleOf(row), title_width, true, text);
    AddCells(
        table, widths, 0, row.cells.size(), [&](size_t i) { return row.cells[i].text; }, text);
    if (!row.remark.empty()) text += "  " + row.remark;
    EndLine(text);
  }
  return text;
}

// Breaks at spaces alone.
std::string Wrapped(const std::string& words, size_t indent, size_t columns) {
  std::string text;
  size_t column = 0;
  for (size_t begin = 0; begin < words.size();) {
    const size_t end = std::min(words.find(' ', begin + 1), words.size());  // With its space.
    if (column != 0 && column + (end - begin) > columns) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
      ++begin;
    }
    text += words.substr(begin, end - begin);
    column += end - begin;
    begin = end;
  }
  return text + "\n";
}

struct TerminalWriter {
  size_t columns;

  std::string operator()(const Heading& heading) const {
    return heading.name + (heading.when.empty() ? "" : "  " + heading.when) + "\n";
  }
  std::string operator()(const Section& section) const {
    return fmt::format("\n== {} ==\n", section.name);
  }
  std::string operator()(const Paragraph& paragraph) const {
    return paragraph.is_wrapped ? Wrapped(paragraph.words, paragraph.indent, columns)
                                : paragraph.words + "\n";
  }
  std::string operator()(const Gap&) const { return "\n"; }
  std::string operator()(const Table& table) const {
    std::string text = table.layout == Table::Layout::kGrid ? Grid(table, columns) : List(table);
    for (const std::string& note : table.below) text += note + "\n";
    return text;
  }
  std::string operator()(const Verbatim& verbatim) const {
    return (verbatim.title.empty() ? "" : "\n" + verbatim.title + "\n") + verbatim.lines;
  }
};

}  // namespace

std::string WriteTerminal(const Report& report, size_t columns) {
  std::string text;
  bool is_after_list = false;
  for (const Report::Block& block : report.blocks) {
    const Table* const table = std::get_if<Table>(&block);
    if (is_after_list && table == nullptr) text += '\n';
    is_after_list = table != nullptr && table->layout == Table::Layout::kList;
    text += std::visit(TerminalWriter{columns}, block);
  }
  return text;
}

}  // namespace levelfield
