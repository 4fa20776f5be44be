// A report as Markdown, as GitHub reads it: headings, tables, and lists of what is to be said.
// Names are of anybody's choosing: none becomes markup, a link, or a mention of somebody. Pure.
#ifndef LEVELFIELD_REPORT_MARKDOWN_PAPER_H_
#define LEVELFIELD_REPORT_MARKDOWN_PAPER_H_

#include <string>
#include <string_view>
#include <vector>

#include "report/paper.h"

namespace levelfield {

// Words as a reader of Markdown sees them, within a line or a cell.
std::string InMarkdown(std::string_view words);

// Lines in a block of code.
std::string CodeBlock(std::string_view lines);

// Of words that are not yet marked up; `sides` has an 'l' or an 'r' for each column.
std::string MarkdownTable(const std::vector<std::string>& heads, std::string_view sides,
                          const std::vector<std::vector<std::string>>& rows);

class MarkdownPaper : public Paper {
 public:
  std::string Heading(const std::string& name, const std::string& when) const override;
  std::string Paragraph(const std::string& words, size_t indent) const override;
  std::string Lines(const std::string& lines) const override;
  std::string Gap() const override { return "\n"; }
  std::string Drawn(const Table& table) const override;
  std::string Verbatim(const std::string& title, const std::string& lines) const override;
};

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_MARKDOWN_PAPER_H_
