#include "report/markdown.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace levelfield {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Invisible. It also splits words for programs that look for names in the visible text.
constexpr std::string_view kNothing = "<!-- -->";

bool IsMarkup(char c, char before, char after) {
  if (c == '_') return !IsWord(before) || !IsWord(after);  // Within a word it is no markup.
  if (c == ':') return after == '/';  // Part of an address, which would become a link.
  if (c == '.') return before == 'w' || before == 'W';  // The same for www.
  return std::string_view("\\`*[]<>|~&").find(c) != std::string_view::npos;
}

// Markup at the begin of a line: a heading, a list, a rule.
std::string AtBegin(std::string_view words) {
  size_t digits = 0;
  while (digits < words.size() && IsDigit(words[digits])) ++digits;
  const bool is_numbered =
      digits != 0 && digits < words.size() && (words[digits] == '.' || words[digits] == ')');
  if (is_numbered) {
    return std::string(words.substr(0, digits)) + "\\" + InMarkdown(words.substr(digits));
  }
  const bool is_markup = !words.empty() && std::string_view("#+-=").find(words[0]) != words.npos;
  return (is_markup ? "\\" : "") + InMarkdown(words);
}

std::string_view WithoutIndent(std::string_view words) {
  words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  return words;
}

std::string CodeBlock(std::string_view lines) {
  size_t longest = 2;
  for (size_t begin = 0; (begin = lines.find('`', begin)) != lines.npos;) {
    const size_t end = std::min(lines.find_first_not_of('`', begin), lines.size());
    longest = std::max(longest, end - begin);
    begin = end;
  }
  const std::string fence(longest + 1, '`');
  const bool is_ended = lines.empty() || lines.ends_with('\n');
  return "\n" + fence + "text\n" + std::string(lines) + (is_ended ? "" : "\n") + fence + "\n";
}

std::string ListItem(std::string_view words) { return "- " + AtBegin(words) + "\n"; }

std::string HeadOf(const Column& column) {
  return InMarkdown(column.head + (column.unit.empty() ? "" : ", " + column.unit));
}

// A terminal indents detail rows. Markdown has bold titles for the other rows.
std::string TitleOf(const Table& table, const Row& row) {
  const std::string title = InMarkdown(row.title);
  return table.layout == Table::Layout::kGrid && !row.is_detail ? "**" + title + "**" : title;
}

// A column of words. Figures are aligned right.
bool IsLeft(const Table& table, size_t column) {
  const bool is_last = column + 1 == table.columns.size();
  return table.columns[column].is_left && std::ranges::any_of(table.rows, [&](const Row& row) {
           return column < row.cells.size() ? row.cells[column].unit == Unit::kNone
                                            : is_last && !row.remark.empty();
         });
}

struct MarkdownWriter {
  std::string operator()(const Heading& heading) const {
    return "\n## " + InMarkdown(heading.name) +
           (heading.when.empty() ? "" : ", " + InMarkdown(heading.when)) + "\n";
  }
  std::string operator()(const Section& section) const {
    return "\n# " + InMarkdown(section.name) + "\n";
  }
  std::string operator()(const Paragraph& paragraph) const {
    std::string words(WithoutIndent(paragraph.words));
    std::ranges::replace(words, '\n', ' ');
    if (words.empty()) return "";
    if (paragraph.indent < 4) return "\n" + AtBegin(words) + "\n";
    return std::string(paragraph.indent / 4 * 2 - 2, ' ') + ListItem(words);
  }
  std::string operator()(const Gap&) const { return "\n"; }
  std::string operator()(const Table& table) const {
    if (table.layout == Table::Layout::kDetails) {
      return "\n<details><summary>" + table.title + "</summary>\n\n" + MarkdownRows(table) +
             "\n</details>\n";
    }
    std::string text = "\n### " + InMarkdown(table.title) + "\n";
    if (!table.above.empty()) text += "\n";
    for (const std::string& line : table.above) text += ListItem(line);
    if (!table.chart.empty()) text += CodeBlock(Joined(table.chart, "\n"));
    text += "\n" + MarkdownRows(table);
    if (!table.below.empty()) text += "\n";
    for (const std::string& line : table.below) text += ListItem(line);
    return text;
  }
  std::string operator()(const Entry& entry) const {
    std::string text = "\n**" + InMarkdown(entry.title) + "**\n\n";
    for (const auto& [name, words] : entry.parts) text += ListItem(name + ": " + words);
    return text;
  }
  std::string operator()(const Verbatim& verbatim) const {
    return (verbatim.title.empty() ? "" : "\n**" + InMarkdown(verbatim.title) + "**\n") +
           CodeBlock(verbatim.lines);
  }
};

}  // namespace

std::string MarkdownRows(const Table& table) {
  std::string text = "| " + InMarkdown(table.corner) + " |";
  std::string rule = "| :-- |";
  for (size_t i = 0; i < table.columns.size(); ++i) {
    text += " " + HeadOf(table.columns[i]) + " |";
    rule += IsLeft(table, i) ? " :-- |" : " --: |";
  }
  text += "\n" + rule + "\n";
  for (const Row& row : table.rows) {
    text += "| " + TitleOf(table, row) + " |";
    const size_t remark = row.remark.empty() ? SIZE_MAX : table.columns.size() - 1;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& cell = i == remark            ? row.remark
                                : i < row.cells.size() ? row.cells[i].text
                                                       : std::string();
      text += " " + InMarkdown(cell) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string InMarkdown(std::string_view words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    const char c = words[i];
    const char before = i == 0 ? ' ' : words[i - 1];
    const char after = i + 1 == words.size() ? ' ' : words[i + 1];
    if (IsMarkup(c, before, after)) text += '\\';
    text += c;
    const bool is_person = c == '@' && (IsLetter(after) || !IsWord(before));
    const bool is_issue = c == '#' && IsDigit(after) && !IsWord(before);
    if (is_person || is_issue) text += kNothing;
  }
  return text;
}

std::string PageRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    row += ' ';
    for (const char c : cell) row += c == '|' ? "\\|" : std::string(1, c);
    row += " |";
  }
  return row + "\n";
}

std::string PageHead(const std::vector<std::string>& names) {
  return PageRow(names) + PageRow(std::vector<std::string>(names.size(), "---"));
}

std::string WriteMarkdown(const Report& report, size_t /*columns*/) {
  std::string text;
  for (const Report::Block& block : report.blocks) text += std::visit(MarkdownWriter{}, block);
  text.erase(0, text.find_first_not_of('\n'));
  return text;
}

}  // namespace levelfield
