// report.html of result directories: `report --format=html`, whose function is declared with its
// row (settings/report_formats.h), and what `run` leaves beside its results.
#ifndef LEVELFIELD_VERBS_REPORT_PAGE_H_
#define LEVELFIELD_VERBS_REPORT_PAGE_H_

#include <string>

#include "result/result.h"
#include "settings/settings.h"
#include "verbs/answer.h"

namespace levelfield {

// <directory>/report.html, and its name. `settings` say what its engines are compared with.
StatusOr<std::string> WritePageOf(const Result& result, const std::string& directory,
                                  const Settings& settings);

}  // namespace levelfield

#endif  // LEVELFIELD_VERBS_REPORT_PAGE_H_
