// `levelfield report --format=markdown`: result directories for a pull request or a page.
#ifndef LEVELFIELD_REPORT_MARKDOWN_VERB_H_
#define LEVELFIELD_REPORT_MARKDOWN_VERB_H_

#include "settings/settings.h"
#include "verbs/answer.h"

namespace levelfield {

Answer ReportMarkdown(const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_MARKDOWN_VERB_H_
