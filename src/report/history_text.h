// Histories as a person reads them: a table for each benchmark, in which the changes stand between
// the results. Pure.
#ifndef LEVELFIELD_REPORT_HISTORY_TEXT_H_
#define LEVELFIELD_REPORT_HISTORY_TEXT_H_

#include <string>
#include <vector>

#include "analysis/history.h"

namespace levelfield {

std::string RenderHistories(const std::vector<History>& histories, const ChangePointRules& rules);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HISTORY_TEXT_H_
