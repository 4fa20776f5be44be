#include "report/markdown_paper.h"

#include <algorithm>
#include <cctype>

namespace levelfield {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Not seen, and no part of a name for those that look for names in what is seen.
constexpr std::string_view kNothing = "<!-- -->";

bool IsMarkup(char c, char before, char after) {
  if (c == '_') return !IsWord(before) || !IsWord(after);  // Within a word it is none.
  if (c == ':') return after == '/';                       // Of an address, which would be a link.
  if (c == '.') return before == 'w' || before == 'W';     // The same: www.
  return std::string_view("\\`*[]<>|~&").find(c) != std::string_view::npos;
}

// At the begin of a line: a heading, a list, a rule.
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

std::string MarkdownRow(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string_view WithoutIndent(std::string_view words) {
  words.remove_prefix(std::min(words.find_first_not_of(' '), words.size()));
  return words;
}

}  // namespace

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

std::string MarkdownTable(const std::vector<std::string>& heads, std::string_view sides,
                          const std::vector<std::vector<std::string>>& rows) {
  const auto in_markdown = [](std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = InMarkdown(cell);
    return cells;
  };
  std::vector<std::string> rule;
  for (const char side : sides) rule.emplace_back(side == 'l' ? ":--" : "--:");
  std::string text = "\n" + MarkdownRow(in_markdown(heads)) + MarkdownRow(rule);
  for (const std::vector<std::string>& row : rows) text += MarkdownRow(in_markdown(row));
  return text;
}

std::string MarkdownPaper::Heading(const std::string& name, const std::string& when) const {
  return "\n## " + InMarkdown(name) + ", " + InMarkdown(when) + "\n";
}

std::string MarkdownPaper::Paragraph(const std::string& words, size_t indent) const {
  const std::string text = AtBegin(WithoutIndent(words));
  if (indent == 0) return "\n" + text + "\n";
  return std::string(indent / 4 * 2 - 2, ' ') + "- " + text + "\n";
}

std::string MarkdownPaper::Lines(const std::string& lines) const {
  std::string text;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    if (end != begin) text += Paragraph(lines.substr(begin, end - begin), 0);
    begin = end + 1;
  }
  return text;
}

// What a row of a terminal says by its indentation is said by bold titles of those without.
std::string MarkdownPaper::Drawn(const Table& table) const {
  std::vector<std::string> rule(table.heads.size() + 1, "--:");
  rule.front() = ":--";
  std::vector<std::string> heads = {""};
  for (const std::string& head : table.heads) heads.push_back(InMarkdown(head));
  std::string text =
      "\n### " + InMarkdown(table.title) + "\n\n" + MarkdownRow(heads) + MarkdownRow(rule);
  for (const Row& row : table.rows) {
    const std::string title = InMarkdown(WithoutIndent(row.title));
    std::vector<std::string> cells = {row.title.starts_with(' ') ? title : "**" + title + "**"};
    for (const std::string& cell : row.cells) cells.push_back(InMarkdown(cell));
    text += MarkdownRow(cells);
  }
  return text;
}

std::string MarkdownPaper::Verbatim(const std::string& title, const std::string& lines) const {
  return "\n**" + InMarkdown(title) + "**\n" + CodeBlock(lines);
}

}  // namespace levelfield
