// A report as Markdown, as GitHub reads it: headings, tables, and lists of notes. Names may be
// anything: none becomes markup, a link, or a mention of somebody. Pure.
#ifndef LEVELFIELD_REPORT_MARKDOWN_H_
#define LEVELFIELD_REPORT_MARKDOWN_H_

#include <string>
#include <string_view>
#include <vector>

#include "report/model.h"

namespace levelfield {

// As wide as it is, whatever `columns` a terminal has.
std::string WriteMarkdown(const Report& report, size_t columns = 0);

// A row of a table in a page of documentation, whose cells may hold markup: a bar in one does not
// end it. And the row of the heads, with the rule below it.
std::string PageRow(const std::vector<std::string>& cells);
std::string PageHead(const std::vector<std::string>& names);

// Words as a reader of Markdown sees them, within a line or a cell.
std::string InMarkdown(std::string_view words);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_MARKDOWN_H_
