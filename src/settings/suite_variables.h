// The variables of a suite: what stands for them in its texts, and what follows from them. Pure;
// any thread.
#ifndef LEVELFIELD_SETTINGS_SUITE_VARIABLES_H_
#define LEVELFIELD_SETTINGS_SUITE_VARIABLES_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "settings/suite.h"

namespace levelfield {

// `text` with what `$NAME` and `${NAME}` stand for; `find` gives null for what it does not know.
StatusOr<std::string> Expanded(const std::string& text,
                               const std::function<const std::string*(const std::string&)>& find);

// Whether a variable in it is 0.
bool HasZero(const std::string& text, const SuiteVariables& variables);

// Adds those that follow from others.
Status Derive(SuiteVariables& variables);

// Names of the environment that are probably meant for a variable, and are none: (name, variable).
// `known` are names that mean something beside the suite's own.
std::vector<std::pair<std::string, std::string>> MisspeltVariables(
    const Suite& suite, const std::vector<std::string>& known,
    const std::vector<std::string>& environment);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SUITE_VARIABLES_H_
