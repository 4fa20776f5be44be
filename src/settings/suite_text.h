// What is said of suites to those who choose one: which there are, and what is in one. Pure; any
// thread.
#ifndef LEVELFIELD_SETTINGS_SUITE_TEXT_H_
#define LEVELFIELD_SETTINGS_SUITE_TEXT_H_

#include <string>

#include "settings/suite.h"

namespace levelfield {

// All that are compiled in.
std::string SuitesText();

std::string SuiteText(const Suite& suite);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SUITE_TEXT_H_
