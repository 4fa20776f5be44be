// The page of `history`: what changed and why, newest first, and a chart and a table for each
// benchmark. One file without a script, that opens without a network. Pure.
#ifndef LEVELFIELD_REPORT_HTML_HISTORY_PAGE_H_
#define LEVELFIELD_REPORT_HTML_HISTORY_PAGE_H_

#include <functional>
#include <string>
#include <vector>

#include "report/history_report.h"

namespace levelfield {

// What `diagnose` says of two results' directories, or why it cannot.
using ExplainChange =
    std::function<std::string(const std::string& before, const std::string& after)>;

// It is asked once for each pair of results between which something changed.
std::string HistoryPage(const std::vector<History>& shown, const ExplainChange& explain);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HTML_HISTORY_PAGE_H_
