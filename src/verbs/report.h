// `levelfield report`: result directories in one of the formats (settings/report_formats.h); and a
// report of any other verb as --format has it.
#ifndef LEVELFIELD_VERBS_REPORT_H_
#define LEVELFIELD_VERBS_REPORT_H_

#include <string>
#include <string_view>

#include "report/model.h"
#include "settings/settings.h"
#include "verbs/answer.h"

namespace levelfield {

Answer ReportVerb(const Words& words);

// An error where that format writes no verb's reports, but results.
StatusOr<std::string> WriteReport(const Report& report, const Settings& settings,
                                  std::string_view verb);

// As wide as the terminal.
std::string ForTerminal(const Report& report);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_REPORT_H_
