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

// An error if that format only writes results.
StatusOr<std::string> WriteReport(const Report& report, const Settings& settings,
                                  std::string_view verb);

// As wide as the terminal.
std::string ForTerminal(const Report& report);

// Writes <directory>/report.html and returns its name. `settings` choose what its engines are
// compared with.
StatusOr<std::string> WritePageOf(const Result& result, const std::string& directory,
                                  const Settings& settings);

// Makes the directory `to`, which must not exist, with a .hlog and a .hgrm for each operation of
// each role of each workload. An open loop gives two of each (of service times, and `-response`).
// Returns their names, a line each.
StatusOr<std::string> WriteHdrLogs(const std::string& directory, const std::string& to);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_REPORT_H_
