// Histories as a person reads them: a table for each benchmark, in which the changes stand between
// the results. Pure.
#ifndef LEVELFIELD_REPORT_HISTORY_REPORT_H_
#define LEVELFIELD_REPORT_HISTORY_REPORT_H_

#include <vector>

#include "analysis/history.h"
#include "report/model.h"

namespace levelfield {

Report HistoryReport(const std::vector<History>& histories, const ChangePointRules& rules);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HISTORY_REPORT_H_
