// The sentences below the table of the first screen (first_screen.h): what failed, what the store
// lacked, what writes survive, whether answers were checked, and who leads where. Pure.
#ifndef LEVELFIELD_REPORT_SCREEN_SENTENCES_H_
#define LEVELFIELD_REPORT_SCREEN_SENTENCES_H_

#include <vector>

#include "analysis/comparison.h"
#include "analysis/series.h"
#include "analysis/standings.h"
#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// `shown` are the series that have a column (ShownOf).
void AddSentences(const Result& result, const ComparisonRules& rules, const Standings& screen,
                  const std::vector<const Series*>& shown, Report& report);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_SCREEN_SENTENCES_H_
