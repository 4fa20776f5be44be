// Says which engine to choose (analysis/choice.h), in words and figures. Pure.
#ifndef LEVELFIELD_REPORT_CHOICE_REPORT_H_
#define LEVELFIELD_REPORT_CHOICE_REPORT_H_

#include <string>
#include <vector>

#include "analysis/choice.h"
#include "report/choice_answer.h"
#include "report/model.h"

namespace levelfield {

// The answer first. `asked` describes the load. `objective` is that of --slo, or empty.
Report ChoiceReport(const Choice& choice, const std::string& asked, const std::string& objective);

// The result of one change of the question.
struct WhatIf {
  std::string question;  // "four times the keys".
  Choice choice;
  std::string why_not = {};  // Why it was not tried.
};
Report WhatIfReport(const Choice& stated, const std::vector<WhatIf>& what_ifs);

// What both reports say as data, and for each engine a line: why it was chosen, or why not.
ChoiceAnswer AnswerOf(const Choice& choice, const std::string& asked, const std::string& objective,
                      const std::vector<WhatIf>& what_ifs);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CHOICE_REPORT_H_
