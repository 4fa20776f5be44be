// How an outcome is called: in the result format, and in the reports. Pure.
#ifndef LEVELFIELD_RESULT_OUTCOME_NAME_H_
#define LEVELFIELD_RESULT_OUTCOME_NAME_H_

#include <optional>
#include <string_view>

#include "result/result.h"

namespace levelfield {

std::string_view OutcomeName(Outcome outcome);
// Nothing for a name that no outcome has.
std::optional<Outcome> OutcomeOf(std::string_view name);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_OUTCOME_NAME_H_
