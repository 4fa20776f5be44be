// A report in GitHub's Markdown: headings, tables, and lists of notes. Names may be anything. None
// becomes markup, a link, or a mention of a user. Pure.
#ifndef LEVELFIELD_REPORT_MARKDOWN_H_
#define LEVELFIELD_REPORT_MARKDOWN_H_

#include <string>
#include <string_view>
#include <vector>

#include "report/model.h"

namespace levelfield {

// Ignores the `columns` of a terminal.
std::string WriteMarkdown(const Report& report, size_t columns = 0);

// A table without its title and remarks.
std::string MarkdownRows(const Table& table);

// A row of a table in a page of documentation. Cells may hold markup, and a bar in a cell does not
// end it. PageHead is the row of the heads with the rule below it.
std::string PageRow(const std::vector<std::string>& cells);
std::string PageHead(const std::vector<std::string>& names);

// Escapes words so that they appear unchanged within a line or a cell.
std::string InMarkdown(std::string_view words);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_MARKDOWN_H_
