// A result as Markdown, to be put into a pull request or a page: the tables, the verdicts where
// engines were compared, and what is to be known of the machine and of the run. Pure.
#ifndef LEVELFIELD_VERBS_REPORT_MARKDOWN_H_
#define LEVELFIELD_VERBS_REPORT_MARKDOWN_H_

#include <string>
#include <vector>

#include "analysis/comparison.h"
#include "result/result.h"

namespace levelfield {

// No comparisons: there are not two to compare.
std::string RenderMarkdown(const Result& result, const std::vector<Comparison>& comparisons,
                           double margin);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_REPORT_MARKDOWN_H_
