// Reports of any verb in the form of --format, and the files that formats write.
#ifndef LEVELFIELD_VERBS_REPORT_H_
#define LEVELFIELD_VERBS_REPORT_H_

#include <string>
#include <string_view>

#include "report/model.h"
#include "result/result.h"
#include "settings/settings.h"
#include "verbs/verbs.h"

namespace levelfield {

// An error where that format writes no verb's reports, but results.
StatusOr<std::string> WriteReport(const Report& report, const Settings& settings,
                                  std::string_view verb);

// As wide as the terminal.
std::string ForTerminal(const Report& report);

// <directory>/report.html, and its name. `settings` say what its engines are compared with.
StatusOr<std::string> WritePageOf(const Result& result, const std::string& directory,
                                  const Settings& settings);

// Makes the directory `to`, which may not exist, with a .hlog and a .hgrm for each operation of
// each role of each workload, in an open loop two of each (of service times, and `-response`), and
// gives their names, a line each.
StatusOr<std::string> WriteHdrLogs(const std::string& directory, const std::string& to);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_REPORT_H_
