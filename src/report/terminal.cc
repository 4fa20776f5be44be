#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/print.h"
#include "base/text.h"

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

// The words in the colour of their tone. Unchanged if there are no colours.
std::string Toned(std::string words, Tone tone, bool has_colors) {
  const size_t begin = words.find_first_not_of(' ');
  if (!has_colors || tone == Tone::kPlain || begin == std::string::npos) return words;
  words.insert(words.find_last_not_of(" \n") + 1, std::rbegin(kColorCodes)[0]);
  words.insert(begin, kColorCodes[static_cast<size_t>(tone) - 1]);
  return words;
}

void EndLine(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

// The cells in [begin, end) of the heads or of a row.
template <class CellOf>
void AddCells(const Table& table, const std::vector<size_t>& widths, size_t begin, size_t end,
              bool has_colors, CellOf cell_of, std::string& text) {
  for (size_t i = begin; i < end; ++i) {
    text += "  ";
    const Cell& cell = cell_of(i);
    std::string padded;
    Pad(cell.text, widths[i], table.columns[i].is_left, padded);
    text += Toned(std::move(padded), cell.tone, has_colors);
  }
}

std::string Grid(const Table& table, size_t columns, bool has_colors) {
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
        table, widths, begin, end, has_colors,
        [&](size_t i) { return Cell(table.columns[i].head); }, text);
    EndLine(text);
    text += std::string(width, '-') + "\n";
    for (const Row& row : table.rows) {
      Pad(TitleOf(row), title_width, true, text);
      AddCells(
          table, widths, begin, end, has_colors, [&](size_t i) { return row.cells[i]; }, text);
      EndLine(text);
    }
    begin = end;
  }
  return text;
}

// Longer lines are hard to read, even on a wide terminal.
constexpr size_t kTextColumns = 100;

std::string List(const Table& table, size_t columns, bool has_colors) {
  const size_t title_width = TitleWidth(table, std::max(table.corner.size(), table.title_width));
  const std::vector<size_t> widths = WidthsOf(table);
  std::string text = table.title.empty() ? "" : "\n" + Wrapped(table.title, 2, columns);
  for (const auto* const lines : {&table.above, &table.chart}) {
    for (const std::string& line : *lines) text += "  " + line + "\n";
  }
  Pad(table.corner, title_width, true, text);
  AddCells(
      table, widths, 0, widths.size(), has_colors,
      [&](size_t i) { return Cell(table.columns[i].head); }, text);
  EndLine(text);
  for (const Row& row : table.rows) {
    std::string line;
    if (!row.title.empty()) Pad(TitleOf(row), title_width, true, line);
    // The last words stand below where they make the line too long.
    const bool has_words = row.remark.empty() && !row.cells.empty() &&
                           row.cells.size() == widths.size() && table.columns.back().is_left;
    AddCells(
        table, widths, 0, row.cells.size() - (has_words ? 1 : 0), has_colors,
        [&](size_t i) { return row.cells[i]; }, line);
    const Cell words = has_words ? row.cells.back() : Cell(row.remark);
    const bool fit = line.size() + 2 + words.text.size() <= columns;
    if (fit && !words.text.empty()) line += "  " + Toned(words.text, words.tone, has_colors);
    EndLine(line);
    text += line;
    if (!fit && !words.text.empty()) text += Wrapped("    " + words.text, 4, columns);
  }
  return text;
}

struct TerminalWriter {
  size_t columns;
  bool has_colors;

  size_t text_columns() const { return std::min(columns, kTextColumns); }

  std::string operator()(const Heading& heading) const {
    return heading.name + (heading.when.empty() ? "" : "  " + heading.when) + "\n";
  }
  std::string operator()(const Section& section) const {
    return fmt::format("\n== {} ==\n", section.name);
  }
  std::string operator()(const Paragraph& paragraph) const {
    return Toned(paragraph.is_wrapped
                     ? Wrapped(paragraph.words, paragraph.indent, text_columns())
                     : paragraph.words + "\n",
                 paragraph.tone, has_colors);
  }
  std::string operator()(const Gap&) const { return "\n"; }
  std::string operator()(const Table& table) const {
    std::string text = table.layout == Table::Layout::kGrid ? Grid(table, columns, has_colors)
                                                            : List(table, text_columns(), has_colors);
    for (const std::string& note : table.below) text += Wrapped(note, 2, text_columns());
    return text;
  }
  std::string operator()(const Entry& entry) const {
    constexpr size_t kIndent = 14;
    std::string text = Wrapped(entry.title, 2, text_columns());
    for (const auto& [name, words] : entry.parts) {
      text += Wrapped(fmt::format("    {:9} {}", name + ":", words), kIndent, text_columns());
    }
    return text;
  }
  std::string operator()(const Verbatim& verbatim) const {
    return (verbatim.title.empty() ? "" : "\n" + verbatim.title + "\n") + verbatim.lines;
  }
};

std::string Write(const Report& report, const TerminalWriter& writer) {
  std::string text;
  bool is_after_list = false;
  for (const Report::Block& block : report.blocks) {
    const Table* const table = std::get_if<Table>(&block);
    if (is_after_list && table == nullptr) text += '\n';
    is_after_list = table != nullptr && table->layout == Table::Layout::kList;
    text += std::visit(writer, block);
  }
  return text;
}

}  // namespace

std::string WriteTerminal(const Report& report, size_t columns) {
  return Write(report, {columns, false});
}

std::string WriteColoredTerminal(const Report& report, size_t columns) {
  return Write(report, {columns, true});
}

}  // namespace levelfield
