// The sentences below the table of the first screen (first_screen.h): what failed, what the store
// lacked, what writes survive, whether answers were checked, and who leads where. Pure.
#ifndef LEVELFIELD_REPORT_SCREEN_SENTENCES_H_
#define LEVELFIELD_REPORT_SCREEN_SENTENCES_H_

#include "analysis/comparison.h"
#include "analysis/findings/findings.h"
#include "report/model.h"

namespace levelfield {

void AddSentences(const Findings& findings, const ComparisonRules& rules, Report& report);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_SCREEN_SENTENCES_H_
