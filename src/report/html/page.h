// report.html: one file that opens without a network and contains everything: the charts' script,
// its licences, their data, the tables of the terminal, and the result's files. Pure.
//
// Nothing in a result can become markup or script. Text is escaped, data is in elements that are
// not run, and a content security policy allows the one script by its hash.
#ifndef LEVELFIELD_REPORT_HTML_PAGE_H_
#define LEVELFIELD_REPORT_HTML_PAGE_H_

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "report/html/page_data.h"

namespace levelfield {

// A page is begun, gets its files, and is ended. While a large file is added, the result need not
// be in memory any more.
std::string BeginPage(const std::vector<ShownResult>& results);
void AddFile(const std::string& name, std::istream& content, std::string& page);
void EndPage(std::string& page);

// As text for an element or an attribute.
std::string HtmlEscaped(std::string_view text);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HTML_PAGE_H_
