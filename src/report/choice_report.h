// Which engine to choose, in words and figures. Pure.
#ifndef LEVELFIELD_REPORT_CHOICE_REPORT_H_
#define LEVELFIELD_REPORT_CHOICE_REPORT_H_

#include <string>
#include <vector>

#include "analysis/choice.h"

namespace levelfield {

// `asked` says what for; `objective` is that of --slo, empty without one.
std::string RenderChoice(const Choice& choice, const std::string& asked,
                         const std::string& objective);

// What came of one change of the question.
struct WhatIf {
  std::string question;  // "four times the keys".
  Choice choice;
  std::string why_not = {};  // It was not tried.
};
std::string RenderWhatIfs(const Choice& stated, const std::vector<WhatIf>& what_ifs);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CHOICE_REPORT_H_
